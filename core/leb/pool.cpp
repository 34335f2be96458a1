#include "core/leb/pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <unordered_map>

namespace orogen::leb {
namespace {

struct DirectedEdge
{
    CubePoint from, to;
};

std::array<DirectedEdge, 3> edgesOfRoot(std::uint32_t root)
{
    const CubeTriangle corners = cornersOf(rootLeaf(root));
    const CubePoint a = cubePoint(corners.apex), l = cubePoint(corners.left), r = cubePoint(corners.right);
    return {{{a, l}, {r, a}, {l, r}}};
}

NodeId rootAcross(PoolRoots roots, const DirectedEdge& edge)
{
    for (std::uint32_t other = 0; other < std::uint32_t(roots); ++other)
        for (const DirectedEdge& candidate : edgesOfRoot(other))
            if (candidate.from == edge.to && candidate.to == edge.from) return other;
    return kNoSlot;
}

}  // namespace

PoolLinks linksOfRoot(PoolRoots roots, std::uint32_t root)
{
    const std::array<DirectedEdge, 3> edges = edgesOfRoot(root);
    return {rootAcross(roots, edges[0]), rootAcross(roots, edges[1]), rootAcross(roots, edges[2])};
}

Pool::Pool(PoolRoots theRoots, int slotBits)
    : roots(theRoots), ids(std::size_t(1) << slotBits), geometry(ids.size()),
      links(ids.size(), PoolLinks{kNoSlot, kNoSlot, kNoSlot}), live(slotBits)
{
    assert(slotBits <= kMostPoolBits);
    for (std::uint32_t root = 0; root < std::uint32_t(roots); ++root)
    {
        ids[root] = idOfRoot(root);
        geometry[root] = rootLeaf(root);
        links[root] = linksOfRoot(roots, root);
        live.setBit(root);
    }
    SerialExecutor serial;
    list(serial);
}

void Pool::list(Executor& executor)
{
    live.reduce(executor);
    leaves.resize(live.leafCount());
    executor.run(live.leafCount(), [&](NodeId begin, NodeId end) {
        const auto field = live.field();
        NodeId word = live.setBitOf(begin) / 32;
        std::uint32_t bits = field[word] & (0xffffffffu << live.setBitOf(begin) % 32);
        for (NodeId number = begin; number < end; ++number, bits &= bits - 1)
        {
            while (bits == 0)
                bits = field[++word];
            leaves[number] = 32 * word + NodeId(std::countr_zero(bits));
        }
    });
}

// ---- coarsened copies ----

namespace {

constexpr int kInside = 3;  // an edge of a child inside its parent

// Edge of the parent on which edge e of child c lies, [c][e].  Edges 0 and 1: left and right leg; 2: base.
constexpr int kParentEdge[2][3] = {{kInside, 2, 0}, {2, kInside, 1}};

LeafId ancestorAt(LeafId id, int depth) { return id >> std::max(depthOfId(id) - depth, 0); }

// Returns the edge of the ancestor at `depth` that an edge of a leaf lies on, or kInside.
int edgeOfAncestor(LeafId id, int depth, int edge)
{
    for (int below = depthOfId(id) - depth; below > 0 && edge != kInside; --below, id >>= 1)
        edge = kParentEdge[id & 1][edge];
    return edge;
}

}  // namespace

PoolLeaves rootLeaves(PoolRoots roots)
{
    PoolLeaves leaves;
    for (std::uint32_t root = 0; root < std::uint32_t(roots); ++root)
    {
        leaves.ids.push_back(idOfRoot(root));
        leaves.geometry.push_back(rootLeaf(root));
        leaves.links.push_back(linksOfRoot(roots, root));
    }
    return leaves;
}

// Merges level by level, deepest first. At the deepest level all siblings are leaves, so two become one.
int deepestThatFits(std::span<const LeafId> ids, int depth, std::uint32_t capacity)
{
    std::array<std::uint64_t, 64> atDepth{};
    std::uint64_t count = 0;
    for (const LeafId id : ids)
    {
        if (id == 0) continue;
        ++atDepth[std::size_t(depthOfId(id))];
        ++count;
    }
    for (int deepest = 63; deepest > 0; --deepest)
    {
        if (deepest <= depth && count <= capacity) return deepest;
        const std::uint64_t parents = atDepth[std::size_t(deepest)] / 2;
        atDepth[std::size_t(deepest - 1)] += parents;
        count -= parents;
    }
    return 0;
}

PoolLeaves leavesAbove(std::span<const LeafId> ids, std::span<const PoolLinks> links, int depth)
{
    PoolLeaves made;
    std::vector<NodeId> slotOf(ids.size(), kNoSlot);
    std::unordered_map<LeafId, NodeId> slotOfAncestor;
    for (std::size_t slot = 0; slot < ids.size(); ++slot)
    {
        if (ids[slot] == 0) continue;
        const LeafId id = ancestorAt(ids[slot], depth);
        const NodeId next = made.size();
        slotOf[slot] = id == ids[slot] ? next : slotOfAncestor.try_emplace(id, next).first->second;
        if (slotOf[slot] != next) continue;
        made.ids.push_back(id);
        made.geometry.push_back(leafOfId(id));
    }
    made.links.assign(made.ids.size(), {kNoSlot, kNoSlot, kNoSlot});
    for (std::size_t slot = 0; slot < ids.size(); ++slot)
    {
        if (ids[slot] == 0) continue;
        for (int edge = 0; edge < 3; ++edge)
        {
            const NodeId across = links[slot][std::size_t(edge)];
            const int on = edgeOfAncestor(ids[slot], depth, edge);
            if (on != kInside && across != kNoSlot) made.links[slotOf[slot]][std::size_t(on)] = slotOf[across];
        }
    }
    return made;
}

// Slots of the leaves that replace a leaf with apex a and base l-r, named by the half of an old leg that is their edge.
// On the leg a-l: the half at a (atA0) and the half at l (atL).  On the leg r-a: the half at r (atR) and the half at a
// (atA1). atA0 equals atL if child 0 does not split, and atR equals atA1 if child 1 does not.
struct PoolRound::Family
{
    bool child0Splits, child1Splits;
    NodeId atA0, atL, atR, atA1;
};

PoolRound::PoolRound(Pool& pool, Executor& executor)
    : MarkedRound(executor, pool.leaves, pool.slots()), pool_(pool), newSlots_(pool.slots()),
      next_(pool.slots(), PoolLinks{kNoSlot, kNoSlot, kNoSlot})
{
}

void PoolRound::mark(const PoolCriterion& criterion, int maxDepth)
{
    const int deepest = std::min(maxDepth, kMostCubeDepth);
    markEach([&](NodeId slot) {
        const CubeLeaf& leaf = pool_.geometry[slot];
        Wish wish = criterion(pool_.ids[slot], leaf);
        wish.split = wish.split && leaf.depth() < deepest;
        wish.merge = wish.merge && leaf.depth() > 0;
        return wish;
    });
}

// If the leaf across the base is coarser, this leaf's base is one of that leaf's legs, and will be the base of one of
// its children.
Across PoolRound::across(NodeId slot) const
{
    const NodeId other = pool_.links[slot][2];
    if (other == kNoSlot) return {};
    const PoolLinks& links = pool_.links[other];
    if (links[2] == slot) return {Beyond::kPair, other};
    assert(links[0] == slot || links[1] == slot);
    return {links[0] == slot ? Beyond::kChild0 : Beyond::kChild1, other};
}

bool PoolRound::mayJoin(NodeId slot, NodeId partner) const
{
    return partner != kNoSlot && pool_.geometry[partner].depth() == pool_.geometry[slot].depth() &&
           freeToMerge(partner);
}

// Around the middle of the parent's base, edge 0 of a leaf meets edge 1 of the next: four leaves, or two at a border.
bool PoolRound::merges(NodeId slot) const
{
    if (pool_.ids[slot] % 2 == 0 || pool_.geometry[slot].depth() == 0 || !freeToMerge(slot)) return false;
    const NodeId sibling = pool_.links[slot][1];
    if (!mayJoin(slot, sibling)) return false;
    const NodeId next = pool_.links[slot][0], last = pool_.links[sibling][1];
    if (next == kNoSlot || last == kNoSlot) return next == last;
    return mayJoin(slot, next) && mayJoin(slot, last) && pool_.links[next][0] == last;
}

RoundCounts PoolRound::plan(NodeId capacity)
{
    const RoundCounts counts = MarkedRound::plan(std::min(capacity, pool_.slots()));
    allocate();
    return counts;
}

void PoolRound::allocate()
{
    std::vector<NodeId> firstRank(leafTotal());
    NodeId rank = 0;
    for (NodeId index = 0; index < leafTotal(); ++index)
    {
        firstRank[index] = rank;
        rank += splitsOf(plans()[numberAt(index)]);
    }
    executor_.run(leafTotal(), [&](NodeId begin, NodeId end) {
        for (NodeId index = begin; index < end; ++index)
        {
            const NodeId slot = numberAt(index);
            for (NodeId need = 0; need < splitsOf(plans()[slot]); ++need)
                newSlots_[slot][need] = pool_.live.clearBitOf(firstRank[index] + need);
        }
    });
}

void PoolRound::apply()
{
    forEachNumber([&](NodeId slot) { applyTo(slot); });
    pool_.links.swap(next_);
    pool_.list(executor_);
}

void PoolRound::applyTo(NodeId slot)
{
    const Plan plan = plans()[slot];
    if (splitsLeaf(plan)) return applySplit(slot);
    if (plan == Plan::kMerge)
    {
        pool_.ids[slot] = 0;
        return pool_.live.clearBit(slot);
    }
    const auto whole = [&](NodeId of, unsigned edge) { return beyond(of, edge, End::kFirst); };
    if (!survives(slot))
    {
        next_[slot] = {whole(slot, 0), whole(slot, 1), whole(slot, 2)};
        return;
    }
    const NodeId sibling = pool_.links[slot][0];
    place(slot, pool_.ids[slot] / 2, parentOfChild0(pool_.geometry[slot]),
          {whole(slot, 2), whole(sibling, 2), whole(slot, 1)});
}

// Returns whether the leaf is the even child of a merging pair, which keeps its slot.
bool PoolRound::survives(NodeId slot) const
{
    const NodeId sibling = pool_.links[slot][0];
    return sibling != kNoSlot && plans()[sibling] == Plan::kMerge && pool_.links[sibling][1] == slot;
}

PoolRound::Family PoolRound::familyOf(NodeId slot) const
{
    const Plan plan = plans()[slot];
    const std::array<NodeId, 3>& fresh = newSlots_[slot];
    const bool first = splitsChild(plan, 0), second = splitsChild(plan, 1);
    const NodeId atL = first ? fresh[1] : slot;
    const NodeId atA1 = second ? fresh[first ? 2 : 1] : fresh[0];
    return {first, second, slot, atL, fresh[0], atA1};
}

void PoolRound::applySplit(NodeId slot)
{
    const Family family = familyOf(slot);
    const LeafId id = pool_.ids[slot];
    const CubeLeaf leaf = pool_.geometry[slot], child0 = childOf(leaf, 0), child1 = childOf(leaf, 1);
    const NodeId atL = beyond(slot, 2, End::kFirst), atR = beyond(slot, 2, End::kSecond);
    if (family.child0Splits)
    {
        place(family.atA0, 4 * id, childOf(child0, 0), {family.atL, beyond(slot, 0, End::kFirst), family.atA1});
        place(family.atL, 4 * id + 1, childOf(child0, 1), {beyond(slot, 0, End::kSecond), family.atA0, atL});
    }
    else
        place(family.atA0, 2 * id, child0, {family.atA1, atL, beyond(slot, 0, End::kFirst)});
    if (family.child1Splits)
    {
        place(family.atR, 4 * id + 2, childOf(child1, 0), {family.atA1, beyond(slot, 1, End::kFirst), atR});
        place(family.atA1, 4 * id + 3, childOf(child1, 1), {beyond(slot, 1, End::kSecond), family.atR, family.atA0});
    }
    else
        place(family.atR, 2 * id + 1, child1, {atR, family.atA0, beyond(slot, 1, End::kFirst)});
    for (NodeId need = 0; need < splitsOf(plans()[slot]); ++need)
        pool_.live.setBit(newSlots_[slot][need]);
}

void PoolRound::place(NodeId slot, LeafId id, const CubeLeaf& geometry, const PoolLinks& links)
{
    pool_.ids[slot] = id;
    pool_.geometry[slot] = geometry;
    next_[slot] = links;
}

// Returns the leaf of the new mesh that lies across an edge of an old leaf.  If the edge is split, it is the leaf
// across the half at `end`.
NodeId PoolRound::beyond(NodeId slot, unsigned edge, End end) const
{
    const NodeId other = pool_.links[slot][edge];
    if (other == kNoSlot) return kNoSlot;
    const PoolLinks& links = pool_.links[other];
    const unsigned otherEdge = unsigned(std::ranges::find(links, slot) - links.begin());
    assert(otherEdge < 3);
    return leafOn(other, otherEdge, end == End::kFirst ? End::kSecond : End::kFirst);  // opposite direction there
}

// Returns the leaf of the new mesh that takes over an edge of an old leaf.  If the edge is split, it is the leaf with
// the half at `end`.
NodeId PoolRound::leafOn(NodeId slot, unsigned edge, End end) const
{
    const Plan plan = plans()[slot];
    if (plan == Plan::kMerge) return pool_.links[slot][1];
    if (!splitsLeaf(plan)) return slot;
    const Family family = familyOf(slot);
    const bool first = end == End::kFirst;
    if (edge == 0) return first ? family.atA0 : family.atL;
    if (edge == 1) return first ? family.atR : family.atA1;
    return first ? family.atL : family.atR;
}

RoundCounts runRound(Pool& pool, NodeId capacity, int maxDepth, const PoolCriterion& criterion, Executor& executor)
{
    PoolRound round(pool, executor);
    round.mark(criterion, maxDepth);
    const RoundCounts counts = round.plan(capacity);
    round.apply();
    return counts;
}

}  // namespace orogen::leb
