// Splits the list of leaves in view into ranges that are drawn one after another.  Each thread writes the indirect draw
// and dispatch arguments of one range.  The sizes of the ranges are uniforms (DrawRanges, app/render/triangulation.h),
// so that the CPU knows their starts without a readback.  Ranges beyond the end of the list are empty.
#include "shaders/frame.glsl"

layout(local_size_x = kRangeGroupSize) in;
layout(location = 0) uniform uint rangeLeaves;  // leaves in each of the first `rangeCount` ranges
layout(location = 1) uniform uint rangeCount;
layout(location = 2) uniform uint restLeaves;  // leaves in each of the last `restCount` ranges
layout(location = 3) uniform uint restCount;

layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kRangesBinding) writeonly buffer RangesBlock { DrawRange ranges[]; };

void main()
{
    uint range = gl_GlobalInvocationID.x;
    if (range >= rangeCount + restCount) return;
    bool rest = range >= rangeCount;
    uint first = min(range, rangeCount) * rangeLeaves + (rest ? range - rangeCount : 0u) * restLeaves;
    uint left = state.drawInstances > first ? state.drawInstances - first : 0u;
    uint leaves = min(left, rest ? restLeaves : rangeLeaves);
    uint groups = (leaves + kLeafGroupSize - 1u) / kLeafGroupSize;
    ranges[range].draw.count = state.drawCount;
    ranges[range].draw.instances = leaves;
    ranges[range].draw.first = state.drawFirst;
    ranges[range].draw.baseVertex = state.drawBaseVertex;
    ranges[range].draw.baseInstance = 0u;
    ranges[range].groupsX = min(groups, kMaxGroupsX);
    ranges[range].groupsY = (groups + kMaxGroupsX - 1u) / kMaxGroupsX;
    ranges[range].groupsZ = 1u;
}
