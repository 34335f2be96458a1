// The rows that panels are made of: a name on the left, its control on the right, registered for scripts.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/laboratory_session.h"
#include "app/ui/dock.h"
#include "app/ui/file_browser.h"
#include "app/ui/items.h"
#include "app/ui/layout.h"
#include "app/ui/model.h"
#include "app/ui/settings_state.h"
#include "app/ui/theme.h"

namespace orogen::app {

// What the Capture panel has in its fields.
struct CaptureDraft
{
    CaptureRequest request;         // its folder stays empty: a new one each time
    std::optional<Settings> sideA;  // held, to be compared with the settings as they are
    int baseline = -1;              // of the finished captures: what the newest is compared with
};

// What the fields of a module's sweep hold.
struct ModuleSweepDraft
{
    std::uint64_t from = 1, to = 2, sizes = 5;
    std::set<std::string, std::less<>> leftOut{};  // of the algorithms, as items have them
    SweepQuantity shown = SweepQuantity::kTime;    // in the plot
};

// The last value of each kind of budget, for when it is chosen again.  0: none yet.
struct BudgetDraft
{
    double milliseconds = 0, triangles = 0;
};

// What the columns of panels remember from frame to frame; where the panels stand is the Dock's.
struct DockView
{
    std::vector<std::pair<std::string, PanelRect>> sections, shown;  // of this frame; shown: what scrolling leaves
    std::string reveal;                                              // the panel to scroll to; empty: none
    std::string dragged;                                             // by its title; empty: none
};

// What panels remember from frame to frame.  Nothing of it belongs to the program's state.
struct UiState
{
    bool helpOpen = false;
    bool pathsOffered = false;  // camera paths to play, in the middle
    bool panelsShown = true;
    Dock dock;
    DockView dockView;
    Layout layout;  // of this frame
    FileBrowser browser;
    float wantedScale = 1;             // of the desktop or the command line
    std::optional<float> chosenScale;  // in the View panel, instead of it
    CaptureDraft capture;
    LabRequest laboratory{"tree-reduction", {.leastDepth = 12, .mostDepth = 22, .secondsPerPoint = 2}};
    // What each compute module's controls hold, as text.
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> modules;
    std::map<std::string, ModuleSweepDraft, std::less<>> moduleSweeps;  // by panel
    Shading shadingBefore = Shading::kLit;                              // what the colours by depth took the place of
    std::map<std::string, bool, std::less<>> folds;  // sections that the user opened or folded: fold.h
    BudgetDraft budgets;
    std::map<std::string, double, std::less<>> pending;  // settings that are being dragged or typed and apply after it
    std::map<std::string, float, std::less<>> contentHeight;  // of each panel, in the last frame
    bool resized = false;                                     // a panel's content has another height in this frame
    std::string hovered;                                      // item under the mouse
    double hoveredSeconds = 0;                                // for how long
    std::string hoveredNow;                                   // in this frame
    std::string file;                                         // in the file field
    std::map<std::string, SourceDraft> sources;               // of each file that was open
    std::string filledFile, filledFor;                        // in the field of filled heights, and of which terrain
    bool replaceFilled = false;                               // the next click replaces it
    std::string imageFile;                                    // in the field of the draped image
    std::string goTo;                                         // in the field of places
    std::string pathFile;                                     // in the field of camera paths
    SettingsDraft settings;
    bool messageLogOpen = false;
    std::uint64_t presses = 0;  // of the left mouse button so far
};

// How a panel's content gets its place.
enum class DockFrame
{
    kNone,       // a window of its own
    kScrolling,  // a section of a column, which scrolls by itself
    kWhole,      // a section as high as its content
};

// What a panel draws with.
struct Panel
{
    std::string_view name;
    const UiModel& model;
    UiActions& actions;  // whose settings are the ones being edited
    UiState& state;
    ItemRegistry& items;
    const Theme& theme;
    DockFrame docked = DockFrame::kNone;
};

// Begins a panel's window at `rect`, no higher than its content was in the last frame; returns its height.  A heading
// with the title, or the panel's name, is drawn.  A docked panel is a section of its column instead, whose title the
// column draws.  Always call endPanel().
float beginPanel(const Panel& panel, const PanelRect& rect, ImGuiWindowFlags flags = 0, std::string_view title = {});
void endPanel(const Panel& panel);

// Draws `control`, a number control called "##value" that says whether it changed, with `text` in the place of the bare
// number except while one is typed: numbers stand on screen with units and groups, and are typed without.
bool withText(const std::function<bool()>& control, const std::function<std::string()>& text);

// A number to drag, or Ctrl+click and type, kept between `low` and `high`; true when it changed.
bool countRow(const Panel& panel, std::string_view name, std::uint64_t& value, std::uint64_t low, std::uint64_t high,
              std::string_view tooltip);

void section(const Panel& panel, const char* title);

// Text in a colour; `wrap` at the panel's width.
void textLine(const ImVec4& colour, const std::string& text, bool wrap = false);
// "Name ........ value", the value right-aligned; on a line of its own where both do not fit beside each other.
void valueRow(const Panel& panel, std::string_view name, const std::string& value,
              const std::optional<ImVec4>& colour = {}, std::string_view tooltip = {});

// The mouse is over `name`, whatever ImGui submitted last: shows `tooltip` there once it rests.
void noteHover(const Panel& panel, std::string_view name, std::string_view tooltip);

// Begins a row whose control, called `name`, comes next and reaches to the panel's right side.  What stands before it
// is `label`, or the name in words.
void beginRow(const Panel& panel, std::string_view name, std::string_view label = {});
// Registers the control that was just drawn and shows `tooltip` once the mouse rests on it.
void endItem(const Panel& panel, std::string_view name, std::string_view tooltip, std::optional<ImVec2> handle = {});

// A button of `width` pixels (0: as wide as its text) with `label`, or its name in words, on it;
// true when pressed.
bool button(const Panel& panel, std::string_view name, std::string_view tooltip, float width = 0,
            std::string_view label = {});
float buttonWidth(const Panel& panel, int inARow);

// Where the slider drawn last has its grab: ImGui's geometry, so that a drag by script starts from the value.
ImVec2 sliderGrab(double value, double low, double high, bool logarithmic);

struct RowOptions
{
    std::string_view name{};  // empty: the last part of the key
    bool logarithmic = false;
    bool onRelease = false;                     // applies when the mouse lets go
    bool powersOfTwo = false;                   // while dragging
    std::optional<double> lowest{}, highest{};  // of the slider, where the setting's own range is wider than useful
    std::string_view unit{};                    // where it depends on another setting
    bool disabled = false;
    // Why a value cannot be had here, though it is in range; asked before it is applied.
    std::function<std::optional<std::string>(double)> refusal{};
    std::optional<double> limit{};               // the largest value that can be had here: the slider ends there
    std::function<std::string(double)> words{};  // stands in the place of the value; null: the value with its unit
    std::string note{};                          // more to say in the tooltip
};

// A control for the setting `key`: check box, list or slider by its type, tooltip by its text.  What is not at its
// default is marked: a click on the label (item NAME/default) or a right click on the control puts it back.  What
// setSettings() refuses goes to UiActions::refused.
void settingRow(const Panel& panel, std::string_view key, const RowOptions& options = {});

// Sets one key of the edited settings, or says why not.
void applySetting(const Panel& panel, std::string_view key, const std::string& value);

// Puts `text` on the clipboard and says that `what` was copied.
void copyText(const Panel& panel, const std::string& text, const std::string& what);

}  // namespace orogen::app
