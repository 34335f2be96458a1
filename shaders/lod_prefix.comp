// Between mark and plan: for every 32 leaf numbers, how many leaves the listed pairs of all lower numbers would add, so
// that pairs are served in the order of their numbers until the capacity is reached.  Returns at once where everything
// fits.  One workgroup does it all: it has work to do at capacity only.
#include "shaders/frame.glsl"
#include "shaders/lod_buffers.glsl"

layout(local_size_x = kReduceGroupSize) in;

shared uint sums[kReduceGroupSize];

void main()
{
    if (!lodCapacityBinds(frame.leafCapacity)) return;
    uint words = (cbtLeafCount() + 31u) / 32u;
    uint share = (words + kReduceGroupSize - 1u) / kReduceGroupSize;
    uint first = min(gl_LocalInvocationID.x * share, words), end = min(first + share, words);
    uint sum = 0u;
    for (uint word = first; word < end; ++word) sum += lodWordCost(word);
    sums[gl_LocalInvocationID.x] = sum;
    barrier();
    uint before = 0u;
    for (uint i = 0u; i < gl_LocalInvocationID.x; ++i) before += sums[i];
    for (uint word = first; word < end; ++word)
    {
        pairPrefix[word] = before;
        before += lodWordCost(word);
    }
}
