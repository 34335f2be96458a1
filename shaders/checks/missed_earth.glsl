// The error of a drawn point of the Earth: see error_measure.comp.
#ifndef OROGEN_MISSED_EARTH_GLSL
#define OROGEN_MISSED_EARTH_GLSL

#include "shaders/earth/earth_samples.glsl"

// Height of the procedural detail down to its finest octave (metres); `above`: metres of the data over the sea.
float madeHeight(DrawnPlace place, float above)
{
#ifdef OROGEN_DETAIL
    int level;
    float between;
    vec3 relief = detail.octaves.x == 0u ? vec3(0.0) : reliefAt(place.cell, level, between);
    float share = relief.x <= 0.0 ? 0.0 : detailShoreShare(relief.x, above, between);
    return share <= 0.0 ? 0.0 : detailAt(place.cell, place.rest, 0.0, level, relief).x * share;
#else
    return 0.0;
#endif
}

// Error against the finest active tile or the sea, plus that tile's deviation from the finest data: an upper bound.
float missedAt(DrawnPlace place, float rise)
{
    vec2 finest = finestHeight(samplePlace(EarthPlace(place.cell.z, place.cell.xy, place.rest)));
    float ground = max(finest.x + madeHeight(place, finest.x - seaLevel()), seaLevel()) * terrain.pixelSize.z;
    return abs(place.height + rise - ground) + finest.y * terrain.pixelSize.z;
}

#endif
