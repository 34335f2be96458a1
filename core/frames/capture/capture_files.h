// Files in a capture's folder, shared by CaptureRecorder and recoverCapture().  An interleaved capture has two sides,
// captures with different settings, in the subfolders a/ and b/.
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
inline constexpr const char* kComparison = "compare.html";  // comparison of a capture's two sides, beside their folders
inline constexpr const char* kState = "report.json.partial";  // description of an unfinished capture, its state
inline constexpr const char* kReservedForReport = "report.html.partial";  // reserves space on the disk for the report

// Return the run numbers of the files run-NN.csv.partial, and of run-NN.csv, in the folder; ascending.
std::vector<std::uint64_t> partialRuns(const std::string& folder);
std::vector<std::uint64_t> finishedRuns(const std::string& folder);

// Returns the paths of all files that a finished capture of `runs` runs can have, whether they exist or not.
std::vector<std::string> finishedFiles(const std::string& folder, std::uint64_t runs);

// Checks that a capture may be written into the folder.  The folder must be missing or empty, or contain only an
// earlier capture or its two sides.  Error (kOutput): names the foreign content.
Status checkFolder(const std::string& folder);

// Returns whether the folder contains a report, the comparison of two sides or the state of a capture.
bool holdsOwnCapture(const std::string& folder);

// Removes the files of a finished capture; keeps the folder.  Removes report.json first: a folder without it is not a
// capture.
void removeFinished(const std::string& folder, const RunFileCalls& calls);

// Writes the exports, the page, then report.json, and removes the state.  The capture counts as finished once the state
// is gone.  rows[i] belongs to report.runs[i].
Status writeReport(const std::string& folder, const FrameReport& report, std::span<const std::vector<FrameSample>> rows,
                   const RunFileCalls& calls);

// Removes files that only an unfinished capture has, and temporary files of killed processes.
void removeLeftovers(const std::string& folder, const RunFileCalls& calls);

}  // namespace orogen::capture_files
