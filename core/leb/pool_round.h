// One round of split and merge over a pool of bisectors: mark, plan and what is served at capacity as core/leb/round.h,
// by slot instead of by leaf number; then new slots, and all links anew.
//
// New slots.  A leaf that splits needs one to three: for its child 1; if child 0 splits, for that one's child 1; if
// child 1 splits, for that one's, in this order.  Its own slot stays with its child 0, and with that one's if it
// splits. The k-th need of all, counted over the splitting leaves by slot, gets the k-th slot that was free before the
// round. A merging pair leaves its parent in the slot of child 0.
//
// Links.  Every leaf of the new mesh finds what lies across its edges from the leaf there before the round, and from
// what becomes of that; all of it is read from the state before.  So every leaf writes what lies in its own slots, old
// and new, and nothing else, in any order.
#pragma once

#include <functional>

#include "core/leb/pool.h"
#include "core/leb/round.h"

namespace orogen::leb {

// What a leaf would like; as Criterion of round.h.
using PoolCriterion = std::function<Wish(LeafId id, const CubeLeaf& leaf)>;

// Steps in this order, each once; runRound() does them all.
class PoolRound final : public MarkedRound
{
public:
    PoolRound(Pool& pool, Executor& executor);  // the pool has been listed

    // Roots do not merge, leaves of depth maxDepth (at most kMostCubeDepth) do not split.  The criterion is called
    // concurrently.
    void mark(const PoolCriterion& criterion, int maxDepth);

    // As MarkedRound::plan, for no more leaves than there are slots; and hands out the slots.
    RoundCounts plan(NodeId capacity);

    // Writes the leaves and the bits of their slots, and lists them.
    void apply();

    // The new slots of a leaf that splits, as many as splitsOf(its plan).  After plan().
    const std::array<NodeId, 3>& newSlots(NodeId slot) const { return newSlots_[slot]; }

private:
    enum class End
    {
        kFirst,  // of an edge as the leaf runs round it: a of a-l, r of r-a, l of l-r
        kSecond,
    };
    struct Family;  // the slots of a splitting leaf's children, and theirs

    Across across(NodeId slot) const override;
    bool merges(NodeId slot) const override;
    bool mayJoin(NodeId slot, NodeId partner) const;
    void allocate();
    void applyTo(NodeId slot);
    void applySplit(NodeId slot);
    void place(NodeId slot, LeafId id, const CubeLeaf& geometry, const PoolLinks& links);
    bool survives(NodeId slot) const;
    Family familyOf(NodeId slot) const;
    NodeId beyond(NodeId slot, unsigned edge, End end) const;
    NodeId leafOn(NodeId slot, unsigned edge, End end) const;

    Pool& pool_;
    std::vector<std::array<NodeId, 3>> newSlots_;  // by slot
    std::vector<PoolLinks> next_;                  // links after the round
};

// A whole round.
RoundCounts runRound(Pool& pool, NodeId capacity, int maxDepth, const PoolCriterion& criterion, Executor& executor);

}  // namespace orogen::leb
