#include "app/gl/timers.h"

#include <chrono>
#include <thread>

#include "tests/gl/support.h"

namespace orogen::app {
namespace {

class TimersTest : public test::GlTest
{
protected:
    static void waste(std::chrono::milliseconds time)
    {
        glFinish();
        std::this_thread::sleep_for(time);
    }
    static std::optional<double> of(const GpuTimes& times, GpuPass pass) { return times.ms[std::size_t(pass)]; }
};

TEST_F(TimersTest, DeliversFramesInOrderWithTheirPasses)
{
    GpuTimers timers(context_->info().software);
    std::vector<std::uint64_t> delivered;
    for (std::uint64_t frame = 10; frame < 40; ++frame)
    {
        timers.beginFrame(frame);
        {
            const GpuTimerScope scope(timers, GpuPass::kDraw);
        }
        if (frame % 2 == 0)
        {
            const GpuTimerScope scope(timers, GpuPass::kUi);
        }
        timers.endFrame();
        glFinish();
        while (const std::optional<GpuTimes> times = timers.poll())
        {
            EXPECT_TRUE(of(*times, GpuPass::kDraw));
            EXPECT_EQ(of(*times, GpuPass::kUi).has_value(), times->frame % 2 == 0);
            EXPECT_FALSE(of(*times, GpuPass::kReduce));
            delivered.push_back(times->frame);
        }
    }
    ASSERT_EQ(delivered.size(), 30u);
    for (std::size_t i = 0; i < delivered.size(); ++i)
        EXPECT_EQ(delivered[i], 10 + i);
    EXPECT_EQ(timers.dropped(), 0u);
}

TEST_F(TimersTest, MeasuresTheSpanAndNotWhatIsBesideIt)
{
    GpuTimers timers(context_->info().software);
    timers.beginFrame(1);
    timers.begin(GpuPass::kUpdate);
    waste(std::chrono::milliseconds(20));
    timers.end(GpuPass::kUpdate);
    waste(std::chrono::milliseconds(60));
    timers.begin(GpuPass::kDraw);
    timers.end(GpuPass::kDraw);
    timers.begin(GpuPass::kUpdate);  // again: the time is the sum
    waste(std::chrono::milliseconds(20));
    timers.end(GpuPass::kUpdate);
    timers.endFrame();
    glFinish();
    const std::optional<GpuTimes> times = timers.poll();
    ASSERT_TRUE(times);
    EXPECT_GE(*of(*times, GpuPass::kUpdate), 39.0);
    EXPECT_LT(*of(*times, GpuPass::kUpdate), 90.0);
    EXPECT_LT(*of(*times, GpuPass::kDraw), 20.0);
}

TEST_F(TimersTest, AFrameWithoutAFreeSlotIsDroppedAndCounted)
{
    GpuTimers timers(context_->info().software);
    for (std::uint64_t frame = 0; frame < 7; ++frame)
    {
        timers.beginFrame(frame);
        timers.begin(GpuPass::kDraw);
        timers.end(GpuPass::kDraw);
        timers.endFrame();
    }
    EXPECT_EQ(timers.dropped(), 3u);
    glFinish();
    for (std::uint64_t frame = 0; frame < 4; ++frame)
    {
        const std::optional<GpuTimes> times = timers.poll();
        ASSERT_TRUE(times);
        EXPECT_EQ(times->frame, frame);
    }
    EXPECT_FALSE(timers.poll());
}

TEST_F(TimersTest, SaysThatASoftwareRasteriserIsNoHardware)
{
    EXPECT_FALSE(GpuTimers(true).hardware());
    EXPECT_TRUE(GpuTimers(false).hardware());
}

}  // namespace
}  // namespace orogen::app
