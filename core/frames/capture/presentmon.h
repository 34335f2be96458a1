// Export of runs in the CSV format of PresentMon 1.x, which PresentMon 2.x still writes with --v1_metrics (CapFrameX,
// graphing scripts): the column names, one row per frame.
#pragma once

#include <span>
#include <string>

#include "core/frames/report/report.h"

namespace orogen {

// Returns the measured frames that have an interval.  Values that are not measured here are "NA".  Dropped is 0, since
// readers take anything else for a frame that never reached the screen, and the program drops none.
std::string presentmonLog(const ReportMetadata& metadata, std::span<const FrameSample> rows);

}  // namespace orogen
