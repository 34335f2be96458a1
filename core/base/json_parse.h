// Parser for untrusted JSON documents.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/status.h"

namespace orogen {

// Rejects duplicate keys in an object and nesting deeper than any document here (32), since readers recurse.  Errors:
// kInput, naming `file` and, as expected content, `document` ("a frame report").
Result<nlohmann::ordered_json> parseJson(std::string_view text, const std::string& file, std::string_view document);

}  // namespace orogen
