// Whether the leaves of a pool tile the surface of the cube without holes, overlaps or T-junctions, and whether all
// that the pool keeps beside the ids agrees with them.
#pragma once

#include <string>

#include "core/leb/pool.h"

namespace orogen::leb {

// Exact, and by what the ids say of each leaf's place alone: the areas sum to the whole surface; every edge has two
// sides that run in opposite directions, or one on a border; vertices - edges + leaves is 2, on a plane 1.  Then:
// places as kept are those of the ids, links lead to whatever has the same edge, bits are set where ids are, and all
// slots in use are listed in order.  Empty if so, else the first fault found, with its place.  About 0.5 microseconds a
// leaf.
std::string conformityFault(const Pool& pool);

}  // namespace orogen::leb
