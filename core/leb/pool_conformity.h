// Check that the leaves of a pool tile the cube's surface without holes, overlaps or T-junctions, and that its other
// data matches the ids.
#pragma once

#include <string>

#include "core/leb/pool.h"

namespace orogen::leb {

// Returns nothing if the pool conforms, else the first fault with its place.  Exact, from the places that the ids give:
// the areas sum to the whole surface; every edge has two sides that run in opposite directions, or one on a border;
// vertices - edges + leaves is 2, on a plane 1.  Then geometry must match the ids, and links must lead to the leaf with
// the same edge.  Bits must be set where ids are, and the slots in use listed in order.  About 0.5 microseconds per
// leaf.
std::string conformityFault(const Pool& pool);

}  // namespace orogen::leb
