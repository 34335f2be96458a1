// The ground that is drawn in a pixel: the pixel's depth says where, and the triangle that was drawn there how high.
//
// Depth alone will not do.  Where a triangle is seen edge-on a rasteriser's depth, a plane through corners that it has moved
// to its own grid, may lie anywhere on the pixel's ray: what is measured must be a point of the mesh.
//
// Needs in scope: frame.glsl, ground_points.glsl, seen.glsl, surface.glsl; on the Earth earth_place.glsl, earth_point.glsl.
#ifndef OROGEN_DRAWN_PLACE_GLSL
#define OROGEN_DRAWN_PLACE_GLSL

#include "shaders/drawn_mesh.glsl"

// Of the point in a pixel by its depth.
struct DrawnPlace
{
    vec3 relative;
    vec3 up;
    Lattice cell;  // the whole lattice point below it
    vec2 rest;
    float height;  // metres above the ellipsoid, of the Earth alone
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

// A point that lies farther from the mesh than a rasteriser's grid accounts for is none of it.  Pixels.
const float kOffMesh = 0.05;

bool isOnMesh(DrawnPlace place, float rise)
{
    return verticalPixels(rise, place.relative, place.up, view.lens.z) <= kOffMesh;
}

#endif
