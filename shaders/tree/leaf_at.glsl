// Finds the leaf over a point: descends from the root, choosing at each bisector the child that contains the point.
// Needs core/gpu_layout.h and cbt.glsl in scope.
#ifndef OROGEN_LEAF_AT_GLSL
#define OROGEN_LEAF_AT_GLSL

struct LeafAt
{
    uint node;
    ivec2 apex, base0, base1;  // on the draw lattice; LebTriangle is on the leaf lattice
};

// Returns the child that contains `point`; child 0 if the point is on the dividing line.  Integers suffice: the base is
// parallel to an axis or a diagonal, so the signs of its components decide.
LeafAt childAt(LeafAt leaf, ivec2 point)
{
    ivec2 middle = (leaf.base0 + leaf.base1) / 2;
    ivec2 side0 = sign(leaf.base0 - middle) * (point - middle);
    bool first = side0.x + side0.y >= 0;
    if (first)
        leaf.base1 = leaf.apex;
    else
        leaf.base0 = leaf.apex;
    leaf.apex = middle;
    leaf.node = 2u * leaf.node + (first ? 0u : 1u);
    return leaf;
}

// Returns the leaf over `point`, which is on the draw lattice and within the square.  Reads the tree once per depth.
LeafAt leafAt(ivec2 point)
{
    int side = 1 << int(kLeafLatticeBits + kPatchBits);
    bool second = point.x + point.y > side;
    LeafAt leaf;
    leaf.node = second ? 3u : 2u;
    leaf.apex = second ? ivec2(side) : ivec2(0);
    leaf.base0 = second ? ivec2(side, 0) : ivec2(0, side);
    leaf.base1 = second ? ivec2(0, side) : ivec2(side, 0);
    while (cbtDepth(leaf.node) < cbtMaxDepth() && cbtLeavesBelow(leaf.node) > 1u)
        leaf = childAt(leaf, point);
    return leaf;
}

// Returns the drawn triangle of a leaf over `point`.  A patch splits its leaf evenly, by two bisections per patch level
// (core/leb/leb.h).  The returned `node` is meaningless where the depth exceeds 31.
LeafAt drawnTriangleIn(LeafAt leaf, ivec2 point, uint patchLevel)
{
    for (uint i = 0u; i < 2u * patchLevel; ++i)
        leaf = childAt(leaf, point);
    return leaf;
}

#endif
