// Made relief on the Earth: detail.glsl's octaves on the six faces of the cube.  Twin of core/terrain/detail.
//
// What differs from a plane, so that it is the same from whichever face it is asked, and continuous over edges and corners:
//   - A node is a point of the cube.  Its hash is that of the cube's three coordinates over the cell's side, counted from
//     the lowest, and of the logarithm of that side in the octave's place (detailHash).
//   - Its wave runs along a vector in the cube's axes, whose two components on a face count there (detailWay): inside a
//     face the turns of detailTurns() along the face's axes in the cube's order (x before y before z); on an edge the first
//     along the edge and the second along both others; at a corner the same length along all three, with signs of the
//     hash's lowest bits.
//   - Octaves go on below the spacing of the data that are there: where these come from a tile of level l, which nothing
//     refines, the coarsest cell has octaves.y + l bits.  A tile that is refined has no roughness.
//   - On an edge of the cube the name of the point is that of canonicalPlace(), so that all who ask get the same bits.
//   - Over water there is none, and `above` metres from it no more than that: land stays land.  The relief is multiplied by
//     clamp(above / (roughness * metres.z), 0, 1), with the data's height over the sea for `above`.
//
// Must be in scope: what detail.glsl needs, and its waves.
#ifndef OROGEN_DETAIL_CUBE_GLSL
#define OROGEN_DETAIL_CUBE_GLSL

#include "shaders/detail_cube_waves.glsl"

// Metres, unscaled, where the data lie so many metres above the sea.
float detailHeight(Lattice point, float above)
{
    int level;
    float roughness = detail.octaves.x == 0u ? 0.0 : roughnessAt(point, level);
    if (roughness <= 0.0) return 0.0;
    precise float height = roughness * detailRelief(canonicalPlace(point), level);
    return height * clamp(above / (roughness * detail.metres.z), 0.0, 1.0);
}

// x: height in metres, y, z: its slopes along x and y, metres a lattice unit, for a metre of roughness, at a whole lattice
// point and the rest, of the octaves whose waves are longer than `shortest` metres: each comes in over an octave.
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

// Metres by which all octaves together can lie above or below the data in a box of one face; unscaled.
float detailReach(Lattice low, Lattice high) { return detail.metres.z * roughestBetween(low, high); }

// As on a plane, for octaves that begin at a level: bounds are those of level 0, so many bits lower.
float detailUnsteady(vec3 roughness, uint unitBits, int level)
{
    vec3 missed = vec3(0.0);
    for (uint k = 0u; k < detail.octaves.x; ++k)
        missed += detailMissed(k, detailBits(detailTop(level), k), unitBits);
    uint own = min(uint(max(int(unitBits) - level, 0)), 23u);
    return detailMissedInAll(roughness, detail.bounds[own >> 2u][own & 3u], missed);
}

// What triangles miss of the relief whose base has this middle, or of a leaf whose base has it and that is drawn as a
// patch, by all faces that the middle is on; metres, unscaled.
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
