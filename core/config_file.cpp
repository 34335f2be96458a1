#include "core/config_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/settings.h"

namespace orogen {
namespace {

constexpr std::uint64_t kLargestConfigFile = 1 << 20;  // bytes; the usual size is a few KiB

std::optional<std::filesystem::path> absoluteFolder(const char* variable)
{
    const char* value = std::getenv(variable);
    const std::filesystem::path path = value ? value : "";
    return path.is_absolute() ? std::optional(path) : std::nullopt;
}

// Returns whether `key` is never stored.  The camera's place belongs to one terrain.  A frozen tree would leave the
// next terrain without triangles.  A playing model would change the next terrain.
bool notKept(std::string_view key)
{
    return key == "view.position" || key == "view.yaw" || key == "view.pitch" || key == "lod.frozen" ||
           key == "model.play";
}

// Copies a setting to the stored settings.  The stored settings belong to a plane, so values that only the Earth allows
// are dropped.
void copySetting(Settings& to, const Settings& from, std::string_view key)
{
    [[maybe_unused]] const Status status = setSetting(to, key, settingText(from, key));
    assert(status || from.world != to.world);
}

}  // namespace

std::optional<std::filesystem::path> settingsPath()
{
    if (const auto xdg = absoluteFolder("XDG_CONFIG_HOME"))
    {
        return *xdg / "orogen" / "settings.json";
    }
    const auto home = absoluteFolder("HOME");
    return home ? std::optional(*home / ".config" / "orogen" / "settings.json") : std::nullopt;
}

std::optional<std::filesystem::path> ownFolder(std::string_view name)
{
    const auto settings = settingsPath();
    return settings ? std::optional(settings->parent_path() / name) : std::nullopt;
}

Result<std::string> readSettingsFile(const std::string& file, const StopReading& stop)
{
    return readTextFile(file, kLargestConfigFile, stop);
}

StoredSettings readStoredSettings(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    const Result<std::string> text = readSettingsFile(file.string());
    if (!text) return {{}, {text.error().message + "; the defaults are used"}};
    StoredSettings stored;
    for (const Error& bad : settingsFromJsonLeniently(stored.settings, *text, file.string()))
        stored.notices.push_back(bad.message);
    stored.settings.lod.frozen = false;  // may be stored by an older version
    stored.settings.model.play = false;
    return stored;
}

Status storeSettings(const std::filesystem::path& file, const Settings& settings)
{
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error)
    {
        return Error{ExitCode::kOutput, fmt::format("{}: {}", file.parent_path().string(), error.message())};
    }
    auto json = Json::parse(settingsToJson(settings));
    for (const SettingInfo& info : settingTable())
    {
        const bool followsSamples = info.key == depthKey(World::kPlane) && settings.cbt.depth == settings.samplesDepth;
        if (notKept(info.key) || followsSamples)
        {
            json.erase(std::string(info.key));
        }
    }
    return writeFileAtomically(file.string(), json.dump(2) + "\n");
}

SettingsKeeper::SettingsKeeper(std::optional<std::filesystem::path> file, const Settings& stored)
    : file_(std::move(file)), kept_(stored)
{
}

void SettingsKeeper::changed(const Settings& before, const Settings& after, double now)
{
    bool any = false;
    for (const SettingInfo& info : settingTable())
    {
        if (!notKept(info.key) && settingText(before, info.key) != settingText(after, info.key))
        {
            copySetting(kept_, after, info.key);
            any = true;
        }
    }
    if (before.lod.splitPixels != after.lod.splitPixels || before.lod.mergePixels != after.lod.mergePixels)
    {
        copySetting(kept_, after, "lod.split_pixels");  // copies both thresholds: one alone may be invalid
        copySetting(kept_, after, "lod.merge_pixels");
    }
    changedAt_ = any ? std::optional(now) : changedAt_;
}

std::optional<std::string> SettingsKeeper::update(double now)
{
    return changedAt_ && now - *changedAt_ >= kDelay ? flush() : std::nullopt;
}

std::optional<std::string> SettingsKeeper::flush()
{
    if (!std::exchange(changedAt_, std::nullopt))
    {
        return std::nullopt;
    }
    const Status status = file_ ? storeSettings(*file_, kept_)
                                : Status(Error{ExitCode::kOutput, "neither XDG_CONFIG_HOME nor HOME names a folder"});
    if (status || std::exchange(noticed_, true))
    {
        return std::nullopt;
    }
    return "settings are not kept: " + status.error().message;
}

std::string settingsToJson(const Settings& settings)
{
    std::string json;
    for (const SettingInfo& info : settingTable())
    {
        const std::string text = settingText(settings, info.key);
        if (info.type == SettingType::kText)
        {
            json += fmt::format("{}\n  \"{}\": {}", json.empty() ? "{" : ",", info.key, Json(text).dump());
            continue;
        }
        const bool word = info.type == SettingType::kChoice || info.type == SettingType::kTime || text == kSettingNone;
        const std::string_view quote = word ? "\"" : "";
        json += fmt::format("{}\n  \"{}\": {}{}{}", json.empty() ? "{" : ",", info.key, quote, text, quote);
    }
    return json + "\n}\n";
}

// ---- settings as JSON ----

namespace {

// Converts a value to the text that setSetting() reads.  Objects, and arrays that are nested or have more than three
// elements, become the name of their type, for the error message.
std::string textOf(const Json& value)
{
    if (value.isText()) return value.text();
    const auto isNested = [](const Json& item) { return item.isArray() || item.isObject(); };
    if (value.isObject() || (value.isArray() && (value.size() > 3 || std::ranges::any_of(value.items(), isNested))))
        return std::string(value.typeName());
    const double number = value.isFloat() ? value.get<double>() : 0.5;
    const bool integral = number == std::floor(number) && std::abs(number) < 1e15;  // 24.0 counts as an integer
    return integral ? std::to_string(std::int64_t(number)) : value.dump();
}

Result<std::vector<SettingChange>> changesIn(std::string_view json, const std::string& file)
{
    const auto inFile = [&](std::string_view what) {
        return Error{ExitCode::kInput, fmt::format("{}: {}", file, what)};
    };
    try
    {
        const auto object = Json::parse(json).sorted();
        if (!object.isObject())
        {
            return inFile(fmt::format("found {}, expected an object of settings", object.typeName()));
        }
        std::vector<SettingChange> changes;
        for (const auto& [key, value] : object.members())
        {
            changes.push_back({key, textOf(value)});
        }
        return changes;
    }
    catch (const JsonError& error)
    {
        return inFile((error.cause == JsonError::kNested ? "" : "not JSON: ") + printableStart(error.what(), 160));
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
    if (const Status status = setSettings(settings, *changes); !status)  // thresholds contradict: retry without merge
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
