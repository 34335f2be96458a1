// Charts of a report: the time line of a run, and the distribution of intervals of one or more runs.  Also the
// decimation of long series that they use.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

// ---- decimation of long series for charts of a few hundred columns ----

// Value that holds from `begin` to `end` on the chart's axis; end >= begin >= 0.
struct Segment
{
    double begin = 0, end = 0;
    double value = 0;
};

struct Extremes
{
    double low = 0, high = 0;
};

// Divides [0, length) into equal columns.  Returns for each column the smallest and largest value of the segments that
// touch it; empty if no segment does.  A segment of length 0 touches one column.
std::vector<std::optional<Extremes>> columnExtremes(std::span<const Segment> segments, double length,
                                                    std::size_t columns);

// Returns the mean per column, with each segment weighted by the length that it covers; empty for a column that no
// segment covers.
std::vector<std::optional<double>> columnMeans(std::span<const Segment> segments, double length, std::size_t columns);

// ---- charts ----

// Selects whether time lines show stacked GPU passes.  With a software rasteriser they show none: its time stamps do
// not measure the passes.
enum class TimelinePasses
{
    kStacked,
    kNone,
};

// Returns a chart of the intervals over the run, with the GPU passes below.  `columns`: horizontal resolution for the
// whole run.  Empty text if nothing was measured.
std::string timelineChart(std::span<const FrameSample> run, const std::string& name, int columns,
                          TimelinePasses passes);

// Returns the legend for all time lines of these runs.
std::string timelineLegend(std::span<const std::vector<FrameSample>> runs, TimelinePasses passes);

// Intervals drawn as one distribution.
struct IntervalSet
{
    std::string name;
    std::string cssClass;        // suffix of the CSS classes hist-* and line-*; "b" is an outline in histograms
    std::vector<double> sorted;  // milliseconds, ascending, not empty
};
// Returns the intervals of all measured frames (ms), ascending.
std::vector<double> sortedIntervals(std::span<const std::vector<FrameSample>> runs);

// Return a chart of all sets (at least one) on common axes.
std::string histogramChart(std::span<const IntervalSet> sets);
std::string percentileChart(std::span<const IntervalSet> sets);

}  // namespace orogen
