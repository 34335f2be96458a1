#include "core/terrain/tiles/tile_kinks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "core/terrain/tiles/half_float.h"
#include "core/terrain/tiles/tile.h"

namespace orogen {
namespace {

constexpr float kTwoIntervals = 9.0f / 16;  // g(2)
constexpr float kLoneKink = 0.5f;           // weight of a kink at an arbitrary position, for 2 intervals
constexpr float kRounding = 1.0f + 1e-5f;
constexpr int kReach = 2;  // intervals by which a triangle can extend beyond a cell
constexpr std::size_t kSide = kTileReadSide;

struct Range
{
    float low = 0, high = 0;
    void add(float v) { low = v < low ? v : low, high = v > high ? v : high; }
    void add(Range r) { low = std::min(low, r.low), high = std::max(high, r.high); }
};

// Bends of the surface around one row of samples, over the columns around each cell.
struct RowKinks
{
    std::array<Range, kKinkSide> jumpX, jumpY, twist;
    std::array<float, kKinkSide> cutX{}, cutY{};  // slope jumps at a raster's end between two lines of samples
};

constexpr int firstOf(int cell) { return kTileApron + cell * kKinkCell - kReach; }
constexpr int lastOf(int cell) { return kTileApron + (cell + 1) * kKinkCell + kReach; }

using Differences = std::array<float, kSide>;

Range rangeOf(const Differences& values, int first, int last)
{
    float low = 0, high = 0;
    for (int c = first; c <= last; ++c)
        low = std::min(low, values[std::size_t(c)]), high = std::max(high, values[std::size_t(c)]);
    return {low, high};
}

// Returns the kinks of row r, and of the cells between it and the next row.
RowKinks kinksOfRow(const float* row, TileEnd end, int r)
{
    Differences alongX{}, alongY{}, twists{};
    const float *above = row - kSide, *below = row + kSide;
    for (std::size_t c = 1; c + 1 < kSide; ++c)
    {
        alongX[c] = row[c - 1] - 2 * row[c] + row[c + 1];
        alongY[c] = above[c] - 2 * row[c] + below[c];
        twists[c] = std::fabs(row[c] - row[c + 1] - below[c] + below[c + 1]);
    }
    RowKinks kinks;
    for (int cell = 0; cell < kKinkSide; ++cell)
    {
        const std::size_t k = std::size_t(cell);
        const int first = firstOf(cell), last = lastOf(cell);
        // Triangles do not cross lines on the border of the surroundings.
        kinks.jumpX[k] = rangeOf(alongX, first + 1, last - 1);
        kinks.jumpY[k] = rangeOf(alongY, first, last);
        kinks.twist[k] = rangeOf(twists, first, last - 1);
        if (end.column > first && end.column <= last) kinks.cutX[k] = std::fabs(row[end.column] - row[end.column - 1]);
        if (r == end.row)
            for (int c = first; c <= last; ++c)
                kinks.cutY[k] = std::max(kinks.cutY[k], std::fabs(row[c] - above[c]));
    }
    return kinks;
}

struct CellSum
{
    Range jumpX, jumpY;
    float twist = 0, cutX = 0, cutY = 0;

    void add(const RowKinks& row, std::size_t cell, bool within, bool beforeLast)
    {
        jumpX.add(row.jumpX[cell]);
        if (within) jumpY.add(row.jumpY[cell]);
        if (beforeLast) twist = std::max(twist, row.twist[cell].high);
        cutX = std::max(cutX, row.cutX[cell]);
        cutY = std::max(cutY, row.cutY[cell]);
    }
    float bound() const
    {
        const float jumps = std::max(jumpX.high + jumpY.high, -jumpX.low - jumpY.low);
        return (kTwoIntervals * jumps + twist + kLoneKink * (cutX + cutY)) * kRounding;
    }
};

}  // namespace

void tileKinks(std::span<const float> window, TileEnd end, std::span<std::uint16_t> out)
{
    assert(window.size() == kSide * kSide && out.size() == std::size_t(kKinkSide) * kKinkSide);
    std::array<CellSum, std::size_t(kKinkSide) * kKinkSide> sums;
    for (int r = firstOf(0); r <= lastOf(kKinkSide - 1); ++r)
    {
        const RowKinks row = kinksOfRow(window.data() + std::size_t(r) * kSide, end, r);
        for (int cellRow = 0; cellRow < kKinkSide; ++cellRow)
        {
            const int first = firstOf(cellRow), last = lastOf(cellRow);
            if (r < first || r > last) continue;
            for (std::size_t k = 0; k < kKinkSide; ++k)
                sums[std::size_t(cellRow) * kKinkSide + k].add(row, k, r > first && r < last, r < last);
        }
    }
    std::transform(sums.begin(), sums.end(), out.begin(), [](const CellSum& sum) { return halfAbove(sum.bound()); });
}

}  // namespace orogen
