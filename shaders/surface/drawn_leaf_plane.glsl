// The parts of drawn_leaf.glsl for a plane.
#ifndef OROGEN_DRAWN_LEAF_PLANE_GLSL
#define OROGEN_DRAWN_LEAF_PLANE_GLSL

const uint kSquareDepth = 0u;  // diamondDepth() (diamond.glsl) counts depths as the tree does: 1 is half the square

uint drawnLeafDepth(uvec4 leaf) { return leaf.w & 31u; }
uint drawnLeafNumber(uvec4 leaf) { return leaf.w >> 5u; }

#ifdef OROGEN_LEB_GLSL
uvec4 drawnLeaf(LebTriangle t, uint depth, uint number)
{
    return uvec4(lebPacked(t.apex), lebPacked(t.base0), lebPacked(t.base1), depth | (number << 5u));
}
#endif

#if defined(OROGEN_SURFACE_GLSL) || defined(OROGEN_DRAWN_SURFACE_GLSL)
ivec2 unpackCorner(uint bits) { return ivec2(bits & 0xffffu, bits >> 16); }

// Returns the draw-lattice point of a patch vertex.  `weights`: those of base0 and base1, in units of 1 / 2^patchLevel.
// Uses integers, so that both leaves of a shared edge compute the same points.
ivec2 drawnLattice(uvec4 leaf, ivec2 weights)
{
    int parts = 1 << frame.patchLevel;
    ivec2 sum = unpackCorner(leaf.x) * (parts - weights.x - weights.y) + unpackCorner(leaf.y) * weights.x +
                unpackCorner(leaf.z) * weights.y;
    return sum * (1 << (kPatchBits - frame.patchLevel));
}
#endif

#endif
