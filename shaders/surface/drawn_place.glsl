// The ground drawn in a pixel: the pixel's depth gives the place, and the triangle drawn there the height.
//
// Depth alone is not sufficient: for a triangle seen edge-on, rasterisers interpolate depth over corners that were
// rounded to a grid, and any point of the pixel's ray may result.  The measurements need a point of the mesh.
//
// Needs in scope: frame.glsl, ground_points.glsl, seen.glsl, surface.glsl; on the Earth earth_place.glsl,
// earth_point.glsl.
#ifndef OROGEN_DRAWN_PLACE_GLSL
#define OROGEN_DRAWN_PLACE_GLSL

#include "shaders/surface/drawn_mesh.glsl"

// The point seen in a pixel, from its depth.
struct DrawnPlace
{
    vec3 relative;  // metres from the camera
    vec3 up;        // the vertical there, unit
    Lattice cell;   // lattice coordinates rounded down; on the Earth with the face
    vec2 rest;      // their fractions
    float height;  // metres above the ellipsoid; only on the Earth
};

DrawnPlace drawnPlace(vec3 relative)
{
    DrawnPlace place;
    place.relative = relative;
#ifdef OROGEN_EARTH
    EarthPoint point = earthPoint(relative);
    place.up = point.up;
    place.cell = ivec3(point.place.whole, point.place.face);
    place.rest = point.place.part;
    place.height = point.height;
#else
    vec2 units = (relative.xy + view.cameraFraction.xy) / terrain.squareSize.y;
    place.up = vec3(0.0, 0.0, 1.0);
    place.cell = clamp(ivec2(view.cameraCell.xy) + ivec2(floor(units)), ivec2(0), ivec2((1 << kDrawLatticeBits) - 1));
    place.rest = fract(units);
    place.height = 0.0;
#endif
    return place;
}

// Tolerance of isOnMesh() (pixels); larger than the error from rounding corners to the rasteriser's grid.
const float kOffMesh = 0.05;

bool isOnMesh(DrawnPlace place, float rise)
{
    return verticalPixels(rise, place.relative, place.up, view.lens.z) <= kOffMesh;
}

#endif
