// Exclusive prefix sums over the values of words, by one workgroup of kSumThreads threads, which all call sumWords().
//
// Must be in scope: kSumThreads; uint valueOfWord(uint word); void storeSumBefore(uint word, uint sum), which stores
// the sum of all lower words.  storeSumBefore() may change only the value of its word.
#ifndef OROGEN_WORD_SUMS_GLSL
#define OROGEN_WORD_SUMS_GLSL

shared uint sums[kSumThreads];

void sumWords(uint words)
{
    uint share = (words + kSumThreads - 1u) / kSumThreads;
    uint first = min(gl_LocalInvocationID.x * share, words), end = min(first + share, words);
    uint sum = 0u;
    for (uint word = first; word < end; ++word) sum += valueOfWord(word);
    sums[gl_LocalInvocationID.x] = sum;
    barrier();
    uint before = 0u;
    for (uint i = 0u; i < gl_LocalInvocationID.x; ++i) before += sums[i];
    for (uint word = first; word < end; ++word)
    {
        uint value = valueOfWord(word);
        storeSumBefore(word, before);
        before += value;
    }
}

#endif
