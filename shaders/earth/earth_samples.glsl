// Converts a place on the Earth to sample coordinates of the tiles.  Needs heights.glsl with tiles and
// earth_place.glsl in scope.
#ifndef OROGEN_EARTH_SAMPLES_GLSL
#define OROGEN_EARTH_SAMPLES_GLSL

SamplePlace samplePlace(EarthPlace place)
{
    int bits = sampleBits();
    SamplePlace samples;
    samples.face = place.face;
    samples.whole = place.whole >> bits;
    samples.part = (vec2(place.whole & ((1 << bits) - 1)) + place.part) * powerOfTwo(-bits);
    return samples;
}

#endif
