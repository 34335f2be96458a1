// Samples of the Earth: see tile_place.glsl.
#ifndef OROGEN_TILE_PLACE_EARTH_GLSL
#define OROGEN_TILE_PLACE_EARTH_GLSL

int sampleBits() { return int(tiles.columnOfLattice.x); }  // log2 of lattice units per sample

SamplePlace latticePlace(Lattice point)
{
    int bits = sampleBits();
    SamplePlace place;
    place.whole = point.xy >> bits;
    place.part = vec2(point.xy & ((1 << bits) - 1)) * powerOfTwo(-bits);  // exact: 23 bits at most
    place.face = point.z;
    return place;
}

float samplesOf(float units) { return units * powerOfTwo(-sampleBits()); }
float coarseSamplesOf(float units) { return samplesOf(units); }

#endif
