#include "app/ui/command_text.h"

#include "core/terrain/earth/earth_source.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen::app {

namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";

// Returns the value as a command-line option needs it: a position without brackets, which are special to a shell, and
// camera values with two decimals.
std::string optionValue(const Settings& settings, const SettingInfo& info)
{
    const Settings::View& view = settings.view;
    if (info.key == "view.position")
        return fmt::format("{},{},{}", fixedText(view.position.x, 2), fixedText(view.position.y, 2),
                           fixedText(view.position.z, 2));
    if (info.key == "view.yaw") return fixedText(view.yaw, 2);
    if (info.key == "view.pitch") return fixedText(view.pitch, 2);
    if (info.key == "view.fov") return fixedText(view.fov, 2);
    return settingText(settings, info.key);
}

std::string option(const Settings& settings, const SettingInfo& info)
{
    return shellWord(fmt::format("{}={}", info.key, optionValue(settings, info)));
}

}  // namespace

std::string shellWord(std::string_view text)
{
    const bool plain = !text.empty() && text.find_first_not_of(kPlain) == text.npos;
    if (plain) return std::string(text);
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + "'";
}

std::string absoluteDem(const std::string& dem)
{
    if (dem.empty() || dem.starts_with("synthetic:") || dem == kEarthName) return dem;
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::absolute(dem, failed);
    return failed ? dem : path.lexically_normal().string();
}

std::string changedAsOptions(const Settings& settings)
{
    const auto changed = [&](std::string_view key) {
        return settingText(settings, key) != settingText(defaultsFor(settings), key);
    };
    std::string text;
    for (const SettingInfo& info : settingTable())  // setting one LOD threshold moves the other unless both are given
        if (changed(info.key) || (info.key == "lod.merge_pixels" && changed("lod.split_pixels")))
            text += (text.empty() ? "--set " : " --set ") + option(settings, info);
    return text;
}

std::string viewAsOptions(const Settings& settings)
{
    std::string text;
    for (const SettingInfo& info : settingTable())
        if (info.key.starts_with("view.")) text += (text.empty() ? "--set " : " --set ") + option(settings, info);
    return text;
}

std::string viewCommand(const std::string& dem, const Settings& settings)
{
    std::string command = "orogen view";
    if (const std::string file = absoluteDem(dem); !file.empty()) command += ' ' + shellWord(file);
    if (const std::string changed = changedAsOptions(settings); !changed.empty()) command += ' ' + changed;
    return command;
}

}  // namespace orogen::app
