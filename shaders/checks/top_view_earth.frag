// Colours a leaf of the view from above by its depth, with its edges and the light of its slope.
#include "shaders/frame.glsl"
#include "shaders/shading/lod_colour.glsl"

layout(location = 0) in vec3 corners;  // weights of the leaf's corners, each 0 on the opposite edge
layout(location = 1) in vec3 ground;   // metres, in the region's axes
layout(location = 2) in float facing;  // below 0: on the far side of the globe
layout(location = 3) flat in uint depth;
layout(location = 0) out vec4 colour;

void main()
{
    vec3 pixels = corners / max(fwidth(corners), vec3(1.0e-9));  // distances from the edges
    vec3 normal = cross(dFdx(ground), dFdy(ground));
    if (facing < 0.0) discard;
    normal = normalize(normal.z < 0.0 ? -normal : normal);
    vec3 shown = lodColour(depth, kDeepestEarthLevel) * (0.55 + 0.5 * max(dot(normal, normalize(vec3(-0.45, 0.55, 0.70))), 0.0));
    // Lines fade before triangles get so small that they would consist of lines only.
    vec3 width = fwidth(corners);
    float size = 1.0 / max(max(max(width.x, width.y), width.z), 1.0e-9);
    float line = (1.0 - smoothstep(0.3, 1.0, min(pixels.x, min(pixels.y, pixels.z)))) * 0.8 * clamp((size - 3.0) / 9.0, 0.0, 1.0);
    colour = vec4(mix(shown, vec3(0.03, 0.05, 0.09), line), 1.0);
}
