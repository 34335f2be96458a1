#include "core/cbt/changed_reduction.h"

#include <algorithm>

namespace orogen {
namespace {

constexpr int kAboveField = 6;               // nodes of depth D - 6 are counted from the bits
constexpr int kMostCut = 5;                  // threads share 2^5 subtrees
constexpr int kLeastBelowCut = 8;            // levels
constexpr std::size_t kWorthThreads = 1024;  // changes; fewer finish before another thread starts

int cutOf(int maxDepth) { return std::clamp(maxDepth - kAboveField - kLeastBelowCut, 0, kMostCut); }

// Estimates the number of distinct nodes without adjacent repeats, from samples of neighbours.
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

// Recounts the ancestors of these nodes within neighbouring subtrees, deepest first.  Sums whole levels once these cost
// no more than the listed nodes.
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
