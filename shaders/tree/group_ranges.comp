// Splits a pass over all leaves, over a shorter list of leaves, or over the list of a decode into dispatches of one
// range each.  The shorter list has the leaves without a valid cached verdict (lod_due.comp) or, in the pool, those
// that change (pool_change.glsl).  Each thread writes the arguments of one dispatch.  Range r begins at workgroup
// r * `rangeGroups`, so the CPU knows the starts without a readback.  The last range takes all remaining workgroups.
#include "shaders/frame.glsl"

layout(local_size_x = kRangeGroupSize) in;
layout(location = 0) uniform uint rangeGroups;
layout(location = 1) uniform uint rangeCount;
layout(location = 2) uniform uint over;  // LeafRounds::Pass::Over: 1 kLeaves, 2 kDue, 3 kList

layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kDueBinding) readonly buffer DueBlock { uint dueWords[]; };
layout(std430, binding = kRangesBinding) writeonly buffer RangesBlock { uvec4 ranges[]; };

void main()
{
    uint range = gl_GlobalInvocationID.x;
    if (range >= rangeCount) return;
    uint items = over == 1u ? state.leaves : over == 2u ? dueWords[3] : state.listed;
    uint groups = (items + kLeafGroupSize - 1u) / kLeafGroupSize;
    uint first = range * rangeGroups;
    uint left = groups > first ? groups - first : 0u;
    if (range + 1u != rangeCount) left = min(left, rangeGroups);
    ranges[range] = uvec4(min(left, kMaxGroupsX), (left + kMaxGroupsX - 1u) / kMaxGroupsX, 1u, 0u);
}
