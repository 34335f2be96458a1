// The parts of tile_place.glsl for the Earth.
#ifndef OROGEN_TILE_PLACE_EARTH_GLSL
#define OROGEN_TILE_PLACE_EARTH_GLSL

int sampleBits() { return int(tiles.columnOfLattice.x); }  // log2 of lattice units per sample

// Returns the sample coordinates of a lattice point.
SamplePlace latticePlace(Lattice point)
{
    int bits = sampleBits();
    SamplePlace place;
    place.whole = point.xy >> bits;
    place.part = vec2(point.xy & ((1 << bits) - 1)) * powerOfTwo(-bits);  // exact: a float holds these 23 bits at most
    place.face = point.z;
    return place;
}

// Both functions convert lattice units to samples of level 0: here columns and rows have equal spacings.
float samplesOf(float units) { return units * powerOfTwo(-sampleBits()); }
float coarseSamplesOf(float units) { return samplesOf(units); }

#endif
