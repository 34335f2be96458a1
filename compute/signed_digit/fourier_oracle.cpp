// Computes pi by the algorithm of Gauss and Legendre. Computes a root of unity by the exponential series of a small
// part of its angle and by squarings, and its powers one from another. Evaluates each sum as a polynomial by Horner's
// rule.
#include "compute/signed_digit/fourier_oracle.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "compute/signed_digit/gmp_numbers.h"

namespace orogen::compute {
namespace {

using Bits = unsigned long;

// Complex number of integers, in a unit that the caller knows, such as 2^-bits.
struct BinaryComplex
{
    GmpNumber real, imaginary;

    BinaryComplex() = default;
    BinaryComplex(const BinaryComplex& other)
    {
        mpz_set(real, other.real);
        mpz_set(imaginary, other.imaginary);
    }
    BinaryComplex(BinaryComplex&&) = default;
    BinaryComplex& operator=(BinaryComplex&&) = default;
    ~BinaryComplex() = default;
};

// Multiplies by a complex number in units of 2^-bits.
void multiply(BinaryComplex& value, const BinaryComplex& factor, Bits bits)
{
    GmpNumber real, imaginary;
    mpz_mul(real, value.real, factor.real);
    mpz_submul(real, value.imaginary, factor.imaginary);
    mpz_mul(imaginary, value.real, factor.imaginary);
    mpz_addmul(imaginary, value.imaginary, factor.real);
    mpz_fdiv_q_2exp(value.real, real, bits);
    mpz_fdiv_q_2exp(value.imaginary, imaginary, bits);
}

// Returns pi in units of 2^-bits.
GmpNumber piOf(Bits bits)
{
    GmpNumber one, a, b, t, next, difference;
    mpz_setbit(one, bits);
    mpz_set(a, one);
    mpz_setbit(b, 2 * bits - 1);
    mpz_sqrt(b, b);  // 1 / sqrt 2
    mpz_tdiv_q_2exp(t, one, 2);
    for (Bits weight = 0; mpz_cmp(mpz_srcptr(a), mpz_srcptr(b)) > 0 && weight < 64; ++weight)  // a falls towards b
    {
        mpz_add(next, a, b);
        mpz_tdiv_q_2exp(next, next, 1);
        mpz_mul(b, b, a);
        mpz_sqrt(b, b);
        mpz_sub(difference, a, next);
        mpz_mul(difference, difference, difference);
        mpz_tdiv_q_2exp(difference, difference, bits);
        mpz_mul_2exp(difference, difference, weight);
        mpz_sub(t, t, difference);
        mpz_swap(a, next);
    }
    mpz_add(a, a, b);
    mpz_mul(a, a, a);
    mpz_tdiv_q(a, a, t);
    mpz_tdiv_q_2exp(a, a, 2);
    return a;
}

// Returns exp(2 pi i / n), or its conjugate, in units of 2^-bits.
BinaryComplex rootOfUnity(std::size_t n, bool conjugate, Bits bits)
{
    constexpr Bits kSquarings = 16, kSpare = 64;
    const Bits inner = bits + kSpare;
    GmpNumber angle = piOf(inner);
    mpz_mul_2exp(angle, angle, 1);
    mpz_tdiv_q_ui(angle, angle, n);
    mpz_tdiv_q_2exp(angle, angle, kSquarings);
    BinaryComplex factor, term, sum;
    mpz_set(factor.imaginary, angle);
    mpz_setbit(term.real, inner);
    for (Bits i = 1; mpz_sgn(mpz_srcptr(term.real)) != 0 || mpz_sgn(mpz_srcptr(term.imaginary)) != 0; ++i)
    {
        mpz_add(sum.real, sum.real, term.real);
        mpz_add(sum.imaginary, sum.imaginary, term.imaginary);
        multiply(term, factor, inner);
        mpz_tdiv_q_ui(term.real, term.real, i);
        mpz_tdiv_q_ui(term.imaginary, term.imaginary, i);
    }
    for (Bits i = 0; i < kSquarings; ++i)
        multiply(sum, BinaryComplex(sum), inner);
    if (conjugate) mpz_neg(sum.imaginary, sum.imaginary);
    mpz_fdiv_q_2exp(sum.real, sum.real, kSpare);
    mpz_fdiv_q_2exp(sum.imaginary, sum.imaginary, kSpare);
    return sum;
}

// Sets a number in units of 10^unit 2^-guard. Digits below that are cut off.
void setScaled(GmpNumber& to, const DecimalView& number, std::int64_t unit, Bits guard)
{
    mpz_set_ui(to, 0);
    const std::int64_t place = number.exponent - unit;
    if (number.digits.empty() || place + std::int64_t(number.digits.size()) < -std::int64_t(guard)) return;
    GmpNumber power;
    mpz_ui_pow_ui(power, 10, Bits(std::abs(place)));
    to.setDigits(number.digits);
    mpz_mul_2exp(to, to, guard);
    if (place >= 0)
        mpz_mul(to, to, power);
    else
        mpz_tdiv_q(to, to, power);
    if (number.negative) mpz_neg(to, to);
}

}  // namespace

double largestDistance(const ClaimedTransform& claimed, std::int64_t unitExponent, int digits,
                       const std::stop_token& stop)
{
    const std::size_t n = claimed.real.size();
    const auto count = Bits(std::bit_width(n));
    // Truncations of n powers and of n steps, in a sum of n coordinates, add less than n^3 units of 2^-guard.
    const Bits guard = 3 * count + 16, bits = Bits(10 * std::max(digits, 0) / 3 + 4) + guard + 8;
    const BinaryComplex root = rootOfUnity(n, !claimed.inverse, bits);
    std::vector<BinaryComplex> coordinates(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        if (stop.stop_requested()) return 0;
        setScaled(coordinates[i].real, claimed.real[i], unitExponent, guard);
        if (claimed.imaginary) setScaled(coordinates[i].imaginary, (*claimed.imaginary)[i], unitExponent, guard);
    }
    BinaryComplex power, found;
    mpz_setbit(power.real, bits);
    double largest = 0;
    for (std::size_t k = 0; k < n; ++k)
    {
        BinaryComplex sum;
        for (std::size_t j = n; j-- > 0;)
        {
            if (stop.stop_requested()) return 0;
            multiply(sum, power, bits);
            mpz_add(sum.real, sum.real, coordinates[j].real);
            mpz_add(sum.imaginary, sum.imaginary, coordinates[j].imaginary);
        }
        setScaled(found.real, claimed.values[k].real, unitExponent, guard);
        setScaled(found.imaginary, claimed.values[k].imaginary, unitExponent, guard);
        const auto distance = [&](GmpNumber& of, GmpNumber& from) {
            if (!claimed.inverse) mpz_tdiv_q_ui(from, from, n);
            mpz_sub(from, from, of);
            return std::ldexp(mpz_get_d(from), -int(guard));
        };
        const double real = distance(found.real, sum.real), imaginary = distance(found.imaginary, sum.imaginary);
        largest = std::max(largest, std::hypot(real, imaginary));
        multiply(power, root, bits);
    }
    return largest;
}

}  // namespace orogen::compute
