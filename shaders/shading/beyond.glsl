// GroundPoint for the land around the raster, which has no data.  Slopes and light are the terrain's, mirrored at its
// border, and fade into the Earth's relief (surroundings.glsl), or into a plain where the terrain's place on the Earth
// is not known.  Included by terrain.frag.
#include "shaders/shading/border_point.glsl"
#include "shaders/shading/surroundings.glsl"

const vec3 kNoData = vec3(0.66, 0.67, 0.68);  // land without data, in shadings that show data as colours

GroundPoint groundPoint()
{
    vec2 last = max(terrain.rasterSize.xy - 1.0, 1.0);
    vec2 mirrored = last - abs(mod(texel, 2.0 * last) - last);
    vec2 beyond = max(max(-texel, texel - last), 0.0) * terrain.pixelSize.xy;
    float distance = length(beyond);
    vec2 extent = last * terrain.pixelSize.xy;
    vec2 place = vec2(texel.x, last.y - texel.y) * terrain.pixelSize.xy;
    vec3 around = aroundOf(place);
    Surrounding earth = surroundingAt(around.x, around.y);
    // A mirrored relief beside a real one would look like a kaleidoscope.
    float reach = hasSurroundings() ? 0.02 : 0.07;
    float kept = 1.0 - smoothstep(0.0, reach * min(extent.x, extent.y), distance);

    GroundPoint point;
    point.uv = (mirrored + 0.5) * terrain.rasterSize.zw;
    point.gradient = sampled(gradientTexture, point.uv).rg * (terrain.pixelSize.z * kept) + earth.slope * earth.share;
    point.normal = normalize(vec3(-point.gradient, 1.0));
    // At the border the land is drawn some pixels above the ground, to hide gaps (border.vert).
    float drawn = relative.z + frame.cameraCell.z + frame.cameraFraction.z + around.z;
    float raised = 4.0 * (length(relative) / frame.pixelsPerRadian) + 2.0 * max(terrain.pixelSize.x, terrain.pixelSize.y);
    drawn = mix(borderHeight(around.x, 0.0), drawn, clamp(around.y / raised, 0.0, 1.0));
    // Far away the flat triangles lie so far below the sphere that their edges would show in the air.
    point.height = mix(drawn, drawnHeight(earth), earth.share);
    // Where samples 9 km apart rise and fall, the ground between them is steeper.
    point.rough = min(6.0 * length(earth.slope), 0.5 * terrain.pixelSize.z) * smoothstep(0.0, 40.0, earth.height) * earth.share;
    point.picture = earth.colour;
    point.earthHeight = earth.height;
    point.light = mix(vec2(1.0), sampled(lightTexture, point.uv).rg, kept);
    return point;
}

// Returns noise with features of 2.1 km, which the sizes of Pattern leave out.  x: value in [0, 1], 0.5 where it does
// not show; y, z: derivatives along east and north, weighted as Pattern.hills.  For the parameters see patternAt().
vec3 hillAt(vec2 texel, float footprint)
{
    vec2 place = texel * terrain.pixelSize.xy;
    vec3 noise = noiseWithSlope(vec2(dot(place, vec2(0.6, 0.8)), dot(place, vec2(-0.8, 0.6))) * (1.0 / 2100.0), -1);
    float show = shown(footprint, 1.0 / 2100.0);
    vec2 slope = noise.y * vec2(0.6, 0.8) + noise.z * vec2(-0.8, 0.6);
    return vec3(mix(0.5, noise.x, show), 0.8 * show * slope * vec2(1.0, -1.0));
}
