// Base64 (RFC 4648), for bytes in texts.
#pragma once

#include <string>
#include <string_view>

namespace orogen {

// With padding; a line end after every `lineLength` characters (0: none) and between any two '/', so that the text
// holds no "//".
std::string base64(std::string_view bytes, std::size_t lineLength = 0);

}  // namespace orogen
