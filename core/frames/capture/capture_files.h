// The files of a capture's folder, as CaptureRecorder and recoverCapture() share them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/frames/capture/run_writer.h"
#include "core/frames/report/report.h"

namespace orogen::capture_files {

std::string runName(std::uint64_t run);                // "run-01.csv"; run counts from 1
std::string mangohudName(const std::string& runName);  // "run-01.mangohud.csv"

inline constexpr const char* kReport = "report.json";
inline constexpr const char* kPage = "report.html";
inline constexpr const char* kState = "report.json.partial";
inline constexpr const char* kReservedForReport = "report.html.partial";

// Files of run-NN.csv.partial in the folder, ascending: their run numbers.
std::vector<std::uint64_t> partialRuns(const std::string& folder);

// Writes the page, then report.json, then takes away the state: the capture is finished from that moment.
// rows[i] belongs to report.runs[i].
Status writeReport(const std::string& folder, const FrameReport& report, std::span<const std::vector<FrameSample>> rows,
                   const RunFileCalls& calls);

// Removes what only a capture that is under way has, temporary files of killed processes too.
void removeLeftovers(const std::string& folder, const RunFileCalls& calls);

}  // namespace orogen::capture_files
