#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include "compute/exact/value_files.h"
#include "core/base/text.h"

namespace orogen::compute {
namespace {

constexpr std::string_view kLineBlanks = " \t\r\v\f";

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

enum class Parsed
{
    kNumber,
    kNoNumber,
    kTooLarge,
};

// Parses the whole text as one number.  A number too small for the type becomes 0 or the nearest subnormal number.
template <class Number>
Parsed parseNumber(std::string_view text, Number& value)
{
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || code == std::errc::invalid_argument) return Parsed::kNoNumber;
    if (code == std::errc()) return Parsed::kNumber;
    if constexpr (std::is_floating_point_v<Number>)
    {
        const std::string copy(text);
        value = Number(std::is_same_v<Number, float> ? std::strtof(copy.c_str(), nullptr)
                                                     : std::strtod(copy.c_str(), nullptr));
        return std::isinf(value) ? Parsed::kTooLarge : Parsed::kNumber;
    }
    return Parsed::kTooLarge;
}

}  // namespace

ColumnParser::ColumnParser(std::string name, ValueType type, int column)
    : name_(std::move(name)), type_(type), column_(column)
{
}

Error ColumnParser::error(std::string_view found, std::string_view expected) const
{
    const std::string where =
        column_ > 1 || (separator_ != 0 && separator_ != ' ') ? fmt::format(", column {}", column_) : std::string();
    return {ExitCode::kInput,
            fmt::format("{}:{}{}: found '{}', expected {}", name_, line_, where, printableStart(found), expected)};
}

void ColumnParser::findSeparator(std::string_view line)
{
    separator_ = ' ';
    for (const char separator : {',', ';', '\t'})
        if (line.find(separator) != line.npos)
        {
            separator_ = separator;
            return;
        }
}

// Returns the column's field without blanks and quotes; a null view if the line has fewer columns.
std::string_view ColumnParser::field(std::string_view line) const
{
    if (separator_ == ' ')
    {
        std::string_view rest = line, word;
        for (int i = 0; i < column_; ++i)
        {
            const std::size_t begin = rest.find_first_not_of(kLineBlanks);
            if (begin == rest.npos) return {};
            rest.remove_prefix(begin);
            word = rest.substr(0, rest.find_first_of(kLineBlanks));
            rest.remove_prefix(word.size());
        }
        return word;
    }
    const bool quotes = std::memchr(line.data(), '"', line.size()) != nullptr;
    std::size_t begin = 0;
    for (int i = 1;; ++i)
    {
        std::size_t end = begin;
        if (quotes)
        {
            for (bool within = false; end < line.size() && (within || line[end] != separator_); ++end)
                within = within != (line[end] == '"');
        }
        else if (const void* const found = std::memchr(line.data() + begin, separator_, line.size() - begin))
            end = std::size_t(static_cast<const char*>(found) - line.data());
        else
            end = line.size();
        if (i == column_)
        {
            std::string_view text = withoutBlanks(line.substr(begin, end - begin));
            if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
                text = withoutBlanks(text.substr(1, text.size() - 2));
            return text.empty() ? line.substr(begin, 0) : text;
        }
        if (end >= line.size()) return {};
        begin = end + 1;
    }
}

template <class Number>
Status ColumnParser::parseLine(std::string_view line, Number& value, bool& isValue)
{
    isValue = false;
    ++line_;
    line = withoutBlanks(line);
    if (line.empty() || line.front() == '#') return Status::ok();
    if (separator_ == 0) findSeparator(line);
    const bool alone = separator_ == ' ' && column_ == 1;
    if (separator_ == ' ')
        if (const std::size_t comment = line.find('#'); comment != line.npos)
            line = withoutBlanks(line.substr(0, comment));
    const std::string_view text = alone ? line.substr(0, line.find_first_of(kLineBlanks)) : field(line);
    const bool first = !begun_;
    begun_ = true;
    if (text.data() == nullptr) return error(line, fmt::format("{} columns", column_));
    switch (parseNumber(text, value))
    {
    case Parsed::kNumber:
        isValue = true;
        return Status::ok();
    case Parsed::kTooLarge:
        return error(text, fmt::format("a number that fits {}", textOf(type_)));
    case Parsed::kNoNumber:
        if (first) return Status::ok();  // the heading
        break;
    }
    return error(text, std::is_integral_v<Number> ? "an integer" : "a number");
}

template <class Number>
Result<std::size_t> ColumnParser::parseAs(std::string_view text, bool last, std::span<std::byte> values,
                                          std::size_t& count)
{
    const char* at = text.data();
    const char* const end = at + text.size();
    Number* const to = reinterpret_cast<Number*>(values.data());
    const std::size_t most = values.size() / sizeof(Number);
    while (at < end && count < most)
    {
        // Most lines consist of one number, which ends where the line ends.
        if (separator_ == ' ' && column_ == 1 && begun_)
        {
            const auto [after, code] = std::from_chars(at, end, to[count]);
            if (code == std::errc() && after < end && *after == '\n')
            {
                ++count;
                ++line_;
                at = after + 1;
                continue;
            }
        }
        const void* const found = std::memchr(at, '\n', std::size_t(end - at));
        if (!found && !last) break;
        const char* const lineEnd = found ? static_cast<const char*>(found) : end;
        bool isValue = false;
        if (Status status = parseLine(std::string_view(at, std::size_t(lineEnd - at)), to[count], isValue); !status)
            return status.error();
        count += isValue;
        at = found ? lineEnd + 1 : end;
    }
    return std::size_t(at - text.data());
}

Result<std::size_t> ColumnParser::parse(std::string_view text, bool last, std::span<std::byte> values,
                                        std::size_t& count)
{
    count = 0;
    switch (type_)
    {
    case ValueType::kFloat64:
        return parseAs<double>(text, last, values, count);
    case ValueType::kFloat32:
        return parseAs<float>(text, last, values, count);
    case ValueType::kInt64:
        return parseAs<std::int64_t>(text, last, values, count);
    case ValueType::kFloat16:
        break;
    }
    return Error{ExitCode::kUsage, "type: float16: expected float64, float32 or int64 for text"};
}

}  // namespace orogen::compute
