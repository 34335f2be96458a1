// What the passes of the mesh validator share.
//
//     mesh_visible   each entry of the list of drawn leaves is a leaf of the tree, and the only one of it
//     mesh_leaves    the leaves in order tile the square; each turns and is as large as it must; what is in view is
//                    drawn; the edges' hashes are summed up.  On the Earth, where leaves lie in no order: they are
//                    counted by depth, which gives their areas, lie where their ids say, and are linked to what shares
//                    their edges
//     mesh_patch     the triangles that every leaf is drawn with tile it
//     mesh_judge     whether the sums vanish
//     mesh_locate    where they do not: which edges are at fault (no group runs where they do), as the tree's own
//                    neighbours or the pool's links show them
//
// Why it is enough.  The patch is one list for all leaves, mapped by integers, so it is looked at once: triangles of one
// turn, of the smallest area, as many as fill the leaf, whose inner edges each have an owner on both sides.  A leaf's
// border is cut into equal parts whoever draws it.  So the drawn mesh is whole if the leaves' mesh is, and if both
// owners of an edge put its points at the same heights.  That is judged by sums over the edges, of a hash with the sign of the
// side: they vanish modulo 2^64 whatever the order of addition if each edge has an owner on either side, and else they do
// not, but for one case in 2^64.  Nothing is asked of the tree for it, no edge is stored, and leaves that are out of
// view take part, so that no border of the view needs a rule.
#ifndef OROGEN_MESH_CHECK_GLSL
#define OROGEN_MESH_CHECK_GLSL

layout(std430, binding = kMeshCheckBinding) buffer MeshCheckBlock { MeshCheck check; };

const uint kLatticeArea = 1u << (2u * kLeafLatticeBits);
const uint kNoLeaf = 0xffffffffu;

void fault(uint kind, uint number)
{
    atomicAdd(check.faults[kind], 1u);
    atomicMin(check.firstNumber[kind], number);
}

// Two hashes of 32 bits with nothing in common.
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
