// Numbers are strings of digits here, and nothing is ever rounded: this is what every method begins and ends with.
#include "compute/signed_digit/decimal.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <gmp.h>

namespace orogen::compute {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// How many digits a text starts with, eight characters at a time.
std::size_t digitsInFront(std::string_view text)
{
    std::size_t count = 0;
    for (; count + 8 <= text.size(); count += 8)
    {
        std::uint64_t eight = 0;
        std::memcpy(&eight, text.data() + count, 8);
        eight ^= 0x3030'3030'3030'3030;
        if (((eight | (eight + 0x7676'7676'7676'7676)) & 0x8080'8080'8080'8080) != 0) break;  // one is above 9
    }
    while (count < text.size() && isDigit(text[count]))
        ++count;
    return count;
}

std::string visible(char c)
{
    if (c >= 0x20 && c < 0x7f) return fmt::format("'{}'", c);
    return fmt::format("byte {:#04x}", static_cast<unsigned char>(c));
}

// Reads one number from left to right.
class Reader
{
public:
    Reader(std::string_view text, const std::string& where, std::size_t column)
        : text_(text), where_(where), column_(column)
    {
    }

    Result<Decimal> read()
    {
        if (peek() == '+' || peek() == '-') number_.negative = text_[at_++] == '-';
        readDigits();
        if (peek() == '.')
        {
            ++at_;
            const std::size_t before = number_.digits.size();
            readDigits();
            number_.exponent = -std::int64_t(number_.digits.size() - before);
        }
        if (number_.digits.empty()) return wrong("a digit");
        if (peek() == 'e' || peek() == 'E')
            if (const Status status = readExponent(); !status) return status.error();
        if (at_ < text_.size()) return wrong("a decimal number");
        std::ranges::reverse(number_.digits);
        return canonical(std::move(number_));
    }

private:
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void readDigits()
    {
        const std::string_view digits = text_.substr(at_, digitsInFront(text_.substr(at_)));
        number_.digits.insert(number_.digits.end(), digits.begin(), digits.end());
        for (Digit& digit : std::span(number_.digits).last(digits.size()))
            digit = Digit(digit - '0');
        at_ += digits.size();
    }

    Status readExponent()
    {
        const std::size_t begin = ++at_;
        const bool negative = peek() == '-';
        if (peek() == '+' || peek() == '-') ++at_;
        if (!isDigit(peek())) return wrong("a digit of the exponent");
        std::int64_t exponent = 0;
        for (; isDigit(peek()); ++at_)
            exponent = std::min(10 * exponent + (text_[at_] - '0'), 10 * kLargestExponent);
        if (exponent > kLargestExponent)
            return Error{ExitCode::kInput, fmt::format("{}: the exponent at character {} is beyond {}{}", where_,
                                                       column_ + begin, negative ? "-" : "", kLargestExponent)};
        number_.exponent += negative ? -exponent : exponent;
        return Status::ok();
    }

    Error wrong(const char* expected) const
    {
        const std::string found = at_ < text_.size() ? visible(text_[at_]) : "the end";
        return {ExitCode::kInput,
                fmt::format("{}: {} at character {}, expected {}", where_, found, column_ + at_, expected)};
    }

    const std::string_view text_;
    const std::string& where_;
    const std::size_t column_;
    std::size_t at_ = 0;
    Decimal number_;
};

void appendDigits(std::string& text, std::span<const Digit> digits)
{
    for (std::size_t i = digits.size(); i-- > 0;)
        text += char('0' + digits[i]);
}

}  // namespace

Decimal canonical(Decimal number)
{
    std::vector<Digit>& digits = number.digits;
    while (!digits.empty() && digits.back() == 0)
        digits.pop_back();
    if (digits.empty()) return {};
    const auto low = std::ranges::find_if(digits, [](Digit digit) { return digit != 0; });
    number.exponent += low - digits.begin();
    digits.erase(digits.begin(), low);
    return number;
}

Result<Decimal> parseDecimal(std::string_view text, const std::string& where, std::size_t column)
{
    return Reader(text, where, column).read();
}

std::string decimalText(const DecimalView& number)
{
    constexpr std::int64_t kMostZeros = 20;
    const Decimal value = canonical({{number.digits.begin(), number.digits.end()}, number.exponent, number.negative});
    if (value.digits.empty()) return "0";
    const std::span<const Digit> digits = value.digits;
    const auto count = std::int64_t(digits.size());
    const std::int64_t whole = count + value.exponent;  // digits before the point
    std::string text = value.negative ? "-" : "";
    if (value.exponent > kMostZeros || -whole > kMostZeros)
    {
        appendDigits(text, digits.last(1));
        if (count > 1) text += '.';
        appendDigits(text, digits.first(std::size_t(count - 1)));
        return text + fmt::format("e{}", whole - 1);
    }
    if (whole <= 0)
    {
        text += "0." + std::string(std::size_t(-whole), '0');
        appendDigits(text, digits);
        return text;
    }
    const std::int64_t shown = std::min(whole, count);
    appendDigits(text, digits.last(std::size_t(shown)));
    text.append(std::size_t(whole - shown), '0');
    if (shown < count) text += '.';
    appendDigits(text, digits.first(std::size_t(count - shown)));
    return text;
}

// m 2^e, where e < 0: m 5^-e 10^e.
Decimal decimalFromDouble(double value)
{
    assert(std::isfinite(value));
    if (value == 0) return {};
    int exponent = 0;
    const double mantissa = std::ldexp(std::frexp(std::abs(value), &exponent), 53);
    exponent -= 53;
    mpz_t integer, factor;
    mpz_init_set_d(integer, mantissa);
    mpz_init(factor);
    mpz_ui_pow_ui(factor, exponent < 0 ? 5 : 2, static_cast<unsigned long>(std::abs(exponent)));
    mpz_mul(integer, integer, factor);
    std::string text(mpz_sizeinbase(integer, 10) + 2, '\0');
    mpz_get_str(text.data(), 10, integer);
    mpz_clears(integer, factor, nullptr);
    text.resize(text.find('\0'));
    Decimal number{{text.rbegin(), text.rend()}, std::min(exponent, 0), value < 0};
    for (Digit& digit : number.digits)
        digit = Digit(digit - '0');
    return canonical(std::move(number));
}

Result<double> nearestDouble(std::string_view text, const std::string& where, std::size_t column)
{
    const Result<Decimal> number = parseDecimal(text, where, column);
    if (!number) return number.error();
    const std::string_view unsignedText = text.starts_with('+') ? text.substr(1) : text;
    double value = 0;
    const auto [end, error] = std::from_chars(unsignedText.data(), unsignedText.data() + unsignedText.size(), value);
    if (error == std::errc{} && std::isfinite(value)) return value;
    if (std::int64_t(number->digits.size()) + number->exponent <= 0) return number->negative ? -0.0 : 0.0;
    return Error{ExitCode::kInput,
                 fmt::format("{}: the number at character {} is beyond the largest double", where, column)};
}

}  // namespace orogen::compute
