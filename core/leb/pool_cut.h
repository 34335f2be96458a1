// The leaves of a pool (pool.h) in another one: fewer of them, in the first slots.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/leb/pool.h"

namespace orogen::leb {

struct PoolLeaves
{
    std::vector<LeafId> ids;         // by slot, none of them free
    std::vector<CubeLeaf> geometry;  // likewise
    std::vector<PoolLinks> links;

    NodeId size() const { return NodeId(ids.size()); }
};

// The roots alone, root r in slot r.
PoolLeaves rootLeaves(PoolRoots roots);

// The deepest depth, `depth` at most, at which so many leaves fit if all below it give way to their ancestors there; 0
// at least.
int deepestThatFits(std::span<const LeafId> ids, int depth, std::uint32_t capacity);

// Leaves below that depth give way to their ancestors at it; the mesh conforms if it did.  Of ids, 0 means a free slot.
// Leaves keep their order, where an ancestor has the place of its first leaf.  O(slots + leaves * depth).
PoolLeaves leavesAbove(std::span<const LeafId> ids, std::span<const PoolLinks> links, int depth);

}  // namespace orogen::leb
