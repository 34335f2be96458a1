// The terrain that is open, and every setting of how it is cut into triangles and drawn.
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/ui/cover_section.h"
#include "app/ui/format.h"
#include "app/ui/panels.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

// What is known of heights below the samples' spacing, and what went wrong with some.
void warningLines(const Panel& panel, const TerrainInfo& terrain)
{
    const Theme& theme = panel.theme;
    if (panel.model.syntheticBelow)
        textLine(theme.dim, fmt::format("synthetic below {}", metresText(*panel.model.syntheticBelow)), true);
    if (terrain.synthetic) textLine(theme.accent, "Synthetic, no real place", true);
    if (terrain.voids > 0) textLine(theme.warning, fmt::format("{} voids, hatched", grouped(terrain.voids)), true);
    for (const std::string& warning : terrain.warnings)
        textLine(theme.warning, warning, true);
}

// The Earth has no samples of its own: they are the relief's, and each inset's.
void earthLines(const Panel& panel, const EarthState& earth)
{
    const Theme& theme = panel.theme;
    textLine(theme.text, "The Earth", true);
    textLine(
        theme.dim,
        fmt::format("relief and ocean floor \u00b7 samples {} apart \u00b7 WGS 84", metresText(earth.reliefSpacing)),
        true);
    const std::optional<float>& sea = panel.actions.settings.terrain.waterLevel;
    textLine(theme.dim,
             fmt::format("{:.0f} to {:.0f} m high \u00b7 {}", panel.model.terrain->minHeight,
                         panel.model.terrain->maxHeight,
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
             fmt::format("{:.0f} to {:.0f} m high{}{}", terrain.minHeight, terrain.maxHeight,
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

void openFile(const Panel& panel)
{
    UiState& state = panel.state;
    const float open = ImGui::CalcTextSize(inWords("open").c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::PushID("file");
    const float list = panel.model.bundled.empty() ? 0.0f : ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
    ImGui::SetNextItemWidth(-open - list - ImGui::GetStyle().ItemSpacing.x);
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
    const bool pressed =
        button(panel, "open", "Opens what the field names; if it is empty, the file browser. (Ctrl+O)");
    if (pressed && state.file.empty()) browseTerrains(state, panel.actions);
    if ((entered || pressed) && !state.file.empty()) panel.actions.open = state.file;
    const bool there = panel.model.tools.earth.has_value();
    ImGui::BeginDisabled(there);
    panel.actions.earth.open |=
        button(panel, "earth",
               there ? "The Earth is shown. What is dropped on the window is laid in it."
                     : "The whole Earth: ocean floor and land, and in it whatever elevation models are dropped on it.",
               buttonWidth(panel, 1), "Earth");
    ImGui::EndDisabled();
}

// Why this driver holds no tree of that depth; empty if it does.
std::optional<std::string> depthRefusal(const Panel& panel, int depth)
{
    if (!panel.model.memory.checkDepth) return std::nullopt;
    const Status status = panel.model.memory.checkDepth(depth);
    return status ? std::nullopt : std::optional(status.error().message);
}

// What the depth and capacity that are chosen, or about to be, take on the GPU.
void memoryLine(const Panel& panel)
{
    const auto& pending = panel.state.pending;
    const auto chosen = [&](std::string_view key, double current) {
        const auto found = pending.find(key);
        return found == pending.end() ? current : found->second;
    };
    const Settings& settings = panel.actions.settings;
    if (settings.world == World::kEarth) return;  // the memory of its tree goes with the capacity alone
    const int depth = std::clamp(int(chosen("cbt.depth", settings.cbt.depth)), 6, 30);
    const double capacity = chosen("cbt.leaf_capacity", settings.cbt.leafCapacity);
    if (const auto refusal = depthRefusal(panel, depth))
    {
        textLine(panel.theme.warning, *refusal, true);
        return;
    }
    const auto& leafBytes = panel.model.memory.leafBytes;
    const auto leaves = std::uint32_t(std::clamp(capacity, 0.0, 4e9));
    const bool preview = pending.contains("cbt.depth") || pending.contains("cbt.leaf_capacity");
    const std::uint64_t changes = treeBytes(depth) / 2;  // the bits that a round turns: app/render/lod_tree.h
    textLine(preview ? panel.theme.accent : panel.theme.dim,
             fmt::format("{} {} for the tree, {} for leaves", preview ? "Will take" : "Takes",
                         bytesText(treeBytes(depth) + changes),
                         leafBytes ? bytesText(leafBytes(depth, leaves)) : panel.theme.notMeasured),
             true);
}

// Shades the part of the depth slider that the driver does not hold.
void shadeRefusedDepths(const Panel& panel, const ImVec2& min, const ImVec2& max)
{
    if (panel.actions.settings.world == World::kEarth) return;
    const SettingInfo& info = *findSetting("cbt.depth");
    const double held = (panel.model.memory.largestDepth - info.minimum + 0.5) / (info.maximum - info.minimum);
    if (held >= 1) return;
    const float x = min.x + float(held) * (max.x - min.x);
    ImGui::GetWindowDrawList()->AddRectFilled({x, min.y}, max, IM_COL32(0, 0, 0, 150), ImGui::GetStyle().FrameRounding);
}

void treeRows(const Panel& panel)
{
    section(panel, "tree");
    const auto refusal = [&panel](double depth) { return depthRefusal(panel, int(depth)); };
    const World world = panel.actions.settings.world;
    if (world == World::kEarth)
        settingRow(panel, "earth.depth", {.onRelease = true});
    else
        settingRow(panel, "cbt.depth", {.onRelease = true, .refusal = refusal});
    shadeRefusedDepths(panel, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    settingRow(panel, "cbt.leaf_capacity", {.logarithmic = true, .onRelease = true, .powersOfTwo = true});
    memoryLine(panel);
    settingRow(panel, "lod.rounds");
    settingRow(panel, "lod.frozen");

    const WorkCounters& work = panel.model.stats.work;
    if (work.refused > 0)
        textLine(panel.theme.warning,
                 fmt::format("{} splits refused at capacity: raise the number of leaves or the threshold for splitting",
                             grouped(work.refused)),
                 true);
}

// The threshold that a full tree or a budget has made of the one that is set.
void effectLine(const Panel& panel)
{
    const Settings& settings = panel.actions.settings;
    const bool byError = settings.lod.criterion == LodCriterion::kError;
    const double set = double(byError ? settings.lod.errorPixels : settings.lod.splitPixels);
    const double now = double(panel.model.stats.work.thresholdPixels);
    if (now <= 0 || std::abs(now / set - 1) < 0.005) return;
    const bool budget = settings.budget.mode != BudgetMode::kOff && settings.budget.value > 0;
    textLine(panel.theme.accent,
             fmt::format("In effect: {:.2f} px, {}", now, budget ? "for the budget" : "since the tree is full"), true);
}

void detailRows(const Panel& panel)
{
    const bool byError = panel.actions.settings.lod.criterion == LodCriterion::kError;
    section(panel, "level of detail");
    settingRow(panel, "lod.criterion");
    settingRow(panel, "lod.split_pixels", {.logarithmic = true});
    settingRow(panel, "lod.merge_pixels", {.logarithmic = true});
    settingRow(panel, "lod.error_pixels", {.logarithmic = true, .disabled = !byError});
    effectLine(panel);
    settingRow(panel, "lod.geomorph");
    settingRow(panel, "patch.level", {.name = "patch_level"});
    settingRow(panel, "terrain.height_scale");
    settingRow(panel, "terrain.detail", {.disabled = panel.actions.settings.render.shading != Shading::kLit});
}

// Below the target: what came of it.
void governorLine(const Panel& panel, const GovernorReport& governor)
{
    const auto ms = [&](const std::optional<double>& value) {
        return value ? fmt::format("{:.2f} ms", *value) : panel.theme.notMeasured;
    };
    // The setting stays as it is.
    const std::string scale =
        governor.scale < governor.wholeScale
            ? fmt::format("; drawn at {:.0f} % instead of {:.0f} %", governor.scale, governor.wholeScale)
            : "";
    if (governor.state == GovernorState::kUnreachable)
        return textLine(panel.theme.warning,
                        fmt::format("{} cannot be reached: the least here is {}{}", ms(governor.targetMs),
                                    ms(governor.smallestMs), scale),
                        true);
    const char* state = governor.state == GovernorState::kHeld       ? "held"
                        : governor.state == GovernorState::kAtFinest ? "finest detail takes less"
                                                                     : "settling";
    textLine(governor.state == GovernorState::kHeld ? panel.theme.good : panel.theme.dim,
             fmt::format("{} of {}: {}{}", ms(governor.reachedMs), ms(governor.targetMs), state, scale), true);
}

void budgetRows(const Panel& panel)
{
    section(panel, "budget");
    settingRow(panel, "budget.mode");
    const BudgetMode mode = panel.actions.settings.budget.mode;
    const bool time = mode == BudgetMode::kFrameMs;
    settingRow(panel, "budget.value",
               {.logarithmic = true,
                .lowest = time ? 1.0 : 1e4,
                .highest = time ? 100.0 : 1e7,
                .unit = time ? "ms" : "triangles",
                .disabled = mode == BudgetMode::kOff});
    if (mode != BudgetMode::kOff && panel.actions.settings.budget.value == 0)
        textLine(panel.theme.dim, "0: no budget is set", true);
    if (panel.model.governor) governorLine(panel, *panel.model.governor);
}

void pictureRows(const Panel& panel)
{
    section(panel, "picture");
    for (const char* key :
         {"render.shading", "render.wireframe", "render.msaa", "render.scale", "render.near_detail", "render.texture"})
        settingRow(panel, key);

    section(panel, "sun and air");
    for (const char* key : {"render.sun_azimuth", "render.sun_elevation", "render.haze"})
        settingRow(panel, key);
    settingRow(panel, "render.visibility", {.logarithmic = true, .disabled = !panel.actions.settings.render.haze});

    section(panel, "land and water");
    for (const char* key : {"render.border", "terrain.water_level", "render.lakes", "render.contours"})
        settingRow(panel, key);
    settingRow(panel, "render.contour_interval",
               {.highest = 500.0, .disabled = !panel.actions.settings.render.contours});
}

}  // namespace

float drawTerrainPanel(const Panel& panel, const PanelRect& rect)
{
    const float height = beginPanel(panel, rect);
    if (panel.model.terrain && panel.model.tools.earth)
    {
        earthLines(panel, *panel.model.tools.earth);
        drawInsetsSection(panel);
    }
    else if (panel.model.terrain)
    {
        terrainLines(panel, *panel.model.terrain);
        drawVoidSection(panel);
        drawReliefOffer(panel);
        drawSourceSection(panel);
    }
    else
        textLine(panel.theme.dim, "Nothing is open");
    openFile(panel);
    drawSettingsSection(panel);
    treeRows(panel);
    detailRows(panel);
    budgetRows(panel);
    drawTilesSection(panel);
    pictureRows(panel);
    drawImageSection(panel);

    ImGui::Dummy({0, 1 * panel.theme.scale});
    panel.actions.reloadShaders |= button(panel, "reload_shaders",
                                          "Reads the shaders again; if they do not compile, "
                                          "the old ones stay. (F5)",
                                          buttonWidth(panel, 1));
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
