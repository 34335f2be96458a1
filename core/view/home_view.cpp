#include "core/view/home_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orogen {

namespace {

constexpr double kNorth = -0.30;        // of the terrain's extent, from its centre
constexpr double kLookDown = -14.0;     // degrees
constexpr double kHeightShare = 0.030;  // of the terrain's side, above what is near
constexpr double kReliefShare = 0.25;   // of the terrain's relief, likewise
constexpr double kAhead = 0.30;         // of the terrain's side: the ground that counts as near
constexpr int kSteps = 12;              // along the view, and to either side of it

double degreesOf(double tangent) { return std::atan(tangent) * (180.0 / std::numbers::pi); }

// The highest ground ahead, in a fan as wide as it is deep.  What is farther away may be higher before it hides
// anything: it counts for as much less.
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

}  // namespace

Camera homeView(const ViewSurroundings& around, double fov)
{
    const TerrainExtent& terrain = around.terrain;
    const double side = std::sqrt(terrain.size.x * terrain.size.y);
    const double relief = terrain.maxHeight - terrain.minHeight;
    const double clearance = std::max({kHeightShare * side, std::min(kReliefShare * relief, side), kEyeHeight});

    Camera home{.position = {0.0, kNorth * terrain.size.y, 0.0}, .yaw = 0, .pitch = kLookDown, .fov = fov};
    home.position.z = groundAhead(around, home.position, side, clearance) + clearance;

    const double tangent = std::tan(0.5 * fov * (std::numbers::pi / 180.0));
    const glm::dvec2 middle = around.freeLow + around.freeHigh - 1.0;  // of what is free, in [-1, 1]², y down
    const double aspect = around.viewport.x / std::max(around.viewport.y, 1.0);
    home.yaw = wrappedYaw(-degreesOf(middle.x * tangent * aspect));
    home.pitch += degreesOf(middle.y * tangent);
    return home;
}

}  // namespace orogen
