#include "core/leb/pool_cut.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace orogen::leb {
namespace {

constexpr int kInside = 3;  // an edge of a child inside its parent

// Edge of the parent that each edge of its children lies on.
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

// Cuts level by level: siblings at the deepest level are then both leaves, so every two become one.
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
