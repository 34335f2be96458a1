#include <cmath>

#include <nlohmann/json.hpp>

#include "core/frames/compare/comparison.h"

namespace orogen {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(std::round(value * 1e7) / 1e7) : Json(nullptr); }
Json orNull(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }
Json orNull(const std::optional<Interval>& interval)
{
    return interval ? Json::array({number(interval->low), number(interval->high)}) : Json(nullptr);
}

Json numbers(const std::vector<double>& values)
{
    Json array = Json::array();
    for (const double value : values)
        array.push_back(number(value));
    return array;
}

Json toJson(const ComparedSide& side)
{
    return {{"folders", side.folders},
            {"runs", side.runs},
            {"settings_hash", side.settingsHash},
            {"work_hash", side.workHash},
            {"leaves_mean", orNull(side.leavesMean)},
            {"triangles_mean", orNull(side.trianglesMean)}};
}

Json toJson(const MetricComparison& metric, const Comparison& all)
{
    return {{"name", metric.name},
            {"unit", metric.unit},
            {"better", metric.higherIsBetter ? "higher" : "lower"},
            {"verdict", textOf(metric.verdict)},
            {"baseline", number(metric.baseline)},
            {"candidate", number(metric.candidate)},
            {"ratio", number(metric.ratio)},
            {"interval_95", orNull(metric.interval95)},
            {"interval_90", orNull(metric.interval90)},
            {"p", orNull(metric.p)},
            {"p_holm", orNull(metric.pHolm)},
            {"runs_wanted", metric.runsWanted ? Json(*metric.runsWanted) : Json()},
            {"leaves_ratio", orNull(all.leavesRatio)},
            {"triangles_ratio", orNull(all.trianglesRatio)},
            {"baseline_runs", numbers(metric.baselineRuns)},
            {"candidate_runs", numbers(metric.candidateRuns)}};
}

}  // namespace

std::string comparisonToJson(const Comparison& c, double milliseconds)
{
    Json settings = Json::array();
    for (const SettingDifference& difference : c.settings)
        settings.push_back(
            {{"key", difference.key}, {"baseline", difference.baseline}, {"candidate", difference.candidate}});
    Json metrics = Json::array();
    for (const MetricComparison& metric : c.metrics)
        metrics.push_back(toJson(metric, c));
    const Json json = {{"algorithm", c.method},
                       {"backend", "cpu"},
                       {"time_ms", {{"total", number(milliseconds)}}},
                       {"sentence", sentenceOf(c)},
                       {"comparable", true},
                       {"pairs", c.pairs},
                       {"slower", c.anySlower()},
                       {"margin_percent", number(c.marginPercent)},
                       {"frames", c.frames},
                       {"baseline", toJson(c.baseline)},
                       {"candidate", toJson(c.candidate)},
                       {"settings_differ", !c.settings.empty()},
                       {"settings", settings},
                       {"leaves_ratio", orNull(c.leavesRatio)},
                       {"triangles_ratio", orNull(c.trianglesRatio)},
                       {"metrics", metrics},
                       {"noise", c.noise},
                       {"notes", c.notes}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace orogen
