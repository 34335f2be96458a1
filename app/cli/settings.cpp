// orogen settings: lists every setting with key, range, default, unit and meaning.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/command.h"
#include "core/base/json.h"
#include "core/config_file.h"
#include "core/settings.h"

namespace orogen::app {
namespace {

std::string_view typeName(SettingType type)
{
    switch (type)
    {
    case SettingType::kBool:
        return "bool";
    case SettingType::kInteger:
        return "integer";
    case SettingType::kReal:
        return "real";
    case SettingType::kRealOrNone:
        return "real or none";
    case SettingType::kChoice:
        return "choice";
    case SettingType::kPosition:
        return "position";
    case SettingType::kTime:
        return "time";
    case SettingType::kText:
        return "text";
    }
    return {};
}

bool hasRange(const SettingInfo& info)
{
    return info.choices.empty() && info.type != SettingType::kBool && info.type != SettingType::kChoice &&
           info.type != SettingType::kTime && info.type != SettingType::kText;
}

Json settingJson(const SettingInfo& info, const Json& defaults)
{
    Json row = {{"key", info.key}, {"label", info.label}, {"type", typeName(info.type)}};
    row["default"] = defaults.at(std::string(info.key));
    row["lowest"] = hasRange(info) ? Json(info.minimum) : Json(nullptr);
    row["highest"] = hasRange(info) ? Json(info.maximum) : Json(nullptr);
    row["choices"] = Json::array();
    for (const std::string_view choice : info.choices)
        row["choices"].push_back(choice);
    row["unit"] = info.unit;
    row["help"] = info.text;
    return row;
}

// Returns the allowed values as text: "6 to 30", the allowed words, or a description.
std::string rangeText(const SettingInfo& info)
{
    const std::string unit = info.unit.empty() ? "" : fmt::format(" {}", info.unit);
    if (info.type == SettingType::kBool) return "true or false";
    if (info.type == SettingType::kText) return "a file's name, or nothing";
    if (info.type == SettingType::kTime) return "YYYY-MM-DDTHH:MM:SSZ from 1900 to 2099, or nothing";
    if (!info.choices.empty()) return fmt::format("{}{}", fmt::join(info.choices, ", "), unit);
    const std::string range = fmt::format("{:.10g} to {:.10g}{}", info.minimum, info.maximum, unit);
    return info.type == SettingType::kRealOrNone ? range + ", or none" : range;
}

std::string settingText(const SettingInfo& info)
{
    const std::string byDefault = settingText(Settings{}, info.key);
    return fmt::format("{}\n    {}\n    {}; default {}\n", info.key, info.text, rangeText(info),
                       byDefault.empty() ? "nothing" : byDefault);
}

Result<ExitCode> list(const std::string& part, bool json)
{
    const Json defaults = Json::parse(settingsToJson(Settings{}));
    Json rows = Json::array();
    std::string text;
    for (const SettingInfo& info : settingTable())
    {
        if (info.key.find(part) == std::string_view::npos) continue;
        rows.push_back(settingJson(info, defaults));
        text += settingText(info);
    }
    if (rows.empty())
        return Error{ExitCode::kUsage, fmt::format("settings: found '{}', expected a part of a key; orogen settings "
                                                   "lists them",
                                                   part)};
    print(json ? rows.dump(2) + "\n" : text);
    return ExitCode::kDone;
}

}  // namespace

void addSettingsCommand(CLI::App& root, Command& chosen)
{
    struct Arguments
    {
        std::string part;
        bool json = false;
    };
    CLI::App* command = root.add_subcommand("settings", "every setting: key, meaning, range, default");
    const auto arguments = std::make_shared<Arguments>();
    command->add_option("PART", arguments->part, "only keys that contain it, such as lod (all)");
    command->add_flag("--json", arguments->json, "one JSON array");
    command->callback(
        [arguments, &chosen] { chosen = [arguments] { return list(arguments->part, arguments->json); }; });
}

}  // namespace orogen::app
