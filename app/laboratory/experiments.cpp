#include <algorithm>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "app/laboratory/experiment.h"
#include "core/cbt/tree.h"
#include "core/laboratory/paper_tree.h"
#include "core/laboratory/turns.h"

namespace orogen::app {
namespace {

using Layout = GpuTree::Layout;

std::uint64_t nothing(int) { return 0; }
std::uint64_t leavesOfPerfect(int depth) { return sizeof(NodeId) << depth; }
std::uint64_t leavesOfQuarter(int depth) { return sizeof(NodeId) << (depth - 2); }

// ---- lines of the CPU ----

// One contender, alone: lines are compared by their minima at a depth, each measured in the same run.
Result<double> measured(const CpuPoint& point, const lab::Contender& contender)
{
    lab::TurnsOptions options;
    options.leastRounds = 1;
    options.mostRounds = 9;
    options.seconds = point.seconds;
    options.goOn = point.goOn;
    const std::vector<lab::Timing> timings = lab::timeTurns({&contender, 1}, options);
    if (timings.empty()) return Error{ExitCode::kInterrupted, "stopped"};
    if (!timings[0].equal) return Error{ExitCode::kNo, "a wrong result"};
    return timings[0].minimumMs;
}

// So many of the leaves, evenly: all of a deep tree would take longer to check than to decode.
template <class Tree>
bool leavesAreThose(const Tree& tree, std::span<const NodeId> leaves)
{
    if (leaves.size() != tree.leafCount()) return false;
    const NodeId step = std::max<NodeId>(1, NodeId(leaves.size() / 5000));
    for (NodeId number = 0; number < leaves.size(); number += step)
        if (leaves[number] != tree.leaf(number)) return false;
    return leaves.back() == tree.leaf(NodeId(leaves.size() - 1));
}

Result<double> scanOnCpu(const CpuPoint& point)
{
    const PackedCbt tree = uniformTree<PackedCbt>(lab::Fill::kQuarter, point.depth);
    const lab::PaperTree paper(tree);
    std::vector<NodeId> leaves(tree.leafCount());
    std::size_t found = 0;
    return measured(point, {.run = [&] { found = paper.scanBits(leaves); },
                            .check = [&] { return found == leaves.size() && leavesAreThose(tree, leaves); }});
}

Result<double> decodeByWords(const CpuPoint& point, lab::Fill fill, int threads)
{
    const Cbt tree = uniformTree<Cbt>(fill, point.depth);
    ThreadExecutor executor(threads);
    std::vector<NodeId> leaves(tree.leafCount());
    return measured(point, {.run = [&] { decodeLeaves(tree, leaves, executor); },
                            .check = [&] { return leavesAreThose(tree, leaves); }});
}

// The paper's: every leaf by a descent of its own.
Result<double> decodeByDescents(const CpuPoint& point, lab::Fill fill, int threads)
{
    const PackedCbt tree = uniformTree<PackedCbt>(fill, point.depth);
    ThreadExecutor executor(threads);
    std::vector<NodeId> leaves(tree.leafCount());
    const auto decode = [&] {
        executor.run(NodeId(leaves.size()), [&](NodeId begin, NodeId end) {
            for (NodeId number = begin; number < end; ++number)
                leaves[number] = tree.leaf(number);
        });
    };
    return measured(point, {.run = decode, .check = [&] { return leavesAreThose(tree, leaves); }});
}

Result<double> reduceWide(const CpuPoint& point, int threads)
{
    Cbt tree = uniformTree<Cbt>(lab::Fill::kQuarter, point.depth);
    const Cbt expected = tree;
    ThreadExecutor executor(threads);
    return measured(point, {.run = [&] { tree.reduce(executor); },
                            .check = [&] { return std::ranges::equal(tree.words(), expected.words()); }});
}

Result<double> reducePacked(const CpuPoint& point, int threads)
{
    const PackedCbt expected = uniformTree<PackedCbt>(lab::Fill::kQuarter, point.depth);
    lab::PaperTree tree(expected);
    ThreadExecutor executor(threads);
    return measured(point, {.run = [&] { tree.reduce(executor); },
                            .check = [&] { return std::ranges::equal(tree.words(), expected.words()); }});
}

Result<double> sumOf(const Result<double>& a, const Result<double>& b)
{
    if (!a) return a;
    if (!b) return b;
    return *a + *b;
}

// ---- lines of the GPU: trees as they were made, or something has changed them ----

// `leaves` of a tree of that fill, in a list that goes round.
bool listIsThat(const GpuTree& gpu, lab::Fill fill)
{
    const Cbt tree = uniformTree<Cbt>(fill, gpu.depth());
    const NodeId count = tree.leafCount();
    const std::uint32_t listed = std::uint32_t(std::min<std::uint64_t>(GpuTree::kMostListed, 1ull << gpu.depth()));
    const std::vector<std::uint32_t> list = gpu.readList(listed);
    const NodeId first = count > listed ? count - listed : 0;
    const NodeId step = std::max<NodeId>(1, (count - first) / 5000);
    for (NodeId number = first; number < count; number += step)
        if (list[number & (listed - 1)] != tree.leaf(number)) return false;
    return true;
}

std::vector<std::uint32_t> wordsOf(const GpuTree& gpu, lab::Fill fill)
{
    const auto copy = [](const auto& tree) {
        return std::vector<std::uint32_t>(tree.words().begin(), tree.words().end());
    };
    if (gpu.layout() == Layout::kWide) return copy(uniformTree<Cbt>(fill, gpu.depth()));
    return copy(uniformTree<PackedCbt>(fill, gpu.depth()));
}

void append(GpuSlices& slices, GpuSlices more)
{
    for (auto& slice : more)
        slices.push_back(std::move(slice));
}

GpuContender reduceOnGpu(const GpuTree& tree)
{
    tree.spoilCounts();
    return {"", tree.reduce(), 1, [&tree] { return tree.readHeap() == wordsOf(tree, lab::Fill::kQuarter); }};
}

GpuContender plainPassOnGpu(const GpuTree& tree) { return {"", tree.plainPass(), 1, {}}; }

GpuContender scanOnGpu(const GpuTree& tree)
{
    return {"", tree.scan(), 1, [&tree] {
                return tree.readFound() == (1u << (tree.depth() - 2)) && listIsThat(tree, lab::Fill::kQuarter);
            }};
}

template <lab::Fill fill>
GpuContender decodeOnGpu(const GpuTree& tree)
{
    return {"", tree.decode(), 1, [&tree] { return listIsThat(tree, fill); }};
}

GpuContender reduceAndDecodeOnGpu(const GpuTree& tree)
{
    tree.spoilCounts();
    GpuSlices slices = tree.reduce();
    append(slices, tree.decode());
    return {"", std::move(slices), 1, [&tree] {
                return listIsThat(tree, lab::Fill::kQuarter) && tree.readHeap() == wordsOf(tree, lab::Fill::kQuarter);
            }};
}

// What cycles in turns, splitting and merging, leave: the counts must be those of the bits, and something must have
// merged and come back.
GpuContender cycleOnGpu(const GpuTree& tree)
{
    constexpr int kPairs = 50;
    tree.prepare();
    GpuSlices slices;
    for (int pair = 0; pair < kPairs; ++pair)
    {
        append(slices, tree.cycle(false));
        append(slices, tree.cycle(true));
    }
    return {"", std::move(slices), 2 * kPairs, [&tree] {
                std::vector<std::uint32_t> heap = tree.readHeap();
                return tree.layout() == Layout::kWide ? bool(Cbt::fromWords(std::move(heap)))
                                                      : bool(PackedCbt::fromWords(std::move(heap)));
            }};
}

GpuContender cycleAtRestOnGpu(const GpuTree& tree)
{
    constexpr int kTimes = 100;
    tree.prepare();
    GpuSlices slices;
    for (int i = 0; i < kTimes; ++i)
        append(slices, tree.cycleAtRest());
    return {"", std::move(slices), kTimes, [&tree] { return listIsThat(tree, lab::Fill::kQuarter); }};
}

// ---- the experiments ----

std::vector<int> threadCounts()
{
    const int most = int(std::max(1u, std::thread::hardware_concurrency()));
    std::vector<int> counts;
    for (int threads = 1; threads < most; threads *= 2)
        counts.push_back(threads);
    counts.push_back(most);
    return counts;
}

std::string cpuName(int threads, const char* what)
{
    return fmt::format("CPU, {} thread{}, {}", threads, threads == 1 ? "" : "s", what);
}

LabLine cpuLine(std::string name, std::uint64_t (*bytes)(int), std::function<Result<double>(const CpuPoint&)> measure)
{
    LabLine line{.name = std::move(name), .bytes = bytes};
    line.cpu = std::move(measure);
    return line;
}

LabLine gpuLine(std::string name, Layout layout, lab::Fill fill, GpuContender (*contender)(const GpuTree&),
                int mostDepth = 30)
{
    LabLine line{.name = std::move(name), .fill = fill, .mostDepth = mostDepth, .bytes = nothing};
    line.layout = layout;
    line.gpu = contender;
    return line;
}

Experiment bitField()
{
    Experiment experiment{"tree-bit-field",
                          "paper 002, figure 6: finding all leaves in the bit field alone, by one thread",
                          "time of all leaves (ms)"};
    experiment.lines = {
        cpuLine("CPU, one thread, bit by bit (paper)", leavesOfQuarter, scanOnCpu),
        gpuLine("GPU, one thread, bit by bit (paper)", Layout::kPacked, lab::Fill::kQuarter, scanOnGpu),
        cpuLine("CPU, one thread, by words", leavesOfQuarter,
                [](const CpuPoint& point) { return decodeByWords(point, lab::Fill::kQuarter, 1); }),
    };
    experiment.notes = {"2^D / 4 leaves of depth D - 2; the paper does not say which tree it took",
                        "the one thread of the GPU runs in dispatches of 2^15 bits, one after another"};
    return experiment;
}

Experiment reduction()
{
    Experiment experiment{"tree-reduction", "paper 002, supplement 13: the sum reduction, CPU threads and GPU",
                          "time of a full reduction (ms)"};
    for (const int threads : threadCounts())
        experiment.lines.push_back(cpuLine(cpuName(threads, "packed (paper)"), nothing,
                                           [=](const CpuPoint& point) { return reducePacked(point, threads); }));
    for (const int threads : threadCounts())
        experiment.lines.push_back(cpuLine(cpuName(threads, "wide"), nothing,
                                           [=](const CpuPoint& point) { return reduceWide(point, threads); }));
    experiment.lines.push_back(gpuLine("GPU, packed (paper)", Layout::kPacked, lab::Fill::kQuarter, reduceOnGpu));
    experiment.lines.push_back(gpuLine("GPU, wide", Layout::kWide, lab::Fill::kQuarter, reduceOnGpu));
    experiment.lines.push_back(
        gpuLine("GPU, one pass over the bits (floor)", Layout::kWide, lab::Fill::kQuarter, plainPassOnGpu));
    return experiment;
}

Experiment decoding()
{
    Experiment experiment{"tree-decoding", "paper 002, figure 11: decoding all leaves of the perfect tree",
                          "time of all leaves (ms)"};
    for (const int threads : threadCounts())
        experiment.lines.push_back(
            cpuLine(cpuName(threads, "packed, by descents (paper)"), leavesOfPerfect,
                    [=](const CpuPoint& point) { return decodeByDescents(point, lab::Fill::kFull, threads); }));
    for (const int threads : threadCounts())
        experiment.lines.push_back(
            cpuLine(cpuName(threads, "wide, by words"), leavesOfPerfect,
                    [=](const CpuPoint& point) { return decodeByWords(point, lab::Fill::kFull, threads); }));
    experiment.lines.push_back(
        gpuLine("GPU, packed (paper)", Layout::kPacked, lab::Fill::kFull, decodeOnGpu<lab::Fill::kFull>));
    experiment.lines.push_back(gpuLine("GPU, wide", Layout::kWide, lab::Fill::kFull, decodeOnGpu<lab::Fill::kFull>));
    return experiment;
}

Experiment reductionAndDecoding()
{
    Experiment experiment{"tree-reduction-decoding",
                          "paper 002, supplement 14: reduction and decoding of a tree with 2^D / 4 leaves",
                          "time of both (ms)"};
    for (const int threads : threadCounts())
        experiment.lines.push_back(
            cpuLine(cpuName(threads, "packed (paper)"), leavesOfQuarter, [=](const CpuPoint& point) {
                return sumOf(reducePacked(point, threads), decodeByDescents(point, lab::Fill::kQuarter, threads));
            }));
    for (const int threads : threadCounts())
        experiment.lines.push_back(cpuLine(cpuName(threads, "wide"), leavesOfQuarter, [=](const CpuPoint& point) {
            return sumOf(reduceWide(point, threads), decodeByWords(point, lab::Fill::kQuarter, threads));
        }));
    experiment.lines.push_back(
        gpuLine("GPU, packed (paper)", Layout::kPacked, lab::Fill::kQuarter, reduceAndDecodeOnGpu));
    experiment.lines.push_back(gpuLine("GPU, wide", Layout::kWide, lab::Fill::kQuarter, reduceAndDecodeOnGpu));
    return experiment;
}

Experiment cycle()
{
    Experiment experiment{"tree-cycle",
                          "paper 002, figure 12: one use of a tree with 2^D / 4 leaves, with and without a change",
                          "time of a cycle (ms)", 12, 22};
    experiment.lines = {
        gpuLine("GPU, packed, update and reduction (paper)", Layout::kPacked, lab::Fill::kQuarter, cycleOnGpu),
        gpuLine("GPU, packed, at rest (paper)", Layout::kPacked, lab::Fill::kQuarter, cycleAtRestOnGpu),
        gpuLine("GPU, wide, update, reduction, list", Layout::kWide, lab::Fill::kQuarter, cycleOnGpu),
        gpuLine("GPU, wide, at rest", Layout::kWide, lab::Fill::kQuarter, cycleAtRestOnGpu),
    };
    experiment.notes = {
        "the paper has one depth, 17: 23 microseconds, and 11 where nothing changes, on an RTX 3080",
        "a cycle splits or merges about one leaf in 32; 100 cycles a measurement",
    };
    return experiment;
}

}  // namespace

std::span<const Experiment> experiments()
{
    static const std::vector<Experiment> all = {bitField(), reduction(), decoding(), reductionAndDecoding(), cycle()};
    return all;
}

}  // namespace orogen::app
