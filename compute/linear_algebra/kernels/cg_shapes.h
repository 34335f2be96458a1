// How launches of conjugate gradients are shaped: by sizes and by how many blocks a GPU holds, and nothing else.
#pragma once

#include <algorithm>

#include "compute/linear_algebra/kernels/cg_persistent.h"

namespace orogen::compute {

// What blocks share among them: groups of rows, tiles, or pieces of a vector.
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

// Pieces that (A d, d) is summed in.
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

// As many blocks as there may be, or fewer where that gives each of them as many units: the last round is full then.
inline unsigned evenBlocks(std::uint64_t units, std::uint64_t most)
{
    const std::uint64_t some = std::max<std::uint64_t>(units, 1);
    return unsigned(quotientUp(some, quotientUp(some, std::max<std::uint64_t>(most, 1))));
}

// A persistent launch: no block waits for another one to end.
template <class Matrix>
LaunchShape iterateShape(const Matrix& a, unsigned resident)
{
    return {{evenBlocks(std::max(unitsOf(a), piecesOf(a.size, kPieceStep).count()), resident)}, {kCgThreads}, true};
}

// A launch that strides over so many units.
inline LaunchShape stridingShape(std::uint64_t units, std::uint64_t mostBlocks, unsigned y = 1)
{
    constexpr std::uint64_t kMostBlocks = 65'536;
    return {{evenBlocks(units, std::min(kMostBlocks, mostBlocks)), y}, {kCgThreads}};
}

// One that sums.
inline LaunchShape oneBlock() { return {{1}, {kCgThreads}}; }

}  // namespace orogen::compute
