// Charts of a report: the time line of a run, and the distribution of intervals of one or more runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

// Whether time lines show stacked GPU passes.  They do not with a software rasteriser's clock.
enum class TimelinePasses
{
    kStacked,
    kNone,
};

// Returns the intervals over the run, with stacked GPU passes below.  `columns`: horizontal resolution for the whole
// run. Empty text if nothing was measured.
std::string timelineChart(std::span<const FrameSample> run, const std::string& name, int columns,
                          TimelinePasses passes);

// Returns the legend for all time lines of these runs.
std::string timelineLegend(std::span<const std::vector<FrameSample>> runs, TimelinePasses passes);

// Intervals drawn as one distribution.
struct IntervalSet
{
    std::string name;
    std::string cssClass;        // "a" and "b" also differ in shape: filled, and an outline
    std::vector<double> sorted;  // milliseconds, ascending, not empty
};
std::vector<double> sortedIntervals(std::span<const std::vector<FrameSample>> runs);

// Draw all sets (>= 1) on one pair of axes.
std::string histogramChart(std::span<const IntervalSet> sets);
std::string percentileChart(std::span<const IntervalSet> sets);

}  // namespace orogen
