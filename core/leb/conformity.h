// Checks that triangles tile a surface without holes, overlaps or T-junctions.  The leaves of a tree tile the square,
// the leaves of a pool of bisectors (pool.h) the cube or the square.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cbt/tree.h"
#include "core/leb/leb.h"
#include "core/leb/pool.h"

namespace orogen::leb {

// Collects triangles in any order.  finish() checks that every edge inside the square belongs to exactly two triangles,
// one on each side, and that the areas sum to that of the square.  The check uses neither trees nor neighbours.
//
// Exact, and in little memory: edges are sorted in blocks, pairs within a block are removed, and the rest waits for its
// partners in other blocks.  With triangles in rough spatial order, as leaves come, the rest is small.  Cost: about 0.2
// microseconds per triangle.
class ConformityCheck
{
public:
    ConformityCheck();

    void add(const Triangle& triangle);

    // Returns an empty text if conforming, else one fault with its place in lattice units.  Ends the check.
    std::string finish();

private:
    using Key = std::uint64_t;  // both ends of an edge, 16 bits per coordinate

    void addEdge(Point from, Point to);
    void flush();
    void strikeOut(std::vector<Key>& forward, std::vector<Key>& backward);

    std::vector<Key> forward_, backward_;                // edges of the present block, by their owner's direction
    std::vector<Key> waitingForward_, waitingBackward_;  // edges of earlier blocks without a partner in their block
    std::size_t waitingLimit_ = 1u << 20;                // size at which matched pairs among them are removed
    std::uint64_t doubleArea_ = 0;
    std::string fault_;
};

// Checks the leaves of a tree (as of its last reduction), and returns what ConformityCheck::finish() returns.
template <class Tree>
std::string conformityFault(const Tree& tree)
{
    if (tree.leafCount() == 1) return {};
    ConformityCheck check;
    forEachLeaf(tree, [&](NodeId leaf) { check.add(vertices(leaf)); });
    return check.finish();
}

// ---- leaves of a pool ----

// Returns an empty text if the pool conforms, else a fault with its place.  Checks that exactly the slots with an id
// have their bit set and are listed, in order, and that geometry matches the ids.  Checks that the areas sum to the
// whole surface.  Every edge must have two sides that run in opposite directions and are linked to each other, or a
// single side on a border.  Vertices - edges + leaves must be 2, on a plane 1.  About 0.5 microseconds per leaf.
std::string conformityFault(const Pool& pool);

}  // namespace orogen::leb
