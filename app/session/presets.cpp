#include "app/session/presets.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "core/base/terminal_text.h"
#include "core/config_file.h"

namespace orogen::app {
namespace {

constexpr std::string_view kPresetSuffix = ".json";

std::optional<std::filesystem::path> userFolder()
{
    const std::optional<std::filesystem::path> kept = settingsPath();
    return kept ? std::optional(kept->parent_path() / "presets") : std::nullopt;
}

std::vector<Preset> presetsIn(const std::filesystem::path& folder, bool shipped)
{
    std::vector<Preset> presets;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed))
        if (entry->path().extension() == kPresetSuffix)
            presets.push_back({entry->path().stem().string(), entry->path(), shipped});
    std::ranges::sort(presets, {}, &Preset::name);
    return presets;
}

bool usableName(std::string_view name)
{
    return !name.empty() && name.front() != '.' &&
           std::ranges::none_of(name, [](unsigned char c) { return c < 32 || c == 127 || c == '/'; });
}

}  // namespace

std::vector<Preset> listPresets(const std::filesystem::path& dataRoot)
{
    const std::vector<Preset> shipped = presetsIn(dataRoot / kPresets, true);
    std::vector<Preset> presets = shipped;
    const std::optional<std::filesystem::path> folder = userFolder();
    for (Preset& own : folder ? presetsIn(*folder, false) : std::vector<Preset>{})
        if (std::ranges::find(shipped, own.name, &Preset::name) == shipped.end()) presets.push_back(std::move(own));
    return presets;
}

Result<Preset> findPreset(const std::filesystem::path& dataRoot, std::string_view name)
{
    const std::vector<Preset> presets = listPresets(dataRoot);
    const auto found = std::ranges::find(presets, name, &Preset::name);
    if (found != presets.end()) return *found;
    std::vector<std::string> names;
    for (const Preset& preset : presets)
        names.push_back(printable(preset.name));
    return Error{ExitCode::kUsage, fmt::format("--preset {}: no such preset, expected one of {}", printableStart(name),
                                               fmt::join(names, ", "))};
}

Status applyPreset(const Preset& preset, Settings& settings, std::vector<std::string>* notices)
{
    const Result<std::string> text = readSettingsFile(preset.file.string());  // regular files only: a pipe would block
    if (!text) return text.error();
    return settingsFromJson(settings, *text, preset.file.string(), notices);
}

std::optional<std::filesystem::path> userPresetFile(const std::filesystem::path& dataRoot, std::string_view name)
{
    const std::optional<std::filesystem::path> folder = userFolder();
    const std::vector<Preset> shippedOnes = presetsIn(dataRoot / kPresets, true);
    const bool shipped = std::ranges::find(shippedOnes, name, &Preset::name) != shippedOnes.end();
    if (!folder || shipped || !usableName(name)) return std::nullopt;
    return *folder / (std::string(name) + std::string(kPresetSuffix));
}

}  // namespace orogen::app
