// Exclusive prefix sums over the values of many words, by several workgroups (word_sums.glsl).  A workgroup sums a
// block of kSumBlock words.  The workgroup that finishes last then sums the blocks.  The sum of all words below a word
// is the sum that storeSumBefore() got for it, plus the one that storeBlock() got last for its block.
//
// Must be in scope: the requirements of word_sums.glsl; last_group.glsl; void storeBlock(uint block, uint sum), into a
// coherent buffer; uint blockOf(uint block), which returns the stored sum.
#ifndef OROGEN_BLOCK_SUMS_GLSL
#define OROGEN_BLOCK_SUMS_GLSL

#include "shaders/tree/word_sums.glsl"

// Sums `words` words.  Call from every workgroup of a dispatch of one group per block.  `ticket`: for isLastGroup().
void sumBlocks(uint words, uint ticket)
{
    uint block = gl_WorkGroupID.x, blocks = gl_NumWorkGroups.x, total;
    uint first = min(block * kSumBlock, words);
    uint sum = sumWords(first, min(first + kSumBlock, words));
    if (gl_LocalInvocationIndex == 0u) storeBlock(block, sum);
    if (!isLastGroup(ticket, blocks)) return;
    uint share = (blocks + kSumThreads - 1u) / kSumThreads;
    uint from = min(gl_LocalInvocationID.x * share, blocks), to = min(from + share, blocks);
    sum = 0u;
    for (uint i = from; i < to; ++i) sum += blockOf(i);
    uint before = sumOfLowerThreads(sum, total);  // isLastGroup() has the barrier that is needed before this call
    for (uint i = from; i < to; ++i)
    {
        sum = blockOf(i);
        storeBlock(i, before);
        before += sum;
    }
}

#endif
