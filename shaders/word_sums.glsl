// Exclusive prefix sums over words, by one workgroup of kReduceGroupSize threads: sumWords(), called by all of them.
//
// Must be in scope: uint valueOfWord(uint word), and void storeSumBefore(uint word, uint sum), which must not change the
// values.
#ifndef OROGEN_WORD_SUMS_GLSL
#define OROGEN_WORD_SUMS_GLSL

layout(local_size_x = kReduceGroupSize) in;

shared uint sums[kReduceGroupSize];

void sumWords(uint words)
{
    uint share = (words + kReduceGroupSize - 1u) / kReduceGroupSize;
    uint first = min(gl_LocalInvocationID.x * share, words), end = min(first + share, words);
    uint sum = 0u;
    for (uint word = first; word < end; ++word) sum += valueOfWord(word);
    sums[gl_LocalInvocationID.x] = sum;
    barrier();
    uint before = 0u;
    for (uint i = 0u; i < gl_LocalInvocationID.x; ++i) before += sums[i];
    for (uint word = first; word < end; ++word)
    {
        storeSumBefore(word, before);
        before += valueOfWord(word);
    }
}

#endif
