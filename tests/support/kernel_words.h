// Kernel that uses every function of kernel.h with an instruction of its own on a GPU, one warp per block. The host
// executor and, if there is one, a GPU run it against common expectations.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

// Data that one warp reads and writes; matrices are row-major.
struct KernelWords
{
    alignas(16) std::int8_t bytesA[16 * 32], bytesB[32 * 8];
    alignas(16) double a[16 * 16], b[16 * 8], c[16 * 8];
    double smallA[8 * 4], smallB[4 * 8];
    std::uint32_t words[kWarpLanes + 1];

    std::int32_t bytesProduct[16 * 8];
    double product[16 * 8];  // c + a b
    double smallProduct[8 * 8];
    alignas(16) double copied[16 * 16];
    std::uint32_t dots[kWarpLanes];
    std::int32_t signedDots[kWarpLanes];
    double fused[kWarpLanes];
    float fusedSingle[kWarpLanes];
    std::uint32_t relaxed32[kWarpLanes];
    std::uint64_t relaxed64[kWarpLanes];
    float relaxedFloat[kWarpLanes];
    double relaxedDouble[kWarpLanes];
};

struct KernelWordsArguments
{
    KernelWords* warps;
};

namespace OROGEN_TARGET {

// Packs four bytes of a matrix, `stride` apart.
OROGEN_DEVICE inline std::uint32_t bytesOf(const std::int8_t* from, unsigned stride)
{
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i)
        word |= std::uint32_t(std::uint8_t(from[i * stride])) << 8 * i;
    return word;
}

OROGEN_DEVICE inline void multiplyBytes(KernelWords& warp)
{
    const unsigned g = laneIndex() / 4, t = laneIndex() % 4;
    BytesA a;
    BytesB b;
    BytesSum sum = {};
    for (unsigned i = 0; i < 4; ++i)
        a.words[i] = bytesOf(warp.bytesA + (g + 8 * (i % 2)) * 32 + 4 * t + 16 * (i / 2), 1);
    for (unsigned i = 0; i < 2; ++i)
        b.words[i] = bytesOf(warp.bytesB + (4 * t + 16 * i) * 8 + g, 8);
    mmaBytes16x8x32(sum, a, b);
    for (unsigned i = 0; i < 4; ++i)
        warp.bytesProduct[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = sum.values[i];
}

OROGEN_DEVICE inline void multiplyDoubles(KernelWords& warp)
{
    const unsigned g = laneIndex() / 4, t = laneIndex() % 4;
    double a[8], b[4], sum[4];
    for (unsigned i = 0; i < 8; ++i)
        a[i] = warp.a[(g + 8 * (i % 2)) * 16 + t + 4 * (i / 2)];
    for (unsigned i = 0; i < 4; ++i)
    {
        b[i] = warp.b[(t + 4 * i) * 8 + g];
        sum[i] = warp.c[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2];
    }
    mmaDoubles16x8x16(sum, a, b);
    for (unsigned i = 0; i < 4; ++i)
        warp.product[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = sum[i];

    double small[2] = {};
    mmaDoubles8x8x4(small, warp.smallA[g * 4 + t], warp.smallB[t * 8 + g]);
    for (unsigned i = 0; i < 2; ++i)
        warp.smallProduct[g * 8 + 2 * t + i] = small[i];
}

OROGEN_DEVICE inline void kernelWords(const KernelWordsArguments& arguments)
{
    KernelWords& warp = arguments.warps[blockIndex().x];
    const unsigned lane = laneIndex();
    multiplyBytes(warp);
    multiplyDoubles(warp);
    for (unsigned i = 0; i < 16 * 16; i += 2 * kWarpLanes)
    {
        const double* const from = warp.a + i + 2 * lane;
        storeVector16(warp.copied + i + 2 * lane, i % 128 == 0 ? loadVector16(from) : loadVector16Kept(from));
    }
    const std::uint32_t word = warp.words[lane], next = warp.words[lane + 1];
    warp.dots[lane] = dotBytes(word, next, word);
    warp.signedDots[lane] = dotBytes(std::int32_t(word), std::int32_t(next), std::int32_t(word));
    // These are not 0 if rounded once. The sum shows whether a * b - a * b is contracted, which it must not be.
    const double x = 1 + 1.0 / double(lane + 3);
    const float y = float(x);
    warp.fused[lane] = fusedMultiplyAdd(x, x, -(x * x)) + (x * x - x * x);
    warp.fusedSingle[lane] = fusedMultiplyAdd(y, y, -(y * y)) + (y * y - y * y);
    storeRelaxed(warp.relaxed32 + lane, loadRelaxed(warp.words + lane));
    storeRelaxed(warp.relaxed64 + lane, (std::uint64_t(word) << 32) + next);
    storeRelaxed(warp.relaxed64 + lane, loadRelaxed(warp.relaxed64 + lane) + 1);
    storeRelaxed(warp.relaxedFloat + lane, float(lane) + 0.5f);
    storeRelaxed(warp.relaxedFloat + lane, loadRelaxed(warp.relaxedFloat + lane) * 2);
    storeRelaxed(warp.relaxedDouble + lane, loadRelaxed(warp.a + lane));
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(kernelWords, KernelWordsArguments, kWarpLanes)

}  // namespace orogen::compute
