#include "core/frames/compare/comparison.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/frames/compare/comparison_math.h"
#include "core/frames/report/report.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {
namespace {

using Captures = std::span<const Capture>;
// ---- comparability of the sides ----

// Returns the runs that were not interrupted, or all runs if every run was.
std::vector<RunOf> runsOf(Captures captures)
{
    std::vector<RunOf> runs;
    for (const Capture& capture : captures)
        for (std::size_t i = 0; i < capture.rows.size(); ++i)
            runs.push_back({&capture, &capture.report.runs[i], capture.rows[i]});
    const auto interrupted = [](const RunOf& run) { return run.run->interrupted; };
    if (!std::ranges::all_of(runs, interrupted)) std::erase_if(runs, interrupted);
    return runs;
}

std::size_t countOf(Captures captures)
{
    std::size_t runs = 0;
    for (const Capture& capture : captures)
        runs += capture.rows.size();
    return runs;
}

// Runs of both sides; in a paired comparison, only runs that have a partner.
struct Sides
{
    std::vector<RunOf> baseline, candidate;
    std::vector<RunPair> pairs;
};

// Collects the runs.  In an interleaved capture, drops runs without a partner.
Sides sidesOf(Captures baseline, Captures candidate)
{
    Sides sides = {runsOf(baseline), runsOf(candidate), {}};
    sides.pairs = pairsOf(sides.baseline, sides.candidate);
    if (sides.pairs.empty()) return sides;
    Sides paired;
    for (const RunPair& pair : sides.pairs)
    {
        paired.baseline.push_back(sides.baseline[pair.baseline]);
        paired.candidate.push_back(sides.candidate[pair.candidate]);
        paired.pairs.push_back({paired.baseline.size() - 1, paired.candidate.size() - 1, pair.candidateFirst});
    }
    return paired;
}

std::string shown(const std::optional<std::string>& text) { return text.value_or("unknown"); }

// Property that must be equal in all runs (kOfAll) or in all runs of one side (kOfASide).
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
    {"panels in the frames (--panels)",
     [](const RunOf& r) { return std::string(r.capture->report.panels ? "drawn" : "not drawn"); }},
};
constexpr Property kOfASide[] = {
    {"settings (hash)", [](const RunOf& r) { return settingsHash(r.capture->report); }},
    {"work hash", [](const RunOf& r) { return shown(r.run->workHash); }},
};

Error notComparable(const std::string& what) { return {ExitCode::kInput, "not comparable: " + what}; }

// Returns why runs did unequal work, if missing tiles explain it; otherwise an empty text.
std::string missingTiles(const RunOf& a, const RunOf& b)
{
    for (const RunOf* run : {&a, &b})
        if (run->run->tiles && run->run->tiles->framesMissing > 0)
            return fmt::format("; in {} of its frames {} lacked tiles: capture --settled waits for them",
                               run->run->tiles->framesMissing, run->name());
    return {};
}

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
                return notComparable(fmt::format("{}: {}: found {}, expected {} as in {}{}", run.name(), property.what,
                                                 found, expected, runs.front().name(),
                                                 missingTiles(run, runs.front())));
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

std::string_view waited(const RunOf& run) { return run.capture->report.settled ? "yes" : "no"; }

// Checks that either all runs with tiles waited for them or none did: waiting changes the work of a frame.
Status checkTiles(std::span<const RunOf> runs)
{
    const RunOf* first = nullptr;
    for (const RunOf& run : runs)
    {
        if (!run.run->tiles) continue;
        if (!first) first = &run;
        if (waited(run) != waited(*first))
            return notComparable(
                fmt::format("{}: frames waited for their tiles (--settled): found {}, expected {} as in {}", run.name(),
                            waited(run), waited(*first), first->name()));
    }
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
    if (Status status = checkTiles(all); !status) return status;
    if (Status status = mustAgree(kOfASide, baseline); !status) return status;
    if (Status status = mustAgree(kOfASide, candidate); !status) return status;
    const RunOf &a = baseline.front(), &b = candidate.front();
    if (settingsHash(a.capture->report) == settingsHash(b.capture->report) && a.run->workHash != b.run->workHash)
        return notComparable(fmt::format("{}: work hash: found {}, expected {} as in {}, which has the same settings: "
                                         "something is not deterministic{}",
                                         b.name(), *b.run->workHash, *a.run->workHash, a.name(), missingTiles(a, b)));
    return Status::ok();
}

// ---- differences in settings and environment ----

ComparedSide sideOf(Captures captures, std::span<const RunOf> runs)
{
    ComparedSide side;
    for (const Capture& capture : captures)
        side.folders.push_back(capture.folder);
    side.runs = runs.size();
    side.settingsHash = settingsHash(runs.front().capture->report);
    side.workHash = *runs.front().run->workHash;
    side.leavesMean = runs.front().run->statistics.work[&FrameSample::leaves].mean;  // equal in all runs
    side.trianglesMean = runs.front().run->statistics.work[&FrameSample::triangles].mean;
    return side;
}

std::optional<double> ratioOf(const std::optional<double>& baseline, const std::optional<double>& candidate)
{
    if (!baseline || !candidate || !(*baseline > 0)) return std::nullopt;
    return *candidate / *baseline;
}

// Returns whether a report shows the Earth, by the terrain's name: "earth", or "earth with" its insets.
bool showsEarth(const FrameReport& report)
{
    const std::string_view name = report.metadata.heightmap, earth = "earth";
    return name == earth || (name.starts_with(earth) && name.substr(earth.size()).starts_with(" with "));
}

// Returns a report's settings with cbt.depth as the only depth: that of the tree in use, on the Earth the value of
// earth.depth.  Reports from before earth.depth was a setting have this form already.
Json withShownDepth(const FrameReport& report)
{
    Json settings = Json::parse(report.settings);
    const Json* depth = settings.find("earth.depth");
    if (!depth) return settings;
    if (showsEarth(report)) settings["cbt.depth"] = Json(*depth);
    settings.erase("earth.depth");
    return settings;
}

std::vector<SettingDifference> settingDifferences(const FrameReport& a, const FrameReport& b)
{
    const Json baseline = withShownDepth(a), candidate = withShownDepth(b);
    const auto textOf = [](const Json& settings, const std::string& key) {
        const Json* value = settings.find(key);
        return value ? value->dump() : std::string("none");
    };
    std::vector<SettingDifference> differences;
    const auto compare = [&](const std::string& key) {
        const std::string before = textOf(baseline, key), after = textOf(candidate, key);
        if (before != after) differences.push_back({key, before, after});
    };
    for (const auto& [key, value] : baseline.members())
        compare(key);
    for (const auto& [key, value] : candidate.members())
        if (!baseline.contains(key)) compare(key);
    return differences;
}

// Lists differences other than settings, and conditions of either side, that may explain or falsify a difference in
// time.
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
    for (const FrameReport* report : {&a, &b})
        if (report->tiles && report->tiles->framesMissing > 0)
            notes.push_back(fmt::format("{}: {}", report == &a ? "baseline" : "candidate", tilesSentence(*report)));
    return notes;
}

// ---- metrics ----

using Cells = std::vector<std::optional<double>>;

// Returns the logarithm of the metric in each run; nothing if a run has no value.
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

Difference differenceOf(std::span<const double> baseline, std::span<const double> candidate,
                        std::span<const RunPair> pairs)
{
    if (pairs.empty()) return differenceOf(baseline, candidate);
    std::vector<PairDifference> differences;
    for (const RunPair& pair : pairs)
        differences.push_back({candidate[pair.candidate] - baseline[pair.baseline], pair.candidateFirst});
    return pairedDifference(differences);
}

// Compares one metric; pHolm, verdict and runsWanted depend on the other metrics and are set later.
std::optional<MetricComparison> compareMetric(const Metric& metric, std::span<const Cells> runs,
                                              std::size_t baselineRuns, std::span<const RunPair> pairs)
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
        differenceOf(std::span(*logs).first(baselineRuns), std::span(*logs).subspan(baselineRuns), pairs);
    result.ratio = std::exp(difference.mean);
    result.spread = difference.spread;
    result.interval95 = exponentials(difference.interval95);
    result.interval90 = exponentials(difference.interval90);
    result.p = difference.p;
    return result;
}

// Sets pHolm and the verdict of each metric.  `among`: number of comparisons made at once.
void judge(std::vector<MetricComparison>& metrics, double marginPercent, std::size_t among)
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
        metric.pHolm = std::min(1.0, double(among) * adjusted[next++]);
        const bool worse = metric.higherIsBetter ? metric.ratio < 1 : metric.ratio > 1;
        if (metric.interval90->low >= 1 / margin && metric.interval90->high <= margin)
            metric.verdict = Verdict::kEquivalent;
        else if (*metric.pHolm < kSignificance)
            metric.verdict = worse ? Verdict::kSlower : Verdict::kFaster;
    }
}

// Sets runsWanted of inconclusive metrics.  Assumes the strictest level of Holm's adjustment: p is multiplied by the
// number of metrics and by the number of comparisons (`among`).
void planFurtherRuns(Comparison& comparison, std::size_t among)
{
    for (MetricComparison& metric : comparison.metrics)
        if (metric.p && metric.verdict == Verdict::kInconclusive)
            metric.runsWanted =
                runsWanted({.paired = comparison.pairs > 0,
                            .mean = std::log(metric.ratio),
                            .spread = metric.spread,
                            .margin = std::log(1 + comparison.marginPercent / 100),
                            .significance = kSignificance / double(comparison.metrics.size() * among),
                            .least = std::min(metric.baselineRuns.size(), metric.candidateRuns.size()) + 1,
                            .most = kMostRunsWanted});
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
        // A duplicate would only make Holm's adjustment stricter.
        if (std::ranges::find(metrics, metric->name(), &Metric::name) == metrics.end()) metrics.push_back(*metric);
    }
    return metrics;
}

// Adds the metric to the comparison, or returns the reason why it cannot be compared.
std::string addMetric(const Metric& metric, const Sides& sides, Comparison& to)
{
    const std::vector<RunOf>&first = sides.baseline, &second = sides.candidate;
    const GpuTimer a = first.front().capture->report.metadata.gpuTimer;
    const GpuTimer b = second.front().capture->report.metadata.gpuTimer;
    if (metric.isGpu() && a != b) return fmt::format("one side has {} GPU timers, the other {}", textOf(a), textOf(b));
    if (metric.isGpu() && a == GpuTimer::kSoftware) return "OpenGL ran on the CPU, whose time stamps are not GPU times";
    std::vector<Cells> runs;
    for (const std::vector<RunOf>* side : {&first, &second})
        for (const RunOf& run : *side)
        {
            runs.push_back(metric.cells(run.rows));
            const auto frames = std::uint64_t(std::ranges::count_if(runs.back(), &std::optional<double>::has_value));
            if (frames > 0 && frames < metric.framesNeeded()) return lowReason(frames, metric.framesNeeded());
        }
    std::optional<MetricComparison> compared = compareMetric(metric, runs, first.size(), sides.pairs);
    if (!compared) return "it was not measured in every run";
    to.metrics.push_back(std::move(*compared));
    return {};
}

std::string methodOf(const Sides& sides)
{
    const std::size_t fewest = std::min(sides.baseline.size(), sides.candidate.size());
    if (fewest < 2) return "none";
    if (!sides.pairs.empty()) return "paired t interval";
    return fewest < kRunsForBootstrap ? "Welch's t interval" : "hierarchical bootstrap";
}

// Lists signs that noise disturbed the measurement, without repeats.
std::vector<std::string> noiseOf(const Sides& sides)
{
    std::vector<std::string> lines;
    for (const auto& [name, runs] : {std::pair("baseline", &sides.baseline), std::pair("candidate", &sides.candidate)})
    {
        std::vector<double> means;
        for (const RunOf& run : *runs)
            if (run.run->statistics.intervalMs) means.push_back(run.run->statistics.intervalMs->mean);
        if (const std::optional<RunSpread> spread = runSpread(means); spread && spread->noisy())
            lines.push_back(fmt::format("equal runs of the {} {}", name, textOf(*spread)));
    }
    for (const auto& [name, runs] : {std::pair("baseline", &sides.baseline), std::pair("candidate", &sides.candidate)})
    {
        const auto throttled = [](const RunOf& run) { return !throttleSentence(run.run->statistics).empty(); };
        if (const auto count = std::ranges::count_if(*runs, throttled); count > 0)
            lines.push_back(fmt::format("{} of {} of the {} had frames with a lowered clock (throttle)", count,
                                        counted(runs->size(), "run"), name));
    }
    for (const std::vector<RunOf>* runs : {&sides.baseline, &sides.candidate})
        for (const std::string& line : machineWarnings(runs->front().capture->report.metadata))
            if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    return lines;
}

void noteLeftOut(Captures baseline, Captures candidate, const Sides& sides, std::vector<std::string>& notes)
{
    const std::size_t all = countOf(baseline) + countOf(candidate);
    const std::size_t used = sides.baseline.size() + sides.candidate.size();
    if (used < all)
        notes.push_back(fmt::format("{} run{} left out: interrupted{}", all - used, all - used == 1 ? " is" : "s are",
                                    sides.pairs.empty() ? "" : ", or without a partner"));
}

// Fills in everything except the margin, the metrics and the sections.
Comparison describe(Captures baseline, Captures candidate, const Sides& sides)
{
    const std::vector<RunOf>&first = sides.baseline, &second = sides.candidate;
    const FrameReport &a = first.front().capture->report, &b = second.front().capture->report;
    Comparison result;
    result.baseline = sideOf(baseline, first);
    result.candidate = sideOf(candidate, second);
    result.frames = first.front().run->statistics.frames;
    result.pairs = sides.pairs.size();
    result.method = methodOf(sides);
    result.settings = settingDifferences(a, b);
    result.leavesRatio = ratioOf(result.baseline.leavesMean, result.candidate.leavesMean);
    result.trianglesRatio = ratioOf(result.baseline.trianglesMean, result.candidate.trianglesMean);
    result.notes = notesOn(a, b);
    noteLeftOut(baseline, candidate, sides, result.notes);
    if (!result.decidable()) result.notes.push_back("with one run on a side nothing can be concluded");
    result.noise = noiseOf(sides);
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

const MetricComparison* Comparison::first() const
{
    const auto mean = std::ranges::find(metrics, "interval_ms.mean", &MetricComparison::name);
    if (mean != metrics.end()) return &*mean;
    return metrics.empty() ? nullptr : &metrics.front();
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
    const Sides sides = sidesOf(baseline, candidate);
    if (Status status = checkComparable(sides.baseline, sides.candidate, baseline, candidate); !status)
        return status.error();
    Comparison result = describe(baseline, candidate, sides);
    result.marginPercent = options.marginPercent;
    for (const Metric& metric : *metrics)
    {
        const std::string obstacle = addMetric(metric, sides, result);
        if (obstacle.empty()) continue;
        if (!options.metrics.empty())
            return notComparable(fmt::format("{} and {}: {}: {}", baseline.front().folder, candidate.front().folder,
                                             metric.name(), obstacle));
        result.notes.push_back(fmt::format("{} is left out: {}", metric.name(), obstacle));
    }
    judge(result.metrics, options.marginPercent, options.among);
    planFurtherRuns(result, options.among);
    addSections(result, baseline, candidate, options);
    return result;
}

// ---- captures in folders, for the command line and the Capture panel ----

namespace {

// Returns whether the folder is of `capture --interleave`, which puts a capture into each of two subfolders.
bool holdsTwoSides(const std::string& folder)
{
    const auto exists = [&folder](const char* name) {
        std::error_code ignored;
        return std::filesystem::exists(folder + name, ignored);
    };
    return !exists("/report.json") && exists("/a/report.json") && exists("/b/report.json");
}

}  // namespace

Result<std::vector<Capture>> readSide(std::span<const std::string> folders, const StopReading& stop)
{
    std::vector<Capture> captures;
    for (const std::string& folder : folders)
    {
        if (stop && stop()) return Error{ExitCode::kInterrupted, "interrupted"};
        if (holdsTwoSides(folder))
            return Error{ExitCode::kInput, fmt::format("{}: found two interleaved captures, expected one of them: "
                                                       "{}/a or {}/b",
                                                       folder, folder, folder)};
        Result<Capture> capture = readCapture(folder);
        if (!capture) return capture.error();
        captures.push_back(std::move(*capture));
    }
    return captures;
}

Result<ComparedFolders> compareFolders(std::span<const std::string> baseline, std::span<const std::string> candidate,
                                       const ComparisonOptions& options, const StopReading& stop)
{
    Result<std::vector<Capture>> first = readSide(baseline, stop);
    if (!first) return first.error();
    Result<std::vector<Capture>> second = readSide(candidate, stop);
    if (!second) return second.error();
    Result<Comparison> comparison = compareCaptures(*first, *second, options);
    if (!comparison) return comparison.error();
    return ComparedFolders{std::move(*first), std::move(*second), std::move(*comparison)};
}

bool ComparedSides::anySlower() const { return std::ranges::any_of(comparisons, &Comparison::anySlower); }

Result<ComparedSides> compareSides(std::span<const NamedFolders> sides, const ComparisonOptions& options,
                                   const StopReading& stop)
{
    ComparedSides compared;
    ComparisonOptions each = options;
    each.among = sides.size() - 1;
    for (const NamedFolders& side : sides)
    {
        Result<std::vector<Capture>> captures = readSide(side.folders, stop);
        if (!captures) return captures.error();
        compared.names.push_back(side.name);
        compared.captures.push_back(std::move(*captures));
        if (compared.captures.size() == 1) continue;
        Result<Comparison> comparison = compareCaptures(compared.captures.front(), compared.captures.back(), each);
        if (!comparison) return comparison.error();
        compared.comparisons.push_back(std::move(*comparison));
    }
    return compared;
}

}  // namespace orogen
