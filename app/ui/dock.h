// Open panels and their places in the two columns.  Plain data, kept between sessions; dock_columns.h draws it.
#pragma once

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

struct Dock
{
    std::vector<DockPlace> places;        // every panel; those of a side in order from the top
    float leftWidth = 0, rightWidth = 0;  // column widths (pixels at scale 1); 0: automatic
    bool operator==(const Dock&) const = default;

    DockPlace* find(std::string_view panel);  // null if there is no such panel
    const DockPlace* find(std::string_view panel) const;
    bool shows(std::string_view panel) const;          // open and not collapsed
    bool holds(Side side) const;                       // whether an open panel stands there
    std::vector<std::string> openOn(Side side) const;  // in order from the top

    // Moves a panel to position `at`, counted from the top, among the other open panels of a side; to the end if there
    // are fewer.
    void move(std::string_view panel, Side side, std::size_t at);
};

// Returns the initial arrangement: the panels `known`, in their order, with automatic column widths.
Dock defaultDock(const std::vector<DockPlace>& known);

// Returns the arrangement `kept` from an earlier session, without panels that no longer exist.  Panels that it lacks
// are inserted at their default places.
Dock mergedDock(const Dock& kept, const std::vector<DockPlace>& known);

}  // namespace orogen::app
