// An entry of the list of drawn leaves, visible[], and the vertices of its patch.  A patch is the leaf evenly
// subdivided by 2 patchLevel bisections.  Passes that draw or check the mesh use this file.  An entry is on a plane:
//     x, y, z  apex, base0, base1 on the leaf lattice, packed as x | y << 16
//     w        depth | leaf number << 5
// and on the Earth:
//     x, y     apex on its face, in lattice units
//     z        shape, see cube_leaf.glsl: depth | turn << 6 | face << 8
//     w        leaf number
// Needs in scope: core/gpu_layout.h; for drawnLattice() `frame`, surface.glsl; for heights also `state`,
// drawn_surface.glsl; for drawnLeaf() leb.glsl.
#ifndef OROGEN_DRAWN_LEAF_GLSL
#define OROGEN_DRAWN_LEAF_GLSL

#include "shaders/tree/lattice.glsl"

#include "shaders/surface/drawn_leaf_@world.glsl"

// Points of a patch (core/leb/leb.h), numbered by rows.  An entry of patchPoints[] (PatchMesh) holds four bytes.  The
// first two are the weights of both base corners, in units of 1 / 2^patchLevel.  The other two are the difference in
// weights to one end of the edge whose split inserted the point; 0 for corners.
uint patchPointCount(uint level) { return ((1u << level) + 1u) * ((1u << level) + 2u) / 2u; }
uint patchNumber(ivec2 weights)
{
    uint row = uint(weights.x + weights.y);
    return row * (row + 1u) / 2u + uint(weights.y);
}
ivec2 pointWeights(uint point) { return ivec2(point & 0xffu, point >> 8u & 0xffu); }
ivec2 pointEnd(uint point) { return ivec2(bitfieldExtract(int(point), 16, 8), bitfieldExtract(int(point), 24, 8)); }

#ifdef OROGEN_DRAWN_SURFACE_GLSL
// To glide is to morph from the middle of the split edge to the vertex's own height, see morphedHeight().
const uint kGlidingAges = 4u;  // maximum of glidingAges()

// Returns the age of a patch vertex.  It is 0 if the bisection that made the drawn triangles inserted the vertex, 1 if
// the bisection before did, and so on.
uint vertexAge(uvec4 leaf, Lattice vertex)
{
    uvec2 square = onSquare(vertex);
    uint depth = isDiamond(square) ? diamondDepth(square) : 0u;
    return drawnLeafDepth(leaf) + kSquareDepth + 2u * frame.patchLevel - 1u - depth;
}

// Returns the age of a patch vertex as an index into a list of weights by age.  Leaves at patch level 0 have only their
// corners; the oldest corner uses entry 2, whatever its age.
uint listedAge(uvec4 leaf, Lattice vertex)
{
    uint age = vertexAge(leaf, vertex);
    return frame.patchLevel == 0u ? min(age, 2u) : age;
}

// Returns the number of ages, counted from 0, whose vertices may glide by the criterion `error`.  A vertex inside an
// edge between two leaves may have an even age in one leaf and the next odd age in the other.  Above patch level 0 the
// returned number is even, so both leaves treat the vertex alike.  Corners of leaves glide at patch level 0 only.
uint glidingAges() { return frame.patchLevel == 0u ? 3u : min(2u * frame.patchLevel, kGlidingAges); }

#if !defined(OROGEN_EDGE_CRITERION) && !defined(OROGEN_NO_GEOMORPH)
// Returns the weight (see morphedHeight()) of all vertices of one age in a leaf, by the criterion `error`.  The weight
// follows from the error of the coarser leaf whose split inserted these vertices.  The middle of that leaf's base is
// the apex of this leaf for age 0, of its parent for age 1, and so on.  At patch level 0, ages 0, 1 and 2
// stand for the leaf's apex, the newer end and the older end of its base.
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
        older = depth0 > depth1 ? older : newer;        // one end of the parent's base; `newer` becomes the other end
        newer = frame.patchLevel == 0u ? older : 2 * apex - older;
        apex = next;
    }
    Lattice middle = beside(drawnLattice(leaf, ivec2(0)), uvec2(apex));
    float pixels = 1.0e30;
    if (exists && isDiamond(onSquare(middle))) pixels = errorPixels(middle);
    return morphWeight(pixels, view, kMorphByError);
}
#endif

// Returns the weight of a vertex (see morphedHeight()) by the criterion `error`; 1 if the vertex does not glide.
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

// Returns the height at which a leaf draws a draw-lattice point (metres, scaled: see surface.glsl).
float drawnVertexHeight(uvec4 leaf, Lattice lattice) { return morphedHeight(lattice, glideIn(leaf, lattice), morphView(state.morphPixels)); }
#endif

#endif
