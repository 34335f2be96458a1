#include "core/frames/report/report.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <set>
#include <thread>

#include <sys/utsname.h>

#include <fmt/format.h>

#include "core/base/cpu.h"
#include "core/frames/report/work_hash.h"

namespace orogen {
namespace {

std::optional<std::string> firstLine(const char* path)
{
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || line.empty()) return std::nullopt;
    return line;
}

// What all runs say, if they say the same.
std::optional<std::string> commonHash(const std::vector<ReportRun>& runs)
{
    for (const ReportRun& run : runs)
        if (!run.workHash || run.workHash != runs.front().workHash) return std::nullopt;
    return runs.empty() ? std::nullopt : runs.front().workHash;
}

std::optional<bool> commonConformity(const std::vector<ReportRun>& runs)
{
    const auto says = [](std::optional<bool> value) {
        return [value](const ReportRun& run) { return run.conforming == value; };
    };
    if (std::ranges::any_of(runs, says(false))) return false;
    if (runs.empty() || std::ranges::any_of(runs, says(std::nullopt))) return std::nullopt;
    return true;
}

std::optional<std::uint64_t> allErrors(const std::vector<ReportRun>& runs)
{
    std::uint64_t sum = 0;
    for (const ReportRun& run : runs)
    {
        if (!run.glErrors) return std::nullopt;
        sum += *run.glErrors;
    }
    return sum;
}

}  // namespace

std::string_view textOf(GpuTimer timer)
{
    switch (timer)
    {
    case GpuTimer::kHardware:
        return "hardware";
    case GpuTimer::kSoftware:
        return "software";
    case GpuTimer::kNone:
        break;
    }
    return "none";
}

std::string_view meaningOf(GpuTimer timer)
{
    switch (timer)
    {
    case GpuTimer::kHardware:
        return "Time stamps of the GPU's own clock: each pass has the time it took.";
    case GpuTimer::kSoftware:
        return "Time stamps of a software rasteriser, which runs the passes on the CPU and later than it says: "
               "the whole frame is right, its division among the passes is not.";
    case GpuTimer::kNone:
        break;
    }
    return "No time was measured on the GPU.";
}

std::string nowUtc()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min, parts.tm_sec);
}

void describeMachine(ReportMetadata& metadata)
{
    metadata.created = nowUtc();
    metadata.cpu = cpuModel();
    metadata.governor = firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if (utsname system = {}; uname(&system) == 0)
        metadata.kernel = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
    metadata.load = loadAverage();
    if (const unsigned processors = std::thread::hardware_concurrency(); processors > 0)
        metadata.processors = processors;
}

void summarize(ReportRun& run, std::span<const FrameSample> rows, double budgetMs)
{
    run.rows = rows.size();
    run.warmupFrames = std::uint64_t(std::ranges::count_if(rows, [](const auto& row) { return !row.measured(); }));
    run.statistics = statisticsOf(rows, budgetMs);
    run.workHash = workHash(rows);
}

void summarize(FrameReport& report, std::span<const std::vector<FrameSample>> rows, double budgetMs)
{
    const std::vector<std::span<const FrameSample>> spans(rows.begin(), rows.end());
    report.statistics = statisticsOf(spans, budgetMs);
    report.workHash = commonHash(report.runs);
    report.conforming = commonConformity(report.runs);
    report.glErrors = allErrors(report.runs);
    report.interrupted = report.interrupted || report.runs.size() < report.runsPlanned ||
                         std::ranges::any_of(report.runs, &ReportRun::interrupted);
    report.unsettled = std::ranges::any_of(report.runs, &ReportRun::unsettled);
}

}  // namespace orogen
