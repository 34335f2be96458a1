// Procedural detail below the samples' spacing, added to the data's heights.  Twin of core/terrain/detail/detail.h,
// which documents it.  tests/shaders/ compiles this file as C++.
//
// Must be in scope: DetailUniforms `detail`, diamond.glsl, and from the source of heights (for the Earth see
// detail_cube.glsl)
//     float roughnessAt(ivec2 lattice)                     metres, bilinear between the samples
//     float roughestBetween(ivec2 low, ivec2 high)         maximum over a box of the lattice
//     vec3 roughnessAcross(ivec2 low, ivec2 high, float units)    x: maximum; y: largest change across a triangle
//         in the box that is `units` wide and high; z: largest deviation from linear there
#ifndef OROGEN_DETAIL_GLSL
#define OROGEN_DETAIL_GLSL

#include "shaders/heights/detail_waves.glsl"

// Bounds an octave's error on a triangle, per metre of roughness: x: factor for the change of roughness across it; y:
// for its deviation from linear; z: overall bound.  Octaves with cells no larger than the unit are 0 at its corners.
vec3 detailMissed(uint octave, uint cellBits, uint unitBits)
{
    float amplitude = detailAmplitude(octave);
    if (cellBits <= unitBits) return vec3(0.0f, 0.0f, amplitude);
    float longest = 2.83f / float(1u << (cellBits - unitBits));  // side of a triangle, in cells
    float steepest = octave < kRipplingOctaves ? kDetailSteepness * detailCellTurns(octave) : kDetailFineSteepness;
    return vec3(amplitude * min(steepest * longest, 2.0f), amplitude, 2.0f * amplitude);
}

// Bounds the error of all octaves together (metres); `even` is the bound for a constant roughness of 1 m.  For a
// product f g with f linear up to e, the error is at most the sum of f times that of g, half the change of f times
// that, and e g.
float detailMissedInAll(vec3 roughness, float even, vec3 missed)
{
    float bound = roughness.x * even;
    return min(bound + 0.5f * roughness.y * missed.x + roughness.z * missed.y, roughness.x * missed.z);
}

#ifdef OROGEN_EARTH
#include "shaders/heights/detail_cube.glsl"
#else
uint detailCellBits(uint octave) { return detail.octaves.y - octave - (octave < kRipplingOctaves ? 0u : 1u); }

uint detailHash(uint x, uint y, uint octave)
{
    uint v = x * 0x8da6b343u ^ y * 0xd8163841u ^ (octave + 1u) * 0x9e3779b1u;
    v = (v ^ (v >> 15u)) * 0x2c1b3c6du;
    v = (v ^ (v >> 12u)) * 0x297a2d39u;
    return v ^ (v >> 15u);
}

// x: the wave of a node at an offset from it; y, z: its derivatives.
vec3 detailNode(uint x, uint y, uint octave, float dx, float dy)
{
    vec2 turns = detailTurns(detailHash(x, y, octave), octave);
    float at = turns.x * dx + turns.y * dy;
    float slope = detailWaveSlope(at);
    return vec3(detailWave(at), slope * turns.x, slope * turns.y);
}

// x: the octave in a cell, -1 ... 1; y, z: its derivatives per cell.  `f` is the offset from node (x, y), 0 ... 1.
vec3 detailNoise(uint x, uint y, uint octave, vec2 f)
{
    vec3 a = detailNode(x, y, octave, f.x, f.y), b = detailNode(x + 1u, y, octave, f.x - 1.0f, f.y);
    vec3 c = detailNode(x, y + 1u, octave, f.x, f.y - 1.0f), d = detailNode(x + 1u, y + 1u, octave, f.x - 1.0f, f.y - 1.0f);
    float u = detailBlend(f.x), v = detailBlend(f.y);
    vec3 low = a + (b - a) * u, high = c + (d - c) * u;
    vec3 noise = low + (high - low) * v;
    noise.y += ((b.x - a.x) + ((d.x - c.x) - (b.x - a.x)) * v) * detailBlendSlope(f.x);
    noise.z += (high.x - low.x) * detailBlendSlope(f.y);
    return noise;
}

// Height of the detail (metres, unscaled); 0 at nodes of the coarsest octave.  A node of one octave is a node of all
// finer ones, so a vertex shows only octaves coarser than the triangles around it.
float detailHeight(ivec2 lattice)
{
    uint x = uint(lattice.x), y = uint(lattice.y);
    if (detail.octaves.x == 0u || ((x | y) & ((1u << detail.octaves.y) - 1u)) == 0u) return 0.0f;
    float roughness = roughnessAt(lattice);
    if (roughness <= 0.0f) return 0.0f;
    float sum = 0.0f;
    for (uint k = 0u; k < detail.octaves.x; ++k)
    {
        uint bits = detailCellBits(k), mask = (1u << bits) - 1u;
        if (((x | y) & mask) == 0u) break;
        vec2 f = vec2(float(x & mask), float(y & mask)) / float(1u << bits);
        sum += detailAmplitude(k) * detailNoise(x >> bits, y >> bits, k, f).x;
    }
    return roughness * sum;
}

// x: height (metres, unscaled); y, z: slopes along the lattice's axes, at lattice point `cell` and fraction `rest`.
// Sums octaves with wavelengths over `shortest` metres; each fades in over an octave.
vec3 detailAt(ivec2 cell, vec2 rest, float shortest)
{
    vec3 sum = vec3(0.0f);
    if (detail.octaves.x == 0u || shortest * detail.metres.w >= 1.0f) return sum;
    float roughness = roughnessAt(cell);
    if (roughness <= 0.0f) return sum;
    uint x = uint(cell.x), y = uint(cell.y);
    for (uint k = 0u; k < detail.octaves.x; ++k)
    {
        uint bits = detailCellBits(k), mask = (1u << bits) - 1u;
        float side = float(1u << bits), waves = detailCellTurns(k) / (side * detail.metres.x);  // per metre
        float share = clamp(2.0f - 2.0f * shortest * waves, 0.0f, 1.0f) * detailAmplitude(k);
        if (share <= 0.0f) break;
        vec2 f = (vec2(float(x & mask), float(y & mask)) + rest) / side;
        vec3 noise = detailNoise(x >> bits, y >> bits, k, f) * share;
        sum += vec3(noise.x, noise.y / (side * detail.metres.x), noise.z / (side * detail.metres.x));
    }
    return sum * roughness;
}

// Bound of the sum of all octaves in a box of the lattice (metres, unscaled).
float detailReach(ivec2 low, ivec2 high) { return detail.metres.z * roughestBetween(low, high); }

// Error bound (metres) of triangles whose base's middle has this unit.  `roughness`: from roughnessAcross().
float detailUnsteady(vec3 roughness, uint unitBits)
{
    vec3 missed = vec3(0.0f);
    for (uint k = 0u; k < detail.octaves.x; ++k)
        missed += detailMissed(k, detailCellBits(k), unitBits);
    return detailMissedInAll(roughness, detail.bounds[unitBits >> 2u][unitBits & 3u], missed);
}

// Error bound of the detail for the diamond centred at `point`, or for its leaves drawn as patches (metres, unscaled).
// Never less than the bound of any vertex that a split there inserts.
float detailError(uvec2 point, uint patchLevel)
{
    uint bits = diamondUnitBits(point);
    int reach = int(1u << bits) + (patchLevel == 0u ? 0 : int((1u << bits) >> 1u));
    uint drawn = bits - min(bits, patchLevel);
    return detailUnsteady(roughnessAcross(ivec2(point) - reach, ivec2(point) + reach, 2.0f * float(1u << drawn)), drawn);
}

#endif

#endif
