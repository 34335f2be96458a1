// Runs after the pass "plan" (lod_plan.comp).  A word describes 32 slots of the pool (pool.glsl).  Sums up the numbers
// of slots that splits need, for poolRankBefore().  One workgroup for every kSumBlock words; rounds without splits need
// no sums.
#include "shaders/frame.glsl"
#define OROGEN_COUNTERS_QUALIFIER coherent
#define OROGEN_PREFIX_QUALIFIER coherent  // the last workgroup reads the sums of all blocks
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/pool/pool_change.glsl"
#include "shaders/tree/last_group.glsl"

const uint kSumThreads = OROGEN_REDUCE_THREADS > kChunkThreadsSoftware ? kReduceGroupSize : kChunkThreadsSoftware;

layout(local_size_x = kSumThreads) in;

// Functions that block_sums.glsl requires.
uint valueOfWord(uint word) { return poolNeeds(word, 0xffffffffu); }
void storeSumBefore(uint word, uint sum) { pool[poolWord(word) + kPoolBefore] = sum; }
void storeBlock(uint block, uint sum) { pool[poolWord(block) + kPoolBlock] = sum; }
uint blockOf(uint block) { return pool[poolWord(block) + kPoolBlock]; }

#include "shaders/tree/block_sums.glsl"

void main()
{
    if (roundCounters[kLodSplits] != 0u) sumBlocks(lodNumberWords(), kLodReduceTicket);
}
