#include "core/base/base64.h"

#include <cstdint>

namespace orogen {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes, std::size_t lineLength)
{
    std::string text;
    std::size_t inLine = 0;
    const auto put = [&](char digit) {
        const bool full = lineLength > 0 && inLine == lineLength;
        if (full || (digit == '/' && !text.empty() && text.back() == '/'))
        {
            text += '\n';
            inLine = 0;
        }
        text += digit;
        ++inLine;
    };
    for (std::size_t at = 0; at < bytes.size(); at += 3)
    {
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
        for (std::size_t i = 0; i < 4; ++i)
            put(i > bytes.size() - at ? '=' : kDigits[group >> (18 - 6 * i) & 63u]);
    }
    return text;
}

}  // namespace orogen
