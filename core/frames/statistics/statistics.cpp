#include "core/frames/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen {
namespace {

using Ticks = std::int64_t;              // 1e-4 ms, the last decimal of times in the file
__extension__ using TickSum = __int128;  // sum over any number of ticks
constexpr Ticks kTicksPerMs = 10'000;
static_assert(kTimeDecimals == 4);
constexpr std::size_t kReach = kStutterWindow / 2;  // window's reach to either side

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

// Interpolates linearly at (n - 1) p of ascending values: type 7 of Hyndman and Fan.
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

// Returns the three lows of the slowest 1/`parts`; nothing if a slowest frame took no time.
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

// Counts intervals over one period of the rate, exact to the tick: 16.6667 ms exceeds 1/60 s.
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
    return s;
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

}  // namespace orogen
