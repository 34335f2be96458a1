#include "core/terrain/raster/contours.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/geometric.hpp>

namespace orogen {
namespace {

constexpr double kPixelsApart = 26;     // distance to keep between lines on ground of mean slope (pixels)
constexpr double kLeastInterval = 0.1;  // metres
constexpr double kMostInterval = 5000;
constexpr double kStays = 1.5;     // an interval is kept until it is wrong by this factor (hysteresis)
constexpr int kSlopePlaces = 256;  // meanSlope() measures at fewer than twice as many places along a side
constexpr int kSteps = 12;         // limit of Newton steps towards a contour
constexpr double kFlat = 1e-4;     // metres per metre: flatter ground has no distinct line

// Returns the interval (metres) that keeps lines apart, not yet rounded to 1, 2 or 5 times a power of ten.
double needed(double slope, double metresPerPixel)
{
    return std::clamp(slope * metresPerPixel * kPixelsApart, kLeastInterval, kMostInterval);
}

// Rounds `metres` up to 1, 2 or 5 times a power of ten, at least kLeastInterval. Rounds down if a relief of `relief`
// metres would otherwise have fewer than kLeastLines lines.
double rounded(double metres, double relief)
{
    const double most = std::max(relief / kLeastLines, kLeastInterval) * (1 + 1e-9);
    double interval = kLeastInterval;
    for (int step = 0; interval < metres * (1 - 1e-9); ++step)
    {
        const double next = std::pow(10.0, step / 3) * std::array{0.2, 0.5, 1.0}[std::size_t(step % 3)];
        if (next > most) break;
        interval = next;
    }
    return interval;
}

glm::dvec2 gradient(const GroundHeight& ground, glm::dvec2 place, double spacing)
{
    return glm::dvec2(ground(place.x + spacing, place.y) - ground(place.x - spacing, place.y),
                      ground(place.x, place.y + spacing) - ground(place.x, place.y - spacing)) /
           (2 * spacing);
}

}  // namespace

double meanSlope(const HeightField& field)
{
    const int stepX = std::max(1, field.width / kSlopePlaces), stepY = std::max(1, field.height / kSlopePlaces);
    double sum = 0;
    std::size_t count = 0;
    for (int y = 0; y + stepY < field.height; y += stepY)
        for (int x = 0; x + stepX < field.width; x += stepX)
        {
            const double here = double(field.at(x, y));
            sum += std::hypot((double(field.at(x + stepX, y)) - here) / (stepX * field.pixelWidth),
                              (double(field.at(x, y + stepY)) - here) / (stepY * field.pixelHeight));
            ++count;
        }
    return count > 0 ? sum / double(count) : 0.0;
}

double contourInterval(double slope, double metresPerPixel, double relief)
{
    return rounded(needed(slope, metresPerPixel), relief);
}

double ContourChoice::choose(double slope, double metresPerPixel, double relief)
{
    const double wanted = needed(slope, metresPerPixel);
    // Keep the interval if a value from wanted / kStays to wanted * kStays would be rounded to it.
    const bool fits = interval_ > 0 && wanted <= interval_ * kStays && rounded(wanted * kStays, relief) >= interval_;
    if (!fits) interval_ = rounded(wanted, relief);
    return interval_;
}

// Takes Newton steps along the gradient, towards the index contour nearest in height to the start.
std::optional<ContourPoint> nearestIndexContour(const GroundHeight& ground, glm::dvec2 place, double interval,
                                                double spacing, double reach)
{
    const double index = interval * kIndexContours;
    ContourPoint point;
    point.place = place;
    point.height = std::round(ground(place.x, place.y) / index) * index;
    for (int i = 0; i < kSteps; ++i)
    {
        const double off = point.height - ground(point.place.x, point.place.y);
        const glm::dvec2 slope = gradient(ground, point.place, spacing);
        const double steep = glm::length(slope);
        if (!(steep > kFlat)) return std::nullopt;
        if (std::abs(off) < 0.02 * interval)
        {
            point.along = glm::dvec2(-slope.y, slope.x) / steep;
            return point;
        }
        const double step = std::clamp(off / steep, -reach / 4, reach / 4);
        point.place += slope / steep * step;
        if (glm::length(point.place - place) > reach) return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace orogen
