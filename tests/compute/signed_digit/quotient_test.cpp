// Quotients compared with GMP's, which the test makes from the definition, and remainders that hold the equation.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compute/signed_digit/quotient.h"
#include "tests/support/random.h"
#include "tests/support/signed_digit_oracle.h"

namespace orogen::test {
namespace {

using namespace compute;

Decimal parsedOperand(const std::string& text) { return *parseDecimal(text, "test"); }

std::string randomDigits(Random& random, int digits, char pattern)
{
    std::string text(1, char('1' + random.between(0, 8)));
    while (int(text.size()) < digits)
        text += pattern == 'r' ? char('0' + random.between(0, 9)) : pattern;
    return text;
}

Exact exactOf(const Decimal& number)
{
    std::string digits = number.negative ? "-" : "";
    for (std::size_t i = number.digits.size(); i-- > 0;)
        digits += char('0' + number.digits[i]);
    return number.digits.empty() ? Exact(0, 0) : Exact(digits, number.exponent);
}

// Returns whether a = q b + r, by GMP.
bool holdsTheEquation(const DecimalQuotient& found, const Decimal& a, const Decimal& b)
{
    Exact sum = exactOf(found.quotient);
    sum.multiply(exactOf(b));
    sum.add(exactOf(found.remainder));
    sum.subtract(exactOf(a));
    return sum.text() == "0";
}

TEST(SignedDigitQuotient, BothAlgorithmsRoundToTheNearest)
{
    Random random(1);
    for (int i = 0; i < 600; ++i)
    {
        const char pattern = "r059"[random.between(0, 3)];
        const int digits = random.between(1, 40);
        const std::string b = randomDigits(random, random.between(1, 30), pattern);
        std::string a = randomDigits(random, random.between(1, 50), "r09"[random.between(0, 2)]);
        if (i % 4 == 0)  // a tie: an integer of `digits` + 1 digits that ends in 5, times b
        {
            Exact product(b, 0);
            product.multiply(Exact(randomDigits(random, digits, 'r') + "5", 0));
            a = product.text();
        }
        const Decimal dividend = parsedOperand(fmt::format("{}{}", i % 3 == 0 ? "-" : "", a));
        const Decimal divisor = parsedOperand(fmt::format("{}{}e{}", i % 5 == 0 ? "-" : "", b, random.between(-9, 9)));
        const DecimalQuotient byGmp = quotient(dividend, divisor, digits, QuotientAlgorithm::kGmp);
        EXPECT_TRUE(holdsTheEquation(byGmp, dividend, divisor)) << a << " / " << b << ", " << digits;
        EXPECT_TRUE(isQuotient(byGmp, dividend, divisor, digits)) << a << " / " << b << ", " << digits;
        for (const int largest : {6, 7})
        {
            const DecimalQuotient found =
                quotient(dividend, divisor, digits, QuotientAlgorithm::kRecurrence, DigitSet{largest});
            EXPECT_EQ(found.quotient, byGmp.quotient) << a << " / " << b << ", " << digits;
            EXPECT_EQ(found.remainder, byGmp.remainder) << a << " / " << b << ", " << digits;
        }
    }
}

TEST(SignedDigitQuotient, IsQuotientRejectsOthers)
{
    const Decimal one = parsedOperand("1"), eight = parsedOperand("8");
    const auto claimed = [](const char* quotient, const char* remainder) {
        return DecimalQuotient{parsedOperand(quotient), parsedOperand(remainder)};
    };
    EXPECT_TRUE(isQuotient(claimed("0.12", "0.04"), one, eight, 2));
    EXPECT_FALSE(isQuotient(claimed("0.13", "-0.04"), one, eight, 2)) << "the other neighbour is even";
    EXPECT_FALSE(isQuotient(claimed("0.12", "0.05"), one, eight, 2)) << "no equation";
    EXPECT_FALSE(isQuotient(claimed("0.11", "0.12"), one, eight, 2)) << "not the nearest";
    EXPECT_FALSE(isQuotient(claimed("0.125", "0"), one, eight, 2)) << "too many digits";
    // 9.96 to two digits is 10; from 9.94 it would be 9.9.
    EXPECT_TRUE(isQuotient(claimed("10", "-0.04"), parsedOperand("9.96"), one, 2));
    EXPECT_FALSE(isQuotient(claimed("10", "-0.06"), parsedOperand("9.94"), one, 2));
}

}  // namespace
}  // namespace orogen::test
