// Exact sums: the nearest doubles of rational sums, equal bits for any order, threads, vectors and method.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/exact/cpu_sums.h"
#include "compute/exact/residue.h"
#include "compute/exact/values.h"
#include "core/base/half_float.h"
#include "tests/support/exact_oracle.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"

namespace orogen::compute {
namespace {

using test::nearestDouble;
using test::Rational;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max(), kSmallest = 0x1p-1074;
constexpr CpuSumMethod kMethods[] = {CpuSumMethod::kWindows, CpuSumMethod::kBins};

template <class T>
std::span<const std::byte> bytes(const std::vector<T>& values)
{
    return std::as_bytes(std::span(values));
}

std::vector<const ExactKernels*> kernels()
{
    std::vector<const ExactKernels*> all;
    for (const char* name : {"portable", "avx2", "avx512"})
        if (const ExactKernels* some = exactKernels(name)) all.push_back(some);
    return all;
}

template <class T>
ExactTotal totalOf(ValueType type, const std::vector<T>& x, const std::vector<T>& y = {},
                   ExactTerms terms = ExactTerms::kValues, CpuSumMethod method = CpuSumMethod::kWindows,
                   int threads = 1, const ExactKernels& with = exactKernels())
{
    CpuSum sum(terms, method, threads, with);
    sum.add(type, bytes(x), bytes(y));
    return sum.finish();
}

double sumOf(const std::vector<double>& values) { return totalOf(ValueType::kFloat64, values).rounded(); }

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

Rational rationalSum(const std::vector<double>& x)
{
    Rational sum;
    for (const double value : x)
        sum += Rational(value);
    return sum;
}

Rational rationalDot(const std::vector<double>& x, const std::vector<double>& y)
{
    Rational sum;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += Rational(x[i]) * Rational(y[i]);
    return sum;
}

TEST(ExactSums, RoundOnceForEveryPatternMethodAndVector)
{
    for (const ValuePattern pattern : kValuePatterns)
        for (const std::size_t count : {1u, 2u, 15u, 16u, 17u, 2047u, 2048u, 2049u, 5000u})
        {
            const std::vector<double> values = makeValues(pattern, count, count);
            const double expected = nearestDouble(rationalSum(values));
            for (const ExactKernels* with : kernels())
                for (const CpuSumMethod method : kMethods)
                {
                    ExactTotal total = totalOf(ValueType::kFloat64, values, {}, ExactTerms::kValues, method, 1, *with);
                    EXPECT_EQ(bits(total.rounded()), bits(expected))
                        << textOf(pattern) << ' ' << count << ' ' << with->name << ' ' << int(method);
                    EXPECT_EQ(total.count(), count);
                }
        }
}

// Values of a few exponents at a random place, so that windows change and fail within blocks.
std::vector<double> driftingValues(test::Random& random, std::size_t count)
{
    std::vector<double> values(count);
    int middle = int(random.below(2000)) - 1000;
    for (double& value : values)
    {
        if (random.below(1500) == 0) middle = int(random.below(2000)) - 1000;
        const int spread = random.below(300) == 0 ? 200 : 40;
        value =
            std::ldexp(1 + double(random.below(1u << 30)) * 0x1p-30, middle + int(random.below(std::uint32_t(spread))));
        if (random.below(2) == 0) value = -value;
        if (random.below(50) == 0) value = 0;
        if (!std::isfinite(value)) value = 1;
    }
    return values;
}

TEST(ExactSums, RoundOnceWhereWindowsMove)
{
    test::Random random(31);
    for (int round = 0; round < test::scaled(6, 300); ++round)
    {
        const std::vector<double> values = driftingValues(random, 9000);
        const double expected = nearestDouble(rationalSum(values));
        for (const ExactKernels* with : kernels())
            EXPECT_EQ(
                bits(totalOf(ValueType::kFloat64, values, {}, ExactTerms::kValues, CpuSumMethod::kWindows, 1, *with)
                         .rounded()),
                bits(expected))
                << with->name;
    }
}

TEST(ExactSums, HaveEqualBitsForAnyOrderAndThreads)
{
    test::Random random(31);
    std::vector<double> values = makeValues(ValuePattern::kExponents, 300'000, 7);
    const std::vector<double> near = makeValues(ValuePattern::kSigned, 300'000, 8);
    values.insert(values.end(), near.begin(), near.end());
    const double first = sumOf(values);
    for (int round = 0; round < 3; ++round)
    {
        random.shuffle(values);
        for (const int threads : {1, 2, 5})
            EXPECT_EQ(
                bits(totalOf(ValueType::kFloat64, values, {}, ExactTerms::kValues, CpuSumMethod::kWindows, threads)
                         .rounded()),
                bits(first));
    }
}

TEST(ExactSums, TiesGoToEven)
{
    EXPECT_EQ(sumOf({1, 0x1p-53}), 1);
    EXPECT_EQ(sumOf({1, 0x1p-52, 0x1p-53}), 1 + 0x1p-51);
    EXPECT_EQ(sumOf({1, 0x1p-53, kSmallest}), 1 + 0x1p-52);
    EXPECT_EQ(sumOf({1, 0x1p-53, -kSmallest}), 1);
    EXPECT_EQ(sumOf({-1, -0x1p-53, -kSmallest}), -1 - 0x1p-52);
    EXPECT_EQ(sumOf({0x1p1000, 0x1p947, 0x1p-1000}), 0x1p1000 + 0x1p948);
    EXPECT_EQ(sumOf({0x1p1000, 0x1p947}), 0x1p1000);
    // 2^53 ± odd numbers
    EXPECT_EQ(sumOf({0x1p53, 1}), 0x1p53);
    EXPECT_EQ(sumOf({0x1p53, 3}), 0x1p53 + 4);
}

TEST(ExactSums, OverflowAtTheEndOnly)
{
    EXPECT_EQ(sumOf({kLargest, kLargest, -kLargest}), kLargest);
    EXPECT_EQ(sumOf({kLargest, kLargest}), kInfinity);
    EXPECT_EQ(sumOf({-kLargest, -kLargest}), -kInfinity);
    EXPECT_EQ(sumOf({kLargest, 0x1p969}), kLargest);  // less than half a unit
    EXPECT_EQ(sumOf({kLargest, 0x1p970}), kInfinity);
    EXPECT_EQ(sumOf({kLargest, 0x1p970, -kSmallest}), kLargest);
    EXPECT_EQ(sumOf(std::vector<double>(4096, kLargest)), kInfinity);
    EXPECT_EQ(totalOf(ValueType::kFloat64, std::vector<double>(4096, kLargest)).quotient(4096), kLargest);
}

TEST(ExactSums, CancelFarApart)
{
    EXPECT_EQ(sumOf({1e300, 1e-300, -1e300}), 1e-300);
    EXPECT_EQ(sumOf({1e300, 1, -1e300, 1e-300}), 1);
    EXPECT_EQ(sumOf({kLargest, kSmallest, -kLargest}), kSmallest);
    std::vector<double> values = makeValues(ValuePattern::kExponents, 4000, 3);
    const std::vector<double> copy = values;
    for (const double value : copy)
        values.push_back(-value);
    values.push_back(-kSmallest);
    EXPECT_EQ(sumOf(values), -kSmallest);
}

TEST(ExactSums, SubnormalNumbersAndZeros)
{
    EXPECT_EQ(sumOf({kSmallest, kSmallest}), 2 * kSmallest);
    EXPECT_EQ(sumOf(std::vector<double>(3000, kSmallest)), 3000 * kSmallest);
    EXPECT_EQ(totalOf(ValueType::kFloat64, std::vector<double>{kSmallest}).quotient(2), 0);  // a tie
    EXPECT_EQ(totalOf(ValueType::kFloat64, std::vector<double>{3 * kSmallest}).quotient(2), 2 * kSmallest);
    for (const std::size_t count : {1u, 16u, 2048u, 5000u})
    {
        EXPECT_EQ(bits(sumOf(std::vector<double>(count, -0.0))), bits(-0.0)) << count;
        EXPECT_EQ(bits(sumOf(std::vector<double>(count, 0.0))), bits(0.0)) << count;
        std::vector<double> values(count, -0.0);
        values.push_back(0);
        EXPECT_EQ(bits(sumOf(values)), bits(0.0)) << count;
    }
    EXPECT_EQ(bits(sumOf({1, -1})), bits(0.0));
    EXPECT_EQ(bits(sumOf({-0.0, -0.0, 2, -2})), bits(0.0));
    EXPECT_EQ(bits(sumOf({})), bits(0.0));
}

TEST(ExactSums, InfinitiesAndNan)
{
    for (const std::size_t count : {1u, 40u, 4100u})
        for (const double other : {1.0, kLargest, -kLargest})
        {
            std::vector<double> values(count, other);
            values[count / 2] = kInfinity;
            EXPECT_EQ(sumOf(values), kInfinity);
            values.push_back(-kInfinity);
            EXPECT_TRUE(std::isnan(sumOf(values)));
            values.assign(count, other);
            values[count / 2] = -kInfinity;
            EXPECT_EQ(sumOf(values), -kInfinity);
            values[count / 3] = std::numeric_limits<double>::signaling_NaN();
            EXPECT_TRUE(std::isnan(sumOf(values)));
        }
}

TEST(ExactSums, MeansDivideTheExactSum)
{
    test::Random random(31);
    for (int round = 0; round < 200; ++round)
    {
        const std::size_t count = 1 + random.below(400);
        const ValuePattern pattern = kValuePatterns[random.below(4)];
        const std::vector<double> values = makeValues(pattern, count, random.below(1u << 30));
        EXPECT_EQ(bits(totalOf(ValueType::kFloat64, values).quotient(count)),
                  bits(nearestDouble(rationalSum(values) / Rational(double(count)))));
    }
}

TEST(ExactSums, DotProductsOfAllExponents)
{
    test::Random random(31);
    for (int round = 0; round < 40; ++round)
    {
        const std::size_t count = 1 + random.below(600);
        const ValuePattern pattern = kValuePatterns[random.below(4)];
        std::vector<double> x = makeValues(pattern, count, random.below(1u << 30)),
                            y = makeValues(kValuePatterns[random.below(4)], count, random.below(1u << 30));
        for (double& value : x)
            if (random.below(20) == 0) value = kSmallest * double(1 + random.below(1000));
        const double expected = nearestDouble(rationalDot(x, y));
        for (const ExactKernels* with : kernels())
            EXPECT_EQ(bits(totalOf(ValueType::kFloat64, x, y, ExactTerms::kProducts, CpuSumMethod::kWindows, 1, *with)
                               .rounded()),
                      bits(expected))
                << with->name << ' ' << count;
    }
    using Values = std::vector<double>;
    const auto dot = [](const Values& x, const Values& y) {
        return totalOf(ValueType::kFloat64, x, y, ExactTerms::kProducts).rounded();
    };
    EXPECT_EQ(dot({kSmallest, 1}, {kSmallest, 1}), 1);
    EXPECT_EQ(dot({kSmallest, 1, 0x1p-53}, {kSmallest, 1, 1}), 1 + 0x1p-52);
    EXPECT_EQ(dot({kLargest, kLargest, 1}, {kLargest, -kLargest, 3}), 3);
    EXPECT_EQ(dot({kInfinity}, {-2}), -kInfinity);
    EXPECT_TRUE(std::isnan(dot({kInfinity}, {0})));
    EXPECT_EQ(bits(dot({-0.0, 5}, {3, -0.0})), bits(-0.0));
    EXPECT_EQ(bits(dot({-0.0}, {-3})), bits(0.0));
    // the vectors of paper 000
    EXPECT_EQ(dot({10, 1223, 1, 0.5, 3, -1}, {1e18, 2, -1e19, 0, 2111, 0}), 8779);
}

TEST(ExactSums, NormsAreNearestRoots)
{
    test::Random random(31);
    for (int round = 0; round < 60; ++round)
    {
        std::vector<double> x =
            makeValues(kValuePatterns[random.below(2)], 1 + random.below(300), random.below(1u << 30));
        for (double& value : x)
            value = std::ldexp(value, int(random.below(400)) - 200);
        const Rational square = rationalDot(x, x);
        if (square.sign() == 0) continue;
        const double root = totalOf(ValueType::kFloat64, x, {}, ExactTerms::kSquares).root();
        EXPECT_TRUE(test::isNearestRoot(root, square)) << root;
    }
    const auto norm = [](const std::vector<double>& x) {
        return totalOf(ValueType::kFloat64, x, {}, ExactTerms::kSquares).root();
    };
    EXPECT_EQ(norm({3, 4}), 5);
    EXPECT_EQ(norm({0x3p700, 0x4p700}), 0x5p700);
    EXPECT_EQ(norm({3 * kSmallest, 4 * kSmallest}), 5 * kSmallest);
    EXPECT_EQ(norm({kLargest}), kLargest);
    EXPECT_EQ(norm({kLargest, kLargest}), kInfinity);
    EXPECT_EQ(bits(norm({-0.0})), bits(0.0));
    EXPECT_EQ(norm({-kInfinity, 1}), kInfinity);
}

TEST(ExactSums, TakeNarrowTypes)
{
    test::Random random(31);
    for (const ExactKernels* with : kernels())
    {
        std::vector<float> singles(5001);
        std::vector<std::uint16_t> halves(5001);
        std::vector<double> asDoubles, halvesAsDoubles;
        for (float& value : singles)
        {
            do
                value = std::bit_cast<float>(random.bits());
            while (!std::isfinite(value));
            asDoubles.push_back(value);
        }
        for (std::uint16_t& value : halves)
        {
            do
                value = std::uint16_t(random.below(1u << 16));
            while ((value & 0x7c00u) == 0x7c00u);
            halvesAsDoubles.push_back(double(floatOfHalf(value)));
        }
        const auto sum = [&](ValueType type, const auto& values, ExactTerms terms) {
            return totalOf(type, values, {}, terms, CpuSumMethod::kWindows, 1, *with).rounded();
        };
        EXPECT_EQ(sum(ValueType::kFloat32, singles, ExactTerms::kValues), nearestDouble(rationalSum(asDoubles)));
        EXPECT_EQ(sum(ValueType::kFloat16, halves, ExactTerms::kValues), nearestDouble(rationalSum(halvesAsDoubles)));
        EXPECT_EQ(sum(ValueType::kFloat32, singles, ExactTerms::kSquares),
                  nearestDouble(rationalDot(asDoubles, asDoubles)));
        EXPECT_EQ(sum(ValueType::kFloat16, halves, ExactTerms::kSquares),
                  nearestDouble(rationalDot(halvesAsDoubles, halvesAsDoubles)));
        halves[77] = 0x7c00;
        EXPECT_EQ(sum(ValueType::kFloat16, halves, ExactTerms::kValues), kInfinity);
        halves[78] = 0xfe01;
        EXPECT_TRUE(std::isnan(sum(ValueType::kFloat16, halves, ExactTerms::kValues)));
    }
}

TEST(ExactSums, TakeIntegers)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max(), kLeast = -kMost - 1;
    for (const ExactKernels* with : kernels())
    {
        const auto total = [&](const std::vector<std::int64_t>& x, ExactTerms terms) {
            return totalOf(ValueType::kInt64, x, x, terms, CpuSumMethod::kWindows, 1, *with);
        };
        EXPECT_EQ(total(std::vector<std::int64_t>(1000, kMost), ExactTerms::kValues).integerText(),
                  "9223372036854775807000");
        EXPECT_EQ(total(std::vector<std::int64_t>(1000, kLeast), ExactTerms::kValues).integerText(),
                  "-9223372036854775808000");
        EXPECT_EQ(total({kLeast, kMost}, ExactTerms::kValues).integerText(), "-1");
        EXPECT_EQ(total({kLeast, kMost, 1}, ExactTerms::kValues).integerText(), "0");
        EXPECT_EQ(total({kLeast, kLeast}, ExactTerms::kSquares).integerText(),
                  "170141183460469231731687303715884105728");
        EXPECT_EQ(bits(total({0}, ExactTerms::kValues).rounded()), bits(0.0));
        EXPECT_EQ(total({(std::int64_t(1) << 53) + 1}, ExactTerms::kValues).rounded(), 0x1p53);
    }
}

TEST(ExactSums, ResiduesAgreeAndFindAnyChange)
{
    for (const ValuePattern pattern : kValuePatterns)
        for (const ExactTerms terms : {ExactTerms::kValues, ExactTerms::kSquares, ExactTerms::kProducts})
        {
            const std::vector<double> x = makeValues(pattern, 4000, 1), y = makeValues(pattern, 4000, 2);
            ResidueSum residue(terms);
            residue.add(ValueType::kFloat64, bytes(x).data(), bytes(y).data(), x.size());
            ExactTotal total = totalOf(ValueType::kFloat64, x, y, terms);
            EXPECT_TRUE(residue.agrees(total)) << textOf(pattern);
            for (const int place : {-1074, -1000, -32, 0, 31, 32, 64, 96, 1000})
            {
                ExactTotal changed = total;
                changed.add(1, place);
                EXPECT_FALSE(residue.agrees(changed)) << place;
                changed.add(-1, place + 64);
                EXPECT_FALSE(residue.agrees(changed)) << place;
            }
        }
}

TEST(ExactSums, FloatingPointSumsAreThoseThatTheyAreNamedFor)
{
    EXPECT_EQ(plainSum(std::vector<double>{1, 0x1p-53, 0x1p-53}), 1);
    EXPECT_EQ(kahanSum(std::vector<double>{1, 0x1p-53, 0x1p-53}), 1 + 0x1p-52);
    EXPECT_EQ(kahanSum(std::vector<double>{1, 1e100, 1, -1e100}), 0);  // not mended, as published
    EXPECT_EQ(shewchukSum(std::vector<double>{1, 1e100, 1, -1e100}), 2);
    EXPECT_EQ(shewchukSum(std::vector<double>{1, kInfinity, 2, kInfinity}), kInfinity);
    EXPECT_EQ(shewchukSum(std::vector<double>{1, -kInfinity}), -kInfinity);
    for (const std::vector<double>& terms : {std::vector<double>{kInfinity, 1, -kInfinity},
                                             {1, std::numeric_limits<double>::quiet_NaN(), 2},
                                             {kInfinity, kLargest, kLargest}})
        EXPECT_TRUE(std::isnan(shewchukSum(terms)));
    const std::vector<double> tenths(100'000, 0.1);
    EXPECT_LT(std::abs(pairwiseSum(tenths) - sumOf(tenths)), 0.01 * std::abs(plainSum(tenths) - sumOf(tenths)));
    test::Random random(31);
    for (int round = 0; round < 30; ++round)
    {
        std::vector<double> values =
            makeValues(kValuePatterns[random.below(4)], 1 + random.below(300), std::uint64_t(round));
        for (double& value : values)
            value *= 0x1p-20;
        EXPECT_EQ(shewchukSum(values), sumOf(values));
    }
}

TEST(ExactSums, FloatingPointSumsEndOnAStop)
{
    const std::vector<double> values(200'000, 0.25);
    std::stop_source source;
    for (double (*const sum)(std::span<const double>, const std::stop_token&) :
         {plainSum, pairwiseSum, kahanSum, shewchukSum})
        EXPECT_EQ(sum(values, source.get_token()), 50'000);
    source.request_stop();
    for (double (*const sum)(std::span<const double>, const std::stop_token&) :
         {plainSum, pairwiseSum, kahanSum, shewchukSum})
        EXPECT_TRUE(std::isnan(sum(values, source.get_token())));
}

TEST(ExactSums, BinsHoldAsManyValuesAsTheySay)
{
    const std::vector<double> values(SumBins::kMost + 2, 0x1.fffffffffffffp0);
    const double expected = nearestDouble(Rational(values[0]) * Rational(double(values.size())));
    EXPECT_EQ(totalOf(ValueType::kFloat64, values, {}, ExactTerms::kValues, CpuSumMethod::kBins).rounded(), expected);
}

// A pipe of 2^33 values takes as long as it takes; here the sums of that many are reached by repeating a block.
TEST(ExactSumsLong, CarriesOfManyValues)
{
    const std::vector<double> block(1 << 20, 0x1.fffffffffffffp0);
    for (const CpuSumMethod method : kMethods)
    {
        CpuSum sum(ExactTerms::kValues, method, 2);
        for (int i = 0; i < 8192; ++i)
            sum.add(ValueType::kFloat64, bytes(block));
        EXPECT_EQ(sum.finish().rounded(), 0x1.fffffffffffffp33);
    }
}

}  // namespace
}  // namespace orogen::compute
