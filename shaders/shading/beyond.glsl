// GroundPoint for the land around the raster, which has no data.  Slopes and light are the terrain's, mirrored at its
// border, and fade into the Earth's relief (surroundings.glsl), or into a plain where the terrain's place on the Earth
// is not known.  Included by terrain.frag.
#include "shaders/shading/surroundings.glsl"

const vec3 kNoData = vec3(0.66, 0.67, 0.68);  // for shadings that show data as colours

#ifdef OROGEN_SHADED_AS_DRAWN
layout(location = 4) in float landHeight;
layout(location = 5) in vec4 landSlope;
layout(location = 6) in vec4 landColour;
vec2 mirroredSample(sampler2D image, vec2 uv) { return texture(image, uv).rg; }
#else
vec2 mirroredSample(sampler2D image, vec2 uv) { return sampled(image, uv).rg; }
#endif

GroundPoint groundPoint()
{
    vec2 last = max(terrain.rasterSize.xy - 1.0, 1.0);
    vec2 mirrored = last - abs(mod(texel, 2.0 * last) - last);
    vec2 beyond = max(max(-texel, texel - last), 0.0) * terrain.pixelSize.xy;
    float distance = length(beyond);
    vec2 extent = last * terrain.pixelSize.xy;
#ifdef OROGEN_SHADED_AS_DRAWN
    Surrounding earth = Surrounding(landSlope.w, landSlope.xy, landSlope.z, landColour);
#else
    vec2 place = vec2(texel.x, last.y - texel.y) * terrain.pixelSize.xy, around = aroundOf(place);
    Surrounding earth = surroundingAt(around.x, around.y);
#endif
    // A mirrored relief beside a real one would look like a kaleidoscope.
    float reach = hasSurroundings() ? 0.02 : 0.07;
    float kept = 1.0 - smoothstep(0.0, reach * min(extent.x, extent.y), distance);

    GroundPoint point;
    point.uv = (mirrored + 0.5) * terrain.rasterSize.zw;
    point.gradient = mirroredSample(gradientTexture, point.uv) * (terrain.pixelSize.z * kept) + earth.slope * earth.share;
    point.normal = normalize(vec3(-point.gradient, 1.0));
#ifdef OROGEN_SHADED_AS_DRAWN
    point.height = landHeight;
#else
    float fromBorder = max(beyond.x, beyond.y);
    point.height = relative.z + frame.cameraCell.z + frame.cameraFraction.z + fromBorder * fromBorder / kEarthDiameter;
#endif
    point.picture = earth.colour;
    point.earthHeight = earth.height;
    point.light = mix(vec2(1.0), mirroredSample(lightTexture, point.uv), kept);
    return point;
}
