// Splits a pass over the leaves, or over those that are due, into dispatches of a range each: a thread a range writes its
// arguments.  Every range but the last has the same number of work groups, so that where it begins is known without asking
// the GPU; the last one takes what is left, and those beyond the end have none.
#include "shaders/frame.glsl"

layout(local_size_x = kRangeGroupSize) in;
layout(location = 0) uniform uint rangeGroups;
layout(location = 1) uniform uint rangeCount;
layout(location = 2) uniform uint overDue;  // 1: the leaves that are due, 0: all

layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kDueBinding) readonly buffer DueBlock { uint dueWords[]; };
layout(std430, binding = kRangesBinding) writeonly buffer RangesBlock { uvec4 ranges[]; };

void main()
{
    uint range = gl_GlobalInvocationID.x;
    if (range >= rangeCount) return;
    uint items = overDue != 0u ? dueWords[3] : state.leaves;
    uint groups = (items + kLeafGroupSize - 1u) / kLeafGroupSize;
    uint first = range * rangeGroups;
    uint left = groups > first ? groups - first : 0u;
    if (range + 1u != rangeCount) left = min(left, rangeGroups);
    ranges[range] = uvec4(min(left, kMaxGroupsX), (left + kMaxGroupsX - 1u) / kMaxGroupsX, 1u, 0u);
}
