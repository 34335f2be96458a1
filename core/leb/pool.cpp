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

}  // namespace orogen::leb
