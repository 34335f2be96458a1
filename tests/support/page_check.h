// Checks of a page's text alone: it must be well formed and self-contained, without scripts.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace orogen::test {

// Removes the embedded images from a page: <img alt="..." src="data:image/png;base64,...">.
inline std::string withoutPictures(std::string_view page)
{
    constexpr std::string_view kOpen = "<img alt=\"The last frame\" src=\"data:image/png;base64,";
    std::string text(page);
    for (std::size_t at = text.find(kOpen); at != text.npos; at = text.find(kOpen))
    {
        std::size_t end = at + kOpen.size();
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '+' ||
                                     text[end] == '/' || text[end] == '=' || text[end] == '\n'))
            ++end;
        if (text.compare(end, 2, "\">") != 0 || text.substr(at, end - at).find("//") != text.npos) return text;
        text.erase(at, end + 2 - at);
    }
    return text;
}

// Returns the first fault, or an empty string. Every element except void ones must be closed in the reverse order of
// opening. Scripts, event handlers, URLs other than embedded images, and references to anything outside are faults.
inline std::string pageFault(std::string_view whole)
{
    const std::string rest = withoutPictures(whole);
    const std::string_view page = rest;
    if (!page.starts_with("<!doctype html>")) return "no doctype";
    for (const char* part : {"http:", "https:", "//", "src=", "href=", "url(", "@import", "<script", "<link", "<iframe",
                             "<img", "<object", "<base", "javascript:", "srcset"})
        if (const std::size_t at = page.find(part); at != page.npos)
            return std::string("found ") + std::string(page.substr(at > 20 ? at - 20 : 0, 60));
    std::vector<std::string> open;
    const std::size_t style = page.find("<style>"), styleEnd = page.find("</style>");
    for (std::size_t at = page.find('<'); at != page.npos; at = page.find('<', at))
    {
        const std::size_t end = page.find('>', at);
        if (end == page.npos) return "an open tag at the end";
        std::string_view tag = page.substr(at + 1, end - at - 1);
        at = at == style ? styleEnd : end;
        if (tag.starts_with('!')) continue;
        const bool closing = tag.starts_with('/'), alone = tag.ends_with('/');
        if (closing) tag.remove_prefix(1);
        const std::string name(tag.substr(0, tag.find_first_of(" /")));
        if (name.empty() || !std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0; }))
            return "a '<' that is no tag: " + std::string(tag.substr(0, 40));
        if (tag.find(" on") != tag.npos) return "a handler: " + std::string(tag.substr(0, 60));
        if (alone || name == "meta" || name == "br") continue;
        if (!closing) open.push_back(name);
        if (closing && (open.empty() || open.back() != name)) return "closed out of order: " + name;
        if (closing) open.pop_back();
    }
    return open.empty() ? "" : "not closed: " + open.back();
}

}  // namespace orogen::test
