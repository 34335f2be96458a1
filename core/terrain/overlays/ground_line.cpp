#include "core/terrain/overlays/ground_line.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>

#include <glm/geometric.hpp>

namespace orogen {
namespace {

// Error of a vertex that is never left out.
constexpr float kAlways = std::numeric_limits<float>::max();
constexpr double kPointsApart = 4;     // distance of drawn points, in units of the allowed error
constexpr int kPointLevels = 40;       // number of grids that thin points; the cells halve with each grid
constexpr double kCoarsestCell = 4e7;  // cell of the coarsest grid (metres): larger than the Earth

double distanceToSegment(const glm::dvec3& point, const glm::dvec3& a, const glm::dvec3& b)
{
    const glm::dvec3 way = b - a;
    const double square = glm::dot(way, way);
    const double along = square > 0 ? std::clamp(glm::dot(point - a, way) / square, 0.0, 1.0) : 0.0;
    return glm::distance(point, a + way * along);
}

// Sorts points along a curve that fills space (Morton's order). So the points of a chunk lie together, and chunks out
// of view are skipped.
void sortInSpace(std::vector<glm::dvec3>& places)
{
    if (places.empty()) return;
    glm::dvec3 low = places.front(), high = low;
    for (const glm::dvec3& place : places)
    {
        low = glm::min(low, place);
        high = glm::max(high, place);
    }
    const double side = std::max({high.x - low.x, high.y - low.y, high.z - low.z, 1e-9});
    std::vector<std::pair<std::uint64_t, std::size_t>> keys;
    keys.reserve(places.size());
    for (const glm::dvec3& place : places)
    {
        constexpr int kBits = 20;
        const glm::uvec3 cell((place - low) / side * double((1 << kBits) - 1));
        std::uint64_t key = 0;
        for (int bit = kBits - 1; bit >= 0; --bit)
            for (int axis = 0; axis < 3; ++axis)
                key = key << 1 | (cell[axis] >> bit & 1u);
        keys.emplace_back(key, keys.size());
    }
    std::ranges::sort(keys);
    std::vector<glm::dvec3> sorted;
    sorted.reserve(places.size());
    for (const auto& [key, place] : keys)
        sorted.push_back(places[place]);
    places = std::move(sorted);
}

// Returns for each point the size of the largest cell, over all grids, of which it is the first point (metres). So
// thinned points lie about evenly, and a point that is drawn stays when the camera comes closer.
std::vector<float> pointDistances(const std::vector<glm::dvec3>& places)
{
    std::vector<float> distances(places.size(), 0.0f);
    std::vector<std::size_t> left(places.size());
    for (std::size_t i = 0; i < left.size(); ++i)
        left[i] = i;
    double cell = kCoarsestCell;
    for (int level = 0; level < kPointLevels && !left.empty(); ++level, cell /= 2)
    {
        std::unordered_set<std::uint64_t> used;
        const auto cellOf = [&](const glm::dvec3& place) {
            const auto part = [&](double v) {
                return std::uint64_t(std::int64_t(std::floor(v / cell))) * 0x9e3779b97f4a7c15u;
            };
            std::uint64_t hash = part(place.x);
            hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u + part(place.y);
            hash = (hash ^ hash >> 32) * 0x94d049bb133111ebu + part(place.z);
            return hash ^ hash >> 31;
        };
        for (std::size_t i = 0; i < places.size(); ++i)  // points of coarser grids take their cells first
            if (distances[i] > 0) used.insert(cellOf(places[i]));
        std::vector<std::size_t> next;
        for (const std::size_t i : left)
            if (used.insert(cellOf(places[i])).second)
                distances[i] = float(cell);
            else
                next.push_back(i);
        left = std::move(next);
    }
    return distances;
}

// Returns the 24 leading bits of a number. Does not convert to float and back, which GCC 12 at -O2 vectorises wrongly:
// the remainder becomes 0.
double leadingBits(double number)
{
    constexpr std::uint64_t kRest = (std::uint64_t(1) << 29) - 1;
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) & ~kRest);
}

}  // namespace

LineVertex inTwoParts(const glm::dvec3& place, bool begins)
{
    const glm::dvec3 high(leadingBits(place.x), leadingBits(place.y), leadingBits(place.z));
    return {glm::vec4(glm::vec3(high), begins ? 1.0f : 0.0f), glm::vec4(glm::vec3(place - high), 0.0f)};
}

GroundLine::GroundLine(std::vector<glm::dvec3> places, std::vector<std::uint8_t> begins, bool points)
    : places_(std::move(places)), begins_(std::move(begins)), errors_(places_.size(), kAlways), points_(points)
{
    if (points_) sortInSpace(places_);
    if (points_) errors_ = pointDistances(places_);
    for (std::size_t first = 0; first < places_.size(); first += kChunk)
        chunks_.push_back({.first = first, .end = std::min(first + kChunk + (points_ ? 0 : 1), places_.size())});
    for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk)
        measure(chunk);
}

// Halves ranges of vertices again and again, beginning between the ends of lines. The middle vertex of a range gets an
// error: the largest distance of the range's vertices from the range's chord. The error is at most that of the vertex
// that split the range off, so that a vertex never appears before the vertex that it refines.
void GroundLine::measure(std::size_t number)
{
    Chunk& chunk = chunks_[number];
    glm::dvec3 low = places_[chunk.first], high = low;
    for (std::size_t i = chunk.first; i < chunk.end; ++i)
    {
        low = glm::min(low, places_[i]);
        high = glm::max(high, places_[i]);
    }
    chunk.centre = 0.5 * (low + high);
    chunk.radius = 0.5 * glm::distance(low, high);
    if (points_)
    {
        chunk.error = *std::max_element(errors_.begin() + std::ptrdiff_t(chunk.first),
                                        errors_.begin() + std::ptrdiff_t(chunk.end));
        return;
    }
    chunk.error = kAlways;
    std::vector<std::size_t> kept = {chunk.first};  // ends of lines, and of the chunk
    for (std::size_t i = chunk.first + 1; i < chunk.end; ++i)
    {
        if (begins_[i] && kept.back() != i - 1) kept.push_back(i - 1);
        if (begins_[i] || i + 1 == chunk.end) kept.push_back(i);
    }
    for (const std::size_t i : kept)
        errors_[i] = kAlways;
    struct Range
    {
        std::size_t from, to;
        float most;
    };
    std::vector<Range> ranges;
    for (std::size_t i = 1; i < kept.size(); ++i)
        ranges.push_back({kept[i - 1], kept[i], kAlways});
    while (!ranges.empty())
    {
        const Range range = ranges.back();
        ranges.pop_back();
        if (range.to - range.from < 2) continue;
        double error = 0;
        for (std::size_t i = range.from + 1; i < range.to; ++i)
            error = std::max(error, distanceToSegment(places_[i], places_[range.from], places_[range.to]));
        const std::size_t middle = (range.from + range.to) / 2;
        errors_[middle] = std::min(float(error), range.most);
        ranges.push_back({range.from, middle, errors_[middle]});
        ranges.push_back({middle, range.to, errors_[middle]});
    }
}

void GroundLine::thinned(const LineView& view, double pixels, std::vector<LineVertex>& to) const
{
    // Error (metres) per metre of distance from the camera.
    const double allowed = (points_ ? kPointsApart : 1.0) * pixels / view.pixelsPerRadian;
    bool broken = true;
    for (const Chunk& chunk : chunks_)
    {
        const glm::dvec3 way = chunk.centre - view.eye;
        const double distance = glm::length(way);
        if (distance > chunk.radius)
        {
            const double angle = std::acos(std::clamp(glm::dot(way, view.forward) / distance, -1.0, 1.0));
            if (angle > view.coneAngle + std::asin(chunk.radius / distance))
            {
                broken = true;
                continue;
            }
        }
        const auto nearest = float(allowed * std::max(distance - chunk.radius, 0.0));
        if (chunk.error <= nearest) continue;
        // If the chunk is large compared to its distance, each vertex gets its own distance from the camera.
        const bool wide = chunk.radius > 0.1 * distance;
        const std::size_t first = chunk.first + (broken || points_ ? 0 : 1);
        for (std::size_t i = first; i < chunk.end; ++i)
        {
            if (errors_[i] <= nearest) continue;
            if (wide && errors_[i] < kAlways &&
                double(errors_[i]) <= allowed * (glm::distance(places_[i], view.eye) - double(errors_[i])))
                continue;
            to.push_back(inTwoParts(places_[i], points_ || begins_[i] || (broken && i == first)));
        }
        broken = false;
    }
}

}  // namespace orogen
