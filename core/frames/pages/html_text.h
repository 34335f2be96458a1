// Building blocks of HTML pages: escaping, Base64 for embedded data, and the common style of the reports.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/text.h"

namespace orogen {

// Escapes text or attribute values.  ASCII control characters become blanks, bytes that are not UTF-8 U+FFFD.
std::string escaped(std::string_view text);

// Escapes like escaped(), and puts no-break spaces between numbers and their units (%, ms, s, fps).
std::string escapedSentence(std::string_view text);

// Returns a complete page.  `title` is escaped here, `body` is HTML.
std::string htmlPage(std::string_view title, std::string_view body);

// Returns a <section> with a heading.  `body` is HTML.
std::string htmlSection(std::string_view title, std::string_view body);

// Returns a large number with a name, for the top of a page.
std::string htmlTile(std::string_view name, std::string_view value, std::string_view unit, std::string_view below = {});

// Returns a row of a table of facts; a missing value is shown as "unknown".
std::string htmlFact(std::string_view name, const std::optional<std::string>& value);

// Encodes in Base64 (RFC 4648) with padding.  Inserts a line end after every `lineLength` characters (0: none) and
// between two '/', so that a search for URLs finds no "//" in the text.
std::string base64(std::string_view bytes, std::size_t lineLength = 0);

}  // namespace orogen
