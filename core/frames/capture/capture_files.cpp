#include "core/frames/capture/capture_files.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/base/text.h"
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

void removeLeftovers(const std::string& folder, const RunFileCalls& calls)
{
    for (const std::string& name : namesIn(folder))
        if (isLeftover(name)) calls.file.unlink((folder + '/' + name).c_str());
}

}  // namespace orogen::capture_files

namespace orogen {
namespace {

// Reserves space, and returns 0 or the error.  Keeps the file's size where the file system can, so that readers never
// see the reserved space.
int reserveSpace(int file, off_t bytes)
{
    if (::fallocate(file, FALLOC_FL_KEEP_SIZE, 0, bytes) == 0) return 0;
    return errno == EOPNOTSUPP || errno == ENOSYS ? ::posix_fallocate(file, 0, bytes) : errno;
}

}  // namespace

const RunFileCalls& systemRunFileCalls()
{
    static const RunFileCalls calls = {systemFileCalls(), reserveSpace, ::ftruncate};
    return calls;
}

Error outputError(const std::string& path, const char* what, int reason)
{
    return {ExitCode::kOutput, fmt::format("{}: {}: {}", path, what, std::strerror(reason))};
}

Status reserveFile(const std::string& path, std::uint64_t bytes, const RunFileCalls& calls)
{
    const int file = insist(
        [&] { return calls.file.open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666); });
    if (file < 0) return outputError(path, "cannot be written", errno);
    int reason = EINTR;
    while (reason == EINTR)
        reason = calls.reserve(file, off_t(bytes));
    calls.file.close(file);
    if (reason == 0) return Status::ok();
    calls.file.unlink(path.c_str());
    return outputError(path, fmt::format("no room for {} bytes", bytes).c_str(), reason);
}

Status reserveRun(const std::string& path, std::uint64_t rows, const RunFileCalls& calls, RunColumns columns)
{
    return reserveFile(capture_files::partialOf(path), frameColumns(columns).size() + 1 + rows * kReservedRow, calls);
}

namespace {

// Replaces separators and control characters: these logs have no quoting, readers split at every comma.
std::string cell(const std::optional<std::string>& text)
{
    std::string plain = text.value_or("");
    std::ranges::replace_if(
        plain, [](unsigned char c) { return c == ',' || c == '"' || c < 0x20 || c == 0x7f; }, ' ');
    return plain;
}

// Returns the value as an integer, as MangoHud logs it; empty if unknown.
std::string whole(const std::optional<double>& value) { return value ? fmt::format("{:.0f}", *value) : ""; }

}  // namespace

std::string mangohudLog(const ReportMetadata& metadata, std::span<const FrameSample> rows)
{
    std::string log = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n";
    log += fmt::format("Linux,{},{},,{},{},{}\n", cell(metadata.cpu), cell(metadata.glRenderer), cell(metadata.kernel),
                       cell(metadata.glVersion), cell(metadata.governor));
    log += "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,"
           "gpu_power,ram_used,swap_used,process_rss,cpu_mhz,elapsed\n";
    double elapsedMs = 0;
    for (const FrameSample& row : rows)
    {
        if (!row.measured() || !row.intervalMs || *row.intervalMs <= 0) continue;
        elapsedMs += *row.intervalMs;
        const std::string vram = row.vramKib ? fmt::format("{:.4f}", double(*row.vramKib) / 1024 / 1024) : "";
        const MachineState& m = row.machine;
        fmt::format_to(std::back_inserter(log), "{:.4f},{:.4f},,{},,{},{},{},{},{},{},,,,{},{}\n",
                       1000 / *row.intervalMs, *row.intervalMs, whole(m.cpuWatts), whole(m.cpuCelsius),
                       whole(m.gpuCelsius), whole(m.gpuMhz), whole(m.gpuMemoryMhz), vram, whole(m.gpuWatts),
                       whole(m.cpuMhz), std::llround(elapsedMs * 1e6));
    }
    return log;
}

namespace {

constexpr const char* kNotMeasured = "NA";

std::string cell(const std::optional<double>& value)
{
    return value ? fmt::format("{:.{}f}", *value, kTimeDecimals) : kNotMeasured;
}

}  // namespace

namespace {

// Returns the columns of PresentMon 2.x.  `next`: the frame after; null for the last one.  `timed`: times are
// those of a GPU.
std::string columnsOf2(const FrameSample& row, const FrameSample* next, bool timed)
{
    const auto difference = [](const std::optional<double>& a, const std::optional<double>& b) {
        return a && b ? std::optional(std::max(*a - *b, 0.0)) : std::nullopt;
    };
    const std::optional<double> frame = next ? std::optional(next->tMs - row.tMs) : std::nullopt;
    const std::optional<double> whole = timed ? row.gpuMs : std::nullopt;
    std::optional<double> busy;
    for (const std::optional<double>& pass : row.passMs)
        if (pass && timed) busy = busy.value_or(0) + *pass;
    return fmt::format("Other,{0:.4f},{1},{2},{3},NA,{4},{5},{6},NA,NA,NA,{0:.4f},NA", row.tMs, cell(frame),
                       cell(row.cpuMs), cell(difference(frame, row.cpuMs)), cell(whole), cell(busy),
                       cell(difference(whole, busy)));
}

}  // namespace

std::string presentmonLog(const ReportMetadata& metadata, std::span<const FrameSample> rows)
{
    std::string log = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,"
                      "msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,"
                      "msUntilDisplayed,msBetweenDisplayChange,msUntilRenderStart,msGPUActive,"
                      "PresentRuntime,CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,"
                      "DisplayLatency,DisplayedTime,AnimationError,AnimationTime,ClickToPhotonLatency\n";
    const bool timed = metadata.gpuTimer != GpuTimer::kSoftware;
    const char* sync = !metadata.vsync ? kNotMeasured : *metadata.vsync ? "1" : "0";
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const FrameSample& row = rows[i];
        if (!row.measured() || !row.intervalMs || *row.intervalMs <= 0) continue;
        // PresentMon reports runtimes other than Direct3D as "Other".
        fmt::format_to(std::back_inserter(log),
                       "orogen,0,0x0,Other,{},NA,0,{:.7f},{},{:.{}f},NA,NA,NA,NA,NA,NA,{},{}\n", sync, row.tMs / 1000,
                       cell(row.swapMs), *row.intervalMs, kTimeDecimals, cell(timed ? row.gpuMs : std::nullopt),
                       columnsOf2(row, i + 1 < rows.size() ? &rows[i + 1] : nullptr, timed));
    }
    return log;
}

}  // namespace orogen
