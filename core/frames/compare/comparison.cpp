#include "core/frames/compare/comparison.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/frames/sample/metric.h"

namespace orogen {
namespace {

using Captures = std::span<const Capture>;
using Json = nlohmann::ordered_json;

// ---- whether the sides can be compared ----

// A run and where it comes from.
struct RunOf
{
    const Capture* capture;
    const ReportRun* run;
    std::span<const FrameSample> rows;

    std::string name() const { return capture->folder + '/' + run->file; }
};

std::vector<RunOf> runsOf(Captures captures)
{
    std::vector<RunOf> runs;
    for (const Capture& capture : captures)
        for (std::size_t i = 0; i < capture.rows.size(); ++i)
            runs.push_back({&capture, &capture.report.runs[i], capture.rows[i]});
    return runs;
}

std::string shown(const std::optional<std::string>& text) { return text.value_or("unknown"); }

// What must be the same for all runs that are compared.
struct Property
{
    const char* what;
    std::string (*of)(const RunOf&);
};
constexpr const char* kUnknown = "unknown";
constexpr Property kOfAll[] = {
    {"terrain (SHA-256 of the heightmap)",
     [](const RunOf& r) { return shown(r.capture->report.metadata.heightmapSha256); }},
    {"camera path (hash)", [](const RunOf& r) { return shown(r.capture->report.metadata.pathHash); }},
    {"size",
     [](const RunOf& r) {
         return fmt::format("{}x{}", r.capture->report.metadata.width, r.capture->report.metadata.height);
     }},
    {"measured frames", [](const RunOf& r) { return fmt::format("{}", r.run->statistics.frames); }},
};
constexpr Property kOfASide[] = {
    {"settings (hash)", [](const RunOf& r) { return settingsHash(r.capture->report); }},
    {"work hash", [](const RunOf& r) { return shown(r.run->workHash); }},
};

Error notComparable(const std::string& what) { return {ExitCode::kInput, "not comparable: " + what}; }

Status mustAgree(std::span<const Property> properties, std::span<const RunOf> runs)
{
    for (const Property& property : properties)
    {
        const std::string expected = property.of(runs.front());
        for (const RunOf& run : runs)
        {
            const std::string found = property.of(run);
            if (found == kUnknown)
                return notComparable(fmt::format("{}: {}: found none, expected one", run.name(), property.what));
            if (found != expected)
                return notComparable(fmt::format("{}: {}: found {}, expected {} as in {}", run.name(), property.what,
                                                 found, expected, runs.front().name()));
        }
    }
    return Status::ok();
}

Status checkFrames(std::span<const RunOf> runs)
{
    for (const RunOf& run : runs)
        if (run.run->statistics.frames == 0)
            return notComparable(fmt::format("{}: measured frames: found none, expected some", run.name()));
    return Status::ok();
}

Status checkComparable(std::span<const RunOf> baseline, std::span<const RunOf> candidate, Captures first,
                       Captures second)
{
    for (const auto& [runs, captures] : {std::pair(baseline, first), std::pair(candidate, second)})
        if (runs.empty())
            return notComparable(fmt::format("{}: found no run, expected one at least",
                                             captures.empty() ? "a side" : captures.front().folder));
    std::vector<RunOf> all(baseline.begin(), baseline.end());
    all.insert(all.end(), candidate.begin(), candidate.end());
    if (Status status = checkFrames(all); !status) return status;
    if (Status status = mustAgree(kOfAll, all); !status) return status;
    if (Status status = mustAgree(kOfASide, baseline); !status) return status;
    if (Status status = mustAgree(kOfASide, candidate); !status) return status;
    const RunOf &a = baseline.front(), &b = candidate.front();
    if (settingsHash(a.capture->report) == settingsHash(b.capture->report) && a.run->workHash != b.run->workHash)
        return notComparable(fmt::format("{}: work hash: found {}, expected {} as in {}, which has the same settings: "
                                         "something is not deterministic",
                                         b.name(), *b.run->workHash, *a.run->workHash, a.name()));
    return Status::ok();
}

// ---- what is the same and what is not ----

ComparedSide sideOf(Captures captures, std::span<const RunOf> runs)
{
    ComparedSide side;
    for (const Capture& capture : captures)
        side.folders.push_back(capture.folder);
    side.runs = runs.size();
    side.settingsHash = settingsHash(runs.front().capture->report);
    side.workHash = *runs.front().run->workHash;
    side.leavesMean = runs.front().run->statistics.work[&FrameSample::leaves].mean;  // of all runs: they did the same
    side.trianglesMean = runs.front().run->statistics.work[&FrameSample::triangles].mean;
    return side;
}

std::optional<double> ratioOf(const std::optional<double>& baseline, const std::optional<double>& candidate)
{
    if (!baseline || !candidate || !(*baseline > 0)) return std::nullopt;
    return *candidate / *baseline;
}

std::vector<SettingDifference> settingDifferences(const FrameReport& a, const FrameReport& b)
{
    const Json baseline = Json::parse(a.settings), candidate = Json::parse(b.settings);
    const auto textOf = [](const Json& settings, const std::string& key) {
        const auto value = settings.find(key);
        return value == settings.end() ? std::string("none") : value->dump();
    };
    std::vector<SettingDifference> differences;
    const auto compare = [&](const std::string& key) {
        const std::string before = textOf(baseline, key), after = textOf(candidate, key);
        if (before != after) differences.push_back({key, before, after});
    };
    for (const auto& [key, value] : baseline.items())
        compare(key);
    for (const auto& [key, value] : candidate.items())
        if (!baseline.contains(key)) compare(key);
    return differences;
}

// What may explain a difference besides the settings.
std::vector<std::string> notesOn(const FrameReport& a, const FrameReport& b)
{
    std::vector<std::string> notes;
    const auto compare = [&notes](const char* what, const std::optional<std::string>& before,
                                  const std::optional<std::string>& after) {
        if (before != after) notes.push_back(fmt::format("{}: {} and {}", what, shown(before), shown(after)));
    };
    const ReportMetadata &m = a.metadata, &n = b.metadata;
    compare("program", m.version + ' ' + m.commit.value_or(""), n.version + ' ' + n.commit.value_or(""));
    compare("build type", m.buildType, n.buildType);
    compare("compiler", m.compiler, n.compiler);
    compare("shaders", m.shadersHash, n.shadersHash);
    compare("renderer", m.glRenderer, n.glRenderer);
    compare("OpenGL version", m.glVersion, n.glVersion);
    compare("CPU", m.cpu, n.cpu);
    compare("governor", m.governor, n.governor);
    compare("kernel", m.kernel, n.kernel);
    if (m.vsync == true || n.vsync == true) notes.push_back("vertical sync was on: intervals are the screen's");
    for (const FrameReport* report : {&a, &b})
        if (report->unsettled)
            notes.push_back(fmt::format("{} is unsettled", report == &a ? "the baseline" : "the candidate"));
    return notes;
}

// ---- metrics ----

using Cells = std::vector<std::optional<double>>;

// The logarithm of the metric in each run.  Empty where a run has none.
std::optional<std::vector<double>> logsOf(const Metric& metric, std::span<const Cells> runs)
{
    std::vector<double> logs, values;
    for (const Cells& cells : runs)
    {
        values.clear();
        for (const std::optional<double>& cell : cells)
            if (cell) values.push_back(*cell);
        const std::optional<double> value = values.empty() ? std::nullopt : metric.of(values);
        if (!value) return std::nullopt;
        logs.push_back(std::log(*value));
    }
    return logs;
}

Difference differenceOf(std::span<const double> baseline, std::span<const double> candidate)
{
    if (std::min(baseline.size(), candidate.size()) < kRunsForBootstrap) return welchDifference(baseline, candidate);
    return bootstrapDifference(baseline, candidate);
}

Interval exponentials(const Interval& interval) { return {std::exp(interval.low), std::exp(interval.high)}; }

double geometricMean(std::span<const double> values)
{
    double sum = 0;
    for (const double value : values)
        sum += std::log(value);
    return std::exp(sum / double(values.size()));
}

// All but what depends on the other metrics.
std::optional<MetricComparison> compareMetric(const Metric& metric, std::span<const Cells> runs,
                                              std::size_t baselineRuns)
{
    const std::optional<std::vector<double>> logs = logsOf(metric, runs);
    if (!logs) return std::nullopt;
    MetricComparison result;
    result.name = metric.name();
    result.unit = metric.isRate() ? "fps" : "ms";
    result.higherIsBetter = metric.isRate();
    for (std::size_t run = 0; run < logs->size(); ++run)
        (run < baselineRuns ? result.baselineRuns : result.candidateRuns).push_back(std::exp((*logs)[run]));
    result.baseline = geometricMean(result.baselineRuns);
    result.candidate = geometricMean(result.candidateRuns);
    result.ratio = result.candidate / result.baseline;
    if (std::min(result.baselineRuns.size(), result.candidateRuns.size()) < 2) return result;
    const Difference difference =
        differenceOf(std::span(*logs).first(baselineRuns), std::span(*logs).subspan(baselineRuns));
    result.interval95 = exponentials(difference.interval95);
    result.interval90 = exponentials(difference.interval90);
    result.p = difference.p;
    return result;
}

void judge(std::vector<MetricComparison>& metrics, double marginPercent)
{
    std::vector<double> p;
    for (const MetricComparison& metric : metrics)
        if (metric.p) p.push_back(*metric.p);
    const std::vector<double> adjusted = holmAdjusted(p);
    const double margin = 1 + marginPercent / 100;
    std::size_t next = 0;
    for (MetricComparison& metric : metrics)
    {
        if (!metric.p) continue;
        metric.pHolm = adjusted[next++];
        const bool worse = metric.higherIsBetter ? metric.ratio < 1 : metric.ratio > 1;
        if (metric.interval90->low >= 1 / margin && metric.interval90->high <= margin)
            metric.verdict = Verdict::kEquivalent;
        else if (*metric.pHolm < kSignificance)
            metric.verdict = worse ? Verdict::kSlower : Verdict::kFaster;
    }
}

Result<std::vector<Metric>> metricsOf(const ComparisonOptions& options)
{
    std::vector<Metric> metrics;
    for (const std::string& name : options.metrics.empty() ? usualMetricNames() : options.metrics)
    {
        const std::optional<Metric> metric = Metric::named(name);
        if (!metric)
            return Error{ExitCode::kUsage, fmt::format("metric: found '{}', expected one of {}", name,
                                                       fmt::join(allMetricNames(), ", "))};
        // Twice the same would only make Holm's adjustment stricter.
        if (std::ranges::find(metrics, metric->name(), &Metric::name) == metrics.end()) metrics.push_back(*metric);
    }
    return metrics;
}

// Adds the metric to the comparison; or says why it cannot be compared though the sides can.
std::string addMetric(const Metric& metric, std::span<const RunOf> first, std::span<const RunOf> second, Comparison& to)
{
    const GpuTimer a = first.front().capture->report.metadata.gpuTimer;
    const GpuTimer b = second.front().capture->report.metadata.gpuTimer;
    if (metric.isGpu() && a != b) return fmt::format("one side has {} GPU timers, the other {}", textOf(a), textOf(b));
    std::vector<Cells> runs;
    for (const std::span<const RunOf> side : {first, second})
        for (const RunOf& run : side)
            runs.push_back(metric.cells(run.rows));
    std::optional<MetricComparison> compared = compareMetric(metric, runs, first.size());
    if (!compared) return "it was not measured in every run";
    to.metrics.push_back(std::move(*compared));
    return {};
}

// All but the metrics.
Comparison describe(Captures baseline, std::span<const RunOf> first, Captures candidate, std::span<const RunOf> second)
{
    const FrameReport &a = first.front().capture->report, &b = second.front().capture->report;
    Comparison result;
    result.baseline = sideOf(baseline, first);
    result.candidate = sideOf(candidate, second);
    result.frames = first.front().run->statistics.frames;
    const std::size_t fewest = std::min(first.size(), second.size());
    result.method = fewest < 2 ? "none" : fewest < kRunsForBootstrap ? "Welch's t interval" : "hierarchical bootstrap";
    result.settings = settingDifferences(a, b);
    result.leavesRatio = ratioOf(result.baseline.leavesMean, result.candidate.leavesMean);
    result.trianglesRatio = ratioOf(result.baseline.trianglesMean, result.candidate.trianglesMean);
    result.notes = notesOn(a, b);
    if (fewest < 2) result.notes.push_back("with one run on a side nothing can be concluded");
    return result;
}

}  // namespace

std::string_view textOf(Verdict verdict)
{
    switch (verdict)
    {
    case Verdict::kFaster:
        return "faster";
    case Verdict::kSlower:
        return "slower";
    case Verdict::kEquivalent:
        return "equivalent";
    case Verdict::kInconclusive:
        break;
    }
    return "inconclusive";
}

bool Comparison::anySlower() const
{
    return std::ranges::any_of(metrics, [](const auto& metric) { return metric.verdict == Verdict::kSlower; });
}

std::vector<std::string> allMetricNames() { return Metric::allNames(); }

std::vector<std::string> usualMetricNames()
{
    return {"interval_ms.mean", "interval_ms.p50", "interval_ms.p95", "interval_ms.p99", "cpu_ms.mean", "gpu_ms.mean"};
}

Result<Comparison> compareCaptures(Captures baseline, Captures candidate, const ComparisonOptions& options)
{
    assert(options.marginPercent > 0);
    const Result<std::vector<Metric>> metrics = metricsOf(options);
    if (!metrics) return metrics.error();
    const std::vector<RunOf> first = runsOf(baseline), second = runsOf(candidate);
    if (Status status = checkComparable(first, second, baseline, candidate); !status) return status.error();
    Comparison result = describe(baseline, first, candidate, second);
    result.marginPercent = options.marginPercent;
    for (const Metric& metric : *metrics)
    {
        const std::string obstacle = addMetric(metric, first, second, result);
        if (obstacle.empty()) continue;
        if (!options.metrics.empty())
            return notComparable(fmt::format("{} and {}: {}: {}", baseline.front().folder, candidate.front().folder,
                                             metric.name(), obstacle));
        result.notes.push_back(fmt::format("{} is left out: {}", metric.name(), obstacle));
    }
    judge(result.metrics, options.marginPercent);
    return result;
}

}  // namespace orogen
