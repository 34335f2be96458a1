#include "app/session/frame_clock.h"

#include <cmath>
#include <ctime>
#include <thread>
#include <utility>

#include "app/gl/window.h"

namespace orogen::app {
namespace {

// Largest number of waits of kGpuPatience for one frame.  A lost context never answers; the next frame recovers from
// the loss.
constexpr int kMostWaits = 30;

// Returns the processor time of all threads of this process since its start (milliseconds).
double processorMs()
{
    timespec spent{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return 1e3 * double(spent.tv_sec) + 1e-6 * double(spent.tv_nsec);
}

double milliseconds(std::chrono::steady_clock::duration d)
{
    return std::chrono::duration<double, std::milli>(d).count();
}

}  // namespace

void FrameClock::begin(double sessionSeconds)
{
    begin_ = Clock::now();
    times_ = {};
    times_.beginMs = 1000 * sessionSeconds;
    times_.clockMs = milliseconds(begin_.time_since_epoch());
}

void FrameClock::submitted() { times_.workMs = milliseconds(Clock::now() - begin_); }

void FrameClock::show(Graphics& graphics)
{
    if (Window* window = graphics.window())
    {
        graphics.copyToWindow();
        const Clock::time_point before = Clock::now();
        times_.swapAtMs = milliseconds(before - begin_);
        window->swap();
        times_.swapMs = milliseconds(Clock::now() - before);
    }
    else
        glFlush();
}

void FrameClock::present(Graphics& graphics, FrameLimit limit)
{
    show(graphics);
    limitRate(graphics, limit);
    graphics.renderer().collect();
    const Clock::time_point now = Clock::now();
    times_.frameMs = milliseconds(now - begin_);
    times_.intervalMs = std::exchange(rested_, false) ? times_.frameMs : milliseconds(now - pictured_);
    presented_ = pictured_ = now;
    const double spent = processorMs();
    times_.processorMs = spent - std::exchange(spentMs_, spent);
}

void FrameClock::presentPanels(Graphics& graphics, FrameLimit limit, double sinceMs)
{
    const Clock::time_point before = Clock::now();
    show(graphics);
    limitRate(graphics, limit);
    presented_ = Clock::now();
    ++times_.panelShows;
    times_.panelShowsMs += sinceMs + milliseconds(presented_ - before);
}

void FrameClock::endSliced(const SlicesTime& slices)
{
    times_.workMs = slices.submitMs;
    times_.waitMs = slices.waitMs;
}

void FrameClock::limitRate(Graphics& graphics, FrameLimit limit)
{
    const Clock::time_point before = Clock::now();
    times_.waitAtMs = milliseconds(before - begin_);
    if (limit == FrameLimit::kFramesInFlight)
        for (int i = 0; i < kMostWaits && graphics.renderer().progress().framesInFlight() >= kFramesInFlight; ++i)
            graphics.renderer().collect(kGpuPatience);
    times_.waitMs = milliseconds(Clock::now() - before);
    if (limit != FrameLimit::kDisplay || Clock::now() >= presented_ + kLeastFrame) return;
    const double least =
        leastFrameMs(graphics.window()->refreshHz(), times_.swapMs.value_or(0.0), graphics.context().info().software);
    const Clock::time_point awake = Clock::now();
    std::this_thread::sleep_until(presented_ + std::chrono::microseconds(std::llround(1000.0 * least)));
    times_.sleptMs = milliseconds(Clock::now() - awake);
}

}  // namespace orogen::app
