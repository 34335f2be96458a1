// The files of a capture's folder, as CaptureRecorder and recoverCapture() share them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/frames/capture/run_writer.h"
#include "core/frames/report/report.h"

namespace orogen::capture_files {

std::string runName(std::uint64_t run);                  // "run-01.csv"; run counts from 1
std::string mangohudName(const std::string& runName);    // "run-01.mangohud.csv"
std::string presentmonName(const std::string& runName);  // "run-01.presentmon.csv"

inline constexpr const char* kReport = "report.json";
inline constexpr const char* kPage = "report.html";
inline constexpr const char* kPicture = "last.png";
inline constexpr const char* kComparison = "compare.html";  // of a capture's two sides, beside their folders
inline constexpr const char* kState = "report.json.partial";
inline constexpr const char* kReservedForReport = "report.html.partial";

// Run numbers of the files run-NN.csv.partial in the folder, ascending; and of run-NN.csv.
std::vector<std::uint64_t> partialRuns(const std::string& folder);
std::vector<std::uint64_t> finishedRuns(const std::string& folder);

// Where files of a finished capture would lie in the folder, whether they are there or not: `runs` runs.
std::vector<std::string> finishedFiles(const std::string& folder, std::uint64_t runs);

// Whether a capture may be written into the folder: it is not there or empty, or holds nothing but an earlier capture,
// or its two sides in a/ and b/.  Error (kOutput): what else is in it.
Status checkFolder(const std::string& folder);

// Whether a report, the comparison of two sides or the state of a capture is in it.
bool holdsOwnCapture(const std::string& folder);

// Removes the files of a finished capture; the folder stays.  The report goes first: what lacks it is none.
void removeFinished(const std::string& folder, const RunFileCalls& calls);

// Writes the page, then report.json, then takes away the state: the capture is finished from that moment.
// rows[i] belongs to report.runs[i].
Status writeReport(const std::string& folder, const FrameReport& report, std::span<const std::vector<FrameSample>> rows,
                   const RunFileCalls& calls);

// Removes what only a capture that is under way has, temporary files of killed processes too.
void removeLeftovers(const std::string& folder, const RunFileCalls& calls);

}  // namespace orogen::capture_files
