// The border of a leaf, edge by edge, as it is drawn.
// Needs in scope: leb.glsl, drawn_surface.glsl, drawn_leaf.glsl, `frame`, `state`.
#ifndef OROGEN_LEAF_BORDER_GLSL
#define OROGEN_LEAF_BORDER_GLSL

// Edges of a leaf: 0 apex-base0, 1 base0-base1 (the base), 2 base1-apex.
uvec2 cornerOf(LebTriangle t, uint i) { return i == 0u ? t.apex : i == 1u ? t.base0 : t.base1; }
LebEdge borderEdge(LebTriangle t, uint edge) { return lebEdge(cornerOf(t, edge), cornerOf(t, (edge + 1u) % 3u)); }
ivec2 cornerWeights(uint i) { return i == 0u ? ivec2(0, 0) : i == 1u ? ivec2(1, 0) : ivec2(0, 1); }

bool onBorder(LebEdge edge)
{
    uint side = 1u << kLebLatticeBits;
    return (edge.low.x == edge.high.x && (edge.low.x == 0u || edge.low.x == side)) ||
           (edge.low.y == edge.high.y && (edge.low.y == 0u || edge.low.y == side));
}

// Twice the area, positive where (apex, base0, base1) runs counter-clockwise.
int doubleArea(LebTriangle t)
{
    ivec2 a = ivec2(t.base0) - ivec2(t.apex), b = ivec2(t.base1) - ivec2(t.apex);
    return a.x * b.y - a.y * b.x;
}

// The owner lies to the left of the way from the edge's low to its high end.
bool ownsLeft(LebTriangle t, uint edge, LebEdge canonical)
{
    return (cornerOf(t, edge) == canonical.low) == (doubleArea(t) > 0);
}

// Height of the point that lies `step` of 2^patchLevel parts from the low end, as this leaf draws it.
float borderHeight(LebTriangle t, uvec4 drawn, uint edge, LebEdge canonical, int step)
{
    int parts = 1 << frame.patchLevel;
    int along = cornerOf(t, edge) == canonical.low ? step : parts - step;
    ivec2 weights = cornerWeights(edge) * (parts - along) + cornerWeights((edge + 1u) % 3u) * along;
    return drawnVertexHeight(drawn, drawnLattice(drawn, weights));
}

#endif
