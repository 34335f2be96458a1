#include "app/bench/tree/gpu_contenders.h"

#include <algorithm>
#include <cassert>

#include "core/cbt/tree.h"

namespace orogen::app {
namespace {

constexpr int kUses = 100;  // of a tree in a cycle's measurement, as the paper's queries are too coarse for one

std::vector<std::uint32_t> wordsOf(const GpuTree& gpu, bench::Fill fill)
{
    const auto copy = [](const auto& tree) {
        return std::vector<std::uint32_t>(tree.words().begin(), tree.words().end());
    };
    if (gpu.layout() == GpuTree::Layout::kWide) return copy(uniformTree<Cbt>(fill, gpu.depth()));
    return copy(uniformTree<PackedCbt>(fill, gpu.depth()));
}

// The leaves of a uniform tree are consecutive nodes; a long list goes round.
bool listIsThat(const GpuTree& gpu, bench::Fill fill)
{
    const std::uint32_t count = fill == bench::Fill::kFull ? 1u << gpu.depth() : 1u << (gpu.depth() - 2);
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
bool heapIsCycled(const GpuTree& gpu, bench::Fill fill)
{
    Cbt tree = uniformTree<Cbt>(fill, gpu.depth());
    cycleOnCpu(tree, false);
    cycleOnCpu(tree, true);
    if (gpu.layout() == GpuTree::Layout::kWide) return std::ranges::equal(gpu.readHeap(), tree.words());
    return std::ranges::equal(gpu.readHeap(), reencoded<PackedCbt>(tree, gpu.depth(), gpu.depth()).words());
}

void append(Slices& slices, Slices more)
{
    for (auto& slice : more)
        slices.push_back(std::move(slice));
}

// Its result is read back from the GPU, which is done once, after all sections.
bench::Contender contender(Slices slices, std::function<bool()> check, int uses = 1)
{
    return {.section = std::move(slices), .finalCheck = std::move(check), .uses = uses};
}

}  // namespace

bench::TrialOptions gpuTrialOptions(int rounds, double seconds)
{
    return {
        .leastRounds = 1, .mostRounds = rounds, .seconds = seconds, .batchMs = 2, .synchronise = [] { glFinish(); }};
}

bench::Contender gpuReduction(const GpuTree& tree, bench::Fill fill)
{
    tree.spoilCounts();
    return contender(tree.reduce(), [&tree, fill] { return tree.readHeap() == wordsOf(tree, fill); });
}

bench::Contender gpuPlainPass(const GpuTree& tree, bench::Fill fill)
{
    return contender(tree.plainPass(), [&tree, fill] { return tree.readHeap() == wordsOf(tree, fill); });
}

bench::Contender gpuScan(const GpuTree& tree, bench::Fill fill)
{
    const std::uint32_t count = fill == bench::Fill::kFull ? 1u << tree.depth() : 1u << (tree.depth() - 2);
    return contender(tree.scan(), [=, &tree] { return tree.readFound() == count && listIsThat(tree, fill); });
}

bench::Contender gpuDecode(const GpuTree& tree, bench::Fill fill)
{
    return contender(tree.decode(), [&tree, fill] { return listIsThat(tree, fill); });
}

bench::Contender gpuReductionAndDecode(const GpuTree& tree, bench::Fill fill)
{
    tree.spoilCounts();
    Slices slices = tree.reduce();
    append(slices, tree.decode());
    return contender(std::move(slices),
                     [&tree, fill] { return listIsThat(tree, fill) && tree.readHeap() == wordsOf(tree, fill); });
}

bench::Contender gpuCycle(const GpuTree& tree, bench::Fill fill)
{
    assert(tree.depth() <= 24);
    tree.prepare();
    Slices slices;
    for (int use = 0; use < kUses; ++use)
        append(slices, tree.cycle(use % 2 == 1));
    return contender(
        std::move(slices), [&tree, fill] { return heapIsCycled(tree, fill); }, kUses);
}

bench::Contender gpuCycleAtRest(const GpuTree& tree, bench::Fill fill)
{
    tree.prepare();
    Slices slices;
    for (int use = 0; use < kUses; ++use)
        append(slices, tree.cycleAtRest());
    return contender(
        std::move(slices), [&tree, fill] { return listIsThat(tree, fill); }, kUses);
}

}  // namespace orogen::app
