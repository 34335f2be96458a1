#include "core/frames/report/report_json.h"

#include <algorithm>
#include <cmath>

#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/frames/report/report.h"

namespace orogen {
namespace {

// Rounds to seven decimals.  Numbers from 1e8 on are not rounded, because a double has hardly more decimals there.
Json number(double value)
{
    constexpr double kUnits = 1e7;
    return std::abs(value) < 1e8 ? std::round(value * kUnits) / kUnits : value;
}

template <class T>
Json orNull(const std::optional<T>& value)
{
    if constexpr (std::is_same_v<T, double>)
        return value ? number(*value) : Json(nullptr);
    else
        return value ? Json(*value) : Json(nullptr);
}

Json toJson(const std::optional<Distribution>& d)
{
    if (!d) return nullptr;
    return {{"count", d->count},     {"mean", number(d->mean)}, {"min", number(d->min)},
            {"max", number(d->max)}, {"p50", number(d->p50)},   {"p90", number(d->p90)},
            {"p95", number(d->p95)}, {"p99", number(d->p99)},   {"p999", number(d->p999)}};
}

Json toJson(const std::optional<Misses>& misses)
{
    if (!misses) return nullptr;
    return {{"count", misses->count}, {"share", number(misses->share)}, {"longest_run", misses->longestRun}};
}

void addLows(Json& to, const std::string& name, const char* percentile, const std::optional<Lows>& lows,
             const std::string& reason)
{
    to[name + percentile] = lows ? number(lows->percentile) : Json(nullptr);
    to[name + "_mean"] = lows ? number(lows->mean) : Json(nullptr);
    to[name + "_time"] = lows ? number(lows->time) : Json(nullptr);
    to[name + "_reason"] = lows ? Json(nullptr) : Json(reason);
}

Json toJson(const WorkStatistics& work)
{
    Json json;
    for (std::size_t i = 0; i < kCounters.size(); ++i)
    {
        const CounterStatistic& statistic = work.counters[i];
        json[std::string(kCounters[i].key)] = statistic.mean ? Json(*statistic.mean) : orNull(statistic.total);
    }
    return json;
}

void addNeighbours(Json& to, const Statistics& s)
{
    to["coefficient_of_variation"] = orNull(s.variation);
    to["animation_error_ms"] = s.animationErrorMeanMs ? Json{{"mean", number(*s.animationErrorMeanMs)},
                                                             {"p99", number(*s.animationErrorP99Ms)}}
                                                      : Json();
    to["jitter_ms"] =
        s.jitterMeanMs ? Json{{"mean", number(*s.jitterMeanMs)}, {"p99", number(*s.jitterP99Ms)}} : Json();
    to["stutter"] = s.stutter ? Json{{"count", s.stutter->count},
                                     {"per_minute", number(s.stutter->perMinute)},
                                     {"time_share", number(s.stutter->timeShare)}}
                              : Json();
    to["jank"] = {{"budget_ms", number(s.budgetMs)}, {"sum_ms", orNull(s.jankMs)}};
    to["missed_60hz"] = toJson(s.missed60);
    to["missed_30hz"] = toJson(s.missed30);
    to["bound"] = s.bound ? Json{{"frames", s.bound->frames},
                                 {"cpu", number(s.bound->cpu)},
                                 {"gpu", number(s.bound->gpu)},
                                 {"present", number(s.bound->present)}}
                          : Json();
    to["autocorrelation_lag1"] = orNull(s.autocorrelation);
    to["effective_n"] = orNull(s.effectiveFrames);
}

Json machineJson(const Statistics& s)
{
    Json json;
    for (std::size_t i = 0; i < s.machine.size(); ++i)
        json[std::string(kMachineColumns[i].column)] = toJson(s.machine[i]);
    Json reasons = Json::array();
    for (std::size_t i = 0; i < kThrottleNames.size(); ++i)
        if (s.throttled && (s.throttled->reasons >> i & 1u) != 0) reasons.push_back(kThrottleNames[i]);
    json["throttled"] = s.throttled
                            ? Json{{"frames", s.throttled->frames}, {"count", s.throttled->count}, {"reasons", reasons}}
                            : Json(nullptr);
    return json;
}

Json toJson(const Statistics& s)
{
    Json json = {{"frames", s.frames},
                 {"seconds", number(s.seconds)},
                 {"fps_average", orNull(s.fpsAverage)},
                 {"interval_ms", toJson(s.intervalMs)}};
    addLows(json, "low1", "_p99", s.low1, lowReason(s.frames, kFramesForLow1));
    addLows(json, "low01", "_p999", s.low01, lowReason(s.frames, kFramesForLow01));
    addNeighbours(json, s);
    json["cpu_ms"] = toJson(s.cpuMs);
    json["wait_ms"] = toJson(s.waitMs);
    json["swap_ms"] = toJson(s.swapMs);
    json["gpu_ms"] = toJson(s.gpuMs);
    for (std::size_t pass = 0; pass < s.passMs.size(); ++pass)
        json["passes"]["gpu_" + std::string(kGpuPassNames[pass]) + "_ms"] = toJson(s.passMs[pass]);
    json["work"] = toJson(s.work);
    json["error_max_px"] = toJson(s.errorMaxPx);
    json["error_p99_px"] = toJson(s.errorP99Px);
    json["machine"] = machineJson(s);
    return json;
}

Json programJson(const ReportMetadata& m)
{
    return {{"version", m.version},
            {"commit", orNull(m.commit)},
            {"dirty", orNull(m.dirty)},
            {"build_type", orNull(m.buildType)},
            {"compiler", orNull(m.compiler)}};
}

Json metadataJson(const ReportMetadata& m)
{
    return {{"created", m.created},
            {"program", programJson(m)},
            {"command_line", m.commandLine},
            {"opengl",
             {{"vendor", orNull(m.glVendor)},
              {"renderer", orNull(m.glRenderer)},
              {"version", orNull(m.glVersion)},
              {"glsl_header", orNull(m.glslHeader)},
              {"context", orNull(m.contextPath)}}},
            {"gpu_timer", textOf(m.gpuTimer)},
            {"gpu_timer_meaning", meaningOf(m.gpuTimer)},
            {"cuda",
             {{"driver", orNull(m.cudaDriver)}, {"runtime", orNull(m.cudaRuntime)}, {"device", orNull(m.cudaDevice)}}},
            {"machine",
             {{"cpu", orNull(m.cpu)},
              {"governor", orNull(m.governor)},
              {"load", orNull(m.load)},
              {"processors", orNull(m.processors)},
              {"kernel", orNull(m.kernel)}}},
            {"picture",
             {{"width", m.width},
              {"height", m.height},
              {"scale", orNull(m.scale)},
              {"vsync", orNull(m.vsync)},
              {"headless", m.headless}}},
            {"heightmap", {{"name", m.heightmap}, {"sha256", orNull(m.heightmapSha256)}}},
            {"path", {{"name", orNull(m.pathName)}, {"hash", orNull(m.pathHash)}}},
            {"shaders_hash", orNull(m.shadersHash)}};
}

Json toJson(const std::optional<TileUse>& tiles)
{
    if (!tiles) return nullptr;
    return {{"budget_bytes", orNull(tiles->budgetBytes)},
            {"resident", orNull(tiles->resident)},
            {"capacity", orNull(tiles->capacity)},
            {"resident_bytes", orNull(tiles->residentBytes)},
            {"bytes_read", orNull(tiles->bytesRead)},
            {"requests", orNull(tiles->requests)},
            {"hits", orNull(tiles->hits)},
            {"hit_rate", orNull(tiles->hitRate())},
            {"coarser", orNull(tiles->coarser)},
            {"frames", tiles->frames},
            {"frames_missing", tiles->framesMissing},
            {"most_missing", tiles->mostMissing},
            {"loaded", tiles->loaded}};
}

Json toJson(const ReportRun& run)
{
    return {{"file", run.file},
            {"rows", run.rows},
            {"warmup_frames", run.warmupFrames},
            {"work_hash", orNull(run.workHash)},
            {"conforming", orNull(run.conforming)},
            {"gl_errors", orNull(run.glErrors)},
            {"interrupted", run.interrupted},
            {"unsettled", run.unsettled},
            {"scale_in_effect", orNull(run.scaleInEffect)},
            {"tiles", toJson(run.tiles)},
            {"statistics", toJson(run.statistics)}};
}

Json definitionsJson()
{
    Json json;
    for (const Definition& definition : statisticDefinitions())
        json[std::string(definition.name)] = definition.text;
    return json;
}

}  // namespace

std::string settingsHash(const FrameReport& report) { return sha256(Json::parse(report.settings).sorted().dump()); }

std::string metadataToJson(const ReportMetadata& metadata) { return metadataJson(metadata).dump(1); }

std::string reportToJson(const FrameReport& report)
{
    Json json = {{"schema", kReportSchema},
                 {"metadata", metadataJson(report.metadata)},
                 {"settings", Json::parse(report.settings)},
                 {"settings_hash", settingsHash(report)},
                 {"plan",
                  {{"runs", report.runsPlanned},
                   {"frames", report.framesPlanned},
                   {"warmup_minimum", report.warmupMinimum},
                   {"mangohud", report.mangohud},
                   {"presentmon", report.presentmon},
                   {"settled", report.settled},
                   {"panels", report.panels}}},
                 {"interleaved", report.interleaving ? Json{{"capture", report.interleaving->capture},
                                                            {"side", report.interleaving->side}}
                                                     : Json()},
                 {"until", report.until ? Json{{"percent", report.until->percent},
                                               {"max_runs", report.until->maxRuns},
                                               {"half_width_percent", orNull(report.until->halfWidthPercent)},
                                               {"decided", report.until->decided}}
                                        : Json()},
                 {"discarded_runs", report.discardedRuns},
                 {"work_hash", orNull(report.workHash)},
                 {"conforming", orNull(report.conforming)},
                 {"gl_errors", orNull(report.glErrors)},
                 {"interrupted", report.interrupted},
                 {"unsettled", report.unsettled},
                 {"recovered", report.recovered},
                 {"tiles", toJson(report.tiles)},
                 {"notes", report.notes},
                 {"definitions", definitionsJson()},
                 {"statistics", toJson(report.statistics)},
                 {"sections", Json::array()},
                 {"runs", Json::array()}};
    for (const SectionStatistics& section : report.sections)
        json["sections"].push_back({{"name", section.name}, {"statistics", toJson(section.statistics)}});
    for (const ReportRun& run : report.runs)
        json["runs"].push_back(toJson(run));
    return json.dump(1) + '\n';
}

}  // namespace orogen
