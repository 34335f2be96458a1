// Pool of bisectors on the cube: a triangulation whose leaves lie in slots, so that memory is independent of depth.
//
// A leaf has an id, its geometry in three words (cube_leaf.h) and the slots of the leaves across its three edges.  The
// slots in use are the set bits of a CBT (core/cbt), whose counts find the k-th free slot.  Split and merge:
// pool_round.h.  Conformity check: conformity.h.  GPU version: shaders/pool/pool.glsl.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cbt/cbt.h"
#include "core/leb/cube_leaf.h"

namespace orogen::leb {

inline constexpr NodeId kNoSlot = 0xffffffff;
inline constexpr int kMostPoolBits = 21;  // 2^21 slots

// Initial leaves: the twelve halves of the cube's faces, or the two of face 0, whose sides then are borders.
enum class PoolRoots : std::uint32_t
{
    kPlane = 2,
    kCube = kCubeRoots,
};

// Slots across the edges of a leaf, in edge order; kNoSlot at a border.
using PoolLinks = std::array<NodeId, 3>;

struct Pool
{
    Pool(PoolRoots roots, int slotBits);  // 2^slotBits slots (6 ... kMostPoolBits); root r gets slot r

    NodeId slots() const { return NodeId(ids.size()); }

    // Reduces the bits and lists the slots in use, after bits were written.
    void list(Executor& executor);

    PoolRoots roots;
    std::vector<LeafId> ids;         // per slot; 0: free
    std::vector<CubeLeaf> geometry;  // per slot; stale if free
    std::vector<PoolLinks> links;    // per slot; stale if free
    Cbt live;                        // one bit per slot, set if in use
    std::vector<NodeId> leaves;      // slots in use, ascending
};

// Returns the roots across the edges of a root, in edge order.
PoolLinks linksOfRoot(PoolRoots roots, std::uint32_t root);

// ---- coarsened copies ----

struct PoolLeaves
{
    std::vector<LeafId> ids;         // per slot, none free
    std::vector<CubeLeaf> geometry;  // per slot
    std::vector<PoolLinks> links;

    NodeId size() const { return NodeId(ids.size()); }
};

// Returns the roots, root r in slot r.
PoolLeaves rootLeaves(PoolRoots roots);

// Returns the largest depth <= `depth` for which leavesAbove() has at most `capacity` leaves; 0 if there is none.
int deepestThatFits(std::span<const LeafId> ids, int depth, std::uint32_t capacity);

// Replaces leaves below `depth` by their ancestors at that depth; a conforming mesh stays conforming.  An id of 0 means
// a free slot.  Leaves keep their order; an ancestor takes the place of its first leaf.  O(slots + leaves * depth).
PoolLeaves leavesAbove(std::span<const LeafId> ids, std::span<const PoolLinks> links, int depth);

}  // namespace orogen::leb
