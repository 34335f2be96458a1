// Sanitising of external text (file names, file contents, driver messages) for one line on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orogen {

// Escapes control characters (C0, DEL and C1), line and paragraph separators, marks that reverse the direction of
// writing, and bytes that are not UTF-8: \t, \n, \r, \x1b, \u202e.  Keeps all else, so that printable text is
// unchanged.
std::string printable(std::string_view text);

// Returns at most the first `bytes` bytes, made printable, without splitting a character.  The default suits a
// quotation in a one-line message.
std::string printableStart(std::string_view text, std::size_t bytes = 64);

}  // namespace orogen
