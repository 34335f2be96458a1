// A times a vector from the lower half of A: a block takes a tile, which gives to its rows and, mirrored, to its
// columns. Every tile writes what it gives to a place of its own, and a second pass adds these in order: the same bits
// for any grid, and 1/32 of the matrix's traffic beside it.
#pragma once

#include <cmath>

#include "compute/linear_algebra/kernels/sums.h"

namespace orogen::compute {

constexpr unsigned kHalfTile = 64;  // rows and columns
constexpr unsigned kHalfTileElements = kHalfTile * kHalfTile;

// Tiles row by row up to the diagonal, each row by row; 0 above the diagonal and behind the last row.
struct HalfMatrix
{
    const double* tiles;
    double* shares;  // groups x groups x kHalfTile: of each group of rows, what each other group gives to it
    std::uint64_t size, groups;
};

OROGEN_DEVICE constexpr std::uint64_t tilesBefore(std::uint64_t row) { return row * (row + 1) / 2; }

namespace OROGEN_TARGET {

struct TilePlace
{
    std::uint64_t row, column;  // of tiles
};

OROGEN_DEVICE inline TilePlace placeOfTile(std::uint64_t tile)
{
    auto row = std::uint64_t((sqrt(8.0 * double(tile) + 1) - 1) / 2);
    while (tilesBefore(row) > tile)
        --row;
    while (tilesBefore(row + 1) <= tile)
        ++row;
    return {row, tile - tilesBefore(row)};
}

// Leaves in `shares` what the tile gives.  Called by the whole block, with 0 and 1 as `turn` one after the other: what
// it keeps in shared memory of two tiles that follow each other lies apart.
template <class VectorAt>
OROGEN_DEVICE inline void multiplyHalfTile(const HalfMatrix& a, std::uint64_t tile, unsigned turn,
                                           const VectorAt& vectorAt)
{
    OROGEN_SHARED(double, columnPlaces, 2 * kCgWarps * kHalfTile);
    OROGEN_SHARED(double, rowPlaces, 2 * kHalfTile);
    constexpr unsigned kRows = kHalfTile / kCgWarps;
    double* const columnSums = columnPlaces + turn * kCgWarps * kHalfTile;
    double* const rowSums = rowPlaces + turn * kHalfTile;
    const TilePlace place = placeOfTile(tile);
    const double* const elements = a.tiles + tile * kHalfTileElements;
    const bool onDiagonal = place.row == place.column;
    const unsigned left = laneIndex(), right = left + kWarpLanes;
    const auto elementAt = [&](std::uint64_t i) { return i < a.size ? vectorAt(i) : 0; };
    const double ofLeft = elementAt(place.column * kHalfTile + left);
    const double ofRight = elementAt(place.column * kHalfTile + right);
    double leftSum = 0, rightSum = 0;
    OROGEN_UNROLL
    for (unsigned k = 0; k < kRows; ++k)
    {
        const unsigned row = warpIndex() * kRows + k;
        const double ofRow = elementAt(place.row * kHalfTile + row);
        const double l = elements[row * kHalfTile + left], r = elements[row * kHalfTile + right];
        leftSum += (onDiagonal && left == row ? 0 : l) * ofRow;
        rightSum += (onDiagonal && right == row ? 0 : r) * ofRow;
        const double sum = warpSum(l * ofLeft + r * ofRight);
        if (left == 0) rowSums[row] = sum;
    }
    columnSums[warpIndex() * kHalfTile + left] = leftSum;
    columnSums[warpIndex() * kHalfTile + right] = rightSum;
    syncBlock();
    if (const unsigned at = threadIndex().x; at < kHalfTile)
    {
        double mirrored = 0;
        for (unsigned warp = 0; warp < kCgWarps; ++warp)
            mirrored += columnSums[warp * kHalfTile + at];
        double* const toRows = a.shares + (place.row * a.groups + place.column) * kHalfTile;
        double* const toColumns = a.shares + (place.column * a.groups + place.row) * kHalfTile;
        toRows[at] = onDiagonal ? rowSums[at] + mirrored : rowSums[at];
        if (!onDiagonal) toColumns[at] = mirrored;
    }
}

// Calls store(i, (A v)_i) for the rows of a group once all tiles have left their shares, and returns what this thread's
// call returned.  Called by the whole block, which meets again before it calls this for the next group.
template <class Store>
OROGEN_DEVICE inline double gatherHalf(const HalfMatrix& a, std::uint64_t group, const Store& store)
{
    OROGEN_SHARED(double, partSums, kCgThreads);
    constexpr unsigned kParts = kCgThreads / kHalfTile;  // of the shares, side by side
    const unsigned row = threadIndex().x % kHalfTile, part = threadIndex().x / kHalfTile;
    const double* const shares = a.shares + group * a.groups * kHalfTile + row;
    double sum = 0;
    for (std::uint64_t from = part * a.groups / kParts; from < (part + 1) * a.groups / kParts; ++from)
        sum += shares[from * kHalfTile];
    partSums[threadIndex().x] = sum;
    syncBlock();
    double stored = 0;
    const std::uint64_t i = group * kHalfTile + row;
    if (part == 0 && i < a.size)
    {
        for (unsigned other = 1; other < kParts; ++other)
            sum += partSums[other * kHalfTile + row];
        stored = store(i, sum);
    }
    return stored;
}

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute
