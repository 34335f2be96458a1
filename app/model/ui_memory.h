// Panel state that is kept between sessions, including the arrangement of the panels in the two columns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orogen::app {

enum class Side
{
    kLeft,
    kRight,
};

struct DockPlace
{
    std::string panel;
    Side side = Side::kLeft;
    bool open = false, collapsed = false;  // collapsed: only the title is shown
    bool operator==(const DockPlace&) const = default;
};

// Places of all panels, and which of them are open.
struct Dock
{
    std::vector<DockPlace> places;        // every panel; those of a side in order from the top
    float leftWidth = 0, rightWidth = 0;  // column widths (pixels at scale 1); 0: automatic
    bool operator==(const Dock&) const = default;

    DockPlace* find(std::string_view panel);  // null if there is no such panel
    const DockPlace* find(std::string_view panel) const;
    bool shows(std::string_view panel) const;          // open and not collapsed
    bool holds(Side side) const;                       // whether an open panel stands on that side
    std::vector<std::string> openOn(Side side) const;  // in order from the top

    // Moves a panel to position `at` among the open panels of a side, counted from the top.  A larger `at` is the end.
    void move(std::string_view panel, Side side, std::size_t at);
};

// Returns the initial arrangement: the panels `known`, in their order, with automatic column widths.
Dock defaultDock(const std::vector<DockPlace>& known);

// Returns the arrangement `kept` from an earlier session, without panels that no longer exist.  Panels that it lacks
// are inserted at their default places.
Dock mergedDock(const Dock& kept, const std::vector<DockPlace>& known);

struct UiMemory
{
    std::optional<float> uiScale;                    // chosen in the View panel, 0.5 to 4; empty: from the desktop
    Dock dock;                                       // if it has no places: the default arrangement
    std::map<std::string, bool, std::less<>> folds;  // by PANEL/SECTION: whether the user opened the section
    std::string browsed;                             // folder of the file browser

    // Last contents of the panels' fields.
    std::string capturePath = "overview";
    // If captureFrames or captureRuns is 0, the panel ignores all three and shows its defaults.
    std::uint64_t captureFrames = 0, captureWarmup = 0, captureRuns = 0;
    std::string experiment;                    // laboratory experiment; empty: the default
    int leastDepth = 0, mostDepth = 0;         // range of tree depths of that experiment
    double budgetMs = 0, budgetTriangles = 0;  // last budgets chosen (ms; triangles); 0: none
    std::string pathFile;
    // Values of compute modules' controls, by panel.
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>> modules;

    bool operator==(const UiMemory&) const = default;
};

}  // namespace orogen::app
