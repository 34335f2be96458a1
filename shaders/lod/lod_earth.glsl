// Level of detail on the Earth: the measures of lod.glsl for a base whose ends are given on one face of the cube.  For
// a base on an edge of the cube both faces compute the same bits, as in error_pixels_earth.glsl.
//
// Needs in scope: the requirements of lod.glsl.
#ifndef OROGEN_LOD_EARTH_GLSL
#define OROGEN_LOD_EARTH_GLSL

// Returns the height of an edge's end (metres, scaled: see surface.glsl).  `units`: the edge's longerSide(), which
// selects the level of tiles.
float lodHeight(Lattice point, uint units)
{
    float height = edgeHeight(point, int(units));
#ifdef OROGEN_DETAIL
    height += detailHeight(point, height - seaLevel());
#endif
    return max(height, seaLevel()) * terrain.pixelSize.z;
}

// Returns x and y whose ratio x / y is the criterion `edge` (pixels), as in lod_plane.glsl.  x includes the base's
// weight, lodWeight().
vec2 edgeMeasure(Lattice p, Lattice q)
{
    LodBase base = lodBase(p, q);
    uint units = longerSide(p, q);
    vec3 a = offsetFrom(earthLodCamera(), base.nLow, lodHeight(base.low, units));
    vec3 b = offsetFrom(earthLodCamera(), base.nHigh, lodHeight(base.high, units));
    vec3 along = b - a;
    float t = clamp(-dot(a, along) / max(dot(along, along), 1.0e-12), 0.0, 1.0);
    float weight = lodWeight(base, a, b);
    return vec2(length(along) * frame.pixelsPerRadian * weight, max(length(a + t * along), 1.0e-3));
}

// Returns the criterion `error` of a base (pixels).
float errorPixels(Lattice p, Lattice q) { return errorPixels(latticeMiddle(p, q)); }

#endif
