// Pool of bisectors on the cube: a triangulation whose leaves lie in slots, so that memory is independent of depth.
//
// A leaf has an id, its geometry in three words (cube_leaf.h) and the slots of the leaves across its three edges.  The
// slots in use are the set bits of a concurrent binary tree (core/cbt), whose counts find the k-th free slot.  Split
// and merge: PoolRound below.  Conformity check: conformity.h.  GPU version: shaders/pool/pool.glsl.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cbt/cbt.h"
#include "core/leb/cube_leaf.h"
#include "core/leb/round.h"

namespace orogen::leb {

inline constexpr NodeId kNoSlot = 0xffffffff;
inline constexpr int kMostPoolBits = 21;  // 2^21 slots

// Initial leaves: the twelve halves of the cube's faces, or the two of face 0, whose sides then are borders.
enum class PoolRoots : std::uint32_t
{
    kPlane = 2,
    kCube = kCubeRoots,
};

// Slots across the edges of a leaf, in edge order; kNoSlot at a border.
using PoolLinks = std::array<NodeId, 3>;

struct Pool
{
    Pool(PoolRoots roots, int slotBits);  // 2^slotBits slots (6 ... kMostPoolBits); root r gets slot r

    NodeId slots() const { return NodeId(ids.size()); }

    // Reduces the bits and lists the slots in use.  Call after bits were written.
    void list(Executor& executor);

    PoolRoots roots;
    std::vector<LeafId> ids;         // per slot; 0: free
    std::vector<CubeLeaf> geometry;  // per slot; stale if free
    std::vector<PoolLinks> links;    // per slot; stale if free
    Cbt live;                        // one bit per slot, set if in use
    std::vector<NodeId> leaves;      // slots in use, ascending
};

// Returns the roots across the edges of a root, in edge order.
PoolLinks linksOfRoot(PoolRoots roots, std::uint32_t root);

// ---- coarsened copies ----

struct PoolLeaves
{
    std::vector<LeafId> ids;         // per slot, none free
    std::vector<CubeLeaf> geometry;  // per slot
    std::vector<PoolLinks> links;

    NodeId size() const { return NodeId(ids.size()); }
};

// Returns the roots, root r in slot r.
PoolLeaves rootLeaves(PoolRoots roots);

// Returns the largest depth <= `depth` for which leavesAbove() has at most `capacity` leaves; 0 if there is none.
int deepestThatFits(std::span<const LeafId> ids, int depth, std::uint32_t capacity);

// Replaces leaves deeper than `depth` by their ancestors there; a conforming mesh stays conforming.  An id of 0 means a
// free slot.  Leaves keep their order; an ancestor takes the place of its first leaf.  O(slots + leaves * depth).
PoolLeaves leavesAbove(std::span<const LeafId> ids, std::span<const PoolLinks> links, int depth);

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

RoundCounts runRound(Pool& pool, NodeId capacity, int maxDepth, const PoolCriterion& criterion, Executor& executor);

}  // namespace orogen::leb
