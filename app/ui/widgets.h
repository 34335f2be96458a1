// Rows that panels consist of: a name on the left and its control on the right, registered for scripts.  Also the state
// of the panels between frames (UiState).
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/model/session_state.h"
#include "app/model/ui_memory.h"
#include "app/model/ui_model.h"
#include "app/ui/file_browser.h"
#include "app/ui/items.h"
#include "app/ui/layout.h"
#include "app/ui/theme.h"
#include "core/view/name_labels.h"

namespace orogen::app {

// Contents of the Capture panel's fields.
struct CaptureDraft
{
    CaptureRequest request;         // request.folder stays empty: each capture gets a new folder
    std::optional<Settings> sideA;  // held for comparison with the current settings
    int baseline = -1;              // index of the finished capture to compare the newest with; -1: the one before it
};

// Contents of the fields for sweeping a module over sizes.
struct ModuleSweepDraft
{
    std::uint64_t from = 1, to = 2, sizes = 5;
    std::set<std::string, std::less<>> leftOut{};  // item names of excluded algorithms
    SweepQuantity shown = SweepQuantity::kTime;    // quantity plotted
};

// Last value of each kind of budget, restored when the kind is chosen again; 0: none yet.
struct BudgetDraft
{
    double milliseconds = 0, triangles = 0;
};

// State of the columns between frames.  UiState::dock has the places of the panels.
struct DockView
{
    std::vector<std::pair<std::string, PanelRect>> sections, shown;  // rectangles in this frame; shown: visible parts
    std::string reveal;                                              // panel to scroll to; empty: none
    std::string dragged;                                             // panel dragged by its title; empty: none
    bool fillsLeft = false, fillsRight = false;  // the column's panels cover so much that the column hides the picture
};

// Contents of the fields of a terrain's source, as text; empty: the file's own value applies.
struct SourceDraft
{
    std::string nodata{}, pixelSize{}, crs{}, unit{}, encoding{};
};

// Contents of the settings section's fields.
struct SettingsDraft
{
    std::string presetName{};
    std::string confirmed{};    // "save NAME" or "delete NAME" after one press; a second press acts
    bool changedShown = false;  // whether the list of changed settings is shown
};

// Interface state between frames; not part of the program's state.
struct UiState
{
    bool helpOpen = false;
    bool pathsOffered = false;  // choice of camera paths over the picture
    bool panelsShown = true;
    Dock dock;
    DockView dockView;
    Layout layout;      // columns and overlays in this frame
    PanelRect picture;  // part of the display that the panels of this frame do not hide
    FileBrowser browser;
    std::optional<std::string> offered;  // terrain to show in the browser
    float wantedScale = 1;               // from the desktop or the command line
    std::optional<float> chosenScale;    // from the View panel; overrides wantedScale
    CaptureDraft capture;
    std::string meshFile = "terrain.glb";  // text of the field for meshes
    RecordRequest film{.out = "flight.mp4"};
    LabRequest laboratory{"tree-reduction", {.leastDepth = 12, .mostDepth = 22, .secondsPerPoint = 2}};
    // Values of each compute module's controls, as text, by panel.
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> modules;
    std::map<std::string, ModuleSweepDraft, std::less<>> moduleSweeps;  // by panel
    Shading shadingBefore = Shading::kLit;           // shading that F7 returns to from colours by depth
    std::map<std::string, bool, std::less<>> folds;  // PANEL/SECTION: whether the user opened it
    BudgetDraft budgets;
    std::map<std::string, double, std::less<>> pending;       // by key or item: dragged or typed, not applied yet
    std::map<std::string, float, std::less<>> contentHeight;  // by panel, in the last frame
    bool resized = false;                                     // a panel's content changed height in this frame
    std::string hovered;                                      // item under the mouse in the last frame
    double hoveredSeconds = 0;                                // time since the mouse reached `hovered`
    std::string hoveredNow;                                   // item under the mouse in this frame
    std::string unavailable;                                  // why drawn items are disabled; empty: they are not
    std::string file;                                         // text of the Terrain panel's field for files
    std::map<std::string, SourceDraft> sources;               // by file opened
    std::string filledFile, filledFor;  // text of the field for filled heights, and the terrain that it belongs to
    bool replaceFilled = false;         // the next click replaces the file
    std::string imageFile;              // text of the field for pictures
    std::map<std::string, float, std::less<>> layerOpacity;  // by picture: dragged, not applied yet
    bool suggesting = false;                                 // places are listed below the field `goTo`
    std::string modelFile = "aged.tif";                      // text of the field for the terrain model
    std::string overlayFile;                                 // text of the field for overlays
    std::string goTo;                                        // text of the field for places
    std::string typedTime;                                   // text of the field for render.time
    std::map<std::string, std::string, std::less<>> texts;   // by key of a setting: text of its field
    bool typingTime = false;                                 // the field of render.time has the keyboard
    bool sunPlays = false;                                   // render.time runs on
    std::string pathFile;                                    // text of the field for camera paths
    SettingsDraft settings;
    bool messageLogOpen = false;
    LabelLayout names;          // labels of places in the picture
    std::uint64_t presses = 0;  // left-button presses so far: see SettingsActions::gesture
};

// Placement of a panel's content.
enum class DockFrame
{
    kNone,       // a separate window
    kScrolling,  // a column section that scrolls by itself
    kWhole,      // a column section as high as its content
};

// Context that a panel draws with.
struct Panel
{
    std::string_view name;
    const UiModel& model;
    UiActions& actions;  // actions.settings are the settings being edited
    UiState& state;
    ItemRegistry& items;
    const Theme& theme;
    DockFrame docked = DockFrame::kNone;
};

// Begins a panel's window at `rect`, at most as high as its content was in the last frame, and returns its height.
// Draws a heading with the title or the panel's name.  A docked panel becomes a section of its column, which draws the
// title.  Every call needs an endPanel().
float beginPanel(const Panel& panel, const PanelRect& rect, ImGuiWindowFlags flags = 0, std::string_view title = {});
void endPanel(const Panel& panel);

// Draws `control`, a number control called "##value" that returns whether it changed.  Draws `text` over its bare
// number except while the user types, so that numbers are shown with units and digit groups but typed without them.
bool withText(const std::function<bool()>& control, const std::function<std::string()>& text);

// Draws a number that can be dragged or typed (Ctrl+click), limited to [low, high]; returns whether it changed.
bool countRow(const Panel& panel, std::string_view name, std::uint64_t& value, std::uint64_t low, std::uint64_t high,
              std::string_view tooltip);

void section(const Panel& panel, const char* title);

// Draws coloured text; `wrap` breaks it at the panel's width.
void textLine(const ImVec4& colour, const std::string& text, bool wrap = false);

// Returns `text`, shortened at the end to fit `width` pixels.
std::string fitting(std::string text, float width);

// Breaks a text at blanks into lines of at most `width` pixels.  ImGui alone would also break a number after its comma
// or point.
std::string wrappedAtBlanks(const std::string& text, float width);
// Draws "Name ........ value" with the value right-aligned, or on its own line if name and value do not fit on one.
void valueRow(const Panel& panel, std::string_view name, const std::string& value,
              const std::optional<ImVec4>& colour = {}, std::string_view tooltip = {});

// Draws a progress bar with its percentage, "36 %".  `width` (pixels; negative: up to that distance from the right).
void percentBar(double fraction, float width = -1);

// Reports that the mouse is over `name`, and shows `tooltip` once the mouse rests there.
void noteHover(const Panel& panel, std::string_view name, std::string_view tooltip);

// Begins a row: draws `label`, or the name in words.  The caller draws the control, which fills the rest of the row.
void beginRow(const Panel& panel, std::string_view name, std::string_view label = {});
// Ends a row: registers its control for scripts, shows `tooltip` once the mouse rests there, and pops the ImGui ID that
// beginRow() or the caller pushed.  `handle`: where a scripted drag starts (display pixels); empty: the centre.
void endItem(const Panel& panel, std::string_view name, std::string_view tooltip, std::optional<ImVec2> handle = {});

// Disables the items that are drawn during its life, unless `why` is empty.  Their tooltips begin with `why`.
class Disabled
{
public:
    Disabled(const Panel& panel, std::string_view why);
    ~Disabled();
    Disabled(const Disabled&) = delete;
    Disabled& operator=(const Disabled&) = delete;

private:
    const Panel& panel_;
    std::string before_;
};

// Draws a button of `width` pixels (0: fits its text) with `label`, or its name in words; returns whether pressed.  A
// label that is too wide gets less space beside it, and is shortened if that does not suffice.
bool button(const Panel& panel, std::string_view name, std::string_view tooltip, float width = 0,
            std::string_view label = {});
// Stays in the row of the last item if a button of this name that fits its text has room there.
void sameRowIfFits(std::string_view name);
// Returns the width of each of `inARow` buttons that fill a row (pixels).
float buttonWidth(const Panel& panel, int inARow);

// Returns where ImGui drew the grab of the last slider (display pixels), so that a scripted drag starts at the value.
ImVec2 sliderGrab(double value, double low, double high, bool logarithmic);

struct RowOptions
{
    std::string_view name{};  // empty: last part of the key
    bool logarithmic = false;
    bool onRelease = false;    // the value applies when the slider is released, not while it is dragged
    bool powersOfTwo = false;  // a dragged slider snaps to powers of two
    std::optional<double> lowest{}, highest{};  // slider's range; empty: the setting's
    std::string_view unit{};                    // replaces the setting's unit if not empty
    std::string_view disabled{};                // why the row is disabled; empty: it is not
    // Returns why a value in range is impossible here, or empty; called before a value is applied.
    std::function<std::optional<std::string>(double)> refusal{};
    std::optional<double> limit{};               // largest possible value on this device; the slider ends there
    std::function<std::string(double)> words{};  // text for a value; null: value with unit
    std::string note{};                          // added to the tooltip
};

// Draws a control for the setting `key`: check box, list, slider or text field by its type.  A right click on it resets
// the setting.  If a setting that does not place the camera is not at its default, its label is marked, and a click on
// the label (item NAME/default) resets it.  Edits that setSettings() rejects go to UiActions::refused.
void settingRow(const Panel& panel, std::string_view key, const RowOptions& options = {});

// Sets one key of the edited settings; a rejected value goes to UiActions::refused.
void applySetting(const Panel& panel, std::string_view key, const std::string& value);

// Puts `text` on the clipboard and reports that `what` was copied.
void copyText(const Panel& panel, const std::string& text, const std::string& what);

// Returns whether a popup is open (menu, list of choices, colour picker), which Escape closes.
bool popupOpen();

// ---- tooltips ----

// Returns whether a mouse button is held, in which case no tooltip is shown.
bool draggingAnything();

// Shows a tooltip that leaves the rectangle `uncovered`; empty: the item that ImGui submitted last.
void showTooltip(const Panel& panel, std::string_view text, const std::optional<PanelRect>& uncovered = {});

// Returns the position of a tooltip of `size`: beside the item's column, below the whole tool bar, or else below the
// item (above it if there is no room), and within the display.  `gap`: distance from column, bar or item (pixels).
ImVec2 tooltipPlace(const Layout& layout, ImVec2 display, const PanelRect& item, ImVec2 size, float gap);

// ---- foldable sections ----

// A foldable section of a panel: a click on the heading folds or unfolds.
//
//     if (const Fold fold{panel, "sun", "sun and air", false}) { ...rows... }
//
// Fold states are kept between sessions.  A script that looks for an item of a folded section unfolds it.
class Fold
{
public:
    // Draws the heading, the item PANEL/fold/ID.  `open` applies until the user folds or unfolds the section.
    Fold(const Panel& panel, std::string_view id, const std::string& title, bool open = true);
    ~Fold();
    Fold(const Fold&) = delete;
    Fold& operator=(const Fold&) = delete;

    explicit operator bool() const { return drawn_; }  // whether the caller draws the rows

private:
    const Panel& panel_;
    std::string key_;
    bool drawn_ = false;
    bool peeks_ = false;          // folded: the rows are laid out invisibly to find an item that a script looks for
    ImVec2 cursor_{}, extent_{};  // the window's cursor and content size, restored afterwards
};

}  // namespace orogen::app
