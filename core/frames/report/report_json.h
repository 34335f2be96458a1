// report.json: written, and read back.
#pragma once

#include <string>
#include <string_view>

#include "core/frames/report/report.h"

namespace orogen {

std::string reportToJson(const FrameReport& report);

std::string metadataToJson(const ReportMetadata& metadata);  // as it stands in there

// SHA-256 of the settings with their keys in order and no blanks: the same for the same values.
std::string settingsHash(const FrameReport& report);

// Errors (kInput) name `file`, the place as a JSON pointer or a byte, what was found and what was expected.  Every key
// that reportToJson writes must be there, with the right type; further keys are let through.
Result<FrameReport> reportFromJson(std::string_view json, const std::string& file);
Result<FrameReport> readReport(const std::string& path);  // of the file

// A capture as it lies in its folder: the report and the rows of its runs, which must agree with it.  Errors: kInput;
// also for a capture that was not finished, with the command that finishes it.
struct Capture
{
    std::string folder;
    FrameReport report;
    std::vector<std::vector<FrameSample>> rows;  // of report.runs
};
Result<Capture> readCapture(const std::string& folder);

}  // namespace orogen
