// Shades the walls below the terrain's border like a cut through the ground: slightly bent strata of earth and rock.
#include "shaders/frame.glsl"
#include "shaders/shading/atmosphere.glsl"
#include "shaders/shading/ground.glsl"

layout(location = 0) in vec3 relative;
layout(location = 1) in vec2 texel;

layout(location = 0) out vec4 colour;

// Returns the outward normal of the side that this fragment lies on.
vec3 wallNormal()
{
    vec2 last = terrain.rasterSize.xy - 1.0;
    vec4 toSide = abs(vec4(texel, texel - last));  // west, north, east, south
    float nearest = min(min(toSide.x, toSide.y), min(toSide.z, toSide.w));
    if (toSide.x == nearest) return vec3(-1.0, 0.0, 0.0);
    if (toSide.z == nearest) return vec3(1.0, 0.0, 0.0);
    return vec3(0.0, toSide.y == nearest ? 1.0 : -1.0, 0.0);
}

// Returns the albedo of the strata.  `along`: metres along the wall; `height`: metres, times the height scale.
vec3 strata(float along, float height)
{
    float range = max(terrain.heights.w - terrain.heights.z, 1.0);
    float bent = height / range * 9.0 + 0.9 * noiseWithSlope(vec2(along / range * 0.23, height / range * 0.7), -1).x;
    float layer = floor(bent), within = fract(bent);
    vec2 tones = vec2(hash(ivec2(int(layer), 7)), hash(ivec2(int(layer) + 1, 7))) * (1.0 / 65535.0);
    float shade = mix(tones.x, tones.y, smoothstep(0.86, 1.0, within));
    float grain = noiseWithSlope(vec2(along / range * 3.0, bent * 6.0), -1).x;
    return mix(vec3(0.215, 0.168, 0.122), vec3(0.110, 0.092, 0.078), shade) * (0.86 + 0.28 * grain);
}

void main()
{
    float cameraHeight = frame.cameraCell.z + frame.cameraFraction.z;
    vec3 normal = wallNormal();
    vec2 metres = texel * terrain.pixelSize.xy;
    vec3 albedo = strata(abs(normal.x) > 0.5 ? metres.y : metres.x, relative.z + cameraHeight);
    vec3 light = directLight(normal) + 0.62 * skyIrradiance();
    vec3 shown = albedo * light;
#ifdef OROGEN_AIR
    shown = throughTheAir(shown, bentDown(relative));
#endif
    colour = vec4(displayed(shown), 1.0);
}
