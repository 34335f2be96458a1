#include "core/frames/capture/capture_recorder.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "core/frames/capture/capture_files.h"
#include "core/frames/capture/capture_frames.h"
#include "core/frames/report/report_json.h"

namespace orogen {
namespace {

using namespace capture_files;

// Generous sizes of report.json, report.html and last.png.
constexpr std::uint64_t kReservedForAll = 512 << 10, kReservedForRun = 64 << 10;  // bytes
constexpr std::uint64_t kBytesAPixel = 3;

Status makeFolder(const std::string& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error) return Status::ok();
    return Error{ExitCode::kOutput, fmt::format("{}: cannot be made: {}", folder, error.message())};
}

Error inUse(const std::string& folder)
{
    return {ExitCode::kOutput, fmt::format("{}: another process is capturing into it", folder)};
}

// Returns whether the folder has rows of a killed capture that was not recovered.
bool holdsRows(const std::string& folder)
{
    for (const std::uint64_t run : partialRuns(folder))
    {
        const Result<RunRows> rows = readPartialRun(folder + '/' + runName(run) + ".partial");
        if (!rows || !rows->rows.empty()) return true;
    }
    return false;
}

}  // namespace

Result<std::unique_ptr<CaptureRecorder>> CaptureRecorder::create(const CapturePlan& plan,
                                                                 const ReportMetadata& metadata,
                                                                 const std::string& settings, const RunFileCalls& calls)
{
    std::unique_ptr<CaptureRecorder> recorder(new CaptureRecorder(plan, metadata, settings, calls));
    if (Status status = recorder->prepare(); !status) return status.error();
    return recorder;
}

CaptureRecorder::CaptureRecorder(const CapturePlan& plan, const ReportMetadata& metadata, const std::string& settings,
                                 const RunFileCalls& calls)
    : plan_(plan), calls_(&calls)
{
    report_.metadata = metadata;
    report_.settings = settings;
    report_.runsPlanned = plan.runs;
    report_.framesPlanned = plan.frames;
    report_.warmupMinimum = plan.warmupMinimum;
    report_.mangohud = plan.mangohud;
    report_.presentmon = plan.presentmon;
    report_.settled = plan.settled;
    report_.panels = plan.panels;
    report_.interleaving = plan.interleaving;
    report_.statistics.budgetMs = plan.budgetMs;
}

CaptureRecorder::~CaptureRecorder() = default;

std::string CaptureRecorder::fileOf(std::uint64_t run) const { return plan_.folder + '/' + runName(run); }

Status CaptureRecorder::writeState() const
{
    return writeFileAtomically(plan_.folder + '/' + kState, reportToJson(report_), calls_->file);
}

Status CaptureRecorder::prepare()
{
    if (Status status = makeFolder(plan_.folder); !status) return status;
    if (!lock_.take(plan_.folder)) return inUse(plan_.folder);
    if (Status status = claim(plan_.folder); !status) return status;
    for (const std::string& other : plan_.alsoReplaces)
    {
        FolderLock lock;
        if (!lock.take(other)) return inUse(other);
        if (Status status = claim(other); !status) return status;
    }
    removeLeftovers(plan_.folder, *calls_);
    Status status = reserve();
    if (!status) removeLeftovers(plan_.folder, *calls_);
    return status;
}

// Marks the folder's finished capture for removal once this one has a run.
Status CaptureRecorder::claim(const std::string& folder)
{
    if (holdsRows(folder))
        return Error{ExitCode::kOutput, fmt::format("{0}: found a capture that was not finished, expected none (orogen "
                                                    "report --recover {0})",
                                                    folder)};
    if (holdsOwnCapture(folder)) earlier_.push_back(folder);
    return Status::ok();
}

void CaptureRecorder::removeEarlier()
{
    for (const std::string& folder : std::exchange(earlier_, {}))
    {
        removeFinished(folder, *calls_);
        if (folder == plan_.folder) continue;
        removeLeftovers(folder, *calls_);
        ::rmdir(folder.c_str());  // fails if it contains other files
    }
}

Status CaptureRecorder::reserve() const
{
    const std::uint64_t rows = plan_.frames + std::max(plan_.warmupMinimum, WarmUp::kLongestWarmup);
    for (std::uint64_t run = 1; run <= plan_.runs; ++run)
        if (Status status = reserveRun(fileOf(run), rows, *calls_, plan_.columns); !status) return status;
    const std::uint64_t picture =
        kBytesAPixel * std::uint64_t(report_.metadata.width) * std::uint64_t(report_.metadata.height);
    if (Status status = reserveFile(plan_.folder + '/' + kReservedForReport,
                                    kReservedForAll + plan_.runs * kReservedForRun + picture, *calls_);
        !status)
        return status;
    // Last: if the state exists, a run without a partial file counts as finished by this capture.
    return writeState();
}

Status CaptureRecorder::beginRun()
{
    assert(!writer_ && report_.runs.size() < plan_.runs);
    Result<RunWriter> writer = RunWriter::open(fileOf(report_.runs.size() + 1), *calls_, plan_.columns);
    if (!writer) return writer.error();
    writer_.emplace(std::move(*writer));
    return Status::ok();
}

Status CaptureRecorder::add(const FrameSample& sample)
{
    assert(writer_);
    return writer_->add(sample);
}

Status CaptureRecorder::endRun(const RunOutcome& outcome)
{
    assert(writer_);
    removeEarlier();
    if (Status status = writer_->finish(); !status) return status;
    ReportRun& run = report_.runs.emplace_back();
    run.file = runName(report_.runs.size());
    run.conforming = outcome.conforming;
    run.glErrors = outcome.glErrors;
    run.unsettled = outcome.unsettled;
    run.interrupted = outcome.interrupted;
    run.tiles = outcome.tiles;
    summarize(run, writer_->rows(), plan_.budgetMs);
    rows_.push_back(writer_->takeRows());
    writer_.reset();
    return writeState();
}

void CaptureRecorder::discard()
{
    writer_.reset();
    removeLeftovers(plan_.folder, *calls_);
    lock_ = {};
}

Result<FrameReport> CaptureRecorder::finish(bool interrupted, RunOutcome open)
{
    open.interrupted = true;
    if (writer_)
        if (Status status = endRun(open); !status) return status.error();
    removeEarlier();
    report_.interrupted = interrupted;
    summarize(report_, rows_, plan_.budgetMs);
    if (Status status = writeReport(plan_.folder, report_, rows_, *calls_); !status) return status.error();
    removeLeftovers(plan_.folder, *calls_);
    lock_ = {};
    return report_;
}

}  // namespace orogen
