#include "core/frames/sample/metric.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace orogen {
namespace {

constexpr std::array<std::string_view, 10> kMetricColumns = {
    "interval_ms",   "cpu_ms",        "wait_ms",       "swap_ms",     "gpu_ms",
    "gpu_update_ms", "gpu_reduce_ms", "gpu_decode_ms", "gpu_draw_ms", "gpu_ui_ms"};
constexpr int kFirstGpuColumn = 4, kFirstPass = 5;
static_assert(kMetricColumns.size() == std::size_t(kFirstPass) + kReportedPasses);

struct NamedPercentile
{
    std::string_view name;
    int perMille;
};
constexpr std::array<NamedPercentile, 5> kPercentiles = {
    {{"p50", 500}, {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p999", 999}}};
constexpr std::array<std::string_view, 3> kRates = {"fps_average", "low1_p99", "low1_mean"};

std::optional<double> cellOf(const FrameSample& row, int column)
{
    const std::array<std::optional<double>, kFirstPass> plain = {row.intervalMs, row.cpuMs, row.waitMs, row.swapMs,
                                                                 row.gpuMs};
    return column < kFirstPass ? plain[std::size_t(column)] : row.passMs[std::size_t(column - kFirstPass)];
}

double meanOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

// Returns the type 7 percentile, as in statistics.h.
double percentile(std::vector<double>& values, int perMille)
{
    const std::size_t position = (values.size() - 1) * std::size_t(perMille), below = position / 1000;
    const auto at = values.begin() + std::ptrdiff_t(below);
    std::nth_element(values.begin(), at, values.end());
    if (position % 1000 == 0) return *at;
    const double above = *std::min_element(at + 1, values.end());
    return *at + double(position % 1000) / 1000 * (above - *at);
}

double slowestMean(std::vector<double>& values)
{
    const std::size_t count = (values.size() + 99) / 100;
    const auto end = values.begin() + std::ptrdiff_t(count);
    std::nth_element(values.begin(), end - 1, values.end(), std::greater<>());
    return meanOf(std::span(values).first(count));
}

}  // namespace

std::optional<Metric> Metric::named(std::string_view name)
{
    Metric metric;
    metric.name_ = name;
    if (const auto rate = std::ranges::find(kRates, name); rate != kRates.end())
    {
        metric.rate_ = true;
        if (name == "low1_p99") metric.statistic_ = Statistic::kPercentile, metric.perMille_ = 990;
        if (name == "low1_mean") metric.statistic_ = Statistic::kSlowestMean;
        return metric;
    }
    const std::size_t dot = name.find('.');
    const auto column = std::ranges::find(kMetricColumns, name.substr(0, dot));
    if (column == kMetricColumns.end()) return std::nullopt;
    metric.column_ = int(column - kMetricColumns.begin());
    const std::string_view statistic = dot == std::string_view::npos ? "mean" : name.substr(dot + 1);
    if (dot == std::string_view::npos) metric.name_ += ".mean";
    if (statistic == "mean") return metric;
    const auto named = std::ranges::find(kPercentiles, statistic, &NamedPercentile::name);
    if (named == kPercentiles.end()) return std::nullopt;
    metric.statistic_ = Statistic::kPercentile;
    metric.perMille_ = named->perMille;
    return metric;
}

std::vector<std::string> Metric::allNames()
{
    std::vector<std::string> names(kRates.begin(), kRates.end());
    for (const std::string_view column : kMetricColumns)
    {
        names.push_back(std::string(column) + ".mean");
        for (const NamedPercentile& percentile : kPercentiles)
            names.push_back(std::string(column) + '.' + std::string(percentile.name));
    }
    return names;
}

bool Metric::isGpu() const { return column_ >= kFirstGpuColumn; }

std::vector<std::optional<double>> Metric::cells(std::span<const FrameSample> run) const
{
    std::vector<std::optional<double>> cells;
    for (const FrameSample& row : run)
        if (row.measured()) cells.push_back(cellOf(row, column_));
    return cells;
}

std::optional<double> Metric::of(std::vector<double>& cells) const
{
    double value = 0;
    switch (statistic_)
    {
    case Statistic::kMean:
        value = meanOf(cells);
        break;
    case Statistic::kPercentile:
        value = percentile(cells, perMille_);
        break;
    case Statistic::kSlowestMean:
        value = slowestMean(cells);
        break;
    }
    if (!(value > 0)) return std::nullopt;
    return rate_ ? 1000 / value : value;
}

}  // namespace orogen
