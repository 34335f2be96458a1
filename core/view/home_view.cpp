#include "core/view/home_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <glm/common.hpp>

namespace orogen {

namespace {

constexpr double kNorth = -0.30;        // offset from the region's centre, relative to its extent
constexpr double kLookDown = -14.0;     // degrees
constexpr double kHeightShare = 0.030;  // clearance above near ground, relative to the region's side
constexpr double kReliefShare = 0.25;   // clearance, relative to the terrain's relief
constexpr double kAhead = 0.30;         // range of near ground, relative to the region's side
constexpr int kSteps = 12;              // along the view, and to either side of it
constexpr double kLargeSide = 100'000;  // metres: larger terrains are viewed by region
constexpr double kRegionSide = 40'000;  // metres
constexpr int kSearchSteps = 44;        // per side of a large terrain, in the search for its highest place

double degreesOf(double tangent) { return std::atan(tangent) * (180.0 / std::numbers::pi); }

// Returns the highest ground ahead, in a fan as wide as it is deep.  Ground further away counts as lower, since it
// hides less.
double groundAhead(const ViewSurroundings& around, const glm::dvec3& from, double side, double clearance)
{
    double highest = around.ground(from.x, from.y);
    for (int ahead = 1; ahead <= kSteps; ++ahead)
    {
        const double distance = kAhead * side * ahead / kSteps;
        for (int across = -kSteps / 2; across <= kSteps / 2; ++across)
        {
            const double ground = around.ground(from.x + distance * across / kSteps, from.y + distance);
            highest = std::max(highest, ground - clearance * 0.8 * ahead / kSteps);
        }
    }
    return highest;
}

struct Region
{
    glm::dvec2 centre{0.0}, size{0.0};  // metres
    double side() const { return std::sqrt(size.x * size.y); }
};

// Returns the whole terrain, or the area around its highest place within the terrain.
Region regionOf(const ViewSurroundings& around)
{
    Region region{.size = around.terrain.size};
    if (region.side() <= kLargeSide) return region;
    const glm::dvec2 whole = region.size;
    double highest = -std::numeric_limits<double>::infinity();
    for (int row = 0; row < kSearchSteps; ++row)
        for (int column = 0; column < kSearchSteps; ++column)
        {
            const glm::dvec2 place =
                (glm::dvec2(column, row) + 0.5 - 0.5 * kSearchSteps) / double(kSearchSteps) * whole;
            const double ground = around.ground(place.x, place.y);
            if (ground > highest) region.centre = place;
            highest = std::max(highest, ground);
        }
    region.size = glm::min(whole, glm::dvec2(kRegionSide));
    const glm::dvec2 most = (whole - region.size) / 2.0;
    region.centre = glm::clamp(region.centre, -most, most);
    return region;
}

Camera overRegion(const ViewSurroundings& around, double fov)
{
    const Region region = regionOf(around);
    const double side = region.side(), relief = around.terrain.maxHeight - around.terrain.minHeight;
    const double clearance = std::max({kHeightShare * side, std::min(kReliefShare * relief, side), kEyeHeight});
    const glm::dvec2 place = region.centre + glm::dvec2(0.0, kNorth * region.size.y);
    Camera home{.position = {place, 0.0}, .yaw = 0, .pitch = kLookDown, .fov = fov};
    home.position.z = groundAhead(around, home.position, side, clearance) + clearance;
    return home;
}

Camera namedHome(const ViewSurroundings& around, double fov)
{
    Camera home = *around.home;
    home.fov = fov;
    return aboveGround(home, around.ground(home.position.x, home.position.y));
}

}  // namespace

Camera homeView(const ViewSurroundings& around, double fov)
{
    Camera home = around.home ? namedHome(around, fov) : overRegion(around, fov);
    const double tangent = std::tan(0.5 * fov * (std::numbers::pi / 180.0));
    const glm::dvec2 middle = around.freeLow + around.freeHigh - 1.0;  // uncovered area's centre, in [-1, 1]², y down
    const double aspect = around.viewport.x / std::max(around.viewport.y, 1.0);
    home.yaw = wrappedYaw(home.yaw - degreesOf(middle.x * tangent * aspect));
    home.pitch += degreesOf(middle.y * tangent);
    return home;
}

}  // namespace orogen
