#include "app/bench/tree/paper_tree.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace orogen::app::bench {
namespace {

int widthAt(int depth, int maxDepth) { return maxDepth - depth + 1; }

// Equation 25, mended.
std::uint64_t startOf(NodeId node, int maxDepth)
{
    const int depth = depthOf(node);
    return (std::uint64_t(2) << depth) + std::uint64_t(node) * std::uint64_t(widthAt(depth, maxDepth));
}

std::uint32_t load(const std::uint32_t& word)
{
    return std::atomic_ref(const_cast<std::uint32_t&>(word)).load(std::memory_order_relaxed);
}

void setBits(std::uint32_t& word, std::uint32_t bits)
{
    std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed);
}

void clearBits(std::uint32_t& word, std::uint32_t bits)
{
    std::atomic_ref(word).fetch_and(~bits, std::memory_order_relaxed);
}

std::uint32_t lowMask(int bits) { return std::uint32_t((std::uint64_t(1) << bits) - 1); }

// Ones in every second group of so many bits.
constexpr std::uint32_t evenGroups(int bits) { return 0xffffffffu / ((1u << bits) + 1); }

// Sums of `below` + 1 bits that lie 2^below bits apart, without the gaps.
std::uint32_t packed(std::uint32_t sums, int below)
{
    const int apart = 1 << below, width = below + 1;
    std::uint32_t bits = 0;
    for (int i = 0; i < 32 / apart; ++i)
        bits |= (sums >> (apart * i) & lowMask(width)) << (width * i);
    return bits;
}

}  // namespace

PaperTree::PaperTree(const PackedCbt& tree) : depth_(tree.maxDepth()), words_(tree.words().begin(), tree.words().end())
{
}

std::uint32_t PaperTree::read(std::uint64_t start, int width) const
{
    const std::size_t word = start / 32;
    std::uint64_t pair = load(words_[word]);
    if (start % 32 + std::uint64_t(width) > 32) pair |= std::uint64_t(load(words_[word + 1])) << 32;
    return std::uint32_t(pair >> start % 32 & ((std::uint64_t(1) << width) - 1));
}

void PaperTree::write(std::uint64_t start, int width, std::uint32_t value)
{
    const std::size_t word = start / 32;
    const std::uint64_t mask = ((std::uint64_t(1) << width) - 1) << start % 32;
    const std::uint64_t bits = std::uint64_t(value) << start % 32;
    clearBits(words_[word], std::uint32_t(mask));
    setBits(words_[word], std::uint32_t(bits));
    if (mask >> 32 == 0) return;
    clearBits(words_[word + 1], std::uint32_t(mask >> 32));
    setBits(words_[word + 1], std::uint32_t(bits >> 32));
}

bool PaperTree::bit(NodeId index) const { return read((std::uint64_t(3) << depth_) + index, 1) != 0; }

NodeId PaperTree::leavesBelow(NodeId node) const { return read(startOf(node, depth_), widthAt(depthOf(node), depth_)); }

void PaperTree::split(NodeId leaf)
{
    if (depthOf(leaf) == depth_) return;
    const std::uint64_t at = (std::uint64_t(3) << depth_) + firstBit(2 * leaf + 1, depth_);
    setBits(words_[at / 32], 1u << at % 32);
}

void PaperTree::merge(NodeId leaf)
{
    if (leaf == 1) return;
    const std::uint64_t at = (std::uint64_t(3) << depth_) + firstBit(leaf | 1, depth_);
    clearBits(words_[at / 32], 1u << at % 32);
}

void PaperTree::reduce(Executor& executor)
{
    for (int depth = depth_ - 1; depth >= 0; --depth)
        executor.run(NodeId(1) << depth, [&](NodeId begin, NodeId end) {
            for (NodeId node = (NodeId(1) << depth) + begin; node < (NodeId(1) << depth) + end; ++node)
                write(startOf(node, depth_), widthAt(depth, depth_), leavesBelow(2 * node) + leavesBelow(2 * node + 1));
        });
}

std::uint32_t PaperTree::readPair(NodeId node, int width) const
{
    const std::uint64_t start = startOf(node, depth_);
    const std::size_t low = start / 32, high = std::min(low + 1, words_.size() - 1);
    const int offset = int(start % 32), lowBits = std::min(32 - offset, width);
    const std::uint32_t below = words_[low] >> offset & lowMask(lowBits);
    const std::uint32_t above = words_[high] & lowMask(width - lowBits);
    return below | std::uint32_t(std::uint64_t(above) << lowBits);
}

void PaperTree::writePair(NodeId node, int width, std::uint32_t value)
{
    const std::uint64_t start = startOf(node, depth_);
    const std::size_t low = start / 32, high = std::min(low + 1, words_.size() - 1);
    const int offset = int(start % 32), lowBits = std::min(32 - offset, width);
    words_[low] &= ~(lowMask(lowBits) << offset);
    words_[low] |= value << offset;
    words_[high] &= ~lowMask(width - lowBits);
    words_[high] |= std::uint32_t(std::uint64_t(value) >> lowBits);
}

void PaperTree::reduceByWords()
{
    const NodeId words = NodeId(1) << (depth_ - 5);
    for (NodeId i = words; i < 2 * words; ++i)
    {
        std::uint32_t sums = words_[std::size_t(2) * words + i];  // the field starts at word 3 * 2^(D - 5)
        for (int below = 1; below <= 5; ++below)
        {
            const int half = 1 << (below - 1);  // width of the sums before
            sums = (sums & evenGroups(half)) + (sums >> half & evenGroups(half));
            writePair(i << (5 - below), (32 >> below) * (below + 1), packed(sums, below));
        }
    }
    for (int depth = depth_ - 6; depth >= 0; --depth)
    {
        const int width = widthAt(depth, depth_);
        for (NodeId node = NodeId(1) << depth; node < NodeId(2) << depth; ++node)
            writePair(node, width, readPair(2 * node, width - 1) + readPair(2 * node + 1, width - 1));
    }
}

std::size_t PaperTree::scanBits(std::span<NodeId> out) const
{
    const NodeId bits = NodeId(1) << depth_;
    std::size_t leaves = 0;
    for (NodeId first = 0, next; first < bits; first = next)
    {
        for (next = first + 1; next < bits && !bit(next);)
            ++next;
        out[leaves++] = (bits + first) >> std::countr_zero(next - first);
    }
    return leaves;
}

}  // namespace orogen::app::bench
