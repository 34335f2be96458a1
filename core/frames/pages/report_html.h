// report.html: one file that any browser shows, also without a network or scripts, in the dark, in black and white, on
// paper.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/frames/report/report.h"

namespace orogen {

// rows[i] belongs to report.runs[i].  The page holds no URL but the SVG name space.
std::string reportToHtml(const FrameReport& report, std::span<const std::vector<FrameSample>> rows);

}  // namespace orogen
