#include "app/session/frame_clock.h"

#include <cmath>
#include <thread>

#include "app/gl/pacing.h"

namespace orogen::app {
namespace {

double milliseconds(std::chrono::steady_clock::duration d)
{
    return std::chrono::duration<double, std::milli>(d).count();
}

}  // namespace

void FrameClock::begin(std::uint64_t frame, double sessionSeconds)
{
    begin_ = Clock::now();
    timing_ = {};
    timing_.frame = frame;
    timing_.beginMs = 1000 * sessionSeconds;
}

void FrameClock::submitted() { timing_.cpuMs = milliseconds(Clock::now() - begin_); }

void FrameClock::present(Graphics& graphics, FrameLimit limit)
{
    Renderer& renderer = graphics.renderer();
    if (Window* window = graphics.window())
    {
        window->copyFrom(renderer.framebuffer(), {renderer.width(), renderer.height()});
        const Clock::time_point before = Clock::now();
        window->swap();
        timing_.swapMs = milliseconds(Clock::now() - before);
    }
    else
        glFlush();
    limitRate(graphics, limit);
    renderer.collect();
    const Clock::time_point now = Clock::now();
    timing_.frameMs = milliseconds(now - begin_);
    timing_.intervalMs = milliseconds(now - presented_);
    presented_ = now;
}

void FrameClock::limitRate(Graphics& graphics, FrameLimit limit)
{
    const Clock::time_point before = Clock::now();
    while (limit == FrameLimit::kFramesInFlight && graphics.renderer().framesInFlight() >= kFramesInFlight)
        graphics.renderer().collect(kGpuPatience);
    timing_.waitMs = milliseconds(Clock::now() - before);
    if (limit != FrameLimit::kDisplay || Clock::now() >= presented_ + kLeastFrame) return;
    const double least =
        leastFrameMs(graphics.window()->refreshHz(), timing_.swapMs.value_or(0.0), graphics.context().info().software);
    const Clock::time_point awake = Clock::now();
    std::this_thread::sleep_until(presented_ + std::chrono::microseconds(std::llround(1000.0 * least)));
    timing_.sleptMs = milliseconds(Clock::now() - awake);
}

}  // namespace orogen::app
