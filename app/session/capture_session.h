// A capture while the viewer runs it: whose turn it is, which camera each frame has, and the rows as the GPU's answers
// come in, from the renderer itself.  It asks nobody for anything: the CaptureController drives it, a call a frame.
//
//   while (!done())
//       settings(), beginRun()          restart the tree with these settings
//       while (!runDrawn())
//           camera()                    draw with it
//           add(), work(), times()      what is known of the frame, and of earlier ones
//       endRun()                        after the GPU has answered for the last frame
//   finish()
//
// Two sides take turns A B B A, so that what drifts (a clock, a temperature) falls on both alike.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/render/frame_observer.h"
#include "core/frames/capture/capture_frames.h"
#include "core/frames/capture/capture_recorder.h"
#include "core/frames/sample/frame_stats.h"
#include "core/settings.h"
#include "core/view/camera_flight.h"
#include "core/view/view_controller.h"

namespace orogen::app {

inline constexpr double kCaptureStep = 1.0 / 60.0;  // seconds of the path a frame, whatever the frame takes
inline constexpr std::uint64_t kMostCaptureFrames = 10'000'000, kMostCaptureRuns = 99;

struct CaptureSide
{
    std::string folder;  // in the capture's folder; empty: that folder itself
    Settings settings;   // whose view does not count: the path moves the camera
};

struct CaptureRequest
{
    std::string folder;             // is made
    std::string path = "overview";  // a shipped name or a file; repeated as often as the frames need
    bool atView = false;            // no path: the camera stands where it is
    std::uint64_t frames = 1200;    // measured, a run
    std::uint64_t warmup = 60;      // frames at least
    std::uint64_t runs = 1;         // of each side
    bool mangohud = false;
    bool presentmon = false;
    double marginPercent = 2;        // of the comparison of two sides
    bool force = false;              // also into a folder that holds more than an earlier capture
    bool validate = false;           // every frame's mesh is validated on the GPU: `conforming`
    bool settled = false;            // each frame waits for its tiles
    bool panels = false;             // panels are drawn in every frame, and are part of its times
    bool awaited = false;            // who began it waits for the end and tells its error: no message does
    std::vector<CaptureSide> sides;  // one or two
};

// A capture that is over, or as far as it got.
struct FinishedCapture
{
    std::string folder;
    FrameReport report;
};

struct CaptureProgress
{
    std::uint64_t run = 0, runs = 0;      // of all sides: the open one, from 1
    std::uint64_t frame = 0, frames = 0;  // measured ones drawn, of this run
    std::uint64_t warmupFrames = 0;       // drawn
    bool warmingUp = false;
    std::string side;  // "a", "b" or empty
    std::string folder;
    std::optional<double> framesASecond;  // of this run so far
    std::optional<double> secondsLeft;    // of all runs, by what frames took so far; empty: nothing is known yet
    double fraction() const;              // of the measured frames of all runs
};

// "run 2 of 8 (B), frame 340 of 1,200, 23.4 fps"; what is not known yet is left out.
std::string textOf(const CaptureProgress& progress);

class CaptureSession : public FrameObserver
{
public:
    // Makes the folders and reserves their space.  `metadata`: the same for both sides.  `columns`: with those of
    // tiles, where the terrain is in tiles.  Errors: of CaptureRecorder.
    static Result<std::unique_ptr<CaptureSession>> create(CaptureRequest request, CameraPath path,
                                                          const ReportMetadata& metadata,
                                                          RunColumns columns = RunColumns::kOfAll);

    bool done() const { return next_ == order_.size(); }
    bool runOpen() const { return flight_.has_value(); }
    bool runDrawn() const { return runOpen() && measured_ == request_.frames; }
    const Settings& settings() const { return side().settings; }  // of the run that is open or next
    const CaptureRequest& request() const { return request_; }
    CaptureProgress progress() const;

    // `frame`: the program's number of the run's first frame.  `around` must stay as it is until the run is over.
    Status beginRun(std::uint64_t frame, const ViewSurroundings& around, std::uint64_t glErrors);

    // The camera of the next frame: the path's beginning during warm-up, then a step further each frame.
    Camera camera() const;

    // A frame was drawn and presented.  `sample` holds what the CPU knows of it; beginMs is its clock at the frame's
    // begin, which becomes t_ms.  `ready`: shaders and light are as they will stay.  `newest`: counters that arrived.
    Status add(std::uint64_t number, double beginMs, FrameSample sample, bool ready, const WorkCounters& newest);
    // What the frame that is added next drew of tiles, where the terrain is in tiles; warm-up waits for those that are
    // missing.
    void tiles(const TileStats& now, FrameSample& sample);
    // Puts times of the clock of `beginMs`, that of the frame to be added next, on the axis of t_ms.
    void place(std::vector<ComputeEvent>& events, double beginMs) const;

    // The GPU's answers, in any order, of any frame; also of the one that add() has not been told of yet.  A verdict
    // counts for the run that is open.
    void work(const WorkCounters& work) override { work_.push_back(work); }
    void times(const GpuTimes& times) override { times_.push_back(times); }
    void mesh(const MeshVerdict& verdict) override;

    // The run is over, or interrupted; what the GPU has not answered by now stays empty.
    Status endRun(std::uint64_t glErrors);

    // Whose last picture is the one on screen: the folder of the open run, or of the one that has just ended.
    std::string pictureFolder() const;
    void setPicture(std::string png);  // a small one for the page of that folder

    // Writes the reports.  `interrupted`: runs are missing; an open run ends here.  Once.  Where a side fails, the
    // other is still written.
    Result<std::vector<FinishedCapture>> finish(bool interrupted, std::uint64_t glErrors);
    void note(const std::string& text);
    // Of the present frame: render.scale as it was drawn, percent, which a budget of time can make smaller than it is
    // set.  The notes of the report say by how much.
    void drawnAt(double scale);

private:
    CaptureSession(CaptureRequest request, CameraPath path);
    CapturePlan planOf(std::size_t side, RunColumns columns, const std::string& name) const;
    const CaptureSide& side() const { return request_.sides[order_[std::min(next_, order_.size() - 1)]]; }
    CaptureRecorder& recorder() { return *recorders_[order_[std::min(next_, order_.size() - 1)]]; }
    std::size_t pictureSide() const { return order_[runOpen() || next_ == 0 ? next_ : next_ - 1]; }
    std::string folderOf(std::size_t side) const;
    std::vector<std::string> otherFolders() const;
    RunOutcome outcome(std::uint64_t glErrors) const;
    void answer(const GpuTimes& times);
    Status drain(bool last);

    CaptureRequest request_;
    CameraPath path_;
    std::vector<std::size_t> order_;  // side of each run
    std::size_t next_ = 0;            // the run that is open, or the next one
    std::vector<std::unique_ptr<CaptureRecorder>> recorders_;

    // Of the open run.
    std::optional<CameraFlight> flight_;
    std::optional<WarmUp> warmUp_;
    SampleQueue queue_;
    std::vector<WorkCounters> work_;  // answers since the last drain()
    std::vector<GpuTimes> times_;
    std::uint64_t drawn_ = 0, measured_ = 0;
    double firstMs_ = 0;
    std::optional<bool> conforming_;
    std::uint64_t glErrorsBefore_ = 0;
    std::optional<TileStats> tilesBefore_, tilesNow_;

    // Of the frames of each side so far, warm-up included, from begin to begin.
    struct Pace
    {
        double ms = 0, frames = 0;
    };
    std::vector<Pace> pace_;
    double lastMs_ = 0;                // when the newest frame began
    std::uint64_t longestWarmUp_ = 0;  // frames, of the runs so far
    std::optional<double> secondsLeft() const;

    double validatedMs_ = 0;  // GPU time of all validated frames of all runs
    std::uint64_t validatedFrames_ = 0;
    double leastScale_ = 1, scales_ = 0;  // of render.scale as it is set: the least, and the sum over frames
    std::uint64_t scaledFrames_ = 0;
};

// The side of each run: A B B A A B B A ..., `runs` of each.
std::vector<std::size_t> interleaved(std::size_t sides, std::uint64_t runs);

}  // namespace orogen::app
