// Sweep of a session: captures its points one after another, and collects the results.
//
//   start()
//   each frame:  update()     starts the next capture when the last one is over; CaptureController does the rest
//   Ends by itself after the last point, or earlier by stop().
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/frames/sweep/sweep.h"

namespace orogen::app {

inline constexpr std::uint64_t kMostShards = 10'000;
// Least warm-up frames per point: the first frame gets the rounds of a camera jump.
inline constexpr std::uint64_t kSweepWarmup = 16;

struct SweepRequest
{
    std::string folder;             // created, or contains an unfinished run of the same sweep
    std::string path = "overview";  // as in CaptureRequest
    std::uint64_t frames = 60;      // measured frames per point
    std::vector<int> depths;
    SweptThreshold threshold = SweptThreshold::kSplitPixels;
    std::vector<double> pixels;
    std::uint64_t shard = 0, shards = 1;  // takes points shard, shard + shards, ...
};

struct SweepProgress
{
    std::size_t done = 0, todo = 0;       // points of this run
    double fraction = 0;                  // share of this run's work, 0 to 1
    std::optional<double> secondsLeft{};  // empty: unknown yet
    std::string point{};                  // current point
    std::string folder{};
};

class Session;

class SweepController
{
public:
    static constexpr const char* kFolder = "orogen-sweeps";  // for sweeps that the panel starts

    bool running() const { return running_; }
    // Starts a sweep over depths and thresholds, with the requested settings otherwise.  Errors: kUsage (a value out of
    // range or repeated, or a sweep or capture is running), kLimit (a depth this driver does not support), those of
    // captures, kOutput (the folder holds something else, or another sweep, with the difference).
    Status start(SweepRequest request, Session& session);
    void update(Session& session);
    Status stop(Session& session);  // keeps finished points

    // Shows a sweep that was run elsewhere, through points() and plan().
    void show(SweepPlan plan, std::vector<SweepPoint> points, std::string folder);

    SweepProgress progress(const Session& session) const;
    const std::optional<Error>& error() const { return error_; }  // error that ended the newest sweep
    std::size_t missing() const { return missing_; }              // points that no process has finished
    const std::string& folder() const { return request_.folder; }
    const SweepPlan& plan() const { return plan_; }
    // Points of the newest sweep, as far as finished.
    const std::vector<SweepPoint>& points() const { return points_; }

private:
    Status begin(SweepRequest request, Session& session);
    Status next(Session& session);
    Status finish();
    void fail(const Error& error, Session& session);

    SweepRequest request_;
    SweepPlan plan_;
    std::vector<SweepPoint> points_;
    std::vector<std::size_t> todo_;  // point indices, in order
    std::size_t at_ = 0;             // index into todo_
    std::size_t missing_ = 0;
    bool running_ = false, capturing_ = false;
    std::optional<Error> error_;
    std::chrono::steady_clock::time_point began_;
};

// Returns "orogen-sweeps/2026-05-01T12.34.56Z", as for captures.
std::string newSweepFolder();

}  // namespace orogen::app
