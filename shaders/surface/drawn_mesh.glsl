// The mesh that a frame drew: its leaves and, if requested, every vertex as drawn.  drawn_mesh.comp lists the mesh;
// drawn_place.glsl looks up the triangle over a place.
//
// A record is a leaf as in drawn_leaf.glsl, followed by the vertices of its patch in the order of core/leb/leb.h.  A
// vertex is x, y, z relative to that frame's camera (metres) and w, the height (metres, scaled: see surface.glsl).  All
// four are stored as the bits of floats.  The words of meshTable[] are:
//     0       number of leaves listed
//     1, 2    a bit for each depth that occurs
//     3       bits 0 .. 7: the patch level; from bit 8: uvec4s per record (1: no vertices are listed)
//     4 ...   a hash table with open addressing: record numbers counted from 1; 0: empty.  Its size is a power of two
// A lookup bisects the whole square, or a face of the cube, repeatedly in integers.  It probes the hash table at each
// depth that has leaves.  A height field has exactly one triangle over each place.  Nearer ground may hide that
// triangle.
//
// Needs in scope: core/gpu_layout.h.  With OROGEN_TWO_MESHES, `then` selects the mesh of the previous frame.
#ifndef OROGEN_DRAWN_MESH_GLSL
#define OROGEN_DRAWN_MESH_GLSL

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

// Returns the number of uvec4s per record.
uint meshStride(bool then) { return meshWord(then, 3u) >> 8u; }

uint meshHash(uvec3 leaf)
{
    uint h = leaf.x * 0x9e3779b1u ^ leaf.y * 0x85ebca77u ^ leaf.z * 0xc2b2ae3du;
    h ^= h >> 15u;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 13u);
}

// Returns the number of a leaf's record, counted from 1; 0 if the leaf is not listed.  `leaf`: x, y, z of its entry as
// in drawn_leaf.glsl; `stride`: meshStride().
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

#endif
