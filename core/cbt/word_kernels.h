// The loops over a tree's words, once for each instruction set; every set gives the same words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/cbt/node.h"

namespace orogen {

struct WordKernels
{
    const char* name;

    // counts[i] becomes the number of bits set in words 2 i and 2 i + 1.
    void (*countPairs)(const std::uint32_t* words, std::uint32_t* counts, std::size_t size);

    // The same and the two levels above it, in one go: `size` counts of the highest, twice and four times as many
    // below.
    void (*countThreeLevels)(const std::uint32_t* words, std::uint32_t* deepest, std::uint32_t* middle,
                             std::uint32_t* highest, std::size_t size);

    // counts[i] becomes below[2 i] + below[2 i + 1].
    void (*addPairs)(const std::uint32_t* below, std::uint32_t* counts, std::size_t size);

    // heap[node] becomes the number of bits set in heap[2 node] and heap[2 node + 1], for each of these nodes.
    void (*recount)(std::uint32_t* heap, const NodeId* nodes, std::size_t size);

    // Writes the leaf that starts at each set bit, in order.  `words` is an even number of words of the field, all bits
    // of a subtree with two leaves or more, so that every leaf that starts in it ends in it; its first bit is `node` of
    // depth D.  Returns where it stopped writing.
    NodeId* (*decode)(const std::uint32_t* words, std::size_t size, NodeId node, NodeId* out);
};

extern const WordKernels kPortableWordKernels;
#if defined(__x86_64__)
extern const WordKernels kPopcntWordKernels, kAvx2WordKernels, kAvx512WordKernels;
#endif

const WordKernels& bestWordKernels();                        // what this processor can run
std::span<const WordKernels* const> availableWordKernels();  // best first; "portable" is the last
const WordKernels* findWordKernels(std::string_view name);   // "avx512", "avx2", "popcnt", "portable"; null: not here

}  // namespace orogen
