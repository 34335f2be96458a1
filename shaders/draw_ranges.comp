// Splits the list of leaves in view into ranges that are drawn one after another: a thread a range writes the arguments
// of its indirect draw.  Every range but the last has the same number of leaves, so that where it begins is known
// without asking the GPU; the last one takes what is left.
#include "shaders/frame.glsl"

layout(local_size_x = kRangeGroupSize) in;
layout(location = 0) uniform uint rangeLeaves;
layout(location = 1) uniform uint rangeCount;

layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kRangesBinding) writeonly buffer RangesBlock { DrawCommand ranges[]; };

void main()
{
    uint range = gl_GlobalInvocationID.x;
    if (range >= rangeCount) return;
    uint first = range * rangeLeaves;
    uint left = state.drawInstances > first ? state.drawInstances - first : 0u;
    bool last = range + 1u == rangeCount;
    ranges[range].count = state.drawCount;
    ranges[range].instances = last ? left : min(left, rangeLeaves);
    ranges[range].first = state.drawFirst;
    ranges[range].baseVertex = state.drawBaseVertex;
    ranges[range].baseInstance = 0u;
}
