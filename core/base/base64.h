// Base64 encoding (RFC 4648).
#pragma once

#include <string>
#include <string_view>

namespace orogen {

// Encodes with padding.  Inserts a line end after every `lineLength` characters (0: none) and between two '/', so that
// the text never contains "//".
std::string base64(std::string_view bytes, std::size_t lineLength = 0);

}  // namespace orogen
