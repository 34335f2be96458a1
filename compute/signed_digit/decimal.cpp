// Numbers are arrays of decimal digits. Only nearestDouble() rounds.
#include "compute/signed_digit/decimal.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <gmp.h>

#include "core/base/memory.h"
#include "core/base/text_file.h"

namespace orogen::compute {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Returns the number of digits at the start of a text, testing eight characters at a time.
std::size_t digitsInFront(std::string_view text)
{
    std::size_t count = 0;
    for (; count + 8 <= text.size(); count += 8)
    {
        std::uint64_t eight = 0;
        std::memcpy(&eight, text.data() + count, 8);
        eight ^= 0x3030'3030'3030'3030;
        if (((eight | (eight + 0x7676'7676'7676'7676)) & 0x8080'8080'8080'8080) != 0) break;  // not all are digits
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

// Parser of one number, from left to right.
class DecimalReader
{
public:
    DecimalReader(std::string_view text, const std::string& where, std::size_t column)
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
    return DecimalReader(text, where, column).read();
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

namespace {

// Returns the decimal digits of an integer below 10^8 in the bytes of a word, the lowest digit in the lowest byte.
std::uint64_t eightDigits(std::uint32_t value)
{
    // Splits into groups of 4, 2 and 1 digits; each multiplication divides all groups at once.
    const std::uint64_t fours = value % 10000 | std::uint64_t(value / 10000) << 32;
    const std::uint64_t hundreds = ((fours * 10486) >> 20) & 0x0000'007f'0000'007f;
    const std::uint64_t twos = fours - 100 * hundreds + (hundreds << 16);
    const std::uint64_t tens = ((twos * 103) >> 10) & 0x000f'000f'000f'000f;
    return twos - 10 * tens + (tens << 8);
}

// Returns the digits, lowest first, of an integer of `count` limbs. Overwrites the limbs.
std::vector<Digit> digitsOf(mp_limb_t* limbs, mp_size_t count)
{
    constexpr mp_limb_t kSixteen = 10'000'000'000'000'000, kEight = 100'000'000;
    std::vector<Digit> digits;
    digits.reserve(std::size_t(count) * 20 + 16);
    while (count > 0)
    {
        const mp_limb_t rest = mpn_divrem_1(limbs, 0, limbs, count, kSixteen);
        while (count > 0 && limbs[count - 1] == 0)
            --count;
        const std::uint64_t words[] = {eightDigits(std::uint32_t(rest % kEight)),
                                       eightDigits(std::uint32_t(rest / kEight))};
        const auto* const bytes = reinterpret_cast<const Digit*>(words);
        digits.insert(digits.end(), bytes, bytes + 16);
    }
    return digits;
}

}  // namespace

// Writes |value| as m 2^e with an integer m. For e < 0 that is m 5^-e 10^e, so the digits are those of m 5^-e.
Decimal decimalFromDouble(double value)
{
    assert(std::isfinite(value));
    if (value == 0) return {};
    int exponent = 0;
    auto mantissa = mp_limb_t(std::ldexp(std::frexp(std::abs(value), &exponent), 53));
    const int zeros = std::countr_zero(mantissa);
    mantissa >>= zeros;
    exponent += zeros - 53;
    // m 5^1074 has at most 2,547 bits (40 limbs), and m 2^971 has 1,024.
    mp_limb_t limbs[42] = {mantissa};
    mp_size_t count = 1;
    if (exponent >= 0)
    {
        const mp_size_t whole = exponent / GMP_NUMB_BITS;
        limbs[0] = 0;
        limbs[whole] = mantissa;
        count = whole + 1;
        if (const int bits = exponent % GMP_NUMB_BITS; bits > 0)
            if (const mp_limb_t carry = mpn_lshift(limbs, limbs, count, unsigned(bits)); carry != 0)
                limbs[count++] = carry;
    }
    constexpr int kMostFives = 27;  // 5^27 is the highest power of 5 that fits into a limb
    constexpr mp_limb_t kFives = 7'450'580'596'923'828'125;
    for (int left = -exponent; left > 0; left -= kMostFives)
    {
        mp_limb_t factor = kFives;
        if (left < kMostFives)
        {
            factor = 1;
            for (int i = 0; i < left; ++i)
                factor *= 5;
        }
        if (const mp_limb_t carry = mpn_mul_1(limbs, limbs, count, factor); carry != 0) limbs[count++] = carry;
    }
    return canonical({digitsOf(limbs, count), std::min(exponent, 0), value < 0});
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

// ---- lists; reading stops at the first malformed line, which the error names ----

namespace {

constexpr std::uint64_t kLinesOfSample = 4096;        // first lines, from which the size of the whole list is estimated
constexpr std::uint64_t kUncheckedBytes = 16u << 20;  // smaller lists skip the memory check

// Adds one number; `column` is the position of its first character.
Status addNumber(DecimalList& list, std::string_view text, DecimalMeaning meaning, const std::string& where,
                 std::size_t column)
{
    if (meaning == DecimalMeaning::kNearestDouble)
    {
        const Result<double> value = nearestDouble(text, where, column);
        if (!value) return value.error();
        list.add(decimalFromDouble(*value));
        return Status::ok();
    }
    const Result<Decimal> number = parseDecimal(text, where, column);
    if (!number) return number.error();
    list.add(*number);
    return Status::ok();
}

constexpr std::string_view kBlanks = " \t\r\v\f";

Status addLine(DecimalList& list, std::string_view line, DecimalMeaning meaning, const std::string& path,
               std::uint64_t number)
{
    line = line.substr(0, line.find('#'));
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return Status::ok();
    const std::string_view text = line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
    // Formats the location only for an error, and then reads the number again.
    if (addNumber(list, text, meaning, path, begin + 1)) return Status::ok();
    return addNumber(list, text, meaning, fmt::format("{}:{}", path, number), begin + 1);
}

// Reserves memory for all numbers of a text of `whole` bytes.  The estimate, with 2 % to spare, uses the numbers of the
// first `part` bytes, which the list holds.  If memory is short, nothing is reserved, and the list grows as it fills.
void reserveByPart(DecimalList& list, std::size_t part, std::size_t whole)
{
    constexpr double kSpare = 1.02;
    const double factor = kSpare * double(whole) / double(part), bytes = double(list.bytes()) * factor;
    if (bytes > double(kUncheckedBytes) && !checkMemory("", std::uint64_t(bytes))) return;
    list.reserve(std::size_t(double(list.size()) * factor), std::size_t(double(list.digits()) * factor));
}

Status addComplexLine(ComplexDecimals& numbers, std::string_view line, DecimalMeaning meaning, const std::string& path,
                      std::uint64_t number)
{
    line = line.substr(0, line.find('#'));
    std::size_t parts = 0;
    for (std::size_t begin = line.find_first_not_of(kBlanks); begin != line.npos; ++parts)
    {
        const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
        const std::string where = fmt::format("{}:{}", path, number);
        if (parts == 2)
            return Error{ExitCode::kInput,
                         fmt::format("{}: a third number at character {}, expected at most two", where, begin + 1)};
        DecimalList& list = parts == 0 ? numbers.real : numbers.imaginary;
        if (Status status = addNumber(list, line.substr(begin, end - begin), meaning, where, begin + 1); !status)
            return status;
        begin = line.find_first_not_of(kBlanks, end);
    }
    if (parts == 1) numbers.imaginary.add(Decimal());
    return Status::ok();
}

// Writes the digits of a text, lowest first.
void reverseDigits(std::string_view text, Digit* to)
{
    std::size_t left = text.size();
    for (; left >= 8; left -= 8, to += 8)
    {
        std::uint64_t eight = 0;
        std::memcpy(&eight, text.data() + left - 8, 8);
        eight = std::uint64_t(__builtin_bswap64(eight)) ^ 0x3030'3030'3030'3030;
        std::memcpy(to, &eight, 8);
    }
    while (left > 0)
        *to++ = Digit(text[--left] - '0');
}

// Reads an exponent at the start of a text, such as "e-12", and adds it to `exponent`.  Returns the length of its text;
// 0 if there is no digit, more than nine, or a value beyond kLargestExponent.
std::size_t plainExponent(std::string_view text, std::int64_t& exponent)
{
    constexpr std::size_t kMostDigits = 9;
    const bool negative = text.substr(1).starts_with('-');
    const std::size_t begin = negative || text.substr(1).starts_with('+') ? 2 : 1;
    std::int64_t value = 0;
    std::size_t at = begin;
    for (; at < text.size() && isDigit(text[at]); ++at)
    {
        if (at - begin == kMostDigits) return 0;
        value = 10 * value + (text[at] - '0');
    }
    if (at == begin || value > kLargestExponent) return 0;
    exponent += negative ? -value : value;
    return at;
}

// Adds a number that fills its line, without blanks or a comment, as in most lines of large files.  Returns the line's
// length, including its end.  For any other line, adds nothing and returns 0.
std::size_t addPlainLine(DecimalList& list, std::string_view text)
{
    const bool negative = text.starts_with('-');
    const std::size_t begin = negative || text.starts_with('+') ? 1 : 0;
    std::string_view whole = text.substr(begin, digitsInFront(text.substr(begin))), fraction;
    std::size_t end = begin + whole.size();
    if (end < text.size() && text[end] == '.')
    {
        fraction = text.substr(end + 1, digitsInFront(text.substr(end + 1)));
        end += 1 + fraction.size();
    }
    if (whole.empty() && fraction.empty()) return 0;
    std::int64_t exponent = 0;
    if (end < text.size() && (text[end] == 'e' || text[end] == 'E'))
    {
        const std::size_t length = plainExponent(text.substr(end), exponent);
        if (length == 0) return 0;
        end += length;
    }
    if (text.substr(end).starts_with("\r\n")) ++end;
    if (end < text.size() && text[end] != '\n') return 0;
    // Zeros at either end are left out, as by canonical().
    fraction = fraction.substr(0, fraction.find_last_not_of('0') + 1);
    exponent -= std::int64_t(fraction.size());
    if (fraction.empty())
    {
        const std::size_t shown = whole.find_last_not_of('0') + 1;
        exponent += std::int64_t(whole.size() - shown);
        whole = whole.substr(0, shown);
    }
    whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
    if (whole.empty()) fraction.remove_prefix(std::min(fraction.find_first_not_of('0'), fraction.size()));
    const std::size_t digits = whole.size() + fraction.size();
    const std::span<Digit> to = digits > 0 ? list.add(digits, exponent, negative) : list.add(0, 0, false);
    reverseDigits(fraction, to.data());
    reverseDigits(whole, to.data() + fraction.size());
    return std::min(end + 1, text.size());
}

// Random numbers by SplitMix64 (Steele, Lea, Flood 2014).
class Stream
{
public:
    explicit Stream(std::uint64_t seed) : state_(seed * 0xd1342543de82ef95) {}

    std::uint64_t next()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    std::uint64_t below(std::uint64_t bound)
    {
        __extension__ using DoubleWord = unsigned __int128;
        return std::uint64_t(DoubleWord(next()) * bound >> 64);
    }

private:
    std::uint64_t state_;
};

void fillDigits(std::vector<Digit>& digits, Stream& stream, const std::stop_token& stop)
{
    constexpr int kDigitsOfOne = 16;
    constexpr std::size_t kDigitsBetweenLooks = std::size_t(1) << 22;  // digits between two checks for a stop
    std::uint64_t sixteen = 0;
    for (std::size_t i = 0; i < digits.size(); ++i, sixteen /= 10)
    {
        if (i % kDigitsOfOne == 0) sixteen = stream.below(10'000'000'000'000'000);
        if (i % kDigitsBetweenLooks == kDigitsBetweenLooks - 1 && stop.stop_requested()) return;
        digits[i] = Digit(sixteen % 10);
    }
    if (!digits.empty()) digits.back() = Digit(1 + stream.below(9));
}

}  // namespace

Result<DecimalList> readDecimals(const std::string& path, DecimalMeaning meaning, const std::stop_token& stop)
{
    const Result<std::string> text = readOperandFile(path, [&stop] { return stop.stop_requested(); });
    if (!text) return text.error();
    return decimalsInText(*text, meaning, path, stop);
}

Result<DecimalList> decimalsInText(std::string_view text, DecimalMeaning meaning, const std::string& name,
                                   const std::stop_token& stop)
{
    DecimalList list;
    std::string_view rest = text;
    std::uint64_t checked = kUncheckedBytes;
    for (std::uint64_t line = 1; !rest.empty(); ++line)
    {
        if (line % kNumbersBetweenLooks == 0 && stop.stop_requested()) return list;
        // Reserves memory for all lines, if they are like the first ones.  Pages are mapped only as the list fills.
        if (line == kLinesOfSample) reserveByPart(list, text.size() - rest.size(), text.size());
        if (list.bytes() > checked)
            if (Status status = checkMemory(name, checked = 2 * list.bytes()); !status) return status.error();
        if (meaning == DecimalMeaning::kItself)
            if (const std::size_t plain = addPlainLine(list, rest); plain > 0)
            {
                rest.remove_prefix(plain);
                continue;
            }
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (const Status status = addLine(list, rest.substr(0, end), meaning, name, line); !status)
            return status.error();
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (list.size() == 0) return Error{ExitCode::kInput, fmt::format("{}: no number in it", name)};
    return list;
}

Result<ComplexDecimals> readComplexDecimals(const std::string& path, DecimalMeaning meaning,
                                            const std::stop_token& stop)
{
    const Result<std::string> text = readOperandFile(path, [&stop] { return stop.stop_requested(); });
    if (!text) return text.error();
    ComplexDecimals numbers;
    std::string_view rest = *text;
    std::uint64_t checked = kUncheckedBytes;
    for (std::uint64_t line = 1; !rest.empty(); ++line)
    {
        if (line % kNumbersBetweenLooks == 0 && stop.stop_requested()) return numbers;
        const std::uint64_t bytes = numbers.real.bytes() + numbers.imaginary.bytes();
        if (bytes > checked)
            if (Status status = checkMemory(path, checked = 2 * bytes); !status) return status.error();
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (Status status = addComplexLine(numbers, rest.substr(0, end), meaning, path, line); !status)
            return status.error();
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (numbers.real.size() == 0) return Error{ExitCode::kInput, fmt::format("{}: no number in it", path)};
    return numbers;
}

Result<DecimalList> decimalOperand(std::string_view operand, DecimalMeaning meaning, const std::string& name,
                                   const std::stop_token& stop)
{
    DecimalList list;
    if (!operand.starts_with('@'))
    {
        if (const Status status = addNumber(list, operand, meaning, name, 1); !status) return status.error();
        return list;
    }
    const std::string path(operand.substr(1));
    Result<DecimalList> read = readDecimals(path, meaning, stop);
    if (read && read->size() != 1)
        return Error{ExitCode::kInput, fmt::format("{}: {} numbers in it, expected one", path, read->size())};
    return read;
}

DecimalList makeDecimals(const RandomDecimals& numbers, const std::stop_token& stop)
{
    constexpr std::uint64_t kLong = 4096;  // digits; checks for a stop before each number of at least this length
    Stream stream(numbers.seed);
    DecimalList list;
    Decimal number{std::vector<Digit>(numbers.digits), 0, false};
    for (std::uint64_t i = 0; i < numbers.count; ++i)
    {
        if ((i % kNumbersBetweenLooks == 0 || numbers.digits >= kLong) && stop.stop_requested()) return list;
        fillDigits(number.digits, stream, stop);
        number.exponent = std::int64_t(stream.below(2 * std::uint64_t(numbers.spread) + 1)) - numbers.spread;
        number.negative = stream.below(2) != 0;
        list.add(number);
    }
    return list;
}

}  // namespace orogen::compute
