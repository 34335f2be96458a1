// Settings as a JSON object, one key per line.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/terminal_text.h"
#include "core/settings.h"

namespace orogen {

std::string settingsToJson(const Settings& settings)
{
    std::string json;
    for (const SettingInfo& info : settingTable())
    {
        const std::string text = settingText(settings, info.key);
        const bool word = info.type == SettingType::kChoice || text == kSettingNone;
        const std::string_view quote = word ? "\"" : "";
        json += fmt::format("{}\n  \"{}\": {}{}{}", json.empty() ? "{" : ",", info.key, quote, text, quote);
    }
    return json + "\n}\n";
}

namespace {

// Converts a value to the text that setSetting() reads.  Values without such a form become the name of their type, for
// the error message.
std::string textOf(const nlohmann::json& value)
{
    if (value.is_string())
    {
        return value.get<std::string>();
    }
    const bool flat = std::ranges::all_of(value, [](const auto& element) { return element.is_primitive(); });
    if (value.is_object() || value.size() > 3 || !flat)  // dump() recurses: avoid deep nesting
    {
        return value.type_name();
    }
    const double number = value.is_number_float() ? value.get<double>() : 0.5;
    const bool integral = number == std::floor(number) && std::abs(number) < 1e15;  // 24.0 counts as an integer
    return integral ? std::to_string(std::int64_t(number))
                    : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<std::vector<SettingChange>> changesIn(std::string_view json, const std::string& file)
{
    const auto inFile = [&](std::string_view what) {
        return Error{ExitCode::kInput, fmt::format("{}: {}", file, what)};
    };
    try
    {
        const auto object = nlohmann::json::parse(json);
        if (!object.is_object())
        {
            return inFile(fmt::format("found {}, expected an object of settings", object.type_name()));
        }
        std::vector<SettingChange> changes;
        for (const auto& [key, value] : object.items())
        {
            changes.push_back({key, textOf(value)});
        }
        return changes;
    }
    catch (const nlohmann::json::exception& exception)
    {
        const std::string_view what = exception.what();  // "[json.exception.parse_error.101] parse error at line ..."
        const auto bracket = what.find("] ");
        return inFile("not JSON: " + printableStart(what.substr(bracket == what.npos ? 0 : bracket + 2), 160));
    }
}

Error naming(const std::string& file, const Error& error)
{
    return {error.code, fmt::format("{}: {}", file, error.message)};
}

}  // namespace

Status settingsFromJson(Settings& settings, std::string_view json, const std::string& file,
                        std::vector<std::string>* notices)
{
    const auto changes = changesIn(json, file);
    if (!changes)
    {
        return changes.error();
    }
    std::vector<std::string> told;
    const Status status = setSettings(settings, *changes, &told);
    for (const std::string& notice : told)
        if (notices) notices->push_back(fmt::format("{}: {}", file, notice));
    return status ? Status::ok() : Status(naming(file, status.error()));
}

std::vector<Error> settingsFromJsonLeniently(Settings& settings, std::string_view json, const std::string& file)
{
    auto changes = changesIn(json, file);
    if (!changes)
    {
        return {changes.error()};
    }
    std::vector<Error> errors;
    std::erase_if(*changes, [&](const SettingChange& change) {
        Settings probe = defaultSettings(settings.world);
        const Status status = setSetting(probe, change.key, change.value);
        if (!status)
        {
            errors.push_back(naming(file, status.error()));
        }
        return !status;
    });
    if (const Status status = setSettings(settings, *changes); !status)  // merge not below split: retry without it
    {
        errors.push_back(naming(file, status.error()));
        std::erase_if(*changes, [](const SettingChange& change) { return change.key == "lod.merge_pixels"; });
        if (const Status second = setSettings(settings, *changes); !second)
        {
            errors.push_back(naming(file, second.error()));
        }
    }
    return errors;
}

}  // namespace orogen
