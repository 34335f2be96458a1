#include "app/session/session_settings.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/base/process.h"
#include "app/render/renderer.h"
#include "core/base/text.h"
#include "core/colour/colour_ramp.h"
#include "core/config_file.h"

namespace orogen::app {

namespace {

// ---- presets ----

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

Result<std::string> textOf(const Preset& preset)
{
    return readSettingsFile(preset.file.string());  // regular files only: a pipe would block
}

bool usableName(std::string_view name)
{
    return !name.empty() && name.front() != '.' &&
           std::ranges::none_of(name, [](unsigned char c) { return c < 32 || c == 127 || c == '/'; });
}

// ---- settings ----

constexpr float kErrorInSoftware = 1.0f, kErrorOnHardware = 0.5f;  // pixels
// Values of earth.detail_edge (pixels), which limits how finely procedural detail on the Earth is triangulated.
// Without this limit, an error bound of 1 px over the Alps takes 27 million triangles.
constexpr float kDetailEdgeInSoftware = 36.0f, kDetailEdgeOnHardware = 4.0f;
constexpr double kMsInSoftware = 45;  // 20 frames a second even if a frame takes kGovernorTolerance (10 %) longer

Settings::Budget budgetFor(bool software)
{
    if (!software) return {};
    return {.mode = BudgetMode::kFrameMs, .value = kMsInSoftware, .finer = false};
}

// Sets the level of detail and the budget of a window session's first start, for the kind of device.
void suitDevice(Settings& settings, bool software)
{
    settings.lod.criterion = LodCriterion::kError;
    settings.lod.errorPixels = software ? kErrorInSoftware : kErrorOnHardware;
    settings.earth.detailEdge = software ? kDetailEdgeInSoftware : kDetailEdgeOnHardware;
    settings.budget = budgetFor(software);
}

std::string sentenceOn(const Settings& settings, bool software)
{
    if (!software) return fmt::format("errors up to {} px and no budget suit this GPU", settings.lod.errorPixels);
    return fmt::format("OpenGL runs on the CPU, so frames may take {} ms and errors {} px; while the camera moves, the "
                       "picture is drawn smaller where that takes longer",
                       settings.budget.value, settings.lod.errorPixels);
}

// Keys of settings that can exceed a driver's limits.  copyLimits() copies these.
constexpr std::string_view kLimits[] = {"cbt.depth",   "cbt.leaf_capacity",   "earth.depth",        "render.msaa",
                                        "patch.level", "terrain.tile_budget", "imagery.tile_budget"};

void copyLimits(const Settings& from, Settings& to)
{
    to.cbt = from.cbt;
    to.earth.depth = from.earth.depth;
    to.patch = from.patch;
    to.render.msaa = from.render.msaa;
    to.terrain.tileBudget = from.terrain.tileBudget;
    to.imagery.tileBudget = from.imagery.tileBudget;
}

constexpr std::string_view kViewKeys[] = {"view.position", "view.yaw", "view.pitch"};

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
    const Result<std::string> text = textOf(preset);
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

namespace {

// Returns whether a settings text contains the depth of a plane's tree.
bool givesDepth(const std::string& json) { return json.find("\"cbt.depth\"") != std::string::npos; }

// Returns an error if the ramp of the settings cannot be read.
Status checkRamp(const Settings& settings)
{
    if (settings.render.ramp.empty()) return Status::ok();
    const Result<ColourRamp> ramp = readRamp(settings.render.ramp);
    return ramp ? Status::ok() : Status(ramp.error());
}

}  // namespace

Status SessionSettings::read(const SessionOptions& options, bool keeps, const std::filesystem::path& dataRoot,
                             Messages& messages)
{
    dataRoot_ = dataRoot;
    sceneFile_ = options.sceneFile;
    sceneSettings_ = options.sceneSettings;
    settingsFile_ = options.settingsFile;
    assignments_ = options.assignments;
    // --ramp comes first, so that --set can override it.
    if (!options.ramp.empty())
        assignments_.insert(assignments_.begin(), {"render.ramp=" + options.ramp, "render.shading=hypsometric"});
    if (!options.preset.empty())
    {
        const Result<Preset> preset = findPreset(dataRoot, options.preset);
        if (!preset) return preset.error();
        preset_ = *preset;
    }
    if (keeps)
    {
        const std::optional<std::filesystem::path> file = settingsPath();
        std::error_code ignored;
        readStored_ = file && std::filesystem::exists(*file, ignored);
        choosesPreset_ = !readStored_ && !preset_ && sceneFile_.empty();
        StoredSettings stored = file ? readStoredSettings(*file) : StoredSettings{};
        base_ = stored.settings;
        for (const std::string& notice : stored.notices)
            messages.report(MessageKind::kWarning, notice);
        if (const Status ramp = checkRamp(base_); !ramp)
        {
            messages.report(MessageKind::kWarning, ramp.error().message + "; the program's own colours are shown");
            base_.render.ramp.clear();
        }
        keeper_.emplace(file, stored.settings);
    }
    base_ = takenTo(options.world(), base_);
    const Status layered = layer();
    reportNotices(messages);
    return layered ? checkRamp(wanted_) : layered;
}

// Reports each notice once, however often settings are layered.
void SessionSettings::reportNotices(Messages& messages)
{
    for (std::string& notice : std::exchange(notices_, {}))
    {
        if (std::ranges::find(reported_, notice) != reported_.end()) continue;
        messages.report(MessageKind::kWarning, notice);
        reported_.push_back(std::move(notice));
    }
}

Status SessionSettings::choosePresetForDevice(bool software, Messages& messages)
{
    if (software_) return Status::ok();
    software_ = software;
    if (choosesPreset_)
    {
        const Result<Preset> preset = findPreset(dataRoot_, software ? "software" : "landscape");
        if (!preset) return preset.error();
        preset_ = *preset;
        if (Status s = usePreset(base_); !s) return s;
    }
    const bool firstStart = keeper_ && !readStored_;
    if (firstStart)
    {
        suitDevice(base_, software);
        keeper_.emplace(settingsPath(), takenTo(World::kPlane, base_));
    }
    const Status layered = preset_ || firstStart ? layer() : Status::ok();
    // The message reports only values in effect: a scene, --settings or --set may have overridden the suggestion.
    const bool suggested = firstStart && wanted_.lod.criterion == base_.lod.criterion &&
                           wanted_.lod.errorPixels == base_.lod.errorPixels && wanted_.budget == base_.budget;
    const std::string look = choosesPreset_ ? fmt::format("the look is the preset {}", preset_->name) : "";
    if (suggested || choosesPreset_)
        messages.report(MessageKind::kNote,
                        "nothing was kept from earlier: " + (suggested ? sentenceOn(base_, software) : std::string()) +
                            (suggested && choosesPreset_ ? "; " : "") + look);
    reportNotices(messages);
    return layered ? findKept() : layered;
}

// Sets first_ and kept_.  Values of the preset that suits the device count as values of a first start, not as choices
// of the user.
Status SessionSettings::findKept()
{
    first_ = defaultsFor(base_);
    if (!keeper_) return Status::ok();
    const Result<Preset> suits = findPreset(dataRoot_, *software_ ? "software" : "landscape");
    if (!suits) return suits.error();
    std::vector<std::string> notices;
    if (Status s = applyPreset(*suits, first_, &notices); !s) return s;
    if (*software_) first_.render.msaa = 1;
    suitDevice(first_, *software_);
    if (!readStored_) return Status::ok();
    for (const SettingInfo& info : settingTable())
    {
        const std::string value = settingText(wanted_, info.key);
        if (info.key.starts_with("view.") || value != settingText(base_, info.key)) continue;
        const bool chosen = value != settingText(defaultsFor(base_), info.key);
        if (chosen && value != settingText(first_, info.key)) kept_.emplace_back(info.key);
    }
    return Status::ok();
}

Settings SessionSettings::measurable(Settings settings) const
{
    if (keeper_ && software_ && settings.budget == budgetFor(*software_)) settings.budget = {};
    return settings;
}

void SessionSettings::resetKept(double seconds)
{
    std::vector<SettingChange> changes;
    for (const std::string& key : kept_)
        changes.push_back({key, settingText(first_, key)});
    Settings settings = wanted_;
    if (setSettings(settings, changes)) edit(settings, seconds);
    kept_.clear();
}

Status SessionSettings::usePreset(Settings& settings)
{
    const Result<std::string> text = textOf(*preset_);
    if (!text) return text.error();
    depthGiven_ = depthGiven_ || givesDepth(*text);
    if (Status s = settingsFromJson(settings, *text, preset_->file.string(), &notices_); !s) return s;
    if (preset_->shipped && software_.value_or(false)) settings.render.msaa = 1;
    return Status::ok();
}

Status SessionSettings::layer()
{
    wanted_ = base_;
    if (!sceneFile_.empty())
    {
        noteView(sceneSettings_);
        if (Status s = settingsFromJson(wanted_, sceneSettings_, sceneFile_, &notices_); !s) return s;
        depthGiven_ = true;
    }
    if (preset_)
        if (Status s = usePreset(wanted_); !s) return s;
    if (!settingsFile_.empty())
        if (Status s = readFile(settingsFile_); !s) return s;
    return assign(assignments_);
}

// Records in viewGiven_ which keys of the camera the settings text `json` contains.
void SessionSettings::noteView(const std::string& json)
{
    for (const std::string_view key : kViewKeys)
        if (json.find(fmt::format("\"{}\"", key)) != std::string::npos) viewGiven_.emplace(key);
}

Status SessionSettings::readFile(const std::string& file)
{
    const Result<std::string> text = readSettingsFile(file, interrupted);
    if (!text) return text.error();
    noteView(*text);
    depthGiven_ = depthGiven_ || givesDepth(*text);
    return settingsFromJson(wanted_, *text, file, &notices_);
}

Status SessionSettings::assign(const std::vector<std::string>& assignments)
{
    std::vector<SettingChange> changes;
    for (const std::string& assignment : assignments)
    {
        const std::size_t sign = assignment.find('=');
        if (sign == std::string::npos)
            return Error{ExitCode::kUsage, fmt::format("--set {}: expected key=value", assignment)};
        changes.push_back({assignment.substr(0, sign), assignment.substr(sign + 1)});
        if (std::ranges::find(kViewKeys, changes.back().key) != std::end(kViewKeys))
            viewGiven_.insert(changes.back().key);
        depthGiven_ = depthGiven_ || changes.back().key == "cbt.depth";
    }
    return setSettings(wanted_, changes, &notices_);
}

void SessionSettings::take(const Settings& settings, double seconds)
{
    Settings still = settings;
    still.view = wanted_.view;
    if (!(still == wanted_)) kept_.clear();
    if (keeper_ && !(settings == wanted_)) keeper_->changed(wanted_, settings, seconds);
    if (settings.cbt.depth != wanted_.cbt.depth && settings.cbt.depth == settings.samplesDepth) depthGiven_ = false;
    wanted_ = settings;
}

void SessionSettings::holdModel()
{
    const auto hold = [](Settings& settings) { settings.model.play = false; };
    hold(wanted_);
    history_.amend(hold);
}

void SessionSettings::edit(const Settings& settings, double seconds, std::uint64_t gesture)
{
    Settings edited = settings;
    if (!edited.render.ramp.empty())  // absolute, since stored settings are read from other current directories
    {
        std::error_code failed;
        const std::filesystem::path file = std::filesystem::absolute(edited.render.ramp, failed);
        if (!failed) edited.render.ramp = file.lexically_normal().string();
    }
    history_.changed(wanted_, edited, gesture);
    take(edited, seconds);
}

bool SessionSettings::undo(double seconds)
{
    const std::optional<Settings> before = history_.undo(wanted_);
    if (before) take(*before, seconds);
    return before.has_value();
}

bool SessionSettings::redo(double seconds)
{
    const std::optional<Settings> after = history_.redo(wanted_);
    if (after) take(*after, seconds);
    return after.has_value();
}

Status SessionSettings::set(const std::string& key, const std::string& value, Messages& messages)
{
    const SettingChange change{key, value};
    const Settings before = wanted_;
    Status status = setSettings(wanted_, {&change, 1}, &notices_);
    if (status && key == "render.ramp") status = checkRamp(wanted_);
    if (!status) wanted_ = before;
    depthGiven_ = depthGiven_ || (status && key == depthKey(World::kPlane) && wanted_.world == World::kPlane);
    history_.changed(before, wanted_);
    reportNotices(messages);
    return status;
}

void SessionSettings::enter(World world)
{
    if (wanted_.world == world) return;
    wanted_ = takenTo(world, wanted_);
    base_ = takenTo(world, base_);
    first_ = takenTo(world, first_);
    history_ = {};
}

void SessionSettings::fitDepth(int samplesDepth)
{
    const auto fit = [samplesDepth](Settings& settings, bool given) {
        const int before = std::exchange(settings.samplesDepth, samplesDepth);
        if (!given && settings.cbt.depth == before) settings.cbt.depth = samplesDepth;
    };
    fit(wanted_, depthGiven_);
    const int given = wanted_.cbt.depth;  // if depthGiven_
    history_.amend([&](Settings& settings) { fit(settings, depthGiven_ && settings.cbt.depth == given); });
    fit(base_, depthGiven_);
    fit(first_, false);
}

bool SessionSettings::putKeptLimitsBack()
{
    if (!readStored_) return false;
    const Settings before = wanted_;
    copyLimits(defaultSettings(base_.world), base_);
    std::erase_if(kept_, [](const std::string& key) { return std::ranges::find(kLimits, key) != std::end(kLimits); });
    const Status layered = layer();
    const Settings limits = std::exchange(wanted_, before);
    if (layered) copyLimits(limits, wanted_);
    return !(wanted_ == before);
}

void SessionSettings::apply(Renderer& renderer, Messages& messages)
{
    const Settings held = renderer.settings();
    if (wanted_ == held) return;
    const Status status = renderer.apply(wanted_);
    if (status) return;
    messages.reportError(status);
    copyLimits(held, wanted_);
    wanted_.render.ramp = held.render.ramp;
    if (Status again = renderer.apply(wanted_); !again) wanted_ = held;
}

void SessionSettings::update(double seconds, Messages& messages)
{
    if (seconds > kKeptSeconds) kept_.clear();
    if (!keeper_) return;
    if (const std::optional<std::string> notice = keeper_->update(seconds))
        messages.report(MessageKind::kWarning, *notice);
}

void SessionSettings::flush()
{
    if (keeper_) (void)keeper_->flush();
}

}  // namespace orogen::app
