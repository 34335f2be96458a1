// Comparisons with exact results: nearest floats and doubles, their sums, and the time of the digit loop.
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compute/signed_digit/comparisons.h"
#include "tests/support/random.h"

namespace orogen::compute {
namespace {

Decimal parsed(const std::string& text) { return *parseDecimal(text, "test"); }

DecimalList listOf(std::initializer_list<const char*> texts)
{
    DecimalList list;
    for (const char* text : texts)
        list.add(parsed(text));
    return list;
}

// glibc's strtod and strtof round correctly.
TEST(SignedDigitNearest, IsWhatTheCLibraryReads)
{
    const std::uint64_t seed = 1;
    test::Random random(seed);
    for (int i = 0; i < 20'000; ++i)
    {
        std::string text = random.chance(1, 2) ? "-" : "";
        for (std::uint32_t digits = 1 + random.below(40); digits > 0; --digits)
            text += char('0' + random.below(10));
        text += fmt::format("e{}", random.between(-360, 320));
        EXPECT_EQ(nearest<double>(parsed(text)), std::strtod(text.c_str(), nullptr)) << text;
        EXPECT_EQ(nearest<float>(parsed(text)), std::strtof(text.c_str(), nullptr)) << text;
    }
}

TEST(SignedDigitNearest, RoundsByTheLastOfManyDigits)
{
    // 53 digits, halfway from 1 to the next double: rounds to even, unless a later digit decides.
    const std::string half = "1.00000000000000011102230246251565404236316680908203125";
    EXPECT_EQ(nearest<double>(parsed(half)), 1.0);
    EXPECT_EQ(nearest<double>(parsed(half + std::string(2000, '0') + "1")), std::nextafter(1.0, 2.0));
    EXPECT_EQ(nearest<double>(parsed("000" + half + "e0")), 1.0);
    EXPECT_EQ(nearest<double>(parsed("1" + std::string(2000, '0') + "e-2000")), 1.0);
}

TEST(SignedDigitNearest, BeyondTheRangeIsInfiniteOrZero)
{
    EXPECT_EQ(nearest<double>(parsed("1e1000000")), std::numeric_limits<double>::infinity());
    EXPECT_EQ(nearest<double>(parsed("-1e309")), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(nearest<float>(parsed("1e39")), std::numeric_limits<float>::infinity());
    EXPECT_EQ(nearest<double>(parsed("1e-1000000")), 0.0);
    EXPECT_EQ(nearest<double>(parsed("0.000")), 0.0);
}

TEST(SignedDigitErrors, AreOfTheExactValue)
{
    EXPECT_EQ(errorPercent(0.5, parsed("0.5")), 0.0);
    EXPECT_DOUBLE_EQ(*errorPercent(101, parsed("100")), 1.0);
    EXPECT_DOUBLE_EQ(*errorPercent(-99, parsed("-100")), 1.0);
    EXPECT_DOUBLE_EQ(*errorPercent(0, parsed("1e-5000")), 100.0) << "outside a double's range, too";
    EXPECT_NEAR(*errorPercent(0.1, parsed("0.1")), 5.551115123125783e-15, 1e-27) << "0.1 is no double";
    EXPECT_EQ(errorPercent(0, parsed("0")), 0.0);
    EXPECT_EQ(errorPercent(1e-300, parsed("0")), std::nullopt);
    EXPECT_EQ(errorPercent(std::numeric_limits<double>::infinity(), parsed("1e400")), std::nullopt);
    EXPECT_EQ(errorPercent(std::nan(""), parsed("1")), std::nullopt);
}

TEST(SignedDigitErrors, SumsAndDotProductsAreRoundedAtEachStep)
{
    EXPECT_EQ(floatingSum<double>(listOf({"1e16", "1", "-1e16"})), 0.0);
    EXPECT_EQ(floatingSum<float>(listOf({"16777216", "1", "1"})), 16777216.0f);
    EXPECT_EQ(floatingSum<double>(listOf({"16777216", "1", "1"})), 16777218.0);
    EXPECT_EQ(floatingDot<double>(listOf({"1e9", "2", "-1e9"}), listOf({"1e9", "3", "1e9"})), 0.0);
    EXPECT_EQ(floatingDot<float>(listOf({"3", "0.5"}), listOf({"5", "4"})), 17.0f);
}

TEST(SignedDigitDigitLoop, IsTimedOnAPartOfManyRows)
{
    const auto rowsOf = [](std::size_t count, std::size_t digits) {
        DecimalList list;
        for (std::size_t i = 0; i < count; ++i)
            list.add(Decimal{std::vector<Digit>(digits, Digit(1 + i % 9)), 0, false});
        return alignedRows(list);
    };
    const auto few = timeDigitLoop(std::span<const DigitRows>(rowsOf(1'000, 100)));
    ASSERT_TRUE(few);
    EXPECT_EQ(few->timed, 1'000u);
    EXPECT_EQ(few->rows, 1'000u);
    EXPECT_GT(few->ms, 0);
    const auto many = timeDigitLoop(std::span<const DigitRows>(rowsOf(400'000, 100)));
    ASSERT_TRUE(many);
    EXPECT_EQ(many->rows, 400'000u);
    EXPECT_EQ(many->timed, 40'000u);
    EXPECT_DOUBLE_EQ(few->ms, few->timedMs);
    EXPECT_DOUBLE_EQ(many->ms, 10 * many->timedMs);
    EXPECT_FALSE(timeDigitLoop(std::span<const DigitRows>()));
}

TEST(SignedDigitDigitLoop, OfAProductTooLongIsNotTimed)
{
    DecimalList one;
    one.add(Decimal{std::vector<Digit>(20'000, 7), 0, false});
    EXPECT_FALSE(timeDigitLoop(std::span<const FactorRows>(alignedFactors(one, one))));
    DecimalList shorter;
    shorter.add(Decimal{std::vector<Digit>(200, 7), 0, false});
    EXPECT_TRUE(timeDigitLoop(std::span<const FactorRows>(alignedFactors(shorter, shorter))));
}

}  // namespace
}  // namespace orogen::compute
