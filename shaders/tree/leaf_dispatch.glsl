// Maps a thread to a leaf.  Dispatches continue in y, because OpenGL guarantees only 65,535 workgroups in one
// dimension.  If a pass is split into dispatches over ranges of leaves, firstGroup is the first workgroup of the range.
#ifndef OROGEN_LEAF_DISPATCH_GLSL
#define OROGEN_LEAF_DISPATCH_GLSL

#ifndef OROGEN_LEAVES_PER_THREAD
#define OROGEN_LEAVES_PER_THREAD 1u
#endif

layout(local_size_x = kLeafGroupSize / OROGEN_LEAVES_PER_THREAD) in;

layout(location = 8) uniform uint firstGroup;

// Returns the index, among the leaves of the pass, of the thread's first leaf.  It may exceed the number of leaves.
uint leafNumber()
{
    uint group = firstGroup + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    return group * kLeafGroupSize + gl_LocalInvocationID.x * OROGEN_LEAVES_PER_THREAD;
}

#endif
