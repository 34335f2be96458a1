#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

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

std::string_view withoutByteOrderMark(std::string_view text)
{
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    return text;
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

std::string significant(double number, int digits)
{
    return number < 999.5 ? fmt::format("{:.{}g}", number, digits) : grouped(number, 0);
}

std::string counted(std::uint64_t number, std::string_view noun)
{
    return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
    {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j < row.size(); ++j)
        {
            const std::size_t changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

namespace {

struct Character
{
    std::uint32_t code = 0;
    std::size_t bytes = 0;  // 0: no valid UTF-8 starts here
};

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80u; }

// Decodes the first character.  Rejects overlong encodings, surrogates and code points above U+10FFFF.
Character firstCharacter(std::string_view text)
{
    const auto lead = std::uint32_t(static_cast<unsigned char>(text.front()));
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = lead & (0x7fu >> bytes);
    for (const char byte : text.substr(1, bytes - 1))
    {
        if (!continues(byte)) return {};
        code = code << 6 | (static_cast<unsigned char>(byte) & 0x3fu);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = 0xd800 <= code && code <= 0xdfff;
    return code < kLeast[bytes] || surrogate || code > 0x10ffff ? Character{} : Character{code, bytes};
}

bool actsOnTerminal(std::uint32_t code)
{
    const auto within = [code](std::uint32_t first, std::uint32_t last) { return first <= code && code <= last; };
    return code < 0x20 || within(0x7f, 0x9f) || within(0x200e, 0x200f) || within(0x2028, 0x202e) ||
           within(0x2066, 0x2069) || code == 0x061c;
}

std::string escaped(std::uint32_t code)
{
    switch (code)
    {
    case '\t':
        return "\\t";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    default:
        return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    }
}

}  // namespace

std::string printable(std::string_view text)
{
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty())
    {
        const Character character = firstCharacter(text);
        if (character.bytes == 0)
            fmt::format_to(std::back_inserter(shown), "\\x{:02x}", static_cast<unsigned char>(text.front()));
        else if (actsOnTerminal(character.code))
            shown += escaped(character.code);
        else
            shown += text.substr(0, character.bytes);
        text.remove_prefix(std::max<std::size_t>(character.bytes, 1));
    }
    return shown;
}

std::string printableStart(std::string_view text, std::size_t bytes)
{
    constexpr std::size_t kLongestCharacter = 4;
    std::size_t end = std::min(bytes, text.size());
    for (std::size_t back = 1; end < text.size() && back < kLongestCharacter && continues(text[end]) && end > 0; ++back)
        --end;
    return printable(text.substr(0, end));
}

}  // namespace orogen
