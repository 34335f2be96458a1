// Runs for tools that read the logs of MangoHud (as version 0.8 writes them): two lines about the machine, the names of
// the columns, a row a frame.
#pragma once

#include <span>
#include <string>

#include "core/frames/report/report.h"

namespace orogen {

// The measured frames with an interval.  What MangoHud would log and nobody measured is an empty cell; its own tool
// reads those as "not a number".
std::string mangohudLog(const ReportMetadata& metadata, std::span<const FrameSample> rows);

}  // namespace orogen
