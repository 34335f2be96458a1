// The transform on decimal fixed point: its cosines, its bound, and what float and double lose on the paper's vector.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compute/signed_digit/fourier.h"
#include "compute/signed_digit/signed_digits.h"
#include "tests/support/random.h"
#include "tests/support/signed_digit_oracle.h"

namespace orogen::compute {
namespace {

Decimal parsed(const std::string& text) { return *parseDecimal(text, "test"); }

// The paper's formula 2, with i = 1 ... n.
DecimalList vectorOfThePaper(int n, const std::string& alpha)
{
    DecimalList list;
    for (int i = 1; i <= n; ++i)
    {
        const SignedDigits tenth = signedDigits(parsed(fmt::format("{}e-1", i)));
        list.add(decimal(i % 2 == 0 ? add(tenth, signedDigits(parsed(alpha))) : tenth));
    }
    return list;
}

TEST(SignedDigitFourier, CosinesAreRight)
{
    for (const std::size_t n : {1, 2, 3, 4, 5, 7, 8, 12, 64, 360})
    {
        const std::vector<Decimal> table = cosines(n, 60);
        for (std::size_t k = 0; k < n; ++k)
            EXPECT_NEAR(roughly(table[k]), std::cos(2 * M_PI * double(k) / double(n)), 2e-15) << k << "/" << n;
    }
    // cos(pi / 4) and cos(pi / 6) to 50 digits, and cos(2 pi / 5) = (sqrt 5 - 1) / 4.
    EXPECT_EQ(decimalText(cosines(8, 50)[1]), "0.70710678118654752440084436210484903928483593768847");
    EXPECT_EQ(decimalText(cosines(12, 50)[1]), "0.86602540378443864676372317075293618347140262690519");
    EXPECT_EQ(decimalText(cosines(5, 40)[1]), "0.3090169943749474241022934171828190588602");
    EXPECT_EQ(decimalText(cosines(8, 50)[2]), "0");
    EXPECT_EQ(decimalText(cosines(6, 50)[2]), "-0.5");
}

// Twice the digits tell what the cosines are: the shorter ones are within their last place.
TEST(SignedDigitFourier, CosinesKeepTheirBound)
{
    for (const std::size_t n : {7, 9, 64, 100})
    {
        const std::vector<Decimal> coarse = cosines(n, 20), fine = cosines(n, 45);
        for (std::size_t k = 0; k < n; ++k)
        {
            const SignedDigits error = subtract(signedDigits(coarse[k]), signedDigits(fine[k]));
            EXPECT_LE(std::abs(roughly(decimal(error))), 0.501e-20) << k << "/" << n;
        }
    }
}

TEST(SignedDigitFourier, ComesBackWithinItsBound)
{
    test::Random random(1);
    for (const int n : {1, 2, 3, 4, 5, 8, 17, 64})
        for (const int digits : {5, 20, 50})
        {
            DecimalList list;
            for (int i = 0; i < n; ++i)
                list.add(parsed(fmt::format("{}e{}", random.between(-999, 999), random.between(-3, 3))));
            const FourierResult found = fourierTransform(list, {.twiddleDigits = digits});
            EXPECT_LE(found.signedDigitPercent, found.boundPercent) << n << ", " << digits;
            EXPECT_EQ(found.spectrum.size(), std::size_t(n));
            if (n < 17) continue;
            EXPECT_GE(found.signedDigitPercent, 1e-5 * found.boundPercent) << "a bound says something";
        }
}

TEST(SignedDigitFourier, OfAConstantAndOfAnImpulse)
{
    DecimalList constant, impulse;
    for (int i = 0; i < 8; ++i)
    {
        constant.add(parsed("2.5"));
        impulse.add(parsed(i == 1 ? "8" : "0"));
    }
    const FourierResult flat = fourierTransform(constant), turning = fourierTransform(impulse);
    EXPECT_EQ(decimalText(flat.spectrum[0].real), "2.5");
    EXPECT_NEAR(roughly(flat.spectrum[3].real), 0, 1e-45);
    EXPECT_NEAR(roughly(turning.spectrum[1].real), std::sqrt(0.5), 1e-15);
    EXPECT_NEAR(roughly(turning.spectrum[1].imaginary), -std::sqrt(0.5), 1e-15) << "forwards the sine is subtracted";
    EXPECT_NEAR(roughly(turning.spectrum[2].imaginary), -1, 1e-15);
    EXPECT_NEAR(roughly(turning.spectrum[6].imaginary), 1, 1e-15);
}

// Erratum 11, at n = 64: float loses 0.006 % for alpha = 1 and 9.7 % for 1e4; double 2 % for 1e12.
TEST(SignedDigitFourier, OfThePapersVector)
{
    const FourierResult one = fourierTransform(vectorOfThePaper(64, "1"));
    const FourierResult many = fourierTransform(vectorOfThePaper(64, "1e4"));
    const FourierResult most = fourierTransform(vectorOfThePaper(64, "1e12"));
    EXPECT_GT(one.singlePercent, 1e-4);
    EXPECT_LT(one.singlePercent, 0.06);
    EXPECT_GT(many.singlePercent, 1);
    EXPECT_GT(most.doublePercent, 0.1);
    for (const FourierResult* found : {&one, &many, &most})
    {
        EXPECT_LT(found->signedDigitPercent, 1e-30);
        EXPECT_LE(found->signedDigitPercent, found->boundPercent);
        EXPECT_LT(found->boundPercent, 1e-30);
    }
}

}  // namespace
}  // namespace orogen::compute
