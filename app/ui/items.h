// Registry of controls by name, for scripts ("click Terrain/depth") and tests.
//
// An item is called PANEL/NAME.  Labels on screen differ from these names (words.h).  The control of a setting is named
// after the last part of its key (settingItem()), except patch.level (patch_level) and imagery.tile_budget
// (imagery_tile_budget).  The control is in the panel View for keys of view, marks and input, in Model for keys of
// model, else in Terrain.  A choice in an open list is PANEL/NAME/CHOICE.  The label of a setting that is not at its
// default is PANEL/NAME/default.
//
// The most used of the other items follow; itemNames() returns all.
//
//   panel        items
//   any panel    fold/SECTION (a heading: folds and unfolds)
//                title (drag: to another place; click: folds), menu (menu/up down across fold close reset), close
//   Terrain      open file bundled earth lay_in  inset_N/show layer_N/... overlay_N/... (N from 1)  reload_shaders
//                undo redo reset  preset preset_name save_preset delete_preset  changed copy_command
//                fill_voids undo_fill (while one of them runs: cancel_fill) residual  filled_file save_filled
//                source_nodata source_pixel_size source_crs source_unit source_encoding reopen  picture add_picture
//   View         east north up  home copy screenshot  goto go bookmark_1 keep_1 (to 3)
//                record (or stop) play (or pause) place  path_file paths load save  ui_scale pictures captures
//                split (or split_at split_difference close_split)
//                mesh_file write_mesh cancel_mesh
//                film_file film_rate film_settled film_panels record_film (or stop_film)
//   Performance  graph passes memory  validate measure_error measure_jump
//   Laboratory   experiment from_depth to_depth run cancel figure save
//   Model        step undo reset  drainage window  brush_kind radius strength paint undo_stroke redo_stroke
//                usual_rates file save
//   Capture      path frames warmup runs hold_a forget_a show_both start stop recover copy baseline compare
//                sweep stop_sweep points/NAME
//   Multiword, Signed-digit, Linear and any other panel of a compute module
//                run cancel draw_frames, the module's parameters, by name; copy_result copy_step save
//                curve plot speed_plot
//                sweep_from sweep_to sweep_sizes series/ALGORITHM start_sweep  sweep_shows sweep_plot save_sweep
//   Tools        open reopen, the panels' names (each opens or closes that panel; if needed, a script's click opens the
//                menu compute first), compute, layout (layout/reset, layout/hide)
//                info measure top_view (each turns a tool on and off)
//   Layout       left right (the columns' edges: drag them)
//   Measure      profile back end (or continue) clear copy save close
//   TopView      picture larger (or smaller) closer farther
//   Picture      compass (turns north up)  scale
//   Split        divider (between the sides of a split picture: drag it)
//   Viewport     picture (the terrain between the panels: drag it to look around)
//   Files        field list/NAME places recent up all accept other cancel this folder   (the file browser, Ctrl+O)
//   Status       messages        (opens and closes Log)  reset_kept (while kept settings are reported)
//   Paths        NAME close      (F10 without a camera path: plays the path of that name)
//   Log          copy close      (the messages of the session)
//   Help         close           (F1)
//   Loading      cancel          (while a terrain is loading)
//   Shader       copy close      (after a reload that failed)
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <imgui.h>

#include "core/settings.h"

namespace orogen::app {

struct ItemRect
{
    ImVec2 min{}, max{};                // pixels of the display
    ImVec2 visibleMin{}, visibleMax{};  // part left visible by scrolling; empty if max <= min
    ImVec2 handle{};                    // where a drag starts, for example a slider's grab; by default the centre
    std::string window{};               // PANEL of the item's name
    bool scrolls = false;               // the item's ImGui window, or its parent, has more content than room

    ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
    bool shows(ImVec2 point) const  // whether this point of the item is visible
    {
        return point.x >= visibleMin.x && point.y >= visibleMin.y && point.x < visibleMax.x && point.y < visibleMax.y;
    }
};

// Returns the item name of a setting's control, as in "Terrain/depth".  Not for a position, which has three controls.
std::string settingItem(const SettingInfo& info);

// Returns whether an item of this name can exist, to check scripts before they run.  Checks the choices of settings,
// but accepts any choice of other lists.
bool isItemName(std::string_view name);

// Returns all item names, sorted; PANEL/NAME/... stands for the choices of a list.
std::vector<std::string> itemNames();

// Items of the last drawn frame.
class ItemRegistry
{
public:
    void beginFrame();  // ends a frame: find() and all() return the items added since the previous call
    // Adds the item that ImGui submitted last, and scrolls its window to it if reveal() requested it.
    void add(std::string_view panel, std::string_view name, std::optional<ImVec2> handle = {});
    // Adds a part of the current window that is not an ImGui item.
    void addArea(std::string_view panel, std::string_view name, ImVec2 min, ImVec2 max,
                 std::optional<ImVec2> handle = {});
    // Adds a rectangle outside all windows.
    void addRect(std::string name, const ItemRect& rect);

    const ItemRect* find(std::string_view name) const;  // null: not drawn
    // Requests an item: panels and sections open and scroll until it is visible.
    void reveal(std::string name) { wanted_ = std::move(name); }
    const std::string& wanted() const { return wanted_; }  // item requested by reveal() and not drawn since
    // Begins the items of a folded section.  These items are compared with wanted(), but count as invisible.
    void beginPeek();
    bool endPeek();  // ends the items of the folded section; returns whether wanted() was among them
    const std::unordered_map<std::string, ItemRect>& all() const { return shown_; }

private:
    std::unordered_map<std::string, ItemRect> shown_, next_;
    std::string wanted_;
    bool peeks_ = false, peeked_ = false;
};

}  // namespace orogen::app
