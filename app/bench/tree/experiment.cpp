#include "app/bench/tree/experiment.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/render/lod_tree.h"
#include "core/base/memory.h"

namespace orogen::app {

// ---- experiments ----

namespace {

using Layout = GpuTree::Layout;

std::uint64_t nothing(int) { return 0; }
// Return the memory of two lists (bytes): the decoded leaves, and the expected leaves for the check.
std::uint64_t leavesOfPerfect(int depth) { return 2 * sizeof(NodeId) << depth; }
std::uint64_t leavesOfQuarter(int depth) { return 2 * sizeof(NodeId) << (depth - 2); }

// ---- CPU lines ----

// Returns the time of the only variant in `rows`: lines are measured one after another, not interleaved.
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

// ---- a run ----

namespace {

constexpr double kSettlingSeconds = 0.5;  // total time for repeating a short section at one point of the plot (seconds)
constexpr int kLeastRuns = 2;             // the warm-up and one section

template <class Tree>
std::uint64_t treeBytesOf(int depth)
{
    return GpuTree::bytes(std::is_same_v<Tree, Cbt> ? GpuTree::Layout::kWide : GpuTree::Layout::kPacked, depth);
}

}  // namespace

GpuLab::GpuLab(const std::filesystem::path& root, const Context& context)
    : library(root, ShaderDialect{context.info().glsl460}), programs(library, reduceThreads(context.info())),
      limits(context.limits())
{
}

Result<std::unique_ptr<GpuLab>> GpuLab::create(const Context& context)
{
    const Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    std::unique_ptr<GpuLab> lab(new GpuLab(*root, context));
    if (const Status status = lab->library.finish(); !status) return status.error();
    return lab;
}

LabRun::LabRun(const Experiment& experiment, GpuLab* gpu, const LabOptions& options)
    : experiment_(experiment), gpu_(gpu), options_(options), ends_(experiment.lines.size(), options.secondsPerPoint)
{
    options_.leastDepth = std::max(options.leastDepth, experiment.leastDepth);
    options_.mostDepth = std::min(options.mostDepth, experiment.mostDepth);
    depth_ = options_.leastDepth;
    data_.xName = "depth";
    for (const LabLine& line : experiment.lines)
        data_.names.push_back(line.name + " (ms)");
    data_.notes = experiment.notes;
    if (!gpu_) data_.notes.emplace_back("no OpenGL here: the lines of the GPU are empty");
}

LabRun::~LabRun() = default;

double LabRun::fraction() const
{
    const double rows = options_.mostDepth - options_.leastDepth + 1;
    const double lines = double(experiment_.lines.size());
    return rows <= 0 ? 1 : std::min(1.0, (depth_ - options_.leastDepth + double(line_) / lines) / rows);
}

std::string LabRun::now() const
{
    return depth_ > options_.mostDepth ? std::string() : fmt::format("D = {}, {}", depth_, line().name);
}

bool LabRun::step(double milliseconds)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double, std::milli>(milliseconds));
    while (!error_ && depth_ <= options_.mostDepth)
    {
        const double left = std::chrono::duration<double, std::milli>(end - Clock::now()).count();
        if (left <= 0) return false;
        if (!begun_)
            beginPoint();
        else if (preparing_ && !preparing_->running())
            takePrepared();
        else if (preparing_)
            return false;  // the CPU thread still works on the point; the caller decides how to wait
        else if (point_->trials->step(left))
            takeTimings();
    }
    return true;
}

void LabRun::beginPoint()
{
    begun_ = true;
    if (line_ == 0)
        data_.rows.push_back({double(depth_), std::vector<std::optional<double>>(experiment_.lines.size())});
    if (ends_.hasEnded(line_) || (line().gpu && !gpu_) || depth_ > line().mostDepth) return endPoint({});
    // One more level of depth doubles the time.
    if (!ends_.allows(line_, 2 * kLeastRuns))
        return endPoint({}, ends_.note(line().name, fmt::format("D = {}", depth_)));
    // Memory of two trees in the larger layout, and of the buffers of the variant.
    std::uint64_t bytes = 2 * treeBytesOf<PackedCbt>(depth_);
    if (line().bytes) bytes += line().bytes(depth_);
    if (const Status status = checkMemory(fmt::format("{} at D = {}", line().name, depth_), bytes); !status)
        return endPoint({}, "left out: " + status.error().message);
    startPreparing();
}

void LabRun::startPreparing()
{
    const double seconds = std::min(kSettlingSeconds, options_.secondsPerPoint);
    const auto prepare = [line = &line(), depth = depth_, seconds](const TaskContext& context) -> Result<Prepared> {
        Prepared prepared;
        if (line->layout == GpuTree::Layout::kWide && !line->cpu)
            prepared.tree = uniformTree<Cbt>(line->fill, depth);
        else if (!line->cpu)
            prepared.tree = uniformTree<PackedCbt>(line->fill, depth);
        else
        {
            const Result<double> ms = line->cpu({depth, seconds, [&context] { return context.stop.stop_requested(); }});
            if (!ms) return ms.error();
            prepared.ms = *ms;
        }
        return prepared;
    };
    Result<std::unique_ptr<BackgroundTask<Prepared>>> task = BackgroundTask<Prepared>::start(now(), prepare);
    if (task)
        preparing_ = std::move(*task);
    else
        error_ = task.error();
}

void LabRun::takePrepared()
{
    Result<Prepared> prepared = std::exchange(preparing_, nullptr)->take();
    if (!prepared)
        error_ = Error{prepared.error().code, fmt::format("{}: {}", now(), prepared.error().message)};
    else if (line().cpu)
        endPoint(prepared->ms);
    else if (const Status status = uploadTree(std::move(prepared->tree)); !status)
        endPoint({}, fmt::format("{}: {}", line().name, status.error().message));
}

Status LabRun::uploadTree(HostTree host)
{
    auto point = std::make_unique<GpuPoint>();
    point->host = std::move(host);
    Result<GpuTree> made = Error{ExitCode::kLimit, "no tree"};
    if (const Cbt* wide = std::get_if<Cbt>(&point->host))
        made = GpuTree::create(gpu_->library, gpu_->programs, gpu_->limits, *wide);
    else
        made = GpuTree::create(gpu_->library, gpu_->programs, gpu_->limits, std::get<PackedCbt>(point->host));
    if (!made) return made.error();
    point->tree = std::make_unique<GpuTree>(std::move(*made));
    constexpr int kRounds = 9;
    point->trials = std::make_unique<bench::InterleavedTrials>(
        std::vector{line().gpu(*point->tree, line().fill)},
        gpuTrialOptions(kRounds, std::min(kSettlingSeconds, options_.secondsPerPoint)));
    point_ = std::move(point);
    return Status::ok();
}

void LabRun::takeTimings()
{
    const bench::Timing timing = point_->trials->timings()->front();
    point_.reset();
    if (!timing.equal)
        error_ = Error{ExitCode::kNo, now() + ": a wrong result"};
    else
        endPoint(timing.minimumMs);
}

void LabRun::endPoint(std::optional<double> ms, const std::string& note)
{
    if (!note.empty()) data_.notes.push_back(note);
    data_.rows.back().values[line_] = ms;
    ends_.record(line_, ms);
    begun_ = false;
    if (++line_ < experiment_.lines.size()) return;
    line_ = 0;
    ++depth_;
}

namespace {

Result<bench::FigureData> runToTheEnd(const Experiment& experiment, const bench::FigureOptions& options)
{
    constexpr double kStepMs = 50;
    Result<std::unique_ptr<Context>> context = Context::create({.headless = true});
    std::unique_ptr<GpuLab> gpu;
    if (context)
    {
        Result<std::unique_ptr<GpuLab>> made = GpuLab::create(**context);
        if (!made) return made.error();
        gpu = std::move(*made);
    }
    LabRun run(experiment, gpu.get(), {.secondsPerPoint = options.secondsPerPoint});
    while (!run.step(kStepMs))
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (!options.goesOn(run.fraction(), run.now())) return bench::stoppedError();
    }
    if (run.error()) return *run.error();
    return run.data();
}

}  // namespace

bench::Figure figureOf(const Experiment& experiment)
{
    const LinePlot plot = {"Paper 002: " + experiment.about.substr(experiment.about.find(',') + 2),
                           "maximum depth of the tree (D)",
                           experiment.yTitle,
                           false,
                           true,
                           {}};
    return {experiment.name, experiment.about, plot,
            [&experiment](const bench::FigureOptions& options) { return runToTheEnd(experiment, options); }};
}

std::span<const bench::Figure> bench::treeFigures()
{
    static const std::vector<bench::Figure> figures = [] {
        std::vector<bench::Figure> made;
        for (const Experiment& experiment : experiments())
            made.push_back(figureOf(experiment));
        return made;
    }();
    return figures;
}

}  // namespace orogen::app
