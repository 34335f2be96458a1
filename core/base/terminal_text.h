// Text from elsewhere (a file's name, a word of a file, a driver's message) made fit to stand in a line on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orogen {

// Control characters (C0, DEL and C1), line and paragraph separators, marks that reverse the direction of writing, and
// bytes that are no UTF-8 become visible escapes: \t, \n, \r, \x1b, \u202e.  All else, UTF-8 among it, stays as it is,
// so that a text that is printable is not changed again.
std::string printable(std::string_view text);

// The first `bytes` bytes of the text at most, without cutting a character apart, printable.
// 64 is as much of what a user wrote as a message of one line quotes.
std::string printableStart(std::string_view text, std::size_t bytes = 64);

}  // namespace orogen
