// Ticks of plots: round, few, and at least two, but for whole numbers and ranges without length.
#include "core/base/ticks.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace orogen {
namespace {

using test::Random;

// Returns whether the value is a multiple of half the power of ten at or below `apart`, the distance of two ticks.
bool isRound(double value, double apart)
{
    const double step = 0.5 * std::pow(10.0, std::floor(std::log10(apart) + 1e-9));
    return std::abs(value / step - std::round(value / step)) < 1e-5;
}

TEST(Ticks, AreTwoOrMoreRoundFewAndInside)
{
    Random random(1);
    for (int i = 0; i < 20'000; ++i)
    {
        TickRange range{.logarithmic = random.below(2) == 1};
        range.low = (random.unit() - (range.logarithmic ? 0 : 0.5)) * std::pow(10.0, 8 * random.unit() - 4) + 1e-9;
        range.high = range.low + std::pow(10.0, 8 * random.unit() - 4);
        const int most = 2 + int(random.below(10));
        const std::vector<double> ticks = ticksIn(range, most);
        SCOPED_TRACE(testing::Message() << range.low << " to " << range.high << ", " << most << " at most"
                                        << (range.logarithmic ? ", logarithmic" : ""));
        ASSERT_GE(ticks.size(), 2u);
        ASSERT_LE(ticks.size(), std::size_t(most));
        const double slack = 1e-6 * (range.high - range.low);
        for (std::size_t k = 0; k < ticks.size(); ++k)
        {
            ASSERT_GE(ticks[k], range.low - slack);
            ASSERT_LE(ticks[k], range.high + slack);
            ASSERT_TRUE(k == 0 || ticks[k] > ticks[k - 1]);
            ASSERT_TRUE(range.logarithmic || isRound(ticks[k], ticks[1] - ticks[0])) << ticks[k];
        }
    }
}

TEST(Ticks, OfALinearAxisAreEvenlySpaced)
{
    using Values = std::vector<double>;
    EXPECT_EQ(ticksIn({841, 1'190}, 3), (Values{900, 1'000, 1'100}));
    EXPECT_EQ(ticksIn({-239, 0, false, true}, 4), (Values{-200, -100, 0}));
    EXPECT_EQ(ticksIn({12, 14, false, true}, 9), (Values{12, 13, 14}));
    EXPECT_EQ(ticksIn({9, 31}, 2), (Values{10, 30})) << "every other one, where a coarser step gives one only";
    EXPECT_FALSE(std::signbit(ticksIn({0, 10}, 3).front()));
    EXPECT_EQ(ticksIn({5, 5}, 4), Values{});
    EXPECT_EQ(ticksIn({0, 0.4, false, true}, 4), Values{0}) << "a whole number only";
}

TEST(Ticks, AreNoneWhereARangeHasNone)
{
    const double infinity = std::numeric_limits<double>::infinity(), none = std::nan("");
    for (const bool logarithmic : {false, true})
        for (const TickRange& range : {TickRange{2, 1}, TickRange{1, infinity}, TickRange{-infinity, 1},
                                       TickRange{none, 1}, TickRange{1, none}, TickRange{1, 1 + 1e-14}})
            EXPECT_EQ(ticksIn({range.low, range.high, logarithmic}, 5), std::vector<double>());
    EXPECT_EQ(ticksIn({0, 1, true}, 5), std::vector<double>());
    EXPECT_EQ(ticksIn({-1, 1, true}, 5), std::vector<double>());
}

TEST(Ticks, OfALogarithmicAxisKeepTheirDistance)
{
    EXPECT_EQ(ticksIn({10'206, 45'612, true}, 3), (std::vector<double>{20'000, 40'000}));
}

TEST(Ticks, ARangeWithoutDistinctValuesHasNone)
{
    EXPECT_TRUE(ticksIn({0, 5e-324}, 3).empty());
    EXPECT_TRUE(ticksIn({1, std::nextafter(1.0, 2.0)}, 3).empty());
}

TEST(Ticks, OfALogarithmicAxisAreAsFineAsFits)
{
    using Values = std::vector<double>;
    EXPECT_EQ(ticksIn({1, 100, true}, 3), (Values{1, 10, 100}));
    EXPECT_EQ(ticksIn({1, 100, true}, 6), (Values{1, 3, 10, 30, 100}));
    EXPECT_EQ(ticksIn({1, 100, true}, 9), (Values{1, 2, 5, 10, 20, 50, 100}));
    EXPECT_EQ(ticksIn({2.5, 3.9, true}, 3), (Values{2.5, 3, 3.5})) << "within a decade";
    EXPECT_EQ(ticksIn({11, 990, true}, 2), (Values{30, 300})) << "one power of ten";
    EXPECT_EQ(ticksIn({1e-9, 1e3, true}, 20).size(), 13u);
}

}  // namespace
}  // namespace orogen
