#include <algorithm>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "app/bench/tree/experiment.h"
#include "app/bench/tree/tree_experiments.h"

namespace orogen::app {
namespace {

using Layout = GpuTree::Layout;

std::uint64_t nothing(int) { return 0; }
// The leaves, and those that they are checked against.
std::uint64_t leavesOfPerfect(int depth) { return 2 * sizeof(NodeId) << depth; }
std::uint64_t leavesOfQuarter(int depth) { return 2 * sizeof(NodeId) << (depth - 2); }

// ---- lines of the CPU ----

// Of one variant, alone: the lines of a depth are measured one after another in the same run.
Result<double> timeOf(const Result<std::vector<bench::TreeRow>>& rows)
{
    if (!rows) return rows.error();
    const bench::Timing& timing = rows->front().timing;
    return timing.equal ? Result<double>(timing.minimumMs) : Error{ExitCode::kNo, "a wrong result"};
}

bench::TreeParameters parametersOf(const CpuPoint& point, bench::Fill fill)
{
    return {.depth = point.depth,
            .fill = fill,
            .trials = {.leastRounds = 1, .mostRounds = 9, .seconds = point.seconds, .shouldStop = point.shouldStop}};
}

Result<double> reduced(const CpuPoint& point, bench::Reduction reduction, int threads)
{
    return timeOf(
        measureReductions(parametersOf(point, bench::Fill::kQuarter), {{.reduction = reduction, .threads = threads}}));
}

Result<double> decoded(const CpuPoint& point, bench::Fill fill, bench::Decode decode, int threads)
{
    return timeOf(measureDecodes(parametersOf(point, fill), {{.decode = decode, .threads = threads}}));
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

LabLine gpuLine(std::string name, Layout layout, bench::Fill fill,
                bench::Contender (*contender)(const GpuTree&, bench::Fill), int mostDepth = 30)
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
        cpuLine(
            "CPU, one thread, bit by bit (paper)", leavesOfQuarter,
            [](const CpuPoint& point) { return decoded(point, bench::Fill::kQuarter, bench::Decode::kPackedScan, 1); }),
        gpuLine("GPU, one thread, bit by bit (paper)", Layout::kPacked, bench::Fill::kQuarter, gpuScan),
        cpuLine("CPU, one thread, by words", leavesOfQuarter,
                [](const CpuPoint& point) { return decoded(point, bench::Fill::kQuarter, bench::Decode::kScan, 1); }),
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
        experiment.lines.push_back(cpuLine(cpuName(threads, "packed (paper)"), nothing, [=](const CpuPoint& point) {
            return reduced(point, bench::Reduction::kPackedCounts, threads);
        }));
    for (const int threads : threadCounts())
        experiment.lines.push_back(cpuLine(cpuName(threads, "wide"), nothing, [=](const CpuPoint& point) {
            return reduced(point, bench::Reduction::kWide, threads);
        }));
    experiment.lines.push_back(gpuLine("GPU, packed (paper)", Layout::kPacked, bench::Fill::kQuarter, gpuReduction));
    experiment.lines.push_back(gpuLine("GPU, wide", Layout::kWide, bench::Fill::kQuarter, gpuReduction));
    experiment.lines.push_back(
        gpuLine("GPU, one pass over the bits (floor)", Layout::kWide, bench::Fill::kQuarter, gpuPlainPass));
    return experiment;
}

Experiment decoding()
{
    Experiment experiment{"tree-decoding", "paper 002, figure 11: decoding all leaves of the perfect tree",
                          "time of all leaves (ms)"};
    for (const int threads : threadCounts())
        experiment.lines.push_back(
            cpuLine(cpuName(threads, "packed, by descents (paper)"), leavesOfPerfect, [=](const CpuPoint& point) {
                return decoded(point, bench::Fill::kFull, bench::Decode::kPackedDescend, threads);
            }));
    for (const int threads : threadCounts())
        experiment.lines.push_back(
            cpuLine(cpuName(threads, "wide, by words"), leavesOfPerfect, [=](const CpuPoint& point) {
                return decoded(point, bench::Fill::kFull, bench::Decode::kScan, threads);
            }));
    experiment.lines.push_back(gpuLine("GPU, packed (paper)", Layout::kPacked, bench::Fill::kFull, gpuDecode));
    experiment.lines.push_back(gpuLine("GPU, wide", Layout::kWide, bench::Fill::kFull, gpuDecode));
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
                return sumOf(reduced(point, bench::Reduction::kPackedCounts, threads),
                             decoded(point, bench::Fill::kQuarter, bench::Decode::kPackedDescend, threads));
            }));
    for (const int threads : threadCounts())
        experiment.lines.push_back(cpuLine(cpuName(threads, "wide"), leavesOfQuarter, [=](const CpuPoint& point) {
            return sumOf(reduced(point, bench::Reduction::kWide, threads),
                         decoded(point, bench::Fill::kQuarter, bench::Decode::kScan, threads));
        }));
    experiment.lines.push_back(
        gpuLine("GPU, packed (paper)", Layout::kPacked, bench::Fill::kQuarter, gpuReductionAndDecode));
    experiment.lines.push_back(gpuLine("GPU, wide", Layout::kWide, bench::Fill::kQuarter, gpuReductionAndDecode));
    return experiment;
}

Experiment cycle()
{
    Experiment experiment{"tree-cycle",
                          "paper 002, figure 12: one use of a tree with 2^D / 4 leaves, with and without a change",
                          "time of a cycle (ms)", 12, 22};
    experiment.lines = {
        gpuLine("GPU, packed, update and reduction (paper)", Layout::kPacked, bench::Fill::kQuarter, gpuCycle),
        gpuLine("GPU, packed, at rest (paper)", Layout::kPacked, bench::Fill::kQuarter, gpuCycleAtRest),
        gpuLine("GPU, wide, update, reduction, list", Layout::kWide, bench::Fill::kQuarter, gpuCycle),
        gpuLine("GPU, wide, at rest", Layout::kWide, bench::Fill::kQuarter, gpuCycleAtRest),
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
