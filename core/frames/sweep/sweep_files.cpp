#include "core/frames/sweep/sweep_files.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/folder_lock.h"
#include "core/base/text_file.h"
#include "core/frames/capture/capture_files.h"

namespace orogen::sweep_files {
namespace {

constexpr std::uint64_t kLongestPlan = 16 << 20;  // bytes

std::string pathOf(const std::string& folder, const std::string& name) { return folder + '/' + name; }

Status makeFolder(const std::string& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (std::filesystem::is_directory(folder)) return Status::ok();
    return Error{ExitCode::kOutput, fmt::format("{}: cannot be made: {}", folder,
                                                error ? error.message() : std::string("it is not a folder"))};
}

Error otherPlan(const std::string& folder, const std::vector<std::string>& differences)
{
    std::string text = fmt::format("{}: holds another sweep: ", folder);
    for (std::size_t i = 0; i < differences.size(); ++i)
        text += (i == 0 ? "" : "; ") + differences[i];
    return {ExitCode::kOutput, text + " (another --out, or the same command as before)"};
}

// Returns a file in the folder; ignores the plan and temporary files of a killed write.
std::optional<std::string> anythingIn(const std::string& folder)
{
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (const std::string name = entry->path().filename().string(); !name.starts_with(kPlan)) return name;
    return std::nullopt;
}

}  // namespace

Status claim(const std::string& folder, const SweepPlan& plan)
{
    const std::string path = pathOf(folder, kPlan);
    std::error_code error;
    if (std::filesystem::exists(path, error))
    {
        Result<InputFile> file = InputFile::open(path);
        if (!file) return file.error();
        const Result<std::string> text = file->readAll(kLongestPlan);
        if (!text) return text.error();
        const std::vector<std::string> differences = planDifferences(*text, plan);
        return differences.empty() ? Status::ok() : Status(otherPlan(folder, differences));
    }
    if (const std::optional<std::string> found = anythingIn(folder))
        return Error{ExitCode::kOutput,
                     fmt::format("{}: found {}, expected a free name, an empty folder or a sweep that was begun there",
                                 folder, *found)};
    if (Status s = makeFolder(folder); !s) return s;
    return writeFileAtomically(path, planToJson(plan));
}

std::optional<SweepPoint> finishedPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point)
{
    const Result<Capture> capture = readCapture(pathOf(folder, pointName(plan, point)));
    if (!capture) return std::nullopt;
    const FrameReport& report = capture->report;
    if (report.interrupted || report.recovered || report.framesPlanned != plan.frames) return std::nullopt;
    SweepPoint measured = point;
    measure(measured, *capture);
    return measured;
}

Status clearPoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point)
{
    const std::string path = pathOf(folder, pointName(plan, point));
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) return Status::ok();
    FolderLock lock;
    if (!lock.take(path))
        return Error{ExitCode::kOutput, fmt::format("{}: another process is taking this point", path)};
    capture_files::removeFinished(path, systemRunFileCalls());
    capture_files::removeLeftovers(path, systemRunFileCalls());
    return Status::ok();
}

Status writePointSettings(const std::string& folder, const SweepPlan& plan, const SweepPoint& point,
                          const std::string& settings)
{
    return writeFileAtomically(pathOf(folder, pointName(plan, point) + ".json"), settings);
}

std::vector<SweepPoint> readPoints(const std::string& folder, const SweepPlan& plan, std::size_t& missing)
{
    std::vector<SweepPoint> points = pointsOf(plan);
    missing = 0;
    for (SweepPoint& point : points)
    {
        const std::optional<SweepPoint> finished = finishedPoint(folder, plan, point);
        if (finished) point = *finished;
        missing += !finished;
    }
    markPareto(points);
    return points;
}

Status writeResults(const std::string& folder, const SweepPlan& plan, const std::vector<SweepPoint>& points)
{
    if (Status s = writeFileAtomically(pathOf(folder, "sweep.csv"), sweepToCsv(plan, points)); !s) return s;
    if (Status s = writeFileAtomically(pathOf(folder, "sweep.html"), sweepToHtml(plan, points)); !s) return s;
    return writeFileAtomically(pathOf(folder, "sweep.json"), sweepToJson(plan, points));
}

}  // namespace orogen::sweep_files
