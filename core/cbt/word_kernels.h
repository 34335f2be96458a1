// Loops over the 32-bit words of a tree's bits and counts (tree.h), compiled once per instruction set.  All sets give
// equal results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/cbt/tree.h"

namespace orogen {

struct WordKernels
{
    const char* name;

    // Sets counts[i] to the number of bits set in words 2 i and 2 i + 1.
    void (*countPairs)(const std::uint32_t* words, std::uint32_t* counts, std::size_t size);

    // Computes the counts of countPairs and the two levels above them in one pass: `size` counts in `highest`, 2 size
    // in `middle`, 4 size in `deepest`.
    void (*countThreeLevels)(const std::uint32_t* words, std::uint32_t* deepest, std::uint32_t* middle,
                             std::uint32_t* highest, std::size_t size);

    // Sets counts[i] to below[2 i] + below[2 i + 1].
    void (*addPairs)(const std::uint32_t* below, std::uint32_t* counts, std::size_t size);

    // Sets heap[node] to the number of bits set in heap[2 node] and heap[2 node + 1], for each listed node.
    void (*recount)(std::uint32_t* heap, const NodeId* nodes, std::size_t size);

    // Writes the leaf that starts at each set bit, in order, and returns the end of the output.  `words`: all `size`
    // words (an even number) of a subtree with two leaves or more, so that no leaf extends beyond them.  `node`: the
    // node of the first bit, at the tree's maximum depth.
    NodeId* (*decode)(const std::uint32_t* words, std::size_t size, NodeId node, NodeId* out);
};

extern const WordKernels kPortableWordKernels;
#if defined(__x86_64__)
extern const WordKernels kPopcntWordKernels, kAvx2WordKernels, kAvx512WordKernels;
#endif

const WordKernels& bestWordKernels();                        // for this processor
std::span<const WordKernels* const> availableWordKernels();  // best first, "portable" last
const WordKernels* findWordKernels(std::string_view name);   // "avx512", "avx2", "popcnt", "portable"; null if unusable

}  // namespace orogen
