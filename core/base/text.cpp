#include "core/base/text.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace orogen {
namespace {

std::string withSeparators(std::string_view digits)
{
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i)
    {
        if (i > 0 && (digits.size() - i) % 3 == 0 && std::isdigit(static_cast<unsigned char>(digits[i - 1])))
            text += ',';
        text += digits[i];
    }
    return text;
}

}  // namespace

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view takeWord(std::string_view& rest)
{
    rest = trimmed(rest);
    const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
    rest = trimmed(rest.substr(word.size()));
    return word;
}

std::optional<double> leadingNumber(std::string_view text)
{
    const auto skipped = [](char c) { return c == '+' || kBlanks.find(c) != kBlanks.npos; };
    text.remove_prefix(std::size_t(std::ranges::find_if_not(text, skipped) - text.begin()));
    double value = 0;
    const auto error = std::from_chars(text.data(), text.data() + text.size(), value).ec;
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::string grouped(std::uint64_t number) { return withSeparators(std::to_string(number)); }

std::string fixedText(double number, int decimals)
{
    std::string text = fmt::format("{:.{}f}", number, decimals);
    if (text.front() == '-' && text.find_first_not_of("-0.") == text.npos) text.erase(0, 1);
    return text;
}

std::string grouped(double number, int decimals)
{
    const std::string text = fixedText(number, decimals);
    const std::size_t point = std::min(text.find('.'), text.size());
    return withSeparators(std::string_view(text).substr(0, point)) + text.substr(point);
}

}  // namespace orogen
