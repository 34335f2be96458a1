// One round of split and merge, decided from a snapshot: mark, plan, apply.  shaders/lod/lod_round.glsl does the same.
// MarkedRound is independent of leaf storage.  Round is for the implicit tree, a Cbt whose nodes are bisectors (leb.h);
// PoolRound (pool.h) is for a pool.
//
// Mark.  A requested split starts a walk at its leaf.  Across the leaf's base lies the border, a leaf with the same
// base, or a leaf twice as large that has the base as a leg; in the last case the walk continues there.  Every leaf on
// the way is pinned, which means that it will split.  If the walk came from a leaf k, the child of the pinned leaf that
// has k's base is flagged: it splits, too.  So a whole path is done in one round.  It ends with a pair of leaves that
// share their base, or one leaf at the border.
//
// Soundness.  New vertices are exactly the base midpoints of pinned leaves, since a flagged child's base is the base of
// the leaf that flagged it.  This base is split from both sides: across it lies the border, the other leaf of the final
// pair, which is pinned as well, or a flagged child.  Edges that arise inside a pinned leaf are legs of its children
// and do not split.  Hence there are no T-junctions.  Merging a diamond removes one vertex and the edges inside it.
// Its outer edges are the bases of its leaves; they split only if those leaves are pinned, and pinned leaves do not
// merge.  So splits and merges have disjoint interiors, keep each other's boundaries, and commute.  The argument needs
// only that the set of paths is closed (each leaf with all that its path needs), so it is sound to carry out (serve)
// only some paths.
//
// Order independence.  Every pin and flag carries the priorities of the walks through it, one bit each; only the
// highest counts.  A walk stops where its own or a higher bit is set: the walk that set it continues, and a path's
// remainder depends on the leaf alone.  So the highest bits are as if every walk had been completed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cbt/cbt.h"

namespace orogen::leb {

// Priorities of splits, in octaves: floor(log2(measure / threshold)), clamped to 0 .. kPriorities - 1.
inline constexpr std::uint32_t kPriorities = 10;
std::uint32_t priorityOf(float ratio);  // ratio: measure / threshold, >= 0; unspecified for NaN

// Split or merge that a leaf requests; a split takes precedence.  For the mesh to converge, `split` must depend on the
// leaf's base edge alone and `merge` on its parent's base edge.
struct Wish
{
    bool split = false;
    bool merge = false;
    std::uint32_t priority = 0;  // priority of the split, < kPriorities
};
using Criterion = std::function<Wish(NodeId leaf)>;

// Decision for a leaf.
enum class Plan : std::uint32_t
{
    kKeep = 0,
    kSplit = 1,
    kMerge = 2,        // odd child of a merging pair of siblings
    kRefused = 3,      // pinned, but its split is not carried out for lack of capacity
    kSplitFirst = 5,   // splits, and so does its child 0
    kSplitSecond = 9,  // splits, and so does its child 1
    kSplitBoth = 13,
};

// Leaves after = leaves before + splits - merges; requested = splits + refusals.
struct RoundCounts
{
    NodeId requested = 0;  // splits that all paths need
    NodeId splits = 0;     // splits of leaves and of their children
    NodeId merges = 0;     // merging pairs of siblings
    NodeId refusals = 0;   // requested splits that were refused
    bool operator==(const RoundCounts&) const = default;
};

// Leaf across the base of a leaf, if there is one.
enum class Beyond : std::uint32_t
{
    kBorder,
    kPair,    // leaf with the same base
    kChild0,  // leaf twice as large, whose child 0 will have the same base
    kChild1,
};
struct Across
{
    Beyond beyond = Beyond::kBorder;
    NodeId number = 0;
};

// Part of a round that is independent of leaf storage: the implicit tree below, or a pool of bisectors (pool.h).
// Flags and plans are indexed by leaf number.  Bodies run on the executor, in any order.
class MarkedRound
{
public:
    // Flags: three fields of kPriorities bits (the leaf's own pin, child 0, child 1) and two single bits (requests a
    // merge; belongs to the pair that ends a path).
    static constexpr std::uint32_t kField = (1u << kPriorities) - 1, kWantMerge = 1u << 30, kMarked = 1u << 31;
    static constexpr int kPin = 0, kChild0 = int(kPriorities), kChild1 = 2 * int(kPriorities);  // bit offsets

    // Decides all plans.  If leaves + requested <= capacity, every split is served.  Otherwise whole paths are served,
    // from the highest priority down while a whole priority fits.  With the next lower priority, only the pairs that
    // end a path are served, in the order of their lower leaf number, while they fit.  Merges of this round make no
    // room for its splits.  Refused splits do not keep leaves from merging.
    RoundCounts plan(NodeId capacity);

    std::uint32_t flags(NodeId number) const { return flags_[number].load(std::memory_order_relaxed); }
    std::span<const Plan> plans() const { return plans_; }  // by leaf number; valid only for leaves

    // Returns the highest priority in a field, or -1.  The field's lower bits depend on the order of the walks.
    static int highest(std::uint32_t flags, int field);

protected:
    // Takes listed leaf numbers, ascending and below `end`.
    MarkedRound(Executor& executor, std::span<const NodeId> numbers, NodeId end);
    // Takes leaf numbers 0 ... leaves - 1.
    MarkedRound(Executor& executor, NodeId leaves);
    ~MarkedRound() = default;

    // Collects each leaf's request.  Walks the path of each requested split, and marks the pair that ends the path.
    void markEach(const std::function<Wish(NodeId number)>& wishOf);

    void forEachNumber(const std::function<void(NodeId number)>& body) const;
    NodeId leafTotal() const { return leafTotal_; }
    NodeId numberAt(NodeId index) const { return numbers_.empty() ? index : numbers_[index]; }
    bool freeToMerge(NodeId number) const;  // requests a merge and takes part in no split

    Executor& executor_;

private:
    virtual Across across(NodeId number) const = 0;
    virtual bool merges(NodeId number) const = 0;  // whether the leaf is the odd child of a diamond free to merge

    NodeId markFrom(NodeId number, std::uint32_t bit);  // returns the number of newly requested splits
    NodeId markPair(NodeId number, const Across& across, std::uint32_t bit);
    NodeId addFlags(NodeId number, std::uint32_t mask, std::uint32_t* before = nullptr);
    void cut(NodeId capacity);
    void servePairs(NodeId room);
    bool served(NodeId number) const;
    Plan decide(NodeId number) const;

    std::span<const NodeId> numbers_;  // the listed leaf numbers; empty: 0 ... leafTotal_ - 1
    NodeId leafTotal_ = 0;
    std::vector<std::atomic<std::uint32_t>> flags_;
    std::vector<Plan> plans_;
    std::atomic<NodeId> requested_ = 0;
    int firstServed_ = 0;  // lowest priority all of whose splits are served
    // By leaf number: 1 for both leaves of a served pair of priority firstServed_ - 1.  Empty if nothing is refused.
    std::vector<std::uint8_t> pair_;
};

// Round on a reduced tree whose mesh conforms and has at least the two halves of the square.  Steps in this order, each
// once: mark, plan, apply; runRound() does all of them.  Leaf numbers run from left to right.
class Round final : public MarkedRound
{
public:
    Round(Cbt& tree, Executor& executor);  // lists the leaves

    // Nodes 2 and 3 do not merge, leaves of depth maxDepth do not split.  Calls the criterion concurrently.
    void mark(const Criterion& criterion);

    // Writes the bits.  The tree is stale until reduced.
    void apply();

    // Returns the bits that apply() writes, in leaf order, for ChangedReduction.  Call after plan().
    std::vector<NodeId> changedBits() const;

    std::span<const NodeId> leaves() const { return leaves_; }  // by leaf number

private:
    Across across(NodeId number) const override;
    bool merges(NodeId number) const override;
    bool mayMerge(NodeId node) const;

    Cbt& tree_;
    std::vector<NodeId> leaves_;
};

NodeId splitsOf(Plan plan);  // number of splits of a plan: 0 to 3
bool splitsLeaf(Plan plan);
bool splitsChild(Plan plan, unsigned child);  // for a leaf that splits

// Runs a whole round and the reduction after it.
RoundCounts runRound(Cbt& tree, NodeId capacity, const Criterion& criterion, Executor& executor);

}  // namespace orogen::leb
