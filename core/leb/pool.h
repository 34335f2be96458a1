// A pool of bisectors on the cube: a triangulation whose leaves lie in slots, so that its depth does not cost memory.
//
// A leaf is its id, its place in three words (cube_leaf.h) and the slots of the leaves across its three edges.  The
// slots in use are the set bits of a CBT (core/cbt), by whose counts the k-th free slot is found.  One round of split
// and merge: pool_round.h.  Whether the leaves tile the surface, judged by their places alone: pool_conformity.h.  The
// same on a GPU: shaders/pool.glsl.
#pragma once

#include <array>
#include <vector>

#include "core/base/executor.h"
#include "core/cbt/cbt.h"
#include "core/leb/cube_leaf.h"

namespace orogen::leb {

inline constexpr NodeId kNoSlot = 0xffffffff;
inline constexpr int kMostPoolBits = 21;  // 2^21 slots

// What a pool begins with: the twelve halves of the cube's faces, or the two of face 0, whose sides then are borders.
enum class PoolRoots : std::uint32_t
{
    kPlane = 2,
    kCube = kCubeRoots,
};

// Across the edges of a leaf, in their order; kNoSlot at a border.
using PoolLinks = std::array<NodeId, 3>;

struct Pool
{
    Pool(PoolRoots roots, int slotBits);  // 2^slotBits slots, 6 ... kMostPoolBits; root r lies in slot r

    NodeId slots() const { return NodeId(ids.size()); }

    // Counts the slots in use and lists them, after bits were written.
    void list(Executor& executor);

    PoolRoots roots;
    std::vector<LeafId> ids;         // by slot, and so on; 0 where it is free
    std::vector<CubeLeaf> geometry;  // left as it was where a slot is free
    std::vector<PoolLinks> links;    // likewise
    Cbt live;                        // a bit for every slot in use
    std::vector<NodeId> leaves;      // the slots in use, ascending
};

// The roots across the edges of a root.
PoolLinks linksOfRoot(PoolRoots roots, std::uint32_t root);

}  // namespace orogen::leb
