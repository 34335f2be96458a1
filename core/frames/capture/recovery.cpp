#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/frames/capture/capture_files.h"
#include "core/frames/capture/capture_frames.h"
#include "core/frames/capture/capture_recorder.h"
#include "core/frames/report/report_json.h"

namespace orogen {
namespace {

using namespace capture_files;
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
        // Until its first run ends, a capture leaves an earlier one in place.
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

    // Returns the runs that have a file, regardless of the plan.
    std::vector<std::uint64_t> runs() const
    {
        const std::vector<std::uint64_t> partial = partialRuns(folder_), finished = finishedRuns(folder_);
        const std::uint64_t last = std::max(report_.runsPlanned, partial.empty() ? 0 : partial.back());
        std::vector<std::uint64_t> runs;
        std::ranges::set_union(partial, finished, std::back_inserter(runs));
        std::erase_if(runs, [last](std::uint64_t run) { return run > last; });  // run of an older capture
        return runs;
    }

    // Recovers one run.  Writes its file before it removes the partial one, so that a kill loses nothing.
    Status recoverRun(std::uint64_t number, const ReportRun* known)
    {
        const std::string path = pathOf(number), partial = path + ".partial";
        const bool killed = exists(partial);
        if (!killed && !exists(path)) return Status::ok();
        Result<RunRows> rows = killed ? readPartialRun(partial) : readRun(path);
        if (!rows) return rows.error();
        if (killed && rows->rows.empty()) return Status::ok();  // it had not begun
        if (killed)
        {
            markStutters(rows->rows);
            if (Status status = writeFileAtomically(path, csvOf(*rows), calls_.file); !status) return status;
            calls_.file.unlink(partial.c_str());
        }
        addRun(number, known, std::move(rows->rows));
        return Status::ok();
    }

    void addRun(std::uint64_t number, const ReportRun* known, std::vector<FrameSample> rows)
    {
        ReportRun run;
        if (known) run = *known;
        run.file = runName(number);
        summarize(run, rows, budgetMs_);
        if (!known)
        {
            run.unsettled = run.warmupFrames >= WarmUp::kLongestWarmup;
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
