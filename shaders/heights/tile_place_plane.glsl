// Samples of a plane: see tile_place.glsl.
#ifndef OROGEN_TILE_PLACE_PLANE_GLSL
#define OROGEN_TILE_PLACE_PLANE_GLSL

SamplePlace clampedPlace(ivec2 whole, vec2 part)
{
    SamplePlace place;
    place.whole = clamp(whole, ivec2(0), tiles.last.xy);
    place.part = vec2(whole.x < 0 || whole.x >= tiles.last.x ? 0.0 : part.x,
                      whole.y < 0 || whole.y >= tiles.last.y ? 0.0 : part.y);
    place.face = 0;
    return place;
}

void placeOnAxis(uvec4 axis, uint lattice, out int whole, out float part)
{
    uint high, low, carry;
    umulExtended(lattice, axis.x, high, low);
    high += lattice * axis.y;
    low = uaddCarry(low, axis.z, carry);
    high += axis.w + carry;
    whole = int(high) >> 4;
    part = float((high & 15u) << 20 | low >> 12) * 5.9604644775390625e-8;  // 2^-24
}

SamplePlace latticePlace(Lattice lattice)
{
    ivec2 whole;
    vec2 part;
    placeOnAxis(tiles.columnOfLattice, uint(lattice.x), whole.x, part.x);
    placeOnAxis(tiles.rowOfLattice, uint(lattice.y), whole.y, part.y);
    return clampedPlace(whole, part);
}

// Returns the place of a point given in metres east and north of the camera.
SamplePlace placeFromCamera(vec2 relative)
{
    vec2 t = tiles.cameraPart.xy + relative / tiles.reach.zw * vec2(1.0, -1.0);
    vec2 whole = floor(t);
    return clampedPlace(tiles.cameraSample.xy + ivec2(whole), t - whole);
}

// samplesOf() converts lattice units to samples along the axis with the denser samples, coarseSamplesOf() along the
// other axis.
float samplesOf(float units) { return units * terrain.squareSize.y / min(tiles.reach.z, tiles.reach.w); }
float coarseSamplesOf(float units) { return units * terrain.squareSize.y / max(tiles.reach.z, tiles.reach.w); }

#endif
