#include "core/cbt/packed_cbt.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "core/cbt/tree.h"

namespace orogen {
namespace {

int widthAt(int depth, int maxDepth) { return maxDepth - depth + 1; }

std::uint64_t startOf(NodeId node, int maxDepth)
{
    const int depth = depthOf(node);
    return (std::uint64_t(2) << depth) + std::uint64_t(node) * std::uint64_t(widthAt(depth, maxDepth));
}

// Counts of the nodes above the 32 bits of one word of the bit field, level by level.  The levels have 16 counts of 2
// bits, 8 of 3 bits, 4 of 4 bits, 2 of 5 bits and 1 of 6 bits. Each level is packed without gaps.
class CountsOfWord
{
public:
    explicit CountsOfWord(std::uint32_t bits) : lanes_(bits) {}

    std::uint32_t next()
    {
        lanes_ = (lanes_ & kEvenLanes[level_]) + (lanes_ >> (1 << level_) & kEvenLanes[level_]);
        ++level_;
        // Lanes are 2^level bits wide and hold counts of level + 1 bits: close the gaps, doubling the width.
        std::uint32_t packed = lanes_;
        for (int lane = level_, width = level_ + 1; lane < 5; ++lane, width *= 2)
            packed = (packed & kEvenLanes[lane]) | (packed & ~kEvenLanes[lane]) >> ((1 << lane) - width);
        return packed;
    }

private:
    static constexpr std::uint32_t kEvenLanes[5] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
    std::uint32_t lanes_;
    int level_ = 0;
};

}  // namespace

PackedCbt::PackedCbt(int maxDepth, int initialDepth) : words_(std::size_t(1) << (maxDepth - 3))
{
    assert(kMinTreeDepth <= maxDepth && maxDepth <= kMaxTreeDepth);
    assert(0 <= initialDepth && initialDepth <= maxDepth);
    words_[0] = 1u << maxDepth;
    const int below = maxDepth - initialDepth;  // a leaf starts at every 2^below-th bit
    std::uint32_t pattern = 0;
    for (int bit = 0; bit < 32; bit += below < 5 ? 1 << below : 32)
        pattern |= 1u << bit;
    const std::size_t stride = below > 5 ? std::size_t(1) << (below - 5) : 1;
    for (std::size_t word = std::size_t(3) << (maxDepth - 5); word < words_.size(); word += stride)
        words_[word] = pattern;
    reduce();
}

Result<PackedCbt> PackedCbt::fromWords(std::vector<std::uint32_t> words)
{
    const int depth = words.empty() || words[0] == 0 ? 0 : std::countr_zero(words[0]);
    if (depth < kMinTreeDepth || depth > kMaxTreeDepth || words.size() != std::size_t(1) << (depth - 3))
        return Error{ExitCode::kInput,
                     fmt::format("packed tree: {} words with depth {}, expected 2^(depth - 3) words, depth {} to {}",
                                 words.size(), depth, kMinTreeDepth, kMaxTreeDepth)};
    const int headerBits = depth + 3;
    const std::uint64_t header = (words[0] | std::uint64_t(words[1]) << 32) & ((std::uint64_t(1) << headerBits) - 1);
    if (header != std::uint64_t(1) << depth)
        return Error{ExitCode::kInput, fmt::format("packed tree: header {:#x}, expected {:#x} for depth {}", header,
                                                   std::uint64_t(1) << depth, depth)};
    PackedCbt given(TreeWords(words.begin(), words.end()));
    PackedCbt reduced(given);
    reduced.reduce();
    const auto [found, expected] = std::ranges::mismatch(given.words_, reduced.words_);
    if (found != given.words_.end())
        return Error{ExitCode::kInput, fmt::format("packed tree: word {} is {:#010x}, but its bits sum to {:#010x}",
                                                   found - given.words_.begin(), *found, *expected)};
    if (!isWellFormed(given)) return Error{ExitCode::kInput, "packed tree: its bits are not the leaves of a tree"};
    return given;
}

int PackedCbt::maxDepth() const { return std::countr_zero(words_[0]); }

NodeId PackedCbt::leavesBelow(NodeId node) const
{
    return readField(startOf(node, maxDepth()), widthAt(depthOf(node), maxDepth()));
}

bool PackedCbt::isLeaf(NodeId node) const { return leavesBelow(node) == 1 && (node == 1 || leavesBelow(node / 2) > 1); }

NodeId PackedCbt::leaf(NodeId number) const
{
    assert(number < leafCount());
    NodeId node = 1;
    for (NodeId count = leafCount(); count > 1;)
    {
        node *= 2;
        const NodeId left = leavesBelow(node);
        const bool right = number >= left;
        node += right;
        number -= right ? left : 0;
        count = right ? count - left : left;
    }
    return node;
}

NodeId PackedCbt::leafNumber(NodeId leaf) const
{
    NodeId number = 0;
    for (NodeId node = leaf; node > 1; node /= 2)
        if (node % 2 == 1) number += leavesBelow(node - 1);
    return number;
}

bool PackedCbt::bit(NodeId index) const
{
    const std::uint64_t at = (std::uint64_t(3) << maxDepth()) + index;
    return (words_[at / 32] >> at % 32 & 1u) != 0;
}

void PackedCbt::split(NodeId leaf)
{
    if (depthOf(leaf) < maxDepth()) writeBit(firstBit(2 * leaf + 1, maxDepth()), true);
}

void PackedCbt::merge(NodeId leaf)
{
    if (leaf > 1) writeBit(firstBit(leaf | 1, maxDepth()), false);
}

// Sums the five levels above the bits of each word in registers, then the other levels count by count.
void PackedCbt::reduce()
{
    const int maxDepth = this->maxDepth();
    const std::size_t fieldStart = std::size_t(3) << (maxDepth - 5);
    for (NodeId i = 0; i < NodeId(1) << (maxDepth - 5); ++i)
    {
        CountsOfWord counts(words_[fieldStart + i]);
        for (int below = 1; below <= 5; ++below)
        {
            const NodeId first = ((NodeId(1) << (maxDepth - 5)) + i) << (5 - below);
            const std::uint32_t group = counts.next();
            writeField(startOf(first, maxDepth), (32 >> below) * (below + 1), group);
        }
    }
    for (int depth = maxDepth - 6; depth >= 0; --depth)
    {
        const int width = widthAt(depth, maxDepth);
        std::uint64_t parent = startOf(NodeId(1) << depth, maxDepth);
        std::uint64_t child = startOf(NodeId(2) << depth, maxDepth);
        for (NodeId i = 0; i < NodeId(1) << depth; ++i, parent += width, child += 2 * (width - 1))
            writeField(parent, width, readField(child, width - 1) + readField(child + width - 1, width - 1));
    }
}

void PackedCbt::reduceAbove(NodeId bit)
{
    const int maxDepth = this->maxDepth();
    for (NodeId node = ((NodeId(1) << maxDepth) + bit) / 2; node >= 1; node /= 2)
    {
        const int width = widthAt(depthOf(node), maxDepth);
        const std::uint64_t child = startOf(2 * node, maxDepth);
        const std::uint32_t count =
            readField(child, width - 1) + readField(child + std::uint64_t(width) - 1, width - 1);
        writeField(startOf(node, maxDepth), width, count);
    }
}

// Reads a field of at most 32 bits, which spans at most two words.
std::uint32_t PackedCbt::readField(std::uint64_t start, int width) const
{
    const std::size_t word = start / 32;
    std::uint64_t pair = words_[word];
    if (start % 32 + std::uint64_t(width) > 32) pair |= std::uint64_t(words_[word + 1]) << 32;
    return std::uint32_t(pair >> start % 32 & ((std::uint64_t(1) << width) - 1));
}

void PackedCbt::writeField(std::uint64_t start, int width, std::uint32_t bits)
{
    const std::size_t word = start / 32;
    const std::uint64_t mask = ((std::uint64_t(1) << width) - 1) << start % 32;
    const std::uint64_t value = std::uint64_t(bits) << start % 32;
    words_[word] = (words_[word] & ~std::uint32_t(mask)) | std::uint32_t(value);
    if (start % 32 + std::uint64_t(width) > 32)
        words_[word + 1] = (words_[word + 1] & ~std::uint32_t(mask >> 32)) | std::uint32_t(value >> 32);
}

void PackedCbt::writeBit(NodeId index, bool value)
{
    const std::uint64_t at = (std::uint64_t(3) << maxDepth()) + index;
    const std::uint32_t mask = 1u << at % 32;
    words_[at / 32] = value ? words_[at / 32] | mask : words_[at / 32] & ~mask;
}

}  // namespace orogen
