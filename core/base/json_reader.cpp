#include "core/base/json_reader.h"

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen {
namespace {

std::string shortened(const std::string& text)
{
    return text.size() > 40 ? printableStart(text, 37) + "..." : printable(text);
}

}  // namespace

Result<Json> parseJson(std::string_view text, const std::string& file, std::string_view document)
{
    try
    {
        return Json::parse(text, true);
    }
    catch (const JsonError& error)
    {
        switch (error.cause)
        {
        case JsonError::kNested:
            return Error{ExitCode::kInput, fmt::format("{}: {}, expected {}", file, error.what(), document)};
        case JsonError::kTwice:
            return Error{ExitCode::kInput, fmt::format("{}: found the key '{}' twice in an object, expected once", file,
                                                       shortened(error.what()))};
        case JsonError::kNumber:
            return Error{ExitCode::kInput,
                         fmt::format("{}: found a number that is too large, expected {}", file, document)};
        default:
            return Error{ExitCode::kInput, fmt::format("{}: byte {}: found no JSON value, expected {} in JSON", file,
                                                       error.byte, document)};
        }
    }
}

}  // namespace orogen
