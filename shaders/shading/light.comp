// Computes the visible share of the sun (red) and of the sky (green) for each texel of the light map, by marching over
// the elevation model.  Runs in slices of rows when the terrain, the height scale or the sun changes.
#include "shaders/frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(rg8, binding = 0) uniform image2D lightMap;
layout(location = 0) uniform int firstRow;
layout(location = 1) uniform int withSky;  // 0: keeps the sky's share
layout(location = 2) uniform vec3 towardsSun;

const int kSunSteps = 48;
const int kSkyDirections = 8;
const int kSkySteps = 9;

float heightHere(vec2 uv) { return (terrain.heights.x + terrain.heights.y * textureLod(heightTexture, uv, 0.0).r) * terrain.pixelSize.z; }

// Converts a horizontal direction (east, north) to texture coordinates a metre.
vec2 uvPerMetre(vec2 direction) { return direction * vec2(1.0, -1.0) / (terrain.pixelSize.xy * terrain.rasterSize.xy); }

float sunShare(vec2 uv, float height, float cell)
{
    if (towardsSun.z <= -0.02) return 0.0;
    float flatLength = max(length(towardsSun.xy), 1.0e-4);
    vec2 along = uvPerMetre(towardsSun.xy / flatLength);
    float rise = towardsSun.z / flatLength;
    float highest = terrain.heights.w - height;
    float reach = min(highest / max(rise, 0.02), cell * 900.0);
    float clearance = 1.0;
    // Steps grow with distance: shadows of near objects are sharp, those of far ones soft, as with the real sun.
    for (int i = 1; i <= kSunSteps; ++i)
    {
        float t = float(i) / float(kSunSteps);
        float distance = cell * 0.75 * float(i) + reach * t * t * t;
        float above = height + distance * rise - heightHere(uv + along * distance);
        clearance = min(clearance, 0.5 + above / (distance * 0.028 + cell * 0.10));
    }
    return smoothstep(0.0, 1.0, clearance);
}

float skyShare(vec2 uv, float height, float cell)
{
    float open = 0.0;
    for (int d = 0; d < kSkyDirections; ++d)
    {
        float angle = (float(d) + 0.5) * 6.2831853 / float(kSkyDirections);
        vec2 along = uvPerMetre(vec2(cos(angle), sin(angle)));
        float horizon = 0.0;
        for (int s = 0; s < kSkySteps; ++s)
        {
            float distance = cell * exp2(0.75 * float(s));
            horizon = max(horizon, (heightHere(uv + along * distance) - height) / distance);
        }
        open += 1.0 - horizon * inversesqrt(1.0 + horizon * horizon);
    }
    return open / float(kSkyDirections);
}

void main()
{
    ivec2 p = ivec2(gl_GlobalInvocationID.xy) + ivec2(0, firstRow);
    ivec2 size = imageSize(lightMap);
    if (p.x >= size.x || p.y >= size.y) return;
    vec2 uv = (vec2(p) + 0.5) / vec2(size);
    float height = heightHere(uv);
    float cell = max(terrain.pixelSize.x * terrain.rasterSize.x / float(size.x), terrain.pixelSize.y * terrain.rasterSize.y / float(size.y));
    float sky = withSky != 0 ? skyShare(uv, height, cell) : imageLoad(lightMap, p).g;
    imageStore(lightMap, p, vec4(sunShare(uv, height, cell), sky, 0.0, 0.0));
}
