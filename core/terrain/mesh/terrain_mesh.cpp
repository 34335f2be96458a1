#include "core/terrain/mesh/terrain_mesh.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// ---- samples ----

namespace {

// Returns the columns in 360 degrees of a raster in degrees; 0 for other rasters, for those that span less, and where
// 360 degrees are no whole number of columns.
int columnsAround(const Raster& raster)
{
    if (!raster.placement || !raster.placement->geographic || !(raster.placement->stepEast > 0)) return 0;
    const double columns = 360 / raster.placement->stepEast;
    const bool whole = std::abs(columns - std::round(columns)) < 1e-6 && raster.width >= int(std::lround(columns));
    return whole ? int(std::lround(columns)) : 0;
}

}  // namespace

Result<SampleWindow> windowOf(const Raster& raster, double west, double south, double east, double north)
{
    const std::string name = printable(raster.name);
    if (!raster.placement || !raster.placement->positioned)
        return Error{ExitCode::kUsage, name + ": --crop needs a position, and the file has none"};
    const Placement& place = *raster.placement;
    if (!place.upright())
        return Error{ExitCode::kUsage, name + ": --crop needs rows that run east; this raster is rotated in its map"};
    const int around = columnsAround(raster), columns = around > 0 ? 2 * around : raster.width;
    if (around > 0 && east < west) east += 360;
    const double lastX = place.x + (columns - 1) * place.stepEast;
    const double lastY = place.y - (raster.height - 1) * place.stepSouth;
    if (!(west < east && south < north))
        return Error{ExitCode::kUsage,
                     fmt::format("{}: --crop: found {},{},{},{}, expected west,south,east,north, west "
                                 "below east, south below north",
                                 name, west, south, east, north)};
    if ((around > 0 && east > west + 360) || east < place.x || west > lastX || north < lastY || south > place.y)
        return Error{ExitCode::kUsage,
                     fmt::format("{}: --crop: found {},{},{},{}, expected west,south,east,north within {},{},{},{}",
                                 name, west, south, east, north, place.x, lastY, lastX, place.y)};
    // A small tolerance inwards: rounding must not add the neighbours of samples that lie on the rectangle's sides.
    constexpr double kHair = 1e-6;
    const auto column = [&](double x) { return (x - place.x) / place.stepEast; };
    const auto row = [&](double y) { return (place.y - y) / place.stepSouth; };
    const auto within = [](double at, int count) { return int(std::clamp(at, 0.0, double(count - 1))); };
    const SampleWindow window = {
        within(std::floor(column(west) + kHair), columns), within(std::floor(row(north) + kHair), raster.height),
        within(std::ceil(column(east) - kHair), columns), within(std::ceil(row(south) - kHair), raster.height)};
    if (window.east <= window.west || window.south <= window.north)
        return Error{ExitCode::kUsage, name + ": --crop: found fewer than 2 x 2 samples in the rectangle"};
    return window;
}

namespace {

// Reads a window of a raster. In a raster all around the Earth, columns beyond the last one continue with the first.
Status readAround(TileReader& reader, const Raster& raster, const TileWindow& wanted, std::span<float> out)
{
    const int around = columnsAround(raster);
    if (around == 0 || wanted.column + wanted.width <= raster.width) return reader.read(wanted, out);
    const int first = wanted.column % around;
    std::vector<float> part;
    for (int done = 0; done < wanted.width;)
    {
        const int from = (first + done) % around, count = std::min(wanted.width - done, around - from);
        part.resize(std::size_t(count) * std::size_t(wanted.height));
        if (Status s = reader.read({wanted.level, from, wanted.row, count, wanted.height}, part); !s) return s;
        for (int row = 0; row < wanted.height; ++row)
            std::copy_n(part.begin() + std::ptrdiff_t(row) * count, count,
                        out.begin() + std::ptrdiff_t(row) * wanted.width + done);
        done += count;
    }
    return Status::ok();
}

}  // namespace

Result<MeshSamples> readSamples(const TileSource& source, const SampleWindow& window, const LoadProgress& progress)
{
    const Raster& raster = source.raster();
    MeshSamples samples;
    samples.width = window.east - window.west + 1;
    samples.height = window.south - window.north + 1;
    samples.pixelWidth = raster.pixelWidth;
    samples.pixelHeight = raster.pixelHeight;
    if (raster.placement && raster.placement->geographic && raster.placement->upright())
    {
        const double middle = raster.placement->y - 0.5 * (window.north + window.south) * raster.placement->stepSouth;
        const MetresPerDegree metres = metresPerDegree(middle);
        samples.pixelWidth = metres.east * raster.placement->stepEast;
        samples.pixelHeight = metres.north * raster.placement->stepSouth;
    }
    const std::size_t count = std::size_t(samples.width) * std::size_t(samples.height);
    if (Status s = checkMemory(printable(raster.name), count * 10); !s) return s.error();
    Result<std::unique_ptr<TileReader>> reader = source.openReader();
    if (!reader) return reader.error();
    samples.heights.resize(count);
    constexpr int kRows = 256;
    for (int row = 0; row < samples.height; row += kRows)
    {
        const int rows = std::min(kRows, samples.height - row);
        const std::span<float> out(samples.heights.data() + std::size_t(row) * std::size_t(samples.width),
                                   std::size_t(rows) * std::size_t(samples.width));
        if (Status s = readAround(**reader, raster, {0, window.west, window.north + row, samples.width, rows}, out); !s)
            return s.error();
        if (progress && !progress(double(row + rows) / samples.height, "reading samples"))
            return Error{ExitCode::kInterrupted, "interrupted"};
    }
    if (std::any_of(samples.heights.begin(), samples.heights.end(), [](float h) { return std::isnan(h); }))
    {
        samples.voids.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            samples.voids[i] = std::isnan(samples.heights[i]);
        fillVoids(samples.heights, samples.width, samples.height);
    }
    return samples;
}

// ---- triangles and the samples under them ----

namespace {

std::int64_t floorOf(std::int64_t n, std::int64_t d) { return n >= 0 ? n / d : -((-n + d - 1) / d); }
std::int64_t ceilingOf(std::int64_t n, std::int64_t d) { return -floorOf(-n, d); }

// Calls row(y, first, last, z, slope) for the samples of each row in a triangle, its sides included. The triangle's
// height is z at column `first`, and grows by `slope` per column.
template <class Row>
void forRowsUnder(const MeshSamples& samples, glm::ivec2 a, glm::ivec2 b, glm::ivec2 c, const Row& row)
{
    const double za = double(samples.at(a.x, a.y)), zb = double(samples.at(b.x, b.y)) - za;
    const double zc = double(samples.at(c.x, c.y)) - za;
    const glm::dvec2 ab(b - a), ac(c - a);
    const double area = ab.x * ac.y - ab.y * ac.x;
    const double east = (zb * ac.y - zc * ab.y) / area, south = (zc * ab.x - zb * ac.x) / area;
    const std::array<std::pair<glm::ivec2, glm::ivec2>, 3> sides = {{{a, b}, {b, c}, {c, a}}};
    const int last = std::max({a.y, b.y, c.y});
    for (int y = std::min({a.y, b.y, c.y}); y <= last; ++y)
    {
        std::int64_t from = std::numeric_limits<int>::max(), to = 0;
        for (auto [p, q] : sides)
        {
            if (p.y > q.y) std::swap(p, q);
            if (y < p.y || y > q.y) continue;
            if (p.y == q.y)
            {
                from = std::min<std::int64_t>({from, p.x, q.x});
                to = std::max<std::int64_t>({to, p.x, q.x});
                continue;
            }
            const std::int64_t n = std::int64_t(q.x - p.x) * (y - p.y), d = q.y - p.y;
            from = std::min(from, p.x + ceilingOf(n, d));
            to = std::max(to, p.x + floorOf(n, d));
        }
        if (from <= to) row(y, int(from), int(to), za + east * double(from - a.x) + south * (y - a.y), east);
    }
}

bool isVoid(const MeshSamples& samples, std::size_t sample) { return !samples.voids.empty() && samples.voids[sample]; }

// A triangle cut at the raster's border.
struct Polygon
{
    std::array<glm::ivec2, 8> corners;
    int count = 0;
    void add(glm::ivec2 p)
    {
        if (count == 0 || corners[std::size_t(count - 1)] != p) corners[std::size_t(count++)] = p;
    }
};

// Cuts off what lies beyond `most` on an axis. Sides have eight directions, so that cuts fall on whole numbers.
Polygon cut(const Polygon& polygon, int axis, int most)
{
    Polygon left;
    for (int i = 0; i < polygon.count; ++i)
    {
        const glm::ivec2 p = polygon.corners[std::size_t(i)];
        const glm::ivec2 q = polygon.corners[std::size_t((i + 1) % polygon.count)];
        if (p[axis] <= most) left.add(p);
        if ((p[axis] < most) == (q[axis] < most) || p[axis] == most || q[axis] == most) continue;
        glm::ivec2 at;
        at[axis] = most;
        at[1 - axis] = p[1 - axis] + (q[1 - axis] - p[1 - axis]) * (most - p[axis]) / (q[axis] - p[axis]);
        left.add(at);
    }
    if (left.count > 1 && left.corners[0] == left.corners[std::size_t(left.count - 1)]) --left.count;
    return left;
}

bool isFlat(glm::ivec2 a, glm::ivec2 b, glm::ivec2 c)
{
    return std::int64_t(b.x - a.x) * (c.y - a.y) == std::int64_t(b.y - a.y) * (c.x - a.x);
}

}  // namespace

// Calls triangle(a, b, c) for the parts of a triangle within the raster.
template <class Do>
void TerrainMesh::forCut(Point a, Point b, Point c, const Do& triangle) const
{
    const int x = samples_.width - 1, y = samples_.height - 1;
    if (std::max({a.x, b.x, c.x}) <= x && std::max({a.y, b.y, c.y}) <= y) return triangle(a, b, c);
    Polygon whole;
    for (const Point p : {a, b, c})
        whole.add(p);
    Polygon part = cut(cut(whole, 0, x), 1, y);
    // The fan begins at a corner that does not depend on the order of the triangle's corners. So errors are measured on
    // the triangles that the mesh will have.
    const auto begin = part.corners.begin(), end = begin + part.count;
    std::rotate(
        begin, std::min_element(begin, end, [](Point p, Point q) { return std::pair(p.y, p.x) < std::pair(q.y, q.x); }),
        end);
    for (int i = 1; i + 1 < part.count; ++i)
        if (const auto& p = part.corners; !isFlat(p[0], p[std::size_t(i)], p[std::size_t(i + 1)]))
            triangle(p[0], p[std::size_t(i)], p[std::size_t(i + 1)]);
}

// ---- errors of diamonds ----

TerrainMesh::TerrainMesh(MeshSamples samples) : samples_(std::move(samples))
{
    side_ = int(std::bit_ceil(unsigned(std::max(samples_.width, samples_.height) - 1)));
    errors_.resize(samples_.heights.size());
}

// Returns the diamond whose base has its middle at `m`. `half`: half of the cell's side if the base is a diagonal of a
// cell, otherwise half of the base.
TerrainMesh::Diamond TerrainMesh::diamondOf(Point m, int half, bool diagonal) const
{
    const Point x(half, 0), y(0, half);
    if (!diagonal) return (m.x & half) ? Diamond{m - x, m + x, m - y, m + y} : Diamond{m - y, m + y, m - x, m + x};
    // Diagonals meet at points whose column and row, in cells, are both even or both odd.
    const bool falls = (((m.x - half) / (2 * half) + (m.y - half) / (2 * half)) & 1) == 0;
    return falls ? Diamond{m - x - y, m + x + y, m + x - y, m - x + y}
                 : Diamond{m + x - y, m - x + y, m - x - y, m + x + y};
}

float TerrainMesh::errorOf(Point middle) const
{
    if (inside(middle)) return errors_[std::size_t(middle.y) * std::size_t(samples_.width) + std::size_t(middle.x)];
    const auto found = beyond_.find(std::uint64_t(middle.y) << 32 | std::uint32_t(middle.x));
    return found != beyond_.end() ? found->second : 0;
}

float TerrainMesh::ownError(Point a, Point b, Point c) const
{
    const auto within = [this](Point p) { return p.x >= 0 && p.y >= 0 && p.x <= side_ && p.y <= side_; };
    if (!within(c)) return 0;
    double largest = 0;
    forCut(a, b, c, [&](Point p, Point q, Point r) {
        forRowsUnder(samples_, p, q, r, [&](int y, int first, int last, double z, double slope) {
            const std::size_t row = std::size_t(y) * std::size_t(samples_.width);
            for (int x = first; x <= last; ++x, z += slope)
            {
                const double distance = std::abs(double(samples_.heights[row + std::size_t(x)]) - z);
                if (distance > largest && !isVoid(samples_, row + std::size_t(x))) largest = distance;
            }
        });
    });
    return float(largest);
}

float TerrainMesh::measured(Point middle, int half, bool diagonal) const
{
    const Diamond d = diamondOf(middle, half, diagonal);
    float error = std::max(ownError(d.a, d.b, d.c), ownError(d.b, d.a, d.d));
    if (half > 1 || diagonal)
        for (const auto& [p, q] : {std::pair(d.a, d.c), {d.c, d.b}, {d.b, d.d}, {d.d, d.a}})
            error = std::max(error, errorOf(Point((p.x + q.x) / 2, (p.y + q.y) / 2)));
    return error;
}

// Measures all diamonds of one size.
void TerrainMesh::measureLevel(ThreadPool& pool, int half, bool diagonal)
{
    const int width = samples_.width, height = samples_.height;
    const auto firstColumn = [&](int row) { return diagonal || !(row & half) ? half : 0; };
    const int firstRow = diagonal ? half : 0, rowStep = diagonal ? 2 * half : half;
    pool.forEach(std::size_t((height - 1 - firstRow + rowStep) / rowStep), [&](std::size_t i) {
        const int y = firstRow + int(i) * rowStep;
        for (int x = firstColumn(y); x < width; x += 2 * half)
            errors_[std::size_t(y) * std::size_t(width) + std::size_t(x)] = measured(Point(x, y), half, diagonal);
    });
    // Diamonds with their middle beyond the raster, whose triangles reach into the raster.
    for (int y = firstRow; y <= side_ && y < height - 1 + 2 * half; y += rowStep)
        for (int x = firstColumn(y); x <= side_ && x < width - 1 + 2 * half; x += 2 * half)
        {
            if (y < height && x < width)  // skip the raster itself
                x += (width - 1 - x) / (2 * half) * (2 * half);
            if (y >= height || x >= width)
                beyond_[std::uint64_t(y) << 32 | std::uint32_t(x)] = measured(Point(x, y), half, diagonal);
        }
}

Result<TerrainMesh> TerrainMesh::measure(MeshSamples samples, const LoadProgress& progress)
{
    if (Status s = checkMemory("the mesh", samples.heights.size() * 5); !s) return s.error();
    TerrainMesh mesh(std::move(samples));
    ThreadPool pool(threadsForRows(mesh.samples_.height));
    const int levels = 2 * std::bit_width(unsigned(mesh.side_));
    int done = 0;
    for (int half = 1; half <= mesh.side_ / 2; half *= 2)
        for (const bool diagonal : {false, true})
        {
            mesh.measureLevel(pool, half, diagonal);
            if (progress && !progress(double(++done) / levels, "measuring errors"))
                return Error{ExitCode::kInterrupted, "interrupted"};
        }
    return mesh;
}

// ---- choosing ----

// Calls triangle(p, q, r) for the triangles inside (a, b, c) of the mesh for `error`. Stops and returns false if a call
// returns false.
template <class Do>
bool TerrainMesh::descend(float error, Point a, Point b, Point c, const Do& triangle) const
{
    if (std::min({a.x, b.x, c.x}) >= samples_.width - 1 || std::min({a.y, b.y, c.y}) >= samples_.height - 1)
        return true;
    const Point sum = a + b, middle(sum.x / 2, sum.y / 2);
    const bool splits = !((sum.x | sum.y) & 1) && errorOf(middle) > error;
    if (splits) return descend(error, c, a, middle, triangle) && descend(error, b, c, middle, triangle);
    bool goOn = true;
    forCut(a, b, c, [&](Point p, Point q, Point r) { goOn = goOn && triangle(p, q, r); });
    return goOn;
}

template <class Do>
bool TerrainMesh::forTop(float error, const Do& triangle) const
{
    const Point a(0, 0), b(side_, side_), east(side_, 0), south(0, side_);
    return descend(error, a, b, east, triangle) && descend(error, b, a, south, triangle);
}

std::uint64_t TerrainMesh::trianglesFor(float error, bool base, std::uint64_t most) const
{
    const int x = samples_.width - 1, y = samples_.height - 1;
    std::uint64_t count = 0;
    forTop(error, [&](Point a, Point b, Point c) {
        ++count;
        if (base)
            for (const auto& [p, q] : {std::pair(a, b), {b, c}, {c, a}})
                if ((p.x == q.x && (p.x == 0 || p.x == x)) || (p.y == q.y && (p.y == 0 || p.y == y))) count += 3;
        return count <= most;
    });
    return count;
}

Status TerrainMesh::choose(double error, std::optional<double> base)
{
    // Rounds down, because a float above `error` would allow larger errors.
    float allowed = float(error);
    if (double(allowed) > error) allowed = std::nextafter(allowed, 0.0f);
    return take(allowed, base);
}

Status TerrainMesh::chooseMost(std::uint64_t triangles, std::optional<double> base)
{
    const float coarsest = std::numeric_limits<float>::max();
    if (const std::uint64_t least = trianglesFor(coarsest, base.has_value(), triangles); least > triangles)
        return Error{ExitCode::kUsage,
                     fmt::format("--triangles: found {}, expected at least {} for this terrain", triangles,
                                 trianglesFor(coarsest, base.has_value(), std::numeric_limits<std::uint64_t>::max()))};
    // Floats of one sign are ordered like their bits.
    std::uint32_t low = 0, high = std::bit_cast<std::uint32_t>(coarsest);
    while (low < high)
    {
        const std::uint32_t middle = low + (high - low) / 2;
        if (trianglesFor(std::bit_cast<float>(middle), base.has_value(), triangles) <= triangles)
            high = middle;
        else
            low = middle + 1;
    }
    return take(std::bit_cast<float>(low), base);
}

Status TerrainMesh::take(float error, std::optional<double> base)
{
    const std::size_t width = std::size_t(samples_.width);
    allowed_ = error;
    error_ = measuredError();
    triangles_ = 0;
    used_.assign((samples_.heights.size() + 63) / 64, 0);
    forTop(error, [&](Point a, Point b, Point c) {
        ++triangles_;
        for (const Point p : {a, b, c})
        {
            const std::size_t sample = std::size_t(p.y) * width + std::size_t(p.x);
            used_[sample / 64] |= std::uint64_t(1) << (sample % 64);
        }
        return true;
    });
    topVertices_ = 0;
    ranks_.resize(used_.size());
    for (std::size_t word = 0; word < used_.size(); ++word)
    {
        ranks_[word] = std::uint32_t(topVertices_);
        topVertices_ += std::uint64_t(std::popcount(used_[word]));
    }
    border_.clear();
    floor_.reset();
    if (base)
    {
        const auto add = [&](Point from, Point step, int count) {
            for (int i = 0; i < count; ++i, from += step)
                if (const std::size_t s = std::size_t(from.y) * width + std::size_t(from.x);
                    used_[s / 64] >> (s % 64) & 1)
                    border_.push_back(from);
        };
        const int x = samples_.width - 1, y = samples_.height - 1;
        add({0, 0}, {1, 0}, x);
        add({x, 0}, {0, 1}, y);
        add({x, y}, {-1, 0}, x);
        add({0, y}, {0, -1}, y);
        floor_ = double(*std::min_element(samples_.heights.begin(), samples_.heights.end())) - *base;
        triangles_ += 3 * border_.size();
    }
    if (vertices() > std::numeric_limits<std::uint32_t>::max())
        return Error{ExitCode::kLimit, fmt::format("the mesh has {} vertices; files number at most 2^32", vertices())};
    return Status::ok();
}

// ---- the chosen mesh ----

glm::dvec3 TerrainMesh::place(Point p, double height) const
{
    return {(p.x - 0.5 * (samples_.width - 1)) * samples_.pixelWidth,
            (0.5 * (samples_.height - 1) - p.y) * samples_.pixelHeight, height};
}

// Returns the normal of the surface through the samples around a vertex, not of the triangles.
glm::dvec3 TerrainMesh::normalAt(Point p) const
{
    const int west = std::max(p.x - 1, 0), east = std::min(p.x + 1, samples_.width - 1);
    const int north = std::max(p.y - 1, 0), south = std::min(p.y + 1, samples_.height - 1);
    const double alongX =
        double(samples_.at(east, p.y) - samples_.at(west, p.y)) / ((east - west) * samples_.pixelWidth);
    const double alongY =
        double(samples_.at(p.x, north) - samples_.at(p.x, south)) / ((south - north) * samples_.pixelHeight);
    return glm::normalize(glm::dvec3(-alongX, -alongY, 1));
}

MeshCorner TerrainMesh::corner(Point p) const
{
    const std::size_t sample = std::size_t(p.y) * std::size_t(samples_.width) + std::size_t(p.x), word = sample / 64;
    const std::uint64_t before = used_[word] & ((std::uint64_t(1) << (sample % 64)) - 1);
    return {ranks_[word] + std::uint32_t(std::popcount(before)), place(p, double(samples_.heights[sample]))};
}

// Calls visit(point) for the samples that are vertices, until the call returns false. Returns false then.
template <class Do>
bool TerrainMesh::forUsed(const Do& visit) const
{
    const std::size_t width = std::size_t(samples_.width);
    for (std::size_t word = 0; word < used_.size(); ++word)
        for (std::uint64_t bits = used_[word]; bits != 0; bits &= bits - 1)
        {
            const std::size_t sample = word * 64 + std::size_t(std::countr_zero(bits));
            if (!visit(Point(int(sample % width), int(sample / width)))) return false;
        }
    return true;
}

void TerrainMesh::forVertices(const VisitVector& visit) const
{
    if (!forUsed([&](Point p) { return visit(place(p, double(samples_.at(p.x, p.y)))); }) || !floor_) return;
    for (const Point p : border_)
        if (!visit(place(p, *floor_))) return;
    visit({0, 0, *floor_});
}

void TerrainMesh::forNormals(const VisitVector& visit) const
{
    forUsed([&](Point p) { return visit(normalAt(p)); });
}

void TerrainMesh::forTriangles(const Visit& visit) const
{
    if (!forTop(allowed_, [&](Point a, Point b, Point c) { return visit(corner(a), corner(b), corner(c)); }) || !floor_)
        return;
    const auto below = [&](std::size_t i) {
        return MeshCorner{std::uint32_t(topVertices_ + i), place(border_[i], *floor_)};
    };
    const MeshCorner middle{std::uint32_t(topVertices_ + border_.size()), {0, 0, *floor_}};
    for (std::size_t i = 0; i < border_.size(); ++i)
    {
        const std::size_t next = (i + 1) % border_.size();
        if (!visit(corner(border_[i]), corner(border_[next]), below(next)) ||
            !visit(corner(border_[i]), below(next), below(i)) || !visit(below(i), below(next), middle))
            return;
    }
}

MeshError TerrainMesh::measuredError() const
{
    // Triangles share the samples on their sides, which count once.
    std::vector<bool> seen(samples_.heights.size());
    double largest = 0, squares = 0;
    std::uint64_t count = 0;
    forTop(allowed_, [&](Point a, Point b, Point c) {
        forRowsUnder(samples_, a, b, c, [&](int y, int first, int last, double z, double slope) {
            const std::size_t row = std::size_t(y) * std::size_t(samples_.width);
            for (int x = first; x <= last; ++x, z += slope)
            {
                const std::size_t sample = row + std::size_t(x);
                if (seen[sample] || isVoid(samples_, sample)) continue;
                seen[sample] = true;
                const double distance = std::abs(double(samples_.heights[sample]) - z);
                largest = std::max(largest, distance);
                squares += distance * distance;
                ++count;
            }
        });
        return true;
    });
    return {largest, count > 0 ? std::sqrt(squares / double(count)) : 0};
}

}  // namespace orogen
