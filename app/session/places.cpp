#include "app/session/places.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/session/session.h"
#include "core/base/text.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

Error noBookmarks() { return {ExitCode::kInput, "a bookmark is a place of the Earth: expected the Earth to be shown"}; }

}  // namespace

Places::Places(Session& session) : session_(session), terrain_(session.terrain), settings_(session.settings) {}

Status Places::goTo(const Geodetic& place)
{
    const std::optional<glm::dvec3> position = terrain_.info() ? terrain_.positionOf(place) : std::nullopt;
    if (!position)
        return Error{ExitCode::kInput,
                     fmt::format("{}: found no georeference, expected one to go to a latitude and longitude",
                                 terrain_.info() ? terrain_.info()->name : "no terrain")};
    const Settings::View& view = settings_.wanted().view;
    Camera there = orogen::goTo(place, view.fov);
    there.position = *position;
    if (view.mode == ViewMode::kMap) there.pitch = -90;
    session_.camera.goTo(there, session_.flownSurroundings(), settings_);
    return Status::ok();
}

// Shows the place that the camera `flying` looks at (mode kFly), in the present view mode.
void Places::show(const Camera& flying)
{
    const ViewSurroundings around = session_.flownSurroundings();
    Settings::View& view = settings_.view();
    const ViewMode mode = std::exchange(view.mode, ViewMode::kFly);
    storeCamera(keptAbove(flying, around), view);
    view = session_.camera.over(around).switched(view, mode, around);
}

Status Places::showExtent(double west, double south, double east, double north)
{
    const ViewSurroundings around = session_.surroundings();
    const double fov = settings_.wanted().view.fov;
    if (terrain_.earth())
    {
        show(viewOfExtent(wrappedLongitude(west), std::max(south, -90.0), wrappedLongitude(east), std::min(north, 90.0),
                          around, fov));
        return Status::ok();
    }
    const LatLong middle{0.5 * (south + north), wrappedLongitude(0.5 * (west + east))};
    const auto at = terrain_.geography() ? terrain_.geography()->metres(middle) : std::nullopt;
    if (!at)
        return Error{ExitCode::kInput, fmt::format("{}: found no georeference, expected one to go to a place",
                                                   printable(terrain_.raster().name))};
    const glm::dvec2 half = 0.5 * around.terrain.size;
    if (std::abs(at->east) > half.x || std::abs(at->north) > half.y)
        return Error{ExitCode::kInput, fmt::format("{}: {} lies outside", printable(terrain_.raster().name),
                                                   orogen::placeText(middle.latitude, middle.longitude, 3))};
    const double side = 111'320 * std::max(north - south, (east - west) * std::cos(middle.latitude / kDegreesARadian));
    const double distance = std::clamp(1.2 * side, 100.0, 1.4 * glm::length(half)), down = 30;
    Camera there{.position = {}, .yaw = 0, .pitch = -down, .fov = fov};
    there.position = glm::dvec3(at->east, at->north, around.ground(at->east, at->north)) - forward(there) * distance;
    show(there);
    return Status::ok();
}

Status Places::setBookmark(int number)
{
    if (!terrain_.earth()) return noBookmarks();
    bookmarks_[std::size_t(number - 1)] = cameraOf(settings_.wanted().view);
    session_.files.keepBookmarks(bookmarks_);
    return Status::ok();
}

Status Places::goToBookmark(int number)
{
    const std::optional<Camera>& kept = bookmarks_[std::size_t(number - 1)];
    if (!terrain_.earth()) return noBookmarks();
    if (!kept)
        return Error{ExitCode::kInput, fmt::format("bookmark {}: found none, expected one that was kept", number)};
    show(*kept);
    return Status::ok();
}

void Places::showInset(std::size_t number)
{
    if (number >= terrain_.insets().size()) return;
    const EarthExtent& extent = terrain_.insets()[number].extent;
    show(viewOfExtent(extent.west, extent.south, extent.east, extent.north, session_.surroundings(),
                      settings_.wanted().view.fov));
}

}  // namespace orogen::app
