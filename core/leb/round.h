// One round of split and merge decided from a snapshot: mark, plan, apply.  shaders/lod_round.glsl does the same.
// MarkedRound is what holds of any leaves, Round is that of the implicit tree; the pool's is in pool_round.h.
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

// What lies across the base of a leaf, and the number of the leaf there.
enum class Beyond : std::uint32_t
{
    kBorder,
    kPair,    // a leaf with the same base
    kChild0,  // a leaf twice as large, whose child 0 will have the same base
    kChild1,
};
struct Across
{
    Beyond beyond = Beyond::kBorder;
    NodeId number = 0;
};

// What rounds have in common whatever their leaves lie in: the implicit tree below, a pool of bisectors (pool_round.h).
// A leaf has a number, by which flags and plans are kept.  Bodies run on the executor, in any order.
class MarkedRound
{
public:
    // Flags: three fields of kPriorities bits (the leaf's own pin, child 0, child 1), then two bits.
    static constexpr std::uint32_t kField = (1u << kPriorities) - 1, kWantMerge = 1u << 30, kMarked = 1u << 31;
    static constexpr int kPin = 0, kChild0 = int(kPriorities), kChild1 = 2 * int(kPriorities);  // where fields begin

    // Where leaves + requested <= capacity, everything is served.  Otherwise whole paths are, from the highest priority
    // down as long as all of one priority fits; of the next priority, pairs that end a path, in the order of their
    // lower leaf number while they fit.  The merges of this round are not credited.  What is refused pins nothing.
    RoundCounts plan(NodeId capacity);

    std::uint32_t flags(NodeId number) const { return flags_[number].load(std::memory_order_relaxed); }
    std::span<const Plan> plans() const { return plans_; }  // by number; only those of leaves mean anything

    // The highest priority in a field, or -1: what counts of the flags, and depends on no order.
    static int highest(std::uint32_t flags, int field);

protected:
    // Numbers are those listed, in ascending order and below `end`.
    MarkedRound(Executor& executor, std::span<const NodeId> numbers, NodeId end);
    // Numbers are 0 ... leaves - 1.
    MarkedRound(Executor& executor, NodeId leaves);
    ~MarkedRound() = default;

    // Each leaf states its wish, of what it may; those that would split walk their path and mark the pair that ends it.
    void markEach(const std::function<Wish(NodeId number)>& wishOf);

    void forEachNumber(const std::function<void(NodeId number)>& body) const;
    NodeId leafTotal() const { return leafTotal_; }
    NodeId numberAt(NodeId index) const { return numbers_.empty() ? index : numbers_[index]; }
    bool freeToMerge(NodeId number) const;  // it would, and is not needed otherwise

    Executor& executor_;

private:
    virtual Across across(NodeId number) const = 0;
    virtual bool merges(NodeId number) const = 0;  // the odd child of a diamond all of which is free to merge

    NodeId markFrom(NodeId number, std::uint32_t bit);  // how many splits it was the first to ask for
    NodeId markPair(NodeId number, const Across& across, std::uint32_t bit);
    NodeId addFlags(NodeId number, std::uint32_t mask, std::uint32_t* before = nullptr);
    void cut(NodeId capacity);
    void servePairs(NodeId room);
    bool served(NodeId number) const;
    Plan decide(NodeId number) const;

    std::span<const NodeId> numbers_;
    NodeId leafTotal_ = 0;
    std::vector<std::atomic<std::uint32_t>> flags_;
    std::vector<Plan> plans_;
    std::atomic<NodeId> requested_ = 0;
    int firstServed_ = 0;             // the lowest priority that is served whole
    std::vector<std::uint8_t> pair_;  // by number: half of a pair that is served below it; empty if nothing is cut
};

// A round over a reduced tree whose mesh conforms and is at least the two halves of the square.  Steps in this order,
// each once: mark, plan, apply; runRound() below does them all.  A leaf's number is its place from left to right.
class Round final : public MarkedRound
{
public:
    Round(Cbt& tree, Executor& executor);  // lists the leaves

    // Nodes 2 and 3 do not merge, leaves of depth maxDepth do not split.  The criterion is called concurrently.
    void mark(const Criterion& criterion);

    // Writes the bits.  The tree is stale until it is reduced.
    void apply();

    // The bits that apply() writes, in the order of the leaves: what a ChangedReduction takes.  After plan().
    std::vector<NodeId> changedBits() const;

    std::span<const NodeId> leaves() const { return leaves_; }  // by number

private:
    Across across(NodeId number) const override;
    bool merges(NodeId number) const override;
    bool mayMerge(NodeId node) const;

    Cbt& tree_;
    std::vector<NodeId> leaves_;
};

NodeId splitsOf(Plan plan);  // that a plan makes: 0 to 3
bool splitsLeaf(Plan plan);
bool splitsChild(Plan plan, unsigned child);  // of a leaf that splits

// A whole round and the reduction after it.
RoundCounts runRound(Cbt& tree, NodeId capacity, const Criterion& criterion, Executor& executor);

}  // namespace orogen::leb
