#include "core/terrain/mesh/mesh_distances.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_reader.h"

namespace orogen {
namespace {

using Corners = std::array<glm::dvec3, 3>;

constexpr double kOnSide = 1e-4;     // tolerance of barycentric weights, since positions are rounded to 32 bits
constexpr double kLeastArea = 1e-9;  // limit on twice a triangle's area (square cells); smaller ones are vertical
constexpr int kBlock = 128;          // samples read together, per side

constexpr std::uint32_t kTrianglesBetweenLooks = 4096;  // triangles between two calls of the progress function
constexpr const char* kMeasuring = "measuring the mesh";

// Rectangle of samples of a lattice, `right` and `bottom` included.
struct Box
{
    int left = 0, top = 0, right = -1, bottom = -1;

    bool empty() const { return right < left || bottom < top; }
    Box within(const Box& other) const
    {
        return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
                std::min(bottom, other.bottom)};
    }
    Box around(const Box& other) const
    {
        return {std::min(left, other.left), std::min(top, other.top), std::max(right, other.right),
                std::max(bottom, other.bottom)};
    }
    int width() const { return right - left + 1; }
    std::size_t count() const { return std::size_t(width()) * std::size_t(bottom - top + 1); }
    std::size_t at(int x, int y) const { return std::size_t(y - top) * std::size_t(width()) + std::size_t(x - left); }
};

Box boxAround(const glm::dvec2& low, const glm::dvec2& high, int width, int height)
{
    const auto within = [](double at, int count) { return int(std::clamp(at, -1.0, double(count))); };
    return Box{within(std::ceil(low.x), width), within(std::ceil(low.y), height), within(std::floor(high.x), width),
               within(std::floor(high.y), height)}
        .within({0, 0, width - 1, height - 1});
}

double crossed(const glm::dvec3& a, const glm::dvec3& b) { return a.x * b.y - a.y * b.x; }

// Clamps the barycentric weights of a point slightly outside a triangle to its sides. Returns empty if the point is
// farther outside.
std::optional<glm::dvec3> onTriangle(glm::dvec3 weights)
{
    if (!(std::min({weights.x, weights.y, weights.z}) >= -kOnSide)) return std::nullopt;
    weights = glm::max(weights, glm::dvec3(0));
    return weights / (weights.x + weights.y + weights.z);
}

struct Sums
{
    double largest = 0, squares = 0;
    std::uint64_t samples = 0, read = 0;  // samples measured, and samples loaded
};

// A triangle, and a block with samples that may be under it. Blocks are numbered row by row.
struct Meeting
{
    std::uint32_t block = 0, triangle = 0;
};

// Measures a mesh at the samples of a lattice, block by block. A lattice has:
//     width(), height()
//     boxesOf(corners)       boxes that hold all of its samples under a triangle
//     load(box)              reads the samples of a box
//     height(x, y)           of a loaded sample, as drawn (metres); NaN: no data
//     over(corners)          a function (x, y) that returns the triangle's height over a sample; empty: not over it
template <class Lattice>
Status measureAt(const WeldedMesh& mesh, Lattice& lattice, Sums& sums, const LoadProgress& progress)
{
    const int across = (lattice.width() + kBlock - 1) / kBlock;
    const auto blockAt = [](int column, int row) {
        return Box{column * kBlock, row * kBlock, (column + 1) * kBlock - 1, (row + 1) * kBlock - 1};
    };
    std::vector<Meeting> meetings;
    for (std::uint32_t i = 0; i < mesh.triangles(); ++i)
    {
        if (i % kTrianglesBetweenLooks == 0 && progress && !progress(0, kMeasuring))
            return Error{ExitCode::kInterrupted, "interrupted"};
        for (const Box& box : lattice.boxesOf(mesh.corners(i)))
        {
            if (box.empty()) continue;
            for (int row = box.top / kBlock; row <= box.bottom / kBlock; ++row)
                for (int column = box.left / kBlock; column <= box.right / kBlock; ++column)
                    meetings.push_back({std::uint32_t(row * across + column), i});
        }
    }
    std::ranges::stable_sort(meetings, {}, &Meeting::block);
    // Part: the meetings of a block, the block, and the window around its samples that may be under the triangles.
    struct Part
    {
        std::span<const Meeting> meetings;
        Box block, window;
    };
    std::vector<Part> parts;
    for (std::size_t first = 0, last = 0; first < meetings.size(); first = last)
    {
        const std::uint32_t number = meetings[first].block;
        const Box block = blockAt(int(number) % across, int(number) / across);
        Box window{block.right, block.bottom, block.left, block.top};
        for (; last < meetings.size() && meetings[last].block == number; ++last)
            for (const Box& box : lattice.boxesOf(mesh.corners(meetings[last].triangle)))
                if (const Box part = box.within(block); !part.empty()) window = window.around(part);
        parts.push_back({std::span(meetings).subspan(first, last - first), block, window});
        if ((sums.read += window.count()) > kMostMeasured)
            return Error{ExitCode::kLimit, fmt::format("more than {} samples lie under it", grouped(kMostMeasured))};
    }
    std::vector<bool> seen;
    std::size_t done = 0;
    for (const auto& [here, block, window] : parts)
    {
        if (Status s = lattice.load(window); !s) return s;
        seen.assign(window.count(), false);
        for (const Meeting& meeting : here)
        {
            const Corners corners = mesh.corners(meeting.triangle);
            const auto over = lattice.over(corners);
            for (const Box& box : lattice.boxesOf(corners))
            {
                const Box part = box.within(block);
                for (int y = part.top; y <= part.bottom; ++y)
                    for (int x = part.left; x <= part.right; ++x)
                    {
                        const double height = lattice.height(x, y);
                        if (std::isnan(height)) continue;
                        const std::optional<double> drawn = over(x, y);
                        if (!drawn) continue;
                        const double off = std::abs(*drawn - height);
                        sums.largest = std::max(sums.largest, off);
                        if (seen[window.at(x, y)]) continue;
                        seen[window.at(x, y)] = true;
                        ++sums.samples;
                        sums.squares += off * off;
                    }
            }
        }
        if (progress && !progress(double(++done) / double(parts.size()), kMeasuring))
            return Error{ExitCode::kInterrupted, "interrupted"};
    }
    return Status::ok();
}

MeshDistances distancesOf(const Sums& sums)
{
    if (sums.samples == 0) return {};
    return {{sums.largest, std::sqrt(sums.squares / double(sums.samples))}, sums.samples};
}

// ---- on a plane ----

class PlaneLattice
{
public:
    PlaneLattice(const PlaneSamples& samples, double heightScale) : samples_(&samples), heightScale_(heightScale) {}

    int width() const { return samples_->width; }
    int height() const { return samples_->height; }

    std::array<Box, 1> boxesOf(const Corners& corners) const
    {
        const Corners at = sampled(corners);
        return {boxAround(glm::dvec2(glm::min(at[0], glm::min(at[1], at[2]))) - kOnSide,
                          glm::dvec2(glm::max(at[0], glm::max(at[1], at[2]))) + kOnSide, width(), height())};
    }

    Status load(const Box& box)
    {
        box_ = box;
        heights_.resize(box.count());
        return samples_->read({0, box.left, box.top, box.width(), box.bottom - box.top + 1}, heights_);
    }

    double height(int x, int y) const { return double(heights_[box_.at(x, y)]) * heightScale_; }

    auto over(const Corners& corners) const
    {
        const Corners at = sampled(corners);
        return [at, area = crossed(at[1] - at[0], at[2] - at[0])](int x, int y) -> std::optional<double> {
            if (std::abs(area) < kLeastArea) return std::nullopt;
            const glm::dvec3 here(x, y, 0);
            glm::dvec3 weights =
                glm::dvec3(crossed(at[1] - here, at[2] - here), crossed(at[2] - here, at[0] - here), 0) / area;
            weights.z = 1 - weights.x - weights.y;
            const std::optional<glm::dvec3> on = onTriangle(weights);
            if (!on) return std::nullopt;
            return glm::dot(*on, glm::dvec3(at[0].z, at[1].z, at[2].z));
        };
    }

private:
    // Returns the corners in columns and rows instead of metres.
    Corners sampled(const Corners& corners) const
    {
        Corners at = corners;
        for (glm::dvec3& corner : at)
        {
            corner.x = 0.5 * (width() - 1) + corner.x / samples_->pixelWidth;
            corner.y = 0.5 * (height() - 1) - corner.y / samples_->pixelHeight;
        }
        return at;
    }

    const PlaneSamples* samples_;
    double heightScale_;
    Box box_;
    std::vector<float> heights_;
};

// ---- on the Earth ----

// Samples of the relief or of an inset, and where they lie.
struct EarthGrid
{
    int columns = 0, rows = 0;
    std::optional<double> period;                 // columns in 360 degrees; empty: the grid spans less
    std::function<glm::dvec2(LatLong)> sampleOf;  // NaN: outside of the map
    std::function<LatLong(glm::dvec2)> placeOf;   // NaN: no sample
    EarthExtent extent{-180, -90, 180, 90};       // degrees
};

EarthGrid gridOf(const EarthRelief& relief)
{
    const double step = 360.0 / relief.columns(), down = 180.0 / (relief.rows() - 1);
    EarthGrid grid;
    grid.columns = relief.columns(), grid.rows = relief.rows();
    grid.period = relief.columns();
    const double west = relief.west();
    grid.sampleOf = [=](LatLong place) {
        return glm::dvec2((place.longitude - west) / step, (90.0 - place.latitude) / down);
    };
    const int last = relief.rows() - 1;
    grid.placeOf = [=](glm::dvec2 at) {
        // All samples of a pole's row are one place, so that only the first one counts.
        const bool again = at.x > 0 && (at.y <= 0 || at.y >= last);
        return again ? LatLong{NAN, NAN} : LatLong{90.0 - down * at.y, std::remainder(west + step * at.x, 360.0)};
    };
    return grid;
}

EarthGrid gridOf(const EarthInset& inset, const InsetMap& map)
{
    EarthGrid grid;
    grid.columns = map.columns(), grid.rows = map.rows();
    grid.period = map.period();
    grid.sampleOf = [&map](LatLong place) { return map.sampleOf(place); };
    grid.placeOf = [&map](glm::dvec2 at) {
        const LatLong place = map.placeOf(at);
        return LatLong{place.latitude, std::remainder(place.longitude, 360.0)};
    };
    grid.extent = inset.about().extent;
    return grid;
}

class EarthLattice
{
public:
    EarthLattice(EarthGrid grid, EarthReader& reader, const DrawnEarth& drawn)
        : grid_(std::move(grid)), reader_(&reader), drawn_(drawn), axes_(axesAt(drawn.camera)),
          cameraHeight_(geodeticOf(drawn.camera).height)
    {
    }

    int width() const { return grid_.columns; }
    int height() const { return grid_.rows; }

    std::array<Box, 3> boxesOf(const Corners& corners) const
    {
        const Cap cap = capOf(corners);
        if (!meets(cap)) return {};
        const Box all{0, 0, grid_.columns - 1, grid_.rows - 1};
        if (cap.radius > kLargeCap) return {all};
        if (grid_.period) return around(cap);
        if (std::abs(cap.middle.latitude) + cap.radius > kNearPole) return {all};
        // The samples under the cap lie in a box around the corners of an octagon. The octagon is larger than the cap,
        // because the map bends its sides a little.
        glm::dvec2 low(1e300), high(-1e300);
        for (int i = 0; i < 8; ++i)
        {
            const double turn = i * std::numbers::pi / 4, reach = kAroundCap * cap.radius;
            const glm::dvec2 at = grid_.sampleOf(
                {cap.middle.latitude + reach * std::sin(turn),
                 cap.middle.longitude + reach * std::cos(turn) / std::cos(glm::radians(cap.middle.latitude))});
            if (std::isnan(at.x) || std::isnan(at.y)) return {all};
            low = glm::min(low, at), high = glm::max(high, at);
        }
        return {boxAround(low, high, grid_.columns, grid_.rows)};
    }

    Status load(const Box& box)
    {
        box_ = box;
        const std::size_t count = box.count();
        places_.clear();
        for (int y = box.top; y <= box.bottom; ++y)
            for (int x = box.left; x <= box.right; ++x)
                places_.push_back(grid_.placeOf(glm::dvec2(x, y)));
        lines_.resize(count);
        std::vector<LatLong> known;
        for (const LatLong& place : places_)
            if (isKnown(place)) known.push_back(place);
        heights_.resize(known.size());
        if (Status s = reader_->readPlaces(known, heights_); !s) return s;
        std::vector<float> read = std::move(heights_);
        heights_.assign(count, NAN);
        for (std::size_t i = 0, next = 0; i < count; ++i)
        {
            if (!isKnown(places_[i])) continue;
            heights_[i] = read[next++];
            const Geodetic place{places_[i].latitude, places_[i].longitude, 0};
            lines_[i] = {axes_.toLocal(earthFixed(place) - drawn_.camera) + glm::dvec3(0, 0, cameraHeight_),
                         axes_.toLocal(normalThrough(place))};
        }
        return Status::ok();
    }

    double height(int x, int y) const
    {
        const double height = double(heights_[box_.at(x, y)]);  // NaN stays
        return drawn_.heightScale * (drawn_.sea && height < *drawn_.sea ? *drawn_.sea : height);
    }

    // Returns a function for the height of a triangle over a place: where the vertical through the place meets the
    // triangle.
    auto over(const Corners& corners) const
    {
        const glm::dvec3 normal = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
        return [this, corners, normal, squared = glm::dot(normal, normal)](int x, int y) -> std::optional<double> {
            const auto& [foot, up] = lines_[box_.at(x, y)];
            const double along = glm::dot(normal, up);
            if (!(along * along > kLeastSine * kLeastSine * squared)) return std::nullopt;
            const glm::dvec3 met = foot + up * (glm::dot(normal, corners[0] - foot) / along);
            const auto weight = [&](int a, int b) {
                return glm::dot(normal, glm::cross(corners[std::size_t(a)] - met, corners[std::size_t(b)] - met)) /
                       squared;
            };
            const std::optional<glm::dvec3> on = onTriangle({weight(1, 2), weight(2, 0), weight(0, 1)});
            if (!on) return std::nullopt;
            const glm::dvec3 at = on->x * corners[0] + on->y * corners[1] + on->z * corners[2];
            const double height = glm::dot(at - foot, up);
            return std::abs(height) < kFarFromGround ? std::optional(height) : std::nullopt;
        };
    }

private:
    // A circle on the Earth that contains all places under a triangle (degrees).
    struct Cap
    {
        LatLong middle;
        double radius = 0;
    };
    struct Line
    {
        glm::dvec3 foot{0}, up{0, 0, 1};  // point at height 0, and the vertical, in the mesh's axes
    };
    // Limits on a cap's radius and on the latitude of its edge (degrees), beyond which boxesOf() may return the whole
    // grid. kAroundCap: radius of the octagon, divided by the cap's.
    static constexpr double kLargeCap = 30, kNearPole = 85, kAroundCap = 1.25;
    static constexpr double kLeastSine =
        1e-6;  // least sine of the angle between a triangle and a vertical that meets it
    static constexpr double kFarFromGround = 6e6;  // metres; a triangle on the Earth's other side is farther away

    static bool isKnown(const LatLong& place) { return std::isfinite(place.latitude + place.longitude); }

    Cap capOf(const Corners& corners) const
    {
        Corners normals;
        for (std::size_t i = 0; i < 3; ++i)
            normals[i] = normalThrough(
                geodeticOf(drawn_.camera + axes_.toEarthFixed(corners[i] - glm::dvec3(0, 0, cameraHeight_))));
        const glm::dvec3 middle = glm::normalize(normals[0] + normals[1] + normals[2]);
        double chord = 0;
        for (const glm::dvec3& normal : normals)
            chord = std::max(chord, glm::distance(normal, middle));
        const double radius = glm::degrees(2 * std::asin(std::min(chord / 2, 1.0)));
        // Within the triangle, the normals of the ellipsoid differ from a sphere's by less than a hundredth of the
        // radius.
        return {
            {glm::degrees(std::asin(std::clamp(middle.z, -1.0, 1.0))), glm::degrees(std::atan2(middle.y, middle.x))},
            1.01 * radius + 1e-6};
    }

    // Returns half the range of a cap's longitudes (degrees); 180 if the cap contains a pole.
    static double halfWidth(const Cap& cap)
    {
        const double sine = std::sin(glm::radians(cap.radius)) / std::cos(glm::radians(cap.middle.latitude));
        return std::abs(cap.middle.latitude) + cap.radius >= 90 || !(sine < 1) ? 180 : glm::degrees(std::asin(sine));
    }

    bool meets(const Cap& cap) const
    {
        const EarthExtent& extent = grid_.extent;
        if (cap.middle.latitude + cap.radius < extent.south || cap.middle.latitude - cap.radius > extent.north)
            return false;
        const double middle = (extent.west + extent.east) / 2, half = (extent.east - extent.west) / 2;
        return std::abs(std::remainder(cap.middle.longitude - middle, 360.0)) <= half + halfWidth(cap);
    }

    // Returns the boxes of samples under a cap in a raster all around the Earth. The cap's columns may also lie one
    // revolution to the west or to the east of the raster's.
    std::array<Box, 3> around(const Cap& cap) const
    {
        // Clamped to the grid, because Web Mercator has no place near a pole.
        const auto sampleAt = [&](double latitude) {
            return grid_.sampleOf({std::clamp(latitude, grid_.extent.south, grid_.extent.north), cap.middle.longitude});
        };
        const bool pole = halfWidth(cap) >= 180;
        const double top = sampleAt(cap.middle.latitude + cap.radius).y,
                     bottom = sampleAt(cap.middle.latitude - cap.radius).y;
        // One row more on each side, for errors of rounding.
        const glm::dvec2 low(0, std::min(top, bottom) - 1), high(0, std::max(top, bottom) + 1);
        if (pole) return {boxAround({0, low.y}, {double(grid_.columns), high.y}, grid_.columns, grid_.rows)};
        const double middle = sampleAt(cap.middle.latitude).x, half = halfWidth(cap) * *grid_.period / 360;
        std::array<Box, 3> boxes;
        for (int turn = -1; turn <= 1; ++turn)
            boxes[std::size_t(turn + 1)] =
                boxAround({middle - half + turn * *grid_.period, low.y}, {middle + half + turn * *grid_.period, high.y},
                          grid_.columns, grid_.rows);
        return boxes;
    }

    EarthGrid grid_;
    EarthReader* reader_;
    DrawnEarth drawn_;
    LocalAxes axes_;
    double cameraHeight_;
    Box box_;
    std::vector<LatLong> places_;
    std::vector<Line> lines_;
    std::vector<float> heights_;
};

}  // namespace

Result<MeshDistances> distancesOnPlane(const WeldedMesh& mesh, const PlaneSamples& samples, double heightScale,
                                       const LoadProgress& progress)
{
    PlaneLattice lattice(samples, heightScale);
    Sums sums;
    if (Status s = measureAt(mesh, lattice, sums, progress); !s) return s.error();
    return distancesOf(sums);
}

Result<MeshDistances> distancesOnEarth(const WeldedMesh& mesh, const EarthSource& earth, const DrawnEarth& drawn,
                                       const LoadProgress& progress)
{
    EarthReader reader(earth);
    Sums sums;
    EarthLattice relief(gridOf(earth.relief()), reader, drawn);
    if (Status s = measureAt(mesh, relief, sums, progress); !s) return s.error();
    for (const std::shared_ptr<const EarthInset>& inset : earth.models())
    {
        const Result<InsetMap> map = inset->map().another();
        if (!map) return map.error();
        EarthLattice lattice(gridOf(*inset, *map), reader, drawn);
        if (Status s = measureAt(mesh, lattice, sums, progress); !s) return s.error();
    }
    return distancesOf(sums);
}

}  // namespace orogen
