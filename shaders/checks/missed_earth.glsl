// The error of a drawn point of the Earth: see error_measure.comp.
#ifndef OROGEN_MISSED_EARTH_GLSL
#define OROGEN_MISSED_EARTH_GLSL

#include "shaders/earth/earth_samples.glsl"

// Returns the height of the procedural detail down to its finest octave (metres); `above`: height of the data over the
// sea (metres).
float madeHeight(DrawnPlace place, float above)
{
#ifdef OROGEN_DETAIL
    if (detail.octaves.x == 0u) return 0.0;
    DetailGround data = detailGroundAt(place.cell);
    float rough = data.relief.x + data.wide.x, share = rough <= 0.0 ? 0.0 : detailShoreShare(rough, above, data);
    return share <= 0.0 ? 0.0 : detailAt(place.cell, place.rest, 0.0, data).x * share;
#else
    return 0.0;
#endif
}

// Returns an upper bound of the error (metres): the vertical distance of the drawn point from the ground of the
// finest active tile or the sea, plus that tile's deviation from the data.  `rise`: distance (metres) from the
// place's point up to the drawn mesh.
float missedAt(DrawnPlace place, float rise)
{
    vec2 finest = finestHeight(samplePlace(EarthPlace(place.cell.z, place.cell.xy, place.rest)));
    float ground = max(finest.x + madeHeight(place, finest.x - seaLevel()), seaLevel()) * terrain.pixelSize.z;
    return abs(place.height + rise - ground) + finest.y * terrain.pixelSize.z;
}

#endif
