// Signed-digit format: its rule on every short operand, its errata, and conversion both ways against GMP.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmp.h>
#include <gtest/gtest.h>

#include "compute/signed_digit/signed_digits.h"
#include "tests/support/random.h"
#include "tests/support/signed_digit_oracle.h"

namespace orogen::compute {
namespace {

using test::Exact;
using Digits = std::vector<SignedDigit>;

constexpr DigitSet kSets[] = {{6}, {7}};

int valueOf(std::span<const SignedDigit> digits)
{
    int value = 0;
    for (std::size_t i = digits.size(); i-- > 0;)
        value = 10 * value + digits[i];
    return value;
}

// Returns every number of `size` digits of the set.
std::vector<Digits> allNumbers(DigitSet set, std::size_t size)
{
    std::vector<Digits> numbers = {Digits()};
    for (std::size_t i = 0; i < size; ++i)
    {
        std::vector<Digits> longer;
        for (const Digits& number : numbers)
            for (int digit = -set.largest; digit <= set.largest; ++digit)
            {
                longer.push_back(number);
                longer.back().push_back(SignedDigit(digit));
            }
        numbers = std::move(longer);
    }
    return numbers;
}

bool inSet(std::span<const SignedDigit> digits, DigitSet set)
{
    return std::ranges::all_of(digits, [&](SignedDigit digit) { return set.holds(digit); });
}

Decimal parsedText(const std::string& text)
{
    const Result<Decimal> number = parseDecimal(text, "test");
    EXPECT_TRUE(number) << text.substr(0, 50);
    return number ? *number : Decimal();
}

std::string textAfter(const std::string& text, DigitSet set)
{
    return decimalText(decimal(signedDigits(parsedText(text), set)));
}

// ---- the rule ----

void expectSums(DigitSet set, std::size_t size)
{
    const std::vector<Digits> numbers = allNumbers(set, size);
    for (const Digits& a : numbers)
        for (const Digits& b : numbers)
        {
            Digits sum = a;
            sum.push_back(0);
            const int out = addInto(sum, b, set);
            ASSERT_TRUE(out == 0 && inSet(sum, set) && valueOf(sum) == valueOf(a) + valueOf(b))
                << valueOf(a) << " + " << valueOf(b) << ", digits to " << set.largest;
        }
}

TEST(SignedDigitRule, IsRightForEveryPairOfShortNumbers)
{
    for (const DigitSet set : kSets)
        for (const std::size_t size : {1, 2})
            expectSums(set, size);
    expectSums({6}, 3);
}

// Computes a sum by section III of the paper: the transfer is 1 above `limit`.
Digits printedSum(const Digits& a, const Digits& b, int limit)
{
    Digits sum(a.size() + 1);
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        const int s = a[i] + b[i], transfer = s > limit ? 1 : s < -limit ? -1 : 0;
        sum[i] = SignedDigit(sum[i] + s - 10 * transfer);
        sum[i + 1] = SignedDigit(transfer);
    }
    return sum;
}

TEST(SignedDigitRule, AsPrintedLeavesTheSet)
{
    EXPECT_EQ(printedSum({6, 3}, {1, 3}, 6), (Digits{-3, 7, 0}));
    EXPECT_EQ(printedSum({6, 3}, {1, 3}, 5), (Digits{-3, -3, 1}));
    Digits sum = {6, 3, 0};
    EXPECT_EQ(addInto(sum, Digits{1, 3}, {6}), 0);
    EXPECT_EQ(sum, (Digits{-3, -3, 1}));

    const std::vector<Digits> six = allNumbers({6}, 2), seven = allNumbers({7}, 2);
    int left = 0;
    for (const Digits& a : six)
        for (const Digits& b : six)
            left += !inSet(printedSum(a, b, 6), {6});
    EXPECT_EQ(left, 294);
    for (const Digits& a : seven)
        for (const Digits& b : seven)
            ASSERT_TRUE(inSet(printedSum(a, b, 6), {7})) << "it is the rule of -7 ... 7";
}

TEST(SignedDigitRule, KeepsItsDigitsOverLongChains)
{
    for (const DigitSet set : kSets)
        for (const int below : {-12, -7, -6, 6, 7, 12})
        {
            const std::size_t size = 700;  // more than two blocks
            Digits a(size), b(size);
            for (std::size_t i = 0; i < size; ++i)
            {
                const int sum = i % 2 == 0 ? below : below < 0 ? -6 : 6;
                a[i] = SignedDigit(sum / 2), b[i] = SignedDigit(sum - sum / 2);
            }
            Digits sum = a;
            sum.push_back(0);
            EXPECT_EQ(addInto(sum, b, set), 0);
            EXPECT_TRUE(inSet(sum, set));
            Exact expected = test::exactOf(a, 0);
            expected.add(test::exactOf(b, 0));
            EXPECT_EQ(test::exactOf(sum, 0).text(), expected.text());
        }
}

TEST(SignedDigitRule, AllSixesAndAllNines)
{
    for (const DigitSet set : kSets)
        for (const std::size_t size : {1, 2, 255, 256, 257, 1000})
        {
            const SignedDigits sixes = {set, Digits(size, 6), 0};
            EXPECT_EQ(decimalText(decimal(add(sixes, sixes))), fmt::format("1{}2", std::string(size - 1, '3')));
            const SignedDigits nines = signedDigits(parsedText(std::string(size, '9')), set);
            const Decimal ten = decimal(add(nines, signedDigits(parsedText("1"), set)));
            EXPECT_EQ(ten, (Decimal{{1}, std::int64_t(size), false}));
        }
}

// Erratum 3: with D + 1 digits, no transfer leaves while each partial sum is below 10^D.
TEST(SignedDigitRule, OneDigitToSpareIsEnough)
{
    test::Random random(3);
    for (const DigitSet set : kSets)
        for (const int places : {1, 2, 3, 5})
        {
            const auto bound = int(std::pow(10.0, places));
            Digits sum(std::size_t(places) + 1);
            int value = 0;
            for (int i = 0; i < 20'000; ++i)
            {
                const int next = random.chance(1, 3) ? (random.chance(1, 2) ? bound - 1 : 1 - bound)
                                                     : random.between(1 - bound, bound - 1);
                const SignedDigits step = signedDigits(parsedText(std::to_string(next - value)), set);
                const auto place = std::size_t(step.exponent);
                if (place + step.digits.size() > sum.size()) continue;  // the step exceeds 10^D
                ASSERT_EQ(addInto(sum, step.digits, set, place), 0);
                value = next;
                ASSERT_EQ(valueOf(sum), value);
                ASSERT_TRUE(inSet(sum, set));
            }
        }
}

// Erratum 4: n summands of f digits and exponents from -k to k.
TEST(SignedDigitRule, LengthOfASum)
{
    const auto length = [](double n, double f, double k) {
        return int(std::floor(std::log10(n * (std::pow(10, f) - 1) * std::pow(10, 2 * k)))) + 1;
    };
    for (const int n : {1, 2, 9, 10, 11})
        for (const int k : {0, 1, 3})
        {
            SignedDigits sum = signedDigits(parsedText("99e-" + std::to_string(k)));
            for (int i = 1; i < n; ++i)
                sum = add(sum, signedDigits(parsedText("99e" + std::to_string(k))));
            const auto places = std::int64_t(sum.digits.size()) + sum.exponent + k;
            EXPECT_LE(places, length(n, 2, k) + 1) << n << ", " << k;
        }
    EXPECT_EQ(length(9, 2, 1), 5);  // the paper's floor(lg n + f + k) gives 3: 9 * 99e1 = 8910 on a grid of 0.1
}

TEST(SignedDigitRule, DigitsOfAColumn)
{
    for (const auto& [k, digits] : {std::pair{1, 1}, {11, 2}, {12, 3}, {111, 3}, {112, 4}, {1111, 4}, {1112, 5}})
    {
        const std::int64_t sums[] = {0, 9 * k, 3};
        EXPECT_EQ(digitsOfLargest(sums), digits) << k;
        EXPECT_EQ(digits, int(std::floor(std::log10(9 * k))) + 1);
    }
}

// ---- conversion ----

TEST(SignedDigitConversion, IsExactBothWaysForEveryShortNumber)
{
    for (const DigitSet set : kSets)
    {
        for (int value = -11'000; value <= 11'000; ++value)
        {
            const SignedDigits number = signedDigits(parsedText(std::to_string(value)), set);
            ASSERT_TRUE(inSet(number.digits, set));
            ASSERT_EQ(sign(number), (value > 0) - (value < 0));
            ASSERT_EQ(decimalText(decimal(number)), std::to_string(value));
        }
        for (const Digits& digits : allNumbers(set, 4))  // every form of a number, with leading zeros
            ASSERT_EQ(decimalText(decimal({set, digits, 0})), std::to_string(valueOf(digits)));
    }
}

TEST(SignedDigitConversion, TakesLongNumbersAndExponents)
{
    test::Random random(4);
    for (const DigitSet set : kSets)
        for (const std::size_t size : {21, 63, 64, 65, 127, 128, 129, 5000})
            for (int i = 0; i < 20; ++i)
            {
                std::string text(size, '0');
                for (char& c : text)
                    c = "0000999912345678"[random.below(16)];
                text.front() = text.back() = '7';
                EXPECT_EQ(textAfter(text, set), text);
                EXPECT_EQ(textAfter("-0." + text, set), "-0." + text);
                EXPECT_EQ(textAfter(text + "e1000000", set),
                          "7." + text.substr(1) + "e" + std::to_string(1'000'000 + size - 1));
            }
}

TEST(SignedDigitConversion, ComparesBehindLeadingZeros)
{
    for (const DigitSet set : kSets)
    {
        EXPECT_EQ(sign({set, {-1, 0, 0, 0}, 0}), -1);
        EXPECT_EQ(sign({set, {3, -1, 0}, 5}), -1);
        EXPECT_EQ(sign({set, {-6, -6, 1, 0}, 5}), 1);
        EXPECT_EQ(sign({set, {0, 0}, 5}), 0);
        EXPECT_EQ(sign({set, {}, 0}), 0);
        const auto number = [&](const char* text) { return signedDigits(parsedText(text), set); };
        EXPECT_EQ(compare(number("1e300"), number("1e-300")), 1);
        EXPECT_EQ(compare(number("-0.1"), number("-0.09")), -1);
        EXPECT_EQ(compare(number("10e-1"), number("1")), 0);
        EXPECT_EQ(decimalText(decimal(subtract(number("1e-3"), number("1")))), "-0.999");
        EXPECT_EQ(decimalText(decimal(add(number("-1"), number("1")))), "0");
    }
}

TEST(SignedDigitConversion, DoublesAreTheirExactValue)
{
    test::Random random(5);
    const auto expectExact = [](double value) {
        char text[1200];
        std::snprintf(text, sizeof text, "%.1100f", value);  // glibc prints all digits
        EXPECT_EQ(decimalFromDouble(value), parsedText(text)) << value;
        EXPECT_EQ(std::strtod(decimalText(decimalFromDouble(value)).c_str(), nullptr), value);
    };
    for (const double value : {0.0, 1.0, 0.1, -2.5, DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 1e300, 1e-300, 9007199254740993.0})
        expectExact(value);
    for (int i = 0; i < 300; ++i)
        expectExact(std::ldexp(random.unit() - 0.5, random.between(-1074, 1024)));
    const auto nearest = [](const char* text) { return *nearestDouble(text, "test"); };
    EXPECT_EQ(nearest("0.1"), 0.1);
    EXPECT_EQ(nearest("+1e-400"), 0.0);
    EXPECT_EQ(nearest("3e-324"), DBL_TRUE_MIN);
    EXPECT_EQ(nearest("-1.7976931348623157e308"), -DBL_MAX);
    EXPECT_FALSE(nearestDouble("1e309", "test"));
    EXPECT_FALSE(nearestDouble("0.1x", "test"));
}

// ---- arithmetic, against GMP ----

struct Number
{
    Decimal value;
    Exact exact;
};

Number randomNumber(test::Random& random, std::uint32_t longest)
{
    Decimal number{{}, random.between(-6, 6), random.chance(1, 2)};
    const std::uint32_t size = random.below(longest);
    const int kind = random.between(0, 3);
    for (std::uint32_t i = 0; i < size; ++i)
        number.digits.push_back(Digit(kind == 0   ? random.below(10)
                                      : kind == 1 ? 9
                                      : kind == 2 ? 5 + random.below(2)
                                                  : (random.chance(1, 6) ? random.below(10) : 0)));
    return {number, test::exactOf(number)};
}

TEST(SignedDigitArithmetic, AgreesWithGmp)
{
    const std::uint64_t seed = 6;
    test::Random random(seed);
    for (int i = 0; i < 150'000; ++i)
    {
        const DigitSet set = kSets[i % 2];
        const Number a = randomNumber(random, i % 1000 == 0 ? 600 : 12), b = randomNumber(random, 12);
        const SignedDigits x = signedDigits(a.value, set), y = signedDigits(b.value, set);
        Exact sum = a.exact, difference = a.exact, product = a.exact;
        sum.add(b.exact);
        difference.subtract(b.exact);
        product.multiply(b.exact);
        const struct
        {
            SignedDigits found;
            Exact& expected;
        } answers[] = {{add(x, y), sum}, {subtract(x, y), difference}, {multiply(x, y), product}};
        for (const auto& [found, expected] : answers)
        {
            ASSERT_TRUE(inSet(found.digits, set)) << "seed " << seed << ", " << i;
            ASSERT_EQ(test::exactOf(decimal(found)).text(), expected.text()) << "seed " << seed << ", " << i;
        }
    }
}

TEST(SignedDigitColumns, BecomeOneNumberEitherWay)
{
    test::Random random(8);
    for (int i = 0; i < 3'000; ++i)
    {
        const DigitSet set = kSets[i % 2];
        std::vector<std::int64_t> sums(1 + random.below(40));
        Exact expected;
        for (std::size_t j = 0; j < sums.size(); ++j)
        {
            sums[j] = std::int64_t(random.bits()) << random.below(28) >> random.below(40);
            if (random.chance(1, 3)) sums[j] = -sums[j];
            expected.add(Exact(sums[j], std::int64_t(j)));
        }
        const ColumnNumber columns = numberByColumns(sums, set), digits = numberByDigits(sums, set);
        ASSERT_EQ(test::exactOf(columns.digits, 0).text(), expected.text());
        ASSERT_EQ(test::exactOf(digits.digits, 0).text(), expected.text());
        ASSERT_TRUE(inSet(columns.digits, set) && inSet(digits.digits, set));
        EXPECT_EQ(columns.additions, sums.size() - 1);
        EXPECT_EQ(digits.additions, std::uint64_t(digitsOfLargest(sums)) - 1);
    }
}

// ---- text ----

TEST(DecimalText, IsReadAndWritten)
{
    const struct
    {
        const char *text, *written;
    } cases[] = {{"0", "0"},
                 {"-0.000", "0"},
                 {"0e1000000", "0"},
                 {"+5", "5"},
                 {"5.", "5"},
                 {".5", "0.5"},
                 {"-12.5e-3", "-0.0125"},
                 {"00120.500", "120.5"},
                 {"1E3", "1000"},
                 {"1e+20", "100000000000000000000"},
                 {"1e21", "1e21"},
                 {"12e300", "1.2e301"},
                 {"1e-21", "0.000000000000000000001"},
                 {"1e-22", "1e-22"},
                 {"-1.5e1000000", "-1.5e1000000"},
                 {"123e-1000000", "1.23e-999998"}};
    for (const auto& [text, written] : cases)
    {
        EXPECT_EQ(decimalText(parsedText(text)), written);
        EXPECT_EQ(parsedText(decimalText(parsedText(text))), parsedText(text));
    }
}

// Digits are checked eight at a time: any other character is found, with its position.
TEST(DecimalText, FindsTheFirstThatIsNoDigit)
{
    for (std::size_t length = 1; length <= 26; ++length)
        for (std::size_t at = 0; at < length; ++at)
            for (int c = 0; c < 256; ++c)
            {
                if (std::string_view("0123456789+-.eE").find(char(c)) != std::string_view::npos) continue;
                std::string text(length, at % 2 == 0 ? '9' : '0');
                text[at] = char(c);
                const Result<Decimal> number = parseDecimal(text, "test");
                ASSERT_FALSE(number) << length << ", " << at << ", " << c;
                ASSERT_NE(number.error().message.find(fmt::format("at character {},", at + 1)), std::string::npos)
                    << number.error().message;
            }
}

TEST(DecimalText, SaysWhatIsNoNumberAndWhere)
{
    const struct
    {
        const char *text, *names;
    } cases[] = {{"", "the end at character 1"},
                 {"-", "the end at character 2"},
                 {".", "the end at character 2"},
                 {"x", "'x' at character 1"},
                 {"1 2", "' ' at character 2"},
                 {"1.2.3", "'.' at character 4"},
                 {"1e", "the end at character 3"},
                 {"1e+", "the end at character 4"},
                 {"1e5x", "'x' at character 4"},
                 {"--1", "'-' at character 2"},
                 {"nan", "'n' at character 1"},
                 {"1e1000001", "beyond 1000000"},
                 {"1e-99999999999999999999", "beyond -1000000"},
                 {"\xff", "byte 0xff"},
                 {"e5", "'e' at character 1"}};
    for (const auto& [text, names] : cases)
    {
        const Result<Decimal> number = parseDecimal(text, "file:3");
        ASSERT_FALSE(number) << text;
        EXPECT_EQ(number.error().code, ExitCode::kInput);
        EXPECT_NE(number.error().message.find(names), std::string::npos) << number.error().message;
        EXPECT_TRUE(number.error().message.starts_with("file:3: ")) << number.error().message;
    }
    EXPECT_NE(parseDecimal("x", "f", 5).error().message.find("character 5"), std::string::npos);
}

}  // namespace
}  // namespace orogen::compute
