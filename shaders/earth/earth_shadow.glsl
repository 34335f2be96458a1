// Shadows of the relief on the ground around the camera, from maps of the region (region.glsl).  A map stores the share
// of the sun's disc that shows; level 0 is the finest.
//
// Without OROGEN_SHADOWS nothing casts a shadow.
#ifndef OROGEN_EARTH_SHADOW_GLSL
#define OROGEN_EARTH_SHADOW_GLSL

#ifdef OROGEN_SHADOWS
#include "shaders/earth/region.glsl"

layout(binding = kLightTexture) uniform sampler2DArray regionShares;
layout(location = 40) uniform vec4 regionCentre;  // xyz: from the camera; w: width of level 0 (metres); 0: no map
layout(location = 41) uniform vec3 regionEast;
layout(location = 42) uniform vec3 regionNorth;

float regionShare(vec2 place, int level)
{
    return textureLod(regionShares, vec3(place / regionWidth(regionCentre.w, level) + 0.5, float(level)), 0.0).r;
}

// Returns the share of the disc of the sun, or of the moon by night, that shows at a point.  Levels blend at their
// edges, and the last one fades.
float lightShownAt(vec3 point)
{
    if (regionCentre.w <= 0.0) return 1.0;
    vec2 place = vec2(dot(point - regionCentre.xyz, regionEast), dot(point - regionCentre.xyz, regionNorth));
    float out0 = 2.0 * max(abs(place.x), abs(place.y)) / regionCentre.w;
    int level = out0 < 1.0 ? 0 : out0 < kRegionGrowth ? 1 : 2;
    float edge = smoothstep(0.75, 0.98, out0 / pow(kRegionGrowth, float(level)));
    float coarser = level < kRegionLevels - 1 ? regionShare(place, min(level + 1, kRegionLevels - 1)) : 1.0;
    return mix(regionShare(place, level), coarser, edge);
}
#else
float lightShownAt(vec3 point) { return 1.0; }
#endif

#endif
