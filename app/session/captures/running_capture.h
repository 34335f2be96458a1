// A running capture: the order of its runs, each frame's camera, and the report's rows (one per frame), which are
// completed as the renderer delivers GPU results.  CaptureController drives it.
//
// A capture has one side, or two sides (A and B: two settings to compare).  Each side has several runs along the path.
//
//   while (!done())
//       settings(), beginRun()          restart the tree with these settings
//       while (!runDrawn())
//           camera()                    draw with it
//           add()                       record this frame, and GPU results of earlier ones
//       endRun()                        after the GPU has answered for the last frame
//   finish()
//
// The runs of two sides alternate A B B A, so that drift (clock, temperature) affects both sides equally.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/context.h"
#include "app/model/capture_state.h"
#include "core/frames/capture/capture_recorder.h"
#include "core/frames/capture/trace_log.h"
#include "core/frames/report/report.h"
#include "core/frames/sample/frame_record.h"
#include "core/settings.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/view/camera_flight.h"
#include "core/view/camera_path.h"
#include "core/view/view_controller.h"

namespace orogen::app {

inline constexpr double kCaptureStep = 1.0 / 60.0;  // path time per frame (seconds), whatever the frame takes

// Waits of the capture itself within a frame, which do not belong to its times.
struct CaptureWaits
{
    double ms = 0;            // waited for tiles
    bool afterError = false;  // an error measurement up to kFramesInFlight frames ago has distorted the interval
};

class RunningCapture
{
public:
    static constexpr std::size_t kLatest = 8;  // most frames that a row waits for its GPU results

    // Creates the folders and reserves their space.  `metadata` applies to all sides; `columns` includes tile columns
    // for tiled terrain.  `history` holds the records of drawn frames and must outlive the capture.  Errors: those of
    // CaptureRecorder and capture_files::checkFolder().
    static Result<std::unique_ptr<RunningCapture>> create(CaptureRequest request, CameraPath path,
                                                          const ReportMetadata& metadata, const FrameHistory& history,
                                                          RunColumns columns = RunColumns::kOfAll);

    bool done() const { return ended_ || next_ == order_.size(); }
    bool runOpen() const { return flight_.has_value(); }
    bool runDrawn() const { return runOpen() && measured_ == request_.frames; }
    const Settings& settings() const { return side().settings; }  // settings of the open or next run
    const CaptureRequest& request() const { return request_; }
    CaptureProgress progress() const;

    // Begins a run.  `frame`: number of its first frame since the program's start.  `around` must not change until the
    // run ends.  `glErrors`, here and below: number of OpenGL errors since the program's start.
    Status beginRun(std::uint64_t frame, const ViewSurroundings& around, std::uint64_t glErrors);

    // Returns the next frame's camera: the path's start during warm-up, then one step further each frame.
    Camera camera() const;

    // Adds a frame that was drawn and presented: `drawn` is its record, and `sample` holds what the record lacks.  The
    // frame's row is written once the history holds its GPU results, or kLatest frames later without them.  `ready`:
    // shaders, light and tiles are final.
    Status add(const FrameRecord& drawn, FrameSample sample, bool ready, const CaptureWaits& waits = {});
    // Converts event times to the clock of the report's column t_ms, in which the run's first frame starts at 0.
    // `events` use the clock of `beginMs`, the start of the frame that add() receives next.
    void place(std::vector<ComputeEvent>& events, double beginMs) const;

    // Ends the run, complete or not; GPU results that have not arrived stay empty.
    Status endRun(std::uint64_t glErrors);

    // Returns the folder that the current picture belongs to: that of the open run, else of the last run, even if that
    // was discarded (CaptureRequest::discardThrottled).
    std::string pictureFolder() const;
    void setPicture(std::string png);  // sets the thumbnail of the page in pictureFolder()

    // Writes the reports; call once.  `interrupted`: runs are missing; an open run ends here.  If the report of one
    // side cannot be written, that of the other side still is.
    Result<std::vector<FinishedCapture>> finish(bool interrupted, std::uint64_t glErrors);
    void note(const std::string& text);  // adds a note to the reports of all sides

private:
    RunningCapture(CaptureRequest request, CameraPath path, const FrameHistory& history);
    CapturePlan planOf(std::size_t side, RunColumns columns, const std::string& name) const;
    const CaptureSide& side() const { return request_.sides[order_[std::min(next_, order_.size() - 1)]]; }
    CaptureRecorder& recorder() { return *recorders_[order_[std::min(next_, order_.size() - 1)]]; }
    std::size_t pictureSide() const { return order_[pictured_]; }
    std::string folderOf(std::size_t side) const;
    std::vector<std::string> otherFolders() const;
    RunOutcome outcome(std::uint64_t glErrors) const;
    void takeRecord(const FrameRecord& drawn, const CaptureWaits& waits, FrameSample& sample);
    bool answer(std::uint64_t number, FrameSample& sample);
    void judge(const FrameRecord& record, bool measured);
    Status drain(bool last);
    Status writeTrace();
    bool throttled() const;
    std::optional<double> halfWidth() const;
    void decide();

    CaptureRequest request_;
    CameraPath path_;
    const FrameHistory& history_;
    std::vector<std::size_t> order_;  // side of each run
    std::uint64_t attempts_ = 0;      // runs that ended, discarded ones included
    bool ended_ = false;              // decided to end before the last run of order_
    std::size_t next_ = 0;            // index in order_ of the open or next run
    std::size_t pictured_ = 0;        // index in order_ of the run that began last
    std::vector<std::unique_ptr<CaptureRecorder>> recorders_;

    // State of the open run.
    std::optional<CameraFlight> flight_;
    std::optional<WarmUp> warmUp_;
    struct Waiting
    {
        std::uint64_t number;  // the program's frame number
        FrameSample sample;
    };
    std::deque<Waiting> waiting_;  // rows that wait for their GPU results, oldest first
    std::uint64_t drawn_ = 0, measured_ = 0;
    double firstMs_ = 0;
    std::optional<bool> conforming_;
    std::uint64_t glErrorsBefore_ = 0;
    std::optional<TileStats> tilesNow_;  // tiles of the newest frame
    std::optional<TileUse> tileUse_;     // figures of the tile cache, over the run's frames

    // Sum and number of a side's intervals from frame start to frame start, warm-up included.
    struct Pace
    {
        double ms = 0, frames = 0;
    };
    std::vector<Pace> pace_;
    double lastMs_ = 0;                // start of the newest frame on the clock of beginMs
    std::uint64_t longestWarmUp_ = 0;  // longest warm-up so far (frames)
    std::optional<double> secondsLeft() const;

    std::optional<TraceLog> trace_;
    double validatedMs_ = 0;  // GPU time of validation in measured frames, over all runs
    std::uint64_t validatedFrames_ = 0;
    // Scale relative to render.scale, which a time budget may lower: minimum, and sum over measured frames.
    double leastScale_ = 1, scales_ = 0;
    std::uint64_t scaledFrames_ = 0;
    double runScales_ = 0;  // sum of the scales of the current run's measured frames (percent)
};

// Returns the side of each run: A B B A A B B A ..., `runs` per side.
std::vector<std::size_t> interleaved(std::size_t sides, std::uint64_t runs);

// Metadata of a frame-time report: machine, program and session.

// Returns the metadata without picture size, camera path and terrain.  Asks CUDA for its devices, which takes some
// 100 ms with a driver.
ReportMetadata describeSession(const Context& context, std::uint64_t shadersHash, bool timersOffered);

// Sets the name and hash of the camera path.  `name`: used if the path itself has no name; without either, the name
// stays unknown.
void setPath(ReportMetadata& metadata, const CameraPath& path, const std::string& name);

// If voids were filled in the viewer, the report contains the SHA-256 of the text "HASH, voids filled", where HASH is
// the result of heightmapHash().
inline constexpr const char* kVoidsFilled = ", voids filled";
// Returns the SHA-256 of the terrain's source, reproducible outside the program:
//   a file             its bytes, as `sha256sum FILE`
//   a folder of tiles  the lines that `sha256sum *` prints for its files, names ascending
//   synthetic:...      that text
// Reads the whole file: about 0.5 s per GB.  Error: kInput.
Result<std::string> heightmapHash(const std::string& dem, bool synthetic);

// Largest source of a tiled terrain that is hashed as a whole.
inline constexpr std::uint64_t kMostHashedBytes = std::uint64_t(1) << 30;
// Returns the SHA-256 of a tiled terrain: heightmapHash() up to kMostHashedBytes.  For larger sources, or sources on a
// network, hashes the description and the heights of `overview` instead.
Result<std::string> tiledHash(const Raster& raster, const HeightField& overview);

}  // namespace orogen::app
