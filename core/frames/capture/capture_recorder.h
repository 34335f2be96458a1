// A capture from its first frame to its report, on the disk at every moment:
//
//   run-NN.csv.partial     rows so far; space for all of them is reserved before frame 1
//   report.json.partial    what the capture is, and the runs that are done
//   report.html.partial    space for the report itself
//
// and, as they are finished, run-NN.csv, report.json, report.html (and run-NN.mangohud.csv).  The folder is locked
// while the capture's process lives; what a killed one left is finished by recoverCapture().
//
// An earlier capture in the folder stays until the first run of the new one has ended, then goes as a whole.
//
// Use: create(); for each run beginRun(), add() each frame, endRun(); finish().  When a signal comes, finish(true) at
// any point.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/folder_lock.h"
#include "core/frames/capture/run_writer.h"
#include "core/frames/report/report.h"

namespace orogen {

struct CapturePlan
{
    std::string folder;  // is made, with those above it
    std::uint64_t runs = 1;
    std::uint64_t frames = 1200;       // measured frames a run
    std::uint64_t warmupMinimum = 60;  // and at most kLongestWarmup
    double budgetMs = kDefaultBudgetMs;
    bool mangohud = false;                          // also write run-NN.mangohud.csv
    bool presentmon = false;                        // also write run-NN.presentmon.csv
    bool settled = false;                           // each frame waits for its tiles
    bool panels = false;                            // panels are drawn in every frame
    RunColumns columns = RunColumns::kOfAll;        // with tiles: of a terrain that is in tiles
    std::optional<Interleaving> interleaving = {};  // the side that this is of a capture of two
    // Other folders whose earlier captures this one replaces, too: of the sides, where it has none, or the other way
    // round.
    std::vector<std::string> alsoReplaces = {};
};

struct RunOutcome
{
    std::optional<bool> conforming;         // null: not checked
    std::optional<std::uint64_t> glErrors;  // debug messages of type error
    bool unsettled = false;
    bool interrupted = false;
    std::optional<TileUse> tiles = {};  // the cache's part; empty: the terrain is one image
};

class CaptureRecorder
{
public:
    // Errors: kOutput, among them a full disk, and a folder with an unfinished capture that holds rows.
    static Result<std::unique_ptr<CaptureRecorder>> create(const CapturePlan& plan, const ReportMetadata& metadata,
                                                           const std::string& settings,
                                                           const RunFileCalls& calls = systemRunFileCalls());
    ~CaptureRecorder();  // without finish(): as if the process had been killed, but no row is lost

    // What becomes known only later may still be filled in.
    ReportMetadata& metadata() { return report_.metadata; }

    Status beginRun();
    Status add(const FrameSample& sample);  // see RunWriter; a few microseconds, now and then a write
    Status endRun(const RunOutcome& outcome);

    // Takes away what is not finished, as if the capture had never begun.  Once, instead of finish().
    void discard();

    // Ends an open run as interrupted, writes report.json and report.html.  Well under a second for a minute of frames.
    // `interrupted`: where no run is open either.  `open`: what is known of the open run.  Once.
    Result<FrameReport> finish(bool interrupted = false, RunOutcome open = {});

    std::uint64_t run() const { return report_.runs.size() + (writer_ ? 1 : 0); }  // the open one, from 1
    const std::string& folder() const { return plan_.folder; }
    void setPicture(std::string png) { report_.picture = std::move(png); }  // a small PNG for the page
    void note(std::string text) { report_.notes.push_back(std::move(text)); }

private:
    CaptureRecorder(const CapturePlan& plan, const ReportMetadata& metadata, const std::string& settings,
                    const RunFileCalls& calls);
    Status prepare();

    std::string fileOf(std::uint64_t run) const;
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
    std::vector<std::string> earlier_;  // folders of finished captures that go when this one has something instead
};

// A folder with an unfinished capture whose process is gone.
bool isUnfinished(const std::string& folder);

// Those among `root` itself and the folders right in it, and `a` and `b` of those.
std::vector<std::string> unfinishedCaptures(const std::string& root);

// Finishes a capture that was killed.  Can itself be killed at any point and started again.  Errors: kInput (nothing
// to recover, or a process is still writing it), kOutput.
Result<FrameReport> recoverCapture(const std::string& folder, const RunFileCalls& calls = systemRunFileCalls());

}  // namespace orogen
