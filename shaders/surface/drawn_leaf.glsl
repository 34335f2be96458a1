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

#ifdef OROGEN_DRAWN_SURFACE_GLSL
// Height at which a leaf draws a draw-lattice point (metres, scaled).
float drawnVertexHeight(uvec4 leaf, Lattice lattice) { return morphedHeight(lattice, morphView(state.morphPixels)); }
#endif

#endif
