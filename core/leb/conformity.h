// Whether triangles tile the square without holes, overlaps or T-junctions, judged by vertex positions alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cbt/tree.h"
#include "core/leb/leb.h"

namespace orogen::leb {

// Collects triangles in any order, then judges: every edge inside the square must be owned exactly twice, from its two
// sides, and the areas must sum to 1.  Knows nothing of trees or neighbours.
//
// Exact, and in little memory: edges are sorted a block at a time, those with both owners in the block are struck out,
// and what remains waits for the end.  Triangles that come roughly in spatial order, as leaves do, leave little.  About
// 0.2 microseconds a triangle.
class ConformityCheck
{
public:
    ConformityCheck();

    void add(const Triangle& triangle);

    // Empty if conforming, else the first fault found, with its place in lattice units.  Ends the check.
    std::string finish();

private:
    using Key = std::uint64_t;  // both ends of an edge, 16 bits a coordinate

    void addEdge(Point from, Point to);
    void flush();
    void strikeOut(std::vector<Key>& forward, std::vector<Key>& backward);

    std::vector<Key> forward_, backward_;                // edges of this block, by the direction of their owner
    std::vector<Key> waitingForward_, waitingBackward_;  // edges of earlier blocks with one owner
    std::size_t waitingLimit_ = 1u << 20;                // when those are struck out among themselves
    std::uint64_t doubleArea_ = 0;
    std::string fault_;
};

// The mesh of a tree's leaves (of the last reduction); the undivided square conforms.
template <class Tree>
std::string conformityFault(const Tree& tree)
{
    if (tree.leafCount() == 1) return {};
    ConformityCheck check;
    forEachLeaf(tree, [&](NodeId leaf) { check.add(vertices(leaf)); });
    return check.finish();
}

}  // namespace orogen::leb
