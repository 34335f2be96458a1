// Maps a thread to a leaf.  Dispatches continue in y, because one dimension is limited to 65535 groups.  If a pass is
// split into dispatches over ranges of leaves, firstGroup is the first group of the range.
#ifndef OROGEN_LEAF_DISPATCH_GLSL
#define OROGEN_LEAF_DISPATCH_GLSL

layout(local_size_x = kLeafGroupSize) in;

layout(location = 8) uniform uint firstGroup;

uint leafNumber()
{
    uint group = firstGroup + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    return group * kLeafGroupSize + gl_LocalInvocationID.x;
}

#endif
