#include "core/frames/statistics/statistics.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen {
namespace {

using Ticks = std::int64_t;              // 1e-4 ms, the last decimal of times in the file
__extension__ using TickSum = __int128;  // sum over any number of ticks
constexpr Ticks kTicksPerMs = 10'000;
static_assert(kTimeDecimals == 4);
constexpr std::size_t kReach = kStutterWindow / 2;  // frames of the window on either side of its middle frame

using Series = std::vector<Ticks>;

Ticks ticksOf(double ms) { return Ticks(std::llround(ms * double(kTicksPerMs))); }
double msOf(double ticks) { return ticks / double(kTicksPerMs); }
TickSum sumOf(std::span<const Ticks> values)
{
    TickSum sum = 0;
    for (const Ticks value : values)
        sum += value;
    return sum;
}
double meanMs(TickSum sum, std::size_t count) { return double(sum) / double(count) / double(kTicksPerMs); }

// Returns the percentile of type 7 of Hyndman and Fan: of n ascending values the one at position (n - 1) p, counted
// from 0 and interpolated linearly, with p = perMille / 1000.
double percentileMs(const Series& sorted, std::uint64_t perMille)
{
    const std::uint64_t position = (sorted.size() - 1) * perMille;
    const std::size_t below = position / 1000, above = std::min(below + 1, sorted.size() - 1);
    const auto between = Ticks(position % 1000);
    return msOf(double(sorted[below] * 1000 + between * (sorted[above] - sorted[below])) / 1000);
}

std::optional<Distribution> distributionOf(Series values)
{
    if (values.empty()) return std::nullopt;
    std::ranges::sort(values);
    Distribution d;
    d.count = values.size();
    d.mean = meanMs(sumOf(values), values.size());
    d.min = msOf(double(values.front()));
    d.max = msOf(double(values.back()));
    d.p50 = percentileMs(values, 500);
    d.p90 = percentileMs(values, 900);
    d.p95 = percentileMs(values, 950);
    d.p99 = percentileMs(values, 990);
    d.p999 = percentileMs(values, 999);
    return d;
}

// Returns the three lows of the slowest 1/`parts` of the frames; nothing if one of these frames took no time.
std::optional<Lows> lowsOf(Series intervals, std::uint64_t parts)
{
    std::ranges::sort(intervals);
    const double percentile = percentileMs(intervals, 1000 - 1000 / parts);
    std::ranges::reverse(intervals);
    const std::size_t count = (intervals.size() + parts - 1) / parts;
    const double mean = meanMs(sumOf(std::span(intervals).first(count)), count);
    const TickSum total = sumOf(intervals);
    TickSum slow = 0;
    std::size_t last = 0;
    for (slow = intervals[0]; slow * parts < total; slow += intervals[last])
        ++last;
    if (percentile <= 0 || intervals[last] <= 0) return std::nullopt;
    return Lows{1000 / percentile, 1000 / mean, 1000 / msOf(double(intervals[last]))};
}

bool isStutterAt(std::span<const Ticks> series, std::size_t index)
{
    const std::size_t first = index - std::min(index, kReach), last = std::min(index + kReach + 1, series.size());
    std::array<Ticks, kStutterWindow> window;
    const std::size_t count =
        std::size_t(std::ranges::copy(series.subspan(first, last - first), window.begin()).out - window.begin());
    std::sort(window.begin(), window.begin() + std::ptrdiff_t(count));
    const Ticks twiceMedian = window[(count - 1) / 2] + window[count / 2];
    const Ticks excess = Ticks(kStutterExcessMs) * kTicksPerMs;
    return series[index] > twiceMedian && 2 * series[index] - twiceMedian > 2 * excess;
}

Statistics::Stutter stutterOf(std::span<const Series> runs, TickSum total)
{
    Statistics::Stutter stutter;
    TickSum slow = 0;
    for (const Series& run : runs)
        for (std::size_t i = 0; i < run.size(); ++i)
        {
            if (!isStutterAt(run, i)) continue;
            ++stutter.count;
            slow += run[i];
        }
    stutter.perMinute = double(stutter.count) / (double(total) / double(60'000 * kTicksPerMs));
    stutter.timeShare = double(slow) / double(total);
    return stutter;
}

// Counts intervals longer than 1 / hertz seconds, exact to the tick: 16.6667 ms exceeds 1/60 s.
Misses missesOf(std::span<const Series> runs, Ticks hertz)
{
    Misses misses;
    std::uint64_t frames = 0;
    for (const Series& run : runs)
    {
        std::uint64_t inARow = 0;
        for (const Ticks interval : run)
        {
            inARow = interval * hertz > 1000 * kTicksPerMs ? inARow + 1 : 0;
            misses.count += inARow > 0;
            misses.longestRun = std::max(misses.longestRun, inARow);
        }
        frames += run.size();
    }
    misses.share = double(misses.count) / double(frames);
    return misses;
}

Series changesOf(std::span<const Series> runs)
{
    Series changes;
    for (const Series& run : runs)
        for (std::size_t i = 1; i < run.size(); ++i)
            changes.push_back(std::abs(run[i] - run[i - 1]));
    return changes;
}

// Returns the sample standard deviation divided by the mean.
std::optional<double> variationOf(const Series& values, TickSum total)
{
    if (values.size() < 2 || total <= 0) return std::nullopt;
    const double mean = double(total) / double(values.size());
    double squares = 0;
    for (const Ticks value : values)
        squares += (double(value) - mean) * (double(value) - mean);
    return std::sqrt(squares / double(values.size() - 1)) / mean;
}

double jankOf(const Series& intervals, double budgetMs)
{
    TickSum sum = 0;
    std::uint64_t frames = 0;
    for (const Ticks interval : intervals)
    {
        if (msOf(double(interval)) <= budgetMs) continue;
        sum += interval;
        ++frames;
    }
    return msOf(double(sum)) - double(frames) * budgetMs;
}

std::optional<double> autocorrelationOf(std::span<const Series> runs)
{
    double along = 0, all = 0;
    for (const Series& run : runs)
    {
        if (run.empty() || std::ranges::max(run) == std::ranges::min(run)) continue;
        const double mean = double(sumOf(run)) / double(run.size());
        for (std::size_t i = 0; i < run.size(); ++i)
        {
            const double here = double(run[i]) - mean;
            all += here * here;
            if (i + 1 < run.size()) along += here * (double(run[i + 1]) - mean);
        }
    }
    if (all == 0) return std::nullopt;
    return along / all;
}

double effectiveOf(std::uint64_t frames, double autocorrelation)
{
    const double r = std::max(0.0, autocorrelation);
    return std::max(1.0, double(frames) * (1 - r) / (1 + r));
}

void describeIntervals(Statistics& s, std::span<const Series> runs)
{
    Series all;
    for (const Series& run : runs)
        all.insert(all.end(), run.begin(), run.end());
    s.frames = all.size();
    if (all.empty()) return;
    const TickSum total = sumOf(all);
    s.seconds = double(total) / double(1000 * kTicksPerMs);
    s.intervalMs = distributionOf(all);
    s.variation = variationOf(all, total);
    if (total > 0)
    {
        s.fpsAverage = double(TickSum(all.size()) * 1000 * kTicksPerMs) / double(total);
        s.stutter = stutterOf(runs, total);
    }
    if (all.size() >= kFramesForLow1) s.low1 = lowsOf(all, 100);
    if (all.size() >= kFramesForLow01) s.low01 = lowsOf(all, 1000);
    if (const std::optional<Distribution> change = distributionOf(changesOf(runs)))
    {
        s.jitterMeanMs = change->mean;
        s.jitterP99Ms = change->p99;
    }
    s.jankMs = jankOf(all, s.budgetMs);
    s.missed60 = missesOf(runs, 60);
    s.missed30 = missesOf(runs, 30);
    s.autocorrelation = autocorrelationOf(runs);
    if (s.autocorrelation) s.effectiveFrames = effectiveOf(s.frames, *s.autocorrelation);
}

using Rows = std::span<const FrameSample>;

template <class Visit>
void forEachMeasured(std::span<const Rows> runs, Visit visit)
{
    for (const Rows run : runs)
        for (const FrameSample& sample : run)
            if (sample.measured()) visit(sample);
}

template <class Cell>
std::optional<Distribution> columnOf(std::span<const Rows> runs, Cell cell)
{
    Series values;
    forEachMeasured(runs, [&](const FrameSample& sample) {
        if (const std::optional<double> value = cell(sample)) values.push_back(ticksOf(*value));
    });
    return distributionOf(std::move(values));
}

// Attributes each frame to the longest of CPU, GPU and present time.
std::optional<BoundShares> boundOf(std::span<const Rows> runs)
{
    std::array<std::uint64_t, 3> counts{};
    forEachMeasured(runs, [&](const FrameSample& sample) {
        if (!sample.cpuMs || !sample.gpuMs) return;
        const std::array times = {ticksOf(*sample.cpuMs), ticksOf(*sample.gpuMs), ticksOf(sample.swapMs.value_or(0))};
        ++counts[std::size_t(std::ranges::max_element(times) - times.begin())];
    });
    const std::uint64_t frames = counts[0] + counts[1] + counts[2];
    if (frames == 0) return std::nullopt;
    const double n = double(frames);
    return BoundShares{frames, double(counts[0]) / n, double(counts[1]) / n, double(counts[2]) / n};
}

CounterStatistic statisticOf(std::span<const Rows> runs, const Counter& counter)
{
    std::uint64_t frames = 0, sum = 0, largest = 0;
    forEachMeasured(runs, [&](const FrameSample& sample) {
        const std::optional<std::uint64_t>& value = sample.*counter.cell;
        if (!value) return;
        ++frames;
        sum += *value;
        largest = std::max(largest, *value);
    });
    if (frames == 0) return {};
    switch (counter.summary)
    {
    case CounterSummary::kMean:
        return {double(sum) / double(frames), std::nullopt};
    case CounterSummary::kSum:
        return {std::nullopt, sum};
    case CounterSummary::kLargest:
        return {std::nullopt, largest};
    }
    return {};
}

WorkStatistics workOf(std::span<const Rows> runs)
{
    WorkStatistics work;
    std::ranges::transform(kCounters, work.counters.begin(),
                           [&](const Counter& counter) { return statisticOf(runs, counter); });
    return work;
}

// Returns for each pair of neighbouring frames the absolute difference of two times: from one present to the next, and
// from one frame's begin to the next.
Series animationErrorsOf(std::span<const Rows> runs)
{
    Series errors;
    for (const Rows& run : runs)
        for (std::size_t i = 1; i < run.size(); ++i)
            if (run[i - 1].measured() && run[i].measured() && run[i].intervalMs)
                errors.push_back(std::abs(ticksOf(*run[i].intervalMs) - ticksOf(run[i].tMs) + ticksOf(run[i - 1].tMs)));
    return errors;
}

std::optional<ThrottledFrames> throttledOf(std::span<const Rows> runs)
{
    ThrottledFrames found;
    forEachMeasured(runs, [&](const FrameSample& sample) {
        const Throttle& throttle = sample.machine.throttle;
        if (!throttle.reasons) return;
        ++found.frames;
        found.count += throttle.throttled();
        found.reasons |= *throttle.reasons;
    });
    return found.frames > 0 ? std::optional(found) : std::nullopt;
}

std::vector<Series> intervalsOf(std::span<const Rows> runs)
{
    std::vector<Series> intervals;
    for (const Rows& run : runs)
    {
        Series& series = intervals.emplace_back();
        forEachMeasured(std::span(&run, 1), [&](const FrameSample& sample) {
            if (sample.intervalMs) series.push_back(ticksOf(*sample.intervalMs));
        });
    }
    return intervals;
}

}  // namespace

Statistics statisticsOf(std::span<const Rows> runs, double budgetMs)
{
    Statistics s;
    s.budgetMs = budgetMs;
    describeIntervals(s, intervalsOf(runs));
    if (const std::optional<Distribution> error = distributionOf(animationErrorsOf(runs)))
    {
        s.animationErrorMeanMs = error->mean;
        s.animationErrorP99Ms = error->p99;
    }
    s.bound = boundOf(runs);
    s.cpuMs = columnOf(runs, std::mem_fn(&FrameSample::cpuMs));
    s.waitMs = columnOf(runs, std::mem_fn(&FrameSample::waitMs));
    s.swapMs = columnOf(runs, std::mem_fn(&FrameSample::swapMs));
    s.gpuMs = columnOf(runs, std::mem_fn(&FrameSample::gpuMs));
    for (std::size_t pass = 0; pass < s.passMs.size(); ++pass)
        s.passMs[pass] = columnOf(runs, [pass](const FrameSample& sample) { return sample.passMs[pass]; });
    s.work = workOf(runs);
    s.errorMaxPx = columnOf(runs, std::mem_fn(&FrameSample::errorMaxPx));
    s.errorP99Px = columnOf(runs, std::mem_fn(&FrameSample::errorP99Px));
    for (std::size_t i = 0; i < s.machine.size(); ++i)
        s.machine[i] =
            columnOf(runs, [i](const FrameSample& sample) { return sample.machine.*kMachineColumns[i].cell; });
    s.throttled = throttledOf(runs);
    return s;
}

std::vector<SectionStatistics> sectionsOf(std::span<const Rows> runs, double budgetMs)
{
    std::vector<SectionStatistics> sections;
    std::vector<std::vector<Rows>> stretches;  // one list per section
    bool any = false;
    for (const Rows& run : runs)
        for (std::size_t begin = 0, end = 0; begin < run.size(); begin = end)
        {
            const auto same = [&](const FrameSample& row) {
                return row.measured() == run[begin].measured() && row.section == run[begin].section;
            };
            while (end < run.size() && same(run[end]))
                ++end;
            if (!run[begin].measured()) continue;
            any = any || !run[begin].section.empty();
            const auto found = std::ranges::find(sections, run[begin].section, &SectionStatistics::name);
            const std::size_t place = std::size_t(found - sections.begin());
            if (found == sections.end())
            {
                sections.push_back({run[begin].section, {}});
                stretches.emplace_back();
            }
            stretches[place].push_back(run.subspan(begin, end - begin));
        }
    if (!any) return {};
    for (std::size_t i = 0; i < sections.size(); ++i)
        sections[i].statistics = statisticsOf(stretches[i], budgetMs);
    return sections;
}

Statistics statisticsOf(Rows run, double budgetMs) { return statisticsOf(std::span(&run, 1), budgetMs); }

bool isStutter(std::span<const double> intervalsMs, std::size_t index)
{
    const std::size_t first = index - std::min(index, kReach);
    const std::size_t last = std::min(index + kReach + 1, intervalsMs.size());
    Series window;
    for (std::size_t i = first; i < last; ++i)
        window.push_back(ticksOf(intervalsMs[i]));
    return isStutterAt(window, index - first);
}

std::string lowReason(std::uint64_t frames, std::uint64_t needed)
{
    if (frames >= needed) return "a slowest frame took 0 ms";
    return fmt::format("fewer than {} frames ({})", grouped(needed), grouped(frames));
}

std::span<const Definition> statisticDefinitions()
{
    static constexpr Definition kDefinitions[] = {
        {"frames", "Measured frames: rows without the flag warmup that have an interval. Warm-up frames are in no "
                   "statistic."},
        {"seconds", "Sum of the intervals, in seconds."},
        {"fps_average", "frames / seconds: the number of frames divided by the sum of their intervals, not the mean of "
                        "1000 / interval."},
        {"interval_ms", "From one present to the next, in ms. mean, min, max; p50, p90, p95, p99, p999: percentiles "
                        "50, 90, 95, 99 and 99.9 of type 7: with the n values in ascending order, numbered from 0, the "
                        "value at position (n - 1) p, linearly between neighbours."},
        {"low1_p99", "1000 / p99 of the interval, frames per second."},
        {"low1_mean", "1000 / the mean interval of the slowest 1 % of the frames, their number rounded up."},
        {"low1_time", "Frames slowest first until their intervals sum to at least 1 % of all time: 1000 / the interval "
                      "of the last of them."},
        {"low1_reason", "Why the three are missing: below 1,000 frames, 1 % is too few to mean anything."},
        {"low01_p999", "As low1_p99, with percentile 99.9."},
        {"low01_mean", "As low1_mean, with the slowest 0.1 %."},
        {"low01_time", "As low1_time, with 0.1 % of the time."},
        {"low01_reason", "Why the three are missing: below 10,000 frames."},
        {"jitter_ms", "mean and p99 (type 7) of the absolute change of the interval between neighbouring frames of a "
                      "run."},
        {"coefficient_of_variation", "Standard deviation of the interval (of the sample) over its mean."},
        {"animation_error_ms",
         "mean and p99 (type 7) of the absolute difference between a frame's interval and the time "
         "from the begin of the frame before to its own: how much too early or too late a camera "
         "is shown that moves by the clock at a frame's begin."},
        {"stutter",
         "Frames whose interval is over 2 times the median of the 19 frames around them (9 before, the frame "
         "itself, 9 after; at the ends of a run those that exist; of an even number the mean of the middle "
         "two) and over that median by more than 4 ms. count; per_minute: per 60 s of interval; time_share: "
         "their intervals over all."},
        {"jank", "sum_ms: sum over the frames of max(0, interval - budget_ms)."},
        {"missed_60hz",
         "Frames with an interval over 1000 / 60 ms. count; share: of the frames; longest_run: most such "
         "frames in a row within a run."},
        {"missed_30hz", "As missed_60hz, for 1000 / 30 ms."},
        {"bound", "The longest of a frame's cpu_ms, gpu_ms and (present) swap_ms, the first of equals. Shares of "
                  "the frames where CPU and GPU were measured; frames: their number."},
        {"autocorrelation_lag1", "r = sum of (x_i - m)(x_(i+1) - m) over sum of (x_i - m)^2, with the mean m of the "
                                 "run; both sums over all runs. null where nothing varies."},
        {"effective_n", "frames (1 - r) / (1 + r), at least 1; a negative r counts as 0. Number of independent frames "
                        "with as much information about the mean."},
        {"cpu_ms",
         "Time this process worked on the frame without waiting, of the frames where it was measured (count)."},
        {"wait_ms", "Time the CPU waited for the GPU."},
        {"swap_ms", "Time the CPU was in the call that presents the frame."},
        {"gpu_ms", "From the GPU's first time stamp of the frame to its last."},
        {"passes", "Time between the GPU's time stamps around each pass: update (mark, plan, apply), reduce, decode "
                   "(leaf list, culling, arguments), draw, ui."},
        {"work",
         "leaves_mean (of the tree), triangles_mean (submitted after culling); splits (leaves that were split), "
         "merges (pairs that became one), upload_bytes: sums; max_depth, vram_max_kib: largest; processor_us_mean "
         "(of all threads), gl_calls_mean: present to present. Each over the frames where it was counted."},
        {"error_max_px",
         "Of a frame: the largest distance between what is drawn and the elevation model, in pixels, over "
         "the pixels that show ground; over the frames where it was measured (count)."},
        {"error_p99_px", "As error_max_px, with the distance that 99 % of those pixels do not exceed."},
        {"machine", "Readings ten times a second, of which each frame has the newest: clock of the fastest processor, "
                    "its hottest sensor, power of all processors; clocks, temperature and power of the GPU. throttled: "
                    "frames that tell whether a clock was lowered, and the count of those with a reason."},
    };
    return kDefinitions;
}

// ---- formatting for terminal, panels and pages ----

namespace {

constexpr int kSignificantDigits = 4;
constexpr std::uint64_t kFewestFrames = 10;  // minimum for any percentile

}  // namespace

std::string figureText(double value)
{
    if (value == 0) return "0";
    const int whole = int(std::floor(std::log10(std::abs(value)))) + 1;  // digits before the point
    return (value < 0 ? "-" : "") +
           grouped(std::abs(value), std::clamp(kSignificantDigits - whole, 0, kSignificantDigits));
}

namespace {

std::uint64_t framesForPercentile(int perMille)
{
    return std::max<std::uint64_t>(kFewestFrames, 1000 / std::uint64_t(1000 - perMille));
}

}  // namespace

std::uint64_t ShownPercentile::framesNeeded() const { return framesForPercentile(perMille); }

std::string ShownPercentile::textOf(const Distribution& distribution) const
{
    return distribution.count < framesNeeded() ? std::string(kNoFigure) : figureText(distribution.*value);
}

const ShownPercentile& shownPercentile(std::string_view name)
{
    const auto found = std::ranges::find(kShownPercentiles, name, &ShownPercentile::name);
    assert(found != kShownPercentiles.end());
    return *found;
}

// ---- metrics, used to compare runs ----

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

// Returns the percentile, of type 7 as in percentileMs().
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

std::uint64_t Metric::framesNeeded() const
{
    if (statistic_ == Statistic::kMean) return 1;
    return rate_ ? kFramesForLow1 : framesForPercentile(perMille_);
}

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
