// After plan: for every 32 slots, sums the slots needed by splitting leaves in all lower ones.  One workgroup suffices:
// most rounds change little, and one without splits nothing.
#include "shaders/frame.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/pool/pool_change.glsl"

layout(local_size_x = kReduceGroupSize) in;

const uint kSumThreads = kReduceGroupSize;
uint valueOfWord(uint word) { return poolNeeds(word, 0xffffffffu); }
void storeSumBefore(uint word, uint sum) { pool[poolWord(word) + kPoolBefore] = sum; }

#include "shaders/tree/word_sums.glsl"

void main()
{
    if (roundCounters[kLodSplits] != 0u) sumWords(lodNumberWords());
}
