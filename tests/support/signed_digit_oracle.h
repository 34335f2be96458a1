// Decimal numbers in GMP, as a reference for exact decimal arithmetic.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include <gmp.h>

#include "compute/signed_digit/decimal.h"

namespace orogen::test {

// Integer times a power of ten.
class Exact
{
public:
    Exact() { mpz_init(value_); }
    Exact(std::int64_t value, std::int64_t exponent) : exponent_(exponent) { mpz_init_set_si(value_, value); }
    Exact(const std::string& digits, std::int64_t exponent) : exponent_(exponent)
    {
        mpz_init_set_str(value_, digits.c_str(), 10);
    }
    Exact(const Exact& other) : exponent_(other.exponent_) { mpz_init_set(value_, other.value_); }
    Exact& operator=(const Exact& other)
    {
        mpz_set(value_, other.value_);
        exponent_ = other.exponent_;
        return *this;
    }
    ~Exact() { mpz_clear(value_); }

    void add(const Exact& other) { combine(other, mpz_add); }
    void subtract(const Exact& other) { combine(other, mpz_sub); }
    void multiply(const Exact& other)
    {
        mpz_mul(value_, value_, other.value_);
        exponent_ += other.exponent_;
    }

    // Returns a text such as "123e-5", without trailing zeros.
    std::string text() const
    {
        const std::unique_ptr<char, void (*)(void*)> digits(mpz_get_str(nullptr, 10, value_), std::free);
        std::string text = digits.get();
        if (text == "0") return text;
        const std::size_t end = text.find_last_not_of('0') + 1;
        const std::int64_t exponent = exponent_ + std::int64_t(text.size() - end);
        return text.substr(0, end) + "e" + std::to_string(exponent);
    }

private:
    using Operation = void (*)(mpz_ptr, mpz_srcptr, mpz_srcptr);
    void combine(Exact other, Operation operation)
    {
        lower(other.exponent_);
        other.lower(exponent_);
        operation(value_, value_, other.value_);
    }
    void lower(std::int64_t exponent)
    {
        if (exponent_ <= exponent) return;
        mpz_t power;
        mpz_init(power);
        mpz_ui_pow_ui(power, 10, static_cast<unsigned long>(exponent_ - exponent));
        mpz_mul(value_, value_, power);
        mpz_clear(power);
        exponent_ = exponent;
    }

    mpz_t value_;
    std::int64_t exponent_ = 0;
};

inline Exact exactOf(const compute::DecimalView& number)
{
    std::string text = number.negative ? "-0" : "0";
    for (std::size_t i = number.digits.size(); i-- > 0;)
        text += char('0' + number.digits[i]);
    return {text, number.exponent};
}

// Returns the value of signed digits: the positive ones less the negative ones.
inline Exact exactOf(std::span<const std::int8_t> digits, std::int64_t exponent)
{
    std::string positive = "0", negative = "0";
    for (std::size_t i = digits.size(); i-- > 0;)
    {
        positive += char('0' + std::max<int>(0, digits[i]));
        negative += char('0' + std::max<int>(0, -digits[i]));
    }
    Exact value(positive, exponent);
    value.subtract({negative, exponent});
    return value;
}

}  // namespace orogen::test
