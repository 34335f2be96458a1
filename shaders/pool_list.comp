// After the reduction: lists the slots in use, in ascending order.  A thread for every 32 slots.
#include "shaders/frame.glsl"
#include "shaders/leaf_dispatch.glsl"
#include "shaders/lod_buffers.glsl"

layout(location = 0) uniform uint everything;  // 1: whatever the round changed

void main()
{
    uint word = leafNumber();
    if (word >= lodNumberWords()) return;
    if (everything == 0u && roundCounters[kLodSplits] + roundCounters[kLodMerges] == 0u) return;
    uint node = cbtWordCount() + word;
    uint place = cbtLeafNumber(node);  // how many bits are set before it
    for (uint bits = heap[node]; bits != 0u; bits &= bits - 1u)
    {
        leaves[place] = 32u * word + uint(findLSB(bits));
        place += 1u;
    }
}
