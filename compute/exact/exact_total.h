// Exact totals of floating-point terms: a superaccumulator with deferred carries.
//
// The total is a row of digits of radix 2^32, each stored in 64 bits with a sign.  A term is added to the digits that
// its bits lie in, without moving carries; carry() moves all carries once in a while.  This is the second method of
// paper 000 (assets/docs/understand/papers.md), section IV, with digits of radix 2^32 instead of 10.  The method
// sums the columns first and carries afterwards.  Integer additions commute, so a total has equal digits for any order,
// number of threads and device.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace orogen::compute {

// Range of the digits.  The unit of a product of two subnormal doubles, 2^-2148, is the smallest that occurs.
inline constexpr int kLowestExponent = -2176;  // the lowest digit counts 2^-2176
inline constexpr int kTotalDigits = 138;       // below 2^2240: more than the sum of 2^64 products of doubles
inline constexpr int kDigitBits = 32;

class ExactTotal
{
public:
    // Adds `value` * 2^`exponent`, with any value and -2176 <= exponent <= 2048.
    void add(std::int64_t value, int exponent) { addWords(value < 0, magnitude(value), 0, 0, exponent); }
    // Adds or subtracts (low + middle * 2^64 + high * 2^128) * 2^exponent, with -2176 <= exponent <= 2047
    // (2048 if `high` is 0).
    void addWords(bool negative, std::uint64_t low, std::uint64_t middle, std::uint64_t high, int exponent);
    // Adds digits[i] * 2^(kLowestExponent + 32 (first + i)) for `count` digits, each below 2^62 in magnitude.
    void addDigits(const std::int64_t* digits, int count, int first);
    void add(const ExactTotal& other);

    // Record that a term is infinite, is NaN, or is not -0.  The last matters because a sum of nothing but -0 is -0.
    void addInfinity(bool negative) { (negative ? negativeInfinity_ : positiveInfinity_) = true; }
    void addNan() { nan_ = true; }
    void addOtherThanMinusZero() { other_ = true; }
    bool hasOtherThanMinusZero() const { return other_; }
    void addCount(std::uint64_t terms) { count_ += terms; }
    std::uint64_t count() const { return count_; }

    // Moves all carries: digits below the highest become 0 ... 2^32 - 1, the highest keeps the sign.
    void carry();

    bool isFinite() const { return !nan_ && !positiveInfinity_ && !negativeInfinity_; }

    // Returns the total divided by `divisor` (>= 1), rounded once to the nearest double, ties to even; overflow is
    // infinite.
    double quotient(std::uint64_t divisor);
    double rounded() { return quotient(1); }
    // Returns the square root of a total >= 0, rounded once.
    double root();
    // Returns the decimal text of a total that is an integer.
    std::string integerText();
    // Returns the total, which must be finite, modulo 2^61 - 1.
    std::uint64_t residue();

private:
    static std::uint64_t magnitude(std::int64_t value)
    {
        return value < 0 ? 0 - std::uint64_t(value) : std::uint64_t(value);
    }
    void countAddition()
    {
        if (++additions_ >= kMostAdditions) carry();
    }
    // Returns the value of a total with NaN or infinite terms: an infinity if there is no NaN and all infinities have
    // one sign, else NaN.
    double special() const;
    double zero() const { return count_ > 0 && !other_ ? -0.0 : 0.0; }

    // Additions between two calls of carry().  Each changes a digit by less than 2^33, so that digits fit in 64 bits.
    static constexpr std::uint32_t kMostAdditions = 1u << 28;

    std::array<std::int64_t, kTotalDigits> digits_{};
    std::uint32_t additions_ = 0;
    std::uint64_t count_ = 0;
    bool nan_ = false, positiveInfinity_ = false, negativeInfinity_ = false, other_ = false;
};

}  // namespace orogen::compute
