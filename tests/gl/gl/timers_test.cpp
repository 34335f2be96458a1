#include "app/gl/timers.h"

#include <chrono>
#include <thread>

#include "app/gl/shader_library.h"
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
    const auto started = std::chrono::steady_clock::now();
    timers.begin(GpuPass::kUpdate);
    waste(std::chrono::milliseconds(20));
    timers.end(GpuPass::kUpdate);
    waste(std::chrono::milliseconds(60));
    timers.begin(GpuPass::kDraw);
    timers.end(GpuPass::kDraw);
    timers.begin(GpuPass::kUpdate);  // again: times are summed
    waste(std::chrono::milliseconds(20));
    timers.end(GpuPass::kUpdate);
    const std::chrono::duration<double, std::milli> whole = std::chrono::steady_clock::now() - started;
    timers.endFrame();
    glFinish();
    const std::optional<GpuTimes> times = timers.poll();
    ASSERT_TRUE(times);
    // On a busy machine everything takes longer, but time outside a span is at least the time wasted there.
    EXPECT_GE(*of(*times, GpuPass::kUpdate), 39.0);
    EXPECT_LE(*of(*times, GpuPass::kUpdate), whole.count() - 59);
    EXPECT_LE(*of(*times, GpuPass::kDraw), whole.count() - 98);
}

// Polls right after half a second of drawing was issued: the answer is "not yet", without waiting.
TEST_F(TimersTest, NeverWaitsForTheGpu)
{
    if (!context_->info().software) GTEST_SKIP() << "the work is made to keep a software rasteriser busy";
    test::TemporaryFolder folder;
    folder.write("shaders/slow.vert",
                 "void main() { gl_Position = vec4(ivec2(gl_VertexID & 1, gl_VertexID >> 1) * 4 - 1, "
                 "0, 1); }\n");
    folder.write("shaders/slow.frag", "layout(location = 0) out vec4 o;\nlayout(location = 0) uniform int n;\n"
                                      "void main() { float x = gl_FragCoord.x; for (int i = 0; i < n; ++i) x = sin(x); "
                                      "o = vec4(x); }\n");
    ShaderLibrary shaders(folder.path(), {context_->info().glsl460});
    const ProgramHandle slow = shaders.add("slow", {"shaders/slow.vert", "shaders/slow.frag"});
    Status status = shaders.finish();
    ASSERT_TRUE(status) << status.error().message;
    const Result<Texture> target = makeTexture("target", {.format = GL_RGBA8, .width = 256, .height = 256});
    const Framebuffer framebuffer = makeFramebuffer("target");
    glNamedFramebufferTexture(framebuffer.id(), GL_COLOR_ATTACHMENT0, target->id(), 0);
    const VertexArray empty = makeVertexArray("empty");
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glViewport(0, 0, 256, 256);
    glBindVertexArray(empty.id());
    glUseProgram(shaders.program(slow));
    glUniform1i(0, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);  // compiles
    glFinish();

    GpuTimers timers(true);
    timers.beginFrame(1);
    timers.begin(GpuPass::kDraw);
    glUniform1i(0, 2000);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    timers.end(GpuPass::kDraw);
    timers.endFrame();
    const Sync sync = Sync::fence();
    glFlush();
    const std::optional<GpuTimes> early = timers.poll();
    ASSERT_FALSE(sync.passed()) << "too little work for this machine";
    EXPECT_FALSE(early);
    EXPECT_TRUE(sync.passed(60'000'000'000ull));
    EXPECT_TRUE(timers.poll());
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
