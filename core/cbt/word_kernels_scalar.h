// Scalar loops of word_kernels.h.  Vectorised instruction sets use them for remainders and for loops without vectors.
// Each set's file includes this one after its core/base/target_*.h, and after all other headers: their inline functions
// must run on any processor.

namespace orogen {
namespace {

inline std::uint64_t pairAt(const std::uint32_t* words)
{
    std::uint64_t pair = 0;
    __builtin_memcpy(&pair, words, sizeof pair);
    return pair;
}

inline std::uint32_t bitsIn(std::uint64_t word)
{
#if defined(__POPCNT__)
    return std::uint32_t(__builtin_popcountll(word));
#else  // __builtin_popcount would be a function call; this vectorises
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return std::uint32_t(word * 0x0101010101010101u >> 56);
#endif
}

void countPairsScalar(const std::uint32_t* words, std::uint32_t* counts, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
        counts[i] = bitsIn(pairAt(words + 2 * i));
}

void addPairsScalar(const std::uint32_t* below, std::uint32_t* counts, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
        counts[i] = below[2 * i] + below[2 * i + 1];
}

[[maybe_unused]] void countThreeLevelsScalar(const std::uint32_t* words, std::uint32_t* deepest, std::uint32_t* middle,
                                             std::uint32_t* highest, std::size_t size)
{
    countPairsScalar(words, deepest, 4 * size);
    addPairsScalar(deepest, middle, 2 * size);
    addPairsScalar(middle, highest, size);
}

void recountScalar(std::uint32_t* heap, const NodeId* nodes, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
        heap[nodes[i]] = bitsIn(pairAt(heap + 2 * std::size_t(nodes[i])));
}

// Counts the pairs of words, from pair i on, that one leaf covers.  Pair i must be 1: only the leaf's first bit is set.
inline std::size_t pairsOfOneLeaf(const std::uint32_t* words, std::size_t i, std::size_t pairs)
{
    std::size_t end = i + 1;
    while (end < pairs && pairAt(words + 2 * end) == 0)
        ++end;
    return end - i;
}

// Decodes the leaves that start in a pair of words, one by one.  `first`: node of the first bit.  The last leaf ends
// before bit `end`.
inline NodeId* decodeFew(std::uint64_t bits, NodeId first, NodeId end, NodeId* out)
{
    while (bits != 0)
    {
        const NodeId at = NodeId(__builtin_ctzll(bits));
        bits &= bits - 1;
        const NodeId next = bits != 0 ? NodeId(__builtin_ctzll(bits)) : end;
        *out++ = (first + at) >> __builtin_ctz(next - at);
    }
    return out;
}

[[maybe_unused]] NodeId* decodeScalar(const std::uint32_t* words, std::size_t size, NodeId node, NodeId* out)
{
    const std::size_t pairs = size / 2;
    for (std::size_t i = 0; i < pairs;)
    {
        const std::uint64_t bits = pairAt(words + 2 * i);
        const NodeId first = node + 64 * NodeId(i);
        const std::size_t covered = bits == 1 ? pairsOfOneLeaf(words, i, pairs) : 1;
        if (bits == ~std::uint64_t(0))
        {
            for (NodeId bit = 0; bit < 64; ++bit)
                out[bit] = first + bit;
            out += 64;
        }
        else
            out = decodeFew(bits, first, NodeId(64 * covered), out);
        i += covered;
    }
    return out;
}

}  // namespace
}  // namespace orogen
