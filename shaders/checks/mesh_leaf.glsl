// Access to the leaves for the mesh validator.  mesh_plane.glsl (leaves in a tree) and mesh_earth.glsl (leaves in a
// pool) define
//     uint meshNumber(uint place)                   number of the leaf at a place of the list
//     bool meshLeaf(uint number, out MeshLeaf leaf) false: there is no such leaf
//     uvec4 meshDrawn(uint number, MeshLeaf leaf)   its expected entry in the list of drawn leaves
//     BorderPoint cornerOf(MeshLeaf leaf, uint i)   i = 0, 1, 2: apex, base0, base1; cornerBefore() orders corners
//     bool turnsLeft(MeshLeaf leaf)                 whether apex, base0, base1 run counter-clockwise
//     bool coversAll()                              whether the leaves' areas add up
//     void storePlaces()                            stores the first faulty leaf (plane: of each kind of fault)
//
// Needs in scope: frame.glsl, heap[], leaves[], `state`, mesh_check.glsl.
#ifndef OROGEN_MESH_LEAF_GLSL
#define OROGEN_MESH_LEAF_GLSL

#include "shaders/tree/cbt.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/checks/mesh_@world.glsl"

#endif
