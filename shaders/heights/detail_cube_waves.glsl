// Waves of procedural detail on the Earth: see detail_cube.glsl.  tests/shaders/ compiles this file as C++.
//
// Must be in scope: DetailUniforms `detail`, lattice.glsl, and the waves of detail.glsl.
#ifndef OROGEN_DETAIL_CUBE_WAVES_GLSL
#define OROGEN_DETAIL_CUBE_WAVES_GLSL

uint detailHash(uvec3 node, uint bits)
{
    uint v = node.x * 0x8da6b343u ^ node.y * 0xd8163841u ^ node.z * 0xcb1ab31fu ^ (bits + 1u) * 0x9e3779b1u;
    v = (v ^ (v >> 15u)) * 0x2c1b3c6du;
    v = (v ^ (v >> 12u)) * 0x297a2d39u;
    return v ^ (v >> 15u);
}

// The random part of a node's wave in the cube's axes.
vec3 detailWay(ivec3 node, vec2 turns, uint hash)
{
    bvec3 outwards = equal(abs(node), ivec3(1 << (kCubeLatticeBits - 1u)));
    int sides = int(outwards.x) + int(outwards.y) + int(outwards.z);
    if (sides == 3) return vec3(1 - ivec3(2u * (uvec3(hash, hash >> 1u, hash >> 2u) & 1u))) * (0.70710678f * length(turns));
    if (sides == 2) return mix(vec3(turns.x), vec3(turns.y), outwards);
    return vec3(turns.x, outwards.x ? turns.x : turns.y, turns.y);
}

// x: the wave of a node at an offset from it; y, z: its derivatives along the face's x and y.
vec3 detailNode(Lattice node, uint bits, vec4 lean, float dx, float dy)
{
    ivec3 cube = cubePoint(node), axes = faceAxes(node.z);
    uint hash = detailHash(uvec3(cube + (1 << (kCubeLatticeBits - 1u))) >> bits, bits);
    vec3 way = detailWay(cube, detailRandom(hash), hash);
    float side = detailSign(hash);
    return detailWaveAt(detail.metres.y * (side * lean.x + lean.z * way[axes.x]),
                        detail.metres.y * (side * lean.y + lean.z * way[axes.y]), dx, dy);
}

// x: the octave in a cell, -1 ... 1; y, z: its derivatives per cell.  `f` is the offset from the node, 0 ... 1.
vec3 detailNoise(Lattice node, uint bits, vec4 lean, vec2 f)
{
    int side = 1 << bits;
    vec3 a = detailNode(node, bits, lean, f.x, f.y), b = detailNode(node + ivec3(side, 0, 0), bits, lean, f.x - 1.0f, f.y);
    vec3 c = detailNode(node + ivec3(0, side, 0), bits, lean, f.x, f.y - 1.0f);
    vec3 d = detailNode(node + ivec3(side, side, 0), bits, lean, f.x - 1.0f, f.y - 1.0f);
    return detailBlended(a, b, c, d, f);
}

uint detailTop(int level) { return detail.octaves.y + uint(level); }

// Share of the waves that lean: falls to 0 on the edges of the cube, over the width of a cell of 2^bits units.
float detailLeanShare(Lattice point, uint bits)
{
    int side = 1 << kCubeLatticeBits;
    int inside = min(min(point.x, point.y), min(side - point.x, side - point.y));
    return min(float(inside) / float(1 << bits), 1.0f);
}

// Height of the detail (metres); `point` must be canonical.  `ground`: x: roughness; y, z: slope of the data.
float detailRelief(Lattice point, int level, vec3 ground)
{
    float share = detailLeanShare(point, detailTop(level)), data = ground.y * ground.y + ground.z * ground.z, sum = 0.0f;
    vec2 slope = vec2(ground.y, ground.z);
    uint first = detailFirst(level), count = detailCount(level);
    float scale = ground.x * detailStart(level);
    for (uint k = 0u; k < count; ++k)
    {
        uint bits = detailTop(level) - min(detailTop(level), k);
        int mask = (1 << bits) - 1;
        if (((point.x | point.y) & mask) == 0) break;
        float side = float(1 << bits), cell = side * detail.metres.x, amplitude = scale * detailAmplitude(first + k);
        vec4 lean = detailLean(slope, amplitude / cell, data, share);
        ivec2 inCell = ivec2(point.x & mask, point.y & mask);
        vec3 noise = detailNoise(point - ivec3(inCell, 0), bits, lean, vec2(inCell) / side) * (amplitude * lean.w);
        sum += noise.x;
        slope += vec2(noise.y, noise.z) / cell;
    }
    return sum;
}

#endif
