// Products of A with a vector: dense by rows, dense by the lower half alone, sparse by compressed rows, and on a grid
// without a matrix.
#pragma once

#include <cmath>

#include "compute/linear_algebra/kernels/sums.h"

namespace orogen::compute {

// ---- dense rows ----
//
// A block takes a group of eight rows together, and its warps share the columns.  An element of the vector is read once
// for eight rows, and a thread has eight loads in flight.  Groups are small enough to give all blocks about equal work.

// Rows `pitch` elements apart.  The pitch is `size` rounded up to a multiple of kVectorPadding.  The number of stored
// rows is `size` rounded up to a multiple of kRowsTogether.  The padding is zero.
template <class T>
struct DenseRows
{
    using Element = T;

    const T* values;
    std::uint64_t size, pitch;
};

constexpr unsigned kRowsTogether = 8;

namespace OROGEN_TARGET {

// Adds the products of this thread's columns with eight rows to `sums`.
template <class T>
OROGEN_DEVICE inline void multiplyColumns(const T* rows, std::uint64_t pitch, const T* x, T (&sums)[kRowsTogether])
{
    constexpr unsigned kElements = 16 / sizeof(T);  // per access
    for (std::uint64_t j = threadIndex().x * kElements; j < pitch; j += kCgThreads * kElements)
    {
        Vector16<T> elements[kRowsTogether];
        OROGEN_UNROLL
        for (unsigned row = 0; row < kRowsTogether; ++row)
            elements[row] = loadVector16(rows + row * pitch + j);
        const Vector16<T> vector = loadVector16Kept(x + j);
        OROGEN_UNROLL
        for (unsigned row = 0; row < kRowsTogether; ++row)
            OROGEN_UNROLL
        for (unsigned k = 0; k < kElements; ++k)
            sums[row] = fusedMultiplyAdd(elements[row].values[k], vector.values[k], sums[row]);
    }
}

// Calls store(i, (A x)_i) for each of a group's eight rows that exists (i < a.size), in different lanes of the first
// warp.  Returns the result of this thread's call, or 0 without one.  Called by the whole block with `turn` alternating
// between 0 and 1, so that consecutive groups use separate shared memory.
template <class T, class Store>
OROGEN_DEVICE inline double multiplyRows(const DenseRows<T>& a, std::uint64_t group, unsigned turn, const T* x,
                                         const Store& store)
{
    OROGEN_SHARED(T, places, 2 * kCgWarps * kRowsTogether);
    T* const ofWarps = places + turn * kCgWarps * kRowsTogether;
    T sums[kRowsTogether] = {};
    multiplyColumns(a.values + group * kRowsTogether * a.pitch, a.pitch, x, sums);
    constexpr unsigned kLanes = kWarpLanes / kRowsTogether;  // lanes with the sum of a row
    const T sum = warpSums(sums);
    if (laneIndex() % kLanes == 0) ofWarps[warpIndex() * kRowsTogether + laneIndex() / kLanes] = sum;
    syncBlock();
    const unsigned row = threadIndex().x;
    const std::uint64_t i = group * kRowsTogether + row;
    if (row >= kRowsTogether || i >= a.size) return 0;
    T whole = 0;
    OROGEN_UNROLL
    for (unsigned warp = 0; warp < kCgWarps; ++warp)
        whole += ofWarps[warp * kRowsTogether + row];
    return store(i, whole);
}

}  // namespace OROGEN_TARGET

// ---- lower half ----
//
// A block takes a tile, which contributes to its rows and, mirrored, to its columns.  Every tile stores its
// contributions in a place of its own, and a second pass adds them in order.  Results are bit-identical for any number
// of blocks.  Storing and loading contributions costs 1/32 of the memory traffic of reading the whole matrix.

constexpr unsigned kHalfTile = 64;  // rows and columns
constexpr unsigned kHalfTileElements = kHalfTile * kHalfTile;
static_assert(kVectorPadding % kHalfTile == 0 && kHalfTile == kCgWarps * kSumsTogether);

// Tiles row by row up to the diagonal, each stored row by row; 0 above the diagonal and after the last row.
template <class T>
struct HalfRows
{
    using Element = T;

    const T* tiles;
    T* shares;                   // groups x groups x kHalfTile: contributions to each group of rows from each group
    std::uint64_t size, groups;  // groups: of kHalfTile rows, the last one filled up with zeros
};

// Returns the number of tiles in the rows of tiles above `row`.
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
    constexpr unsigned kParts = kCgThreads / kHalfTile, kInFlight = 4;  // parts of the contributions; loads in flight
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

// ---- sparse rows and grids ----

// Row i has the values and columns from starts[i] to starts[i + 1] - 1.
template <class T>
struct SparseRows
{
    using Element = T;

    const T* values;
    const std::uint64_t* starts;
    const std::uint32_t* columns;
    std::uint64_t size;
    unsigned lanes;  // lanes that share a row: a power of two up to 32 (lanesOfRows(), target_matrix.h)
};

// Poisson's equation on a grid of inner points, row after row: 4 in the middle, -1 for each neighbour.
template <class T>
struct PoissonRows
{
    using Element = T;

    std::uint64_t width, size;  // size: points, fewer than 2^32
};

constexpr unsigned kRowsInFlight = 4;  // rows that the lanes sharing a row compute at a time
template <class T>
constexpr unsigned kPointsInFlight = 16 / sizeof(T);  // points that a thread computes at a time

template <class T>
OROGEN_DEVICE constexpr Pieces piecesOf(const SparseRows<T>& a)
{
    return piecesOf(a.size, kCgThreads / a.lanes * kRowsInFlight);
}
template <class T>
OROGEN_DEVICE constexpr Pieces piecesOf(const PoissonRows<T>& a)
{
    return piecesOf(a.size);
}

namespace OROGEN_TARGET {

// Computes the contribution of this lane's elements to four rows, `apart` rows from each other; rows from `end` on have
// none.  Loads the lane's first element of each of the four rows before it uses any, so that the loads overlap.
template <class T, class VectorAt>
OROGEN_DEVICE inline void multiplyFourRows(const SparseRows<T>& a, std::uint64_t first, std::uint64_t apart,
                                           std::uint64_t end, const VectorAt& vectorAt, T (&sums)[kRowsInFlight])
{
    const unsigned lane = threadIndex().x % a.lanes;
    std::uint64_t starts[kRowsInFlight];
    std::uint32_t lengths[kRowsInFlight];  // a row has fewer than 2^32 elements
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsInFlight; ++q)
    {
        const std::uint64_t row = first + q * apart;
        starts[q] = row < end ? a.starts[row] : 0;
        lengths[q] = row < end ? std::uint32_t(a.starts[row + 1] - starts[q]) : 0;
    }
    T values[kRowsInFlight];
    std::uint32_t columns[kRowsInFlight];
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsInFlight; ++q)
    {
        values[q] = lane < lengths[q] ? a.values[starts[q] + lane] : T(0);
        columns[q] = lane < lengths[q] ? a.columns[starts[q] + lane] : 0;
    }
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsInFlight; ++q)
        sums[q] = lane < lengths[q] ? values[q] * vectorAt(columns[q]) : T(0);
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsInFlight; ++q)
        for (std::uint32_t k = lane + a.lanes; k < lengths[q]; k += a.lanes)
            sums[q] = fusedMultiplyAdd(a.values[starts[q] + k], vectorAt(a.columns[starts[q] + k]), sums[q]);
}

// Calls store(i, (A v)_i) once for each row of the piece; returns the sum of the results of this thread's calls.
template <class T, class VectorAt, class Store>
OROGEN_DEVICE inline double multiplyPiece(const SparseRows<T>& a, const Pieces& pieces, std::uint64_t piece,
                                          const VectorAt& vectorAt, const Store& store)
{
    const std::uint64_t next = (piece + 1) * pieces.length, end = next < a.size ? next : a.size;
    const std::uint64_t apart = kCgThreads / a.lanes;
    double stored = 0;
    for (std::uint64_t group = piece * pieces.length; group < end; group += apart * kRowsInFlight)
    {
        const std::uint64_t first = group + threadIndex().x / a.lanes;
        T sums[kRowsInFlight];
        multiplyFourRows(a, first, apart, end, vectorAt, sums);
        OROGEN_UNROLL
        for (unsigned q = 0; q < kRowsInFlight; ++q)
        {
            for (unsigned lanes = a.lanes / 2; lanes > 0; lanes /= 2)
                sums[q] += shuffleXor(kAllLanes, sums[q], lanes);
            const std::uint64_t row = first + q * apart;
            if (threadIndex().x % a.lanes == 0 && row < end) stored += store(row, sums[q]);
        }
    }
    return stored;
}

template <class T, class VectorAt>
OROGEN_DEVICE inline T productAt(const PoissonRows<T>& a, std::uint32_t i, const VectorAt& vectorAt)
{
    const auto width = std::uint32_t(a.width), size = std::uint32_t(a.size), column = i % width;
    const T above = i >= width ? vectorAt(i - width) : T(0), left = column > 0 ? vectorAt(i - 1) : T(0);
    const T right = column + 1 < width ? vectorAt(i + 1) : T(0);
    const T below = i < size - width ? vectorAt(i + width) : T(0);
    return 4 * vectorAt(i) - ((above + below) + (left + right));
}

// Calls store(i, (A v)_i) for each point of the piece; returns the sum of the results of this thread's calls.  Computes
// two or four points per thread at a time, all read before any is stored.
template <class T, class VectorAt, class Store>
OROGEN_DEVICE inline double multiplyPiece(const PoissonRows<T>& a, const Pieces& pieces, std::uint64_t piece,
                                          const VectorAt& vectorAt, const Store& store)
{
    constexpr unsigned kPoints = kPointsInFlight<T>;
    const std::uint64_t next = (piece + 1) * pieces.length, end = next < a.size ? next : a.size;
    double stored = 0;
    for (std::uint64_t first = piece * pieces.length + threadIndex().x; first < end; first += kPoints * kCgThreads)
    {
        T products[kPoints];
        OROGEN_UNROLL
        for (unsigned k = 0; k < kPoints; ++k)
        {
            const std::uint64_t i = first + k * kCgThreads;
            products[k] = i < end ? productAt(a, std::uint32_t(i), vectorAt) : T(0);
        }
        OROGEN_UNROLL
        for (unsigned k = 0; k < kPoints; ++k)
            if (const std::uint64_t i = first + k * kCgThreads; i < end) stored += store(i, products[k]);
    }
    return stored;
}

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute
