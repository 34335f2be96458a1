// The shapes of the launches that multiword addition is made of: for those that are made and those that are planned.
// Each is of a whole number; a launch that is one of several of a kernel has a part of these blocks, in their order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/device/launch.h"
#include "compute/multiword/kernels/paper3.h"
#include "compute/multiword/kernels/recursive.h"
#include "compute/multiword/kernels/tile.h"

namespace orogen::compute {

constexpr std::uint64_t dividedUp(std::uint64_t count, std::uint64_t part) { return (count + part - 1) / part; }

// lookback, and two kernels of two-pass: a block a tile.
constexpr LaunchShape shapeOfTiles(std::uint64_t limbs)
{
    return {{unsigned(dividedUp(limbs, kTileLimbs))}, {kTileThreads}};
}

// paper-3: a thread a group of 16 words of 16 bits.
constexpr std::uint64_t paper3Groups(std::uint64_t limbs) { return dividedUp(limbs, kGroupLimbs); }
constexpr LaunchShape shapeOfPaper3Groups(std::uint64_t groups)
{
    return {{unsigned(dividedUp(groups, kPaper3GroupThreads))}, {kPaper3GroupThreads}};
}
// All blocks are resident, each thread has every n-th group.
constexpr LaunchShape shapeOfPaper3Iterations(std::uint64_t groups, unsigned threads, unsigned residentBlocks)
{
    return {{unsigned(std::min<std::uint64_t>(dividedUp(groups, threads), residentBlocks))}, {threads}, true};
}

// recursive: limbs, and one more for the carry out of the last; or criterion words.
constexpr LaunchShape shapeOfPlaces(std::uint64_t places)
{
    return {{unsigned(dividedUp(places, kRecursivePlaces))}, {kRecursiveThreads}};
}
constexpr LaunchShape shapeOfLimbs(std::uint64_t limbs) { return shapeOfPlaces(limbs + 1); }
// Criterion words of every level, that of the limbs first; the last level fits into a warp.
inline std::vector<std::uint64_t> criterionLevels(std::uint64_t limbs)
{
    std::vector<std::uint64_t> counts = {limbs / kWarpLanes + 1};  // one bit more than limbs
    while (counts.back() > kWarpLanes)
        counts.push_back(dividedUp(counts.back(), kWarpLanes));
    return counts;
}

}  // namespace orogen::compute
