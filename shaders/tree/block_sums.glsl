// Exclusive prefix sums over the values of many words, by several workgroups (word_sums.glsl).  A workgroup sums a
// block of kSumBlock words.  The workgroup that finishes last then sums the blocks.  The sum of all words below a word
// is the sum that storeSumBefore() got for it, plus the one that storeBlock() got last for its block.
//
// Must be in scope: what word_sums.glsl requires; last_group.glsl, with coherent blocks;
// void storeBlock(uint block, uint sum); uint blockOf(uint block), which returns what storeBlock() stored.
#ifndef OROGEN_BLOCK_SUMS_GLSL
#define OROGEN_BLOCK_SUMS_GLSL

#include "shaders/tree/word_sums.glsl"

// Call from every workgroup of a dispatch over the blocks of `words` words.  `ticket`: for isLastGroup().
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
    uint before = sumOfLowerThreads(sum, total);  // isLastGroup() has the barrier that must precede
    for (uint i = from; i < to; ++i)
    {
        sum = blockOf(i);
        storeBlock(i, before);
        before += sum;
    }
}

#endif
