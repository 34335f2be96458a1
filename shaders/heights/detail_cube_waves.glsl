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

vec3 detailWay(ivec3 node, vec2 turns, uint hash)
{
    bvec3 outwards = equal(abs(node), ivec3(1 << (kCubeLatticeBits - 1u)));
    int sides = int(outwards.x) + int(outwards.y) + int(outwards.z);
    if (sides == 3) return vec3(1 - ivec3(2u * (uvec3(hash, hash >> 1u, hash >> 2u) & 1u))) * (0.70710678f * length(turns));
    if (sides == 2) return mix(vec3(turns.x), vec3(turns.y), outwards);
    return vec3(turns.x, outwards.x ? turns.x : turns.y, turns.y);
}

// x: the wave of a node at an offset from it; y, z: its derivatives along the face's x and y.
vec3 detailNode(Lattice node, uint bits, uint octave, float dx, float dy)
{
    ivec3 cube = cubePoint(node), axes = faceAxes(node.z);
    uint hash = detailHash(uvec3(cube + (1 << (kCubeLatticeBits - 1u))) >> bits, bits);
    vec3 way = detailWay(cube, detailTurns(hash, octave), hash);
    vec2 turns = vec2(way[axes.x], way[axes.y]);
    float at = turns.x * dx + turns.y * dy;
    float slope = detailWaveSlope(at);
    return vec3(detailWave(at), slope * turns.x, slope * turns.y);
}

// x: the octave in a cell, -1 ... 1; y, z: its derivatives per cell.  `f` is the offset from the node, 0 ... 1.
vec3 detailNoise(Lattice node, uint bits, uint octave, vec2 f)
{
    int side = 1 << bits;
    vec3 a = detailNode(node, bits, octave, f.x, f.y), b = detailNode(node + ivec3(side, 0, 0), bits, octave, f.x - 1.0f, f.y);
    vec3 c = detailNode(node + ivec3(0, side, 0), bits, octave, f.x, f.y - 1.0f);
    vec3 d = detailNode(node + ivec3(side, side, 0), bits, octave, f.x - 1.0f, f.y - 1.0f);
    float u = detailBlend(f.x), v = detailBlend(f.y);
    vec3 low = a + (b - a) * u, high = c + (d - c) * u;
    vec3 noise = low + (high - low) * v;
    noise.y += ((b.x - a.x) + ((d.x - c.x) - (b.x - a.x)) * v) * detailBlendSlope(f.x);
    noise.z += (high.x - low.x) * detailBlendSlope(f.y);
    return noise;
}

uint detailTop(int level) { return detail.octaves.y + uint(level); }
uint detailBits(uint top, uint octave) { return top - min(top, octave + (octave < kRipplingOctaves ? 0u : 1u)); }

// Height of the detail for a roughness of 1 m (metres); `point` must be canonical.
float detailRelief(Lattice point, int level)
{
    float sum = 0.0f;
    for (uint k = 0u; k < detail.octaves.x; ++k)
    {
        uint bits = detailBits(detailTop(level), k);
        int mask = (1 << bits) - 1;
        if (((point.x | point.y) & mask) == 0) break;
        ivec2 inCell = ivec2(point.x & mask, point.y & mask);
        sum += detailAmplitude(k) * detailNoise(point - ivec3(inCell, 0), bits, k, vec2(inCell) / float(1 << bits)).x;
    }
    return sum;
}

#endif
