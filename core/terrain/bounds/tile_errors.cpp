#include "core/terrain/bounds/tile_errors.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

#include "core/planet/cube_lattice.h"
#include "core/terrain/bounds/finer_bounds.h"

namespace orogen {
namespace {

using enum CellErrors::Quarter;

constexpr int kLastSample = kTileReadSide - 1;
constexpr double kLeastUnit = 1.0 + 1.0 / 31;  // intervals; makes a plane's tile touch at most 63 cells per side
// Cells of a tile of the Earth are numbered from here, in local coordinates with two lattice points per interval. The
// number is a multiple of kErrorSide, and far from the lattice's ends.
constexpr int kFirstLocalCell = 1024;
constexpr int kLocalBits = 1;

// Lattice over the samples of a window.
struct WindowLattice
{
    SurfaceLattice surface;
    int bits = 0;                                          // log2 of the unit
    int column = 0, row = 0, lastColumn = 0, lastRow = 0;  // cells that the tile touches
};

WindowLattice earthWindow()
{
    WindowLattice window;
    window.surface.columns = window.surface.rows = 0.5;
    const int origin = 2 * kFirstLocalCell;  // intervals
    window.surface.firstColumn = kTileApron - origin;
    window.surface.lastRow = kLastSample - kTileApron + origin;  // Measurement flips the window, as y grows with rows
    window.bits = kLocalBits;
    window.column = window.row = kFirstLocalCell;
    window.lastColumn = window.lastRow = kFirstLocalCell + kErrorSide - 1;
    return window;
}

// Returns the lattice over a window of a terrain on a plane. The cells end where the raster ends, whose last sample
// need not be one of the level's.
WindowLattice planeWindow(const TileLattice& lattice, const TileKey& key, int bits)
{
    const SurfaceLattice& whole = lattice.surface;
    const double share = std::ldexp(1.0, -key.level);
    const int firstColumn = key.x * kTileCells, firstRow = key.y * kTileCells;
    WindowLattice window;
    window.surface = whole;
    window.surface.columns *= share, window.surface.rows *= share;
    window.surface.firstColumn = whole.firstColumn * share - (firstColumn - kTileApron);
    window.surface.lastRow = whole.lastRow * share - (firstRow - kTileApron);
    window.bits = bits;
    const double cell = std::ldexp(1.0, bits + 1);
    const int last = int(leb::kDrawSide >> (bits + 1)) - 1;
    const auto cellAt = [&](double point) { return std::clamp(int(std::floor(point / cell)), 0, last); };
    const double west = (kTileApron - window.surface.firstColumn) / window.surface.columns;
    const double north = (window.surface.lastRow - kTileApron) / window.surface.rows;
    window.column = cellAt(std::max(west, whole.west));
    window.lastColumn = cellAt(std::min(west + kTileCells / window.surface.columns, whole.east));
    window.row = cellAt(std::max(north - kTileCells / window.surface.rows, whole.south));
    window.lastRow = cellAt(std::min(north, whole.north));
    return window;
}

ErrorGrid gridOver(int column, int row, int lastColumn, int lastRow)
{
    ErrorGrid grid{column, row, lastColumn - column + 1, lastRow - row + 1, {}};
    grid.cells.resize(std::size_t(grid.width) * std::size_t(grid.height));
    return grid;
}

void raise(std::uint8_t& code, std::uint8_t other) { code = std::max(code, other); }

std::uint8_t largestQuarter(const CellErrors& cell) { return *std::ranges::max_element(cell.quarters); }

// Raises the codes of the diagonal and of the quarters to those of another measurement, where these are larger.
void raise(CellErrors& cell, const CellErrors& other)
{
    raise(cell.diagonal, other.diagonal);
    for (std::size_t i = 0; i < 4; ++i)
        raise(cell.quarters[i], other.quarters[i]);
}

class Measurement
{
public:
    Measurement(std::span<const float> window, bool flipped) : heights_(window.size())
    {
        // Subtracts the lowest height, because rounding errors grow with the magnitude of heights.
        const float base = *std::ranges::min_element(window);
        for (std::size_t r = 0; r < kTileReadSide; ++r)
        {
            const float* from = window.data() + (flipped ? kTileReadSide - 1 - r : r) * kTileReadSide;
            std::transform(from, from + kTileReadSide, heights_.begin() + std::ptrdiff_t(r * kTileReadSide),
                           [&](float height) { return height - base; });
        }
    }

    SampleGrid<float> samples() const { return {heights_.data(), kTileReadSide, kTileReadSide}; }

    // Measures diamonds of unit 2^bits, except the legs of diamonds with a base along an axis.
    void measure(const SurfaceLattice& lattice, int bits, ErrorGrid& grid)
    {
        const DiamondDeviations<float> deviations(samples(), lattice, bits, 2 * grid.column,
                                                  2 * (grid.column + grid.width));
        DiamondDeviations<float>::Rows rows;
        rows.fill(deviations, 2 * grid.row - 1, 2 * (grid.row + grid.height) + 1);
        const ErrorCodes& codes = tileErrorCodes();
        const auto put = [&](int x, int y, CellErrors::Quarter quarter, float metres) {
            if (grid.has(x, y)) grid.at(x, y).quarters[quarter] = codes.of(metres);
        };
        for (int y = grid.row; y <= grid.row + grid.height; ++y)
            for (int x = grid.column; x <= grid.column + grid.width; ++x)
            {
                const HalfDeviations alongX =
                    grid.has(x, grid.row) ? deviations.alongX(rows, 2 * x + 1, 2 * y) : HalfDeviations{};
                const HalfDeviations alongY =
                    grid.has(grid.column, y) ? deviations.alongY(rows, 2 * x, 2 * y + 1) : HalfDeviations{};
                put(x, y - 1, kNorth, alongX.first), put(x, y, kSouth, alongX.second);
                put(x - 1, y, kEast, alongY.first), put(x, y, kWest, alongY.second);
            }
        for (int y = grid.row; y < grid.row + grid.height; ++y)
            for (int x = grid.column; x < grid.column + grid.width; ++x)
            {
                CellErrors& cell = grid.at(x, y);  // its legs are the quarters' bases
                cell.diagonal =
                    std::max(codes.of(deviations.diagonal(rows, 2 * x + 1, 2 * y + 1)), largestQuarter(cell));
            }
    }

    // Completes the cells of the Earth: legs of quarters are diagonals of squares of one interval.
    void addTwists(ErrorGrid& grid) const
    {
        const ErrorCodes& codes = tileErrorCodes();
        for (int y = grid.row; y < grid.row + grid.height; ++y)
            for (int x = grid.column; x < grid.column + grid.width; ++x)
            {
                const int column = kTileApron + 2 * (x - grid.column);
                const int row = kLastSample - kTileApron - 2 * (y - grid.row) - 2;  // north-western sample
                // Twists of the cell's four squares, by x + 2 y; y grows northwards.
                std::array<float, 4> twist{};
                for (int i = 0; i < 4; ++i)
                    twist[std::size_t(i)] = twistAt(column + (i & 1), row + 1 - (i >> 1));
                CellErrors& cell = grid.at(x, y);
                const auto legs = [&](CellErrors::Quarter quarter, std::size_t a, std::size_t b) {
                    raise(cell.quarters[quarter], codes.of(kErrorMargin * std::max(twist[a], twist[b]) / 4));
                };
                legs(kSouth, 0, 1), legs(kNorth, 2, 3), legs(kWest, 0, 2), legs(kEast, 1, 3);
                cell.fine = codes.of(*std::ranges::max_element(twist));
            }
    }

    // Completes the cells of a plane, where smaller triangles cross lines of samples.
    void addFinerBounds(const SurfaceLattice& lattice, int bits, ErrorGrid& grid) const
    {
        const int lastX = 2 * (grid.column + grid.width), lastY = 2 * (grid.row + grid.height);
        const FinerBounds<float> bounds(samples(), lattice, bits, 2 * grid.column, lastX);
        FinerBounds<float>::Window window;
        window.fill(bounds, 2 * grid.row, lastY);
        const ErrorCodes& codes = tileErrorCodes();
        for (int y = grid.row; y < grid.row + grid.height; ++y)
            for (int x = grid.column; x < grid.column + grid.width; ++x)
            {
                CellErrors& cell = grid.at(x, y);
                raise(cell.quarters[kSouth], codes.of(kErrorMargin * window.around(2 * x + 1, 2 * y)));
                raise(cell.quarters[kNorth], codes.of(kErrorMargin * window.around(2 * x + 1, 2 * y + 2)));
                raise(cell.quarters[kWest], codes.of(kErrorMargin * window.around(2 * x, 2 * y + 1)));
                raise(cell.quarters[kEast], codes.of(kErrorMargin * window.around(2 * x + 2, 2 * y + 1)));
                cell.fine = codes.of(window.share(2 * x, 2 * y));
            }
    }

private:
    // Returns the twist (CellErrors::fine) of the square south-east of a sample; rounded up.
    float twistAt(int column, int row) const
    {
        const float* at = heights_.data() + std::size_t(row) * kTileReadSide + std::size_t(column);
        return std::fabs((at[0] - at[1]) - (at[kTileReadSide] - at[kTileReadSide + 1])) * (1 + 1e-5f);
    }

    std::vector<float> heights_;
};

// Raises the codes of the quarters of cell (x, y) to kErrorMargin times the errors of their legs, which are diagonals
// of cells of half its size.
void addLegs(const ErrorGrid& small, int x, int y, CellErrors& cell)
{
    const auto leg = [&](int dx, int dy) {
        const bool has = small.has(2 * x + dx, 2 * y + dy);
        return has ? tileErrorCodes().withMargin(small.at(2 * x + dx, 2 * y + dy).diagonal) : std::uint8_t(0);
    };
    raise(cell.quarters[kSouth], std::max(leg(0, 0), leg(1, 0)));
    raise(cell.quarters[kNorth], std::max(leg(0, 1), leg(1, 1)));
    raise(cell.quarters[kWest], std::max(leg(0, 0), leg(0, 1)));
    raise(cell.quarters[kEast], std::max(leg(1, 0), leg(1, 1)));
}

// Returns the first and last cell of kDeviationCell intervals between two positions in the tile (intervals).
std::array<std::uint8_t, 2> touched(double a, double b)
{
    const auto cell = [](double at) {
        return std::uint8_t(std::clamp(int(std::floor(at / kDeviationCell)), 0, kTileCells / kDeviationCell - 1));
    };
    constexpr double kInside = 1e-6;  // intervals; a cell that only shares the border is not touched
    return {cell(std::min(a, b) + kInside), cell(std::max(a, b) - kInside)};
}

}  // namespace

const ErrorCodes& tileErrorCodes()
{
    static const ErrorCodes codes(0x1p-7f, float(std::exp2(254.0 / 12 - 7)));
    return codes;
}

TileLattice TileLattice::onPlane(int width, int height, double pixelWidth, double pixelHeight)
{
    TileLattice lattice;
    lattice.surface = SurfaceLattice(width, height, pixelWidth, pixelHeight);
    const double coarser = std::min(lattice.surface.columns, lattice.surface.rows);  // samples per lattice point
    lattice.unitBits = int(std::ceil(std::log2(kLeastUnit / coarser)));
    return lattice;
}

TileLattice TileLattice::onCube(const TileGrid& grid)
{
    TileLattice lattice;
    lattice.onEarth = true;
    lattice.unitBits = kCubeBits - std::countr_zero(unsigned(kTileCells)) - (grid.levels() - 1);
    return lattice;
}

void measureTileErrors(const TileLattice& lattice, const TileKey& key, std::span<const float> window,
                       TileErrors& errors)
{
    assert(window.size() == std::size_t(kTileReadSide) * kTileReadSide);
    const int bits = lattice.unitBits + key.level;
    if (!lattice.onEarth && (bits < 1 || bits + 2 > leb::kDrawLatticeBits)) return;  // no triangles of this size
    const WindowLattice in = lattice.onEarth ? earthWindow() : planeWindow(lattice, key, bits);
    if (in.lastColumn < in.column || in.lastRow < in.row) return;
    errors.own = gridOver(in.column, in.row, in.lastColumn, in.lastRow);
    errors.twice = gridOver(in.column >> 1, in.row >> 1, in.lastColumn >> 1, in.lastRow >> 1);
    Measurement measurement(window, lattice.onEarth);
    measurement.measure(in.surface, in.bits, errors.own);
    if (lattice.onEarth)
        measurement.addTwists(errors.own);
    else
        measurement.addFinerBounds(in.surface, in.bits, errors.own);
    for (CellErrors& cell : errors.own.cells)
        raise(cell.diagonal, largestQuarter(cell));
    measurement.measure(in.surface, in.bits + 1, errors.twice);
    for (int y = errors.twice.row; y < errors.twice.row + errors.twice.height; ++y)
        for (int x = errors.twice.column; x < errors.twice.column + errors.twice.width; ++x)
            addLegs(errors.own, x, y, errors.twice.at(x, y));
    const double cell = std::ldexp(1.0, in.bits + 2);
    for (int x = errors.twice.column; x < errors.twice.column + errors.twice.width; ++x)
        errors.touchedColumns.push_back(
            touched(in.surface.column(x * cell) - kTileApron, in.surface.column((x + 1) * cell) - kTileApron));
    for (int y = errors.twice.row; y < errors.twice.row + errors.twice.height; ++y)
    {
        const double a = in.surface.row(y * cell), b = in.surface.row((y + 1) * cell);
        const double flip = lattice.onEarth ? -1.0 : 1.0, from = lattice.onEarth ? kLastSample : 0;
        errors.touchedRows.push_back(touched(from + flip * a - kTileApron, from + flip * b - kTileApron));
    }
    if (!lattice.onEarth) return;
    // Converts local cell numbers to those on the face.
    errors.own.column = key.x * kErrorSide, errors.own.row = key.y * kErrorSide;
    errors.twice.column = key.x * kErrorSide / 2, errors.twice.row = key.y * kErrorSide / 2;
}

namespace {

constexpr int kDeviationSide = kTileCells / kDeviationCell;

// Raises TileErrors::deviation to the distances that a child shows.  Returns whether any value grew.
bool addDeviations(TileErrors& errors, const TileErrors& child, int quadrant)
{
    constexpr int kSide = kDeviationSide;
    errors.deviation.resize(std::size_t(kSide) * kSide);
    bool changed = false;
    const int column = (quadrant & 1) * kSide / 2, row = (quadrant >> 1) * kSide / 2;
    for (int y = 0; y < kSide / 2; ++y)
        for (int x = 0; x < kSide / 2; ++x)
        {
            float own = child.fromParent[std::size_t(y * kSide / 2 + x)];
            if (!child.deviation.empty())
            {
                const float* below = child.deviation.data() + 2 * y * kSide + 2 * x;
                own += std::max({below[0], below[1], below[kSide], below[kSide + 1]});
            }
            float& deviation = errors.deviation[std::size_t((row + y) * kSide + column + x)];
            changed |= own > deviation;
            deviation = std::max(deviation, own);
        }
    return changed;
}

// Returns the amount (metres) by which codes of a cell of `twice` grow for surfaces finer than the tile's.
float growthOf(const TileErrors& errors, std::size_t x, std::size_t y)
{
    if (errors.deviation.empty()) return 0;
    const auto [left, right] = errors.touchedColumns[x];
    const auto [top, bottom] = errors.touchedRows[y];
    const auto at = [&](int column, int row) { return errors.deviation[std::size_t(row * kDeviationSide + column)]; };
    float within = 0;
    for (int row = top; row <= bottom; ++row)
        for (int column = left; column <= right; ++column)
            within = std::max(within, at(column, row));
    if (errors.cornersAgree) return within;
    const float corners = std::max({at(left, top), at(right, top), at(left, bottom), at(right, bottom),
                                    at((left + right) / 2, (top + bottom) / 2)});
    return within + corners;
}

}  // namespace

bool addFiner(TileErrors& errors, const TileErrors& child, int quadrant)
{
    if (child.fromParent.empty()) return false;
    bool changed = addDeviations(errors, child, quadrant);
    const ErrorCodes& codes = tileErrorCodes();
    const ErrorGrid& twice = child.twice;
    for (int y = 0; y < twice.height; ++y)
        for (int x = 0; x < twice.width; ++x)
        {
            if (!errors.own.has(twice.column + x, twice.row + y)) continue;
            const float growth = growthOf(child, std::size_t(x), std::size_t(y));
            CellErrors cell = twice.at(twice.column + x, twice.row + y);
            const auto add = [&](std::uint8_t& code) {
                if (growth > 0) code = codes.of(codes.values()[code] + growth);
            };
            add(cell.diagonal);
            std::ranges::for_each(cell.quarters, add);
            CellErrors& own = errors.own.at(twice.column + x, twice.row + y);
            const CellErrors before = own;
            raise(own, cell);
            // Saturation: no code is smaller than those of the triangles into which bisection divides its triangle.
            addLegs(child.own, twice.column + x, twice.row + y, own);
            raise(own.diagonal, largestQuarter(own));
            changed |= before.diagonal != own.diagonal || before.quarters != own.quarters;
        }
    return changed;
}

void writeErrorImage(const ErrorGrid& grid, std::byte* out)
{
    std::vector<CellErrors> level(std::size_t(kErrorSide) * kErrorSide), coarser;
    for (int y = 0; y < grid.height; ++y)
        for (int x = 0; x < grid.width; ++x)
        {
            const int column = (grid.column + x) % kErrorSide, row = (grid.row + y) % kErrorSide;
            level[std::size_t(row * kErrorSide + column)] = grid.at(grid.column + x, grid.row + y);
        }
    for (int side = kErrorSide;; side /= 2)
    {
        for (const CellErrors& cell : level)
        {
            const std::uint8_t texel[4] = {cell.diagonal, std::max(cell.quarters[kSouth], cell.quarters[kNorth]),
                                           std::max(cell.quarters[kWest], cell.quarters[kEast]), cell.fine};
            std::memcpy(out, texel, sizeof texel);
            out += sizeof texel;
        }
        if (side == 1) return;
        const int half = side / 2;
        coarser.assign(std::size_t(half) * std::size_t(half), {});
        for (int y = 0; y < half; ++y)
            for (int x = 0; x < half; ++x)
            {
                const CellErrors* at = level.data() + 2 * y * side + 2 * x;
                const CellErrors &sw = at[0], &se = at[1], &nw = at[side], &ne = at[side + 1];
                // A diagonal of the block cuts a cell on it into two pairs of quarters.
                const auto both = [](const CellErrors& a, CellErrors::Quarter i, CellErrors::Quarter j,
                                     const CellErrors& b, CellErrors::Quarter k, CellErrors::Quarter l) {
                    return std::max({a.quarters[i], a.quarters[j], b.quarters[k], b.quarters[l]});
                };
                CellErrors& cell = coarser[std::size_t(y * half + x)];
                cell.diagonal = std::max({sw.diagonal, se.diagonal, nw.diagonal, ne.diagonal});
                cell.quarters[kSouth] = both(sw, kSouth, kEast, se, kSouth, kWest);
                cell.quarters[kNorth] = both(nw, kNorth, kEast, ne, kNorth, kWest);
                cell.quarters[kWest] = both(sw, kWest, kNorth, nw, kWest, kSouth);
                cell.quarters[kEast] = both(se, kEast, kNorth, ne, kEast, kSouth);
                cell.fine = std::max({sw.fine, se.fine, nw.fine, ne.fine});
            }
        level.swap(coarser);
    }
}

}  // namespace orogen
