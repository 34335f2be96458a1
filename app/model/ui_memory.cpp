#include "app/model/ui_memory.h"

#include <algorithm>
#include <utility>

namespace orogen::app {

const DockPlace* Dock::find(std::string_view panel) const
{
    const auto found = std::ranges::find(places, panel, &DockPlace::panel);
    return found == places.end() ? nullptr : &*found;
}

DockPlace* Dock::find(std::string_view panel) { return const_cast<DockPlace*>(std::as_const(*this).find(panel)); }

bool Dock::shows(std::string_view panel) const
{
    const DockPlace* place = find(panel);
    return place && place->open && !place->collapsed;
}

bool Dock::holds(Side side) const
{
    return std::ranges::any_of(places, [side](const DockPlace& p) { return p.open && p.side == side; });
}

std::vector<std::string> Dock::openOn(Side side) const
{
    std::vector<std::string> names;
    for (const DockPlace& place : places)
        if (place.open && place.side == side) names.push_back(place.panel);
    return names;
}

void Dock::move(std::string_view panel, Side side, std::size_t at)
{
    const auto found = std::ranges::find(places, panel, &DockPlace::panel);
    if (found == places.end()) return;
    DockPlace moved = *found;
    moved.side = side;
    places.erase(found);
    auto before = places.begin();
    for (std::size_t passed = 0; before != places.end(); ++before)
        if (before->open && before->side == side && passed++ == at) break;
    places.insert(before, std::move(moved));
}

Dock defaultDock(const std::vector<DockPlace>& known) { return {known, 0, 0}; }

Dock mergedDock(const Dock& kept, const std::vector<DockPlace>& known)
{
    Dock dock{{}, kept.leftWidth, kept.rightWidth};
    for (const DockPlace& place : kept.places)
        if (!dock.find(place.panel) && std::ranges::find(known, place.panel, &DockPlace::panel) != known.end())
            dock.places.push_back(place);
    for (std::size_t i = 0; i < known.size(); ++i)
    {
        if (dock.find(known[i].panel)) continue;
        // Inserts the panel after the one that precedes it by default.
        const auto before =
            i == 0 ? dock.places.end() : std::ranges::find(dock.places, known[i - 1].panel, &DockPlace::panel);
        dock.places.insert(before == dock.places.end() ? dock.places.begin() : before + 1, known[i]);
    }
    return dock;
}

}  // namespace orogen::app
