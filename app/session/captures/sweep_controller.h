// Sweep of a session (core/frames/sweep/sweep.h): captures a camera path once for each point (a depth and a threshold),
// and gathers the results.  Several processes may share a sweep; each measures one shard, a part of the points.
//
//   start()
//   each frame:  update()     starts the next capture when the last one is over; CaptureController does the rest
//   stop()                    ends the sweep early; otherwise it ends after the last point
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/model/capture_state.h"
#include "core/frames/sweep/sweep.h"

namespace orogen::app {

inline constexpr std::uint64_t kMostSweepShards = 10'000;

class Session;

class SweepController
{
public:
    bool running() const { return running_; }
    // Starts a sweep over depths and thresholds of one criterion; the session gives the other settings.  Errors: kUsage
    // (a value out of range or repeated, or a sweep or capture is running), kLimit (a depth that this driver does not
    // support), kOutput (the folder holds other files or another sweep; the message names the difference), and those of
    // captures.
    Status start(SweepRequest request, Session& session);
    void update(Session& session);
    Status stop(Session& session);  // keeps finished points

    // Sets plan(), points() and folder() without running a sweep, for tests of the panels.
    void show(SweepPlan plan, std::vector<SweepPoint> points, std::string folder);

    SweepState state() const { return {&plan_, &points_, request_.folder}; }  // for the panels
    SweepProgress progress(const Session& session) const;
    const std::optional<Error>& error() const { return error_; }  // error that ended the newest sweep
    // Returns the points of all shards that were unfinished when start() or the end of the sweep last read the folder.
    std::size_t missing() const { return missing_; }
    const std::string& folder() const { return request_.folder; }
    const SweepPlan& plan() const { return plan_; }
    // Returns all points of the newest sweep.  Points that are not finished have no measurements.
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

}  // namespace orogen::app
