// report.html: a single file for any browser.  Needs no network or scripts; suits dark mode, black and white, and
// print.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/frames/report/report.h"

namespace orogen {

// rows[i] belongs to report.runs[i].  The page's only URL is the SVG name space.
std::string reportToHtml(const FrameReport& report, std::span<const std::vector<FrameSample>> rows);

}  // namespace orogen
