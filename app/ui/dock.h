// Which panels are open, and where they stand: in two columns, from the top.  Plain data that is kept between sessions;
// dock_columns.h draws it.
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
    bool open = false, collapsed = false;  // collapsed: only its title is shown
    bool operator==(const DockPlace&) const = default;
};

struct Dock
{
    std::vector<DockPlace> places;        // of every panel; those of a side in their order from the top
    float leftWidth = 0, rightWidth = 0;  // of the columns, in pixels at scale 1; 0: what suits the display
    bool operator==(const Dock&) const = default;

    DockPlace* find(std::string_view panel);  // null: there is no such panel
    const DockPlace* find(std::string_view panel) const;
    bool shows(std::string_view panel) const;          // open, and not collapsed
    bool holds(Side side) const;                       // an open panel
    std::vector<std::string> openOn(Side side) const;  // from the top

    // Puts a panel at place `at`, counted from the top, among the other open ones of a side; at the end where there
    // are fewer.
    void move(std::string_view panel, Side side, std::size_t at);
};

// As the program comes.  `known` in their order.
Dock defaultDock(const std::vector<DockPlace>& known);

// What was kept, for the panels of this program: those that it does not have are left out, and those that were not
// there then stand where they do by default.
Dock mergedDock(const Dock& kept, const std::vector<DockPlace>& known);

}  // namespace orogen::app
