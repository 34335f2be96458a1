// Slope of the ground in a pixel (metres per metre, unscaled), for a terrain in tiles.  terrain.frag includes this
// file, and its inputs must be in scope.
#ifndef OROGEN_GROUND_SLOPE_TILES_GLSL
#define OROGEN_GROUND_SLOPE_TILES_GLSL

#include "shaders/heights/tile_place.glsl"
#include "shaders/heights/tile_table.glsl"
#include "shaders/heights/tile_slopes.glsl"

// Returns the slope of the tiles, blended into that of the overview, an image of the whole terrain with fewer samples.
// Where a pixel covers at least one sample of the overview, the overview's mipmaps are as accurate and better filtered.
vec2 groundSlope(vec2 uv)
{
    float level = 0.5 * log2(max(max(dot(texelAcross, texelAcross), dot(texelAlong, texelAlong)), 1.0e-12));
    float footprint = footprintLevel(relativeAcross.xy, relativeAlong.xy);
    vec2 slope = tileSlope(placeFromCamera(relative.xy), footprint, distanceRatio(relative.xy));
    return mix(slope, sampled(gradientTexture, uv).rg, clamp(1.0 + 2.0 * level, 0.0, 1.0));
}

#endif
