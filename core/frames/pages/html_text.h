// Text of HTML pages: escaped, with the style that the report's pages share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/text.h"

namespace orogen {

// For text and attribute values alike; control characters become blanks, bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

// The page from its doctype to its end.  `title` is escaped here, `body` is HTML.
std::string htmlPage(std::string_view title, std::string_view body);

// <section> with a heading.  `body` is HTML.
std::string htmlSection(std::string_view title, std::string_view body);

// A number with a name, large, for the top of a page.
std::string htmlTile(std::string_view name, std::string_view value, std::string_view unit, std::string_view below = {});

// A row of a table of facts; a missing value says "unknown".
std::string htmlFact(std::string_view name, const std::optional<std::string>& value);

}  // namespace orogen
