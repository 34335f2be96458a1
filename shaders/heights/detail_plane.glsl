// Procedural detail on a plane: relief finer than the samples' spacing, added to the data's heights.  It is a sum of
// octaves of waves, which core/terrain/detail/detail.h defines and computes in C++.  tests/shaders/ compiles this file
// as C++.
//
// Must be in scope: DetailUniforms `detail`, diamond.glsl, and from the source of heights (for the Earth see
// detail_earth.glsl)
//     vec3 reliefAt(ivec2 lattice)                         x: roughness (metres); y, z: slope of the data towards east
//         and north; bilinear between the samples
//     float roughestBetween(ivec2 low, ivec2 high)         maximum over a box of the lattice
//     float roughnessAt(ivec2 lattice)                     reliefAt().x
//     vec3 roughnessAcross(ivec2 low, ivec2 high, float units)    x: maximum; y: largest change across a triangle
//         in the box that is `units` wide and high; z: largest deviation from a linear function there
#ifndef OROGEN_DETAIL_PLANE_GLSL
#define OROGEN_DETAIL_PLANE_GLSL

#include "shaders/heights/detail_waves.glsl"

// Returns log2 of the side of an octave's cells (lattice units).
uint detailCellBits(uint octave) { return detail.octaves.y - octave; }

// Returns an octave's value and derivatives in the cell of node (x, y): see detailNoise() in detail_waves.glsl.
vec3 detailNoiseAt(uint x, uint y, uint octave, vec4 lean, vec2 f)
{
    uvec2 factors = uvec2(kDetailFactors.x, kDetailFactors.y);
    return detailNoise(x * factors.x + y * factors.y, factors, uvec2(0u, 8u), octave, lean, f);
}

// Returns the height of the detail (metres, unscaled); 0 at nodes (corners of cells) of the coarsest octave.  A node of
// one octave is a node of all finer ones, so a vertex shows only octaves coarser than the triangles around it.
float detailHeight(ivec2 lattice)
{
    uint x = uint(lattice.x), y = uint(lattice.y);
    if (detail.octaves.x == 0u || ((x | y) & ((1u << detail.octaves.y) - 1u)) == 0u) return 0.0f;
    vec3 ground = reliefAt(lattice);
    if (ground.x <= 0.0f) return 0.0f;
    float sum = 0.0f, scale = ground.x * detailStart(0), data = ground.y * ground.y + ground.z * ground.z;
    vec2 slope = vec2(ground.y, ground.z);
    for (uint k = 0u; k < detail.octaves.x; ++k)
    {
        uint bits = detailCellBits(k), mask = (1u << bits) - 1u;
        if (((x | y) & mask) == 0u) break;
        float side = float(1u << bits), cell = side * detail.metres.x, amplitude = scale * detailAmplitude(k);
        vec4 lean = detailLean(slope, amplitude, cell, data, 1.0f);
        vec2 f = vec2(float(x & mask), float(y & mask)) / side;
        vec3 noise = detailNoiseAt(x >> bits, y >> bits, k, lean, f) * (amplitude * lean.w);
        sum += noise.x;
        slope += vec2(noise.y, noise.z) / cell;
    }
    return sum;
}

// Returns x: height (metres, unscaled); y, z: slopes along the lattice's axes (metres per metre), at lattice point
// `cell` plus the fraction `rest`.  Sums octaves with wavelengths over `shortest` metres.  Each octave fades in over a
// factor of 2 in `shortest`.  `ground`: see reliefAt().
vec3 detailAt(ivec2 cell, vec2 rest, float shortest, vec3 ground)
{
    vec3 sum = vec3(0.0f);
    if (detail.octaves.x == 0u || ground.x <= 0.0f) return sum;
    uint x = uint(cell.x), y = uint(cell.y);
    float scale = ground.x * detailStart(0), data = ground.y * ground.y + ground.z * ground.z;
    vec2 slope = vec2(ground.y, ground.z);
    for (uint k = 0u; k < detail.octaves.x; ++k)
    {
        uint bits = detailCellBits(k), mask = (1u << bits) - 1u;
        float side = float(1u << bits), metres = side * detail.metres.x;
        float shown = clamp(2.0f - 2.0f * shortest * detail.metres.y / metres, 0.0f, 1.0f);
        if (shown <= 0.0f) break;
        float amplitude = scale * detailAmplitude(k);
        vec4 lean = detailLean(slope, amplitude, metres, data, 1.0f);
        vec2 f = (vec2(float(x & mask), float(y & mask)) + rest) / side;
        vec3 noise = detailNoiseAt(x >> bits, y >> bits, k, lean, f) * (amplitude * lean.w);
        noise = vec3(noise.x, noise.y / metres, noise.z / metres);
        sum += noise * shown;
        slope += vec2(noise.y, noise.z);
    }
    return sum;
}

// Returns a bound of the sum of all octaves in a box of the lattice (metres, unscaled).
float detailReach(ivec2 low, ivec2 high) { return detail.metres.z * roughestBetween(low, high); }

// Returns an error bound of the detail for the diamond centred at `point`, or for its leaves drawn as patches (metres,
// unscaled).  The bound is never less than that of any vertex that a split there inserts.
float detailError(uvec2 point, uint patchLevel)
{
    uint bits = diamondUnitBits(point);
    int reach = int(1u << bits) + (patchLevel == 0u ? 0 : int((1u << bits) >> 1u));
    uint drawn = bits - min(bits, patchLevel);
    return detailUnsteady(roughnessAcross(ivec2(point) - reach, ivec2(point) + reach, 2.0f * float(1u << drawn)), drawn, 0);
}

#endif
