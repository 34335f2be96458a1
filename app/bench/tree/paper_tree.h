// The algorithms of Grachev and Ushakov 2023 on the packed layout, as the paper describes them: every count by itself,
// atomic words wherever several counts share one; and libcbt's reduction of the same layout, in its own steps.
// PackedCbt takes fewer: it looks at a second word only where a count has bits in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/executor.h"
#include "core/cbt/cbt.h"
#include "core/cbt/packed_cbt.h"

namespace orogen::app::bench {

class PaperTree
{
public:
    explicit PaperTree(const PackedCbt& tree);

    int maxDepth() const { return depth_; }
    std::span<const std::uint32_t> words() const { return words_; }

    bool bit(NodeId index) const;
    NodeId leavesBelow(NodeId node) const;  // the stored count; of a node of depth D the bit as it is now
    void split(NodeId leaf);                // one atomic each
    void merge(NodeId leaf);

    // D levels, 2^D - 1 sums, each written by clearing its bits and setting them.  Several threads.
    void reduce(Executor& executor);

    // In libcbt's steps, on one thread without atomics: the five deepest levels from each word of the field, then count
    // by count; every read looks at two words, every write changes two.
    void reduceByWords();

    // Bit after bit, counting the zeros after each that is set (figure 5).  One thread.  Returns the number of leaves.
    std::size_t scanBits(std::span<NodeId> out) const;

private:
    std::uint32_t read(std::uint64_t start, int width) const;
    void write(std::uint64_t start, int width, std::uint32_t value);
    std::uint32_t readPair(NodeId node, int width) const;
    void writePair(NodeId node, int width, std::uint32_t value);

    int depth_;
    TreeWords words_;
};

}  // namespace orogen::app::bench
