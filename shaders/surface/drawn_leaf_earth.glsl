// The parts of drawn_leaf.glsl for the Earth.
#ifndef OROGEN_DRAWN_LEAF_EARTH_GLSL
#define OROGEN_DRAWN_LEAF_EARTH_GLSL

#include "shaders/pool/cube_leaf.glsl"

const uint kSquareDepth = 1u;  // diamondDepth() (diamond.glsl) counts a leaf of depth 0, half a face, as depth 1

uint drawnLeafDepth(uvec4 leaf) { return cubeLeafDepth(leaf.z); }
uint drawnLeafNumber(uvec4 leaf) { return leaf.w; }
uvec4 drawnLeaf(CubeLeaf leaf, uint number) { return uvec4(uvec2(leaf.apex), leaf.shape, number); }

#if defined(OROGEN_SURFACE_GLSL) || defined(OROGEN_DRAWN_SURFACE_GLSL)
// Returns the draw-lattice point of a patch vertex.  `weights`: those of the left and the right corner, in units of
// 1 / 2^patchLevel.
Lattice drawnLattice(uvec4 leaf, ivec2 weights)
{
    CubeLeaf from;
    from.apex = ivec2(leaf.xy);
    from.shape = leaf.z;
    ivec2 step0 = (cubeLeft(from) - from.apex) >> frame.patchLevel, step1 = (cubeRight(from) - from.apex) >> frame.patchLevel;
    return ivec3(from.apex + step0 * weights.x + step1 * weights.y, cubeLeafFace(leaf.z));
}
#endif

#endif
