// What both layouts of the tree (Cbt, PackedCbt) have in common, written against their interface.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "core/base/executor.h"
#include "core/cbt/node.h"

namespace orogen {

// ---- judged by the bits as they are now, reduced or not; O(1) ----

// A node is inner when a leaf starts where its right child starts.
template <class Tree>
bool isInnerNow(const Tree& tree, NodeId node)
{
    return depthOf(node) < tree.maxDepth() && tree.bit(firstBit(2 * node + 1, tree.maxDepth()));
}

template <class Tree>
bool isLeafNow(const Tree& tree, NodeId node)
{
    return (node == 1 || isInnerNow(tree, node / 2)) && !isInnerNow(tree, node);
}

// The leaf that starts at a set bit; O(D).
template <class Tree>
NodeId leafStartingAt(const Tree& tree, NodeId bit)
{
    assert(tree.bit(bit));
    NodeId node = (NodeId(1) << tree.maxDepth()) + bit;
    while (node % 2 == 0 && !isInnerNow(tree, node / 2))
        node /= 2;
    return node;
}

// ---- iteration, left to right, by the counts of the last reduction ----

// The leftmost leaf of a subtree that is not below a leaf.
template <class Tree>
NodeId leftmostLeaf(const Tree& tree, NodeId node)
{
    while (tree.leavesBelow(node) > 1)
        node *= 2;
    return node;
}

// The leaf right of this one, 0 after the last.  O(1) amortised over an iteration.
template <class Tree>
NodeId nextLeaf(const Tree& tree, NodeId leaf)
{
    const NodeId following = (leaf + 1) >> std::countr_zero(leaf + 1);
    return following == 1 ? 0 : leftmostLeaf(tree, following);
}

template <class Tree, class Visitor>
void forEachLeaf(const Tree& tree, Visitor&& visit)
{
    for (NodeId leaf = leftmostLeaf(tree, 1); leaf != 0; leaf = nextLeaf(tree, leaf))
        visit(leaf);
}

// All leaves by number.  out.size() == tree.leafCount().  For Cbt there is a faster one in cbt.h.
template <class Tree>
void decodeLeaves(const Tree& tree, std::span<NodeId> out, Executor& executor)
{
    assert(out.size() == tree.leafCount());
    executor.run(NodeId(out.size()), [&](NodeId begin, NodeId end) {
        NodeId leaf = tree.leaf(begin);
        for (NodeId number = begin; number < end; ++number, leaf = nextLeaf(tree, leaf))
            out[number] = leaf;
    });
}

template <class Tree>
std::vector<NodeId> leavesOf(const Tree& tree)
{
    std::vector<NodeId> leaves(tree.leafCount());
    SerialExecutor serial;
    decodeLeaves(tree, leaves, serial);
    return leaves;
}

// ---- the set of leaves ----

// The hash of a set of leaves is the sum of their hashes: it depends on the set alone, not on D, layout or order.
constexpr std::uint64_t hashOfLeaf(NodeId leaf)
{
    std::uint64_t x = leaf * 0x9e3779b97f4a7c15u;  // splitmix64
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

template <class Tree>
std::uint64_t leafHash(const Tree& tree)
{
    std::uint64_t sum = 0;
    forEachLeaf(tree, [&](NodeId leaf) { sum += hashOfLeaf(leaf); });
    return sum;
}

// The same leaves in a tree of another maximum depth or layout; leaves deeper than leafDepth (at most maxDepth) are
// replaced by their ancestors there.  This keeps a conforming triangulation conforming.  Reduced.
template <class Target, class Source>
Target reencoded(const Source& source, int maxDepth, int leafDepth)
{
    assert(0 <= leafDepth && leafDepth <= maxDepth);
    Target target(maxDepth);
    forEachLeaf(source, [&](NodeId leaf) {
        const int excess = std::max(0, depthOf(leaf) - leafDepth);
        NodeId node = leaf >> excess;
        while (node % 2 == 0)  // a leaf starts where it is a right child, or where its left-edge ancestor is one
            node /= 2;
        if (node > 1) target.split(node / 2);
    });
    target.reduce();
    return target;
}

template <class Tree>
Tree reencoded(const Tree& source, int maxDepth)
{
    return reencoded<Tree>(source, maxDepth, maxDepth);
}

template <class Tree>
Tree truncated(const Tree& source, int leafDepth)
{
    return reencoded<Tree>(source, source.maxDepth(), std::min(leafDepth, source.maxDepth()));
}

// The deepest depth that leaves at most `capacity` (>= 1) leaves when the tree is truncated to it.
template <class Tree>
int depthThatFits(const Tree& tree, NodeId capacity)
{
    assert(capacity >= 1);
    std::array<NodeId, kMaxTreeDepth + 1> leavesAt{};
    forEachLeaf(tree, [&](NodeId leaf) { ++leavesAt[std::size_t(depthOf(leaf))]; });
    NodeId above = 0;  // leaves above this depth
    NodeId nodes = 1;  // nodes of the tree at this depth
    int fits = 0;
    for (int depth = 0; depth <= tree.maxDepth() && above + nodes <= capacity; ++depth)
    {
        fits = depth;
        above += leavesAt[std::size_t(depth)];
        nodes = 2 * (nodes - leavesAt[std::size_t(depth)]);
    }
    return fits;
}

// Whether the counts describe a tree: both children of an inner node have leaves, and a leaf starts where its node
// does.  For words that came from elsewhere; counts must agree with each other and with the bits.
template <class Tree>
bool isWellFormed(const Tree& tree, NodeId node = 1)
{
    if (tree.leavesBelow(node) == 0) return false;
    if (tree.leavesBelow(node) == 1) return tree.bit(firstBit(node, tree.maxDepth()));
    return isWellFormed(tree, 2 * node) && isWellFormed(tree, 2 * node + 1);
}

}  // namespace orogen
