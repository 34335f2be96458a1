// Finds the leaf under a point of a plane and evaluates the refinement criteria for it.  Does not change the tree.
// One thread descends the tree.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kPickBinding) buffer PickBlock { PickedLeaf picked; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/tree/cbt.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/lod/lod.glsl"

layout(local_size_x = 1) in;
layout(location = 0) uniform ivec2 point;  // on the draw lattice
#include "shaders/tree/leaf_at.glsl"

void main()
{
    uint node = leafAt(point).node;
    LebEdge base = lebBaseEdge(lebVertices(node));
    vec2 measure = edgeMeasure(base);
    picked.node = node;
    picked.nodeHigh = 0u;
    picked.depth = cbtDepth(node);
    picked.errorPixels = errorPixels(base);
    picked.edgePixels = measure.x / measure.y / float(1 << frame.patchLevel);
}
