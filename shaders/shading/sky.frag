// The sky, and below the horizon the haze into which the terrain's edge fades.
#include "shaders/frame.glsl"
#include "shaders/shading/atmosphere.glsl"

layout(location = 0) in vec3 ray;
layout(location = 0) out vec4 colour;

void main()
{
    vec3 direction = normalize(ray);
    vec3 radiance = skyRadiance(direction);
    float cosine = dot(direction, frame.sunDirection.xyz);
    radiance += sunColour() * 12.0 * smoothstep(0.99993, 0.99997, cosine) * step(0.0, direction.z);
    float below = clamp(-direction.z * 4.0, 0.0, 1.0);
    radiance = mix(radiance, skyRadiance(vec3(normalize(direction.xy + 1.0e-6), 0.0)) * vec3(0.62, 0.66, 0.70), below);
    colour = vec4(displayed(radiance), 1.0);
}
