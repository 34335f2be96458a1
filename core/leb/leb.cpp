#include "core/leb/leb.h"

#include <cassert>

namespace orogen::leb {
namespace {

NodeId childOf(NodeId node, NodeId bit) { return node == 0 ? 0 : 2 * node + bit; }

Point middle(Point a, Point b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

}  // namespace

Neighbours neighbours(NodeId node)
{
    assert(node > 0);
    if (node == 1) return {};
    if (node <= 3) return {0, 0, node ^ 1};
    const NodeId parent = node / 2;
    const Neighbours n = neighbours(parent);
    // The legs made by a split lie between the children; each half of the base faces a child of the node across it.
    if (node % 2 == 0) return {node + 1, childOf(n.edge, 1), childOf(n.right, 1)};
    return {childOf(n.edge, 0), node - 1, childOf(n.left, 0)};
}

Triangle vertices(NodeId node)
{
    assert(node > 1);
    int level = depthOf(node) - 1;
    const bool second = (node >> level) % 2 == 1;
    Triangle t = second ? Triangle{{kSide, kSide}, {kSide, 0}, {0, kSide}} : Triangle{{0, 0}, {0, kSide}, {kSide, 0}};
    while (level-- > 0)
    {
        const Point apex = middle(t.base0, t.base1);
        t = (node >> level) % 2 == 0 ? Triangle{apex, t.base0, t.apex} : Triangle{apex, t.apex, t.base1};
    }
    return t;
}

Edge makeEdge(Point a, Point b) { return a < b ? Edge{a, b} : Edge{b, a}; }

Edge baseEdge(const Triangle& triangle) { return makeEdge(triangle.base0, triangle.base1); }

Edge parentBaseEdge(NodeId node)
{
    assert(node > 3);
    return baseEdge(vertices(node / 2));
}

}  // namespace orogen::leb
