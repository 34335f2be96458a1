// Measures work on the GPU in turns A B A B and in steps, so that a viewer can draw between them.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "app/bench/harness/turns.h"
#include "app/bench/tree/gpu_tree.h"

namespace orogen::app {

struct GpuContender
{
    GpuSlices slices;
    int uses = 1;                      // of the thing measured, in all slices together
    std::function<bool()> check = {};  // after all turns, with the clock stopped; empty: nothing to check
};

struct GpuMeasurementOptions
{
    int rounds = 9;        // after a first one that counts for nothing
    double batchMs = 2;    // a contender is repeated within its turn until it takes about so long
    double seconds = 1e9;  // fewer rounds where they would take longer, but one
};

// By the CPU's clock, between two moments at which the GPU has nothing to do: timers of a software rasteriser cannot be
// trusted, and a batch is long enough for the waiting not to count.
class GpuMeasurement
{
public:
    GpuMeasurement(std::vector<GpuContender> contenders, GpuMeasurementOptions options);

    // Goes on for about that long, and with a slice at least.  True: done.
    bool step(double milliseconds);
    void finish();  // all the rest

    double fraction() const;                   // 0 ... 1
    std::vector<lab::Timing> timings() const;  // of the contenders, once it is done

private:
    using Clock = std::chrono::steady_clock;

    void runSlices(double milliseconds);
    void endTurn();

    std::vector<GpuContender> contenders_;
    GpuMeasurementOptions options_;
    struct Series
    {
        int times = 1;              // of all slices, in a turn
        std::vector<double> turns;  // milliseconds of one use
        bool checked = false, equal = true;
    };
    std::vector<Series> series_;
    std::size_t contender_ = 0, slice_ = 0;  // next
    int repeat_ = 0, round_ = -1;            // round -1: the warm-up
    double turnMs_ = 0, spentMs_ = 0, sliceMs_ = 0;
    bool done_ = false;
};

}  // namespace orogen::app
