#include "app/render/frame_steps.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/gl/objects.h"

namespace orogen::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kUnknownSkyBands = 4, kMostSkyBands = 16;  // number of bands before a sliced frame was timed; maximum
constexpr std::uint64_t kStepPatience = 10'000'000'000;  // nanoseconds per step; a lost GPU is detected elsewhere

double millisecondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

}  // namespace

void FrameSteps::begin(bool sliced, std::function<void()> enter, std::function<void()> leave)
{
    drop();
    sliced_ = sliced;
    enter_ = std::move(enter);
    leave_ = std::move(leave);
    time_ = {};
}

void FrameSteps::add(StepKind kind, std::function<void()> work) { steps_.push_back({kind, std::move(work)}); }

void FrameSteps::add(StepKind kind, GpuTimers& timers, GpuPass pass, std::function<void()> work)
{
    add(kind, [&timers, pass, work = std::move(work)] {
        GpuTimerScope scope(timers, pass);
        work();
    });
}

void FrameSteps::addBanded(GpuTimers& timers, GpuPass pass, int height, const std::function<void(Rows)>& work)
{
    if (!sliced_) return add(StepKind::kSky, timers, pass, [work, height] { work({0, height}); });
    const double skyMs = whole_.ms[std::size_t(StepKind::kSky)];
    const int bands = skyMs > 0 ? std::clamp(int(skyMs / kStepMs) + 1, 1, kMostSkyBands) : kUnknownSkyBands;
    // Bands begin at even rows, because shaders take differences within squares of 2 x 2 pixels.
    const auto start = [height, bands](int band) { return band < bands ? height * band / bands & ~1 : height; };
    for (int band = 0; band < bands; ++band)
        add(StepKind::kSky, timers, pass, [work, from = start(band), to = start(band + 1)] { work({from, to}); });
}

void FrameSteps::drop()
{
    steps_.clear();
    next_ = 0;
}

void FrameSteps::runAll()
{
    if (!waiting()) return;
    enter_();
    while (waiting())
        steps_[next_++].work();
    leave_();
    drop();
}

double FrameSteps::runStep()
{
    const Step& step = steps_[next_++];
    const Clock::time_point begin = Clock::now();
    step.work();
    const double submitted = millisecondsSince(begin);
    const Sync done = Sync::fence();
    if (done) (void)done.passed(kStepPatience);
    const double whole = millisecondsSince(begin);
    time_.submitMs += submitted;
    time_.waitMs += whole - submitted;
    time_.ms[std::size_t(step.kind)] += whole;
    return whole;
}

void FrameSteps::runSlice(double ms)
{
    if (!waiting()) return;
    enter_();
    double spent = 0, last = 0;
    do
    {
        last = runStep();
        spent += last;
    } while (waiting() && spent + last <= ms);
    leave_();
    time_.longestMs = std::max(time_.longestMs, spent);
    ++time_.slices;
    if (!waiting()) drop();
}

void FrameSteps::advance(double ms)
{
    if (!sliced_) return runAll();
    runSlice(ms);
    if (waiting()) return;
    whole_ = time_;
    frameMs_ = time_.wholeMs();
}

}  // namespace orogen::app
