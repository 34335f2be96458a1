// Export of runs in the log format of MangoHud 0.8: two lines about the machine, the column names, one row per frame.
#pragma once

#include <span>
#include <string>

#include "core/frames/report/report.h"

namespace orogen {

// Returns the measured frames that have an interval.  Values that are not measured here are empty cells, which
// MangoHud's own tool reads as "not a number".
std::string mangohudLog(const ReportMetadata& metadata, std::span<const FrameSample> rows);

}  // namespace orogen
