// Edges of leaves on a plane: see leaf_border.glsl.
#ifndef OROGEN_MESH_EDGES_PLANE_GLSL
#define OROGEN_MESH_EDGES_PLANE_GLSL

bool onBorder(BorderEdge edge)
{
    uint side = 1u << kLebLatticeBits;
    return (edge.low.x == edge.high.x && (edge.low.x == 0u || edge.low.x == side)) ||
           (edge.low.y == edge.high.y && (edge.low.y == 0u || edge.low.y == side));
}

// Checks that a leaf begins where the leaf before it in the list ends, and that the last leaf ends the square.
void checkOrder(uint number)
{
    uint node = leaves[number], before = 0u;
    if (number > 0u) before = firstSquare(leaves[number - 1u]) + areaOf(leaves[number - 1u]);
    if (firstSquare(node) > before) fault(kFaultHole, number);
    if (firstSquare(node) < before) fault(kFaultOverlap, number);
    if (number + 1u == state.leaves && firstSquare(node) + areaOf(node) < kLatticeArea) fault(kFaultHole, number);
}

uint checkPlace(uint place, uint number, MeshLeaf leaf)
{
    checkOrder(number);
    uint node = leaves[number];
    int wanted = int(2u * areaOf(node)) * ((lebDepth(node) & 1u) != 0u ? -1 : 1);
    if (doubleArea(leaf) != wanted) fault(kFaultOrientation, number);
    return uint(abs(doubleArea(leaf))) / 2u;
}

// Returns whether a node is a leaf that has the edge `wanted`; sets the owner to it.
bool ownsEdge(uint node, BorderEdge wanted, out Owner owner)
{
    if (node < 2u || cbtDepth(node) > cbtMaxDepth() || !cbtIsLeaf(node)) return false;
    owner.number = cbtLeafNumber(node);
    owner.leaf = lebVertices(node);
    for (uint edge = 0u; edge < 3u; ++edge)
    {
        owner.edge = borderEdge(owner.leaf, edge);
        if (sameEdge(owner.edge, wanted)) return true;
    }
    return false;
}

// Finds the leaf across an edge.  Across the base, that leaf has this leaf's depth or one less; across a leg, this
// leaf's depth or one more.
bool ownerAcross(uint number, uint edge, BorderEdge wanted, out Owner owner)
{
    LebNeighbours n = lebNeighbours(leaves[number]);
    uint level = edge == 1u ? n.edge : edge == 0u ? n.right : n.left;
    if (level == 0u) return false;
    if (ownsEdge(level, wanted, owner)) return true;
    if (edge == 1u) return ownsEdge(level >> 1u, wanted, owner);
    return ownsEdge(2u * level, wanted, owner) || ownsEdge(2u * level + 1u, wanted, owner);
}

#endif
