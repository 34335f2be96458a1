// Draws the sky over the Earth in tiles of the screen, at the far plane.  Tiles that show neither air nor the sun's
// glare have no pixels.  Most of a picture from space is black, and a branch in the fragment shader would save nothing:
// a software rasteriser executes both sides of it.
#define OROGEN_GIVES_UNIFORMS
#include "shaders/frame.glsl"
#include "shaders/air/air.glsl"
#include "shaders/pixel_uniforms.glsl"

layout(location = 0) uniform ivec2 grid;  // columns and rows of screen tiles; each is one instance

layout(location = 0) out vec3 ray;  // direction of sight, not normalised

// Returns the direction of a pixel's ray, not normalised.
vec3 rayOf(vec2 ndc) { return (frame.relativeFromClip * vec4(ndc, 0.0, 1.0)).xyz / frame.relativeFromClip[2].w; }

float angleBetween(vec3 a, vec3 b) { return acos(clamp(dot(normalize(a), normalize(b)), -1.0, 1.0)); }

// Returns whether a tile shows air or the sun's glare.  `low`, `size`: its lower left corner and extent (ndc).
bool showsLight(vec2 low, vec2 size)
{
    vec3 middle = rayOf(low + 0.5 * size);
    float within = 0.0;  // largest angle to a corner, with a margin
    for (int i = 0; i < 4; ++i)
        within = max(within, 1.02 * angleBetween(middle, rayOf(low + size * vec2(i & 1, i >> 1))));
    bool air = angleBetween(stretched(middle), air.camera.xyz) + within > acos(air.up.w) - 0.001;
    return air || angleBetween(middle, frame.sunDirection.xyz) - within < asin(kSunGlare);
}

void main()
{
    giveUniforms();
    vec2 size = 2.0 / vec2(grid), low = vec2(gl_InstanceID % grid.x, gl_InstanceID / grid.x) * size - 1.0;
    vec2 ndc = low + size * vec2(gl_VertexID & 1, gl_VertexID >> 1);
    ray = rayOf(ndc);
    gl_Position = showsLight(low, size) ? vec4(ndc, 0.0, 1.0) : vec4(2.0, 2.0, 0.0, 1.0);
}
