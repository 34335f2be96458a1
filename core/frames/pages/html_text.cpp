#include "core/frames/pages/html_text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include <fmt/format.h>

namespace orogen {
namespace {

// The colours --p0 ... --p4 of stacked layers get lighter upwards, so that they differ in black and white.
constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--page:#fff;--card:#f4f6f8;--ink:#14181d;--soft:#59616d;--line:#d4d9e0;--grid:#e6e9ee;
--p0:#2a2f73;--p1:#31688e;--p2:#1f9a8a;--p3:#7fd34e;--p4:#fbe33b;--rest:#d3d8df;--edge:#fff;--a:#3568c9;--b:#b8400e;
--good:#136f3a;--bad:#b42318;--warn:#fff6e0;--warnline:#e0a100}
@media(prefers-color-scheme:dark){:root{--page:#0f1216;--card:#181d23;--ink:#e8ebf0;--soft:#9ca6b4;--line:#343c47;
--grid:#252b33;--p0:#4b4fa8;--p1:#3f7fae;--p2:#2bb3a1;--p3:#8fdc62;--p4:#fbea6e;--rest:#3c4552;--edge:#0f1216;
--a:#6d9bf5;--b:#ff9a57;--good:#5bd08c;--bad:#ff8a80;--warn:#2b2410;--warnline:#c79412}}
@media print{:root{color-scheme:light;--page:#fff;--card:#fff;--ink:#000;--soft:#333;--line:#999;--grid:#ddd;--edge:#fff;
--p0:#2a2f73;--p1:#31688e;--p2:#1f9a8a;--p3:#7fd34e;--p4:#fbe33b;--rest:#d3d8df;--a:#3568c9;--b:#b8400e;--good:#136f3a;
--bad:#b42318;--warn:#fff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:74rem;padding:1.6rem 1.6rem 3rem;background:var(--page);color:var(--ink);
font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.55rem;line-height:1.2;margin:0 0 .25rem}h2{font-size:1.1rem;margin:2.2rem 0 .5rem}
p{margin:.3rem 0}.soft,figcaption,.xn,.yn{color:var(--soft)}
.note{background:var(--warn);border-left:4px solid var(--warnline);padding:.45rem .8rem;margin:.5rem 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.6rem,1fr));gap:.7rem;margin:1.2rem 0}
.tile{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem}
.tile b{display:block;font-size:1.5rem;line-height:1.25;font-variant-numeric:tabular-nums;overflow-wrap:normal}
.tile b small{font-size:.85rem;font-weight:400;color:var(--soft)}.tile span{color:var(--soft);font-size:.85rem}
.verdict:not(.named)::first-letter{text-transform:uppercase}.verdict{font-size:1.25rem;line-height:1.35;font-weight:600;margin:.5rem 0 .7rem;overflow-wrap:normal}
figure{margin:.3rem 0 1.2rem}.shot img{display:block;width:20rem;max-width:100%;border-radius:.4rem}.shot figcaption{margin-left:0}
figcaption,.xn,.yn{font-size:.82rem}figcaption:empty,.yn:empty{display:none}
.xn{text-align:center;margin-left:3.2rem}.yn{margin-left:3.2rem;margin-bottom:.2rem}
figcaption{margin:.25rem 0 0 3.2rem}
.plot{position:relative;height:13rem;margin:0 .4rem 1.35rem 3.2rem}.plot.tall{height:17rem}
.plot svg{position:absolute;inset:0;width:100%;height:100%;border-left:1px solid var(--soft);
border-bottom:1px solid var(--soft);overflow:visible}
.plot path,.plot rect{vector-effect:non-scaling-stroke}
.plot span{position:absolute;font-size:.76rem;line-height:1;color:var(--soft);white-space:nowrap;
font-variant-numeric:tabular-nums}
.yt{right:calc(100% + .4rem);transform:translateY(50%)}.xt{top:calc(100% + .35rem);transform:translateX(-50%)}
.plot .ml,.plot .mu{color:var(--ink);background:var(--page);padding:.1rem .2rem;opacity:.85}
.ml{right:.2rem;transform:translateY(50%)}.ml.over{transform:none}
.mu{margin-left:.25rem}.mu.r{transform:translateX(-100%);margin-left:-.25rem}
.grid{fill:none;stroke:var(--grid);stroke-width:1}.mark{fill:none;stroke:var(--ink);stroke-width:1;stroke-dasharray:5 4;
opacity:.65}
.p0,.p1,.p2,.p3,.p4,.rest{stroke:var(--edge);stroke-width:.6}
.p0{fill:var(--p0)}.p1{fill:var(--p1)}.p2{fill:var(--p2)}.p3{fill:var(--p3)}.p4{fill:var(--p4)}.rest{fill:var(--rest)}
.interval{fill:none;stroke:var(--ink);stroke-width:1.1;stroke-linejoin:round}
.cpu{fill:none;stroke:var(--bad);stroke-width:1.3;stroke-dasharray:3 2}
.over{fill:none;stroke:var(--bad);stroke-width:2}.event{fill:var(--b);stroke:var(--page);stroke-width:.5}
.hist-a{fill:var(--a);stroke:none;opacity:.75}.hist-b{fill:none;stroke:var(--b);stroke-width:1.8}
.line-a{fill:none;stroke:var(--a);stroke-width:2.2}.line-b{fill:none;stroke:var(--b);stroke-width:2.2;
stroke-dasharray:7 3}.line-run{fill:none;stroke:var(--soft);stroke-width:.8}
.line-c{fill:none;stroke:var(--p2);stroke-width:2.2;stroke-dasharray:2 3}.line-d{fill:none;stroke:var(--warnline);stroke-width:2.2;
stroke-dasharray:12 4}.line-e{fill:none;stroke:var(--bad);stroke-width:1.4}.line-f{fill:none;stroke:var(--p0);stroke-width:1.4;
stroke-dasharray:5 2 1 2}.bars{fill:none;stroke:var(--soft);stroke-width:4;opacity:.55}
.key-a{fill:var(--a)}.key-b{fill:none;stroke:var(--b);stroke-width:3}
.legend{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;font-size:.85rem;margin:.2rem 0 .7rem 3.2rem}
.legend span{white-space:nowrap}.legend svg{width:1.05rem;height:.66rem;margin-right:.4rem}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:0 1.6rem}
.scroll{overflow-x:auto;background:linear-gradient(to left,var(--page) 40%,transparent) 100% 0/2rem 100% no-repeat local,
linear-gradient(to right,var(--page) 40%,transparent) 0 0/2rem 100% no-repeat local,
radial-gradient(farthest-side at 100% 50%,var(--soft),transparent) 100% 0/.6rem 100% no-repeat scroll,
radial-gradient(farthest-side at 0 50%,var(--soft),transparent) 0 0/.6rem 100% no-repeat scroll}
.scroll th,.scroll td{overflow-wrap:normal;padding-right:.5rem}.scroll tbody th{white-space:nowrap}
.scroll .def{min-width:16rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.32rem .8rem .32rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600}thead th{color:var(--soft);font-size:.85rem;white-space:nowrap;overflow-wrap:normal}
tbody th{font-weight:500}.n{text-align:right;white-space:nowrap;overflow-wrap:normal}
.n+td:not(.n),.n+th:not(.n){padding-left:.8rem}
.defs th:first-child{width:14rem}.defs td.n{width:17rem}
.def{color:var(--soft);font-size:.85rem}.facts th{width:11rem;color:var(--soft);font-weight:400}
code{font:.85em ui-monospace,"DejaVu Sans Mono",monospace}
.forest{width:8.5rem;height:1.4rem;display:block}.forest circle{fill:var(--ink)}.band{fill:var(--line);opacity:.7}
.one{stroke:var(--soft);stroke-dasharray:3 2}.span{fill:none;stroke:var(--ink);stroke-width:1.6}
.key{width:1.05rem;height:.66rem;margin-right:.4rem}
.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
@media(max-width:40rem){.defs th:first-child,.defs td.n{width:auto}body{padding:1rem .8rem 2rem;font-size:14px}.def{display:block}.defs thead{display:none}
.defs tr{display:grid;grid-template-columns:1fr auto;border-bottom:1px solid var(--line)}.defs th,.defs td{border:0}
.defs .def{grid-column:1/-1;padding-top:0}.facts th{width:7rem}.plot{margin-left:2.6rem}
.legend,figcaption,.xn,.yn{margin-left:2.6rem}.scroll th,.scroll td{padding-right:.5rem}.scroll .def{white-space:nowrap}}
@media print{body{padding:0;font-size:11px}figure,tr,.tiles{break-inside:avoid}
h2,h3,h3+p,.legend{break-after:avoid}thead th,.def{font-size:inherit}
.scroll{overflow:visible;background:none}.scroll table{font-size:9px}.scroll .forest{width:5rem}
.scroll th,.scroll td{padding-right:.3rem}.scroll thead th{white-space:normal}}
)css";

// Returns the length of the UTF-8 sequence at the front of `text`; 0 if invalid (RFC 3629: shortest form, no
// surrogates).
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

std::string escapedSentence(std::string_view text)
{
    std::string sentence = escaped(text);
    for (const std::string_view unit : {"%", "ms", "s", "fps"})
        for (std::size_t at = sentence.find(' '); at != sentence.npos; at = sentence.find(' ', at + 1))
        {
            const std::size_t end = at + 1 + unit.size();
            const auto isWord = [&](std::size_t i) {
                return i < sentence.size() && std::isalnum(static_cast<unsigned char>(sentence[i])) != 0;
            };
            if (at == 0 || sentence[at - 1] < '0' || sentence[at - 1] > '9' || isWord(end) ||
                sentence.compare(at + 1, unit.size(), unit) != 0)
                continue;
            sentence.replace(at, 1, "\u00a0");
        }
    return sentence;
}

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

std::string htmlSection(std::string_view title, std::string_view body)
{
    return fmt::format("<section><h2>{}</h2>\n{}</section>\n", escaped(title), body);
}

std::string htmlTile(std::string_view name, std::string_view value, std::string_view unit, std::string_view below)
{
    return fmt::format("<div class=tile><span>{}</span><b>{} <small>{}</small></b><span>{}</span></div>\n",
                       escaped(name), escaped(value), escaped(unit), escapedSentence(below));
}

std::string htmlFact(std::string_view name, const std::optional<std::string>& value)
{
    return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(name),
                       value ? escaped(*value) : "<span class=soft>unknown</span>");
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

// ---- Base64 ----

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
