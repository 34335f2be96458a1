// Access to the leaves for the mesh validator, for either triangulation:
//     uint meshNumber(uint place)                   number of the leaf at a place of the list
//     bool meshLeaf(uint number, out MeshLeaf leaf) false: there is no such leaf
//     uvec4 meshDrawn(uint number, MeshLeaf leaf)   its expected entry in the list of drawn leaves
//
// Needs in scope: frame.glsl, heap[], leaves[], `state`, mesh_check.glsl.
#ifndef OROGEN_MESH_LEAF_GLSL
#define OROGEN_MESH_LEAF_GLSL

#include "shaders/tree/cbt.glsl"
#ifdef OROGEN_EARTH
#include "shaders/pool/pool.glsl"
#endif
#include "shaders/tree/leb.glsl"
#include "shaders/surface/drawn_leaf.glsl"
#ifdef OROGEN_EARTH
#include "shaders/checks/mesh_earth.glsl"
#else
#include "shaders/checks/mesh_plane.glsl"
#endif

#endif
