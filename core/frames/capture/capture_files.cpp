#include "core/frames/capture/capture_files.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "core/frames/capture/mangohud.h"
#include "core/frames/pages/report_html.h"
#include "core/frames/report/report_json.h"

namespace orogen::capture_files {
namespace {

constexpr std::string_view kPartialRunEnd = ".csv.partial";

std::optional<std::uint64_t> partialRunNumber(std::string_view name)
{
    if (!name.starts_with("run-") || !name.ends_with(kPartialRunEnd)) return std::nullopt;
    name.remove_prefix(4);
    name.remove_suffix(kPartialRunEnd.size());
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size() || number == 0) return std::nullopt;
    return number;
}

// A temporary file of an atomic write in this folder, of a process that was killed.
bool isTemporary(std::string_view name)
{
    return (name.starts_with("report.") || name.starts_with("run-")) && name.ends_with(".tmp");
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

}  // namespace

std::string runName(std::uint64_t run) { return fmt::format("run-{:02}.csv", run); }

std::string mangohudName(const std::string& runName) { return runName.substr(0, runName.size() - 4) + ".mangohud.csv"; }

std::vector<std::uint64_t> partialRuns(const std::string& folder)
{
    std::vector<std::uint64_t> runs;
    for (const std::string& name : namesIn(folder))
        if (const std::optional<std::uint64_t> number = partialRunNumber(name)) runs.push_back(*number);
    std::ranges::sort(runs);
    return runs;
}

Status writeReport(const std::string& folder, const FrameReport& report, std::span<const std::vector<FrameSample>> rows,
                   const RunFileCalls& calls)
{
    calls.file.unlink((folder + '/' + kReservedForReport).c_str());
    for (std::size_t i = 0; report.mangohud && i < rows.size(); ++i)
    {
        const std::string path = folder + '/' + mangohudName(report.runs[i].file);
        if (Status status = writeFileAtomically(path, mangohudLog(report.metadata, rows[i]), calls.file); !status)
            return status;
    }
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
        if (partialRunNumber(name) || isTemporary(name) || name == kReservedForReport || name == kState)
            calls.file.unlink((folder + '/' + name).c_str());
}

}  // namespace orogen::capture_files
