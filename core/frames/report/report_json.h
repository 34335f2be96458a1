// Writing and reading of report.json.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/frames/report/report.h"

namespace orogen {

// Returns the content of report.json.
std::string reportToJson(const FrameReport& report);

std::string metadataToJson(const ReportMetadata& metadata);  // as in report.json

// Returns the SHA-256 of the settings with keys in order and no blanks, so that equal values have equal hashes.
std::string settingsHash(const FrameReport& report);

// Parses a report.  Errors (kInput) name `file`, the JSON pointer or byte, what was found and what was expected.  Keys
// must have the right type.  Those that earlier versions did not write may be missing; further keys are ignored.
Result<FrameReport> reportFromJson(std::string_view json, const std::string& file);
Result<FrameReport> readReport(const std::string& path);  // reads the file

// A capture from its folder: the report, and the rows of its runs.
struct Capture
{
    std::string folder;
    FrameReport report;
    std::vector<std::vector<FrameSample>> rows;  // per run of report.runs
};
// Reads a capture and checks that its rows match its report.  Errors: kInput; for an unfinished capture, the message
// has the command that finishes it.
Result<Capture> readCapture(const std::string& folder);

// Checks that a run of the report matches its rows.  `path` begins the message.  Error kInput.
Status checkRows(const std::string& path, const ReportRun& run, std::span<const FrameSample> rows);

}  // namespace orogen
