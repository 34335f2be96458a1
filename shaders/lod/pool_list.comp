// Runs after the reduction: lists the slots in use in ascending order.  One thread for every 32 slots.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#include "shaders/lod/lod_buffers.glsl"

layout(location = 0) uniform uint everything;  // 1: lists even if there were no splits and no merges

void main()
{
    uint word = leafNumber();
    if (word >= lodNumberWords()) return;
    if (everything == 0u && roundCounters[kLodSplits] + roundCounters[kLodMerges] == 0u) return;
    uint node = cbtWordCount() + word;
    uint place = cbtLeafNumber(node);  // number of set bits before this word
    for (uint bits = heap[node]; bits != 0u; bits &= bits - 1u)
    {
        leaves[place] = 32u * word + uint(findLSB(bits));
        place += 1u;
    }
}
