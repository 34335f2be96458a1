// A pass of the terrain model: the function of model_cells.glsl whose name is OROGEN_PASS.  OpenGL guarantees only
// eight storage bindings.  So arrays that no pass uses together share a binding (ModelSlot of
// compute/terrain_model/model_passes.h).
layout(local_size_x = 64) in;

layout(std430, binding = 0) buffer HeightsBlock { double heights[]; };
layout(std430, binding = 1) buffer GivenBlock { double given[]; };
layout(std430, binding = 1) buffer CountsBlock { uint counts[]; };
layout(std430, binding = 2) buffer MadeBlock { double made[]; };
layout(std430, binding = 2) buffer NextCountsBlock { uint nextCounts[]; };
layout(std430, binding = 3) buffer TermsBlock { double terms[]; };
layout(std430, binding = 4) buffer KindsBlock { uint kinds[]; };
layout(std430, binding = 4) buffer StencilBlock { float stencil[]; };
layout(std430, binding = 5) buffer PointersBlock { uint pointers[]; };
layout(std430, binding = 5) buffer RightBlock { float right[]; };
layout(std430, binding = 6) buffer NextPointersBlock { uint nextPointers[]; };
layout(std430, binding = 6) buffer AnswerBlock { float answer[]; };
layout(std430, binding = 7) buffer FoundBlock { uint found[]; };
layout(std430, binding = 7) buffer CoarseBlock { float coarse[]; };

layout(location = 0) uniform uint cells;
layout(location = 1) uniform uint columns;
layout(location = 2) uniform uint rows;
layout(location = 3) uniform uint otherColumns;
layout(location = 4) uniform uint otherRows;
layout(location = 5) uniform uint number;
layout(location = 6) uniform double alongX;
layout(location = 8) uniform double alongY;
layout(location = 10) uniform double diagonal;
layout(location = 12) uniform double a;
layout(location = 14) uniform double b;

#define OROGEN_CELL
#include "shaders/model/model_cells.glsl"

void main()
{
    uint i = gl_WorkGroupID.y * (gl_NumWorkGroups.x * gl_WorkGroupSize.x) + gl_GlobalInvocationID.x;
    if (i < cells) OROGEN_PASS(i);
}
