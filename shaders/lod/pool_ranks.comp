// Runs after plan: for every 32 slots (a word), sums the slots that splitting leaves in all lower words need.  One
// workgroup suffices: a round without splits skips the sum.
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
