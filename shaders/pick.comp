// Which leaf lies under one point of the ground, and what the criteria say of it.  Changes nothing of the tree.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"

layout(local_size_x = 1) in;
layout(location = 0) uniform ivec2 point;  // on the draw lattice

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kPickBinding) writeonly buffer PickBlock { PickedLeaf picked; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
layout(binding = kRangeTexture) uniform sampler2D rangeTexture;

#include "shaders/cbt.glsl"
#include "shaders/leb.glsl"
#include "shaders/surface.glsl"
#include "shaders/heights.glsl"
#include "shaders/lod.glsl"
#include "shaders/leaf_at.glsl"

void main()
{
    uint node = leafAt(point).node;
    LebEdge base = lebBaseEdge(lebVertices(node));
    vec2 measure = edgeMeasure(base);
    picked.node = node;
    picked.depth = cbtDepth(node);
    picked.errorPixels = errorPixels(base);
    picked.edgePixels = measure.x / measure.y / float(1 << frame.patchLevel);
}
