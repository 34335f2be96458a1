// JSON documents from files that anybody may have written.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/base/status.h"

namespace orogen {

// Refuses an object that has a key twice, and more values in each other than any document here has (32), since what
// reads them goes down by recursion.  Errors: kInput, naming `file` and, as what was expected, `document` ("a frame
// report").
Result<nlohmann::ordered_json> parseJson(std::string_view text, const std::string& file, std::string_view document);

}  // namespace orogen
