// Runs for tools that read the CSV files of PresentMon 1.x, which PresentMon 2.x still writes with --v1_metrics
// (CapFrameX, graphing scripts): the names of the columns, a row a frame.
#pragma once

#include <span>
#include <string>

#include "core/frames/report/report.h"

namespace orogen {

// The measured frames with an interval.  What PresentMon would have measured and nobody did is "NA", but for Dropped:
// readers take everything but 0 for a frame that never reached the screen, and the program drops none.
std::string presentmonLog(const ReportMetadata& metadata, std::span<const FrameSample> rows);

}  // namespace orogen
