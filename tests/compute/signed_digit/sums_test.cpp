// Every method of summation and of the dot product on the CPU, with every instruction set, against GMP.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/gmp_numbers.h"
#include "tests/support/random.h"
#include "tests/support/signed_digit_oracle.h"
#include "tests/support/test_scale.h"

namespace orogen::compute {
namespace {

using test::Exact;
using test::Random;

struct Variant
{
    std::string name;
    CpuDecimalOptions options;
};

// Variants: one thread and several, both digit sets, packing beforehand or on the fly, every instruction set.
const std::vector<Variant>& variants()
{
    static const std::vector<Variant> variants = [] {
        std::vector<Variant> made;
        for (const DigitKernels* kernels : availableDigitKernels())
            for (const int threads : {1, 3})
                made.push_back({fmt::format("{}, threads {}", kernels->name, threads),
                                {threads,
                                 kernels,
                                 {made.size() % 2 == 0 ? 6 : 7},
                                 threads > 1 ? 1u : 1u << 17,
                                 made.size() / 2 % 2 == made.size() % 2}});
        return made;
    }();
    return variants;
}

Exact sumOf(const DecimalList& numbers)
{
    Exact sum;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        sum.add(test::exactOf(numbers[i]));
    return sum;
}

Exact dotOf(const DecimalList& x, const DecimalList& y)
{
    Exact sum;
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        Exact product = test::exactOf(x[i]);
        product.multiply(test::exactOf(y[i]));
        sum.add(product);
    }
    return sum;
}

// Returns a text in the form of Exact.
std::string textOf(const Decimal& number)
{
    std::string text = number.negative ? "-" : "";
    for (std::size_t i = number.digits.size(); i-- > 0;)
        text += char('0' + number.digits[i]);
    return text.empty() ? "0" : fmt::format("{}e{}", text, number.exponent);
}

std::string sumBy(SumAlgorithm algorithm, const DecimalList& numbers, const CpuDecimalOptions& options = {})
{
    const std::vector<DigitRows> rows = alignedRows(numbers);
    return textOf(CpuDecimals(algorithm, rows, options).run());
}

DigitOperations operationsOf(SumAlgorithm algorithm, const DecimalList& numbers, const CpuDecimalOptions& options = {})
{
    const std::vector<DigitRows> rows = alignedRows(numbers);
    CpuDecimals sum(algorithm, rows, options);
    sum.run();
    return sum.operations();
}

std::string dotBy(DotAlgorithm algorithm, const DecimalList& x, const DecimalList& y,
                  const CpuDecimalOptions& options = {})
{
    const std::vector<FactorRows> rows = alignedFactors(x, y);
    return textOf(CpuDecimals(algorithm, rows, options).run());
}

void expectSum(const DecimalList& numbers, const std::string& what)
{
    const std::string expected = sumOf(numbers).text();
    for (const SumAlgorithm algorithm : kSumAlgorithms)
        for (const Variant& variant : variants())
            ASSERT_EQ(sumBy(algorithm, numbers, variant.options), expected)
                << what << ", " << nameOf(algorithm) << ", " << variant.name;
}

void expectDot(const DecimalList& x, const DecimalList& y, const std::string& what)
{
    const std::string expected = dotOf(x, y).text();
    for (const DotAlgorithm algorithm : kDotAlgorithms)
        for (Variant variant : variants())
            for (int ahead = algorithm == DotAlgorithm::kProduct ? 0 : 1; ahead < 2; ++ahead)
            {
                variant.options.packAhead = ahead == 1;
                ASSERT_EQ(dotBy(algorithm, x, y, variant.options), expected)
                    << what << ", " << nameOf(algorithm) << ", " << variant.name << ", packed ahead: " << ahead;
            }
}

DecimalList listOf(const std::vector<std::string>& texts)
{
    DecimalList list;
    for (const std::string& text : texts)
        list.add(*parseDecimal(text, "test"));
    return list;
}

DecimalList repeated(Digit digit, std::size_t digits, std::size_t times)
{
    DecimalList list;
    for (std::size_t i = 0; i < times; ++i)
        list.add(Decimal{std::vector<Digit>(digits, digit), 0, false});
    return list;
}

// ---- vectors ----

TEST(SignedDigitSum, OfThePaper)
{
    expectSum(listOf({"556", "179", "979"}), "the example of section IV");
    EXPECT_EQ(sumBy(SumAlgorithm::kFirst, listOf({"556", "179", "979"})), "1714e0");
    expectSum(listOf({"9999999", "1"}), "a carry through all");
    expectSum(listOf({"-1", "1"}), "to zero");
    expectSum(listOf({"0", "0.00"}), "of zeros");
    expectSum(listOf({"1e300", "1e-300"}), "far apart");
    expectSum(listOf({"1e1000000", "-1e-1000000", "3"}), "as far apart as there is");
    expectSum(listOf({"-5", "2", "-1e5", "99999"}), "below zero");
    expectSum({}, "of nothing");
}

// Bytes hold 28 rows of nines, 16 bits 260 times as many. A column has three digits up to 111 rows, and four from 112.
TEST(SignedDigitSum, OfNinesAtEveryEdge)
{
    for (const std::size_t rows : {1, 2, 27, 28, 29, 111, 112, 7279, 7280, 7281, 7282})
        for (const std::size_t digits : {1, 64})
            expectSum(repeated(9, digits, rows), std::to_string(rows) + " x " + std::to_string(digits));
    for (const DigitKernels* kernels : availableDigitKernels())  // only super-rows (joined rows) fill 16 bits
        for (const std::size_t width : {64, 2048})
        {
            const std::size_t rows = 2048 / width * 4 * 7 * 261 + 3;
            const RowBuffer<Digit> zeros(rows * width);
            RowBuffer<Digit> nines(rows * width);
            std::fill_n(nines.data(), nines.size(), Digit(9));
            std::vector<std::uint64_t> sums(width);
            sumColumns(*kernels, sums.data(), nines.data(), rows, width);
            EXPECT_TRUE(std::ranges::all_of(sums, [&](std::uint64_t sum) { return sum == 9 * rows; })) << kernels->name;
        }
}

TEST(SignedDigitSum, OfEveryWidth)
{
    Random random(1);
    for (const std::size_t width : {1, 2, 9, 10, 15, 16, 17, 50, 63, 64, 65, 127, 255, 257, 900, 1023, 20'000})
        for (const std::size_t rows : {1, 4, 300})
        {
            DecimalList list;
            for (std::size_t i = 0; i < (width > 1000 ? std::min<std::size_t>(rows, 9) : rows); ++i)
            {
                Decimal number{std::vector<Digit>(width), -3, false};
                for (Digit& digit : number.digits)
                    digit = Digit(random.below(10));
                list.add(number);
            }
            expectSum(list, std::to_string(rows) + " x " + std::to_string(width));
        }
}

// Four words of nine nines nearly fill 32 bits: a fifth would overflow before the flush.
TEST(SignedDigitSum, OfLargestWords)
{
    constexpr std::uint32_t kLargest = 999'999'999;
    for (const DigitKernels* kernels : availableDigitKernels())
        for (const std::size_t width : {1, 2, 7, 15, 16, 17, 33, 100, 1000, 2047, 2048, 2049, 5000})
            for (const std::size_t rows : {1, 3, 4, 5, 8, 63, 64, 65, 257, 2051})
            {
                if (rows * width > 600'000) continue;
                RowBuffer<std::uint32_t> words(rows * width);
                for (std::size_t i = 0; i < words.size(); ++i)
                    words.data()[i] = kLargest - std::uint32_t(i % width);
                std::vector<std::uint64_t> sums(width, 5);  // the kernel adds to the previous content
                sumWords(*kernels, sums.data(), words.data(), rows, width);
                for (std::size_t i = 0; i < width; ++i)
                    ASSERT_EQ(sums[i], 5 + rows * (kLargest - i)) << kernels->name << ", " << rows << " x " << width;
            }
}

// Every row and column stays in its place at every flush of bytes and words.
TEST(SignedDigitSum, OfColumnsInTheirPlaces)
{
    Random random(7);
    for (const DigitKernels* kernels : availableDigitKernels())
        for (const std::size_t width : {1, 3, 50, 64, 65, 900, 16'384, 16'385, 20'000})
            for (const std::size_t rows : {1, 4, 7, 29, 112, 300})
            {
                RowBuffer<Digit> digits(rows * width);
                for (std::size_t i = 0; i < digits.size(); ++i)
                    digits.data()[i] = Digit(random.below(10));
                std::vector<std::uint64_t> sums(width), expected(width);
                sumColumns(*kernels, sums.data(), digits.data(), rows, width);
                for (std::size_t i = 0; i < digits.size(); ++i)
                    expected[i % width] += digits.data()[i];
                ASSERT_EQ(sums, expected) << kernels->name << ", " << rows << " x " << width;
            }
}

TEST(SignedDigitSum, CountsItsAdditions)
{
    const auto additions = [](SumAlgorithm algorithm, std::size_t digits, std::size_t rows) {
        return operationsOf(algorithm, repeated(9, digits, rows)).additions;
    };
    EXPECT_EQ(additions(SumAlgorithm::kDigitLoop, 40, 1000), 999u);
    EXPECT_EQ(additions(SumAlgorithm::kGmp, 40, 1000), 999u);
    EXPECT_EQ(additions(SumAlgorithm::kFirst, 40, 1000), 999u);   // k - 1, as in the paper
    EXPECT_EQ(additions(SumAlgorithm::kRegrouped, 40, 111), 2u);  // L - 1
    EXPECT_EQ(additions(SumAlgorithm::kRegrouped, 40, 112), 3u);
    for (const std::size_t digits : {1, 3, 40, 900})
        EXPECT_EQ(additions(SumAlgorithm::kSecond, digits, 1000), digits - 1);  // as in the paper
    EXPECT_EQ(additions(SumAlgorithm::kColumns, 40, 1000), 0u);
    EXPECT_EQ(additions(SumAlgorithm::kBase1e9, 40, 1000), 0u);
}

TEST(SignedDigitSum, CountsASynchronisationForEachAdditionOfAllDigitsAtOnce)
{
    const DecimalList example = listOf({"556", "179", "979"});
    for (const auto& [algorithm, expected] :
         {std::pair{SumAlgorithm::kFirst, 2u}, {SumAlgorithm::kSecond, 2u}, {SumAlgorithm::kRegrouped, 1u}})
    {
        EXPECT_EQ(operationsOf(algorithm, example).additions, expected) << nameOf(algorithm);
        EXPECT_EQ(operationsOf(algorithm, example).synchronisations, expected) << nameOf(algorithm);
    }
    for (const SumAlgorithm algorithm :
         {SumAlgorithm::kDigitLoop, SumAlgorithm::kColumns, SumAlgorithm::kBase1e9, SumAlgorithm::kGmp})
        EXPECT_EQ(operationsOf(algorithm, example).synchronisations, 0u) << nameOf(algorithm);
}

// Numbers of both signs and any exponents are aligned; empty columns have no row.
TEST(SignedDigitSum, CountsTheColumnsThatNumbersReach)
{
    EXPECT_EQ(operationsOf(SumAlgorithm::kSecond, listOf({"556", "-179", "979"})).additions, 2u);
    EXPECT_EQ(operationsOf(SumAlgorithm::kSecond, listOf({"12e3", "-345"})).additions, 4u);
    EXPECT_EQ(operationsOf(SumAlgorithm::kSecond, listOf({"12e300", "-345e-300"})).additions, 4u);
    EXPECT_EQ(operationsOf(SumAlgorithm::kSecond, listOf({"0", "0"})).additions, 0u);
    EXPECT_EQ(operationsOf(SumAlgorithm::kFirst, listOf({"12e300", "-345e-300", "1"})).additions, 2u);
}

TEST(SignedDigitSum, CountsTheSameOnAnyNumberOfThreads)
{
    const DecimalList numbers = repeated(9, 40, 1000);
    CpuDecimalOptions options;
    options.digitsPerThread = 100;
    for (const SumAlgorithm algorithm : kSumAlgorithms)
        for (const int threads : {2, 5})
        {
            options.threads = threads;
            EXPECT_EQ(operationsOf(algorithm, numbers, options).additions, operationsOf(algorithm, numbers).additions)
                << nameOf(algorithm) << ", " << threads << " threads";
        }
}

TEST(SignedDigitSum, OfMixedExponentsTakesLittleMemory)
{
    Random random(2);
    DecimalList list;
    for (int i = 0; i < 1000; ++i)
        list.add(Decimal{{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}, random.between(-50'000, 50'000), i % 2 == 0});
    std::size_t bytes = 0;
    for (const DigitRows& rows : alignedRows(list))
        bytes += rows.digits.size();
    EXPECT_LE(bytes, 8 * list.digits());
    const std::string expected = sumOf(list).text();
    for (const SumAlgorithm algorithm : kSumAlgorithms)
        EXPECT_EQ(sumBy(algorithm, list), expected) << nameOf(algorithm);
}

TEST(SignedDigitDot, OfThePaperForEveryBeta)
{
    for (int alpha = 0; alpha <= 7; ++alpha)
        for (int beta = 1; beta <= 295; ++beta)
        {
            const auto power = [](int exponent) { return fmt::format("1e{}", exponent); };
            const auto minus = [](int exponent) { return fmt::format("-1e{}", exponent); };
            const DecimalList x =
                listOf({power(alpha), "1223", power(alpha - 1), power(alpha - 2), "3", minus(alpha - 5)});
            const DecimalList y = listOf({power(beta), "2", minus(beta + 1), power(beta), "2111", power(beta + 3)});
            for (const DotAlgorithm algorithm : kDotAlgorithms)
                ASSERT_EQ(dotBy(algorithm, x, y), "8779e0") << alpha << ", " << beta << ", " << nameOf(algorithm);
        }
}

TEST(SignedDigitDot, OfNinesOfEveryWidth)
{
    for (const std::size_t digits : {1, 2, 9, 10, 31, 32, 33, 50, 63, 64, 65, 127, 128, 129, 300, 900})
        for (const std::size_t rows : {1, 3, 4, 5, 40})
            expectDot(repeated(9, digits, rows), repeated(9, std::max<std::size_t>(1, digits / (1 + rows % 3)), rows),
                      std::to_string(rows) + " x " + std::to_string(digits));
}

// Returns groups of rows of 99.
RowBuffer<std::uint8_t> nines(const DigitKernels& kernels, std::size_t rows, std::size_t pairs)
{
    RowBuffer<Digit> digits(rows * 2 * pairs);
    std::fill_n(digits.data(), digits.size(), Digit(9));
    RowBuffer<std::uint8_t> groups((rows + 3) / 4 * 4 * pairs + kGroupSlack);
    kernels.packGroups(groups.data(), {digits.data(), 2 * pairs, 2 * pairs}, rows);
    return groups;
}

// Erratum 8: 81 k d <= 2^31 - 1 up to k d = 26,512,143.
TEST(SignedDigitDot, EmptiesColumnsBeforeTheyOverflow)
{
    EXPECT_EQ(rowsInInt32(9, 1), 26'512'143u);
    EXPECT_EQ(rowsInInt32(9, 50), 530'242u);
    for (const DigitKernels* kernels : availableDigitKernels())
    {
        const std::size_t limit = rowsInInt32(99, 1);  // 219,112 rows of base 100
        for (const std::size_t rows : {limit - 1, limit, limit + 1, 2 * limit + 700})
        {
            const RowBuffer<std::uint8_t> x = nines(*kernels, rows, 2);
            std::vector<std::uint64_t> sums(3);
            const RowGroups groups{x.data(), 8, 2};
            kernels->addProducts(sums.data(), groups, groups, (rows + 3) / 4, 99);
            EXPECT_EQ(sums, (std::vector<std::uint64_t>{9801 * rows, 2 * 9801 * rows, 9801 * rows})) << kernels->name;
        }
    }
}

// Every byte of a group is in its place, for any remainder of a vector, and nothing is written past the end.
TEST(SignedDigitDot, PacksRowsIntoGroups)
{
    Random random(8);
    for (const DigitKernels* kernels : availableDigitKernels())
        for (const std::size_t pairs : {1, 2, 15, 16, 17, 25, 31, 32, 33, 63, 64, 65, 450})
            for (const std::size_t rows : {1, 2, 3, 4, 5, 8, 11})
            {
                RowBuffer<Digit> digits(rows * 2 * pairs);
                for (std::size_t i = 0; i < digits.size(); ++i)
                    digits.data()[i] = Digit(random.below(10));
                const std::size_t size = (rows + 3) / 4 * 4 * pairs;
                std::vector<std::uint8_t> groups(size + kGroupSlack + 1, 200);
                kernels->packGroups(groups.data(), {digits.data(), 2 * pairs, 2 * pairs}, rows);
                for (std::size_t i = 0; i < size; ++i)
                {
                    const std::size_t row = i / (4 * pairs) * 4 + i % 4, pair = i % (4 * pairs) / 4;
                    const Digit* const at = digits.data() + row * 2 * pairs + 2 * pair;
                    ASSERT_EQ(groups[i], row < rows ? at[0] + 10 * at[1] : 0)
                        << kernels->name << ", " << rows << " x " << pairs << ", byte " << i;
                }
                ASSERT_EQ(groups.back(), 200) << kernels->name;
            }
}

// Checks every entry for matrices of every size, in as many parts as they need.
TEST(SignedDigitDot, MultipliesGroupsOfEveryWidth)
{
    Random random(9);
    for (const DigitKernels* kernels : availableDigitKernels())
        for (std::size_t first = 1; first <= kProductBlock; ++first)
            for (const std::size_t second : {1, 9, 16, 17, 25, 33, 48, 49, 64})
            {
                const std::size_t groups = 1 + random.below(140), stride = 4 * 70;
                RowBuffer<std::uint8_t> x(groups * stride), y(groups * stride);
                for (std::size_t i = 0; i < x.size(); ++i)
                {
                    x.data()[i] = std::uint8_t(random.below(128));
                    y.data()[i] = std::uint8_t(random.below(128));
                }
                std::vector<std::uint64_t> sums(first + second), expected(first + second);
                kernels->addProducts(sums.data(), {x.data(), stride, first}, {y.data(), stride, second}, groups, 127);
                for (std::size_t group = 0; group < groups; ++group)
                    for (std::size_t i = 0; i < 4 * first; ++i)
                        for (std::size_t j = 0; j < second; ++j)
                            expected[i / 4 + j] +=
                                std::uint64_t(x.data()[group * stride + i]) * y.data()[group * stride + 4 * j + i % 4];
                ASSERT_EQ(sums, expected) << kernels->name << ", " << first << " by " << second;
            }
}

TEST(SignedDigitDot, MultipliesLongNumbers)
{
    Random random(4);
    for (const auto& [first, second] : {std::pair{3000, 3000}, {5001, 129}, {128, 7000}, {1, 4000}})
    {
        Decimal a{std::vector<Digit>(std::size_t(first)), -7, true},
            b{std::vector<Digit>(std::size_t(second)), 2, false};
        for (Decimal* number : {&a, &b})
            for (Digit& digit : number->digits)
                digit = Digit(random.chance(1, 2) ? 9 : random.below(10));
        DecimalList x, y;
        x.add(a);
        y.add(b);
        expectDot(x, y, std::to_string(first) + " by " + std::to_string(second));
    }
}

// ---- structured random cases, mostly short operands ----

Decimal randomNumber(Random& random, std::uint32_t longest, int spread)
{
    Decimal number{std::vector<Digit>(random.below(longest + 1)), random.between(-spread, spread), random.chance(1, 3)};
    const int kind = random.between(0, 4);
    for (Digit& digit : number.digits)
        digit = Digit(kind == 0   ? random.below(10)
                      : kind == 1 ? 9
                      : kind == 2 ? 5 + random.below(3)
                      : kind == 3 ? (random.chance(1, 8) ? random.below(10) : 0)
                                  : (random.chance(1, 8) ? random.below(10) : 9));
    return number;
}

struct Shape
{
    std::uint32_t count, digits;
    int spread;
};

Shape randomShape(Random& random)
{
    if (random.chance(1, 200)) return {60, 70, 400};
    if (random.chance(1, 20)) return {12, 24, 40};
    return {5, 6, random.between(0, 4)};
}

TEST(SignedDigitRandom, SumsAgreeWithGmp)
{
    const std::uint64_t seed = 5;
    Random random(seed);
    const int cases = test::scaled(75'000, 6'000'000);
    for (int i = 0; i < cases; ++i)
    {
        const Shape shape = randomShape(random);
        DecimalList list;
        for (std::uint32_t count = random.below(shape.count) + 1; count > 0; --count)
            list.add(randomNumber(random, shape.digits, shape.spread));
        const std::string expected = sumOf(list).text();
        const Variant& variant = variants()[std::size_t(i) / 16 % variants().size()];
        const bool threads = variant.options.threads == 1 || i % 64 == 0;  // starting threads costs more than the sum
        const std::vector<DigitRows> rows = alignedRows(list);
        for (const SumAlgorithm algorithm : kSumAlgorithms)
            ASSERT_EQ(textOf(CpuDecimals(algorithm, rows, threads ? variant.options : CpuDecimalOptions()).run()),
                      expected)
                << "seed " << seed << ", case " << i << ", " << nameOf(algorithm) << ", " << variant.name;
    }
}

TEST(SignedDigitRandom, DotsAndProductsAgreeWithGmp)
{
    const std::uint64_t seed = 6;
    Random random(seed);
    const int cases = test::scaled(75'000, 6'000'000);
    for (int i = 0; i < cases; ++i)
    {
        const Shape shape = randomShape(random);
        DecimalList x, y;
        for (std::uint32_t count = i % 4 == 0 ? 1 : random.below(shape.count) + 1; count > 0; --count)
        {
            x.add(randomNumber(random, shape.digits, shape.spread));
            y.add(randomNumber(random, shape.digits, shape.spread));
        }
        const std::string expected = dotOf(x, y).text();
        const Variant& variant = variants()[std::size_t(i) / 16 % variants().size()];
        const bool threads = variant.options.threads == 1 || i % 64 == 0;
        const std::vector<FactorRows> rows = alignedFactors(x, y);
        for (const DotAlgorithm algorithm : kDotAlgorithms)
            ASSERT_EQ(textOf(CpuDecimals(algorithm, rows, threads ? variant.options : CpuDecimalOptions()).run()),
                      expected)
                << "seed " << seed << ", case " << i << ", " << nameOf(algorithm) << ", " << variant.name;
    }
}

TEST(SignedDigitStop, EndsSoon)
{
    std::stop_source source;
    source.request_stop();
    const std::vector<DigitRows> rows = alignedRows(repeated(9, 1000, 2000));
    for (const SumAlgorithm algorithm : kSumAlgorithms)
        EXPECT_EQ(CpuDecimals(algorithm, rows).run(source.get_token()), Decimal()) << nameOf(algorithm);
}

TEST(SignedDigitStop, EndsGmpAfterFewDigits)
{
    for (const std::size_t digits : {1, 50, 100'000})
        for (const std::size_t stopAt : {5, 40'000})
        {
            std::stop_source source;
            std::size_t rows = 0;
            untilStopped(3, 40'003, digits, source.get_token(), [&](std::size_t row) {
                EXPECT_EQ(row, 3 + rows);
                if (++rows == stopAt) source.request_stop();
            });
            EXPECT_GE(rows, stopAt);
            EXPECT_LE((rows - stopAt) * digits, 40'000u);
        }
}

}  // namespace
}  // namespace orogen::compute
