// Noise detection: reasons why equal runs differ.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/frames/report/report.h"

namespace orogen {

// Standard deviation of the logarithms of a side's runs from which they count as noisy.
inline constexpr double kNoisyDeviation = 0.03;
// Load average of the last minute per processor, before the capture, from which other programs are reported.
inline constexpr double kBusyLoad = 0.5;

struct RunSpread
{
    double slowestFps = 0, fastestFps = 0;  // from the runs' mean intervals
    double deviation = 0;                   // standard deviation of the runs' logarithms

    bool noisy() const { return deviation >= kNoisyDeviation; }
};
// Computes the spread from the mean intervals of two runs or more (ms); else returns nothing.
std::optional<RunSpread> runSpread(std::span<const double> meanIntervalMs);
std::string textOf(const RunSpread& spread);  // "differ by 41 % (2.89 to 4.07 fps, standard deviation 24 %)"

// Return one sentence per warning, from the report's runs and the machine's state at the start.
std::vector<std::string> noiseWarnings(const FrameReport& report);
std::vector<std::string> machineWarnings(const ReportMetadata& metadata);  // the machine alone

}  // namespace orogen
