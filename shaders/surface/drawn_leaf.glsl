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

#ifdef OROGEN_EARTH
#include "shaders/pool/cube_leaf.glsl"

uint drawnLeafDepth(uvec4 leaf) { return cubeLeafDepth(leaf.z); }
uint drawnLeafNumber(uvec4 leaf) { return leaf.w; }
uvec4 drawnLeaf(CubeLeaf leaf, uint number) { return uvec4(uvec2(leaf.apex), leaf.shape, number); }

#ifdef OROGEN_DRAWN_SURFACE_GLSL
// Draw-lattice point of a patch vertex.  `weights`: of left and right corner, in 1 / 2^patchLevel.
Lattice drawnLattice(uvec4 leaf, ivec2 weights)
{
    CubeLeaf from;
    from.apex = ivec2(leaf.xy);
    from.shape = leaf.z;
    ivec2 step0 = (cubeLeft(from) - from.apex) >> frame.patchLevel, step1 = (cubeRight(from) - from.apex) >> frame.patchLevel;
    return ivec3(from.apex + step0 * weights.x + step1 * weights.y, cubeLeafFace(leaf.z));
}
#endif
#else
uint drawnLeafDepth(uvec4 leaf) { return leaf.w & 31u; }
uint drawnLeafNumber(uvec4 leaf) { return leaf.w >> 5u; }

#ifdef OROGEN_LEB_GLSL
uint packCorner(uvec2 corner) { return corner.x | (corner.y << 16u); }

uvec4 drawnLeaf(LebTriangle t, uint depth, uint number)
{
    return uvec4(packCorner(t.apex), packCorner(t.base0), packCorner(t.base1), depth | (number << 5u));
}
#endif

#ifdef OROGEN_DRAWN_SURFACE_GLSL
ivec2 unpackCorner(uint bits) { return ivec2(bits & 0xffffu, bits >> 16); }

// Draw-lattice point of a patch vertex.  `weights`: of base0 and base1, in 1 / 2^patchLevel.  In integers: both leaves
// of a shared edge compute the same points.
ivec2 drawnLattice(uvec4 leaf, ivec2 weights)
{
    int parts = 1 << frame.patchLevel;
    ivec2 sum = unpackCorner(leaf.x) * (parts - weights.x - weights.y) + unpackCorner(leaf.y) * weights.x +
                unpackCorner(leaf.z) * weights.y;
    return sum * (1 << (kPatchBits - frame.patchLevel));
}
#endif
#endif

#ifdef OROGEN_DRAWN_SURFACE_GLSL
// Height at which a leaf draws a draw-lattice point (metres, scaled).
float drawnVertexHeight(uvec4 leaf, Lattice lattice) { return morphedHeight(lattice, morphView(state.morphPixels)); }
#endif

#endif
