#include "core/report/html_text.h"

#include <array>
#include <cstdint>

namespace orogen {
namespace {

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--page:#fff;--card:#f5f6f8;--ink:#15181d;--soft:#59616d;--line:#d5d9e0;
--p0:#1d2b53;--p1:#3b528b;--p2:#21918c;--p3:#5ec962;--p4:#f1e05a;--rest:#b9c0cb;--edge:#fff;--a:#2457c5;--b:#c2410c;
--good:#136f3a;--bad:#b42318}
@media(prefers-color-scheme:dark){:root{--page:#101317;--card:#1a1f26;--ink:#e8ebf0;--soft:#9aa4b2;--line:#353d49;
--p0:#5a6fb8;--p1:#4f86c6;--p2:#2fb5ac;--p3:#86d98a;--p4:#f6eb8b;--rest:#4a5462;--edge:#101317;--a:#7aa8ff;--b:#ff9d5c;
--good:#5bd08c;--bad:#ff8a80}}
@media print{:root{--page:#fff;--card:#fff;--ink:#000;--soft:#333;--line:#999;--edge:#fff}
section,table,svg{break-inside:avoid}body{font-size:11px}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1.5rem;background:var(--page);color:var(--ink);
font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
h1{font-size:1.6rem;margin:0 0 .2rem}h2{font-size:1.15rem;margin:2rem 0 .6rem}
p{margin:.3rem 0}.soft{color:var(--soft)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.n{text-align:right;white-space:nowrap}
)css";

// Length of the UTF-8 sequence at the front of `text`; 0 if there is none (RFC 3629: shortest form, no surrogates).
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first < 0xf0)
    {
        const bool allowed = first == 0xe0 ? byte(1) >= 0xa0 : first != 0xed || byte(1) < 0xa0;
        return allowed && follows(1) && follows(2) ? 3 : 0;
    }
    if (first < 0xf0 || first > 0xf4) return 0;
    const bool allowed = first == 0xf0 ? byte(1) >= 0x90 : first != 0xf4 || byte(1) < 0x90;
    return allowed && follows(1) && follows(2) && follows(3) ? 4 : 0;
}

std::string_view entityOf(char c)
{
    switch (c)
    {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return {};
    }
}

}  // namespace

std::string escaped(std::string_view text)
{
    std::string html;
    while (!text.empty())
    {
        const std::size_t length = sequenceLength(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (length == 0)
            html += "\xef\xbf\xbd";
        else if (const std::string_view entity = entityOf(text.front()); !entity.empty())
            html += entity;
        else if (first < 0x20 || first == 0x7f)
            html += ' ';
        else
            html += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return html;
}

std::string htmlPage(std::string_view title, std::string_view body)
{
    std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                       "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                       "<meta name=\"color-scheme\" content=\"light dark\"><title>";
    page += escaped(title);
    page += "</title><style>";
    page += kStyle;
    page += "</style></head><body>\n";
    page += body;
    page += "</body></html>\n";
    return page;
}

}  // namespace orogen
