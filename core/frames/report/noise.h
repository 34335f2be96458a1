// What on the machine makes runs differ that should be equal.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/frames/report/report.h"

namespace orogen {

// From here on the runs of one side are called noisy: standard deviation of their logarithms.
inline constexpr double kNoisyDeviation = 0.03;
// From here on other programs are said to take time: load average of the last minute a processor, before the capture.
inline constexpr double kBusyLoad = 0.5;

struct RunSpread
{
    double slowestFps = 0, fastestFps = 0;  // of the runs' means
    double deviation = 0;                   // standard deviation of the runs' logarithms

    bool noisy() const { return deviation >= kNoisyDeviation; }
};
// Of the mean intervals of two runs or more, in ms; else empty.
std::optional<RunSpread> runSpread(std::span<const double> meanIntervalMs);
std::string textOf(const RunSpread& spread);  // "differ by 41 % (2.89 to 4.07 fps, standard deviation 24 %)"

// One sentence each.  `report`: its runs, and the machine as it was at the start.
std::vector<std::string> noiseWarnings(const FrameReport& report);
std::vector<std::string> machineWarnings(const ReportMetadata& metadata);  // the machine alone

}  // namespace orogen
