// Shapes of the launches of conjugate gradients, determined only by sizes and by the blocks that a GPU holds.
#pragma once

#include <algorithm>

#include "compute/linear_algebra/kernels/cg_persistent.h"

namespace orogen::compute {

// Returns the number of work units that blocks share: groups of rows, tiles, or pieces of a vector.
template <class T>
std::uint64_t unitsOf(const DenseRows<T>& a)
{
    return quotientUp(a.size, kRowsTogether);
}
template <class T>
std::uint64_t unitsOf(const HalfRows<T>& a)
{
    return tilesBefore(a.groups);
}
template <class Rows>
std::uint64_t unitsOf(const Rows& a)
{
    return piecesOf(a).count();
}

// Returns the number of partial sums of (A d, d).
template <class Matrix>
std::uint64_t curvaturesOf(const Matrix& a)
{
    return unitsOf(a);
}
template <class T>
std::uint64_t curvaturesOf(const HalfRows<T>& a)
{
    return a.groups;
}

// Returns the number of blocks: at most `most`, or fewer with equally many units each, so that the last round is full.
inline unsigned evenBlocks(std::uint64_t units, std::uint64_t most)
{
    const std::uint64_t some = std::max<std::uint64_t>(units, 1);
    return unsigned(quotientUp(some, quotientUp(some, std::max<std::uint64_t>(most, 1))));
}

// Returns the shape of a persistent launch: all blocks are resident at once.
template <class Matrix>
LaunchShape iterateShape(const Matrix& a, unsigned resident)
{
    return {{evenBlocks(std::max(unitsOf(a), piecesOf(a.size, kPieceStep).count()), resident)}, {kCgThreads}, true};
}

// Returns the shape of a launch that strides over so many units.
inline LaunchShape stridingShape(std::uint64_t units, std::uint64_t mostBlocks, unsigned y = 1)
{
    constexpr std::uint64_t kMostBlocks = 65'536;
    return {{evenBlocks(units, std::min(kMostBlocks, mostBlocks)), y}, {kCgThreads}};
}

// Returns the shape of a launch that sums.
inline LaunchShape oneBlock() { return {{1}, {kCgThreads}}; }

}  // namespace orogen::compute
