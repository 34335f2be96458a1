// Declarations shared by the passes of the mesh validator:
//
//     mesh_visible   checks that each entry of the list of drawn leaves is a leaf of the tree, and occurs once
//     mesh_leaves    checks that the leaves in order tile the square, that each has the orientation and area of its
//                    depth, and that leaves in view are drawn; sums up the edges' hashes.  On the Earth leaves have no
//                    order: there it counts them by depth, which gives their areas, and checks their places and links
//     mesh_patch     checks that the triangles that every leaf is drawn with tile it
//     mesh_judge     checks that the sums are 0 and the areas add up
//     mesh_locate    if not, finds the faulty edges by the tree's neighbours or the pool's links
//
// Why this suffices: all leaves share one patch (the triangles that a leaf is drawn with), mapped to each leaf by
// integers.  So the patch is checked once.  Its triangles must have equal orientation and the smallest area, and be as
// many as fill the leaf.  Each inner edge must have an owner (a triangle with this edge) on both sides.  Every leaf
// cuts its border into equal parts.  Hence the drawn mesh is closed if the leaves' mesh is closed and both owners of an
// edge draw its points at equal heights.  To test that, each leaf adds a hash of each of its edges, with opposite signs
// on the two sides.  If each edge has an owner on either side, the sums are 0 modulo 2^64 in any order of addition.
// Otherwise they are not, except with probability 2^-64.  Leaves out of view take part, so that the border of the view
// needs no rule.
#ifndef OROGEN_MESH_CHECK_GLSL
#define OROGEN_MESH_CHECK_GLSL

layout(std430, binding = kMeshCheckBinding) buffer MeshCheckBlock { MeshCheck check; };

const uint kLatticeArea = 1u << (2u * kLeafLatticeBits);
const uint kNoLeaf = 0xffffffffu;

// Counts a fault of a kind.  `number`: number of the leaf; the smallest one of each kind is kept.
void fault(uint kind, uint number)
{
    atomicAdd(check.faults[kind], 1u);
    atomicMin(check.firstNumber[kind], number);
}

// Adds a word to two independent 32-bit hashes.
uvec2 hashed(uvec2 hash, uint word)
{
    uint a = word * 0xcc9e2d51u;
    a = ((a << 15) | (a >> 17)) * 0x1b873593u;
    a ^= hash.x;
    a = ((a << 13) | (a >> 19)) * 5u + 0xe6546b64u;
    uint b = (hash.y ^ word) * 0x9e3779b1u;
    b = (b ^ (b >> 15)) * 0x2c1b3c6du;
    return uvec2(a, b ^ (b >> 13));
}

uvec2 finished(uvec2 hash)
{
    hash ^= hash >> 16;
    hash *= uvec2(0x85ebca6bu, 0x7feb352du);
    hash ^= hash >> 15;
    hash *= uvec2(0xc2b2ae35u, 0x846ca68bu);
    return hash ^ (hash >> 16);
}

uvec2 hashedCorner(uvec2 hash, uvec2 corner) { return hashed(hash, corner.x | (corner.y << 16)); }
uvec2 hashedCorner(uvec2 hash, ivec3 corner) { return hashed(hashed(hashed(hash, uint(corner.x)), uint(corner.y)), uint(corner.z)); }

#endif
