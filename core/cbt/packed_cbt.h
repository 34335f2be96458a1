// The concurrent binary tree (cbt.h) in the bit layout of libcbt and of paper 002 (Grachev and Ushakov 2023, equations
// 11 and 25, corrected).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/cbt/tree.h"

namespace orogen {

// D is maxDepth.  Level d holds 2^d counts of D - d + 1 bits; the count of node k starts at bit 2^(d + 1) + k (D - d +
// 1).  So the bit field, the counts of level D, starts at 3 * 2^D.  The D + 3 bits below the root's count hold 2^D.
// The total is 2^(D + 2) bits, as little-endian 32-bit words.  Interface and results are those of Cbt, but counts are
// not aligned to words, so changes must not run concurrently.
class PackedCbt
{
public:
    // Makes a tree whose leaves are all nodes of depth initialDepth.
    explicit PackedCbt(int maxDepth, int initialDepth = 0);

    // Makes a tree from words.  Error (kInput) if they are not a reduced tree of this layout.
    static Result<PackedCbt> fromWords(std::vector<std::uint32_t> words);

    int maxDepth() const;

    // Queries of the state at the last reduction.
    NodeId leafCount() const { return leavesBelow(1); }
    NodeId leavesBelow(NodeId node) const;
    bool isLeaf(NodeId node) const;
    NodeId leaf(NodeId number) const;
    NodeId leafNumber(NodeId leaf) const;

    // Reads the current bit field; never stale.
    bool bit(NodeId index) const;

    void split(NodeId leaf);
    void merge(NodeId leaf);
    void reduce();  // O(2^D / 32)

    // Recounts the nodes whose range holds a bit; O(D).  Other counts must be right or be updated by later such calls.
    void reduceAbove(NodeId bit);

    std::span<const std::uint32_t> words() const { return words_; }

private:
    explicit PackedCbt(TreeWords words) : words_(std::move(words)) {}

    std::uint32_t readField(std::uint64_t start, int width) const;
    void writeField(std::uint64_t start, int width, std::uint32_t bits);
    void writeBit(NodeId index, bool value);

    TreeWords words_;
};

}  // namespace orogen
