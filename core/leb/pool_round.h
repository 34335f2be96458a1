// One round of split and merge on a pool of bisectors.  Marking, planning and the choice of splits at capacity are
// those of core/leb/round.h, by slot instead of leaf number.  Allocation of slots and new links follow.
//
// Slots.  A splitting leaf needs one to three new slots, in this order: for its child 1; for child 1 of child 0, if
// that splits; for child 1 of child 1, if that splits.  Its own slot goes to child 0 or, if child 0 splits, to child 0
// of child 0.  The k-th slot needed, counted over the splitting leaves by slot, is the k-th slot that was free before
// the round.  A merging pair leaves its parent in the slot of child 0.
//
// Links.  Each leaf of the new mesh derives its neighbours from the old neighbours and their plans, reading only the
// old state.  Every leaf writes only its own slots, old and new, so the order does not matter.
#pragma once

#include <functional>

#include "core/leb/pool.h"
#include "core/leb/round.h"

namespace orogen::leb {

// Returns a leaf's requested split or merge; as Criterion of round.h.
using PoolCriterion = std::function<Wish(LeafId id, const CubeLeaf& leaf)>;

// Steps in this order, each once; runRound() does all of them.
class PoolRound final : public MarkedRound
{
public:
    PoolRound(Pool& pool, Executor& executor);  // requires a listed pool

    // Roots do not merge, leaves of depth maxDepth (at most kMostCubeDepth) do not split.  Calls the criterion
    // concurrently.
    void mark(const PoolCriterion& criterion, int maxDepth);

    // Plans as MarkedRound::plan() does, limited by the number of slots; also allocates the slots.
    RoundCounts plan(NodeId capacity);

    // Writes the leaves and the bits of their slots, and lists the slots.
    void apply();

    // Returns the new slots of a splitting leaf; the first splitsOf(its plan) are valid.  Call after plan().
    const std::array<NodeId, 3>& newSlots(NodeId slot) const { return newSlots_[slot]; }

private:
    enum class End
    {
        kFirst,  // where the edge begins in the leaf's own direction: a of a-l, r of r-a, l of l-r
        kSecond,
    };
    struct Family;  // slots of a splitting leaf's children and grandchildren

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
    std::vector<PoolLinks> next_;                  // by slot: links after the round
};

// Runs a whole round.
RoundCounts runRound(Pool& pool, NodeId capacity, int maxDepth, const PoolCriterion& criterion, Executor& executor);

}  // namespace orogen::leb
