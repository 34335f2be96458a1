// The Terrain panel: the open terrain, and the settings for its triangulation and drawing.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/model/format.h"
#include "app/ui/file_browser.h"
#include "app/ui/panels.h"
#include "app/ui/widgets.h"
#include "app/ui/words.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

// ---- settings as a whole ----

// Returns a list such as "Tree depth, leaves at most and 3 more".  Replaces keys of settings by their labels; shows
// other words of `keys` unchanged.
std::string labelsOf(const std::vector<std::string>& keys)
{
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(keys.size(), kShown); ++i)
    {
        const SettingInfo* const setting = findSetting(keys[i]);
        text += (i == 0 ? "" : ", ") + (setting ? settingLabel(*setting) : keys[i]);
    }
    return keys.size() > kShown ? fmt::format("{} and {} more", text, keys.size() - kShown) : text;
}

bool stepButton(const Panel& panel, const char* name, const char* keys, const std::vector<std::string>& changes,
                float width)
{
    ImGui::BeginDisabled(changes.empty());
    const std::string what = changes.empty() ? fmt::format("Nothing to {}.", name)
                                             : fmt::format("{}: {}.", inWords(name), labelsOf(changes));
    const bool pressed = button(panel, name, fmt::format("{} ({})", what, keys), width);
    ImGui::EndDisabled();
    return pressed;
}

void steps(const Panel& panel)
{
    const SettingsState& state = panel.model.settingsState;
    SettingsActions& actions = panel.actions.settingsActions;
    const float third = buttonWidth(panel, 3);
    actions.undo |= stepButton(panel, "undo", "Ctrl+Z", state.undoes, third);
    ImGui::SameLine();
    actions.redo |= stepButton(panel, "redo", "Ctrl+Shift+Z or Ctrl+Y", state.redoes, third);
    ImGui::SameLine();
    if (!button(panel, "reset", "Puts every setting but the view's back to what a first start on this device has.",
                third))
        return;
    Settings& settings = panel.actions.settings;
    const Settings::View view = settings.view;
    settings = state.firstStart.value_or(defaultsFor(settings));
    settings.view = view;
}

// Returns whether this press of the action `what` is the second in a row.  Actions that cannot be undone need two.
bool confirmed(const Panel& panel, const std::string& what)
{
    std::string& pressed = panel.state.settings.confirmed;
    const bool again = pressed == what;
    pressed = again ? std::string() : what;
    return again;
}

void presetList(const Panel& panel)
{
    const std::vector<PresetChoice>& presets = panel.model.settingsState.presets;
    beginRow(panel, "preset");
    if (ImGui::BeginCombo("##value", "Choose ...", ImGuiComboFlags_HeightLargest))
    {
        for (const PresetChoice& preset : presets)
        {
            const std::string shown = preset.own ? preset.name + " (own)" : inWords(preset.name);
            if (ImGui::Selectable(shown.c_str()))
            {
                panel.actions.settingsActions.loadPreset = preset.name;
                panel.state.settings.presetName = preset.own ? preset.name : panel.state.settings.presetName;
            }
            panel.items.add(panel.name, "preset/" + preset.name);
        }
        ImGui::EndCombo();
    }
    endItem(panel, "preset",
            "Settings for a look or a purpose, those that come with the program and your own. One step for Undo.");
}

void presetFile(const Panel& panel)
{
    SettingsDraft& draft = panel.state.settings;
    const std::vector<PresetChoice>& presets = panel.model.settingsState.presets;
    const auto known = std::ranges::find(presets, draft.presetName, &PresetChoice::name);
    const bool own = known != presets.end() && known->own, shipped = known != presets.end() && !known->own;
    const std::string& name = draft.presetName;
    const bool saves = draft.confirmed == "save " + name, deletes = draft.confirmed == "delete " + name;
    const float third = buttonWidth(panel, 3);
    ImGui::PushID("preset_name");
    ImGui::SetNextItemWidth(third);
    ImGui::InputTextWithHint("##name", "name", &draft.presetName);
    endItem(panel, "preset_name", "The name of a preset of your own: to save the settings under, or to delete.");
    ImGui::SameLine();
    const char* const noSave = name.empty() ? "The field names no preset."
                               : shipped    ? "A preset of this name comes with the program."
                                            : "";
    if (const Disabled disabled(panel, noSave);
        button(panel, "save_preset",
               own ? "A preset of this name is there: press twice to replace it."
                   : "Saves the settings, but for the view's, under the name in the field.",
               third, saves && own ? "Replace?" : "Save") &&
        (!own || confirmed(panel, "save " + name)))
        panel.actions.settingsActions.savePreset = name;
    ImGui::SameLine();
    const Disabled disabled(panel, own ? "" : "The field names no preset of your own.");
    if (button(panel, "delete_preset", "Deletes your preset of this name: press twice.", third,
               deletes ? "Delete?" : "Delete") &&
        confirmed(panel, "delete " + name))
        panel.actions.settingsActions.deletePreset = name;
}

void changedRow(const Panel& panel, std::string_view key)
{
    const SettingInfo& info = *findSetting(key);
    valueRow(panel, settingLabel(info), valueWords(info, panel.actions.settings), panel.theme.accent,
             fmt::format("{}\nDefault {}.", key, valueWords(info, defaultsFor(panel.actions.settings))));
}

void changes(const Panel& panel)
{
    const std::vector<std::string_view> changed = changedSettings(panel.actions.settings);
    const float half = buttonWidth(panel, 2);
    bool& shown = panel.state.settings.changedShown;
    {
        const Disabled disabled(panel, changed.empty() ? "No setting differs from its default." : "");
        if (button(panel, "changed", "Lists the settings that differ from the defaults.", half,
                   changed.empty() ? "All defaults"
                                   : fmt::format("{} {} changed", shown ? "\u2193" : "\u2192", changed.size())))
            shown = !shown;
    }
    ImGui::SameLine();
    if (button(panel, "copy_command",
               "Copies the command that shows this: orogen view with the terrain, the view, and what differs from the "
               "defaults.",
               half))
    {
        // The terrain's own name lacks the folder of a file; that of a synthetic terrain or the Earth is complete.
        OpenedFiles files{.dem = panel.model.source.dem, .overrides = panel.model.source.overrides};
        if (files.dem.empty() && panel.model.terrain) files.dem = panel.model.terrain->name;
        if (const std::optional<EarthState>& earth = panel.model.tools.earth)
            std::ranges::transform(earth->insets, std::back_inserter(files.insets), &Inset::name);
        for (const LayerState& layer : panel.model.cover.layers)
            if (layer.layer.visible) files.pictures.push_back(layer.layer.name);
        copyText(panel, viewCommand(files, panel.actions.settings),
                 fmt::format("the command: orogen view with {} setting{} changed", changed.size(),
                             changed.size() == 1 ? "" : "s"));
    }
    if (!shown) return;
    for (const std::string_view key : changed)
        changedRow(panel, key);
}

void drawSettingsSection(const Panel& panel)
{
    const Fold fold{panel, "settings", "settings and presets", false};
    if (!fold) return;
    steps(panel);
    presetList(panel);
    presetFile(panel);
    changes(panel);
}

// ---- settings of the terrain ----

// Shows that data are synthetic or have voids, and the loader's warnings.
void warningLines(const Panel& panel, const TerrainInfo& terrain)
{
    const Theme& theme = panel.theme;
    if (terrain.synthetic) textLine(theme.accent, "Synthetic, no real place", true);
    if (terrain.voids > 0) textLine(theme.warning, counted(terrain.voids, "void") + ", hatched", true);
    for (const std::string& warning : terrain.warnings)
        textLine(theme.warning, warning, true);
}

// Shows the Earth's sample spacing, heights and sea level.  Shows no raster size, because the relief and each inset
// have their own.
void earthLines(const Panel& panel, const EarthState& earth)
{
    const Theme& theme = panel.theme;
    textLine(theme.text, "The Earth", true);
    textLine(theme.dim, fmt::format("samples {} apart \u00b7 WGS 84", metresText(earth.reliefSpacing)), true);
    const std::optional<float>& sea = panel.actions.settings.terrain.waterLevel;
    textLine(theme.dim,
             fmt::format("{} to {} m high \u00b7 {}", grouped(panel.model.terrain->minHeight, 0),
                         grouped(panel.model.terrain->maxHeight, 0),
                         sea ? fmt::format("sea at {:g} m", double(*sea)) : std::string("no sea")),
             true);
    warningLines(panel, *panel.model.terrain);
}

void terrainLines(const Panel& panel, const TerrainInfo& terrain)
{
    const Theme& theme = panel.theme;
    textLine(theme.text, terrain.name, true);
    textLine(theme.dim,
             fmt::format("{} \u00b7 {} \u00d7 {} \u00b7 {} a pixel", terrain.format,
                         grouped(std::uint64_t(terrain.width)), grouped(std::uint64_t(terrain.height)),
                         metresText(std::sqrt(terrain.pixelWidth * terrain.pixelHeight))),
             true);
    textLine(theme.dim,
             fmt::format("{} to {} m high{}{}", grouped(terrain.minHeight, 0), grouped(terrain.maxHeight, 0),
                         terrain.crs.empty() ? "" : " \u00b7 ", terrain.crs),
             true);
    warningLines(panel, terrain);
}

void bundledList(const Panel& panel)
{
    ImGui::PushID("bundled");
    if (ImGui::BeginCombo("##list", nullptr,
                          ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoPreview | ImGuiComboFlags_PopupAlignLeft))
    {
        for (const std::string& dem : panel.model.bundled)
        {
            if (ImGui::Selectable(dem.c_str())) panel.actions.open = dem;
            panel.items.add(panel.name, "bundled/" + dem);
        }
        ImGui::EndCombo();
    }
    endItem(panel, "bundled", "Terrains that come with the program, and synthetic ones that it makes.");
}

// Draws the field for a terrain's name, with its buttons.  On the Earth, Enter adds the terrain as an inset.
void openFile(const Panel& panel)
{
    UiState& state = panel.state;
    const bool there = panel.model.tools.earth.has_value();
    const auto widthOf = [](const char* name) {
        return ImGui::CalcTextSize(inWords(name).c_str()).x + 2 * ImGui::GetStyle().FramePadding.x +
               ImGui::GetStyle().ItemSpacing.x;
    };
    ImGui::PushID("file");
    const float list = panel.model.bundled.empty() ? 0.0f : ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
    ImGui::SetNextItemWidth(-widthOf("open") - list - (there ? widthOf("lay_in") : 0.0f));
    const bool entered = ImGui::InputTextWithHint("##path", "file, folder or synthetic:SIZE:SEED", &state.file,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    endItem(
        panel, "file",
        "A GeoTIFF, 16-bit PNG, .hgt or raw file, a folder of tiles, a /vsi name of GDAL, or synthetic:SIZE[:SEED]. "
        "Files can be dropped on the window, too.");
    ImGui::SameLine();
    if (!panel.model.bundled.empty())
    {
        bundledList(panel);
        ImGui::SameLine();
    }
    bool laysIn = false;
    if (there)
    {
        laysIn = button(panel, "lay_in",
                        "Lays what the field names in the Earth; if it is empty, the file browser. (Enter in the "
                        "field)");
        ImGui::SameLine();
    }
    const bool opens = button(panel, "open",
                              there ? "Opens what the field names alone, on a plane; if it is empty, the file browser."
                                    : "Opens what the field names; if it is empty, the file browser. (Ctrl+O)");
    if ((laysIn || opens) && state.file.empty()) browseTerrains(state, panel.actions);
    if (!state.file.empty() && (laysIn || (entered && there)))
        panel.actions.earth.layIn = state.file;
    else if (!state.file.empty() && (opens || entered))
        panel.actions.open = state.file;
    ImGui::BeginDisabled(there);
    panel.actions.earth.open |=
        button(panel, "earth",
               there ? "The Earth is shown. Files dropped on the window can be laid in it."
                     : "The whole Earth: ocean floor and land, with the elevation models that are laid in it.",
               buttonWidth(panel, 1), "Earth");
    ImGui::EndDisabled();
}

// Returns why this driver supports no tree of that depth; empty if it does, or if no check is known.
std::optional<std::string> depthRefusal(const Panel& panel, int depth)
{
    if (!panel.model.memory.checkDepth) return std::nullopt;
    const Status status = panel.model.memory.checkDepth(depth);
    return status ? std::nullopt : std::optional(status.error().message);
}

// Shows the GPU memory of the chosen depth and leaf capacity, also while the user drags their sliders.
void memoryRow(const Panel& panel)
{
    const Settings& settings = panel.actions.settings;
    if (settings.world == World::kEarth) return;  // the Earth's tree takes memory by its capacity only
    const auto& pending = panel.state.pending;
    const auto chosen = [&](std::string_view key, double current) {
        const auto found = pending.find(key);
        return found == pending.end() ? current : found->second;
    };
    const int depth = std::clamp(int(chosen("cbt.depth", settings.cbt.depth)), 6, 30);
    const double capacity = chosen("cbt.leaf_capacity", settings.cbt.leafCapacity);
    if (const auto refusal = depthRefusal(panel, depth))
        return valueRow(panel, "memory", "more than this driver holds", panel.theme.warning, *refusal);
    const auto& leafBytes = panel.model.memory.leafBytes;
    const auto leaves = std::uint32_t(std::clamp(capacity, 0.0, 4e9));
    const bool preview = pending.contains("cbt.depth") || pending.contains("cbt.leaf_capacity");
    // LodTree::changes_ has one bit per bit of the tree's bit field, which is half the tree's size.
    const std::uint64_t changes = treeBytes(depth) / 2;
    valueRow(panel, preview ? "will take" : "takes",
             fmt::format("{} tree, {} leaves", bytesText(treeBytes(depth) + changes),
                         leafBytes ? bytesText(leafBytes(depth, leaves)) : panel.theme.notMeasured),
             preview ? panel.theme.accent : panel.theme.dim, "GPU memory that depth and number of leaves take.");
}

// Draws the depth slider, which ends at the driver's limit and explains it.
void depthRow(const Panel& panel)
{
    if (panel.actions.settings.world == World::kEarth) return settingRow(panel, "earth.depth", {.onRelease = true});
    const int held = panel.model.memory.largestDepth;
    RowOptions options{.onRelease = true,
                       .refusal = [&panel](double depth) { return depthRefusal(panel, int(depth)); }};
    if (held < int(findSetting("cbt.depth")->maximum))
    {
        const auto why = depthRefusal(panel, held + 1);
        options.limit = held;
        options.words = [held](double depth) {
            return fmt::format("{:.0f}{}", depth, depth >= held ? " (most here)" : "");
        };
        options.note = why ? "Limited here: " + *why + "." : fmt::format("Limited to {} by this driver.", held);
    }
    settingRow(panel, "cbt.depth", options);
}

constexpr double kFarBelow = 2;  // ratio of allowed to measured error from which a higher threshold is suggested

// Returns a higher threshold (pixels) that would suffice; empty if the measured error is not far below the allowed one.
// `now`: threshold in effect (pixels).  For a threshold on edge length, assumes that the error grows in proportion to
// the edges.  On most ground the error grows faster, so the threshold returned may be too high.
std::optional<double> spareThreshold(const Settings::Lod& lod, const FrameRecord& stats, double now)
{
    const bool byError = lod.criterion == LodCriterion::kError;
    const double error = stats.error ? stats.error->largest : 0;
    const double room = error > 0 ? double(lod.errorPixels) / error : 0;
    const SettingInfo& info = *findSetting(byError ? "lod.error_pixels" : "lod.split_pixels");
    const double would = std::min(now * room, info.maximum);
    return now > 0 && room >= kFarBelow && would >= kFarBelow * now ? std::optional(would) : std::nullopt;
}

// Shows the threshold in effect, which a full tree or a budget may have changed, or a higher one that would suffice.
void effectRow(const Panel& panel)
{
    const Settings& settings = panel.actions.settings;
    const bool byError = settings.lod.criterion == LodCriterion::kError;
    const double set = double(byError ? settings.lod.errorPixels : settings.lod.splitPixels);
    const FrameRecord& stats = panel.model.stats;
    const double now = stats.workIsCurrent ? double(stats.work.thresholdPixels) : 0;
    const std::optional<double> would = spareThreshold(settings.lod, stats, now);
    const bool moved = now > 0 && std::abs(now / set - 1) >= 0.005;
    const bool budget = settings.budget.mode != BudgetMode::kOff && settings.budget.value > 0;
    const std::string why = would                    ? fmt::format("could be {} px", fixedText(*would, 1))
                            : !moved                 ? "as set"
                            : budget                 ? "for the budget"
                            : stats.work.refused > 0 ? "since the tree is full"
                                                     : "on its way";
    valueRow(
        panel, "in effect",
        now > 0 ? fmt::format("{} px, {}", fixedText(now, 2), why) : std::string(panel.theme.notMeasured),
        moved || would ? panel.theme.accent : panel.theme.dim,
        "The threshold that decides about splits now. A budget moves it, and so does a tree without room for more "
        "leaves. A higher one that would do is named where the largest measured error (Performance: Measure error) "
        "is at most half of the error allowed.");
}

// Shows only the thresholds of the criterion in use, so that the budget below stays visible in small windows.
void thresholdRows(const Panel& panel)
{
    settingRow(panel, "lod.criterion");
    if (panel.actions.settings.lod.criterion == LodCriterion::kError)
        settingRow(panel, "lod.error_pixels", {.logarithmic = true});
    else
    {
        settingRow(panel, "lod.split_pixels", {.logarithmic = true});
        settingRow(panel, "lod.merge_pixels", {.logarithmic = true});
    }
    effectRow(panel);
}

// First values of the two kinds of budget: triangles, and milliseconds on a GPU or on a software rasteriser.
constexpr double kFirstTriangles = 500'000, kFirstMs = 16.7, kFirstMsInSoftware = 45;

// Remembers the value of each kind of budget.  When the kind changes from `before`, restores the value of the new kind,
// or sets its first value.
void keepBudget(const Panel& panel, BudgetMode before)
{
    Settings::Budget& budget = panel.actions.settings.budget;
    BudgetDraft& drafts = panel.state.budgets;
    const bool time = budget.mode == BudgetMode::kFrameMs;
    if (budget.mode == before)
    {
        if (budget.mode != BudgetMode::kOff && budget.value > 0)
            (time ? drafts.milliseconds : drafts.triangles) = budget.value;
        return;
    }
    const double first = !time ? kFirstTriangles : panel.model.software ? kFirstMsInSoftware : kFirstMs;
    const double last = time ? drafts.milliseconds : drafts.triangles;
    budget.value = budget.mode == BudgetMode::kOff ? 0 : last > 0 ? last : first;
}

// Shows how close the picture is to the budget.
void reachedRow(const Panel& panel)
{
    const Settings::Budget& budget = panel.actions.settings.budget;
    const Theme& theme = panel.theme;
    const auto row = [&](const std::string& value, const ImVec4& colour) {
        valueRow(
            panel, "reached", value, colour,
            "How near the picture comes to the budget. Where a frame takes longer, it is drawn smaller, to 70 % of "
            "each side, then with thresholds up to twice the set ones; then smaller, to 50 %, and with thresholds up "
            "to 4 times the set ones. At rest it is drawn as set. A dash: no budget is chosen, or fewer than 3 frames "
            "were drawn at this detail.");
    };
    if (budget.mode == BudgetMode::kOff) return row(theme.notMeasured, theme.dim);
    if (budget.value == 0) return row("0: no budget is set", theme.dim);
    const FrameRecord& stats = panel.model.stats;
    if (budget.mode == BudgetMode::kTriangles)
        return row(fmt::format("{} of {}", stats.workIsCurrent ? grouped(stats.work.triangles) : theme.notMeasured,
                               grouped(budget.value, 0)),
                   theme.text);
    if (!panel.model.governor) return row(theme.notMeasured, theme.dim);
    const GovernorReport& governor = *panel.model.governor;
    if (governor.state == GovernorState::kAtRest) return row("at rest: drawn as set", theme.dim);
    const auto ms = [&](const std::optional<double>& value) { return value ? msText(*value) : theme.notMeasured; };
    if (governor.state == GovernorState::kUnreachable)
        return row(fmt::format("least is {} of {} ms", ms(governor.reachedMs), ms(governor.targetMs)), theme.warning);
    const char* state = governor.state == GovernorState::kHeld       ? "held"
                        : governor.state == GovernorState::kAtFinest ? "at finest"
                                                                     : "settling";
    row(fmt::format("{} of {} ms, {}", ms(governor.reachedMs), ms(governor.targetMs), state),
        governor.state == GovernorState::kHeld ? theme.good : theme.dim);
}

// Shows the render scale in effect; a budget lowers it without changing the setting.
void scaleRow(const Panel& panel)
{
    const std::optional<GovernorReport>& governor = panel.model.governor;
    const bool lowered = governor && panel.model.stats.scale < governor->wholeScale;
    const std::string now = fmt::format("{:.0f} %", panel.model.stats.scale);
    valueRow(panel, "drawn at", lowered ? fmt::format("{} instead of {:.0f} %", now, governor->wholeScale) : now,
             lowered ? panel.theme.accent : panel.theme.dim,
             "Width and height of the rendered picture, in percent of the window's.");
}

void budgetRows(const Panel& panel)
{
    const BudgetMode before = panel.actions.settings.budget.mode;
    settingRow(panel, "budget.mode");
    keepBudget(panel, before);
    const BudgetMode mode = panel.actions.settings.budget.mode;
    const bool time = mode == BudgetMode::kFrameMs, off = mode == BudgetMode::kOff;
    RowOptions options{.logarithmic = true,
                       .lowest = time ? 1.0 : 1e4,
                       .highest = time ? 100.0 : 1e7,
                       .unit = off    ? ""
                               : time ? "ms"
                                      : "triangles",
                       .disabled = off ? "No budget is chosen." : ""};
    if (off) options.words = [](double) { return std::string("none"); };
    settingRow(panel, "budget.value", options);
    settingRow(panel, "budget.finer", {.disabled = time ? "" : "Only with a budget of frame time."});
    reachedRow(panel);
    scaleRow(panel);
}

void detailSection(const Panel& panel)
{
    if (const Fold fold{panel, "detail", "level of detail"})
    {
        depthRow(panel);
        memoryRow(panel);
        thresholdRows(panel);
    }
    if (const Fold fold{panel, "budget", "budget"}) budgetRows(panel);
}

void refusedRow(const Panel& panel)
{
    const WorkCounters& work = panel.model.stats.work;
    valueRow(panel, "splits refused", grouped(work.refused), work.refused > 0 ? panel.theme.warning : panel.theme.dim,
             "Splits for which the last round had no leaf left. More leaves, or a higher threshold for splitting, ends "
             "that.");
}

void treeSection(const Panel& panel)
{
    const Fold fold{panel, "tree", "leaves and rounds", false};
    if (!fold) return;
    settingRow(panel, "cbt.leaf_capacity", {.logarithmic = true, .onRelease = true, .powersOfTwo = true});
    refusedRow(panel);
    settingRow(panel, "patch.level", {.name = "patch_level"});
    settingRow(panel, "lod.rounds");
    settingRow(panel, "lod.geomorph");
    settingRow(panel, "lod.frozen");
}

void reliefSection(const Panel& panel)
{
    const Fold fold{panel, "relief", "relief", false};
    if (!fold) return;
    settingRow(panel, "terrain.height_scale");
    const char* const unlit = panel.actions.settings.render.shading == Shading::kLit ? "" : kOnlyLit;
    settingRow(panel, "terrain.detail", {.disabled = unlit});
    if (panel.model.tools.earth) settingRow(panel, "earth.detail_edge", {.disabled = unlit});
}

void pictureSection(const Panel& panel)
{
    const Fold fold{panel, "picture", "picture", false};
    if (!fold) return;
    for (const char* key : {"render.shading", "render.wireframe", "render.msaa", "render.scale", "render.near_detail"})
        settingRow(panel, key);
    panel.actions.reloadShaders |= button(panel, "reload_shaders",
                                          "Reads the shaders again; if they do not compile, "
                                          "the old ones stay. (F5)",
                                          buttonWidth(panel, 1));
}

// Draws the field for a file of colours by height.  Enter, or leaving the field, applies the text; an empty field
// removes the file.
void rampRow(const Panel& panel)
{
    settingRow(panel, "render.ramp");
    if (button(panel, "browse_ramp", "Chooses a .cpt file of GMT or a .qml file of QGIS. Files can be dropped, too.",
               buttonWidth(panel, 1), "Choose a ramp"))
        browse(panel.state, panel.actions,
               {.title = "Colour by height",
                .button = "Choose",
                .suffixes = {".cpt", ".qml"},
                .chosen = [](UiActions& then, const std::string& chosen) { then.open = chosen; }});
}

void coloursSection(const Panel& panel)
{
    const Fold fold{panel, "colours", "colours of data", false};
    if (!fold) return;
    const Settings::Render& render = panel.actions.settings.render;
    const bool byHeight = render.shading == Shading::kHypsometric;
    const bool plain =
        render.shading == Shading::kLit || render.shading == Shading::kNormals || render.shading == Shading::kSlope;
    settingRow(panel, "render.relief", {.disabled = plain ? "This shading has no relief under colours." : ""});
    rampRow(panel);
    const char* const others = byHeight ? "" : "Only with the shading Height.";
    settingRow(panel, "render.tint_range", {.disabled = others});
    const bool fixed = render.tintRange == TintRange::kFixed;
    const char* const unfixed = fixed || !byHeight ? others : "The colours follow other heights.";
    settingRow(panel, "render.tint_low", {.disabled = unfixed});
    settingRow(panel, "render.tint_high", {.disabled = unfixed});
}

void waterSection(const Panel& panel)
{
    const Fold fold{panel, "water", "land and water", false};
    if (!fold) return;
    for (const char* key : {"render.border", "terrain.water_level", "render.lakes", "render.contours"})
        settingRow(panel, key);
    settingRow(
        panel, "render.contour_interval",
        {.highest = 500.0, .disabled = panel.actions.settings.render.contours ? "" : "There are no contour lines."});
}

void sourceSection(const Panel& panel)
{
    const bool busy = panel.model.voids.running || panel.model.terrain->voids > 0;
    const Fold fold{panel, "source", "source and voids", busy};
    if (!fold) return;
    drawVoidSection(panel);
    drawSourceSection(panel);
}

}  // namespace

float drawTerrainPanel(const Panel& panel, const PanelRect& rect)
{
    const float height = beginPanel(panel, rect);
    if (panel.model.terrain && panel.model.tools.earth)
        earthLines(panel, *panel.model.tools.earth);
    else if (panel.model.terrain)
    {
        terrainLines(panel, *panel.model.terrain);
        drawReliefOffer(panel);
    }
    else
        textLine(panel.theme.dim, "Nothing is open");
    // The sections level of detail and budget come first, so that a window of 1000x640 shows them whole.
    detailSection(panel);
    if (panel.model.tools.earth)
        drawInsetsSection(panel);
    else
        section(panel, "open");
    openFile(panel);
    drawSettingsSection(panel);
    treeSection(panel);
    drawTilesSection(panel);
    reliefSection(panel);
    pictureSection(panel);
    coloursSection(panel);
    drawSunSection(panel);
    waterSection(panel);
    drawImagerySection(panel);
    drawOverlaySection(panel);
    if (panel.model.terrain && !panel.model.tools.earth) sourceSection(panel);
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
