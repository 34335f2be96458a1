// The pictures of a report: the time line of a run, and how the intervals of one or more runs are distributed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

// Whether the passes of the GPU are stacked in time lines: not where its clock is that of a software rasteriser.
enum class TimelinePasses
{
    kStacked,
    kNone,
};

// Intervals over the run, the passes of the GPU stacked below them.  `columns`: how finely; all of a run of any length
// is in them.  Empty text if nothing was measured.
std::string timelineChart(std::span<const FrameSample> run, const std::string& name, int columns,
                          TimelinePasses passes);

// The legend of all time lines of these runs.
std::string timelineLegend(std::span<const std::vector<FrameSample>> runs, TimelinePasses passes);

// Intervals that are drawn as one distribution.
struct IntervalSet
{
    std::string name;
    std::string cssClass;        // "a" and "b" are told apart by shape too: filled, and an outline
    std::vector<double> sorted;  // milliseconds, ascending, not empty
};
std::vector<double> sortedIntervals(std::span<const std::vector<FrameSample>> runs);

// All sets on one pair of axes; at least one.
std::string histogramChart(std::span<const IntervalSet> sets);
std::string percentileChart(std::span<const IntervalSet> sets);

}  // namespace orogen
