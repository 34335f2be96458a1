// Draws the triangulation from above into an image.  Each pixel looks up the leaf over its middle, so the cost does not
// depend on the number of leaves.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(location = 0) uniform vec3 region;  // x, y: north-western corner on the draw lattice; z: lattice units per pixel
layout(rgba8, binding = 0) writeonly uniform image2D picture;

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
#include "shaders/heights/gradient_texture.glsl"

#include "shaders/tree/cbt.glsl"
#include "shaders/surface/surface_plane.glsl"
#include "shaders/tree/leaf_at.glsl"
#include "shaders/shading/lod_colour.glsl"

// Returns the distance from `point` to the line through two corners (pixels).
float toEdge(vec2 point, ivec2 a, ivec2 b)
{
    vec2 along = vec2(b - a), from = point - vec2(a);
    return abs(along.x * from.y - along.y * from.x) / (length(along) * region.z);
}

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, imageSize(picture)))) return;
    vec2 point = region.xy + vec2(float(pixel.x) + 0.5, -(float(pixel.y) + 0.5)) * region.z;
    vec4 bounds = terrain.latticeBounds;
    if (any(lessThan(point, bounds.xy)) || any(greaterThan(point, bounds.zw)))
    {
        imageStore(picture, pixel, vec4(0.07, 0.08, 0.10, 1.0));
        return;
    }
    LeafAt leaf = leafAt(ivec2(point));
    vec2 uv = (surfaceTexel(ivec2(point)) + 0.5) * terrain.rasterSize.zw;
    vec2 gradient = textureLod(gradientTexture, uv, log2(max(region.z * terrain.squareSize.y / terrain.pixelSize.x, 1.0))).rg;
    vec3 normal = normalize(vec3(-gradient * terrain.pixelSize.z, 1.0));
    vec3 shown = lodColour(cbtDepth(leaf.node), kDeepestPlaneLevel) * (0.55 + 0.5 * max(dot(normal, normalize(vec3(-0.45, 0.55, 0.70))), 0.0));
    // Lines fade before triangles get so small that they would consist of lines only.
    float size = length(vec2(leaf.base1 - leaf.base0)) / region.z;
    float nearest = min(toEdge(point, leaf.base0, leaf.base1),
                        min(toEdge(point, leaf.apex, leaf.base0), toEdge(point, leaf.apex, leaf.base1)));
    float line = (1.0 - smoothstep(0.3, 1.0, nearest)) * 0.8 * clamp((size - 3.0) / 9.0, 0.0, 1.0);
    imageStore(picture, pixel, vec4(mix(shown, vec3(0.03, 0.05, 0.09), line), 1.0));
}
