// The sky, or space, where no ground is drawn.
#define OROGEN_TAKES_UNIFORMS
#include "shaders/frame.glsl"
#include "shaders/pixel_uniforms.glsl"
#include "shaders/air/air_table.glsl"
#include "shaders/shading/tone.glsl"

layout(location = 0) in vec3 ray;
layout(location = 0) out vec4 colour;

const float kFarAway = 1.0e9;  // metres; beyond all air

// Returns the light of the sun's disc with limb darkening, an edge one pixel wide, and the glare of a lens.
vec3 sunDisc(vec3 direction)
{
    const float radius = 0.5 * kSunWidth;
    float angle = length(cross(direction, frame.sunDirection.xyz));
    if (dot(direction, frame.sunDirection.xyz) < 0.0) return vec3(0.0);
    float pixel = 1.0 / frame.pixelsPerRadian;
    float disc = 1.0 - smoothstep(radius - 0.5 * pixel, radius + 0.5 * pixel, angle);
    float glare = 0.035 / (1.0 + pow(angle / 0.012, 2.0)) * (1.0 - smoothstep(0.10, kSunGlare, angle));
    return kSunlight.rgb * (14.0 * disc * sqrt(max(1.0 - 0.6 * angle * angle / (radius * radius), 0.2)) + glare);
}

void main()
{
    takeUniforms();
    vec3 direction = normalize(ray), way = direction * kFarAway;
    AirBetween between = airBefore(way);
    // Below the horizon the air is endless: the edge of a terrain fades into it.
    vec3 left = between.left * float(!endsOnGround(dot(stretched(way), air.camera.xyz) / length(stretched(way))));
    colour = vec4(displayed(mix(between.light, sunDisc(direction), left)), 1.0);
}
