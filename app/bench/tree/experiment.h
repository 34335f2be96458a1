// The experiments of paper 002 (Grachev and Ushakov 2023, figures 6, 11, 12 and supplements 13, 14), measured again.
// Each gives times over the depth of the tree for the paper's algorithms and this program's, on the GPU and mostly also
// on the CPU. `orogen reproduce` runs an experiment to its end, the Laboratory panel in steps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "app/bench/figures/figure.h"
#include "app/bench/harness/interleaved_trials.h"
#include "app/bench/tree/gpu_tree.h"
#include "app/bench/tree/tree_experiments.h"
#include "core/base/background_task.h"

namespace orogen::app {

struct CpuPoint
{
    int depth = 0;
    double seconds = 0;                     // total time for repeating a short section
    std::function<bool()> shouldStop = {};  // empty: never
};

// A line of an experiment's plot: one variant, at any depth up to `mostDepth`.
struct LabLine
{
    std::string name;
    bench::Fill fill = bench::Fill::kQuarter;
    int mostDepth = 30;
    std::uint64_t (*bytes)(int depth) = nullptr;  // memory besides the tree itself (bytes)
    // Measures a point (milliseconds); runs on any thread. Error kNo: the result was wrong. Empty for a GPU line.
    std::function<Result<double>(const CpuPoint& point)> cpu = {};
    GpuTree::Layout layout = GpuTree::Layout::kWide;                           // GPU lines only
    bench::Contender (*gpu)(const GpuTree& tree, bench::Fill fill) = nullptr;  // null for a CPU line
};

struct Experiment
{
    std::string name;    // name in scripts and on the command line
    std::string about;   // one line
    std::string yTitle;  // title of the y axis
    int leastDepth = 10, mostDepth = 30;
    std::vector<std::string> notes{};  // differences from the paper
    std::vector<LabLine> lines{};
};
std::span<const Experiment> experiments();

// Returns the experiment as a figure that runs to its end, with its own GPU context without a window.
bench::Figure figureOf(const Experiment& experiment);

// Shader programs of the GPU lines, in the current context.
struct GpuLab
{
    static Result<std::unique_ptr<GpuLab>> create(const Context& context);

    // Returns the size of the largest storage block (bytes).
    std::uint64_t storageBytes() const { return std::uint64_t(limits.shaderStorageBytes); }

    ShaderLibrary library;
    GpuTreePrograms programs;
    Limits limits;

private:
    GpuLab(const std::filesystem::path& root, const Context& context);
};

struct LabOptions
{
    int leastDepth = 10, mostDepth = 30;
    double secondsPerPoint = 30;  // a point whose expected time is longer is not measured
};

// A running experiment. CPU lines and the construction of trees use a separate thread; GPU work happens in step().
class LabRun
{
public:
    // Creates a run, which step() then performs. If `gpu` is null, the GPU lines stay empty. `experiment` and `gpu`
    // must outlive the run.
    LabRun(const Experiment& experiment, GpuLab* gpu, const LabOptions& options);
    ~LabRun();  // stops the run
    LabRun(const LabRun&) = delete;
    LabRun& operator=(const LabRun&) = delete;

    // Runs for at most about `milliseconds`, with the GPU's context current. Returns true once done or failed.
    bool step(double milliseconds);

    const Experiment& experiment() const { return experiment_; }
    double fraction() const;
    std::string now() const;                                 // "D = 20, GPU, packed"
    const bench::FigureData& data() const { return data_; }  // values measured so far
    const std::optional<Error>& error() const { return error_; }

private:
    using HostTree = std::variant<std::monostate, Cbt, PackedCbt>;
    // Result of the separate thread for a point of the plot.
    struct Prepared
    {
        double ms = 0;  // for a CPU line
        HostTree tree;  // for a GPU line
    };
    struct GpuPoint
    {
        HostTree host;
        std::unique_ptr<GpuTree> tree;
        std::unique_ptr<bench::InterleavedTrials> trials;
    };

    const LabLine& line() const { return experiment_.lines[line_]; }
    void beginPoint();
    void startPreparing();
    void takePrepared();
    Status uploadTree(HostTree host);
    void takeTimings();
    void endPoint(std::optional<double> ms, const std::string& note = {});

    const Experiment& experiment_;
    GpuLab* gpu_;
    LabOptions options_;
    bench::FigureData data_;
    bench::LineEnds ends_;
    int depth_;
    std::size_t line_ = 0;
    bool begun_ = false;  // the point at (depth_, line_) has begun
    std::unique_ptr<BackgroundTask<Prepared>> preparing_;
    std::unique_ptr<GpuPoint> point_;
    std::optional<Error> error_;
};

}  // namespace orogen::app
