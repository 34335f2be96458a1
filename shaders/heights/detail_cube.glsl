// Procedural detail on the Earth: detail.glsl's octaves on the six faces of the cube.  Twin of core/terrain/detail.
//
// Differences from a plane make it independent of the face it is evaluated on, and continuous over edges:
//   - A node is a point of the cube.  Its hash takes the cube's three coordinates in cells, counted from the lowest,
//     and the logarithm of the cell's side in place of the octave (detailHash).
//   - Its wave runs along a vector in the cube's axes, of which a face uses two components (detailWay).  Inside a face:
//     the frequencies of detailTurns() along the face's axes in the cube's order (x before y before z).  On an edge:
//     the first along the edge, the second along both others.  At a corner: equal lengths along all three, signs from
//     the hash's low bits.
//   - Octaves continue below the spacing of the available data: where these come from a tile of level l that has no
//     finer tile, the coarsest cell has octaves.y + l bits.  A refined tile has no roughness.
//   - Points on an edge of the cube use their canonicalPlace(), so that every face computes the same bits.
//   - Over water there is no detail, and near it no more than the height above it: land stays land.  The sum is
//     multiplied by clamp(above / (roughness * metres.z), 0, 1), where `above` is the data's height over the sea.
//
// Must be in scope: the requirements of detail.glsl, and its waves.
#ifndef OROGEN_DETAIL_CUBE_GLSL
#define OROGEN_DETAIL_CUBE_GLSL

#include "shaders/heights/detail_cube_waves.glsl"

// Height of the detail (metres, unscaled); `above`: height of the data over the sea (metres).
float detailHeight(Lattice point, float above)
{
    int level;
    float roughness = detail.octaves.x == 0u ? 0.0 : roughnessAt(point, level);
    if (roughness <= 0.0) return 0.0;
    precise float height = roughness * detailRelief(canonicalPlace(point), level);
    return height * clamp(above / (roughness * detail.metres.z), 0.0, 1.0);
}

// As detailAt() of detail.glsl, for a roughness of 1 m; slopes in metres a lattice unit, along the face's x and y.
vec3 detailAt(Lattice cell, vec2 rest, float shortest, int level)
{
    vec3 sum = vec3(0.0);
    for (uint k = 0u; k < detail.octaves.x; ++k)
    {
        uint bits = detailBits(detailTop(level), k);
        float side = float(1 << bits), waves = detailCellTurns(k) / (side * earth.figure.x);  // a metre
        float share = clamp(2.0 - 2.0 * shortest * waves, 0.0, 1.0) * detailAmplitude(k);
        if (share <= 0.0) break;
        ivec2 inCell = cell.xy & ((1 << bits) - 1);
        vec3 noise = detailNoise(ivec3(cell.xy - inCell, cell.z), bits, k, (vec2(inCell) + rest) / side) * share;
        sum += vec3(noise.x, noise.yz / side);
    }
    return sum;
}

// Bound of the sum of all octaves in a box of one face (metres, unscaled).
float detailReach(Lattice low, Lattice high) { return detail.metres.z * roughestBetween(low, high); }

// As on a plane, for octaves that begin at `level`.  detail.bounds are those of level 0, `level` bits lower.
float detailUnsteady(vec3 roughness, uint unitBits, int level)
{
    vec3 missed = vec3(0.0);
    for (uint k = 0u; k < detail.octaves.x; ++k)
        missed += detailMissed(k, detailBits(detailTop(level), k), unitBits);
    uint own = min(uint(max(int(unitBits) - level, 0)), 23u);
    return detailMissedInAll(roughness, detail.bounds[own >> 2u][own & 3u], missed);
}

// Error bound of the detail for the diamond centred at `point`, or for its leaves drawn as patches: the maximum over
// all faces that touch the point (metres, unscaled).
float detailError(Lattice point, uint patchLevel)
{
    if (detail.octaves.x == 0u) return 0.0;
    uint bits = diamondUnitBits(onSquare(point));
    uint reach = (1u << bits) + (patchLevel == 0u ? 0u : (1u << bits) >> 1u), side = 1u << kDrawLatticeBits;
    uint drawn = bits - min(bits, patchLevel);
    ivec3 cube = cubePoint(point);
    float error = 0.0;
    for (int faces = facesTouching(cube); faces != 0; faces &= faces - 1)
    {
        Lattice here = placeOnFace(cube, findLSB(faces));
        uvec2 at = onSquare(here);
        int level;
        vec3 roughness = roughnessAcross(beside(here, at - min(at, uvec2(reach))), beside(here, min(at + reach, uvec2(side))),
                                         2.0 * float(1u << drawn), level);
        error = max(error, detailUnsteady(roughness, drawn, level));
    }
    return error;
}

#endif
