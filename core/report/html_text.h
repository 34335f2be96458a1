// Text of HTML pages: escaped, with the style that the report's pages share.
#pragma once

#include <string>
#include <string_view>

namespace orogen {

// For text and attribute values alike; control characters become blanks, bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text);

// The page from its doctype to its end.  `title` is escaped here, `body` is HTML.
std::string htmlPage(std::string_view title, std::string_view body);

}  // namespace orogen
