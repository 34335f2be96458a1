#include <algorithm>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "app/laboratory/experiment.h"
#include "core/cbt/claiming_executor.h"
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
    ClaimingExecutor executor(threads);
    std::vector<NodeId> leaves(tree.leafCount());
    return measured(point, {.run = [&] { decodeLeaves(tree, leaves, executor); },
                            .check = [&] { return leavesAreThose(tree, leaves); }});
}

// The paper's: every leaf by a descent of its own.
Result<double> decodeByDescents(const CpuPoint& point, lab::Fill fill, int threads)
{
    const PackedCbt tree = uniformTree<PackedCbt>(fill, point.depth);
    ClaimingExecutor executor(threads);
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
    ClaimingExecutor executor(threads);
    return measured(point, {.run = [&] { tree.reduce(executor); },
                            .check = [&] { return std::ranges::equal(tree.words(), expected.words()); }});
}

Result<double> reducePacked(const CpuPoint& point, int threads)
{
    const PackedCbt expected = uniformTree<PackedCbt>(lab::Fill::kQuarter, point.depth);
    lab::PaperTree tree(expected);
    ClaimingExecutor executor(threads);
    return measured(point, {.run = [&] { tree.reduce(executor); },
                            .check = [&] { return std::ranges::equal(tree.words(), expected.words()); }});
}

Result<double> sumOf(const Result<double>& a, const Result<double>& b)
{
    if (!a) return a;
    if (!b) return b;
    return *a + *b;
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

LabLine gpuLine(std::string name, Layout layout, lab::Fill fill, GpuContender (*contender)(const GpuTree&, lab::Fill),
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
        gpuLine("GPU, one thread, bit by bit (paper)", Layout::kPacked, lab::Fill::kQuarter, gpuScan),
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
    experiment.lines.push_back(gpuLine("GPU, packed (paper)", Layout::kPacked, lab::Fill::kQuarter, gpuReduction));
    experiment.lines.push_back(gpuLine("GPU, wide", Layout::kWide, lab::Fill::kQuarter, gpuReduction));
    experiment.lines.push_back(
        gpuLine("GPU, one pass over the bits (floor)", Layout::kWide, lab::Fill::kQuarter, gpuPlainPass));
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
    experiment.lines.push_back(gpuLine("GPU, packed (paper)", Layout::kPacked, lab::Fill::kFull, gpuDecode));
    experiment.lines.push_back(gpuLine("GPU, wide", Layout::kWide, lab::Fill::kFull, gpuDecode));
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
        gpuLine("GPU, packed (paper)", Layout::kPacked, lab::Fill::kQuarter, gpuReductionAndDecode));
    experiment.lines.push_back(gpuLine("GPU, wide", Layout::kWide, lab::Fill::kQuarter, gpuReductionAndDecode));
    return experiment;
}

Experiment cycle()
{
    Experiment experiment{"tree-cycle",
                          "paper 002, figure 12: one use of a tree with 2^D / 4 leaves, with and without a change",
                          "time of a cycle (ms)", 12, 22};
    experiment.lines = {
        gpuLine("GPU, packed, update and reduction (paper)", Layout::kPacked, lab::Fill::kQuarter, gpuCycle),
        gpuLine("GPU, packed, at rest (paper)", Layout::kPacked, lab::Fill::kQuarter, gpuCycleAtRest),
        gpuLine("GPU, wide, update, reduction, list", Layout::kWide, lab::Fill::kQuarter, gpuCycle),
        gpuLine("GPU, wide, at rest", Layout::kWide, lab::Fill::kQuarter, gpuCycleAtRest),
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
