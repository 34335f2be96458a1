// Paper 001: operation counts of its theorems, its figures, and its algorithms as printed.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compute/multiword/multiword.h"
#include "tests/support/multiword_vectors.h"
#include "tests/support/random.h"

namespace orogen::compute {
namespace {

using test::Limbs;
using test::WordNumber;

// ---- operation counts ----

TEST(Paper12, OperationsAreTheCorrectedFormulas)
{
    for (const int m : {1, 2, 5, 8, 16, 31, 32, 64})
        for (const std::size_t limbs : {1, 4, 63, 64, 256})
        {
            const Limbs a(limbs, 0x0123456789abcdef);
            Limbs sum(limbs);
            CpuAdder adder({.algorithm = CpuAlgorithm::kPaper12, .wordBits = m});
            adder.add({a, a, sum});
            const PaperOperations& counted = adder.operations();
            const auto bits = std::uint64_t(m), k = (limbs * 64 + bits * bits - 1) / (bits * bits), n = k * bits;
            SCOPED_TRACE(testing::Message() << "m = " << m << ", k = " << k);
            EXPECT_EQ(counted.groups, k);
            EXPECT_EQ(counted.words, n);
            EXPECT_EQ(counted.algorithm1, 6 * n + 3 * k + 1);
            EXPECT_EQ(counted.algorithm2, 6 * k * bits - 2 * k);
        }
}

TEST(Paper3, OperationsAreTheCorrectedFormulas)
{
    for (const std::uint64_t k : {1, 2, 3, 10, 100})
    {
        const Algorithm3Operations counted = countAlgorithm3(k);
        EXPECT_EQ(counted.vector, 15u);
        EXPECT_EQ(counted.word, 5 * k + 59);
        EXPECT_EQ(counted.barriers, 2 * k + 3);
    }
}

std::vector<WordVector> vectorsOf(const WordNumber& number)
{
    std::vector<WordVector> vectors(number.words.size() / kVectorWords);
    for (std::size_t i = 0; i < number.words.size(); ++i)
        vectors[i / kVectorWords][i % kVectorWords] = std::uint16_t(number.words[i]);
    return vectors;
}

TEST(Paper3, TheCountedModelAdds)
{
    test::Random random(5);
    for (int i = 0; i < 2000; ++i)
    {
        const std::size_t k = 1 + random.below(12);
        WordNumber a(16, 16 * k), b(16, 16 * k), sum(16, 16 * k);
        for (std::size_t w = 0; w < a.words.size(); ++w)
        {
            a[w] = random.below(1 << 16);
            b[w] = random.chance(1, 7) ? random.below(1 << 16) : a.all() - a[w];
        }
        std::uint64_t carry = 0;
        for (std::size_t w = 0; w < a.words.size(); ++w)
        {
            carry += a[w] + b[w];
            sum[w] = carry & a.all();
            carry >>= 16;
        }
        std::vector<WordVector> z(k);
        Algorithm3Operations counted;
        EXPECT_EQ(addAlgorithm3(vectorsOf(a), vectorsOf(b), z, counted), carry != 0);
        EXPECT_EQ(z, vectorsOf(sum));
        EXPECT_EQ(counted.word, countAlgorithm3(k).word);
        EXPECT_EQ(counted.vector, 15u);
        EXPECT_EQ(counted.barriers, 2 * k + 3);
    }
}

// ---- figures: criterion words of one group of 16 words of 16 bits, built from matching words ----

struct Figure
{
    int number;
    std::uint32_t c, t;  // bit 0 of c: carry from the group below
    bool carryOut;
    std::uint32_t corrected;  // carries into all words: Fig. 8, and by implication for the others
};

// Fig. 7 as printed requires words that generate and propagate at once (t_(i-1) where c_i); those bits of T are
// omitted.
constexpr Figure kFigures[] = {
    {1, 0x8000, 0x8000, true, 0x8000},  {2, 0x0001, 0xffff, true, 0xffff},  {3, 0x0006, 0xfff8, false, 0x0006},
    {4, 0x0000, 0xffff, false, 0x0000}, {5, 0x0001, 0xfffe, false, 0x0001}, {7, 0x9e01, 0x20fe, false, 0x9e01},
    {8, 0x0001, 0xffff, true, 0xffff},
};

// Returns two groups: one that may carry into the other, and the figure's. Words that neither generate nor propagate
// are random.
std::pair<WordNumber, WordNumber> operandsOf(const Figure& figure, int wordBits, test::Random& random)
{
    WordNumber a(wordBits, 32), b(wordBits, 32);
    if (figure.c & 1) a[15] = b[15] = a.all();
    for (std::size_t i = 0; i < 16; ++i)
    {
        std::uint64_t& x = a[16 + i];
        std::uint64_t& y = b[16 + i];
        x = test::bits64(random) & a.all();
        if (figure.t >> i & 1)
            y = a.all() - x;
        else if (i + 1 < 16 && figure.c >> (i + 1) & 1)
            x |= 1, y = a.all() - x + 1 + test::bits64(random) % x, y = std::min(y, a.all());
        else
            x >>= 2, y = x;
    }
    return {a, b};
}

TEST(PaperFigures, TheCarryOutOfTheGroupIsWhatTheFigureSays)
{
    test::Random random(11);
    for (const Figure& figure : kFigures)
        for (const int wordBits : {16, 64})
            for (const CpuAlgorithm algorithm : kCpuAlgorithms)
            {
                const auto [a, b] = operandsOf(figure, wordBits, random);
                const Limbs x = a.limbs(), y = b.limbs();
                Limbs sum(x.size());
                CpuAdder adder({.algorithm = algorithm});
                EXPECT_EQ(adder.add({x, y, sum}), figure.carryOut)
                    << "Fig. " << figure.number << ", " << nameOf(algorithm) << ", words of " << wordBits;
                const std::uint64_t all = a.all();
                for (std::size_t i = 0; i < 16; ++i)
                {
                    const std::size_t bit = (16 + i) * std::size_t(wordBits);
                    const std::uint64_t word = sum[bit / 64] >> bit % 64 & all;
                    const std::uint64_t carry = figure.corrected >> i & 1;
                    EXPECT_EQ(word, (a.words[16 + i] + b.words[16 + i] + carry) & all)
                        << "Fig. " << figure.number << ", " << nameOf(algorithm) << ", word " << i;
                }
            }
}

TEST(PaperFigures, OneStepOfTheCorrectionIsFigure9)
{
    const std::uint32_t c = 0x0001, t = 0xffff;
    EXPECT_EQ((c | (c & t) << 1) & 0xffff, 0x0003u);
    EXPECT_EQ(((c + t) ^ t) & 0xffff, 0xffffu) << "all steps at once";
}

// Checks all carries of a group at once, for every reachable pair of criterion words of eight words.
TEST(PaperFigures, SumOfTheCriterionWordsHoldsAllCarries)
{
    constexpr int m = 8;
    int lemma3 = 0, cases = 0;
    for (unsigned g = 0; g < 1u << m; ++g)
        for (unsigned t = 0; t < 1u << m; ++t)
            for (unsigned in = 0; in < 2 && (g & t) == 0; ++in)
            {
                const unsigned c = (g << 1 | in) & 0xff, top = g >> (m - 1);
                unsigned carry = in, carries = 0;
                for (int i = 0; i < m; ++i)
                {
                    carries |= carry << i;
                    carry = (g >> i & 1) | (t >> i & carry);
                }
                ++cases;
                EXPECT_EQ(((c + t) ^ t) & 0xff, carries);
                EXPECT_EQ(top | (c + t) >> m, carry);
                EXPECT_FALSE(top && (c + t) >> m) << "they exclude each other";
                lemma3 += (c + t) >> m == 0 && carry != 0;
            }
    EXPECT_EQ(cases, 13122);
    EXPECT_EQ(lemma3, 4374) << "Lemma 3 without its closing note";
}

// ---- Algorithms 1 and 2 as printed ----

// Loop bounds of the two algorithms.
struct Bounds
{
    int step6, ripple, groups, unpack;  // p < k - step6; r < m - ripple; p < k - groups; r < m - unpack
};
constexpr Bounds kPrinted = {2, 1, 1, 1}, kMended = {1, 1, 0, 0};

std::uint64_t algorithms12(WordNumber x, WordNumber y, int m, const Bounds& bounds, WordNumber& z)
{
    const int n = int(x.words.size()), k = n / m;
    const std::uint64_t full = x.all(), limit = std::uint64_t(1) << m;
    WordNumber sums = x;
    std::vector<std::uint64_t> c(std::size_t(k), 0), t(std::size_t(k), 0);
    for (int i = 0; i < n; ++i)
    {
        const auto w = std::size_t(i);
        sums[w] = (x[w] + y[w]) & full;
        t[w / std::size_t(m)] |= std::uint64_t(sums[w] == full) << i % m;
        if (i > 0 && (sums[w - 1] < x[w - 1] || sums[w - 1] < y[w - 1])) c[w / std::size_t(m)] |= 1ull << i % m;
    }
    const auto last = std::size_t(n - 1);
    std::uint64_t carry = x[last] + y[last] > full;
    for (int p = 0; p < k - bounds.step6; ++p)
        if (c[std::size_t(p)] + t[std::size_t(p)] >= limit) c[std::size_t(p) + 1] |= 1;
    if (c.back() + t.back() >= limit) carry = 1;
    for (int p = 0; p < k - bounds.groups; ++p)
        for (int r = 0; r < m - bounds.ripple; ++r)
            c[std::size_t(p)] |= (c[std::size_t(p)] & t[std::size_t(p)]) << 1 & (limit - 1);
    for (int p = 0; p < k - bounds.groups; ++p)
        for (int r = 0; r < m - bounds.unpack; ++r)
        {
            const auto w = std::size_t(p * m + r);
            z[w] = (sums[w] + (c[std::size_t(p)] >> r & 1)) & full;
        }
    return carry;
}

bool addsRight(const WordNumber& x, const WordNumber& y, int m, const Bounds& bounds)
{
    WordNumber z(x.bits, x.words.size(), 0xdead), sum = z;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < x.words.size(); ++i)
    {
        carry += x.words[i] + y.words[i];
        sum[i] = carry & x.all();
        carry >>= x.bits;
    }
    return algorithms12(x, y, m, bounds, z) == carry && z.words == sum.words;
}

TEST(PaperAsPrinted, Algorithm1LosesTheCarryIntoTheLastGroup)
{
    constexpr Bounds kStep6Printed = {2, 1, 0, 0};
    WordNumber x(4, 16, 0xf), one(4, 16);  // k = 4 groups of 4 words of 4 bits
    one[0] = 1;
    EXPECT_FALSE(addsRight(x, one, 4, kStep6Printed)) << "all ones + 1";
    EXPECT_TRUE(addsRight(x, one, 4, kMended));
}

TEST(PaperAsPrinted, Algorithm2LeavesTheLastGroupAndTheTopWordsUnwritten)
{
    const WordNumber x(4, 16, 3), y(4, 16, 4);  // no carry
    EXPECT_FALSE(addsRight(x, y, 4, Bounds{1, 1, 1, 0})) << "p < k - 1";
    EXPECT_FALSE(addsRight(x, y, 4, Bounds{1, 1, 0, 1})) << "r < m - 1 in the unpacking";
    EXPECT_TRUE(addsRight(x, y, 4, kMended));
}

TEST(PaperAsPrinted, OneStepLessOfTheCorrectionIsTooFew)
{
    WordNumber x(4, 16, 0xf), one(4, 16);
    one[0] = 1;
    x[0] = 1, one[0] = 0xf;  // word 0 generates the carry, words 1 to 15 propagate it
    EXPECT_TRUE(addsRight(x, one, 4, kMended));
    EXPECT_FALSE(addsRight(x, one, 4, Bounds{1, 2, 0, 0}));
}

TEST(PaperAsPrinted, EveryCaseIsWrongAndNoneWithTheBoundsMended)
{
    test::Random random(7);
    const auto word = [&] {
        const std::uint32_t choices[] = {0, 0, 15, 15, 1, 8, random.below(16)};
        return choices[random.below(7)];
    };
    for (int i = 0; i < 453; ++i)
    {
        WordNumber x(4, 16), y(4, 16);
        for (std::size_t w = 0; w < 16; ++w)
        {
            x[w] = word();
            y[w] = random.chance(3, 4) ? 15 - x[w] : random.below(16);
        }
        EXPECT_FALSE(addsRight(x, y, 4, kPrinted)) << i;
        EXPECT_TRUE(addsRight(x, y, 4, kMended)) << i;
    }
}

}  // namespace
}  // namespace orogen::compute
