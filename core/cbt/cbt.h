// The concurrent binary tree (Dupuy 2020; paper 002: Grachev and Ushakov 2023): a full binary tree of bounded depth D.
// It is stored as one bit per node of depth D, and a tree of leaf counts over those bits.  Each leaf covers a range of
// these nodes; the bit of the first one is set, and the leaf is said to start there.
//
// Cbt::split() and merge() change one bit each and may run concurrently.  Counts and queries are stale until reduce().
// There are two layouts with the same interface: Cbt, the wide layout with 32-bit counts, and PackedCbt, which takes
// twice the memory.  Common algorithms are in tree.h: iteration, re-encoding, truncation, the hash of the leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/base/thread_pool.h"
#include "core/cbt/tree.h"
#include "core/cbt/word_kernels.h"

namespace orogen {

// Returns the size of a Cbt, 2^(D - 2) bytes.
constexpr std::uint64_t treeBytes(int maxDepth) { return std::uint64_t(1) << (maxDepth - 2); }

// The wide layout, and the reference implementation: shaders/tree/cbt.glsl computes the same from the same words.
//     words[0]      D
//     words[1, W)   counts of the nodes of depth 0 .. D - 6, by heap index; W = 2^(D - 5)
//     words[W, 2W)  the bit field; word W + i is also the node of depth D - 5 whose 32 bits it holds
// 2^(D - 2) bytes: 4 MiB at D = 24.
class Cbt
{
public:
    // Makes a tree whose leaves are all nodes of depth initialDepth.
    explicit Cbt(int maxDepth, int initialDepth = 0);

    // Makes a tree from words read back from a GPU.  Error (kInput) if they are not a reduced tree of this layout.
    static Result<Cbt> fromWords(std::vector<std::uint32_t> words);

    int maxDepth() const { return int(words_[0]); }

    // Queries of the state at the last reduction.  Nodes of depth D - 5 and deeper are counted from the current bits.
    NodeId leafCount() const { return words_[1]; }
    NodeId leavesBelow(NodeId node) const;  // leaves in its subtree; O(1)
    bool isLeaf(NodeId node) const;         // O(1); false below a leaf
    NodeId leaf(NodeId number) const;       // left to right, number < leafCount(); O(D)
    NodeId leafNumber(NodeId leaf) const;   // the inverse of leaf(); O(D)

    // Reads the current bit field; never stale.
    bool bit(NodeId index) const { return (words_[wordCount() + index / 32] >> (index % 32) & 1u) != 0; }

    // Split a leaf in two, or merge two sibling leaves, either of which may be given.  Thread-safe on different leaves.
    // A leaf at maxDepth does not split; the root does not merge.
    void split(NodeId leaf);
    void merge(NodeId leaf);

    void reduce();  // O(2^D / 32)
    void reduce(Executor& executor, const WordKernels& kernels = bestWordKernels());

    // Split or merge, and update the counts along the path to the root: O(D) each, instead of a full reduction.  For
    // one thread, on a reduced tree.
    void splitCounted(NodeId leaf);
    void mergeCounted(NodeId leaf);

    // Use the field as a set of numbers in which any bits may be set: the slots of a pool (core/leb/pool.h).  Writing
    // is thread-safe and leaves the counts stale.  setBitOf() and clearBitOf() return the bit with `rank` set, or
    // clear, bits before it.  They need up-to-date counts; O(D).
    void setBit(NodeId index);
    void clearBit(NodeId index);
    NodeId setBitOf(NodeId rank) const;    // rank < leafCount()
    NodeId clearBitOf(NodeId rank) const;  // rank < 2^D - leafCount()

    std::span<const std::uint32_t> words() const { return words_; }
    std::span<const std::uint32_t> field() const { return std::span(words_).subspan(wordCount()); }

private:
    friend class ChangedReduction;
    explicit Cbt(TreeWords words) : words_(std::move(words)) {}

    NodeId wordCount() const { return NodeId(words_.size() / 2); }
    void reduceSubtree(NodeId root, int levels, const WordKernels& kernels);
    void sumSubtree(NodeId root, int levels, const WordKernels& kernels);
    void reduceAbove(NodeId index);

    TreeWords words_;
};

// Decodes all leaves by number, by scanning the words of the field; out.size() == tree.leafCount().  Threads decode
// ranges of leaf numbers.  Cost per leaf: 0.3 to 2 ns with several leaves per word; with fewer, up to that of leaf().
void decodeLeaves(const Cbt& tree, std::span<NodeId> out, Executor& executor,
                  const WordKernels& kernels = bestWordKernels());

// ---- incremental reduction ----

// Methods of updating the counts; all give the same words.
enum class ReductionWay
{
    kChosen,  // follows paths at the deep levels, and sums whole levels where that is cheaper
    kPaths,   // recounts ancestors of changed bits; sums levels whole once they have no more nodes than the paths
    kFull,    // sums every level whole
};

// Cost of recounting one node of a path (an ancestor of a changed bit), relative to one node of a level that is summed
// whole.  Measured on EPYC 9004 (Zen 4) with scattered changes.  If the costs are wrong by half, the reduction is at
// most a tenth slower.
struct ReductionCosts
{
    double fieldNode = 20;  // node whose count is computed from the bits
    double node = 20;       // node whose count is the sum of two counts
};

// Updates the counts after changes, given as indices of bits in any order.  Indices may repeat, and bits may be
// unchanged.  Ascending order is fastest: shared ancestors are recounted once.
//
// With kChosen and m changes, paths are followed from the bits towards the root, up to a depth of about log2 m + 4.
// Above that depth, summing whole levels is cheaper.  If prefersFull(), the reduction is that of Cbt::reduce().
// Threads take whole subtrees, so that the words are deterministic.
class ChangedReduction
{
public:
    explicit ChangedReduction(Executor& executor, const WordKernels& kernels = bestWordKernels(),
                              const ReductionCosts& costs = {})
        : executor_(executor), kernels_(kernels), costs_(costs)
    {
    }

    // Returns true if every level was summed whole.
    bool reduce(Cbt& tree, std::span<const NodeId> changedBits, ReductionWay way = ReductionWay::kChosen);

    // Returns whether kChosen takes the full reduction if `changes` distinct nodes of depth D - 6 hold changed bits.
    // By default that is one node in 20 or more.
    bool prefersFull(int maxDepth, std::size_t changes) const;

private:
    struct Subtrees  // adjacent subtrees with roots of one depth
    {
        NodeId first, count;
        int depth;
    };
    void gather(const Cbt& tree, std::span<const NodeId> changedBits, NodeId first, NodeId end,
                std::vector<NodeId>& nodes) const;
    void followPaths(Cbt& tree, std::vector<NodeId>& nodes, const Subtrees& subtrees, double cost) const;

    Executor& executor_;
    const WordKernels& kernels_;
    const ReductionCosts costs_;
    std::vector<std::vector<NodeId>> scratch_;  // nodes to recount, by first subtree of a range; reused
};

}  // namespace orogen
