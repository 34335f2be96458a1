#include "app/bench/tree/gpu_contenders.h"

#include <algorithm>
#include <cassert>

#include "core/cbt/tree.h"

namespace orogen::app {
namespace {

constexpr int kUses = 100;  // of a tree in a cycle's measurement, as the paper's queries are too coarse for one

std::vector<std::uint32_t> wordsOf(const GpuTree& gpu, lab::Fill fill)
{
    const auto copy = [](const auto& tree) {
        return std::vector<std::uint32_t>(tree.words().begin(), tree.words().end());
    };
    if (gpu.layout() == GpuTree::Layout::kWide) return copy(uniformTree<Cbt>(fill, gpu.depth()));
    return copy(uniformTree<PackedCbt>(fill, gpu.depth()));
}

// The leaves of a uniform tree are consecutive nodes; a long list goes round.
bool listIsThat(const GpuTree& gpu, lab::Fill fill)
{
    const std::uint32_t count = fill == lab::Fill::kFull ? 1u << gpu.depth() : 1u << (gpu.depth() - 2);
    const std::uint32_t listed = std::min(count, GpuTree::kMostListed);
    const std::vector<std::uint32_t> list = gpu.readList(listed);
    for (std::uint32_t number = count - listed; number < count; ++number)
        if (list[number % listed] != count + number) return false;
    return true;
}

// shaders/lab_choice.glsl, said again.
bool chosen(NodeId node)
{
    std::uint32_t x = node * 0x9e3779b9u;
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    return ((x ^ (x >> 13)) & 31u) == 0;
}

void cycleOnCpu(Cbt& tree, bool merging)
{
    const Cbt snapshot = tree;  // counts of the last levels follow the bits at once
    for (const NodeId leaf : leavesOf(snapshot))
    {
        if (!merging && chosen(leaf)) tree.split(leaf);
        if (merging && leaf % 2 == 1 && leaf > 1 && chosen(leaf / 2) && snapshot.isLeaf(leaf - 1)) tree.merge(leaf);
    }
    tree.reduce();
}

// Whatever has changed is changed back by the next pair of cycles, so that any number of pairs leaves what one does.
bool heapIsCycled(const GpuTree& gpu, lab::Fill fill)
{
    Cbt tree = uniformTree<Cbt>(fill, gpu.depth());
    cycleOnCpu(tree, false);
    cycleOnCpu(tree, true);
    if (gpu.layout() == GpuTree::Layout::kWide) return std::ranges::equal(gpu.readHeap(), tree.words());
    return std::ranges::equal(gpu.readHeap(), reencoded<PackedCbt>(tree, gpu.depth(), gpu.depth()).words());
}

void append(GpuSlices& slices, GpuSlices more)
{
    for (auto& slice : more)
        slices.push_back(std::move(slice));
}

}  // namespace

GpuContender gpuReduction(const GpuTree& tree, lab::Fill fill)
{
    tree.spoilCounts();
    return {tree.reduce(), 1, [&tree, fill] { return tree.readHeap() == wordsOf(tree, fill); }};
}

GpuContender gpuPlainPass(const GpuTree& tree, lab::Fill fill)
{
    return {tree.plainPass(), 1, [&tree, fill] { return tree.readHeap() == wordsOf(tree, fill); }};
}

GpuContender gpuScan(const GpuTree& tree, lab::Fill fill)
{
    const std::uint32_t count = fill == lab::Fill::kFull ? 1u << tree.depth() : 1u << (tree.depth() - 2);
    return {tree.scan(), 1, [=, &tree] { return tree.readFound() == count && listIsThat(tree, fill); }};
}

GpuContender gpuDecode(const GpuTree& tree, lab::Fill fill)
{
    return {tree.decode(), 1, [&tree, fill] { return listIsThat(tree, fill); }};
}

GpuContender gpuReductionAndDecode(const GpuTree& tree, lab::Fill fill)
{
    GpuContender contender = gpuReduction(tree, fill);
    append(contender.slices, tree.decode());
    contender.check = [&tree, fill] { return listIsThat(tree, fill) && tree.readHeap() == wordsOf(tree, fill); };
    return contender;
}

GpuContender gpuCycle(const GpuTree& tree, lab::Fill fill)
{
    assert(tree.depth() <= 24);
    tree.prepare();
    GpuSlices slices;
    for (int use = 0; use < kUses; ++use)
        append(slices, tree.cycle(use % 2 == 1));
    return {std::move(slices), kUses, [&tree, fill] { return heapIsCycled(tree, fill); }};
}

GpuContender gpuCycleAtRest(const GpuTree& tree, lab::Fill fill)
{
    tree.prepare();
    GpuSlices slices;
    for (int use = 0; use < kUses; ++use)
        append(slices, tree.cycleAtRest());
    return {std::move(slices), kUses, [&tree, fill] { return listIsThat(tree, fill); }};
}

}  // namespace orogen::app
