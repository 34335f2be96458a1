// The mesh that a frame drew: every vertex as drawn, and a lookup of the triangle over a place.
//
// drawn_mesh.comp lists it.  A record is a leaf as in drawn_leaf.glsl, followed by the vertices of its patch in the
// order of core/leb/leb.h.  A vertex is x, y, z relative to that frame's camera (metres) and w, the height (metres,
// scaled), as bits of floats.  The table:
//     0       number of leaves listed
//     1, 2    a bit for each depth that occurs
//     3       bits 0 .. 7: the patch level; from bit 8: uvec4s a record, 1 where vertices are not listed
//     4 ...   a hash table with open addressing: record numbers counted from 1; 0: empty.  Its size is a power of two
// A lookup bisects from the whole square down in integers: at each depth that has leaves it probes the hash table.  A
// height field has exactly one triangle over each place, seen or not.
//
// Needs in scope: core/gpu_layout.h, lattice.glsl.  With OROGEN_TWO_MESHES `then` selects the frame before.
#ifndef OROGEN_DRAWN_MESH_GLSL
#define OROGEN_DRAWN_MESH_GLSL

#ifdef OROGEN_EARTH
#include "shaders/pool/cube_leaf.glsl"
#endif

layout(std430, binding = kMeshRecordsBinding) buffer MeshRecordsBlock { uvec4 meshRecords[]; };
layout(std430, binding = kMeshTableBinding) buffer MeshTableBlock { uint meshTable[]; };
#ifdef OROGEN_TWO_MESHES
layout(std430, binding = kMeshRecordsThenBinding) readonly buffer MeshRecordsThenBlock { uvec4 meshRecordsThen[]; };
layout(std430, binding = kMeshTableThenBinding) readonly buffer MeshTableThenBlock { uint meshTableThen[]; };
uvec4 meshRecord(bool then, uint place) { return then ? meshRecordsThen[place] : meshRecords[place]; }
uint meshWord(bool then, uint place) { return then ? meshTableThen[place] : meshTable[place]; }
uint meshEntries(bool then) { return uint(then ? meshTableThen.length() : meshTable.length()) - kMeshTableHead; }
#else
uvec4 meshRecord(bool then, uint place) { return meshRecords[place]; }
uint meshWord(bool then, uint place) { return meshTable[place]; }
uint meshEntries(bool then) { return uint(meshTable.length()) - kMeshTableHead; }
#endif

uint meshStride(bool then) { return meshWord(then, 3u) >> 8u; }

uint meshHash(uvec3 leaf)
{
    uint h = leaf.x * 0x9e3779b1u ^ leaf.y * 0x85ebca77u ^ leaf.z * 0xc2b2ae3du;
    h ^= h >> 15u;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 13u);
}

// Number of a leaf's record, counted from 1; 0: not listed.
uint findRecord(bool then, uvec3 leaf, uint stride)
{
    uint last = meshEntries(then) - 1u;
    uint i = meshHash(leaf) & last;
    for (uint tries = 0u; tries <= last; ++tries)
    {
        uint record = meshWord(then, kMeshTableHead + i);
        if (record == 0u || meshRecord(then, (record - 1u) * stride).xyz == leaf) return record;
        i = (i + 1u) & last;
    }
    return 0u;
}

// A bisector whose corners are draw-lattice points, or weights in a patch.
struct MeshPiece
{
    ivec2 apex, end0, end1;
};

ivec2 middleOf(ivec2 p, ivec2 q) { return ivec2((uvec2(p) + uvec2(q)) / 2u); }  // unsigned: the sum may need 32 bits

// Whether the point `cell` + `rest` (lattice point and fraction) lies in the half with end0.  The base is parallel to
// an axis or a diagonal, so the signs of its direction suffice.
bool inFirstHalf(MeshPiece piece, ivec2 middle, ivec2 cell, vec2 rest)
{
    ivec2 way = sign(piece.end0 - middle), off = cell - middle;
    return float(way.x * off.x + way.y * off.y) + dot(vec2(way), rest) >= 0.0;
}

MeshPiece halfOf(MeshPiece piece, ivec2 middle, bool first)
{
    MeshPiece half_;
    half_.end0 = first ? piece.end0 : piece.apex;
    half_.end1 = first ? piece.apex : piece.end1;
    half_.apex = middle;
    return half_;
}

uint patchPointNumber(ivec2 weights)
{
    uint row = uint(weights.x + weights.y);
    return row * (row + 1u) / 2u + uint(weights.y);
}

// Finds the leaf over a place, its record and its corners; false if none is listed.
bool leafOver(bool then, Lattice cell, vec2 rest, uint stride, out uint record, out MeshPiece piece)
{
    int side = 1 << kDrawLatticeBits;
    bool second = cell.x + cell.y >= side;
    piece.apex = second ? ivec2(side) : ivec2(0);
    piece.end0 = second ? ivec2(side, 0) : ivec2(0, side);
    piece.end1 = second ? ivec2(0, side) : ivec2(side, 0);
    uvec2 depths = uvec2(meshWord(then, 1u), meshWord(then, 2u));
    uint deepest = depths.y != 0u ? 32u + uint(findMSB(depths.y)) : uint(findMSB(depths.x | 1u));
    record = 0u;
#ifdef OROGEN_EARTH
    piece.end0 = second ? ivec2(0, side) : ivec2(side, 0);
    piece.end1 = second ? ivec2(side, 0) : ivec2(0, side);
    CubeLeaf leaf;
    leaf.apex = piece.apex;
    leaf.shape = (second ? 2u << 6u : 0u) | uint(cell.z) << 8u;
    for (uint depth = 0u; depth <= deepest; ++depth)
    {
        if (((depth < 32u ? depths.x : depths.y) >> (depth & 31u) & 1u) != 0u)
            record = findRecord(then, uvec3(uvec2(leaf.apex), leaf.shape), stride);
        if (record != 0u) break;
        ivec2 middle = middleOf(piece.end0, piece.end1);
        bool first = inFirstHalf(piece, middle, cell.xy, rest);
        leaf = cubeChild(leaf, first ? 0u : 1u);
        piece.apex = leaf.apex;
        piece.end0 = cubeLeft(leaf);
        piece.end1 = cubeRight(leaf);
    }
#else
    for (uint depth = 1u; depth <= deepest; ++depth)
    {
        uvec2 a = uvec2(piece.apex) >> kPatchBits, p = uvec2(piece.end0) >> kPatchBits, q = uvec2(piece.end1) >> kPatchBits;
        if ((depths.x >> depth & 1u) != 0u)
            record = findRecord(then, uvec3(a.x | a.y << 16u, p.x | p.y << 16u, q.x | q.y << 16u), stride);
        if (record != 0u) break;
        ivec2 middle = middleOf(piece.end0, piece.end1);
        piece = halfOf(piece, middle, inFirstHalf(piece, middle, cell, rest));
    }
#endif
    return record != 0u;
}

// Finds the triangle drawn over a place: its record and the patch weights of its corners; false if there is none.
bool triangleOver(bool then, Lattice cell, vec2 rest, out uint record, out MeshPiece weights)
{
    uint level = meshWord(then, 3u) & 0xffu;
    MeshPiece piece;
    if (!leafOver(then, cell, rest, meshStride(then), record, piece)) return false;
    weights.apex = ivec2(0);
    weights.end0 = ivec2(1 << level, 0);
    weights.end1 = ivec2(0, 1 << level);
    for (uint i = 0u; i < 2u * level; ++i)
    {
        ivec2 middle = middleOf(piece.end0, piece.end1);
#ifdef OROGEN_EARTH
        bool first = inFirstHalf(piece, middle, cell.xy, rest);
#else
        bool first = inFirstHalf(piece, middle, cell, rest);
#endif
        piece = halfOf(piece, middle, first);
        weights = halfOf(weights, (weights.end0 + weights.end1) / 2, first);
    }
    return true;
}

// A triangle, relative to the camera of the frame that drew it (metres).
struct MeshTriangle
{
    vec3 a, b, c;
};

// Valid only where vertices are listed.
vec3 meshVertex(bool then, uint record, ivec2 weights)
{
    return uintBitsToFloat(meshRecord(then, (record - 1u) * meshStride(then) + 1u + patchPointNumber(weights)).xyz);
}

MeshTriangle listedTriangle(bool then, uint record, MeshPiece weights)
{
    return MeshTriangle(meshVertex(then, record, weights.apex), meshVertex(then, record, weights.end0),
                        meshVertex(then, record, weights.end1));
}

// Metres along the vertical from a point to a triangle over its place; the triangle must not be vertical.
float riseTo(MeshTriangle t, vec3 point, vec3 up)
{
    vec3 normal = cross(t.b - t.a, t.c - t.a);
    return dot(t.a - point, normal) / dot(up, normal);
}

#endif
