// The border of a leaf, edge by edge, as drawn.  A leaf is a LebTriangle on a plane and a CubeLeaf on the Earth, where
// left and right correspond to base0 and base1.  Needs in scope: leb.glsl, or on the Earth cube_leaf.glsl;
// drawn_surface.glsl, drawn_leaf.glsl, `frame`, `state`.
#ifndef OROGEN_LEAF_BORDER_GLSL
#define OROGEN_LEAF_BORDER_GLSL

#ifdef OROGEN_EARTH
#define BorderLeaf CubeLeaf
#define BorderPoint ivec3  // point on the cube, which does not depend on the leaf's face
#else
#define BorderLeaf LebTriangle
#define BorderPoint uvec2
#endif

// Edges of a leaf: 0 apex-base0, 1 base0-base1 (the base), 2 base1-apex.  Both owners of an edge order its ends alike.
struct BorderEdge
{
    BorderPoint low, high;
    ivec2 lowWeights, highWeights;  // weights of base0 and base1, 0 or 1
    bool ownsLeft;  // the leaf lies to the left of the direction from low to high
};

ivec2 cornerWeights(uint i) { return i == 0u ? ivec2(0, 0) : i == 1u ? ivec2(1, 0) : ivec2(0, 1); }

#ifdef OROGEN_EARTH
ivec3 cornerOf(CubeLeaf leaf, uint i)
{
    ivec2 place = i == 0u ? leaf.apex : i == 1u ? cubeLeft(leaf) : cubeRight(leaf);
    return cubePoint(ivec3(place, cubeLeafFace(leaf.shape)));
}
bool cornerBefore(ivec3 a, ivec3 b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; }
bool turnsLeft(CubeLeaf leaf) { return true; }  // seen from outside
bool onBorder(BorderEdge edge) { return false; }
#else
uvec2 cornerOf(LebTriangle t, uint i) { return i == 0u ? t.apex : i == 1u ? t.base0 : t.base1; }
bool cornerBefore(uvec2 a, uvec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

// Twice the area, positive where (apex, base0, base1) runs counter-clockwise.
int doubleArea(LebTriangle t)
{
    ivec2 a = ivec2(t.base0) - ivec2(t.apex), b = ivec2(t.base1) - ivec2(t.apex);
    return a.x * b.y - a.y * b.x;
}
bool turnsLeft(LebTriangle t) { return doubleArea(t) > 0; }

bool onBorder(BorderEdge edge)
{
    uint side = 1u << kLebLatticeBits;
    return (edge.low.x == edge.high.x && (edge.low.x == 0u || edge.low.x == side)) ||
           (edge.low.y == edge.high.y && (edge.low.y == 0u || edge.low.y == side));
}
#endif

BorderEdge borderEdge(BorderLeaf leaf, uint edge)
{
    uint first = edge, second = (edge + 1u) % 3u;
    BorderPoint from = cornerOf(leaf, first), to = cornerOf(leaf, second);
    bool along = cornerBefore(from, to);
    BorderEdge found;
    found.low = along ? from : to;
    found.high = along ? to : from;
    found.lowWeights = cornerWeights(along ? first : second);
    found.highWeights = cornerWeights(along ? second : first);
    found.ownsLeft = along == turnsLeft(leaf);
    return found;
}

bool sameEdge(BorderEdge a, BorderEdge b) { return a.low == b.low && a.high == b.high; }

// Height at which this leaf draws the point `step` / 2^patchLevel of the way from the low end.
float borderHeight(uvec4 drawn, BorderEdge edge, int step)
{
    int parts = 1 << frame.patchLevel;
    return drawnVertexHeight(drawn, drawnLattice(drawn, edge.lowWeights * (parts - step) + edge.highWeights * step));
}

#endif
