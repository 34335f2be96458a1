// The border of a leaf, edge by edge, as drawn, and the leaves across its edges.  A leaf (MeshLeaf) is a LebTriangle on
// a plane and a CubeLeaf on the Earth, whose left and right corners correspond to base0 and base1.  The included files
// mesh_edges_plane.glsl and mesh_edges_earth.glsl define
//     bool onBorder(BorderEdge edge)     whether the edge lies on the border of the surface
//     uint checkPlace(uint place, uint number, MeshLeaf leaf)    checks the leaf's place against its neighbours in the
//         list (plane), or against its id and its links (Earth); returns the leaf's area on a plane, 0 on the Earth
//     bool ownerAcross(uint number, uint edge, BorderEdge wanted, out Owner owner)    finds the leaf across an edge;
//         false: there is none
// Needs in scope: mesh_leaf.glsl, drawn_surface.glsl, drawn_leaf.glsl, `frame`, `state`.
#ifndef OROGEN_LEAF_BORDER_GLSL
#define OROGEN_LEAF_BORDER_GLSL

// Edges of a leaf: 0 apex-base0, 1 base0-base1 (the base), 2 base1-apex.  The owners of an edge are the leaves on its
// two sides.  The order of its ends, low before high, is the same for both owners.
struct BorderEdge
{
    BorderPoint low, high;
    ivec2 lowWeights, highWeights;  // weights of base0 and base1 at each end, 0 or 1
    bool ownsLeft;  // the leaf lies to the left of the direction from low to high
};

ivec2 cornerWeights(uint i) { return i == 0u ? ivec2(0, 0) : i == 1u ? ivec2(1, 0) : ivec2(0, 1); }

BorderEdge borderEdge(MeshLeaf leaf, uint edge)
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

// Returns the height at which this leaf draws the point that lies `step` / 2^patchLevel of the way from the edge's low
// end to its high end.
float borderHeight(uvec4 drawn, BorderEdge edge, int step)
{
    int parts = 1 << frame.patchLevel;
    return drawnVertexHeight(drawn, drawnLattice(drawn, edge.lowWeights * (parts - step) + edge.highWeights * step));
}

struct Owner
{
    uint number;
    MeshLeaf leaf;
    BorderEdge edge;
};

#include "shaders/checks/mesh_edges_@world.glsl"

#endif
