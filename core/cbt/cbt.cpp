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

constexpr int kWordDepth = 5;       // depth of the subtree whose bits a word holds
constexpr int kSubtreeLevels = 11;  // count levels below a subtree's root: its 2^12 words and their counts fit into L1
constexpr NodeId kWorthScanning = 64;  // with fewer leaves, one descent for each is faster than a scan
constexpr int kBlockLevels = 6;        // at most 2^6 words are scanned at once, if two or more leaves start in them

// std::popcount is not used: it is a function call where the target lacks the instruction.
NodeId countBits(std::uint32_t word)
{
    word -= word >> 1 & 0x55555555u;
    word = (word & 0x33333333u) + (word >> 2 & 0x33333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0fu;
    return (word * 0x01010101u) >> 24;
}

// Returns the position of the set bit that has `rank` set bits below it.
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
    Cbt given(TreeWords(words.begin(), words.end()));
    Cbt reduced(given);
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

NodeId Cbt::setBitOf(NodeId rank) const
{
    assert(rank < leafCount());
    NodeId node = 1;
    while (node < wordCount())
    {
        node *= 2;
        const NodeId left = leavesBelow(node);
        if (rank < left) continue;
        rank -= left;
        ++node;
    }
    return 32 * (node - wordCount()) + NodeId(selectBit(words_[node], rank));
}

NodeId Cbt::clearBitOf(NodeId rank) const
{
    assert(rank < (NodeId(1) << maxDepth()) - leafCount());
    NodeId node = 1, bits = NodeId(1) << maxDepth();  // bits covered by the node
    while (node < wordCount())
    {
        node *= 2;
        bits /= 2;
        const NodeId left = bits - leavesBelow(node);
        if (rank < left) continue;
        rank -= left;
        ++node;
    }
    return 32 * (node - wordCount()) + NodeId(selectBit(~words_[node], rank));
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

// Reduces subtrees first, each bottom up while it is in the cache, then the levels above.
void Cbt::reduce(Executor& executor, const WordKernels& kernels)
{
    const int levels = maxDepth() - kWordDepth - 1;  // count levels below the root
    const int cut = std::max(0, levels - kSubtreeLevels);
    executor.run(NodeId(1) << cut, [&](NodeId begin, NodeId end) {
        for (NodeId subtree = begin; subtree < end; ++subtree)
            reduceSubtree((NodeId(1) << cut) + subtree, levels - cut, kernels);
    });
    if (cut > 0) sumSubtree(1, cut - 1, kernels);
}

// Reduces a subtree with `levels` levels of counts below its root.
void Cbt::reduceSubtree(NodeId root, int levels, const WordKernels& kernels)
{
    std::uint32_t* const heap = words_.data();
    const std::size_t deepest = std::size_t(root) << levels;
    if (levels < 2)
    {
        kernels.countPairs(heap + 2 * deepest, heap + deepest, std::size_t(1) << levels);
        return sumSubtree(root, levels - 1, kernels);
    }
    kernels.countThreeLevels(heap + 2 * deepest, heap + deepest, heap + deepest / 2, heap + deepest / 4,
                             std::size_t(1) << (levels - 2));
    sumSubtree(root, levels - 3, kernels);
}

// Computes the counts of the nodes up to `levels` below the root of a subtree, from the counts below them.
void Cbt::sumSubtree(NodeId root, int levels, const WordKernels& kernels)
{
    if (levels > kSubtreeLevels)
    {
        for (NodeId subtree = root << (levels - kSubtreeLevels); subtree < (root + 1) << (levels - kSubtreeLevels);
             ++subtree)
            sumSubtree(subtree, kSubtreeLevels, kernels);
        levels -= kSubtreeLevels + 1;
    }
    for (; levels >= 0; --levels)
    {
        const std::size_t first = std::size_t(root) << levels;
        kernels.addPairs(words_.data() + 2 * first, words_.data() + first, std::size_t(1) << levels);
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

// Recounts the nodes whose range holds bit `index`.
void Cbt::reduceAbove(NodeId index)
{
    for (NodeId node = (wordCount() + index / 32) / 2; node >= 1; node /= 2)
        words_[node] = leavesBelow(2 * node) + leavesBelow(2 * node + 1);
}

namespace {

// Decodes the leaves with numbers in [begin, end).
class LeafScan
{
public:
    LeafScan(const Cbt& tree, const WordKernels& kernels, NodeId begin, NodeId end, NodeId* out)
        : tree_(tree), kernels_(kernels), blockDepth_(tree.maxDepth() - kWordDepth - kBlockLevels), begin_(begin),
          end_(end), out_(out)
    {
    }

    // Decodes the leaves below a node, which must not itself lie below a leaf.  `number`: number of the node's first
    // leaf.
    void below(NodeId node, NodeId number) const
    {
        const NodeId count = tree_.leavesBelow(node);
        if (count == 1)
            out_[number] = node;
        else if (depthOf(node) >= blockDepth_)
            block(node, number, count);
        else
        {
            const NodeId middle = number + tree_.leavesBelow(2 * node);
            if (begin_ < middle) below(2 * node, number);
            if (middle < end_) below(2 * node + 1, middle);
        }
    }

private:
    void block(NodeId node, NodeId number, NodeId count) const
    {
        const int levels = tree_.maxDepth() - kWordDepth - depthOf(node);
        const auto decode = [&](NodeId* to) {
            kernels_.decode(tree_.words().data() + (std::size_t(node) << levels), std::size_t(1) << levels,
                            node << (levels + kWordDepth), to);
        };
        if (begin_ <= number && number + count <= end_) return decode(out_ + number);
        NodeId leaves[std::size_t(1) << (kBlockLevels + kWordDepth)];
        decode(leaves);
        const NodeId first = std::max(begin_, number), last = std::min(end_, number + count);
        std::copy(leaves + (first - number), leaves + (last - number), out_ + first);
    }

    const Cbt& tree_;
    const WordKernels& kernels_;
    const int blockDepth_;
    const NodeId begin_, end_;
    NodeId* const out_;
};

}  // namespace

void decodeLeaves(const Cbt& tree, std::span<NodeId> out, Executor& executor, const WordKernels& kernels)
{
    assert(out.size() == tree.leafCount());
    executor.run(NodeId(out.size()), [&](NodeId begin, NodeId end) {
        if (end - begin >= kWorthScanning) return LeafScan(tree, kernels, begin, end, out.data()).below(1, 0);
        for (NodeId number = begin; number < end; ++number)
            out[number] = tree.leaf(number);
    });
}

// ---- incremental reduction ----

namespace {

constexpr int kAboveField = 6;               // nodes of depth D - 6 are counted from the bits (D: the maximum depth)
constexpr int kMostCut = 5;                  // threads share 2^5 subtrees at most
constexpr int kLeastBelowCut = 8;            // least levels of counts below the root of a shared subtree
constexpr std::size_t kWorthThreads = 1024;  // with fewer changes, one thread finishes before another starts

// Returns the depth of the roots of the subtrees that threads share.
int cutOf(int maxDepth) { return std::clamp(maxDepth - kAboveField - kLeastBelowCut, 0, kMostCut); }

// Estimates how many distinct nodes of depth D - 6 hold the listed bits, from samples of adjacent entries.
std::size_t distinctNodes(std::span<const NodeId> bits)
{
    constexpr std::size_t kSamples = 8, kLength = 8;
    if (bits.size() < kSamples * kLength) return bits.size();
    std::size_t distinct = 0;
    for (std::size_t sample = 0; sample < kSamples; ++sample)
        for (std::size_t i = 1, first = sample * (bits.size() - kLength) / (kSamples - 1); i < kLength; ++i)
            distinct += bits[first + i] / 64 != bits[first + i - 1] / 64;
    return bits.size() * distinct / (kSamples * (kLength - 1));
}

}  // namespace

bool ChangedReduction::prefersFull(int maxDepth, std::size_t changes) const
{
    return double(changes) * costs_.fieldNode >= double(std::size_t(1) << (maxDepth - kAboveField));
}

// Lists the nodes of depth D - 6 in [first, end) that hold changed bits, without adjacent repeats.
void ChangedReduction::gather(const Cbt& tree, std::span<const NodeId> changedBits, NodeId first, NodeId end,
                              std::vector<NodeId>& nodes) const
{
    nodes.resize(changedBits.size() + 1);
    NodeId* const list = nodes.data();
    const NodeId start = tree.wordCount() / 2, count = end - first;
    std::size_t size = 0;
    NodeId last = 0;
    for (const NodeId bit : changedBits)
    {
        const NodeId node = start + bit / 64;
        list[size] = node;
        size += NodeId(node != last) & NodeId(node - first < count);
        last = node;
    }
    nodes.resize(size);
}

// Recounts `nodes`, of depth D - 6, and their ancestors within adjacent subtrees, deepest first.  Sums whole levels as
// soon as that costs no more than following the paths.  `cost`: time for one node of a path, relative to one node of
// a level that is summed whole.
void ChangedReduction::followPaths(Cbt& tree, std::vector<NodeId>& nodes, const Subtrees& subtrees, double cost) const
{
    std::uint32_t* const heap = tree.words_.data();
    kernels_.recount(heap, nodes.data(), nodes.size());
    for (int levels = tree.maxDepth() - kAboveField - subtrees.depth - 1; levels >= 0 && !nodes.empty(); --levels)
    {
        std::size_t size = 0;
        NodeId last = 0;
        for (const NodeId below : nodes)
        {
            const NodeId node = below / 2;
            nodes[size] = node;
            size += node != last;
            last = node;
        }
        nodes.resize(size);
        if (double(std::size_t(subtrees.count) << levels) <= double(size) * cost)
        {
            for (NodeId root = subtrees.first; root < subtrees.first + subtrees.count; ++root)
                tree.sumSubtree(root, levels, kernels_);
            return;
        }
        for (const NodeId node : nodes)
            heap[node] = heap[2 * std::size_t(node)] + heap[2 * std::size_t(node) + 1];
    }
}

bool ChangedReduction::reduce(Cbt& tree, std::span<const NodeId> changedBits, ReductionWay way)
{
    const int fieldDepth = tree.maxDepth() - kAboveField, cut = cutOf(tree.maxDepth());
    if (way == ReductionWay::kFull ||
        (way == ReductionWay::kChosen && prefersFull(tree.maxDepth(), distinctNodes(changedBits))))
    {
        tree.reduce(executor_, kernels_);
        return true;
    }
    scratch_.resize(std::max(scratch_.size(), std::size_t(1) << cut));
    const double cost = way == ReductionWay::kChosen ? costs_.node : 1;
    const Executor::Body body = [&](NodeId begin, NodeId end) {
        const Subtrees subtrees{.first = (NodeId(1) << cut) + begin, .count = end - begin, .depth = cut};
        std::vector<NodeId>& nodes = scratch_[begin];
        gather(tree, changedBits, subtrees.first << (fieldDepth - cut),
               (subtrees.first + subtrees.count) << (fieldDepth - cut), nodes);
        followPaths(tree, nodes, subtrees, cost);
    };
    if (changedBits.size() < kWorthThreads)
        body(0, NodeId(1) << cut);
    else
        executor_.run(NodeId(1) << cut, body);
    if (cut > 0) tree.sumSubtree(1, cut - 1, kernels_);
    return false;
}

}  // namespace orogen
