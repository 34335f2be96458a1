// Products and division by a word against GMP, and the counts of the recursions.
#include <cstdint>
#include <string>
#include <vector>

#include <gmp.h>
#include <gtest/gtest.h>

#include "compute/multiword/product.h"

namespace orogen::compute {
namespace {

using Limbs = std::vector<Limb>;

// Kinds of operands: 0 ... all zeros, ones, alternating bits, a single bit, random, random with runs of ones.
Limbs operandOf(std::size_t size, int kind, std::uint64_t seed)
{
    Limbs limbs(size);
    std::uint64_t state = seed * 77 + 5;
    for (std::size_t i = 0; i < size; ++i)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const std::uint64_t random = state ^ state >> 29;
        limbs[i] = kind == 0   ? 0
                   : kind == 1 ? ~Limb(0)
                   : kind == 2 ? 0xaaaaaaaaaaaaaaaa
                   : kind == 3 ? Limb(i == size / 2)
                   : kind == 4 ? random
                               : (random % 3 == 0   ? random
                                  : random % 3 == 1 ? ~Limb(0)
                                                    : 0);
    }
    return limbs;
}

Limbs gmpProduct(const Limbs& a, const Limbs& b)
{
    Limbs product(a.size() + b.size());
    const bool swapped = a.size() < b.size();
    const Limbs &longer = swapped ? b : a, &shorter = swapped ? a : b;
    mpn_mul(reinterpret_cast<mp_limb_t*>(product.data()), reinterpret_cast<const mp_limb_t*>(longer.data()),
            mp_size_t(longer.size()), reinterpret_cast<const mp_limb_t*>(shorter.data()), mp_size_t(shorter.size()));
    return product;
}

TEST(MultiwordProduct, IsGmpsForEveryAlgorithmAndLength)
{
    std::vector<std::pair<std::size_t, std::size_t>> sizes = {{1, 1},     {2, 1},     {5, 3},      {31, 31},
                                                              {1000, 40}, {70, 500},  {1000, 333}, {1000, 999},
                                                              {32, 33},   {900, 900}, {2049, 2049}};
    for (std::size_t size = 32; size < 72; ++size)
        sizes.emplace_back(size, size);
    for (std::size_t size = 190; size < 200; ++size)
        sizes.emplace_back(size, size), sizes.emplace_back(3 * size, 3 * size);
    for (const auto& [first, second] : sizes)
        for (int kind = 0; kind < 36; ++kind)
        {
            if (first > 300 && kind % 5 != 0) continue;
            const Limbs a = operandOf(first, kind % 6, first), b = operandOf(second, kind / 6, second + 1);
            const Limbs expected = gmpProduct(a, b);
            for (const ProductAlgorithm algorithm : kProductAlgorithms)
            {
                Limbs product(first + second + 2, 0x5555);  // two more, which stay as they are
                multiplyLimbs(std::span(product).first(first + second), a, b, algorithm);
                EXPECT_EQ(product[first + second], 0x5555u);
                product.resize(first + second);
                ASSERT_EQ(product, expected) << nameOf(algorithm) << " " << first << " x " << second << " " << kind;
            }
        }
}

TEST(MultiwordProduct, TakesTheProductsThatItsNameSays)
{
    const auto count = [](std::size_t size, ProductAlgorithm algorithm) {
        const Limbs a = operandOf(size, 4, 1), b = operandOf(size, 4, 2);
        Limbs product(2 * size);
        return multiplyLimbs(product, a, b, algorithm);
    };
    EXPECT_EQ(count(100, ProductAlgorithm::kSchoolbook).products, 10'000u);
    EXPECT_EQ(count(100, ProductAlgorithm::kSchoolbook).additions, 0u);
    // 64 limbs: three products of 32, each of three of 16.
    EXPECT_EQ(count(64, ProductAlgorithm::kKaratsuba).products, 9u * 256);
    EXPECT_EQ(count(64, ProductAlgorithm::kKaratsuba).levels, 2u);
    EXPECT_LT(count(4096, ProductAlgorithm::kToom3).products, count(4096, ProductAlgorithm::kKaratsuba).products);
    EXPECT_GT(count(1024, ProductAlgorithm::kToom3).additions, 0u);
    EXPECT_EQ(productAlgorithmFor(31), ProductAlgorithm::kSchoolbook);
    EXPECT_EQ(productAlgorithmFor(32), ProductAlgorithm::kKaratsuba);
    EXPECT_EQ(productAlgorithmFor(1024), ProductAlgorithm::kToom3);
    EXPECT_EQ(productAlgorithmFor(4097), ProductAlgorithm::kGmp);
}

// The last piece of the longer operand is shorter than the other operand.
TEST(MultiwordProduct, UnequalLengthsTakeFewProductsToo)
{
    const auto products = [](std::size_t longer, std::size_t shorter, ProductAlgorithm algorithm) {
        const Limbs a = operandOf(longer, 4, 1), b = operandOf(shorter, 4, 2);
        Limbs product(longer + shorter);
        return multiplyLimbs(product, a, b, algorithm).products;
    };
    for (const ProductAlgorithm algorithm : {ProductAlgorithm::kKaratsuba, ProductAlgorithm::kToom3})
    {
        EXPECT_LT(double(products(4095, 2048, algorithm)), 1.1 * double(products(4096, 2048, algorithm)));
        EXPECT_LT(products(3000, 2048, algorithm), 2 * products(2048, 2048, algorithm));
        EXPECT_EQ(products(2048 + 31, 2048, algorithm), products(2048, 2048, algorithm) + 31 * 2048);
    }
}

TEST(MultiwordDivision, IsGmps)
{
    std::vector<Limb> words = {1,
                               2,
                               3,
                               10,
                               0xffffffff,
                               0x100000000,
                               ~Limb(0),
                               ~Limb(0) - 1,
                               Limb(1) << 63,
                               (Limb(1) << 63) + 1,
                               (Limb(1) << 63) - 1,
                               10'000'000'000'000'000'000u};
    for (const Limb random : operandOf(40, 4, 9))
        words.push_back(random >> random % 60 | 1);
    for (const std::size_t size : {1, 2, 3, 17, 200})
        for (int kind = 0; kind < 6; ++kind)
            for (const Limb word : words)
            {
                const Limbs a = operandOf(size, kind, size);
                Limbs expected(size), quotient(size), inPlace = a;
                const Limb rest = mpn_divrem_1(reinterpret_cast<mp_limb_t*>(expected.data()), 0,
                                               reinterpret_cast<const mp_limb_t*>(a.data()), mp_size_t(size), word);
                EXPECT_EQ(divideLimbs(quotient, a, word), rest);
                ASSERT_EQ(quotient, expected) << size << " " << kind << " " << word;
                EXPECT_EQ(divideLimbs(inPlace, inPlace, word), rest);
                EXPECT_EQ(inPlace, expected);
            }
}

}  // namespace
}  // namespace orogen::compute
