#include "core/cbt/cbt.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/cbt/tree.h"

namespace orogen {
namespace {

constexpr int kWordDepth = 5;      // a word holds the bits of a subtree this deep
constexpr int kReduceLevels = 12;  // a task reduces the counts above 2^12 words: 32 KiB in and out

// std::popcount is a call where the target machine is not known to have the instruction; this one vectorises.
NodeId countBits(std::uint32_t word)
{
    word -= word >> 1 & 0x55555555u;
    word = (word & 0x33333333u) + (word >> 2 & 0x33333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0fu;
    return (word * 0x01010101u) >> 24;
}

// counts[i] becomes the number of bits set in words 2 i and 2 i + 1.
void countPairs(const std::uint32_t* words, std::uint32_t* counts, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
        counts[i] = countBits(words[2 * i]) + countBits(words[2 * i + 1]);
}

#if defined(__x86_64__)
// The same where the processor counts 64 bits in one instruction: twice as fast at D = 24.
[[gnu::target("popcnt")]] void countPairsInHardware(const std::uint32_t* words, std::uint32_t* counts, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        std::uint64_t pair = 0;
        std::memcpy(&pair, words + 2 * i, sizeof pair);
        counts[i] = std::uint32_t(__builtin_popcountll(pair));
    }
}
#endif

auto fastestCountPairs()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("popcnt")) return countPairsInHardware;
#endif
    return countPairs;
}

// Position of the set bit that has `rank` set bits below it.
int selectBit(std::uint32_t word, NodeId rank)
{
    for (; rank > 0; --rank)
        word &= word - 1;
    return std::countr_zero(word);
}

}  // namespace

Cbt::Cbt(int maxDepth, int initialDepth) : words_(std::size_t(2) << (maxDepth - kWordDepth))
{
    assert(kMinTreeDepth <= maxDepth && maxDepth <= kMaxTreeDepth);
    assert(0 <= initialDepth && initialDepth <= maxDepth);
    words_[0] = std::uint32_t(maxDepth);
    const int below = maxDepth - initialDepth;  // a leaf starts at every 2^below-th bit
    std::uint32_t pattern = 0;
    for (int bit = 0; bit < 32; bit += below < kWordDepth ? 1 << below : 32)
        pattern |= 1u << bit;
    const std::size_t stride = below > kWordDepth ? std::size_t(1) << (below - kWordDepth) : 1;
    for (std::size_t word = wordCount(); word < words_.size(); word += stride)
        words_[word] = pattern;
    reduce();
}

Result<Cbt> Cbt::fromWords(std::vector<std::uint32_t> words)
{
    const std::uint32_t depth = words.empty() ? 0 : words[0];
    if (depth < kMinTreeDepth || depth > kMaxTreeDepth || words.size() != std::size_t(2) << (depth - kWordDepth))
        return Error{ExitCode::kInput,
                     fmt::format("wide tree: {} words with depth {}, expected 2^(depth - 4) words, depth {} to {}",
                                 words.size(), depth, kMinTreeDepth, kMaxTreeDepth)};
    Cbt given(words);
    Cbt reduced(std::move(words));
    reduced.reduce();
    const auto [found, expected] = std::ranges::mismatch(given.words_, reduced.words_);
    if (found != given.words_.end())
        return Error{ExitCode::kInput, fmt::format("wide tree: word {} is {}, but its bits sum to {}",
                                                   found - given.words_.begin(), *found, *expected)};
    if (!isWellFormed(given)) return Error{ExitCode::kInput, "wide tree: its bits are not the leaves of a tree"};
    return given;
}

NodeId Cbt::leavesBelow(NodeId node) const
{
    if (node < wordCount()) return words_[node];
    const int below = maxDepth() - depthOf(node);  // 0..5: the node covers 2^below bits of one word
    const std::uint32_t field = words_[node >> (kWordDepth - below)] >> ((node << below) % 32);
    return countBits(field & (0xffffffffu >> (32 - (1 << below))));
}

bool Cbt::isLeaf(NodeId node) const { return leavesBelow(node) == 1 && (node == 1 || leavesBelow(node / 2) > 1); }

NodeId Cbt::leaf(NodeId number) const
{
    assert(number < leafCount());
    NodeId node = 1;
    NodeId count = leafCount();
    while (count > 1 && node < wordCount())
    {
        node *= 2;
        const NodeId left = node < wordCount() ? words_[node] : countBits(words_[node]);
        const bool right = number >= left;
        node += right;
        number -= right ? left : 0;
        count = right ? count - left : left;
    }
    if (count == 1) return node;

    const int first = selectBit(words_[node], number);
    const int size = std::countr_zero(words_[node] >> first >> 1 | 1u << (31 - first)) + 1;
    return (32 * node + NodeId(first)) >> std::countr_zero(unsigned(size));
}

NodeId Cbt::leafNumber(NodeId leaf) const
{
    NodeId number = 0;
    for (NodeId node = leaf; node > 1; node /= 2)
        if (node % 2 == 1) number += leavesBelow(node - 1);
    return number;
}

void Cbt::split(NodeId leaf)
{
    if (depthOf(leaf) < maxDepth()) setBit(firstBit(2 * leaf + 1, maxDepth()));
}

void Cbt::merge(NodeId leaf)
{
    if (leaf > 1) clearBit(firstBit(leaf | 1, maxDepth()));
}

void Cbt::setBit(NodeId index)
{
    std::atomic_ref(words_[wordCount() + index / 32]).fetch_or(1u << index % 32, std::memory_order_relaxed);
}

void Cbt::clearBit(NodeId index)
{
    std::atomic_ref(words_[wordCount() + index / 32]).fetch_and(~(1u << index % 32), std::memory_order_relaxed);
}

void Cbt::reduce()
{
    SerialExecutor serial;
    reduce(serial);
}

// Subtrees first, each bottom up while it is in the cache, then what lies above them.
void Cbt::reduce(Executor& executor)
{
    const int cut = std::max(0, maxDepth() - kWordDepth - kReduceLevels);
    executor.run(NodeId(1) << cut, [&](NodeId begin, NodeId end) {
        for (NodeId subtree = begin; subtree < end; ++subtree)
            reduceSubtree((NodeId(1) << cut) + subtree);
    });
    for (NodeId node = (NodeId(1) << cut) - 1; node >= 1; --node)
        words_[node] = words_[2 * node] + words_[2 * node + 1];
}

void Cbt::reduceSubtree(NodeId root)
{
    int levels = maxDepth() - kWordDepth - 1 - depthOf(root);  // of counts below the root
    const std::uint32_t* const bits = words_.data() + (root << levels) * 2;
    std::uint32_t* counts = words_.data() + (root << levels);
    static const auto fastest = fastestCountPairs();
    fastest(bits, counts, std::size_t(1) << levels);
    while (levels-- > 0)
    {
        const std::uint32_t* const below = counts;
        counts = words_.data() + (root << levels);
        for (std::size_t i = 0; i < std::size_t(1) << levels; ++i)
            counts[i] = below[2 * i] + below[2 * i + 1];
    }
}

void Cbt::splitCounted(NodeId leaf)
{
    if (depthOf(leaf) == maxDepth()) return;
    split(leaf);
    reduceAbove(firstBit(2 * leaf + 1, maxDepth()));
}

void Cbt::mergeCounted(NodeId leaf)
{
    if (leaf == 1) return;
    merge(leaf);
    reduceAbove(firstBit(leaf | 1, maxDepth()));
}

// Recounts the nodes whose range holds a bit.
void Cbt::reduceAbove(NodeId index)
{
    for (NodeId node = (wordCount() + index / 32) / 2; node >= 1; node /= 2)
        words_[node] = leavesBelow(2 * node) + leavesBelow(2 * node + 1);
}

}  // namespace orogen
