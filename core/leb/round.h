// One round of split and merge decided from a snapshot: mark, plan, apply.  shaders/lod_round.glsl does the same.
//
// A leaf that would split walks along its path: across its base lies nothing (the border), a leaf with the same base,
// or one twice as large, of which the base is a leg; there the walk goes on.  Every leaf on the way is pinned: it
// splits. Where the walk came from a leaf k, the child of the pinned leaf whose base is k's is flagged: it splits, too.
// So a whole path is done in one round; the end of a path is a pair of leaves that share their base (or one at the
// border).
//
// Why it is sound.  New vertices are the middles of the bases of pinned leaves, no others: a flagged child's base is
// the base of the leaf that flagged it.  Such a base is split from both sides: across it lies the border, the other
// half of an end, which is pinned with it, or a flagged child.  Edges that only come to be inside a pinned leaf are
// legs of its children and do not split.  Hence no T-junction.  Merging a diamond removes one vertex and the edges
// inside it; its outer edges are the bases of its leaves, which split only where those leaves are pinned, and such do
// not merge: splits and merges have disjoint interiors, leave each other's boundaries alone, and commute.  A set of
// paths that is closed (with a leaf all that its path needs) is all that the argument uses, so that serving only some
// of the paths is sound.
//
// Order does not matter.  Every pin and every flag carries the priorities of the walks through it, a bit each, of which
// only the highest counts.  A walk stops where its own or a higher bit lies: whoever set that walks on from there, and
// the rest of a path follows from the leaf alone.  So the highest bits are those of all walks walked to the end.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/executor.h"
#include "core/cbt/cbt.h"

namespace orogen::leb {

// Priorities of splits, in octaves: the floor of log2(measure / threshold), 0 .. kPriorities - 1.
inline constexpr std::uint32_t kPriorities = 10;
std::uint32_t priorityOf(float ratio);  // clamped; not a number: any

// What a leaf would like; split wins.  For the result to settle, `split` must depend on the leaf's base edge alone and
// `merge` on its parent's base edge.
struct Wish
{
    bool split = false;
    bool merge = false;
    std::uint32_t priority = 0;  // of the split; below kPriorities
};
using Criterion = std::function<Wish(NodeId leaf)>;

// What becomes of a leaf.
enum class Plan : std::uint32_t
{
    kKeep = 0,
    kSplit = 1,
    kMerge = 2,        // the odd child of a merging pair of siblings
    kRefused = 3,      // would have split, but the capacity is used up
    kSplitFirst = 5,   // splits, and its child 0 does
    kSplitSecond = 9,  // splits, and its child 1 does
    kSplitBoth = 13,
};

// Leaves after = leaves before + splits - merges; requested = splits + refusals.
struct RoundCounts
{
    NodeId requested = 0;  // splits that all paths take
    NodeId splits = 0;     // of leaves, and of children of those
    NodeId merges = 0;     // pairs of siblings that merge
    NodeId refusals = 0;   // splits asked for and refused
    bool operator==(const RoundCounts&) const = default;
};

// A round over a reduced tree whose mesh conforms and is at least the two halves of the square.  Steps in this order,
// each once; runRound() below does them all.  Bodies run on the executor, in any order.
class Round
{
public:
    // Flags: three fields of kPriorities bits (the leaf's own pin, child 0, child 1), then two bits.
    static constexpr std::uint32_t kField = (1u << kPriorities) - 1, kWantMerge = 1u << 30, kMarked = 1u << 31;
    static constexpr int kPin = 0, kChild0 = int(kPriorities), kChild1 = 2 * int(kPriorities);  // where fields begin

    Round(Cbt& tree, Executor& executor);  // lists the leaves

    // Each leaf states its wish; those that would split walk their path and mark the pair that ends it.  Nodes 2 and 3
    // do not merge, leaves of depth maxDepth do not split.  The criterion is called concurrently.
    void mark(const Criterion& criterion);

    // Where leaves + requested <= capacity, everything is served.  Otherwise whole paths are, from the highest priority
    // down as long as all of one priority fits; of the next priority, pairs that end a path, in the order of their
    // lower leaf number while they fit.  The merges of this round are not credited.  What is refused pins nothing.
    RoundCounts plan(NodeId capacity);

    // Writes the bits.  The tree is stale until it is reduced.
    void apply();

    // The bits that apply() writes, in the order of the leaves: what a ChangedReduction takes.  After plan().
    std::vector<NodeId> changedBits() const;

    std::span<const NodeId> leaves() const { return leaves_; }  // by number
    std::uint32_t flags(NodeId number) const { return flags_[number].load(std::memory_order_relaxed); }
    std::span<const Plan> plans() const { return plans_; }  // by number

    // The highest priority in a field, or -1: what counts of the flags, and depends on no order.
    static int highest(std::uint32_t flags, int field);

private:
    NodeId markFrom(NodeId number, std::uint32_t bit);  // how many splits it was the first to ask for
    NodeId markPair(NodeId number, NodeId across, std::uint32_t bit);
    NodeId addFlags(NodeId number, std::uint32_t mask, std::uint32_t* before = nullptr);
    void cut(NodeId capacity);
    void servePairs(NodeId room);
    bool served(NodeId number) const;
    Plan decide(NodeId number) const;
    bool mayMerge(NodeId node) const;
    bool merges(NodeId number) const;

    Cbt& tree_;
    Executor& executor_;
    std::vector<NodeId> leaves_;
    std::vector<std::atomic<std::uint32_t>> flags_;
    std::vector<Plan> plans_;
    std::atomic<NodeId> requested_ = 0;
    int firstServed_ = 0;             // the lowest priority that is served whole
    std::vector<std::uint8_t> pair_;  // by leaf number: half of a pair that is served below it; empty if nothing is cut
};

// Splits that a plan makes: 0 to 3.
NodeId splitsOf(Plan plan);

// A whole round and the reduction after it.
RoundCounts runRound(Cbt& tree, NodeId capacity, const Criterion& criterion, Executor& executor);

}  // namespace orogen::leb
