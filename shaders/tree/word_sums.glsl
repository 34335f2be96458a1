// Exclusive prefix sums over the values of words, by workgroups of kSumThreads threads.  All threads of a workgroup
// call each function.
//
// Must be in scope: kSumThreads; uint valueOfWord(uint word); void storeSumBefore(uint word, uint sum).
// storeSumBefore() must not change the value of another word.
#ifndef OROGEN_WORD_SUMS_GLSL
#define OROGEN_WORD_SUMS_GLSL

shared uint sums[kSumThreads];

// Returns the sum of `value` over all lower threads of the workgroup.  `total`: its sum over all threads.  Between two
// calls a barrier is needed, since both calls use sums[].
uint sumOfLowerThreads(uint value, out uint total)
{
    sums[gl_LocalInvocationID.x] = value;
    barrier();
    uint before = 0u;
    total = 0u;
    for (uint i = 0u; i < kSumThreads; ++i)
    {
        before += i < gl_LocalInvocationID.x ? sums[i] : 0u;
        total += sums[i];
    }
    return before;
}

// Calls storeSumBefore() for the words `first` ... `end` - 1 with the sum of the values of `first` ... word - 1.
// Returns the sum of all their values.
uint sumWords(uint first, uint end)
{
    uint share = (end - first + kSumThreads - 1u) / kSumThreads;
    uint from = min(first + gl_LocalInvocationID.x * share, end), to = min(from + share, end);
    uint sum = 0u, total;
    for (uint word = from; word < to; ++word) sum += valueOfWord(word);
    uint before = sumOfLowerThreads(sum, total);
    for (uint word = from; word < to; ++word)
    {
        uint value = valueOfWord(word);
        storeSumBefore(word, before);
        before += value;
    }
    return total;
}

#endif
