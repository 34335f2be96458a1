// The sweep of a session: the captures of its points, one after the other, and what became of them.
//
//   start()
//   each frame:  update()     begins the next point's capture once the last one is over; CaptureController does the
//   rest finished by itself; earlier by stop()
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/frames/sweep/sweep.h"

namespace orogen::app {

inline constexpr std::uint64_t kMostShards = 10'000;
// Frames before the measured ones of a point, at least: a tree is given the rounds of a jump in the first.
inline constexpr std::uint64_t kSweepWarmup = 16;

struct SweepRequest
{
    std::string folder;             // is made, or holds the same sweep as far as it got
    std::string path = "overview";  // as of a capture
    std::uint64_t frames = 60;      // measured, a point
    std::vector<int> depths;
    SweptThreshold threshold = SweptThreshold::kSplitPixels;
    std::vector<double> pixels;
    std::uint64_t shard = 0, shards = 1;  // points number shard, shard + shards, ... are taken
};

struct SweepProgress
{
    std::size_t done = 0, todo = 0;       // points of this run
    double fraction = 0;                  // of what this run has to do
    std::optional<double> secondsLeft{};  // empty: not known yet
    std::string point{};                  // that is being taken
    std::string folder{};
};

class Session;

class SweepController
{
public:
    static constexpr const char* kFolder = "orogen-sweeps";  // of sweeps that the panel starts

    bool running() const { return running_; }
    // With the settings that are wanted, but for depth, criterion and threshold.  Errors: kUsage (a value out of range
    // or given twice, something else is running), kLimit (a depth that this driver does not hold), those of captures,
    // kOutput (the folder holds something else, or another sweep, with what differs).
    Status start(SweepRequest request, Session& session);
    void update(Session& session);
    Status stop(Session& session);  // what is finished is kept

    // What points() and plan() are from now on: of a sweep that was done elsewhere.
    void show(SweepPlan plan, std::vector<SweepPoint> points, std::string folder);

    SweepProgress progress(const Session& session) const;
    const std::optional<Error>& error() const { return error_; }  // that ended the newest one
    std::size_t missing() const { return missing_; }              // points that nobody has finished
    const std::string& folder() const { return request_.folder; }
    const SweepPlan& plan() const { return plan_; }
    // As far as they are finished; those of the newest sweep stay.
    const std::vector<SweepPoint>& points() const { return points_; }

private:
    Status begin(SweepRequest request, Session& session);
    Status next(Session& session);
    Status finish();
    void fail(const Error& error, Session& session);

    SweepRequest request_;
    SweepPlan plan_;
    std::vector<SweepPoint> points_;
    std::vector<std::size_t> todo_;  // numbers of points, the next one first
    std::size_t at_ = 0;             // in todo_
    std::size_t missing_ = 0;
    bool running_ = false, capturing_ = false;
    std::optional<Error> error_;
    std::chrono::steady_clock::time_point began_;
};

// "orogen-sweeps/2026-05-01T12.34.56Z", as for captures.
std::string newSweepFolder();

}  // namespace orogen::app
