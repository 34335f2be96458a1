// Files of a capture: their names, the space reserved for them, what a folder holds, and exports of a run to other
// formats.
#pragma once

#include <cerrno>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/frames/report/report.h"
#include "core/frames/sample/frame_sample.h"

namespace orogen {

// System calls of a run's file, replaceable so that tests can make each of them fail.
struct RunFileCalls
{
    FileCalls file;
    int (*reserve)(int file, off_t bytes);  // as posix_fallocate: returns the error; may grow the file
    int (*truncate)(int file, off_t bytes);
};
const RunFileCalls& systemRunFileCalls();

// Repeats a call that reports through errno while a signal interrupts it.
template <class Call>
auto insist(Call call)
{
    auto result = call();
    while (result < 0 && errno == EINTR)
        result = call();
    return result;
}

// Returns the error of a call that failed for `reason`, a value of errno.
Error outputError(const std::string& path, const char* what, int reason);

// Creates a new file and reserves space for `bytes` bytes on the disk; the file's size may stay 0.  Errors (kOutput):
// the file cannot be created, or exists already and stays unchanged.  If the space cannot be reserved, the message has
// the size, and the new file is removed.
Status reserveFile(const std::string& path, std::uint64_t bytes, const RunFileCalls& calls = systemRunFileCalls());

// Reserves PATH.partial with space for `rows` rows.
Status reserveRun(const std::string& path, std::uint64_t rows, const RunFileCalls& calls = systemRunFileCalls(),
                  RunColumns columns = RunColumns::kOfAll);

// ---- export in the log format of MangoHud 0.8: two lines about the machine, column names, one row per frame ----

// Returns the log, with the measured frames that have an interval.  Values that the program does not measure are empty
// cells, which MangoHud's tool reads as "not a number".
std::string mangohudLog(const ReportMetadata& metadata, std::span<const FrameSample> rows);

// ---- export in the CSV format of PresentMon: the columns of 1.x (in 2.x: --v1_metrics), then those of 2.x ----

// Returns the log, with the measured frames that have an interval.  Values that the program does not measure are "NA".
// `Dropped` is always 0: any other value means a frame that never reached the screen, and the program presents every
// frame.
std::string presentmonLog(const ReportMetadata& metadata, std::span<const FrameSample> rows);

}  // namespace orogen

namespace orogen::capture_files {

std::string runName(std::uint64_t run);                                              // "run-01.csv"; run counts from 1
inline std::string partialOf(const std::string& path) { return path + ".partial"; }  // file while it is written
std::string mangohudName(const std::string& runName);                                // "run-01.mangohud.csv"
std::string presentmonName(const std::string& runName);                              // "run-01.presentmon.csv"

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
// earlier capture, also an unfinished one, or its two sides.  Error (kOutput): names the foreign content.
Status checkFolder(const std::string& folder);

// Returns whether the folder contains a report, the comparison of two sides or the state of a capture.
bool holdsOwnCapture(const std::string& folder);

// Removes the files of a finished capture; keeps the folder.  Removes report.json first: a folder without it is not a
// capture.
void removeFinished(const std::string& folder, const RunFileCalls& calls);

// Removes files that only an unfinished capture has, and temporary files of killed processes.
void removeLeftovers(const std::string& folder, const RunFileCalls& calls);

}  // namespace orogen::capture_files
