#include "core/frames/capture/capture_files.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/frames/capture/run_writer.h"
#include "core/frames/pages/report_html.h"
#include "core/frames/report/report_json.h"

namespace orogen::capture_files {
namespace {

constexpr std::string_view kRunEnd = ".csv", kPartialRunEnd = ".csv.partial", kMangohudEnd = ".mangohud.csv",
                           kPresentmonEnd = ".presentmon.csv";
constexpr const char* kSides[] = {"a", "b"};

// Returns the number of a run from its file name, which must be spelled as by runName().
std::optional<std::uint64_t> runNumber(std::string_view name, std::string_view ending)
{
    if (!name.starts_with("run-") || !name.ends_with(ending)) return std::nullopt;
    const std::string_view digits = name.substr(4, name.size() - std::min(name.size(), 4 + ending.size()));
    const auto number = numberIn<std::uint64_t>(digits);
    if (!number || *number == 0) return std::nullopt;
    const std::string spelt = runName(*number);
    if (name != spelt.substr(0, spelt.size() - kRunEnd.size()) + std::string(ending)) return std::nullopt;
    return number;
}

bool isFinished(std::string_view name)
{
    return name == kReport || name == kPage || name == kPicture || name == kComparison || runNumber(name, kRunEnd) ||
           runNumber(name, kMangohudEnd) || runNumber(name, kPresentmonEnd);
}

// Returns whether the name is a temporary file NAME.PID.N.tmp, left in this folder by an atomic write of a killed
// process.
bool isTemporary(std::string_view name)
{
    if (!name.ends_with(".tmp")) return false;
    name.remove_suffix(4);
    for (int part = 0; part < 2; ++part)
    {
        const std::size_t dot = name.rfind('.');
        if (dot == name.npos || dot + 1 == name.size()) return false;
        if (name.find_first_not_of("0123456789", dot + 1) != name.npos) return false;
        name = name.substr(0, dot);
    }
    return isFinished(name) || name == kState;
}

bool isLeftover(std::string_view name)
{
    return runNumber(name, kPartialRunEnd) || isTemporary(name) || name == kReservedForReport || name == kState;
}

std::vector<std::string> namesIn(const std::string& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::ranges::sort(names);
    return names;
}

std::vector<std::uint64_t> runsIn(const std::string& folder, std::string_view ending)
{
    std::vector<std::uint64_t> runs;
    for (const std::string& name : namesIn(folder))
        if (const std::optional<std::uint64_t> number = runNumber(name, ending)) runs.push_back(*number);
    std::ranges::sort(runs);
    return runs;
}

// Writes the logs for other tools that the report requests.
Status writeExports(const std::string& folder, const FrameReport& report,
                    std::span<const std::vector<FrameSample>> rows, const RunFileCalls& calls)
{
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const std::string& run = report.runs[i].file;
        const auto write = [&](const std::string& name, const std::string& log) {
            return writeFileAtomically(folder + '/' + name, log, calls.file);
        };
        if (report.mangohud)
            if (Status s = write(mangohudName(run), mangohudLog(report.metadata, rows[i])); !s) return s;
        if (report.presentmon)
            if (Status s = write(presentmonName(run), presentmonLog(report.metadata, rows[i])); !s) return s;
    }
    return Status::ok();
}

}  // namespace

std::string runName(std::uint64_t run) { return fmt::format("run-{:02}.csv", run); }

std::string mangohudName(const std::string& runName)
{
    return runName.substr(0, runName.size() - kRunEnd.size()) + std::string(kMangohudEnd);
}

std::string presentmonName(const std::string& runName)
{
    return runName.substr(0, runName.size() - kRunEnd.size()) + std::string(kPresentmonEnd);
}

std::vector<std::uint64_t> partialRuns(const std::string& folder) { return runsIn(folder, kPartialRunEnd); }
std::vector<std::uint64_t> finishedRuns(const std::string& folder) { return runsIn(folder, kRunEnd); }

std::vector<std::string> finishedFiles(const std::string& folder, std::uint64_t runs)
{
    std::vector<std::string> files;
    for (const char* name : {kReport, kPage, kPicture})
        files.push_back(folder + '/' + name);
    for (std::uint64_t run = 1; run <= runs; ++run)
    {
        files.push_back(folder + '/' + runName(run));
        files.push_back(folder + '/' + mangohudName(runName(run)));
        files.push_back(folder + '/' + presentmonName(runName(run)));
    }
    return files;
}

bool holdsOwnCapture(const std::string& folder)
{
    std::error_code ignored;
    return std::filesystem::exists(folder + '/' + kState, ignored) ||
           std::filesystem::exists(folder + '/' + kComparison, ignored) || readReport(folder + '/' + kReport);
}

Status checkFolder(const std::string& folder)
{
    const auto refused = [&](const std::string& what) {
        return Error{ExitCode::kOutput, fmt::format("{}: found {}, expected a free name, an empty folder or an earlier "
                                                    "capture (--force writes into it anyway)",
                                                    folder, what)};
    };
    const std::vector<std::string> names = namesIn(folder);
    std::error_code ignored;
    for (const std::string& name : names)
    {
        const std::string path = folder + '/' + name;
        const bool side =
            std::ranges::find(kSides, name) != std::end(kSides) && std::filesystem::is_directory(path, ignored);
        if (!side && !isFinished(name) && !isLeftover(name)) return refused(name);
        if (side)
            if (Status status = checkFolder(path); !status) return status;
    }
    if (std::ranges::none_of(names, isFinished) || holdsOwnCapture(folder)) return Status::ok();
    return refused(*std::ranges::find_if(names, isFinished) + " without a report.json of a capture");
}

void removeFinished(const std::string& folder, const RunFileCalls& calls)
{
    calls.file.unlink((folder + '/' + kReport).c_str());
    for (const std::string& name : namesIn(folder))
        if (isFinished(name)) calls.file.unlink((folder + '/' + name).c_str());
}

Status writeReport(const std::string& folder, const FrameReport& report, std::span<const std::vector<FrameSample>> rows,
                   const RunFileCalls& calls)
{
    calls.file.unlink((folder + '/' + kReservedForReport).c_str());
    if (Status status = writeExports(folder, report, rows, calls); !status) return status;
    if (Status status = writeFileAtomically(folder + '/' + kPage, reportToHtml(report, rows), calls.file); !status)
        return status;
    if (Status status = writeFileAtomically(folder + '/' + kReport, reportToJson(report), calls.file); !status)
        return status;
    calls.file.unlink((folder + '/' + kState).c_str());
    return Status::ok();
}

void removeLeftovers(const std::string& folder, const RunFileCalls& calls)
{
    for (const std::string& name : namesIn(folder))
        if (isLeftover(name)) calls.file.unlink((folder + '/' + name).c_str());
}

}  // namespace orogen::capture_files
