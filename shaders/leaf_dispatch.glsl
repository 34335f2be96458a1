// One thread a leaf.  Dispatches wrap into y: one dimension holds 65535 groups, a large tree has more.
#ifndef OROGEN_LEAF_DISPATCH_GLSL
#define OROGEN_LEAF_DISPATCH_GLSL

layout(local_size_x = kLeafGroupSize) in;

uint leafNumber()
{
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * kLeafGroupSize + gl_LocalInvocationID.x;
}

#endif
