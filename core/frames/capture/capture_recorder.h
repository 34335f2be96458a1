// A capture from its first frame to its report, always persisted on disk:
//
//   run-NN.csv.partial     rows so far; space for all of them is reserved before frame 1
//   report.json.partial    description of the capture, and its finished runs
//   report.html.partial    reserved space for the report itself
//
// and, once finished, run-NN.csv, report.json, report.html; on request run-NN.mangohud.csv and run-NN.presentmon.csv.
// The folder is locked while the capture's process lives; recoverCapture() completes the capture of a killed process.
//
// An earlier capture in the folder stays until the first run of the new one has ended.  Then it is removed as a whole.
//
// Use: CaptureRecorder::create(); for each run beginRun(), add() each frame, endRun(); finish().  On a signal, call
// finish(true) at any point.  WarmUp decides which frames to measure.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/frames/capture/capture_files.h"
#include "core/frames/report/report.h"
#include "core/frames/sample/frame_sample.h"

namespace orogen {

// ---- end of warm-up ----

// End of the warm-up: after at least `minimum` frames, once the shaders are ready and no leaf was split or merged for
// kQuietFrames frames.  Gives up after kLongestWarmup frames, or `minimum` if that is more.
class WarmUp
{
public:
    static constexpr std::uint64_t kQuietFrames = 8, kLongestWarmup = 600;

    // `first`: frame number of the first warm-up frame; counters of earlier frames are ignored.
    WarmUp(std::uint64_t minimum, std::uint64_t first) : minimum_(minimum), next_(first) {}

    // Called after each warm-up frame with the newest counters received.  Ignores counters that were seen before.
    void frame(bool shadersReady, const WorkCounters& newest);
    bool over() const { return over_; }
    bool unsettled() const { return unsettled_; }  // warm-up gave up
    std::uint64_t frames() const { return frames_; }

private:
    std::uint64_t minimum_, next_;  // next_: first frame whose counters are new
    std::uint64_t frames_ = 0, quiet_ = 0;
    bool over_ = false, unsettled_ = false;
};

// ---- rows of a run ----

// Writes PATH.partial; finish() renames it to PATH.  An old PATH is never damaged.  add() writes out kRowsAWrite rows
// at a time, or fewer once kLongestWait has passed.  A row also waits for the later frames that decide its flag
// kFrameHitch (a stutter, statistics.h).  So a killed process loses at most the last kRowsAWrite + kStutterWindow / 2
// rows.
class RunWriter
{
public:
    static constexpr std::size_t kRowsAWrite = 32;
    static constexpr std::chrono::milliseconds kLongestWait{500};

    // Opens the file of reserveRun().  `calls` must outlive the writer.
    static Result<RunWriter> open(std::string path, const RunFileCalls& calls = systemRunFileCalls(),
                                  RunColumns columns = RunColumns::kOfAll);
    RunWriter(RunWriter&& other) noexcept;
    RunWriter& operator=(RunWriter&&) = delete;
    ~RunWriter();  // writes pending rows and leaves PATH.partial

    // Adds a row; frame numbers must be consecutive.  Decides the row's flag kFrameHitch later.  After an error all
    // calls return that error, and PATH.partial has what was written before.
    Status add(const FrameSample& sample);
    Status finish();  // call once, last: fsync, rename

    const std::vector<FrameSample>& rows() const { return rows_; }            // all rows, as in the file
    std::vector<FrameSample> takeRows() { return std::exchange(rows_, {}); }  // after finish()

private:
    RunWriter(std::string path, int file, const RunFileCalls& calls, RunColumns columns);
    Status flush();
    std::size_t judgedRows() const;
    void judge(std::size_t end);
    Status writeRows(std::size_t end);
    Status writeText(std::string_view text);
    Status settle();  // flushes to disk and releases the remaining reserved space
    Status failed(const char* what, int reason);

    std::string path_;
    int file_ = -1;
    const RunFileCalls* calls_;
    RunColumns columns_;
    std::vector<FrameSample> rows_;
    std::vector<double> intervals_;          // intervals of measured rows
    std::vector<std::size_t> intervalRows_;  // their row numbers
    std::size_t judged_ = 0;                 // intervals whose stutter flag is decided
    std::size_t written_ = 0;                // rows in the file
    std::uint64_t bytes_ = 0;                // bytes in the file
    std::chrono::steady_clock::time_point lastWrite_;
    Status first_;  // first error, repeated by later calls
};

// ---- the capture ----

struct CapturePlan
{
    std::string folder;  // created, with its parents
    std::uint64_t runs = 1;
    std::uint64_t frames = 1200;                    // measured frames per run
    std::uint64_t warmupMinimum = 60;               // frames; max(this, kLongestWarmup) if the tree does not converge
    double budgetMs = kDefaultBudgetMs;             // frames longer than this are counted
    bool mangohud = false;                          // also write run-NN.mangohud.csv
    bool presentmon = false;                        // also write run-NN.presentmon.csv
    bool settled = false;                           // each frame waits for its tiles
    bool panels = false;                            // panels are drawn
    RunColumns columns = RunColumns::kOfAll;        // with tile columns for a tiled terrain
    std::optional<Interleaving> interleaving = {};  // if this is one side of an interleaved capture
    // Other folders whose earlier captures this one replaces.  A capture that is not interleaved names its subfolders
    // a/ and b/. A side of an interleaved capture, which has the folder a/ or b/, names the folder above it.
    std::vector<std::string> alsoReplaces = {};
};

// Results of a run that its rows do not have; see ReportRun.
struct RunOutcome
{
    std::optional<bool> conforming;         // whether the mesh was conforming; empty: not checked
    std::optional<std::uint64_t> glErrors;  // debug messages of type error
    bool unsettled = false;
    bool interrupted = false;
    std::optional<TileUse> tiles = {};         // use of the tile cache; empty: single-image terrain
    std::optional<double> scaleInEffect = {};  // mean size of the drawn picture (percent of each side); empty: unknown
};

class CaptureRecorder
{
public:
    // Locks the folder and reserves space on the disk.  Error kOutput, for example on a full disk, or for a folder with
    // an unfinished capture that has rows.
    static Result<std::unique_ptr<CaptureRecorder>> create(const CapturePlan& plan, const ReportMetadata& metadata,
                                                           const std::string& settings,
                                                           const RunFileCalls& calls = systemRunFileCalls());
    ~CaptureRecorder();  // without finish(), leaves the files as after a kill, but with every row

    // Allows filling in metadata that becomes known later.
    ReportMetadata& metadata() { return report_.metadata; }

    Status beginRun();
    Status add(const FrameSample& sample);  // see RunWriter; a few microseconds, now and then a write
    Status endRun(const RunOutcome& outcome);

    // Drops the rows of the open run, whose number is used again.
    Status discardRun();
    const std::vector<ReportRun>& runs() const { return report_.runs; }        // the ended runs
    std::span<const FrameSample> openRows() const { return writer_->rows(); }  // requires an open run
    // Sets the number of runs that complete the capture: at most that of the plan.
    void planRuns(std::uint64_t runs) { report_.runsPlanned = runs; }
    void setUntil(const UntilDecided& until) { report_.until = until; }

    // Removes the unfinished files.  Call once, instead of finish().
    void discard();

    // Ends an open run as interrupted; writes report.json and report.html.  Takes well under a second for a minute of
    // frames.
    // `interrupted`: whether the capture was interrupted, in a run or between runs.  `open`: outcome of the open run.
    // Call once.
    Result<FrameReport> finish(bool interrupted = false, RunOutcome open = {});

    // Returns the number of the open run, from 1, else that of the last run.
    std::uint64_t run() const { return report_.runs.size() + (writer_ ? 1 : 0); }
    const std::string& folder() const { return plan_.folder; }
    void setPicture(std::string png) { report_.picture = std::move(png); }  // a small PNG for the page
    void note(std::string text) { report_.notes.push_back(std::move(text)); }

private:
    CaptureRecorder(const CapturePlan& plan, const ReportMetadata& metadata, const std::string& settings,
                    const RunFileCalls& calls);
    Status prepare();

    std::string fileOf(std::uint64_t run) const;
    std::uint64_t rowsOfARun() const;
    Status reserve() const;
    Status writeState() const;
    Status claim(const std::string& folder);
    void removeEarlier();

    CapturePlan plan_;
    const RunFileCalls* calls_;
    FrameReport report_;
    std::optional<RunWriter> writer_;
    std::vector<std::vector<FrameSample>> rows_;
    FolderLock lock_;
    std::vector<std::string> earlier_;  // folders of finished captures, removed once the new one has a run
};

// ---- recovery ----

// Returns whether a folder has an unfinished capture whose process is gone.
bool isUnfinished(const std::string& folder);

// Returns the unfinished captures among `root`, its subfolders, and the subfolders a/ and b/ of these.
std::vector<std::string> unfinishedCaptures(const std::string& root);

// Finishes a capture that was killed.  May itself be killed at any point and restarted.  Errors: kInput (nothing to
// recover, unreadable rows, or a process is still writing it), kOutput.
Result<FrameReport> recoverCapture(const std::string& folder, const RunFileCalls& calls = systemRunFileCalls());

}  // namespace orogen
