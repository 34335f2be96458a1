// The tree in the paper's bit layout, which is also libcbt's (Grachev and Ushakov 2023, equations 11 and 25, mended).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/cbt/node.h"
#include "core/cbt/tree_words.h"

namespace orogen {

// Level d holds 2^d counts of D - d + 1 bits; the count of node k starts at bit 2^(d + 1) + k (D - d + 1), so that the
// bit field, the counts of level D, starts at 3 * 2^D.  The D + 3 bits below the root's count hold 2^D.  In all
// 2^(D + 2) bits, as little-endian 32-bit words.  The interface is that of Cbt, and so is every answer; counts are not
// aligned, so that nothing here may run concurrently.
class PackedCbt
{
public:
    explicit PackedCbt(int maxDepth, int initialDepth = 0);

    // Error (kInput) if they are no tree of this layout with counts reduced.
    static Result<PackedCbt> fromWords(std::vector<std::uint32_t> words);

    int maxDepth() const;

    // Queries of the last reduction.
    NodeId leafCount() const { return leavesBelow(1); }
    NodeId leavesBelow(NodeId node) const;
    bool isLeaf(NodeId node) const;
    NodeId leaf(NodeId number) const;
    NodeId leafNumber(NodeId leaf) const;

    // The bit field as it is now; never stale.
    bool bit(NodeId index) const;

    void split(NodeId leaf);
    void merge(NodeId leaf);
    void reduce();  // O(2^D)

    // Recounts the nodes whose range holds a bit, where all other counts are right but those of other such calls to
    // come; O(D).
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
