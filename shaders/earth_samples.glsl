// Where among the samples of the tiles a place on the Earth lies.
// Must be in scope: heights.glsl with OROGEN_TILES, earth_place.glsl.
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
