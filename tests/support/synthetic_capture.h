// Synthetic captures for tests: frames that correlate with their neighbours, hitches, warm-up, runs that differ
// slightly, and equal work in every run.
#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/frames/capture/capture_recorder.h"
#include "core/frames/report/report_json.h"
#include "tests/support/random.h"

namespace orogen::test {

struct SyntheticCapture
{
    std::uint64_t runs = 3, frames = 300, warmup = 20;
    std::uint64_t seed = 1;        // seeds the times
    double intervalMs = 8;         // typical frame
    double frameNoise = 0.05;      // standard deviation of a frame's logarithm
    double autocorrelation = 0.7;  // between neighbouring frames
    double runNoise = 0.003;       // standard deviation of a run's logarithm
    double hitches = 0;            // share of frames that take three to eight times as long
    std::uint64_t leaves = 100'000;
    double trianglesALeaf = 16;
    bool passes = true;  // the GPU was measured
    bool mangohud = false;
    std::string settings = R"({"cbt.depth":24,"lod.split_pixels":7.0,"lod.merge_pixels":3.0})";
    ReportMetadata metadata = {};  // see syntheticMetadata()
};

inline ReportMetadata syntheticMetadata()
{
    ReportMetadata m;
    m.created = "2024-05-01T12:34:56Z";
    m.version = "0.1.0";
    m.commit = "314c643";
    m.dirty = false;
    m.buildType = "Release";
    m.compiler = "GNU 12.2.0";
    m.commandLine = {"orogen", "capture", "--out", "a b"};
    m.glVendor = "Vendor";
    m.glRenderer = "Renderer 4600";
    m.glVersion = "4.6 (Core Profile)";
    m.glslHeader = "#version 460 core";
    m.contextPath = "surfaceless";
    m.gpuTimer = GpuTimer::kHardware;
    m.cpu = "A CPU of 8 cores";
    m.governor = "performance";
    m.kernel = "Linux 6.1 x86_64";
    m.load = 0.25;
    m.width = 1280;
    m.height = 720;
    m.scale = 1;
    m.headless = true;
    m.heightmap = "alps.tif";
    m.heightmapSha256 = std::string(64, '7');
    m.pathName = "overview";
    m.pathHash = std::string(64, 'c');
    m.shadersHash = std::string(64, '5');
    return m;
}

inline SyntheticCapture syntheticCapture()
{
    SyntheticCapture capture;
    capture.metadata = syntheticMetadata();
    return capture;
}

// Returns a normally distributed number (Box-Muller).
inline double normal(Random& random)
{
    const double u = 1 - random.unit(), v = random.unit();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

// Autocorrelated deviations from 0: AR(1) with standard deviation 1.
class Wander
{
public:
    Wander(Random& random, double autocorrelation) : random_(&random), keep_(autocorrelation), state_(normal(random)) {}
    double next()
    {
        state_ = keep_ * state_ + std::sqrt(1 - keep_ * keep_) * normal(*random_);
        return state_;
    }

private:
    Random* random_;
    double keep_, state_;
};

inline void setSyntheticWork(FrameSample& sample, const SyntheticCapture& capture)
{
    const double at = double(sample.frame) / 97.0;
    const auto leaves = std::uint64_t(double(capture.leaves) * (1 + 0.3 * std::sin(at)));
    sample.leaves = leaves;
    sample.triangles = std::uint64_t(double(leaves) * capture.trianglesALeaf);
    sample.splits = std::uint64_t(40 + 30 * std::sin(at * 3));
    sample.merges = std::uint64_t(40 + 30 * std::cos(at * 3));
    sample.maxDepth = 20 + sample.frame % 4;
    sample.uploadBytes = 4096 + sample.frame % 100;
    sample.vramKib = 300'000 + sample.frame;
    sample.processorUs = 50'000 + sample.frame % 1000;
    sample.glCalls = 180 + sample.frame % 7;
}

inline void setSyntheticTimes(FrameSample& sample, double intervalMs, const SyntheticCapture& capture)
{
    sample.intervalMs = intervalMs;
    sample.cpuMs = 0.22 * intervalMs;
    sample.waitMs = 0.05 * intervalMs;
    if (!capture.metadata.headless) sample.swapMs = 0.1 * intervalMs;
    if (!capture.passes) return;
    sample.gpuMs = 0.85 * intervalMs;
    constexpr std::array<double, kReportedPasses> kParts = {0.12, 0.04, 0.1, 0.5, 0.05};
    for (std::size_t pass = 0; pass < kParts.size(); ++pass)
        sample.passMs[pass] = kParts[pass] * intervalMs;
}

// Returns the rows of a run (from 1), as an instrument would deliver them.
inline std::vector<FrameSample> syntheticRun(const SyntheticCapture& capture, std::uint64_t run)
{
    Random random(capture.seed * 1'000 + run);
    const double ofRun = capture.runNoise * normal(random);
    Wander wander(random, capture.autocorrelation);
    std::vector<FrameSample> rows(capture.warmup + capture.frames);
    double t = 0;
    for (std::uint64_t frame = 0; frame < rows.size(); ++frame)
    {
        FrameSample& sample = rows[frame];
        sample.frame = frame;
        sample.tMs = t;
        sample.flags = frame < capture.warmup ? std::uint32_t(kFrameWarmup) : 0;
        const double hitch = random.unit() < capture.hitches ? 3 + 5 * random.unit() : 1;
        const double interval = capture.intervalMs * std::exp(ofRun + capture.frameNoise * wander.next()) * hitch;
        setSyntheticTimes(sample, interval, capture);
        setSyntheticWork(sample, capture);
        t += interval;
    }
    return rows;
}

inline CapturePlan planOf(const SyntheticCapture& capture, const std::string& folder)
{
    return {.folder = folder,
            .runs = capture.runs,
            .frames = capture.frames,
            .warmupMinimum = capture.warmup,
            .mangohud = capture.mangohud};
}

// Throws the error of a step, which ends the test.
template <class Outcome>
void must(const Outcome& outcome)
{
    if (!outcome) throw std::runtime_error(outcome.error().message);
}

// Records the capture into the folder.
inline FrameReport writeCapture(const std::string& folder, const SyntheticCapture& capture)
{
    auto recorder = CaptureRecorder::create(planOf(capture, folder), capture.metadata, capture.settings);
    must(recorder);
    for (std::uint64_t run = 1; run <= capture.runs; ++run)
    {
        must((*recorder)->beginRun());
        for (const FrameSample& sample : syntheticRun(capture, run))
            must((*recorder)->add(sample));
        must((*recorder)->endRun({.conforming = true, .glErrors = 0}));
    }
    Result<FrameReport> report = (*recorder)->finish();
    must(report);
    return std::move(*report);
}

// Returns the capture without writing it to disk.
inline Capture heldCapture(const std::string& folder, const SyntheticCapture& capture)
{
    Capture held;
    held.folder = folder;
    held.report.metadata = capture.metadata;
    held.report.settings = capture.settings;
    held.report.runsPlanned = capture.runs;
    held.report.framesPlanned = capture.frames;
    for (std::uint64_t run = 1; run <= capture.runs; ++run)
    {
        std::vector<FrameSample> rows = syntheticRun(capture, run);
        for (FrameSample& row : rows)
            row = rounded(row);
        ReportRun& summary = held.report.runs.emplace_back();
        summary.file = "run-0" + std::to_string(run) + ".csv";
        summarize(summary, rows, kDefaultBudgetMs);
        held.rows.push_back(std::move(rows));
    }
    summarize(held.report, held.rows, kDefaultBudgetMs);
    return held;
}

inline Capture takenCapture(const std::string& folder, const SyntheticCapture& capture)
{
    writeCapture(folder, capture);
    Result<Capture> read = readCapture(folder);
    must(read);
    return std::move(*read);
}

}  // namespace orogen::test
