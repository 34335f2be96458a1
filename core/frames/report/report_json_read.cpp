// Reading of report.json, and checks of it against the rows in run-NN.csv beside it.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/text_file.h"
#include "core/frames/report/report.h"
#include "core/frames/report/report_json.h"

namespace orogen {
namespace {

constexpr std::uint64_t kLargestReport = std::uint64_t(64) << 20;  // bytes: about ten thousand runs
constexpr auto kCount = [](const JsonNode& node) { return node.count(); };
constexpr auto kIsSet = [](const JsonNode& node) { return node.flag(); };
constexpr auto kAmount = [](const JsonNode& node) { return node.number(0); };

// Returns whether a key exists: reports of earlier versions lack some.
bool has(const JsonNode& node, const char* key) { return !node.isNull() && node.object().contains(key); }

double share(const JsonNode& node) { return node.number(0, 1); }

Distribution distribution(const JsonNode& node)
{
    Distribution d;
    d.count = node["count"].count();
    d.mean = node["mean"].number(0);
    d.min = node["min"].number(0);
    d.p50 = node["p50"].number(d.min);
    d.p90 = node["p90"].number(d.p50);
    d.p95 = node["p95"].number(d.p90);
    d.p99 = node["p99"].number(d.p95);
    d.p999 = node["p999"].number(d.p99);
    d.max = node["max"].number(d.p999);
    return d;
}

Misses misses(const JsonNode& node)
{
    return {node["count"].count(), share(node["share"]), node["longest_run"].count()};
}

std::optional<Lows> lows(const JsonNode& statistics, const std::string& name, const char* percentile)
{
    const JsonNode reason = statistics[name + "_reason"];
    const JsonNode first = statistics[name + percentile], mean = statistics[name + "_mean"],
                   time = statistics[name + "_time"];
    if (!reason.isNull())
    {
        (void)reason.text();
        for (const JsonNode& node : {first, mean, time})
            if (!node.isNull()) node.refuse("null, as there is a reason for it");
        return std::nullopt;
    }
    return Lows{first.number(0), mean.number(0), time.number(0)};
}

void readNeighbours(const JsonNode& node, Statistics& s)
{
    if (has(node, "coefficient_of_variation")) s.variation = node["coefficient_of_variation"].orNull(kAmount);
    if (has(node, "animation_error_ms") && !node["animation_error_ms"].isNull())
    {
        s.animationErrorMeanMs = node["animation_error_ms"]["mean"].number(0);
        s.animationErrorP99Ms = node["animation_error_ms"]["p99"].number(0);
    }
    if (const JsonNode jitter = node["jitter_ms"]; !jitter.isNull())
    {
        s.jitterMeanMs = jitter["mean"].number(0);
        s.jitterP99Ms = jitter["p99"].number(0);
    }
    s.stutter = node["stutter"].orNull([](const JsonNode& n) {
        return Statistics::Stutter{n["count"].count(), n["per_minute"].number(0), share(n["time_share"])};
    });
    s.budgetMs = node["jank"]["budget_ms"].number(0);
    s.jankMs = node["jank"]["sum_ms"].orNull(kAmount);
    s.missed60 = node["missed_60hz"].orNull(misses);
    s.missed30 = node["missed_30hz"].orNull(misses);
    s.bound = node["bound"].orNull([](const JsonNode& n) {
        return BoundShares{n["frames"].count(), share(n["cpu"]), share(n["gpu"]), share(n["present"])};
    });
    s.autocorrelation = node["autocorrelation_lag1"].orNull([](const JsonNode& n) { return n.number(-1, 1); });
    s.effectiveFrames = node["effective_n"].orNull(kAmount);
}

WorkStatistics work(const JsonNode& node)
{
    WorkStatistics work;
    for (std::size_t i = 0; i < kCounters.size(); ++i)
    {
        const JsonNode value = node[std::string(kCounters[i].key).c_str()];
        if (kCounters[i].summary == CounterSummary::kMean)
            work.counters[i].mean = value.orNull(kAmount);
        else
            work.counters[i].total = value.orNull(kCount);
    }
    return work;
}

ThrottledFrames throttledFrames(const JsonNode& node)
{
    ThrottledFrames read{node["frames"].count(), node["count"].count(), 0};
    if (read.count > read.frames) node["count"].refuse("at most the number of frames");
    for (const JsonNode& item : node["reasons"].items())
    {
        const auto found = std::ranges::find(kThrottleNames, item.text());
        if (found == kThrottleNames.end())
            item.refuse("a reason for a lowered clock");
        else
            read.reasons |= 1u << (found - kThrottleNames.begin());
    }
    return read;
}

void readMachine(const JsonNode& node, Statistics& s)
{
    for (std::size_t i = 0; i < s.machine.size(); ++i)
        s.machine[i] = node[std::string(kMachineColumns[i].column).c_str()].orNull(distribution);
    s.throttled = node["throttled"].orNull(throttledFrames);
}

Statistics statistics(const JsonNode& node)
{
    Statistics s;
    s.frames = node["frames"].count();
    s.seconds = node["seconds"].number(0);
    s.fpsAverage = node["fps_average"].orNull(kAmount);
    s.intervalMs = node["interval_ms"].orNull(distribution);
    s.low1 = lows(node, "low1", "_p99");
    s.low01 = lows(node, "low01", "_p999");
    readNeighbours(node, s);
    s.cpuMs = node["cpu_ms"].orNull(distribution);
    s.waitMs = node["wait_ms"].orNull(distribution);
    s.swapMs = node["swap_ms"].orNull(distribution);
    s.gpuMs = node["gpu_ms"].orNull(distribution);
    for (std::size_t pass = 0; pass < s.passMs.size(); ++pass)
        s.passMs[pass] = node["passes"]["gpu_" + std::string(kGpuPassNames[pass]) + "_ms"].orNull(distribution);
    s.work = work(node["work"]);
    const auto measured = [&](const char* key) -> std::optional<Distribution> {
        if (!has(node, key)) return std::nullopt;  // the report predates the measurement
        return node[key].orNull(distribution);
    };
    s.errorMaxPx = measured("error_max_px");
    s.errorP99Px = measured("error_p99_px");
    if (has(node, "machine")) readMachine(node["machine"], s);
    if (s.intervalMs && s.intervalMs->count != s.frames) node["interval_ms"]["count"].refuse("the number of frames");
    return s;
}

GpuTimer gpuTimer(const JsonNode& node)
{
    const std::string text = node.text();
    for (const GpuTimer timer : {GpuTimer::kHardware, GpuTimer::kSoftware, GpuTimer::kNone})
        if (text == textOf(timer)) return timer;
    node.refuse("hardware, software or none");
    return GpuTimer::kNone;
}

int side(const JsonNode& node)
{
    const double value = node.number(0, 1 << 20);
    if (value != std::floor(value)) node.refuse("an integer");
    return int(value);
}

void readProgram(const JsonNode& node, ReportMetadata& m)
{
    m.version = node["version"].text();
    m.commit = node["commit"].textOrNull();
    m.dirty = node["dirty"].orNull(kIsSet);
    m.buildType = node["build_type"].textOrNull();
    m.compiler = node["compiler"].textOrNull();
}

void readDevices(const JsonNode& node, ReportMetadata& m)
{
    const JsonNode opengl = node["opengl"], cuda = node["cuda"], machine = node["machine"];
    m.glVendor = opengl["vendor"].textOrNull();
    m.glRenderer = opengl["renderer"].textOrNull();
    m.glVersion = opengl["version"].textOrNull();
    m.glslHeader = opengl["glsl_header"].textOrNull();
    m.contextPath = opengl["context"].textOrNull();
    m.gpuTimer = gpuTimer(node["gpu_timer"]);
    m.cudaDriver = cuda["driver"].textOrNull();
    m.cudaRuntime = cuda["runtime"].textOrNull();
    m.cudaDevice = cuda["device"].textOrNull();
    m.cpu = machine["cpu"].textOrNull();
    m.governor = machine["governor"].textOrNull();
    m.load = machine["load"].orNull(kAmount);
    if (has(machine, "processors")) m.processors = machine["processors"].orNull(kCount);
    m.kernel = machine["kernel"].textOrNull();
}

ReportMetadata metadata(const JsonNode& node)
{
    ReportMetadata m;
    m.created = node["created"].text();
    readProgram(node["program"], m);
    for (const JsonNode& word : node["command_line"].items())
        m.commandLine.push_back(word.text());
    readDevices(node, m);
    const JsonNode picture = node["picture"];
    m.width = side(picture["width"]);
    m.height = side(picture["height"]);
    m.scale = picture["scale"].orNull(kAmount);
    m.vsync = picture["vsync"].orNull(kIsSet);
    m.headless = picture["headless"].flag();
    m.heightmap = node["heightmap"]["name"].text();
    m.heightmapSha256 = node["heightmap"]["sha256"].textOrNull();
    m.pathName = node["path"]["name"].textOrNull();
    m.pathHash = node["path"]["hash"].textOrNull();
    m.shadersHash = node["shaders_hash"].textOrNull();
    return m;
}

// Returns whether a name has the form run-NN.csv with two digits or more, so that it cannot lead out of the folder.
bool isRunName(const std::string& name)
{
    constexpr std::string_view kFront = "run-", kBack = ".csv";
    if (name.size() < kFront.size() + 2 + kBack.size() || !name.starts_with(kFront) || !name.ends_with(kBack))
        return false;
    const std::string_view digits =
        std::string_view(name).substr(kFront.size(), name.size() - kFront.size() - kBack.size());
    return digits.find_first_not_of("0123456789") == std::string_view::npos;
}

TileUse tileUse(const JsonNode& node)
{
    TileUse use;
    use.budgetBytes = node["budget_bytes"].orNull(kCount);
    use.resident = node["resident"].orNull(kCount);
    use.capacity = node["capacity"].orNull(kCount);
    use.residentBytes = node["resident_bytes"].orNull(kCount);
    use.bytesRead = node["bytes_read"].orNull(kCount);
    use.requests = node["requests"].orNull(kCount);
    use.hits = node["hits"].orNull(kCount);
    use.coarser = node["coarser"].orNull(kAmount);
    use.frames = node["frames"].count();
    use.framesMissing = node["frames_missing"].count();
    use.mostMissing = node["most_missing"].count();
    use.loaded = node["loaded"].count();
    if (use.framesMissing > use.frames) node["frames_missing"].refuse("at most the number of frames");
    if (use.hits && use.requests && *use.hits > *use.requests) node["hits"].refuse("at most the number of requests");
    return use;
}

ReportRun run(const JsonNode& node)
{
    ReportRun r;
    r.file = node["file"].text();
    if (!isRunName(r.file)) node["file"].refuse("run-NN.csv");
    r.rows = node["rows"].count();
    r.warmupFrames = node["warmup_frames"].count();
    r.workHash = node["work_hash"].textOrNull();
    r.conforming = node["conforming"].orNull(kIsSet);
    r.glErrors = node["gl_errors"].orNull(kCount);
    r.interrupted = node["interrupted"].flag();
    r.unsettled = node["unsettled"].flag();
    if (has(node, "tiles")) r.tiles = node["tiles"].orNull(tileUse);
    if (has(node, "scale_in_effect")) r.scaleInEffect = node["scale_in_effect"].orNull(kAmount);
    r.statistics = statistics(node["statistics"]);
    return r;
}

Interleaving interleaving(const JsonNode& node)
{
    const Interleaving read = {node["capture"].text(), node["side"].text()};
    if (read.side != "a" && read.side != "b") node["side"].refuse("a or b");
    return read;
}

UntilDecided untilDecided(const JsonNode& node)
{
    return {node["percent"].number(0), node["max_runs"].count(), node["half_width_percent"].orNull(kAmount),
            node["decided"].flag()};
}

FrameReport report(const JsonNode& root)
{
    FrameReport r;
    r.metadata = metadata(root["metadata"]);
    r.settings = root["settings"].object().dump();
    const JsonNode plan = root["plan"];
    r.runsPlanned = plan["runs"].count();
    r.framesPlanned = plan["frames"].count();
    r.warmupMinimum = plan["warmup_minimum"].count();
    r.mangohud = plan["mangohud"].flag();
    if (has(plan, "presentmon")) r.presentmon = plan["presentmon"].flag();
    if (has(plan, "settled")) r.settled = plan["settled"].flag();
    if (has(root, "tiles")) r.tiles = root["tiles"].orNull(tileUse);
    if (has(root, "interleaved")) r.interleaving = root["interleaved"].orNull(interleaving);
    if (has(root, "until")) r.until = root["until"].orNull(untilDecided);
    if (has(root, "discarded_runs")) r.discardedRuns = root["discarded_runs"].count();
    r.workHash = root["work_hash"].textOrNull();
    r.conforming = root["conforming"].orNull(kIsSet);
    r.glErrors = root["gl_errors"].orNull(kCount);
    r.interrupted = root["interrupted"].flag();
    r.unsettled = root["unsettled"].flag();
    r.recovered = root["recovered"].flag();
    for (const JsonNode& note : root["notes"].items())
        r.notes.push_back(note.text());
    (void)root["definitions"].object();
    r.statistics = statistics(root["statistics"]);
    // Earlier versions drew panels whenever they timed them.
    r.panels = has(plan, "panels") ? plan["panels"].flag() : r.statistics.passMs[std::size_t(GpuPass::kUi)].has_value();
    if (has(root, "sections"))
        for (const JsonNode& item : root["sections"].items())
            r.sections.push_back({item["name"].text(), statistics(item["statistics"])});
    for (const JsonNode& item : root["runs"].items())
        r.runs.push_back(run(item));
    return r;
}

}  // namespace

Status checkRows(const std::string& path, const ReportRun& run, std::span<const FrameSample> rows)
{
    ReportRun found;
    summarize(found, rows, run.statistics.budgetMs);
    const auto differs = [&path](std::string_view what, const auto& here, const auto& expected) {
        return Error{ExitCode::kInput,
                     fmt::format("{}: {}: found {}, expected {} as report.json says", path, what, here, expected)};
    };
    if (found.rows != run.rows) return differs("rows", found.rows, run.rows);
    if (found.warmupFrames != run.warmupFrames) return differs("warm-up frames", found.warmupFrames, run.warmupFrames);
    if (found.statistics.frames != run.statistics.frames)
        return differs("measured frames", found.statistics.frames, run.statistics.frames);
    if (std::abs(found.statistics.seconds - run.statistics.seconds) > 1e-6)
        return differs("sum of the intervals in seconds", found.statistics.seconds, run.statistics.seconds);
    if (found.workHash != run.workHash)
        return differs("work hash", found.workHash.value_or("none"), run.workHash.value_or("none"));
    return Status::ok();
}

Result<FrameReport> reportFromJson(std::string_view text, const std::string& file)
{
    const Result<Json> json = parseJson(text, file, "a frame report");
    if (!json) return json.error();
    JsonFailure failure(file);
    const JsonNode root(&*json, "", failure);
    if (const JsonNode schema = root["schema"]; !failure.error() && schema.text() != kReportSchema)
        schema.refuse(fmt::format("\"{}\"", kReportSchema));
    FrameReport result = report(root);
    if (!failure.error() && root["settings_hash"].text() != settingsHash(result))
        root["settings_hash"].refuse("the hash of the settings");
    if (failure.error()) return *failure.error();
    return result;
}

Result<FrameReport> readReport(const std::string& path)
{
    const Result<std::string> text = readTextFile(path, kLargestReport);
    if (!text) return text.error();
    return reportFromJson(*text, path);
}

Result<Capture> readCapture(const std::string& folder)
{
    std::error_code ignored;
    if (std::filesystem::exists(folder + "/report.json.partial", ignored))
        return Error{ExitCode::kInput,
                     fmt::format("{}: found a capture that was not finished, expected a report (orogen "
                                 "report --recover {})",
                                 folder, folder)};
    Result<FrameReport> report = readReport(folder + "/report.json");
    if (!report) return report.error();
    Capture capture{folder, std::move(*report), {}};
    for (const ReportRun& run : capture.report.runs)
    {
        const std::string path = folder + '/' + run.file;
        Result<RunRows> rows = readRun(path);
        if (!rows) return rows.error();
        if (Status status = checkRows(path, run, rows->rows); !status) return status.error();
        capture.rows.push_back(std::move(rows->rows));
    }
    return capture;
}

}  // namespace orogen
