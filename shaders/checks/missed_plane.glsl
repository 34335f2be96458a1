// The error of a drawn point of a plane: see error_measure.comp.
#ifndef OROGEN_MISSED_PLANE_GLSL
#define OROGEN_MISSED_PLANE_GLSL

// Height of the procedural detail down to its finest octave (metres, scaled).
float madeHeight(DrawnPlace place)
{
#ifdef OROGEN_DETAIL
    return detailAt(place.cell, place.rest, 0.0, reliefAt(place.cell)).x * terrain.pixelSize.z;
#else
    return 0.0;
#endif
}

// Error against the finest height of the data that is loaded, plus its deviation from the finest data: an upper bound.
float missedAt(DrawnPlace place, float rise)
{
    vec2 finest = finestHeight(place.relative.xy, view.cameraTexel) * terrain.pixelSize.z;
    float drawn = place.relative.z + rise - madeHeight(place);
    return abs(drawn - ((finest.x - view.cameraCell.z) - view.cameraFraction.z)) + finest.y;
}

#endif
