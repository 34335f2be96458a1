// Product of A with a vector from the lower half of A.  A block takes a tile, which contributes to its rows and,
// mirrored, to its columns.  Every tile stores its contributions in a place of its own, and a second pass adds them in
// order.  Results are bit-identical for any grid; the extra traffic is 1/32 of the matrix's.
#pragma once

#include <cmath>

#include "compute/linear_algebra/kernels/sums.h"

namespace orogen::compute {

constexpr unsigned kHalfTile = 64;  // rows and columns
constexpr unsigned kHalfTileElements = kHalfTile * kHalfTile;
static_assert(kVectorPadding % kHalfTile == 0 && kHalfTile == kCgWarps * kSumsTogether);

// Tiles row by row up to the diagonal, each stored row by row; 0 above the diagonal and after the last row.
template <class T>
struct HalfRows
{
    using Element = T;

    const T* tiles;
    T* shares;  // groups x groups x kHalfTile: contributions to each group of rows from each group
    std::uint64_t size, groups;
};

OROGEN_DEVICE constexpr std::uint64_t tilesBefore(std::uint64_t row) { return row * (row + 1) / 2; }

namespace OROGEN_TARGET {

struct TilePlace
{
    std::uint64_t row, column;  // counted in tiles
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

// Multiplies this warp's eight rows of a tile, all loaded before the first is used.  Stores the rows' sums in `rowSums`
// and returns the contributions of the mirrored rows to this lane's two columns.
template <class T, class VectorAt>
OROGEN_DEVICE inline Pair<T> multiplyTileRows(const T* elements, const TilePlace& place, const VectorAt& vectorAt,
                                              T* rowSums)
{
    const unsigned column = 2 * laneIndex(), first = warpIndex() * kSumsTogether;
    Pair<T> rows[kSumsTogether];
    OROGEN_UNROLL
    for (unsigned k = 0; k < kSumsTogether; ++k)
        rows[k] = loadPairAt(elements + (first + k) * kHalfTile + column);
    const std::uint64_t behind = place.column * kHalfTile + column;
    const T left = vectorAt(behind), right = vectorAt(behind + 1);
    T sums[kSumsTogether];
    Pair<T> mirrored = {0, 0};
    OROGEN_UNROLL
    for (unsigned k = 0; k < kSumsTogether; ++k)
    {
        const unsigned row = first + k;
        const bool onDiagonal = place.row == place.column;
        const T ofRow = vectorAt(place.row * kHalfTile + row);
        mirrored.first = fusedMultiplyAdd(onDiagonal && column == row ? T(0) : rows[k].first, ofRow, mirrored.first);
        mirrored.second =
            fusedMultiplyAdd(onDiagonal && column + 1 == row ? T(0) : rows[k].second, ofRow, mirrored.second);
        sums[k] = fusedMultiplyAdd(rows[k].second, right, rows[k].first * left);
    }
    constexpr unsigned kLanes = kWarpLanes / kSumsTogether;  // lanes with the sum of a row
    const T sum = warpSums(sums);
    if (laneIndex() % kLanes == 0) rowSums[first + laneIndex() / kLanes] = sum;
    return mirrored;
}

// Stores the tile's contributions in `shares`.  Called by the whole block with `turn` alternating between 0 and 1, so
// that consecutive tiles use separate shared memory.
template <class T, class VectorAt>
OROGEN_DEVICE inline void multiplyHalfTile(const HalfRows<T>& a, std::uint64_t tile, unsigned turn,
                                           const VectorAt& vectorAt)
{
    OROGEN_SHARED(T, columnPlaces, 2 * kCgWarps * kHalfTile);
    OROGEN_SHARED(T, rowPlaces, 2 * kHalfTile);
    T* const columnSums = columnPlaces + turn * kCgWarps * kHalfTile;
    T* const rowSums = rowPlaces + turn * kHalfTile;
    const TilePlace place = placeOfTile(tile);
    const Pair<T> mirrored = multiplyTileRows(a.tiles + tile * kHalfTileElements, place, vectorAt, rowSums);
    columnSums[warpIndex() * kHalfTile + 2 * laneIndex()] = mirrored.first;
    columnSums[warpIndex() * kHalfTile + 2 * laneIndex() + 1] = mirrored.second;
    syncBlock();
    if (const unsigned at = threadIndex().x; at < kHalfTile)
    {
        const bool onDiagonal = place.row == place.column;
        T toColumn = 0;
        OROGEN_UNROLL
        for (unsigned warp = 0; warp < kCgWarps; ++warp)
            toColumn += columnSums[warp * kHalfTile + at];
        T* const toRows = a.shares + (place.row * a.groups + place.column) * kHalfTile;
        T* const toColumns = a.shares + (place.column * a.groups + place.row) * kHalfTile;
        toRows[at] = onDiagonal ? rowSums[at] + toColumn : rowSums[at];
        if (!onDiagonal) toColumns[at] = toColumn;
    }
}

// Calls store(i, (A v)_i) for the rows of a group after all tiles have stored their contributions; returns the result
// of this thread's call.  Called by the whole block, which must pass a barrier before the next group.
template <class T, class Store>
OROGEN_DEVICE inline double gatherHalf(const HalfRows<T>& a, std::uint64_t group, const Store& store)
{
    OROGEN_SHARED(T, partSums, kCgThreads);
    constexpr unsigned kParts = kCgThreads / kHalfTile, kInFlight = 4;  // parts of the shares; loads at once
    const unsigned row = threadIndex().x % kHalfTile, part = threadIndex().x / kHalfTile;
    const T* const shares = a.shares + group * a.groups * kHalfTile + row;
    T sums[kInFlight] = {};
    const std::uint64_t end = (part + 1) * a.groups / kParts;
    for (std::uint64_t from = part * a.groups / kParts; from < end; from += kInFlight)
        OROGEN_UNROLL
    for (unsigned k = 0; k < kInFlight; ++k)
        if (from + k < end) sums[k] += shares[(from + k) * kHalfTile];
    T sum = (sums[0] + sums[2]) + (sums[1] + sums[3]);
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
