// Sums as rational numbers in GMP, and their nearest doubles, as a reference for exact sums.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gmp.h>

namespace orogen::test {

class Rational
{
public:
    Rational() { mpq_init(value_); }
    explicit Rational(double value) : Rational() { mpq_set_d(value_, value); }
    Rational(const Rational& other) : Rational() { mpq_set(value_, other.value_); }
    Rational& operator=(const Rational& other)
    {
        mpq_set(value_, other.value_);
        return *this;
    }
    ~Rational() { mpq_clear(value_); }

    Rational& operator+=(const Rational& b) { return mpq_add(value_, value_, b.value_), *this; }
    friend Rational operator+(Rational a, const Rational& b) { return a += b; }
    friend Rational operator-(Rational a, const Rational& b) { return mpq_sub(a.value_, a.value_, b.value_), a; }
    friend Rational operator*(Rational a, const Rational& b) { return mpq_mul(a.value_, a.value_, b.value_), a; }
    friend Rational operator/(Rational a, const Rational& b) { return mpq_div(a.value_, a.value_, b.value_), a; }
    friend int compare(const Rational& a, const Rational& b) { return mpq_cmp(a.value_, b.value_); }
    Rational size() const
    {
        Rational result;
        mpq_abs(result.value_, value_);
        return result;
    }
    int sign() const { return mpq_sgn(value_); }
    double truncated() const { return mpq_get_d(value_); }

private:
    mpq_t value_;
};

// The next double away from 0; beyond the largest double 2^1024 takes its place in comparisons.
inline double nextAway(double size) { return std::nextafter(size, std::numeric_limits<double>::infinity()); }
inline Rational asRational(double size) { return std::isinf(size) ? Rational(0x1p1023) * Rational(2) : Rational(size); }

// Returns the nearest double, ties to even; 0 is +0.
inline double nearestDouble(const Rational& exact)
{
    if (exact.sign() == 0) return 0;
    const Rational size = exact.size();
    double low = size.truncated();
    while (low > 0 && (std::isinf(low) || compare(Rational(low), size) > 0))
        low = std::nextafter(low, 0.0);
    while (!std::isinf(nextAway(low)) && compare(Rational(nextAway(low)), size) <= 0)
        low = nextAway(low);
    const double high = nextAway(low);
    const int side = compare(size - Rational(low), asRational(high) - size);
    const bool lowIsEven = (std::bit_cast<std::uint64_t>(low) & 1) == 0;
    const double nearest = side < 0 || (side == 0 && lowIsEven) ? low : high;
    return exact.sign() < 0 ? -nearest : nearest;
}

// Returns whether `root` is the double nearest to the square root of `square` (> 0), both within the normal doubles.
inline bool isNearestRoot(double root, const Rational& square)
{
    const auto middle = [](double a, double b) { return (Rational(a) + Rational(b)) / Rational(2.0); };
    const Rational below = middle(root, std::nextafter(root, 0.0)), above = middle(root, nextAway(root));
    return compare(below * below, square) <= 0 && compare(square, above * above) <= 0;
}

}  // namespace orogen::test
