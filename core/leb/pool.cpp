#include "core/leb/pool.h"

#include <bit>
#include <cassert>

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

}  // namespace orogen::leb
