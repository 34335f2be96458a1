// Reading stops at the first line that is no number, and says where it is and what was found there.
#include "compute/signed_digit/decimal_file.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/text_file.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kBetweenLooks = 1024;         // numbers, between two looks at the stop
constexpr std::uint64_t kUncheckedBytes = 16u << 20;  // a list of so many is not worth a look at what memory there is

// One number on a line, with its first character's place.
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

Status addLine(DecimalList& list, std::string_view line, DecimalMeaning meaning, const std::string& path,
               std::uint64_t number)
{
    constexpr std::string_view kBlanks = " \t\r\v\f";
    line = line.substr(0, line.find('#'));
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return Status::ok();
    const std::string_view text = line.substr(begin, line.find_last_not_of(kBlanks) + 1 - begin);
    // Where a number stands is written out only if it cannot be read: it is then read again.
    if (addNumber(list, text, meaning, path, begin + 1)) return Status::ok();
    return addNumber(list, text, meaning, fmt::format("{}:{}", path, number), begin + 1);
}

// SplitMix64 (Steele, Lea, Flood 2014).
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
        __extension__ using Wide = unsigned __int128;
        return std::uint64_t(Wide(next()) * bound >> 64);
    }

private:
    std::uint64_t state_;
};

void fillDigits(std::vector<Digit>& digits, Stream& stream, const std::stop_token& stop)
{
    constexpr int kDigitsOfOne = 16;
    constexpr std::size_t kDigitsBetweenLooks = std::size_t(1) << 22;
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
        if (line % kBetweenLooks == 0 && stop.stop_requested()) return list;
        // The list grows by doubling.
        if (list.bytes() > checked)
            if (Status status = checkMemory(name, checked = 2 * list.bytes()); !status) return status.error();
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (const Status status = addLine(list, rest.substr(0, end), meaning, name, line); !status)
            return status.error();
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (list.size() == 0) return Error{ExitCode::kInput, fmt::format("{}: no number in it", name)};
    return list;
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
    constexpr std::uint64_t kLong = 4096;  // digits, worth a look at the stop before each number
    Stream stream(numbers.seed);
    DecimalList list;
    Decimal number{std::vector<Digit>(numbers.digits), 0, false};
    for (std::uint64_t i = 0; i < numbers.count; ++i)
    {
        if ((i % kBetweenLooks == 0 || numbers.digits >= kLong) && stop.stop_requested()) return list;
        fillDigits(number.digits, stream, stop);
        number.exponent = std::int64_t(stream.below(2 * std::uint64_t(numbers.spread) + 1)) - numbers.spread;
        number.negative = stream.below(2) != 0;
        list.add(number);
    }
    return list;
}

}  // namespace orogen::compute
