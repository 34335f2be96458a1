// Integers of GMP, as the baseline has them: in memory, binary.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <gmp.h>

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

    void setDigits(std::span<const Digit> digits)
    {
        std::string text(digits.size() + 1, '0');
        for (std::size_t i = 0; i < digits.size(); ++i)
            text[digits.size() - i] = char('0' + digits[i]);
        mpz_set_str(value_, text.c_str(), 10);
    }

    // The lowest first; of a number that is not below 0.
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

inline std::vector<GmpNumber> gmpNumbers(const DigitRows& rows)
{
    std::vector<GmpNumber> numbers(rows.count);
    for (std::size_t i = 0; i < rows.count; ++i)
        numbers[i].setDigits({rows.row(i), rows.width});
    return numbers;
}

}  // namespace orogen::compute
