// The parts of tile_place.glsl for a plane.  Needs in scope: `terrain`.
#ifndef OROGEN_TILE_PLACE_PLANE_GLSL
#define OROGEN_TILE_PLACE_PLANE_GLSL

// Returns a place, moved to the nearest sample of the raster if it lies outside.
SamplePlace clampedPlace(ivec2 whole, vec2 part)
{
    SamplePlace place;
    place.whole = clamp(whole, ivec2(0), tiles.last.xy);
    place.part = vec2(whole.x < 0 || whole.x >= tiles.last.x ? 0.0 : part.x,
                      whole.y < 0 || whole.y >= tiles.last.y ? 0.0 : part.y);
    place.face = 0;
    return place;
}

// Computes the sample coordinate of a lattice coordinate in 64-bit fixed point: step * lattice + offset, in 2^-36
// samples.  `axis`: TileUniforms::columnOfLattice or rowOfLattice.  `part` has 24 bits.
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

// Returns the sample coordinates of a lattice point.
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

// samplesOf() converts lattice units to samples of level 0 along the axis with the denser samples.  coarseSamplesOf()
// converts along the other axis.
float samplesOf(float units) { return units * terrain.squareSize.y / min(tiles.reach.z, tiles.reach.w); }
float coarseSamplesOf(float units) { return units * terrain.squareSize.y / max(tiles.reach.z, tiles.reach.w); }

#endif
