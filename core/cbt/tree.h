// Common parts of the tree's layouts: Cbt (cbt.h, aligned counts) and PackedCbt (packed_cbt.h, as in libcbt).  A tree
// of maximum depth D has one bit per node of depth D.  Each leaf covers a range of these nodes, and the bit of the
// first one is set: the leaf starts there.  The counts are sums of bits; reduce() updates them.  A node of the full
// binary tree is its heap index: the root is 1, the children of k are 2k and 2k + 1; 0 is invalid.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <vector>

#include <sys/mman.h>

#include "core/base/thread_pool.h"

namespace orogen {

using NodeId = std::uint32_t;  // < 2^31: depth <= 30

constexpr int kMinTreeDepth = 6;   // two words of bits, and one count above them
constexpr int kMaxTreeDepth = 30;  // heap indices end before 2^31, and the end itself fits into 32 bits

constexpr int depthOf(NodeId node) { return std::bit_width(node) - 1; }  // 0 for the root

// Returns the bit at which the range of a node k of depth d starts: k 2^(D - d) - 2^D, where D is maxDepth.
constexpr NodeId firstBit(NodeId node, int maxDepth)
{
    return (node << (maxDepth - depthOf(node))) - (NodeId(1) << maxDepth);
}

// ---- memory of the words ----

// Allocates whole cache lines, and huge pages for 2 MiB or more.  With 4 KiB pages, scattered changes of a tree of
// depth 26 miss the TLB as often as the caches.
template <class T>
struct LineAllocator
{
    using value_type = T;
    static constexpr std::size_t kLine = 64, kLargePage = std::size_t(2) << 20;

    LineAllocator() = default;
    template <class U>
    LineAllocator(const LineAllocator<U>&)
    {
    }

    T* allocate(std::size_t count)
    {
        const std::size_t alignment = count * sizeof(T) >= kLargePage ? kLargePage : kLine;
        const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
        void* const memory = std::aligned_alloc(alignment, bytes);
        if (!memory) throw std::bad_alloc();
        if (alignment == kLargePage) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint; failure is harmless
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { std::free(memory); }

    bool operator==(const LineAllocator&) const = default;
};

using TreeWords = std::vector<std::uint32_t, LineAllocator<std::uint32_t>>;

// ---- queries of the current bits, reduced or not; O(1) ----

// Returns whether a node is inner: only then the bit at which its right child starts is set.
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

// ---- iteration, left to right, by the counts of the last reduction ----

// Returns the leftmost leaf of a subtree whose root does not lie below a leaf.
template <class Tree>
NodeId leftmostLeaf(const Tree& tree, NodeId node)
{
    while (tree.leavesBelow(node) > 1)
        node *= 2;
    return node;
}

// Returns the next leaf to the right, 0 after the last.  O(1) amortised over an iteration.
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

// Decodes all leaves by number; out.size() == tree.leafCount().  cbt.h has a faster overload for Cbt.
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

// Returns the hash of one leaf.  The sum over a set of leaves depends on the set alone, not on D, layout or order.
constexpr std::uint64_t hashOfLeaf(NodeId leaf)
{
    std::uint64_t x = leaf * 0x9e3779b97f4a7c15u;  // mixing function of splitmix64
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

// Returns a reduced tree of another maximum depth or layout with the same leaves.  Leaves deeper than leafDepth (<=
// maxDepth) are replaced by their ancestors at leafDepth, which keeps a conforming triangulation conforming.
template <class Target, class Source>
Target reencoded(const Source& source, int maxDepth, int leafDepth)
{
    assert(0 <= leafDepth && leafDepth <= maxDepth);
    Target target(maxDepth);
    forEachLeaf(source, [&](NodeId leaf) {
        const int excess = std::max(0, depthOf(leaf) - leafDepth);
        NodeId node = leaf >> excess;
        while (node % 2 == 0)  // a left child starts at the bit of its parent
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

// Returns the largest leafDepth for which truncated() has at most `capacity` (>= 1) leaves.
template <class Tree>
int depthThatFits(const Tree& tree, NodeId capacity)
{
    assert(capacity >= 1);
    std::array<NodeId, kMaxTreeDepth + 1> leavesAt{};
    forEachLeaf(tree, [&](NodeId leaf) { ++leavesAt[std::size_t(depthOf(leaf))]; });
    NodeId above = 0;  // leaves above the present depth
    NodeId nodes = 1;  // nodes of the tree at the present depth
    int fits = 0;
    for (int depth = 0; depth <= tree.maxDepth() && above + nodes <= capacity; ++depth)
    {
        fits = depth;
        above += leavesAt[std::size_t(depth)];
        nodes = 2 * (nodes - leavesAt[std::size_t(depth)]);
    }
    return fits;
}

// Returns whether the counts describe a tree: both children of an inner node have leaves, and a leaf starts at its
// node's first bit.  Needs counts that agree with each other and with the bits; used for words from outside the
// program.
template <class Tree>
bool isWellFormed(const Tree& tree, NodeId node = 1)
{
    if (tree.leavesBelow(node) == 0) return false;
    if (tree.leavesBelow(node) == 1) return tree.bit(firstBit(node, tree.maxDepth()));
    return isWellFormed(tree, 2 * node) && isWellFormed(tree, 2 * node + 1);
}

}  // namespace orogen
