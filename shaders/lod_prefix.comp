// Between mark and plan: for every 32 leaf numbers, how many leaves the listed pairs of all lower numbers would add, so
// that pairs are served in the order of their numbers until the capacity is reached.  Returns at once where everything
// fits.  One workgroup does it all: it has work to do at capacity only.
#include "shaders/frame.glsl"
#include "shaders/lod_buffers.glsl"

uint valueOfWord(uint word) { return lodWordCost(word); }
void storeSumBefore(uint word, uint sum) { lodStorePairPrefix(word, sum); }

#include "shaders/word_sums.glsl"

void main()
{
    if (lodCapacityBinds(frame.leafCapacity)) sumWords(lodNumberWords());
}
