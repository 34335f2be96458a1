// An entry of the list of drawn leaves, visible[], and its vertices; used by the vertex shader and the mesh validator.
// On a plane:
//     x, y, z  apex, base0, base1 on the leaf lattice, packed as x | y << 16
//     w        depth | leaf number << 5
// On the Earth:
//     x, y     apex on its face, in lattice units
//     z        shape, see cube_leaf.glsl: depth | turn << 6 | face << 8
//     w        leaf number
// Needs in scope: core/gpu_layout.h; for vertices `frame`, `state`, drawn_surface.glsl; for drawnLeaf() leb.glsl.
#ifndef OROGEN_DRAWN_LEAF_GLSL
#define OROGEN_DRAWN_LEAF_GLSL

#include "shaders/tree/lattice.glsl"

#include "shaders/surface/drawn_leaf_@world.glsl"

// Points of a patch (core/leb/leb.h), numbered by rows.  An entry of patchPoints[] (PatchMesh) holds the weights of both
// base corners, in 1 / 2^patchLevel, and the way to an end of the edge whose split inserted the point; 0 for corners.
uint patchPointCount(uint level) { return ((1u << level) + 1u) * ((1u << level) + 2u) / 2u; }
uint patchNumber(ivec2 weights)
{
    uint row = uint(weights.x + weights.y);
    return row * (row + 1u) / 2u + uint(weights.y);
}
ivec2 pointWeights(uint point) { return ivec2(point & 0xffu, point >> 8u & 0xffu); }
ivec2 pointEnd(uint point) { return ivec2(bitfieldExtract(int(point), 16, 8), bitfieldExtract(int(point), 24, 8)); }

#ifdef OROGEN_DRAWN_SURFACE_GLSL
const uint kGlidingAges = 4u;  // maximum number of ages of a patch whose vertices may glide

// Age of a patch vertex: how many splits before the last one above the leaf inserted it.
uint vertexAge(uvec4 leaf, Lattice vertex)
{
    uvec2 square = onSquare(vertex);
    uint depth = isDiamond(square) ? diamondDepth(square) : 0u;
    return drawnLeafDepth(leaf) + kSquareDepth + 2u * frame.patchLevel - 1u - depth;
}

// Like vertexAge(), for a list of weights by age.  Corners glide only in leaves without patches, and share one weight.
uint listedAge(uvec4 leaf, Lattice vertex)
{
    uint age = vertexAge(leaf, vertex);
    return frame.patchLevel == 0u ? min(age, 2u) : age;
}

// Ages whose vertices may glide; older ones have arrived.  A vertex within an edge of two leaves differs in age by one, and
// only from an even age to the next.  Corners are as old as that or older.  They may glide only in leaves without
// patches, which draw no other vertices.
uint glidingAges() { return frame.patchLevel == 0u ? 3u : min(2u * frame.patchLevel, kGlidingAges); }

#if !defined(OROGEN_EDGE_CRITERION) && !defined(OROGEN_NO_GEOMORPH)
// Returns the weight (see morphedHeight()) of a leaf's vertices of an age, by the criterion `error`.  It follows from
// the leaf whose split inserted these vertices.  The middle of its base is the apex of the leaf, or of its parent,
// grandparent ..., as the age is 0, 1, 2 ...  Without patches a leaf's vertices are its apex, the newer and the older
// end of its base.
float glideOfAge(uvec4 leaf, uint age, MorphView view)
{
    int parts = 1 << frame.patchLevel;
    ivec2 apex = ivec2(onSquare(drawnLattice(leaf, ivec2(0)))), newer = ivec2(onSquare(drawnLattice(leaf, ivec2(parts, 0)))),
          older = ivec2(onSquare(drawnLattice(leaf, ivec2(0, parts))));
    bool exists = drawnLeafDepth(leaf) + kSquareDepth > age + 1u;
    for (uint up = 0u; up < age && exists; ++up)
    {
        uint depth0 = isDiamond(uvec2(newer)) ? diamondDepth(uvec2(newer)) : 0u;
        uint depth1 = isDiamond(uvec2(older)) ? diamondDepth(uvec2(older)) : 0u;
        ivec2 next = depth0 > depth1 ? newer : older;   // the parent's apex
        older = depth0 > depth1 ? older : newer;        // the ends of its base: this one, and beyond the apex the other
        newer = frame.patchLevel == 0u ? older : 2 * apex - older;
        apex = next;
    }
    Lattice middle = beside(drawnLattice(leaf, ivec2(0)), uvec2(apex));
    float pixels = 1.0e30;
    if (exists && isDiamond(onSquare(middle))) pixels = errorPixels(middle);
    return morphWeight(pixels, view, kMorphByError);
}
#endif

// Weight of a vertex by the criterion `error`.
float glideIn(uvec4 leaf, Lattice vertex)
{
    float weight = 1.0;
#if !defined(OROGEN_EDGE_CRITERION) && !defined(OROGEN_NO_GEOMORPH)
    uint age = listedAge(leaf, vertex);
    if (frame.geomorph != 0u && frame.criterion == kCriterionError && age < glidingAges())
        weight = glideOfAge(leaf, age, morphView(state.morphPixels));
#endif
    return weight;
}

// Height at which a leaf draws a draw-lattice point (metres, scaled).
float drawnVertexHeight(uvec4 leaf, Lattice lattice) { return morphedHeight(lattice, glideIn(leaf, lattice), morphView(state.morphPixels)); }
#endif

#endif
