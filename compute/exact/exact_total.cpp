#include "compute/exact/exact_total.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

#include <gmp.h>

namespace orogen::compute {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t kDigitMask = (std::int64_t(1) << kDigitBits) - 1;
constexpr int kMantissaBits = std::numeric_limits<double>::digits;
constexpr int kLowestBit = -1074;  // doubles are multiples of 2^kLowestBit

class Integer
{
public:
    Integer() { mpz_init(value_); }
    Integer(const Integer&) = delete;
    Integer& operator=(const Integer&) = delete;
    ~Integer() { mpz_clear(value_); }
    operator mpz_ptr() { return value_; }

private:
    mpz_t value_;
};

// Sets `to` to the magnitude of the total, in units of 2^kLowestExponent.  Returns whether the total is negative.
// `carried`: digits after ExactTotal::carry().
bool setSize(mpz_ptr to, const std::array<std::int64_t, kTotalDigits>& carried)
{
    std::array<std::uint32_t, kTotalDigits> low;
    for (std::size_t i = 0; i < low.size(); ++i)
        low[i] = std::uint32_t(carried[i]);
    // The highest digit has a sign.  Its lower 32 bits suffice, because larger totals cannot occur.
    const bool negative = carried.back() < 0;
    if (negative)
    {
        std::uint64_t borrow = 1;
        for (std::uint32_t& digit : low)
        {
            borrow += std::uint32_t(~digit);
            digit = std::uint32_t(borrow);
            borrow >>= kDigitBits;
        }
    }
    mpz_import(to, low.size(), -1, sizeof(low[0]), 0, 0, low.data());
    return negative;
}

// Rounds size * 2^exponent to the nearest double.  `size` > 0 has more bits than a double; its lowest bit is sticky: it
// is set if any bit below it would be.
double roundedToDouble(mpz_srcptr size, int exponent)
{
    const int bits = int(mpz_sizeinbase(size, 2));
    const int lowest = std::max(bits + exponent - kMantissaBits, kLowestBit);
    const int dropped = lowest - exponent;
    assert(dropped > 0);
    Integer kept;
    mpz_tdiv_q_2exp(kept, size, mp_bitcnt_t(dropped));
    const bool half = mpz_tstbit(size, mp_bitcnt_t(dropped - 1)) != 0;
    const bool more = mpz_scan1(size, 0) < mp_bitcnt_t(dropped - 1);
    if (half && (more || mpz_odd_p(mpz_srcptr(kept)))) mpz_add_ui(kept, kept, 1);
    return std::ldexp(mpz_get_d(kept), lowest);
}

}  // namespace

void ExactTotal::addWords(bool negative, std::uint64_t low, std::uint64_t middle, std::uint64_t high, int exponent)
{
    const int place = exponent - kLowestExponent, shift = place % kDigitBits;
    assert(place >= 0);
    std::int64_t* digit = &digits_[std::size_t(place / kDigitBits)];
    for (const std::uint64_t word : {low, middle, high})
    {
        const Wide shifted = Wide(word) << shift;
        const std::int64_t parts[] = {std::int64_t(shifted) & kDigitMask,
                                      std::int64_t(shifted >> kDigitBits) & kDigitMask,
                                      std::int64_t(shifted >> 2 * kDigitBits)};
        if (word != 0)
            for (int i = 0; i < 3; ++i)
                digit[i] += negative ? -parts[i] : parts[i];
        digit += 2;
    }
    countAddition();
}

void ExactTotal::addDigits(const std::int64_t* digits, int count, int first)
{
    carry();
    for (int i = 0; i < count; ++i)
        digits_[std::size_t(first + i)] += digits[i];
    carry();
}

void ExactTotal::add(const ExactTotal& other)
{
    ExactTotal carried = other;
    carried.carry();
    for (std::size_t i = 0; i < digits_.size(); ++i)
        digits_[i] += carried.digits_[i];
    count_ += other.count_;
    nan_ = nan_ || other.nan_;
    positiveInfinity_ = positiveInfinity_ || other.positiveInfinity_;
    negativeInfinity_ = negativeInfinity_ || other.negativeInfinity_;
    other_ = other_ || other.other_;
    countAddition();
}

void ExactTotal::carry()
{
    std::int64_t moving = 0;
    for (std::size_t i = 0; i + 1 < digits_.size(); ++i)
    {
        moving += digits_[i];
        digits_[i] = moving & kDigitMask;
        moving >>= kDigitBits;
    }
    digits_.back() += moving;
    additions_ = 0;
}

double ExactTotal::special() const
{
    if (nan_ || (positiveInfinity_ && negativeInfinity_)) return std::numeric_limits<double>::quiet_NaN();
    return negativeInfinity_ ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
}

double ExactTotal::quotient(std::uint64_t divisor)
{
    if (!isFinite()) return special();
    carry();
    Integer size, divided, rest, by;
    const bool negative = setSize(size, digits_);
    if (mpz_sgn(mpz_srcptr(size)) == 0) return zero();
    static_assert(sizeof(unsigned long) == sizeof(divisor));
    mpz_set_ui(by, divisor);
    // Shifts left until the quotient has so many bits that a remainder lies below all bits that rounding examines.
    const int bits = int(mpz_sizeinbase(size, 2)) - int(mpz_sizeinbase(by, 2));
    const int more = std::max(0, kMantissaBits + 8 - bits);
    mpz_mul_2exp(size, size, mp_bitcnt_t(more));
    mpz_tdiv_qr(divided, rest, size, by);
    mpz_mul_2exp(divided, divided, 1);
    if (mpz_sgn(mpz_srcptr(rest)) != 0) mpz_add_ui(divided, divided, 1);
    const double value = roundedToDouble(divided, kLowestExponent - more - 1);
    return negative ? -value : value;
}

double ExactTotal::root()
{
    if (!isFinite()) return special();
    carry();
    Integer size, rooted, rest;
    [[maybe_unused]] const bool negative = setSize(size, digits_);
    assert(!negative);
    if (mpz_sgn(mpz_srcptr(size)) == 0) return 0;
    const int bits = int(mpz_sizeinbase(size, 2));
    int more = std::max(0, 2 * (kMantissaBits + 8) - bits);
    more += more % 2;  // even, like kLowestExponent, because the root halves the exponent
    static_assert(kLowestExponent % 2 == 0);
    mpz_mul_2exp(size, size, mp_bitcnt_t(more));
    mpz_sqrtrem(rooted, rest, size);
    mpz_mul_2exp(rooted, rooted, 1);
    if (mpz_sgn(mpz_srcptr(rest)) != 0) mpz_add_ui(rooted, rooted, 1);
    return roundedToDouble(rooted, (kLowestExponent - more) / 2 - 1);
}

std::string ExactTotal::integerText()
{
    carry();
    Integer size;
    const bool negative = setSize(size, digits_);
    mpz_tdiv_q_2exp(size, size, mp_bitcnt_t(-kLowestExponent));
    if (negative) mpz_neg(size, size);
    const std::unique_ptr<char, void (*)(void*)> text(mpz_get_str(nullptr, 10, size), std::free);
    return text.get();
}

std::uint64_t ExactTotal::residue()
{
    carry();
    Integer size, modulus, unit;
    const bool negative = setSize(size, digits_);
    mpz_set_ui(modulus, (1ul << 61) - 1);
    if (negative) mpz_neg(size, size);
    // Modulo 2^61 - 1, 2^61 is 1, so 2^kLowestExponent = 2^(kLowestExponent mod 61).
    const int exponent = (kLowestExponent % 61 + 61) % 61;
    mpz_mul_2exp(size, size, mp_bitcnt_t(exponent));
    mpz_mod(size, size, modulus);
    return mpz_get_ui(size);
}

}  // namespace orogen::compute
