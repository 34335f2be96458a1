// Runs after the pass "plan" (lod_plan.comp).  A word describes 32 slots of the pool (pool.glsl).  Stores for each word
// the number of slots that the splits in all lower words need, an exclusive prefix sum.  One workgroup is fast enough,
// because rounds without splits skip the sum.
#include "shaders/frame.glsl"
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/pool/pool_change.glsl"

layout(local_size_x = kReduceGroupSize) in;

const uint kSumThreads = kReduceGroupSize;
// Functions that word_sums.glsl requires.
uint valueOfWord(uint word) { return poolNeeds(word, 0xffffffffu); }
void storeSumBefore(uint word, uint sum) { pool[poolWord(word) + kPoolBefore] = sum; }

#include "shaders/tree/word_sums.glsl"

void main()
{
    if (roundCounters[kLodSplits] != 0u) sumWords(lodNumberWords());
}
