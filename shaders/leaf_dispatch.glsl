// One thread a leaf.  Dispatches wrap into y: one dimension holds 65535 groups, a large tree has more.  A pass may come in
// several dispatches, each of a range of the leaves: then firstGroup is not 0.
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
