// One round of split and merge decided from a snapshot: mark, plan, apply.  shaders/lod_round.glsl does the same.
//
// Why it is sound.  A terminal pair shares its base, so that splitting both touches no other edge.  Merging a diamond
// removes one vertex and the edges inside it; its outer edges are the bases of its leaves, which could change only if
// one of them split, and a marked or pinned leaf does not merge.  Every leaf has one base pair and one diamond, so that
// the operations of a round have disjoint interiors and leave their boundaries alone: they commute, and the mesh stays
// conforming.  The marked set is a union of paths, so that it depends on no order and no number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/executor.h"
#include "core/cbt/cbt.h"

namespace orogen::leb {

// What a leaf would like; split wins.  For the result to settle, `split` must depend on the leaf's base edge alone and
// `merge` on its parent's base edge.
struct Wish
{
    bool split = false;
    bool merge = false;
};
using Criterion = std::function<Wish(NodeId leaf)>;

enum class Plan : std::uint32_t
{
    kKeep,
    kSplit,
    kMerge,    // the odd child of a merging pair of siblings
    kRefused,  // marked for splitting, but the capacity is used up
};

// leaves after = leaves before + splits - merges; requested = splits + refusals.
struct RoundCounts
{
    NodeId requested = 0;  // leaves marked for splitting
    NodeId splits = 0;     // leaves that split
    NodeId merges = 0;     // pairs of siblings that merge
    NodeId refusals = 0;   // leaves marked and refused
    bool operator==(const RoundCounts&) const = default;
};

// A round over a reduced tree whose mesh conforms and is at least the two halves of the square.  Steps in this order,
// each once; runRound() below does them all.  Bodies run on the executor, in any order.
class Round
{
public:
    static constexpr std::uint32_t kPin = 1, kMarked = 2, kWantMerge = 4;  // flags

    Round(Cbt& tree, Executor& executor);  // lists the leaves

    // Each leaf states its wish; those that would split walk to the terminal pair of their path and mark it.  Nodes 2
    // and 3 do not merge, leaves of depth maxDepth do not split.  The criterion is called concurrently.
    void mark(const Criterion& criterion);

    // Whole pairs are served in the order of their lower leaf number while leaves + served <= capacity; the merges of
    // this round are not credited.
    RoundCounts plan(NodeId capacity);

    // Writes the bits.  The tree is stale until it is reduced.
    void apply();

    // The bits that apply() writes, in the order of the leaves: what a ChangedReduction takes.  After plan().
    std::vector<NodeId> changedBits() const;

    std::span<const NodeId> leaves() const { return leaves_; }  // by number
    std::uint32_t flags(NodeId number) const { return flags_[number].load(std::memory_order_relaxed); }
    std::span<const Plan> plans() const { return plans_; }  // by number

private:
    void markFrom(NodeId number);
    bool pin(NodeId number);  // false if it was pinned before
    void refuseBeyond(NodeId capacity);
    bool mayMerge(NodeId node) const;
    bool merges(NodeId number) const;

    Cbt& tree_;
    Executor& executor_;
    std::vector<NodeId> leaves_;
    std::vector<std::atomic<std::uint32_t>> flags_;
    std::vector<Plan> plans_;
};

// A whole round and the reduction after it.
RoundCounts runRound(Cbt& tree, NodeId capacity, const Criterion& criterion, Executor& executor);

}  // namespace orogen::leb
