#include "core/terrain/imagery/land_around.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace orogen {
namespace {

constexpr double kRadius = double(gpu::kAirRadius);
// Limits of LandShape::columns. Unless the land shows the Earth's relief (`surroundings` in landShape()), kLeastColumns
// also limits the columns of rings.
constexpr int kLeastColumns = 16, kMostColumns = 1024;
// The rings reach at least this far from the border, in the stereographic metres that sunkAt() takes: 89 degrees around
// the Earth, which is beyond the horizon from 100,000 km up.
constexpr double kFarthestLand = 1.25e7;
constexpr double kCoarseStep = 2.0;  // largest ratio of outer to inner distance of a ring
// As kCoarseStep, but for rings with the fewest columns where the land shows the Earth's relief.
constexpr double kFineStep = 1.4142;
constexpr double kJoined = 8.0;  // width over which the land adapts to the drawn border, in LandShape::spacing
constexpr double kRingOverlap = double(gpu::kRingOverlap);

BorderPoint pointAt(double around)
{
    const double side = std::floor(around);
    return borderPoint(int(side) % 4, around - side);
}

double acrossAt(double around)
{
    const double other = 2 * (around - std::floor(around)) - 1;
    return std::sqrt(1 + other * other);
}

double smoothStep(double from, double to, double value)
{
    const double t = std::clamp((value - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

}  // namespace

glm::dvec2 sunkAt(double distance)
{
    const double t = std::min(distance / (2 * kRadius), 1.0);
    return 2 * kRadius * glm::dvec2(t, t * t) / (1 + t * t);
}

glm::dvec2 distanceAlong(double outwards)
{
    const double sine = std::min(outwards / kRadius, 1.0), cosine = std::sqrt(1 - sine * sine);
    return kRadius * glm::dvec2(2 * sine, sine * sine) / (1 + cosine);
}

LandShape landShape(const HeightField& field, bool surroundings)
{
    LandShape shape;
    const int longest = std::max({field.width - 1, field.height - 1, 1});
    shape.columns = std::clamp(int(std::bit_ceil(unsigned(longest))), kLeastColumns, kMostColumns);
    const double perimeter = 2 * ((field.width - 1) * field.pixelWidth + (field.height - 1) * field.pixelHeight);
    shape.spacing = std::max(perimeter / (4 * shape.columns), 1e-6);
    const int least = surroundings ? std::min(shape.columns, int(gpu::kSurroundingColumns) / 4) : kLeastColumns;
    int now = shape.columns;
    for (double distance = shape.spacing; distance < kFarthestLand;)
    {
        const int next = std::max(now / 2, least);
        const double step = surroundings && now == least ? kFineStep : kCoarseStep;
        const double root = std::sqrt(distance) + double(gpu::kHorizonStep);
        const double outer = std::min(distance * step, root * root);
        shape.rings.push_back({now, next, distance, outer});
        distance = outer;
        now = next;
    }
    return shape;
}

LandAround::LandAround(const HeightField& field, std::shared_ptr<const Surroundings> known)
    : extent_(std::max(field.width - 1, 1) * field.pixelWidth, std::max(field.height - 1, 1) * field.pixelHeight),
      shape_(landShape(field, known != nullptr)), known_(std::move(known))
{
    std::vector<float> heights;
    for (int column = 0; column < 4 * shape_.columns; ++column)
    {
        const glm::dvec2 place = (pointAt(double(column) / shape_.columns).place - 0.5) * extent_;
        heights.push_back(orogen::heightAt(field, place.x, place.y));
    }
    while (heights.size() > 1)
    {
        std::vector<float> means(heights.size() / 2);
        for (std::size_t i = 0; i < means.size(); ++i)
            means[i] = 0.5f * (heights[2 * i] + heights[2 * i + 1]);
        heights_.push_back(std::exchange(heights, std::move(means)));
    }
}

// Interpolates along the border and between the two nearest levels, as a trilinear texture lookup does.
double LandAround::borderHeight(double around, double level) const
{
    const double highest = std::log2(double(heights_.front().size())) - 3.0, at = std::clamp(level, 0.0, highest);
    const auto heightOn = [&](std::size_t whole) {
        const std::vector<float>& heights = heights_[whole];
        const auto count = std::ptrdiff_t(heights.size());
        const double texel = (around * 0.25 + 0.5 / double(heights_.front().size())) * double(count) - 0.5;
        const double before = std::floor(texel);
        const auto height = [&](double i) {
            return double(heights[std::size_t(((std::ptrdiff_t(i) % count) + count) % count)]);
        };
        return std::lerp(height(before), height(before + 1), texel - before);
    };
    const auto whole = std::size_t(at);
    return std::lerp(heightOn(whole), heightOn(std::min(whole + 1, heights_.size() - 1)), at - double(whole));
}

// Returns the height of the land (metres, scaled), without the Earth's curvature.
double LandAround::height(double around, double distance, double heightScale) const
{
    const double own = borderHeight(around, std::log2(distance / shape_.spacing));
    if (!known_) return own * heightScale;
    constexpr int kColumns = int(gpu::kSurroundingColumns), kRows = int(gpu::kSurroundingRows);
    const double column = around * (kColumns / 4);
    const double row = std::clamp(double(gpu::kSurroundingRowsPerOctave) *
                                      std::log2(std::max(distance / double(gpu::kNearestSurroundings), 1.0)),
                                  0.0, double(kRows - 1));
    const double left = std::floor(column), below = std::floor(row);
    const auto known = [&](double c, double r) {
        const int x = (int(c) % kColumns + kColumns) % kColumns, y = std::min(int(r), kRows - 1);
        return double(known_->ground[std::size_t(y * kColumns + x)].height);
    };
    const double relief =
        std::lerp(std::lerp(known(left, below), known(left + 1, below), column - left),
                  std::lerp(known(left, below + 1), known(left + 1, below + 1), column - left), row - below);
    const double blend =
        std::max(double(gpu::kLandBlendSide) * std::min(extent_.x, extent_.y), double(gpu::kLeastLandBlend));
    return std::lerp(own, std::max(relief, double(gpu::kLowestLand)), smoothStep(0.0, blend, distance)) * heightScale;
}

// Returns a vertex: metres east and north of the south-western corner, and its height (metres, scaled). The vertex lies
// `reach` times `distance` from the border, but has the height of the land at `distance`.
glm::dvec3 LandAround::vertex(double around, double distance, double heightScale, double reach) const
{
    const BorderPoint point = pointAt(around);
    const double across = acrossAt(around);
    const glm::dvec2 curve = sunkAt(distance * reach * across);
    return {point.place * extent_ + point.outwards * (curve.x / across),
            height(around, distance, heightScale) - curve.y};
}

glm::dvec3 LandAround::outerVertex(double around, const LandRing& ring, double heightScale) const
{
    const double column = around * ring.columnsNext, before = std::floor(column + 1e-3), part = column - before;
    const glm::dvec3 left = vertex(before / ring.columnsNext, ring.outer, heightScale, kRingOverlap);
    if (part < 1e-3) return left;
    return glm::mix(left, vertex((before + 1) / ring.columnsNext, ring.outer, heightScale, kRingOverlap), part);
}

double LandAround::ringHeight(const LandRing& ring, double around, glm::dvec2 place, double heightScale) const
{
    const double column = std::floor(around * ring.columns);
    const double first = column / ring.columns, next = (column + 1) / ring.columns;
    const glm::dvec3 outer = outerVertex(first, ring, heightScale), inner = vertex(next, ring.inner, heightScale, 1.0);
    // Between two columns a ring consists of two triangles. `outer` and `inner` are the ends of the side that they
    // share. The third corner is the one on the same side of this diagonal as `place`.
    const auto heightIn = [&](const glm::dvec3& corner) {
        const glm::dvec2 a = glm::dvec2(outer) - glm::dvec2(corner), b = glm::dvec2(inner) - glm::dvec2(corner),
                         p = place - glm::dvec2(corner);
        const double area = a.x * b.y - a.y * b.x;
        const double u = (p.x * b.y - p.y * b.x) / area, v = (a.x * p.y - a.y * p.x) / area;
        return std::pair(corner.z + u * (outer.z - corner.z) + v * (inner.z - corner.z), u + v);
    };
    const auto [nearHeight, share] = heightIn(vertex(first, ring.inner, heightScale, 1.0));
    return share <= 1.0 ? nearHeight : heightIn(outerVertex(next, ring, heightScale)).first;
}

double LandAround::heightAt(double east, double north, double heightScale,
                            const std::function<double(double east, double north)>& ground) const
{
    const glm::dvec2 place = glm::dvec2(east, north) + 0.5 * extent_, low = -place, high = place - extent_;
    const double outwards = std::max({low.x, low.y, high.x, high.y});
    if (outwards <= 0) return ground(east, north);
    const glm::dvec2 onwards = (place + outwards) / (extent_ + 2.0 * outwards), back = 1.0 - onwards;
    const double around = low.y >= outwards    ? onwards.x
                          : high.x >= outwards ? 1 + onwards.y
                          : high.y >= outwards ? 2 + back.x
                                               : 3 + back.y;
    const glm::dvec2 border = (pointAt(around).place - 0.5) * extent_;
    const double across = acrossAt(around), distance = distanceAlong(outwards * across).x / across;
    const double drawn = ground(border.x, border.y), own = drawn - borderHeight(around, 0.0) * heightScale;
    const auto joined = [&](double at) { return own * std::max(0.0, 1.0 - at / (kJoined * shape_.spacing)); };
    if (distance < shape_.spacing)
    {
        const double land = vertex(around, shape_.spacing, heightScale, 1.0).z + joined(shape_.spacing);
        return std::lerp(drawn, land, distance / shape_.spacing);
    }
    double highest = -kRadius;
    for (const LandRing& ring : shape_.rings)
        if (distance >= ring.inner && distance <= ring.outer * kRingOverlap)
            highest = std::max(highest, ringHeight(ring, around, place, heightScale));
    return highest + joined(distance);
}

}  // namespace orogen
