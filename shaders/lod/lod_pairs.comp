// Pass "pairs" of a round of splits and merges (lod_round.glsl), run only in rounds whose requested splits exceed the
// free capacity.  Lists the pairs of leaves of the one priority for which the capacity suffices only in part.  The last
// workgroup sums up the pairs' costs (splits).  Then lod_serve.comp lets pairs split in the order of their numbers
// until the capacity is used up.
#include "shaders/frame.glsl"
#include "shaders/tree/leaf_dispatch.glsl"
#define OROGEN_COUNTERS_QUALIFIER coherent
#define OROGEN_PREFIX_QUALIFIER coherent  // the last workgroup reads the sums of all workgroups
#include "shaders/lod/lod_buffers.glsl"
#include "shaders/tree/last_group.glsl"

const uint kSumThreads = kLeafGroupSize;
// Functions that word_sums.glsl requires; a word is the sum of a block of leaf numbers.
uint valueOfWord(uint block) { return lodPairPrefix(block); }
void storeSumBefore(uint block, uint sum) { lodStorePairPrefix(block, sum); }

#include "shaders/tree/word_sums.glsl"

void main()
{
    uint place = leafNumber();
    uint count = cbtLeafCount();
    if (place < count) lodPairs(place, lodNumberAt(place), leaves[place], frame.leafCapacity);
    if (place - gl_LocalInvocationIndex >= count) return;  // groups beyond the last leaf are not counted below
    if (isLastGroup(kLodPairsTicket, state.leafGroups[3])) sumWords(0u, lodPairBlocks());
}
