// Draws one instance for each visible leaf, with one vertex for each point of the leaf's patch, at the heights that
// leaf_heights.comp computed.  Only the depth of the ground is drawn, and marks (marks.frag) where a shading shows the
// triangles.  The ground is shaded afterwards, pixel by pixel (terrain.frag, earth.frag).
#include "shaders/frame.glsl"

layout(location = 0) in uvec2 patchPoint;  // weights of the leaf's second and third corner, in 1 / 2^patchLevel

layout(std430, binding = kVisibleBinding) readonly buffer VisibleBlock { uvec4 visible[]; };
layout(std430, binding = kVertexHeightsBinding) readonly buffer VertexHeightsBlock { float vertexHeights[]; };

#include "shaders/surface/surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"

#ifdef OROGEN_MARKS
layout(location = 0) out vec2 patchWeights;
layout(location = 1) flat out uint leafDepth;
#endif

out gl_PerVertex
{
    vec4 gl_Position;
#ifdef OROGEN_CLIP_TO_RASTER
    float gl_ClipDistance[4];
#endif
};

void main()
{
    uvec4 leaf = visible[gl_InstanceID];
    ivec2 w = ivec2(patchPoint);
    Lattice lattice = drawnLattice(leaf, w);
#ifdef OROGEN_MARKS
    patchWeights = vec2(w);
    leafDepth = drawnLeafDepth(leaf);
#endif
    float height = vertexHeights[uint(gl_InstanceID) * patchPointCount(frame.patchLevel) + uint(gl_VertexID)];
    gl_Position = frame.clipFromRelative * vec4(surfaceRelative(lattice, height), 1.0);
#ifdef OROGEN_CLIP_TO_RASTER
    vec2 p = vec2(lattice);
    gl_ClipDistance[0] = p.x - terrain.latticeBounds.x;
    gl_ClipDistance[1] = p.y - terrain.latticeBounds.y;
    gl_ClipDistance[2] = terrain.latticeBounds.z - p.x;
    gl_ClipDistance[3] = terrain.latticeBounds.w - p.y;
#endif
}
