// Pass "offsets" of a round of splits and merges on the implicit tree, after the pass "plan" (lod_plan.comp): sums up
// the changes of the list of leaves (leaf_changes.glsl).  One workgroup for every kSumBlock words of leafChanges[].
// Rounds without changes need no sums.
#include "shaders/frame.glsl"
#define OROGEN_COUNTERS_QUALIFIER coherent
#define OROGEN_PREFIX_QUALIFIER coherent  // the last workgroup reads the sums of all blocks
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/tree/leaf_list.glsl"
#include "shaders/tree/leaf_changes.glsl"
#include "shaders/tree/last_group.glsl"

const uint kSumThreads = OROGEN_REDUCE_THREADS > kChunkThreadsSoftware ? kReduceGroupSize : kChunkThreadsSoftware;

layout(local_size_x = kSumThreads) in;

// Functions that block_sums.glsl requires.  The codes move to y, so that the next plan finds zeros.
uint valueOfWord(uint word) { return leavesAdded(leafChanges[word].x); }
void storeSumBefore(uint word, uint sum)
{
    leafChanges[word].y = leafChanges[word].x;
    leafChanges[word].z = sum;
    leafChanges[word].x = 0u;
}
void storeBlock(uint block, uint sum) { leafChanges[block].w = sum; }
uint blockOf(uint block) { return leafChanges[block].w; }

#include "shaders/tree/block_sums.glsl"

void main()
{
    if (roundCounters[kLodSplits] + roundCounters[kLodMerges] == 0u) return;
    sumBlocks((state.leaves + 7u) / 8u, kLodReduceTicket);
}
