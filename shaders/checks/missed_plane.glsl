// The error of a drawn point of a plane: see error_measure.comp.
#ifndef OROGEN_MISSED_PLANE_GLSL
#define OROGEN_MISSED_PLANE_GLSL

// Returns the height of the procedural detail down to its finest octave (metres, scaled).
float madeHeight(DrawnPlace place)
{
#ifdef OROGEN_DETAIL
    return detailAt(place.cell, place.rest, 0.0, reliefAt(place.cell)).x * terrain.pixelSize.z;
#else
    return 0.0;
#endif
}

// Returns an upper bound of the error (metres): the vertical distance of the drawn point from the finest loaded height
// of the data, plus that height's deviation from the finest data.  `rise`: distance (metres) from the place's point up
// to the drawn mesh.
float missedAt(DrawnPlace place, float rise)
{
    vec2 finest = finestHeight(place.relative.xy, view.cameraTexel) * terrain.pixelSize.z;
    float drawn = place.relative.z + rise - madeHeight(place);
    return abs(drawn - ((finest.x - view.cameraCell.z) - view.cameraFraction.z)) + finest.y;
}

#endif
