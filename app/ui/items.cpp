#include "app/ui/items.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>

#include <imgui_internal.h>

#include "app/ui/dock_columns.h"
#include "app/ui/panels.h"
#include "compute/modules.h"

namespace orogen::app {

namespace {

constexpr std::string_view kItems[] = {"Terrain/file",
                                       "Terrain/open",
                                       "Terrain/bundled",
                                       "Terrain/lay_in",
                                       "Terrain/fill_voids",
                                       "Terrain/undo_fill",
                                       "Terrain/cancel_fill",
                                       "Terrain/filled_file",
                                       "Terrain/save_filled",
                                       "Terrain/source",
                                       "Terrain/source_nodata",
                                       "Terrain/source_pixel_size",
                                       "Terrain/source_crs",
                                       "Terrain/source_unit",
                                       "Terrain/source_encoding",
                                       "Terrain/reopen",
                                       "Terrain/residual",
                                       "Terrain/reset",
                                       "Terrain/undo",
                                       "Terrain/redo",
                                       "Terrain/preset",
                                       "Terrain/preset_name",
                                       "Terrain/save_preset",
                                       "Terrain/delete_preset",
                                       "Terrain/changed",
                                       "Terrain/copy_command",
                                       "Terrain/reload_shaders",
                                       "Terrain/time_of_day",
                                       "Terrain/day_of_year",
                                       "Terrain/play_sun",
                                       "Terrain/fold/detail",
                                       "Terrain/fold/budget",
                                       "Terrain/fold/settings",
                                       "Terrain/fold/tree",
                                       "Terrain/fold/tiles",
                                       "Terrain/fold/relief",
                                       "Terrain/fold/picture",
                                       "Terrain/fold/air",
                                       "Terrain/fold/water",
                                       "Terrain/fold/colours",
                                       "Terrain/browse_ramp",
                                       "Terrain/fold/imagery",
                                       "Terrain/fold/overlays",
                                       "Terrain/overlay_file",
                                       "Terrain/fold/source",
                                       "Terrain/fold/insets",
                                       "View/fold/position",
                                       "View/fold/places",
                                       "View/fold/path",
                                       "View/fold/film",
                                       "View/fold/mesh",
                                       "View/fold/split",
                                       "View/fold/interface",
                                       "View/east",
                                       "View/north",
                                       "View/up",
                                       "Terrain/earth",
                                       "View/goto",
                                       "View/go",
                                       "View/bookmark_1",
                                       "View/bookmark_2",
                                       "View/bookmark_3",
                                       "View/keep_1",
                                       "View/keep_2",
                                       "View/keep_3",
                                       "Picture/scale",
                                       "Picture/compass",
                                       "View/home",
                                       "View/copy",
                                       "View/screenshot",
                                       "View/record",
                                       "View/stop",
                                       "View/play",
                                       "View/pause",
                                       "View/place",
                                       "View/path_file",
                                       "Terrain/picture",
                                       "Terrain/add_picture",
                                       "Terrain/exaggerate_heights",
                                       "View/paths",
                                       "View/load",
                                       "View/save",
                                       "View/split",
                                       "View/split_at",
                                       "View/split_difference",
                                       "View/close_split",
                                       "Split/divider",
                                       "View/mesh_file",
                                       "View/write_mesh",
                                       "View/cancel_mesh",
                                       "View/film_file",
                                       "View/film_rate",
                                       "View/film_settled",
                                       "View/film_panels",
                                       "View/record_film",
                                       "View/stop_film",
                                       "View/ui_scale",
                                       "View/pictures",
                                       "View/captures",
                                       "Model/step",
                                       "Model/undo",
                                       "Model/reset",
                                       "Model/file",
                                       "Model/save",
                                       "Model/usual_rates",
                                       "Model/drainage",
                                       "Model/window",
                                       "Model/brush_kind",
                                       "Model/radius",
                                       "Model/strength",
                                       "Model/paint",
                                       "Model/undo_stroke",
                                       "Model/redo_stroke",
                                       "Model/fold/rates",
                                       "Model/fold/brush",
                                       "Model/fold/balance",
                                       "Performance/graph",
                                       "Performance/passes",
                                       "Performance/memory",
                                       "Performance/validate",
                                       "Performance/measure_error",
                                       "Performance/measure_jump",
                                       "Laboratory/experiment",
                                       "Laboratory/from_depth",
                                       "Laboratory/to_depth",
                                       "Laboratory/run",
                                       "Laboratory/cancel",
                                       "Laboratory/figure",
                                       "Laboratory/save",
                                       "Capture/path",
                                       "Capture/frames",
                                       "Capture/warmup",
                                       "Capture/runs",
                                       "Capture/hold_a",
                                       "Capture/forget_a",
                                       "Capture/show_both",
                                       "Capture/start",
                                       "Capture/stop",
                                       "Capture/recover",
                                       "Capture/sweep",
                                       "Capture/stop_sweep",
                                       "Capture/copy",
                                       "Capture/baseline",
                                       "Capture/compare",
                                       "Viewport/picture",
                                       "Tools/info",
                                       "Tools/measure",
                                       "Tools/top_view",
                                       "Measure/profile",
                                       "Measure/back",
                                       "Measure/end",
                                       "Measure/continue",
                                       "Measure/clear",
                                       "Measure/copy",
                                       "Measure/save",
                                       "Measure/close",
                                       "TopView/picture",
                                       "TopView/larger",
                                       "TopView/smaller",
                                       "TopView/closer",
                                       "TopView/farther",
                                       "Help/close",
                                       "Log/copy",
                                       "Log/close",
                                       "Paths/close",
                                       "Status/messages",
                                       "Status/reset_kept",
                                       "Loading/cancel",
                                       "Shader/copy",
                                       "Shader/close"};
constexpr std::string_view kModuleButtons[] = {"run",        "cancel",      "draw_frames", "copy_result", "copy_step",
                                               "save",       "curve",       "plot",        "speed_plot",  "sweep_from",
                                               "sweep_to",   "sweep_sizes", "start_sweep", "sweep_shows", "sweep_plot",
                                               "save_sweep", "fold/more"};
constexpr std::string_view kModuleLists[] = {"series", "sweep_shows"};  // lists with items NAME/CHOICE
constexpr std::string_view kLists[] = {"Terrain/inset_",   "Terrain/layer_",       "Terrain/overlay_",
                                       "Terrain/bundled/", "Terrain/source_unit/", "Terrain/source_encoding/",
                                       "Terrain/preset/",  "Capture/path/",        "Capture/baseline/",
                                       "Capture/points/",  "View/paths/",          "Laboratory/experiment/",
                                       "Paths/",           "Model/brush_kind/"};

// Matches PANEL/PARAMETER, PANEL/PARAMETER/CHOICE, or a button or list choice of a module's panel.
bool isModuleItem(std::string_view name)
{
    const auto slash = name.find('/');
    const compute::Module* module = compute::findModulePanel(name.substr(0, slash));
    if (!module || slash == name.npos) return false;
    const std::string_view item = name.substr(slash + 1), parameter = item.substr(0, item.find('/'));
    return std::ranges::find(kModuleButtons, item) != std::end(kModuleButtons) ||
           (item != parameter && std::ranges::find(kModuleLists, parameter) != std::end(kModuleLists)) ||
           std::ranges::find(module->parameters(), parameter, &compute::Parameter::name) != module->parameters().end();
}

// Matches a setting's control as settingRow() names it: PANEL/NAME, PANEL/NAME/CHOICE or PANEL/NAME/default.
bool isSettingItem(std::string_view name)
{
    for (const SettingInfo& info : settingTable())
    {
        if (info.type == SettingType::kPosition) continue;  // a position has one control per coordinate
        const std::string item = settingItem(info);
        if (name == item) return true;
        if (!name.starts_with(item) || name[item.size()] != '/') continue;
        const std::string_view rest = name.substr(item.size() + 1);
        if (rest == "default" || std::ranges::find(info.choices, rest) != info.choices.end()) return true;
    }
    return false;
}

constexpr std::string_view kBarItems[] = {"open", "reopen", "compute", "layout", "layout/reset", "layout/hide"};
constexpr std::string_view kFileItems[] = {"field",  "places", "recent",      "up",    "all",
                                           "accept", "other",  "this folder", "cancel"};
constexpr std::string_view kTitleItems[] = {"title",       "close",     "menu",       "menu/up",   "menu/down",
                                            "menu/across", "menu/fold", "menu/close", "menu/reset"};

// Matches items of the tool bar, the file browser and the splitters, and the title of a docked panel.
bool isFrameItem(std::string_view name)
{
    const auto slash = name.find('/');
    if (slash == name.npos) return false;
    const std::string_view panel = name.substr(0, slash), item = name.substr(slash + 1);
    const auto docked = [](std::string_view text) {
        return std::ranges::find(dockedPanels(), text, &DockedPanel::name) != dockedPanels().end();
    };
    if (panel == "Tools") return docked(item) || std::ranges::find(kBarItems, item) != std::end(kBarItems);
    if (panel == "Files")
        return (item.starts_with("list/") || item.starts_with("places/") || item.starts_with("recent/")) ||
               std::ranges::find(kFileItems, item) != std::end(kFileItems);
    if (panel == "Layout") return item == "left" || item == "right";
    return docked(panel) && std::ranges::find(kTitleItems, item) != std::end(kTitleItems);
}

// Returns whether ImGui will scroll a window in the next frame, which outdates the positions in this frame.
bool willScroll(const ImGuiWindow* window)
{
    if (!window || window->ScrollTarget.y == FLT_MAX) return false;
    const float room = window->SizeFull.y - window->ScrollbarSizes.y;
    const float target = window->ScrollTarget.y - window->ScrollTargetCenterRatio.y * room;
    return std::abs(std::clamp(target, 0.0f, std::max(window->ScrollMax.y, 0.0f)) - window->Scroll.y) > 1;
}

}  // namespace

std::string settingItem(const SettingInfo& info)
{
    const std::string_view group = info.key.substr(0, info.key.find('.'));
    const bool view = group == "view" || group == "marks" || group == "input";
    const std::string_view last = info.key == "patch.level"           ? "patch_level"
                                  : info.key == "imagery.tile_budget" ? "imagery_tile_budget"
                                                                      : info.key.substr(info.key.rfind('.') + 1);
    return std::string(view ? "View/" : group == "model" ? "Model/" : "Terrain/") + std::string(last);
}

bool isItemName(std::string_view name)
{
    if (isModuleItem(name) || isSettingItem(name) || isFrameItem(name)) return true;
    const bool inList = std::ranges::any_of(
        kLists, [&](std::string_view list) { return name.starts_with(list) && name.size() > list.size(); });
    return inList || std::ranges::find(kItems, name) != std::end(kItems);
}

std::vector<std::string> itemNames()
{
    std::vector<std::string> names(std::begin(kItems), std::end(kItems));
    for (const std::string_view list : kLists)
        names.push_back(std::string(list) + "...");
    for (const SettingInfo& info : settingTable())
    {
        if (info.type == SettingType::kPosition) continue;
        const std::string item = settingItem(info);
        names.insert(names.end(), {item, item + "/default"});
        if (!info.choices.empty()) names.push_back(item + "/...");
    }
    for (const DockedPanel& docked : dockedPanels())
    {
        names.push_back("Tools/" + std::string(docked.name));
        for (const std::string_view item : kTitleItems)
            names.push_back(std::string(docked.name) + '/' + std::string(item));
    }
    for (const std::string_view item : kBarItems)
        names.push_back("Tools/" + std::string(item));
    for (const std::string_view item : kFileItems)
        names.push_back("Files/" + std::string(item));
    names.insert(names.end(),
                 {"Layout/left", "Layout/right", "Files/list/...", "Files/places/...", "Files/recent/..."});
    for (const compute::Module* module : compute::modules())
    {
        const std::string panel = std::string(module->description().panel) + "/";
        for (const compute::Parameter& parameter : module->parameters())
            names.push_back(panel + std::string(parameter.name));
        for (const std::string_view button : kModuleButtons)
            names.push_back(panel + std::string(button));
        for (const std::string_view list : kModuleLists)
            names.push_back(panel + std::string(list) + "/...");
    }
    std::ranges::sort(names);
    const auto repeated = std::ranges::unique(names);
    names.erase(repeated.begin(), repeated.end());
    return names;
}

void ItemRegistry::beginFrame()
{
    std::swap(shown_, next_);
    next_.clear();
}

void ItemRegistry::add(std::string_view panel, std::string_view name, std::optional<ImVec2> handle)
{
    addArea(panel, name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), handle);
}

void ItemRegistry::addArea(std::string_view panel, std::string_view name, ImVec2 min, ImVec2 max,
                           std::optional<ImVec2> handle)
{
    ItemRect rect{.min = min, .max = max};
    const ImVec2 clipMin = ImGui::GetWindowDrawList()->GetClipRectMin();
    const ImVec2 clipMax = ImGui::GetWindowDrawList()->GetClipRectMax();
    rect.visibleMin = {std::max(rect.min.x, clipMin.x), std::max(rect.min.y, clipMin.y)};
    rect.visibleMax = {std::min(rect.max.x, clipMax.x), std::min(rect.max.y, clipMax.y)};
    rect.handle = handle.value_or(rect.centre());
    rect.window = panel;
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    rect.scrolls = window->ScrollMax.y > 0 || (window->ParentWindow && window->ParentWindow->ScrollMax.y > 0);
    std::string full = std::string(panel) + '/' + std::string(name);
    if (full == wanted_ && peeks_)
        peeked_ = true;
    else if (full == wanted_)
    {
        wanted_.clear();
        ImGui::ScrollToRect(window, {min, max}, ImGuiScrollFlags_KeepVisibleCenterY);
    }
    if (peeks_ || willScroll(window) || willScroll(window->ParentWindow)) rect.visibleMax = rect.visibleMin;
    addRect(std::move(full), rect);
}

void ItemRegistry::beginPeek()
{
    peeks_ = true;
    peeked_ = false;
}

bool ItemRegistry::endPeek()
{
    peeks_ = false;
    return peeked_;
}

void ItemRegistry::addRect(std::string name, const ItemRect& rect) { next_.insert_or_assign(std::move(name), rect); }

const ItemRect* ItemRegistry::find(std::string_view name) const
{
    const auto found = shown_.find(std::string(name));
    return found == shown_.end() ? nullptr : &found->second;
}

}  // namespace orogen::app
