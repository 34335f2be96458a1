// Waves of procedural detail on the Earth: see detail_earth.glsl.  tests/shaders/ compiles this file as C++.
//
// Must be in scope: DetailUniforms `detail`, lattice.glsl, and detail_waves.glsl.
#ifndef OROGEN_DETAIL_CUBE_WAVES_GLSL
#define OROGEN_DETAIL_CUBE_WAVES_GLSL

// Returns a face's axes for the hashes of nodes. x, y: factors of the face's x and y. z: factor of the outward axis, or
// 0 on faces at the lower end of that axis. w: bit positions of the two bytes of a hash that give the random numbers
// for x (low half of w) and y (high half).
uvec4 detailAxes(int face)
{
    ivec3 axes = faceAxes(face);
    uvec3 factors = uvec3(kDetailFactors[axes.x], kDetailFactors[axes.y], kDetailFactors[axes.z]);
    return uvec4(factors.x, factors.y, (face & 1) != 0 ? factors.z : 0u, uint(8 * axes.x) | (uint(8 * axes.y) << 16u));
}

// Returns an octave's value and derivatives in the cell of a node: see detailNoise() in detail_waves.glsl.  `bits`:
// log2 of the cell's side (lattice units).
vec3 detailNoiseAt(ivec2 node, uint bits, uvec4 axes, vec4 lean, vec2 f)
{
    uint sum = (uint(node.x) >> bits) * axes.x + (uint(node.y) >> bits) * axes.y + (1u << (kCubeLatticeBits - bits)) * axes.z;
    return detailNoise(sum, uvec2(axes.x, axes.y), uvec2(axes.w & 0xffffu, axes.w >> 16u), bits, lean, f);
}

// Returns log2 of the side of the coarsest octave's cells (lattice units), for data of a level.
uint detailTop(int level) { return detail.octaves.y + uint(level); }

// Returns the share of the waves that may lean, that is, follow the slope of the ground (detailLean()).  It falls to 0
// on the edges of the cube, over the width of a cell of 2^bits units.
float detailLeanShare(Lattice point, uint bits)
{
    int side = 1 << kCubeLatticeBits;
    int inside = min(min(point.x, point.y), min(side - point.x, side - point.y));
    return min(float(inside) / float(1 << bits), 1.0f);
}

// Returns the strength of octave `k`: a roughness, to be multiplied by the octave's entry of `amplitudes`.  `k` counts
// from the coarsest octave: that of the base's level if wide.x > 0, otherwise that of `level`.  `level`, `own`: level
// of the tile, and roughness of its data (metres); `wide`: x: roughness of the base (the data that surround an
// elevation model); y: distance to that model (metres); `cell`: side of the octave's cells (metres).
float detailStrength(uint k, int level, float own, vec2 wide, float cell)
{
    if (wide.x <= 0.0f) return own * detailStart(level);
    int base = max(int(detail.octaves.w), level);
    float t = min(2.0f * wide.y / cell, 1.0f), strength = wide.x * detailStart(base) * t * t * (3.0f - 2.0f * t);
    return int(k) >= base - level ? strength + own * detailStart(level) : strength;
}

// Returns the distance between a level's samples (metres).
float detailSpacing(int level) { return 0.5f * kDetailFirstWave / detail.metres.w * float(1 << level); }

// Returns the level whose coarsest octave the detail begins with.
int detailLevel(int level, vec2 wide) { return wide.x > 0.0f ? max(int(detail.octaves.w), level) : level; }

// Returns the height of the detail (metres).  `point`: as canonicalPlace() returns it; `own`: level of the tile;
// `ground`: x: roughness (metres); y, z: slope of the data; `wide`: see detailStrength().
float detailRelief(Lattice point, int own, vec3 ground, vec2 wide)
{
    int level = detailLevel(own, wide);
    float share = detailLeanShare(point, detailTop(max(own, int(detail.octaves.w)))), data = ground.y * ground.y + ground.z * ground.z, sum = 0.0f;
    vec2 slope = vec2(ground.y, ground.z);
    uint first = detailFirst(level), count = detailCount(level);
    uvec4 axes = detailAxes(point.z);
    for (uint k = 0u; k < count; ++k)
    {
        uint bits = detailTop(level) - min(detailTop(level), k);
        int mask = (1 << bits) - 1;
        if (((point.x | point.y) & mask) == 0) break;
        float side = float(1 << bits), cell = side * detail.metres.x;
        float strength = detailStrength(k, own, ground.x, wide, cell), amplitude = strength * detailAmplitude(first + k);
        if (strength <= 0.0f) continue;
        vec4 lean = detailLean(slope, amplitude, cell, data, share);
        ivec2 inCell = ivec2(point.x & mask, point.y & mask);
        vec3 noise = detailNoiseAt(ivec2(point.x - inCell.x, point.y - inCell.y), bits, axes, lean, vec2(inCell) / side) * (amplitude * lean.w);
        sum += noise.x;
        slope += vec2(noise.y, noise.z) / cell;
    }
    return sum;
}

#endif
