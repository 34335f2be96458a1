#include "core/base/json_reader.h"

#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 32;  // nesting depth

std::string shortened(const std::string& text)
{
    return text.size() > 40 ? printableStart(text, 37) + "..." : printable(text);
}

}  // namespace

Result<Json> parseJson(std::string_view text, const std::string& file, std::string_view document)
{
    std::vector<std::set<std::string>> keys;
    std::string twice;
    bool tooDeep = false;
    const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
        tooDeep = tooDeep || depth > kDeepest;
        if (tooDeep) return false;
        if (event == Json::parse_event_t::object_start) keys.emplace_back();
        if (event == Json::parse_event_t::object_end) keys.pop_back();
        if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
            twice = value.get<std::string>();
        return true;
    };
    try
    {
        Json json = Json::parse(text, watch);
        if (tooDeep)
            return Error{ExitCode::kInput,
                         fmt::format("{}: found more than {} nested values, expected {}", file, kDeepest, document)};
        if (twice.empty()) return json;
        return Error{ExitCode::kInput,
                     fmt::format("{}: found the key '{}' twice in an object, expected once", file, shortened(twice))};
    }
    catch (const Json::parse_error& error)
    {
        return Error{ExitCode::kInput,
                     fmt::format("{}: byte {}: found no JSON value, expected {} in JSON", file, error.byte, document)};
    }
    catch (const Json::exception&)  // number out of range
    {
        return Error{ExitCode::kInput,
                     fmt::format("{}: found a number that is too large, expected {}", file, document)};
    }
}

}  // namespace orogen
