// Procedural detail on the Earth: the octaves of detail_plane.glsl on the six faces of the cube.  Computes the same as
// core/terrain/detail.
//
// Differences from a plane make it independent of the face it is evaluated on, and continuous over edges:
//   - A node is a point of the cube.  Its hash takes the cube's three coordinates in cells, counted from the lowest,
//     and the logarithm of the cell's side in place of the octave.
//   - The random part of its wave is a vector in the cube's axes, of which a face uses two components (detailAxes).
//     Towards the edges, waves follow the slope of the ground less (detailLeanShare).
//   - Octaves begin below the spacing of the available data.  Where the data come from a tile of level l that has no
//     finer tile, the coarsest cell has 2^(octaves.y + l) lattice units.  A tile that has finer tiles has no roughness,
//     unless it is of the base's level, see below.
//   - Points on an edge of the cube use their canonicalPlace(), so that every face computes the same bits.
//   - Near the sea level the detail is multiplied by detailShoreShare().
//   - Elevation models may be laid into coarser data, the base.  Around a model the base's octaves continue, and end at
//     the model's edge (detailStrength()).
//
// Must be in scope: DetailUniforms `detail`, diamond.glsl, detail_tiles_earth.glsl.
#ifndef OROGEN_DETAIL_EARTH_GLSL
#define OROGEN_DETAIL_EARTH_GLSL

#include "shaders/heights/detail_waves.glsl"
#include "shaders/heights/detail_cube_waves.glsl"

const float kReached = 0.4;       // share of the sum of the octaves' amplitudes that heights reach
const float kShoreMetres = 40.0;  // limit of height or depth (metres) that detail may move across the sea level

const float kShoreReach = 0.7;        // largest distance along the slope by which detail moves a shore (samples)

// Returns the factor of the detail where the data lie `above` metres over the sea.  At samples it keeps land at or
// above the sea level.  Deep below the sea level it is 0.  Between samples detail may cross the sea level, which shapes
// the shoreline.  Detail crosses it only where the slope of the data reaches the sea level within about a sample.  It
// does so only by about the height that the slope covers there.  So level shallows get no islands, and steep ones no
// strings of islands.
float detailShoreShare(float roughness, float above, DetailGround ground)
{
    float reach = kReached * roughness * detail.metres.z, height = clamp(above / reach, -1.0, 1.0);
    float samples = detailSpacing(detailLevel(ground.level, ground.wide));
    float most = clamp(kShoreReach * length(ground.relief.yz) * samples, 1.0e-3, kShoreMetres);
    return max(height, ground.between * max(1.0 - abs(above) / most, 0.0) * min(2.0 * most / reach, 1.0));
}

// Returns the height of the detail (metres, unscaled); `above`: height of the data over the sea (metres).
float detailHeight(Lattice point, float above)
{
    if (detail.octaves.x == 0u) return 0.0;
    DetailGround ground = detailGroundAt(point);
    float rough = ground.relief.x + ground.wide.x;
    if (rough <= 0.0) return 0.0;
    float share = detailShoreShare(rough, above, ground);
    if (share <= 0.0) return 0.0;
    precise float height = detailRelief(canonicalPlace(point), ground.level, ground.relief, ground.wide) * share;
    return height;
}

// Returns the same as detailAt() of detail_plane.glsl, but slopes in metres per lattice unit, along the face's x and y.
vec3 detailAt(Lattice cell, vec2 rest, float shortest, DetailGround ground)
{
    int level = detailLevel(ground.level, ground.wide);
    float share = detailLeanShare(cell, detailTop(max(ground.level, int(detail.octaves.w))));
    float data = dot(ground.relief.yz, ground.relief.yz);
    vec3 sum = vec3(0.0);
    vec2 slope = ground.relief.yz;
    uint first = detailFirst(level), count = detailCount(level);
    uvec4 axes = detailAxes(cell.z);
    for (uint k = 0u; k < count; ++k)
    {
        uint bits = detailTop(level) - min(detailTop(level), k);
        float side = float(1 << bits), metres = side * detail.metres.x;
        float shown = clamp(2.0 - 2.0 * shortest * detail.metres.y / metres, 0.0, 1.0);
        if (shown <= 0.0) break;
        float strength = detailStrength(k, ground.level, ground.relief.x, ground.wide, metres);
        float amplitude = strength * detailAmplitude(first + k);
        if (strength <= 0.0) continue;
        vec4 lean = detailLean(slope, amplitude, metres, data, share);
        ivec2 inCell = cell.xy & ((1 << bits) - 1);
        vec3 noise = detailNoiseAt(cell.xy - inCell, bits, axes, lean, (vec2(inCell) + rest) / side) * (amplitude * lean.w);
        sum += vec3(noise.x, noise.yz / side) * shown;
        slope += noise.yz / metres;
    }
    return sum;
}

// Returns a bound of the sum of all octaves in a box of one face (metres, unscaled), estimated from probes.
float detailReach(Lattice low, Lattice high) { return detail.metres.z * roughestBetween(low, high); }

// Bounds of the detail for the diamond centred at `point`, or for its leaves drawn as patches: maxima over all faces
// that touch the point (metres, unscaled).
struct DetailBounds
{
    float reach;  // largest height by which all octaves together raise or lower the ground
    float error;  // largest distance of the detail from the drawn triangles
};

DetailBounds detailBounds(Lattice point, uint patchLevel)
{
    DetailBounds bounds = DetailBounds(0.0, 0.0);
    if (detail.octaves.x == 0u) return bounds;
    uint bits = diamondUnitBits(onSquare(point));
    uint reach = (1u << bits) + (patchLevel == 0u ? 0u : (1u << bits) >> 1u), side = 1u << kDrawLatticeBits;
    uint drawn = bits - min(bits, patchLevel);
    ivec3 cube = cubePoint(point);
    for (int faces = facesTouching(cube); faces != 0; faces &= faces - 1)
    {
        Lattice here = placeOnFace(cube, findLSB(faces));
        uvec2 at = onSquare(here);
        int level;
        vec3 roughness = roughnessAcross(beside(here, at - min(at, uvec2(reach))), beside(here, min(at + reach, uvec2(side))),
                                         2.0 * float(1u << drawn), level);
        bounds.reach = max(bounds.reach, detail.metres.z * roughness.x);
        bounds.error = max(bounds.error, detailUnsteady(roughness, drawn, level));
    }
    return bounds;
}

#endif
