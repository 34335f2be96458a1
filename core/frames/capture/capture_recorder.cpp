#include "core/frames/capture/capture_recorder.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/base/folder_listing.h"
#include "core/frames/pages/report_html.h"
#include "core/frames/report/report_json.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {

void WarmUp::frame(bool shadersReady, const WorkCounters& newest)
{
    ++frames_;
    if (newest.frame >= next_)
    {
        next_ = newest.frame + 1;
        quiet_ = newest.splits == 0 && newest.merges == 0 ? quiet_ + 1 : 0;
    }
    if (!shadersReady) quiet_ = 0;
    const bool settled = frames_ >= minimum_ && quiet_ >= kQuietFrames;
    unsettled_ = !settled && frames_ >= std::max(kLongestWarmup, minimum_);
    over_ = settled || unsettled_;
}

// ---- rows of a run ----

namespace {

using namespace capture_files;

std::string folderOf(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

void syncFolder(const std::string& path, const FileCalls& calls)
{
    const int folder =
        insist([&] { return calls.open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0); });
    if (folder < 0) return;
    calls.fsync(folder);
    calls.close(folder);
}

}  // namespace

Result<RunWriter> RunWriter::open(std::string path, const RunFileCalls& calls, RunColumns columns)
{
    const std::string partial = partialOf(path);
    const int file =
        insist([&] { return calls.file.open(partial.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666); });
    if (file < 0) return outputError(partial, "cannot be written", errno);
    RunWriter writer(std::move(path), file, calls, columns);
    if (Status status = writer.writeText(std::string(frameColumns(columns)) + '\n'); !status) return status.error();
    return writer;
}

RunWriter::RunWriter(std::string path, int file, const RunFileCalls& calls, RunColumns columns)
    : path_(std::move(path)), file_(file), calls_(&calls), columns_(columns),
      lastWrite_(std::chrono::steady_clock::now())
{
}

RunWriter::RunWriter(RunWriter&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), calls_(other.calls_),
      columns_(other.columns_), rows_(std::move(other.rows_)), intervals_(std::move(other.intervals_)),
      intervalRows_(std::move(other.intervalRows_)), judged_(other.judged_), written_(other.written_),
      bytes_(other.bytes_), lastWrite_(other.lastWrite_), first_(std::move(other.first_))
{
}

RunWriter::~RunWriter()
{
    if (file_ < 0) return;
    (void)flush();
    if (file_ >= 0) calls_->file.close(file_);
}

Status RunWriter::failed(const char* what, int reason)
{
    first_ = outputError(partialOf(path_), what, reason);
    if (file_ >= 0) calls_->file.close(std::exchange(file_, -1));
    return first_;
}

Status RunWriter::writeText(std::string_view text)
{
    while (!text.empty())
    {
        const ssize_t count = insist([&] { return calls_->file.write(file_, text.data(), text.size()); });
        if (count <= 0) return failed("cannot be written", count < 0 ? errno : ENOSPC);
        bytes_ += std::uint64_t(count);
        text.remove_prefix(std::size_t(count));
    }
    return Status::ok();
}

// Returns the number of rows, from the first, whose stutter flag is decided.
std::size_t RunWriter::judgedRows() const
{
    return judged_ < intervalRows_.size() ? intervalRows_[judged_] : rows_.size();
}

// Decides for the intervals before `end` whether they are stutters.
void RunWriter::judge(std::size_t end)
{
    for (; judged_ < end; ++judged_)
        if (isStutter(intervals_, judged_)) rows_[intervalRows_[judged_]].flags |= kFrameHitch;
}

Status RunWriter::writeRows(std::size_t end)
{
    std::string text;
    for (; written_ < end; ++written_)
        appendRow(text, rows_[written_], columns_);
    lastWrite_ = std::chrono::steady_clock::now();
    return writeText(text);
}

Status RunWriter::add(const FrameSample& sample)
{
    if (!first_) return first_;
    assert(rows_.empty() || sample.frame == rows_.back().frame + 1);
    FrameSample& row = rows_.emplace_back(rounded(sample));
    row.flags &= ~std::uint32_t(kFrameHitch);
    if (row.measured() && row.intervalMs)
    {
        intervals_.push_back(*row.intervalMs);
        intervalRows_.push_back(rows_.size() - 1);
        judge(intervals_.size() - std::min<std::size_t>(intervals_.size(), kStutterWindow / 2));
    }
    const std::size_t ready = judgedRows();
    const bool due = ready - written_ >= kRowsAWrite ||
                     (ready > written_ && std::chrono::steady_clock::now() - lastWrite_ >= kLongestWait);
    return due ? writeRows(ready) : Status::ok();
}

Status RunWriter::flush()
{
    if (!first_) return first_;
    judge(intervals_.size());
    return writeRows(rows_.size());
}

Status RunWriter::settle()
{
    if (insist([&] { return calls_->truncate(file_, off_t(bytes_)); }) != 0) return failed("cannot be cut", errno);
    if (insist([&] { return calls_->file.fsync(file_); }) != 0) return failed("cannot be flushed to the disk", errno);
    // close() releases the descriptor even on failure; EINTR loses nothing after fsync.
    if (calls_->file.close(std::exchange(file_, -1)) != 0 && errno != EINTR) return failed("cannot be closed", errno);
    return Status::ok();
}

Status RunWriter::finish()
{
    if (Status status = flush(); !status) return status;
    if (Status status = settle(); !status) return status;
    if (calls_->file.rename(partialOf(path_).c_str(), path_.c_str()) != 0) return failed("cannot be renamed", errno);
    syncFolder(path_, calls_->file);
    return Status::ok();
}

// ---- the capture ----

namespace {

// Space on disk to reserve for report.json, report.html and last.png together: a fixed part and a part per run.  The
// size of the picture is added.
constexpr std::uint64_t kReservedForAll = 512 << 10, kReservedForRun = 64 << 10;  // bytes
constexpr std::uint64_t kBytesAPixel = 3;

Error inUse(const std::string& folder)
{
    return {ExitCode::kOutput, fmt::format("{}: another process is capturing into it", folder)};
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

// Writes the exports, the page, then report.json, and removes the state.  The capture counts as finished once the state
// is gone.  rows[i] belongs to report.runs[i].
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

// Returns whether the folder has rows of a killed capture that was not recovered, or a file of rows that is unreadable.
bool holdsRows(const std::string& folder)
{
    for (const std::uint64_t run : partialRuns(folder))
    {
        const Result<RunRows> rows = readPartialRun(partialOf(folder + '/' + runName(run)));
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

// Marks the folder's finished capture for removal once the new capture has a run.  Error kOutput if the folder
// has the rows of an unfinished capture, which removal would lose.
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

std::uint64_t CaptureRecorder::rowsOfARun() const
{
    return plan_.frames + std::max(plan_.warmupMinimum, WarmUp::kLongestWarmup);
}

Status CaptureRecorder::reserve() const
{
    for (std::uint64_t run = 1; run <= plan_.runs; ++run)
        if (Status status = reserveRun(fileOf(run), rowsOfARun(), *calls_, plan_.columns); !status) return status;
    const std::uint64_t picture =
        kBytesAPixel * std::uint64_t(report_.metadata.width) * std::uint64_t(report_.metadata.height);
    if (Status status = reserveFile(plan_.folder + '/' + kReservedForReport,
                                    kReservedForAll + plan_.runs * kReservedForRun + picture, *calls_);
        !status)
        return status;
    // Written last: if the state exists, a run without a partial file counts as finished by this capture.
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
    run.scaleInEffect = outcome.scaleInEffect;
    summarize(run, writer_->rows(), plan_.budgetMs);
    rows_.push_back(writer_->takeRows());
    writer_.reset();
    return writeState();
}

Status CaptureRecorder::discardRun()
{
    assert(writer_);
    writer_.reset();
    const std::string file = fileOf(report_.runs.size() + 1);
    calls_->file.unlink(partialOf(file).c_str());
    ++report_.discardedRuns;
    return reserveRun(file, rowsOfARun(), *calls_, plan_.columns);
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

// ---- recovery ----

namespace {

namespace fs = std::filesystem;

bool exists(const std::string& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// Reads the capture's state, or makes a minimal one if it is lost.
FrameReport stateOf(const std::string& folder)
{
    if (Result<FrameReport> state = readReport(folder + '/' + kState)) return std::move(*state);
    FrameReport unknown;
    unknown.settings = "{}";
    unknown.metadata.version = "unknown";
    unknown.notes.push_back("The description of the capture is lost: only its rows were found.");
    return unknown;
}

// Recomputes the stutter flags: those of the last rows were pending when the process was killed.
void markStutters(std::vector<FrameSample>& rows)
{
    std::vector<double> intervals;
    std::vector<FrameSample*> measured;
    for (FrameSample& row : rows)
    {
        row.flags &= ~std::uint32_t(kFrameHitch);
        if (!row.measured() || !row.intervalMs) continue;
        intervals.push_back(*row.intervalMs);
        measured.push_back(&row);
    }
    for (std::size_t i = 0; i < intervals.size(); ++i)
        if (isStutter(intervals, i)) measured[i]->flags |= kFrameHitch;
}

std::string csvOf(const RunRows& run)
{
    std::string text = std::string(frameColumns(run.columns)) + '\n';
    for (const FrameSample& row : run.rows)
        appendRow(text, row, run.columns);
    return text;
}

class Recovery
{
public:
    Recovery(std::string folder, const RunFileCalls& calls)
        : folder_(std::move(folder)), calls_(calls), report_(stateOf(folder_)), budgetMs_(report_.statistics.budgetMs)
    {
    }

    Result<FrameReport> finish()
    {
        const std::vector<ReportRun> done = std::exchange(report_.runs, {});
        // No run of this capture has ended, so finished files are those of the earlier capture that it replaces.
        if (done.empty() && report_.runsPlanned > 0 && partialRuns(folder_).size() == report_.runsPlanned)
            removeFinished(folder_, calls_);
        for (const std::uint64_t run : runs())
        {
            const auto known = std::ranges::find(done, runName(run), &ReportRun::file);
            if (Status status = recoverRun(run, known == done.end() ? nullptr : &*known); !status)
                return status.error();
        }
        report_.recovered = true;
        summarize(report_, rows_, budgetMs_);
        if (Status status = writeReport(folder_, report_, rows_, calls_); !status) return status.error();
        removeLeftovers(folder_, calls_);
        return report_;
    }

private:
    std::string pathOf(std::uint64_t run) const { return folder_ + '/' + runName(run); }

    // Returns the runs that have a file, up to the last one that is planned or has a partial file.
    std::vector<std::uint64_t> runs() const
    {
        const std::vector<std::uint64_t> partial = partialRuns(folder_), finished = finishedRuns(folder_);
        const std::uint64_t last = std::max(report_.runsPlanned, partial.empty() ? 0 : partial.back());
        std::vector<std::uint64_t> runs;
        std::ranges::set_union(partial, finished, std::back_inserter(runs));
        std::erase_if(runs, [last](std::uint64_t run) { return run > last; });  // belongs to an older capture
        return runs;
    }

    // Recovers one run.  Writes its file before it removes the partial one, so that a kill loses nothing.
    Status recoverRun(std::uint64_t number, const ReportRun* known)
    {
        const std::string path = pathOf(number), partial = partialOf(path);
        const bool killed = exists(partial);
        if (!killed && !exists(path)) return Status::ok();
        Result<RunRows> rows = killed ? readPartialRun(partial) : readRun(path);
        if (!rows) return rows.error();
        if (killed && rows->rows.empty()) return Status::ok();  // the run had not begun
        if (killed)
        {
            markStutters(rows->rows);
            if (Status status = writeFileAtomically(path, csvOf(*rows), calls_.file); !status) return status;
            calls_.file.unlink(partial.c_str());
        }
        addRun(number, known, std::move(rows->rows));
        return Status::ok();
    }

    // Returns whether warm-up lasted as long as WarmUp allows, and its last frames still changed the tree, lacked
    // tiles, or have no counters.
    bool gaveUp(const std::vector<FrameSample>& rows) const
    {
        const auto end = std::ranges::find_if(rows, &FrameSample::measured);
        const auto frames = std::uint64_t(end - rows.begin());
        if (frames < std::max(WarmUp::kLongestWarmup, report_.warmupMinimum)) return false;
        return std::any_of(end - std::ptrdiff_t(WarmUp::kQuietFrames), end, [](const FrameSample& row) {
            return row.splits != 0u || row.merges != 0u || row.tilesMissing.value_or(0) > 0;
        });
    }

    void addRun(std::uint64_t number, const ReportRun* known, std::vector<FrameSample> rows)
    {
        ReportRun run;
        if (known) run = *known;
        run.file = runName(number);
        summarize(run, rows, budgetMs_);
        if (!known)
        {
            run.unsettled = gaveUp(rows);
            run.interrupted = report_.framesPlanned == 0 || run.rows - run.warmupFrames < report_.framesPlanned;
        }
        report_.runs.push_back(run);
        rows_.push_back(std::move(rows));
    }

    std::string folder_;
    const RunFileCalls& calls_;
    FrameReport report_;
    double budgetMs_;
    std::vector<std::vector<FrameSample>> rows_;
};

bool holdsCapture(const std::string& folder)
{
    return exists(folder + '/' + kState) || (!partialRuns(folder).empty() && !exists(folder + '/' + kReport));
}

void addUnfinished(const std::string& folder, std::vector<std::string>& to)
{
    if (isUnfinished(folder)) to.push_back(folder);
}

std::vector<std::string> foldersIn(const std::string& root)
{
    std::vector<std::string> folders;
    std::error_code error;
    for (fs::directory_iterator entry(root, fs::directory_options::skip_permission_denied, error), end;
         !error && entry != end; entry.increment(error))
        if (std::error_code ignored; entry->is_directory(ignored)) folders.push_back(entry->path().string());
    std::ranges::sort(folders);
    return folders;
}

}  // namespace

bool isUnfinished(const std::string& folder)
{
    FolderLock lock;
    return holdsCapture(folder) && lock.take(folder);
}

std::vector<std::string> unfinishedCaptures(const std::string& root)
{
    std::vector<std::string> found;
    addUnfinished(root, found);
    for (const std::string& folder : foldersIn(root))
    {
        addUnfinished(folder, found);
        for (const char* side : {"/a", "/b"})
            addUnfinished(folder + side, found);
    }
    return found;
}

Result<FrameReport> recoverCapture(const std::string& folder, const RunFileCalls& calls)
{
    if (!exists(folder)) return Error{ExitCode::kInput, fmt::format("{}: no such folder", folder)};
    if (!holdsCapture(folder))
        return Error{ExitCode::kInput, fmt::format("{}: found no unfinished capture, expected report.json.partial or "
                                                   "run-NN.csv.partial",
                                                   folder)};
    FolderLock lock;
    if (!lock.take(folder))
        return Error{ExitCode::kInput, fmt::format("{}: a process is still capturing into it", folder)};
    return Recovery(folder, calls).finish();
}

}  // namespace orogen
