// GMP integers made from decimal digits: for exact arithmetic, and as rows that GMP adds for comparison.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <gmp.h>

#include "compute/multiword/limbs.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/digit_rows.h"

namespace orogen::compute {

class GmpNumber
{
public:
    GmpNumber() { mpz_init(value_); }
    GmpNumber(GmpNumber&& other) noexcept
    {
        mpz_init(value_);
        mpz_swap(value_, other.value_);
    }
    GmpNumber& operator=(GmpNumber&& other) noexcept
    {
        mpz_swap(value_, other.value_);
        return *this;
    }
    ~GmpNumber() { mpz_clear(value_); }

    operator mpz_ptr() { return value_; }
    operator mpz_srcptr() const { return value_; }

    // Sets the value from digits, lowest first.
    void setDigits(std::span<const Digit> digits)
    {
        std::string text(digits.size() + 1, '0');
        for (std::size_t i = 0; i < digits.size(); ++i)
            text[digits.size() - i] = char('0' + digits[i]);
        mpz_set_str(value_, text.c_str(), 10);
    }

    // Returns the digits, lowest first. The number must not be negative.
    std::vector<Digit> digits() const
    {
        const std::unique_ptr<char, void (*)(void*)> text(mpz_get_str(nullptr, 10, value_), std::free);
        const std::string_view view = text.get();
        std::vector<Digit> digits(view.rbegin(), view.rend());
        for (Digit& digit : digits)
            digit = Digit(digit - '0');
        return digits;
    }

private:
    mpz_t value_;
};

// Returns number * 10^exponent.
inline Decimal decimalOf(const GmpNumber& number, std::int64_t exponent)
{
    GmpNumber magnitude;
    mpz_abs(magnitude, number);
    return canonical({magnitude.digits(), exponent, mpz_sgn(mpz_srcptr(number)) < 0});
}

// Rows of digits converted to binary for fast addition by GMP. The limbs of all rows are contiguous in one LimbBuffer.
class GmpNumbers
{
public:
    // Undefined after a stop.
    explicit GmpNumbers(const DigitRows& rows, const std::stop_token& stop = {})
        : limbs_(rows.count * (rows.width * 5 / 12 / sizeof(mp_limb_t) + 2))
    {
        GmpNumber number;
        auto* next = reinterpret_cast<mp_limb_t*>(limbs_.data());
        numbers_.resize(rows.count);
        for (std::size_t i = 0; i < rows.count && !stop.stop_requested(); ++i)
        {
            number.setDigits({rows.row(i), rows.width});
            const std::size_t size = mpz_size(number);
            std::copy_n(mpz_limbs_read(number), size, next);
            mpz_roinit_n(&numbers_[i], next, mp_size_t(size));
            next += size;
        }
    }

    mpz_srcptr operator[](std::size_t i) const { return &numbers_[i]; }

private:
    LimbBuffer limbs_;
    std::vector<__mpz_struct> numbers_;
};

// Calls work(row) for rows [begin, end) of `digits` digits, until a stop. Checks for a stop about every 32,768 digits,
// or before each longer row.
template <class Work>
void untilStopped(std::size_t begin, std::size_t end, std::size_t digits, const std::stop_token& stop, const Work& work)
{
    const std::size_t between = 1 + (std::size_t(1) << 15) / (digits + 1);
    while (begin < end && !stop.stop_requested())
        for (const std::size_t pause = std::min(end, begin + between); begin < pause; ++begin)
            work(begin);
}

}  // namespace orogen::compute
