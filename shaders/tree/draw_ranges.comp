// Splits the list of leaves in view into ranges that are drawn one after another; each thread writes the indirect draw
// arguments of one range.  All ranges but the last have `rangeLeaves` leaves, so that their starts need no readback.
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
