// Draws a square over each pixel that edges.comp listed.  Points would be simpler, but rasterisers differ in the
// samples that a point of one pixel covers.  Depth 1e-20 selects samples with ground, as in screen.vert.
#define OROGEN_GIVES_UNIFORMS
#include "shaders/frame.glsl"
#include "shaders/air/air.glsl"
#include "shaders/pixel_uniforms.glsl"

layout(std430, binding = kEdgesBinding) readonly buffer EdgesBlock { uint edgeArguments[4]; uint edges[]; };

layout(location = 0) flat out uvec2 edgePixel;

const float kMargin = 0.1;  // pixels added around the square, so that rounding excludes no sample

void main()
{
    giveUniforms();
    uint edge = edges[gl_VertexID / int(kEdgeVertices)], corner = uint(gl_VertexID) % kEdgeVertices;
    edgePixel = uvec2(edge & 0xffffu, edge >> 16);
    vec2 side = vec2(corner == 1u || corner == 2u || corner == 4u, corner == 2u || corner == 4u || corner == 5u);
    gl_Position = vec4((vec2(edgePixel) + side + (2.0 * side - 1.0) * kMargin) * (2.0 * frame.viewport.zw) - 1.0, 1.0e-20, 1.0);
}
