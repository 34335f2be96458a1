// Coarsened copy of a pool's leaves (pool.h), packed into the first slots.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/leb/pool.h"

namespace orogen::leb {

struct PoolLeaves
{
    std::vector<LeafId> ids;         // per slot, none free
    std::vector<CubeLeaf> geometry;  // per slot
    std::vector<PoolLinks> links;

    NodeId size() const { return NodeId(ids.size()); }
};

// Returns the roots, root r in slot r.
PoolLeaves rootLeaves(PoolRoots roots);

// Returns the largest depth <= `depth` at which the leaves fit into `capacity` once deeper ones are replaced by their
// ancestors there; 0 at least.
int deepestThatFits(std::span<const LeafId> ids, int depth, std::uint32_t capacity);

// Replaces leaves below `depth` by their ancestors there; a conforming mesh stays conforming.  An id of 0 means a free
// slot.  Leaves keep their order; an ancestor takes the place of its first leaf.  O(slots + leaves * depth).
PoolLeaves leavesAbove(std::span<const LeafId> ids, std::span<const PoolLinks> links, int depth);

}  // namespace orogen::leb
