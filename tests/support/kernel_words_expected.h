// Expected results of kernel_words.h on any target.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/device/kernel_target.h"
#include "tests/support/kernel_words.h"

namespace orogen::test {

// Returns small integers, so that products of doubles are exact in any order.
inline std::vector<compute::KernelWords> kernelWordsInput(unsigned warps, unsigned seed)
{
    std::mt19937 random(seed);
    const auto integer = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    std::vector<compute::KernelWords> input(warps);
    for (compute::KernelWords& warp : input)
    {
        for (auto* bytes : {&warp.bytesA[0], &warp.bytesB[0]})
            for (int i = 0, n = bytes == warp.bytesA ? 16 * 32 : 32 * 8; i < n; ++i)
                bytes[i] = std::int8_t(integer(-128, 127));
        for (double& x : warp.a)
            x = integer(-1000, 1000);
        for (double& x : warp.b)
            x = integer(-1000, 1000);
        for (double& x : warp.c)
            x = integer(-1000, 1000);
        for (double& x : warp.smallA)
            x = integer(-1000, 1000);
        for (double& x : warp.smallB)
            x = integer(-1000, 1000);
        for (std::uint32_t& word : warp.words)
            word = std::uint32_t(random());
    }
    return input;
}

// Returns element (row, column) of the product of A, `inner` columns wide, and B, `width` columns wide (both
// row-major).
template <class A>
double productAt(const A* a, const A* b, int inner, int width, int row, int column)
{
    double sum = 0;
    for (int k = 0; k < inner; ++k)
        sum += double(a[row * inner + k]) * double(b[k * width + column]);
    return sum;
}

inline void expectProducts(const compute::KernelWords& warp)
{
    for (int row = 0; row < 16; ++row)
        for (int column = 0; column < 8; ++column)
        {
            SCOPED_TRACE(testing::Message() << "row " << row << ", column " << column);
            const int at = row * 8 + column;
            EXPECT_EQ(warp.bytesProduct[at], productAt(warp.bytesA, warp.bytesB, 32, 8, row, column));
            EXPECT_EQ(warp.product[at], warp.c[at] + productAt(warp.a, warp.b, 16, 8, row, column));
            if (row >= 8) continue;
            EXPECT_EQ(warp.smallProduct[at], productAt(warp.smallA, warp.smallB, 4, 8, row, column));
        }
}

inline void expectWords(const compute::KernelWords& warp)
{
    for (unsigned lane = 0; lane < compute::kWarpLanes; ++lane)
    {
        SCOPED_TRACE(testing::Message() << "lane " << lane);
        const std::uint32_t word = warp.words[lane], next = warp.words[lane + 1];
        std::uint32_t dot = word, signedDot = word;
        for (int i = 0; i < 4; ++i)
        {
            dot += (word >> 8 * i) % 256 * ((next >> 8 * i) % 256);
            signedDot += std::uint32_t(int(std::int8_t(word >> 8 * i)) * int(std::int8_t(next >> 8 * i)));
        }
        EXPECT_EQ(warp.dots[lane], dot);
        EXPECT_EQ(std::uint32_t(warp.signedDots[lane]), signedDot);
        const double x = 1 + 1.0 / double(lane + 3);
        const float y = float(x);
        EXPECT_EQ(warp.fused[lane], std::fma(x, x, -(x * x)));
        EXPECT_EQ(warp.fusedSingle[lane], std::fma(y, y, -(y * y)));
        EXPECT_EQ(warp.relaxed32[lane], word);
        EXPECT_EQ(warp.relaxed64[lane], (std::uint64_t(word) << 32) + next + 1);
        EXPECT_EQ(warp.relaxedFloat[lane], float(2 * lane + 1));
        EXPECT_EQ(warp.relaxedDouble[lane], warp.a[lane]);
    }
    EXPECT_EQ(std::memcmp(warp.copied, warp.a, sizeof(warp.a)), 0);
}

inline void expectKernelWords(compute::KernelTarget& target, unsigned warps, unsigned seed)
{
    using namespace compute;
    std::vector<KernelWords> found = kernelWordsInput(warps, seed);
    const std::size_t bytes = found.size() * sizeof(KernelWords);
    Result<TargetMemory> memory = target.allocate(bytes);
    ASSERT_TRUE(memory) << memory.error().message;
    ASSERT_TRUE(target.upload(memory->as<void>(), found.data(), bytes));
    const Status launched =
        target.launch(kernelWordsKernel(), {{warps}, {kWarpLanes}}, KernelWordsArguments{memory->as<KernelWords>()});
    ASSERT_TRUE(launched) << launched.error().message;
    ASSERT_TRUE(target.download(found.data(), memory->as<void>(), bytes));
    for (const KernelWords& warp : found)
    {
        expectProducts(warp);
        expectWords(warp);
        if (testing::Test::HasFailure()) return;
    }
}

}  // namespace orogen::test
