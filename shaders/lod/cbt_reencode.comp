// Writes the listed leaves into an empty tree of another maximum depth.  Leaves deeper than `deepest` are replaced by
// their ancestors at that depth.  Leaves with a common ancestor there set the same bit.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

layout(location = 0) uniform uint deepest;  // at most the new tree's maximum depth

void main()
{
    uint number = leafNumber();
    if (number >= state.leaves) return;
    uint node = leaves[number];
    if (cbtDepth(node) > deepest) node >>= cbtDepth(node) - deepest;
    uint bit = cbtFirstBit(node);
    atomicOr(heap[cbtWordCount() + (bit >> 5u)], 1u << cbtIndexInWord(bit));
}
