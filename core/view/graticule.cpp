#include "core/view/graticule.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/view/earth_view.h"

namespace orogen {
namespace {

constexpr double kLinesAcross = 4;       // approximate number of steps from the camera to the middle of the view
constexpr double kReachOfDistance = 12;  // radius of the region in camera heights, at least, but not beyond the horizon
constexpr double kMostLines = 12;        // lines to each side of the middle
constexpr int kMostOfAll = 400;          // highest index of a line of each direction
constexpr double kHighestLatitude = 88;  // meridians end here, since they meet at the poles

// Steps in seconds of arc.  Each one is a multiple of the one after the next, and all divide 90 degrees.
constexpr auto kArcSteps = std::to_array<double>(
    {30 * 3600, 10 * 3600, 5 * 3600, 2 * 3600, 3600, 1800, 600, 300, 120, 60, 30, 10, 5, 2, 1, 0.5, 0.1, 0.05, 0.01});

std::string metresOf(double metres, bool east)
{
    const char* const side = east ? (metres < 0 ? "west" : "east") : (metres < 0 ? "south" : "north");
    const double size = std::abs(metres);
    if (size == 0) return "0";
    return size >= 1000 ? fmt::format("{:g} km {}", size / 1000, side) : fmt::format("{:g} m {}", size, side);
}

}  // namespace

double gridStep(double wanted, bool degrees)
{
    if (degrees)
    {
        for (const double step : kArcSteps)
            if (step <= wanted * 3600 * (1 + 1e-9)) return step / 3600;
        return kArcSteps.back() / 3600;
    }
    const double power = std::pow(10, std::floor(std::log10(std::max(wanted, 0.1)) + 1e-9));
    for (const double factor : {5.0, 2.0})
        if (factor * power <= wanted * (1 + 1e-9)) return factor * power;
    return power;
}

std::string gridDegrees(double value, double step, bool latitude)
{
    const char* const side = value == 0 ? "" : latitude ? (value < 0 ? " S" : " N") : (value < 0 ? " W" : " E");
    const double hundredths = std::round(std::abs(value) * 360'000);
    const auto whole = std::int64_t(hundredths);
    const std::int64_t degrees = whole / 360'000, minutes = whole / 6'000 % 60;
    const double seconds = double(whole % 6'000) / 100;
    std::string text = fmt::format("{}°", degrees);
    if (step < 1 - 1e-9) text += fmt::format(" {:02}'", minutes);
    if (step < 1.0 / 60 - 1e-9) text += fmt::format(" {:g}\"", seconds);
    return text + side;
}

GridRegion gridOnEarth(const Camera& camera)
{
    const Geodetic eye = geodeticOf(camera.position);
    const double radius = kEarthEquatorRadius, height = std::max(eye.height, 1.0);
    const double horizon = radius * std::acos(radius / (radius + height));
    // The steps follow from the distance of the ground on the view axis or the horizon, at most 6 camera heights.
    const std::optional<glm::dvec3> met = onRaisedEllipsoid(camera.position, earthForward(camera), 0);
    const double distance = std::min(met ? glm::distance(*met, camera.position) : horizon, 6 * height);
    const double reach = std::min(horizon, std::max(kReachOfDistance * height, 2.5 * distance));
    const double aMetre = kDegreesARadian / radius;  // degrees of arc per metre on the ground
    const double step = gridStep(std::max(distance / kLinesAcross, 1.0) * aMetre, true);
    const auto snapped = [&](double value, bool up) {
        return step * (up ? std::ceil(value / step) : std::floor(value / step));
    };
    GridRegion region{.step = step, .across = step};
    // The region surrounds the place below the camera, and the middle of the view if there is ground in the middle.
    const Geodetic middle = met && distance < horizon ? geodeticOf(*met) : eye;
    const double high = reach * aMetre;
    region.south = std::max(snapped(std::min(eye.latitude, middle.latitude) - high, false), -90.0);
    region.north = std::min(snapped(std::max(eye.latitude, middle.latitude) + high, true), 90.0);
    const double farthest = std::max(std::abs(region.south), std::abs(region.north));
    const double wide = farthest > 80 ? 180.0 : high / std::cos(farthest / kDegreesARadian);
    const double turn = wrappedLongitude(middle.longitude - eye.longitude);
    // Meridians converge towards the poles.  Their step is widened, to 30 degrees at most, until they are at least half
    // as far apart (in metres) as parallels.
    const double west = eye.longitude + std::min(turn, 0.0) - wide, east = eye.longitude + std::max(turn, 0.0) + wide;
    const bool round = east - west >= 360;
    const double most = kMostLines * step;
    if (round) region.across = gridStep(std::max(step, 120 / kMostLines), true);
    while (!round && region.across < 30 && std::min(east - west, 2 * most) > 0 &&
           std::cos(middle.latitude / kDegreesARadian) * region.across < 0.5 * step)
        region.across = gridStep(region.across * 5.01, true);
    const auto snappedAcross = [&](double value, bool up) {
        return region.across * (up ? std::ceil(value / region.across) : std::floor(value / region.across));
    };
    region.west = round ? -180 : snappedAcross(west, false);
    region.east = round ? 180 - region.across : snappedAcross(east, true);
    // Keeps only the nearest 24 lines or so of each direction.
    region.south = std::max(region.south, snapped(middle.latitude - most, false));
    region.north = std::min(region.north, snapped(middle.latitude + most, true));
    if (!round)
    {
        const double about = eye.longitude + turn, reachAcross = kMostLines * region.across;
        region.west = std::max(region.west, snappedAcross(about - reachAcross, false));
        region.east = std::min(region.east, snappedAcross(about + reachAcross, true));
    }
    return region;
}

std::vector<GridLine> gridLines(const GridRegion& region, int steps,
                                const std::function<std::optional<glm::dvec3>(double, double)>& place, double labelX,
                                double labelY)
{
    std::vector<GridLine> lines;
    const auto count = [](double low, double high, double step) {
        return std::clamp(int(std::lround((high - low) / step)), -1, kMostOfAll);
    };
    const auto nearestLine = [](double at, double low, double high, double step) {
        return std::clamp(step * std::round(at / step), std::min(low, high), std::max(low, high));
    };
    const double crossX = nearestLine(labelX, region.west, region.east, region.across);
    const double crossY = nearestLine(labelY, region.south, region.north, region.step);
    const bool whole = region.degrees && region.east - region.west > 359.9 - region.across;
    const auto add = [&](double fixed, double from, double to, bool meridian) {
        GridLine line;
        line.meridian = meridian;
        const double shown = meridian && region.degrees ? wrappedLongitude(fixed) : fixed;
        line.label = region.degrees ? gridDegrees(shown, meridian ? region.across : region.step, !meridian)
                                    : metresOf(fixed, meridian);
        const auto finish = [&] {
            if (line.points.size() > 1)
            {
                lines.push_back(line);
                line.label.clear();  // one label per line
            }
            line.points.clear();
        };
        const std::optional<glm::dvec3> labelled = meridian ? place(fixed, crossY) : place(crossX, fixed);
        if (labelled)
            line.labelled = *labelled;
        else
            line.label.clear();
        for (int i = 0; i <= steps; ++i)
        {
            const double along = from + (to - from) * i / steps;
            const std::optional<glm::dvec3> point = meridian ? place(fixed, along) : place(along, fixed);
            if (point)
                line.points.push_back(*point);
            else
                finish();
        }
        finish();
    };
    for (int i = 0; i <= count(region.west, region.east, region.across); ++i)
    {
        const double top = region.degrees ? kHighestLatitude : region.north;
        const double bottom = region.degrees ? -kHighestLatitude : region.south;
        add(region.west + i * region.across, std::max(region.south, bottom), std::min(region.north, top), true);
    }
    for (int i = 0; i <= count(region.south, region.north, region.step); ++i)
    {
        const double y = region.south + i * region.step;
        if (region.degrees && std::abs(y) > 89.9) continue;
        add(y, region.west, whole ? region.west + 360 : region.east, false);
    }
    return lines;
}

}  // namespace orogen
