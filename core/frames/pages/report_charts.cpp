#include "core/frames/pages/report_charts.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/pages/svg_chart.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {
namespace {

// Calls visit(column, covered share of the column) for each column that the segment touches.
template <class Visit>
void forEachColumn(const Segment& segment, double length, std::size_t columns, Visit visit)
{
    assert(length > 0 && columns > 0 && segment.begin >= 0 && segment.end >= segment.begin);
    const double scale = double(columns) / length;
    const double begin = std::min(segment.begin * scale, double(columns));
    const double end = std::min(segment.end * scale, double(columns));
    const std::size_t first = std::min(std::size_t(begin), columns - 1);
    const std::size_t last = std::max(first, std::min(std::size_t(std::ceil(end)), columns) - (end > 0 ? 1 : 0));
    for (std::size_t column = first; column <= last; ++column)
        visit(column, std::min(end, double(column + 1)) - std::max(begin, double(column)));
}

}  // namespace

std::vector<std::optional<Extremes>> columnExtremes(std::span<const Segment> segments, double length,
                                                    std::size_t columns)
{
    std::vector<std::optional<Extremes>> result(columns);
    for (const Segment& segment : segments)
        forEachColumn(segment, length, columns, [&](std::size_t column, double) {
            std::optional<Extremes>& extremes = result[column];
            if (!extremes) extremes = {segment.value, segment.value};
            extremes->low = std::min(extremes->low, segment.value);
            extremes->high = std::max(extremes->high, segment.value);
        });
    return result;
}

std::vector<std::optional<double>> columnMeans(std::span<const Segment> segments, double length, std::size_t columns)
{
    std::vector<double> sum(columns), weight(columns);
    for (const Segment& segment : segments)
        forEachColumn(segment, length, columns, [&](std::size_t column, double part) {
            sum[column] += segment.value * part;
            weight[column] += part;
        });
    std::vector<std::optional<double>> means(columns);
    for (std::size_t i = 0; i < columns; ++i)
        if (weight[i] > 0) means[i] = sum[i] / weight[i];
    return means;
}

// ---- time line ----

namespace {

constexpr std::size_t kPasses = kReportedPasses;
constexpr int kEventTop = kChartHeight * 24 / 25;
constexpr double kWorthDrawing = 0.005;  // layers thinner than this share of the mean interval are omitted

// Layers from the bottom: the reported passes in execution order, then the rest of the GPU time: other passes, gaps.
constexpr std::size_t kLayers = kPasses + 1;
constexpr std::array<const char*, kLayers> kLayerClass = {"p0", "p1", "p2", "p3", "p4", "rest"};

std::string layerName(std::size_t layer)
{
    return layer < kPasses ? "GPU " + std::string(kGpuPassNames[layer]) : "GPU, outside these passes";
}

std::optional<double> layerMs(const FrameSample& row, std::size_t layer)
{
    if (layer < kPasses) return row.passMs[layer];
    if (!row.gpuMs) return std::nullopt;
    double passes = 0;
    for (const std::optional<double>& ms : row.passMs)
        passes += ms.value_or(0);
    return std::max(0.0, *row.gpuMs - passes);
}

// Returns a segment with the value cell(row) for each measured row that has this value and an interval.  The time axis
// is the running sum of the intervals (ms).
template <class Cell>
std::vector<Segment> segmentsOf(std::span<const FrameSample> run, Cell cell)
{
    std::vector<Segment> segments;
    double at = 0;
    for (const FrameSample& row : run)
    {
        if (!row.measured() || !row.intervalMs) continue;
        const double end = at + *row.intervalMs;
        if (const std::optional<double> value = cell(row)) segments.push_back({at, end, *value});
        at = end;
    }
    return segments;
}

double sumOfValues(const std::vector<Segment>& segments)
{
    double sum = 0;
    for (const Segment& segment : segments)
        sum += segment.value;
    return sum;
}

class Timeline
{
public:
    Timeline(std::span<const FrameSample> run, int columns)
        : run_(run), columns_(std::size_t(columns)),
          intervals_(segmentsOf(run, [](const FrameSample& row) { return row.intervalMs; }))
    {
        length_ = intervals_.empty() ? 0 : intervals_.back().end;
        for (std::size_t i = 0; i < run.size(); ++i)
            if (run[i].measured() && run[i].intervalMs)
                ends_.push_back(i + 1 < run.size() ? run[i + 1].tMs : run[i].tMs + *run[i].intervalMs);
    }
    bool empty() const { return !(length_ > 0); }

    std::string html(const std::string& name, TimelinePasses passes)
    {
        setAxes();
        if (passes == TimelinePasses::kStacked) addLayers();
        addCpu();
        addIntervals();
        addClipped();
        addEvents();
        addSections();
        chart_.caption += escaped(fmt::format("{}{} in {:.2f} s.{}", name.empty() ? "" : name + ": ",
                                              counted(intervals_.size(), "frame"), length_ / 1000, clipped_));
        chart_.description = fmt::format("Frame intervals over {:.2f} seconds{}", length_ / 1000,
                                         passes == TimelinePasses::kStacked ? ", with the passes stacked" : "");
        return chartHtml(chart_);
    }

private:
    // Chooses an axis that fits all frames, unless a few outliers would flatten the rest.
    void setAxes()
    {
        std::vector<double> sorted;
        for (const Segment& segment : intervals_)
            sorted.push_back(segment.value);
        std::ranges::sort(sorted);
        const double most = sorted[(sorted.size() - 1) * 99 / 100];
        const double high = std::min(sorted.back(), 2.5 * most) * 1.08;
        chart_.tall = true;
        chart_.x = linearAxis(0, length_ / 1000, "seconds of measured frames", 8);
        chart_.y = linearAxis(0, high > 0 ? high : 1, "ms", 5);
        for (const auto& [rate, ms] : {std::pair("60 Hz", 1000.0 / 60), std::pair("30 Hz", 1000.0 / 30)})
            if (ms < chart_.y.high) chart_.across.push_back({chart_.y.position(ms), rate});
    }

    int x(std::size_t column) const { return int(std::lround(double(column) * kChartWidth / double(columns_))); }
    int y(double ms) const { return chart_.row(ms); }

    // Draws each layer as an area from 0 to the layer's top, the highest layer first.  Lower layers are drawn over it.
    // So each edge between two layers is written once.
    void addLayers()
    {
        std::vector<double> top(columns_, 0.0);
        std::string marks;
        for (std::size_t layer = 0; layer < kLayers; ++layer)
        {
            const auto segments = segmentsOf(run_, [layer](const FrameSample& row) { return layerMs(row, layer); });
            if (sumOfValues(segments) < kWorthDrawing * length_) continue;
            const std::vector<std::optional<double>> means = columnMeans(segments, length_, columns_);
            for (std::size_t i = 0; i < columns_; ++i)
                top[i] += means[i].value_or(0);
            SvgPath path = silhouette(top);
            marks = pathElement(kLayerClass[layer], path) + marks;
        }
        chart_.marks += marks;
    }

    SvgPath silhouette(const std::vector<double>& top) const
    {
        SvgPath path;
        path.move(0, kChartHeight);
        for (std::size_t i = 0; i < columns_; ++i)
        {
            path.line(x(i), y(top[i]));
            path.line(x(i + 1), y(top[i]));
        }
        path.line(kChartWidth, kChartHeight);
        path.close();
        return path;
    }

    void addCpu()
    {
        const auto segments = segmentsOf(run_, [](const FrameSample& row) { return row.cpuMs; });
        const std::vector<std::optional<double>> means = columnMeans(segments, length_, columns_);
        SvgPath path;
        bool drawing = false;
        for (std::size_t i = 0; i < columns_; ++i)
        {
            const int middle = (x(i) + x(i + 1)) / 2;
            if (means[i] && !drawing) path.move(middle, y(*means[i]));
            if (means[i]) path.line(middle, y(*means[i]));
            drawing = means[i].has_value();
        }
        chart_.marks += pathElement("cpu", path);
    }

    // Draws a line from the shortest to the longest interval of each column, joined to the next column without gaps.
    void addIntervals()
    {
        const auto extremes = columnExtremes(intervals_, length_, 2 * columns_);
        SvgPath path;
        bool started = false, up = true;
        for (std::size_t i = 0; i < extremes.size(); ++i, up = !up)
        {
            if (!extremes[i]) continue;
            const int at = int(std::lround(double(i) * kChartWidth / double(extremes.size())));
            const int low = y(extremes[i]->low), high = y(extremes[i]->high);
            if (!started) path.move(at, low);
            started = true;
            path.line(at, up ? low : high);
            path.line(at, up ? high : low);
        }
        chart_.marks += pathElement("interval", path);
    }

    // Marks frames that exceed the axis.
    void addClipped()
    {
        SvgPath path;
        int count = 0;
        double longest = 0;
        for (const Segment& segment : intervals_)
        {
            if (segment.value <= chart_.y.high) continue;
            const int at = int(std::lround(segment.begin / length_ * kChartWidth));
            path.move(at, 0);
            path.line(at, kChartHeight / 20);
            ++count;
            longest = std::max(longest, segment.value);
        }
        chart_.marks += pathElement("over", path);
        if (count > 0)
            clipped_ = fmt::format(" {} of them {} longer than the axis is high (marked at the top); the longest took "
                                   "{:.2f} ms.",
                                   count, count == 1 ? "is" : "are", longest);
    }

    // Marks where a section begins.
    void addSections()
    {
        double at = 0;
        std::string before;
        for (const FrameSample& row : run_)
        {
            if (!row.measured() || !row.intervalMs) continue;
            if (row.section != before && !row.section.empty()) chart_.up.push_back({at / length_, row.section});
            before = row.section;
            at += *row.intervalMs;
        }
    }

    // Draws compute jobs as bars at the bottom, by their CPU time stamps.  Many jobs become one outline, to keep the
    // page small.
    void addEvents()
    {
        constexpr std::size_t kMostBars = 200;
        const std::vector<ComputeEvent> events = allEvents();
        if (events.size() <= kMostBars)
            for (const ComputeEvent& event : events)
                chart_.marks += fmt::format("<rect class=event x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" "
                                            "height=\"{}\"><title>{}</title></rect>",
                                            eventAt(event.beginMs), kEventTop,
                                            std::max(1.5, eventAt(event.endMs) - eventAt(event.beginMs)),
                                            kChartHeight - kEventTop, escaped(event.name));
        else
            addEventOutline(events);
    }

    std::vector<ComputeEvent> allEvents() const
    {
        std::vector<ComputeEvent> events;
        for (const FrameSample& row : run_)
        {
            if (!row.measured() || !row.intervalMs) continue;
            for (ComputeEvent& event : computeEvents(row.event))
                events.push_back(std::move(event));
        }
        return events;
    }

    // Returns the column of a CPU time stamp.  Counts back from the end of its frame: a frame that waits for tiles does
    // so when it begins, and its interval leaves the wait out.
    double eventAt(double ms) const
    {
        const auto frame = std::size_t(std::ranges::lower_bound(ends_, ms) - ends_.begin());
        if (frame == ends_.size()) return kChartWidth;
        const Segment& interval = intervals_[frame];
        return std::max(interval.begin, interval.end - (ends_[frame] - ms)) / length_ * kChartWidth;
    }

    void addEventOutline(const std::vector<ComputeEvent>& events)
    {
        std::vector<bool> covered(std::size_t(kChartWidth) + 1);
        for (const ComputeEvent& event : events)
            for (auto at = std::size_t(eventAt(event.beginMs)); at <= std::size_t(eventAt(event.endMs)); ++at)
                covered[at] = true;
        SvgPath path;
        path.move(0, kChartHeight);
        for (int at = 0; at < kChartWidth; ++at)
        {
            const int top = covered[std::size_t(at)] ? kEventTop : kChartHeight;
            path.line(at, top);
            path.line(at + 1, top);
        }
        path.line(kChartWidth, kChartHeight);
        path.close();
        chart_.marks += pathElement("event", path);
    }

    std::span<const FrameSample> run_;
    std::size_t columns_;
    std::vector<Segment> intervals_;
    std::vector<double> ends_;  // CPU time stamps at the ends of the frames of intervals_
    double length_ = 0;         // milliseconds
    std::string clipped_;
    Chart chart_;
};

template <class Cell>
bool anyMeasured(std::span<const std::vector<FrameSample>> runs, Cell cell)
{
    for (const std::vector<FrameSample>& run : runs)
        for (const FrameSample& row : run)
            if (row.measured() && cell(row)) return true;
    return false;
}

}  // namespace

std::string timelineChart(std::span<const FrameSample> run, const std::string& name, int columns, TimelinePasses passes)
{
    Timeline timeline(run, columns);
    return timeline.empty() ? std::string() : timeline.html(name, passes);
}

std::string timelineLegend(std::span<const std::vector<FrameSample>> runs, TimelinePasses passes)
{
    std::vector<LegendItem> items = {{"interval", "interval, shortest to longest", true}};
    if (anyMeasured(runs, [](const FrameSample& row) { return row.cpuMs; }))
        items.push_back({"cpu", "CPU, mean", true});
    const std::size_t layers = passes == TimelinePasses::kStacked ? kLayers : 0;
    for (std::size_t layer = layers; layer-- > 0;)  // top layer first
    {
        double sum = 0, all = 0;
        for (const std::vector<FrameSample>& run : runs)
        {
            sum += sumOfValues(segmentsOf(run, [layer](const FrameSample& row) { return layerMs(row, layer); }));
            all += sumOfValues(segmentsOf(run, [](const FrameSample& row) { return row.intervalMs; }));
        }
        if (all > 0 && sum >= kWorthDrawing * all) items.push_back({kLayerClass[layer], layerName(layer) + ", mean"});
    }
    if (anyMeasured(runs, [](const FrameSample& row) { return !computeEvents(row.event).empty(); }))
        items.push_back({"event", "compute job"});
    return legendHtml(items);
}

// ---- distributions ----

namespace {

constexpr int kBins = 80, kCurvePoints = 200;

// Returns the percentile of type 7, as the report does.  `p`: 0 ... 1.
double quantile(const std::vector<double>& sorted, double p)
{
    const double position = p * double(sorted.size() - 1);
    const std::size_t below = std::min(std::size_t(position), sorted.size() - 1);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (position - double(below)) * (sorted[above] - sorted[below]);
}

double lowest(std::span<const IntervalSet> sets)
{
    double low = std::numeric_limits<double>::max();
    for (const IntervalSet& set : sets)
        low = std::min(low, set.sorted.front());
    return low;
}

double highest(std::span<const IntervalSet> sets, double p)
{
    double high = 0;
    for (const IntervalSet& set : sets)
        high = std::max(high, quantile(set.sorted, p));
    return high;
}

// Returns the share of the set in each bin, in percent; the last bin includes its end.
std::vector<double> binShares(const IntervalSet& set, const Axis& axis)
{
    std::vector<double> shares(kBins);
    for (const double ms : set.sorted)
        if (ms >= axis.low && ms <= axis.high)
            shares[std::min(std::size_t(axis.position(ms) * kBins), shares.size() - 1)] +=
                100.0 / double(set.sorted.size());
    return shares;
}

// Returns the outline of the bins; a bin with a single frame stays visible.
SvgPath outline(const Chart& chart, const std::vector<double>& shares, bool filled)
{
    SvgPath path;
    path.move(0, kChartHeight);
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        const int top = shares[i] > 0 ? std::min(chart.row(shares[i]), kChartHeight - 8) : kChartHeight;
        path.line(int(i) * kChartWidth / kBins, top);
        path.line(int(i + 1) * kChartWidth / kBins, top);
    }
    path.line(kChartWidth, kChartHeight);
    if (filled) path.close();
    return path;
}

std::string beyondText(std::span<const IntervalSet> sets, double end)
{
    std::string text;
    for (const IntervalSet& set : sets)
    {
        const auto beyond = set.sorted.end() - std::ranges::upper_bound(set.sorted, end);
        if (beyond > 0)
            text += fmt::format("{}{} to the right of this picture, up to {:.2f} ms. ",
                                sets.size() > 1 ? set.name + ": " : "", counted(std::uint64_t(beyond), "frame"),
                                set.sorted.back());
    }
    return text;
}

// Returns the number of nines of a share p: 0 for 0, 1 for 0.9, 2 for 0.99, 3 for 0.999.
double nines(double p) { return -std::log10(1 - p); }

}  // namespace

std::vector<double> sortedIntervals(std::span<const std::vector<FrameSample>> runs)
{
    std::vector<double> intervals;
    for (const std::vector<FrameSample>& run : runs)
        for (const FrameSample& row : run)
            if (row.measured() && row.intervalMs) intervals.push_back(*row.intervalMs);
    std::ranges::sort(intervals);
    return intervals;
}

std::string histogramChart(std::span<const IntervalSet> sets)
{
    assert(!sets.empty());
    const double low = lowest(sets), high = std::max(highest(sets, 0.995) * 1.02, low + 1e-3);
    const double margin = 0.03 * (high - low);
    Chart chart;
    chart.x = linearAxis(std::max(0.0, low - margin), high + margin, "interval in ms", 7);
    double most = 0;
    for (const IntervalSet& set : sets)
        most = std::max(most, std::ranges::max(binShares(set, chart.x)));
    chart.y = linearAxis(0, most * 1.05, "% of the frames", 4);
    for (const IntervalSet& set : sets)
    {
        const bool filled = set.cssClass != "b";
        SvgPath path = outline(chart, binShares(set, chart.x), filled);
        chart.marks += pathElement("hist-" + set.cssClass, path);
    }
    if (sets.size() == 1)
        for (const std::string_view name : {"p50", "p95", "p99"})
            if (const ShownPercentile& p = shownPercentile(name); sets[0].sorted.size() >= p.framesNeeded())
                chart.up.push_back(
                    {chart.x.position(quantile(sets[0].sorted, p.perMille / 1000.0)), std::string(name)});
    chart.description = "How many frames took how long";
    chart.caption = escaped(beyondText(sets, chart.x.high));
    return chartHtml(chart);
}

std::string percentileChart(std::span<const IntervalSet> sets)
{
    assert(!sets.empty());
    std::size_t frames = 2;
    for (const IntervalSet& set : sets)
        frames = std::max(frames, set.sorted.size());
    const double end = std::max(1.0, nines(1 - 1.0 / double(frames)));
    Chart chart;
    chart.x = {0, end, "percentile", {}};
    for (const auto& [p, label] : {std::pair(0.0, "0"), std::pair(0.5, "50"), std::pair(0.9, "90"),
                                   std::pair(0.99, "99"), std::pair(0.999, "99.9"), std::pair(0.9999, "99.99")})
        if (nines(p) <= end + 1e-9) chart.x.ticks.push_back({nines(p) / end, label});
    const double low = lowest(sets), high = std::max(highest(sets, 1), low + 1e-3);
    chart.y = linearAxis(std::max(0.0, low - 0.05 * (high - low)), high + 0.05 * (high - low), "ms", 4);
    for (const IntervalSet& set : sets)
    {
        SvgPath path;
        for (int i = 0; i <= kCurvePoints; ++i)
        {
            const double at = end * i / kCurvePoints, p = i == kCurvePoints ? 1 : 1 - std::pow(10.0, -at);
            const int x = chart.column(at), y = chart.row(quantile(set.sorted, p));
            if (i == 0) path.move(x, y);
            path.line(x, y);
        }
        chart.marks += pathElement("line-" + set.cssClass, path);
    }
    chart.description = "The interval that a share of the frames does not exceed";
    return chartHtml(chart);
}

}  // namespace orogen
