// Frames drawn in slices: the same picture as drawn at once, the previous frame until one is complete, and nothing
// redrawn without a change.
#include <gtest/gtest.h>

#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

class RendererSlices : public RendererTest
{
protected:
    // Draws a frame in slices of one step each, with foreign OpenGL calls in between.
    int slicedFrame(const Camera& camera)
    {
        renderer_->options().keepsPicture = true;
        renderer_->options().sliceFromMs = 0;
        const Status sized = renderer_->resize(renderer_->target().width(), renderer_->target().height());
        EXPECT_TRUE(sized);
        renderer_->timers().beginFrame(frame_);
        renderer_->begin(camera, frame_++, 0);
        int slices = 0;
        for (; renderer_->steps().waiting(); ++slices)
        {
            renderer_->advance(0);
            disturb();
        }
        renderer_->timers().endFrame();
        renderer_->collect(1'000'000'000);
        return slices;
    }
    // OpenGL state as panels and compute passes leave it.
    void disturb()
    {
        glUseProgram(0);
        glBindVertexArray(0);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glViewport(0, 0, 3, 3);
        glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
        glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
        for (GLuint binding = 0; binding < gpu::kStorageBindings; ++binding)
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
        glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, 0);
        glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kTerrainBinding, 0);
        for (GLuint unit = 0; unit < 6; ++unit)
            glBindTextureUnit(unit, 0);
    }
};

TEST_F(RendererSlices, GiveThePictureThatIsDrawnAtOnce)
{
    const TestTerrain terrain = hills(97, 65, 30, 30);  // not square: it is clipped
    const Camera camera = flight(terrain, 0.1);
    Settings settings = smallSettings();
    settings.lod.splitPixels = 6.0f;
    settings.lod.mergePixels = 2.5f;
    struct Way
    {
        int samples;
        float scale;
        bool compute;
    };
    for (const Way& way : {Way{1, 100, false}, {1, 50, false}, {4, 100, false}, {4, 50, false}, {1, 100, true}})
    {
        SCOPED_TRACE(std::to_string(way.samples) + " samples, " + std::to_string(way.scale) +
                     (way.compute ? ", by compute" : ""));
        ContextInfo info = context_->info();
        info.shadesByCompute = way.compute;
        context_->injectInfo(info);
        settings.render.msaa = way.samples;
        settings.render.scale = way.scale;
        start(terrain, settings, 160, 90);
        settle(camera);
        const Image whole = picture();
        EXPECT_GT(renderer_->stats().work.visible, 100u);
        EXPECT_GT(slicedFrame(camera), 20);
        EXPECT_EQ(picture().rgb, whole.rgb);
        EXPECT_EQ(context_->debug().errors(), 0u);
    }
}

// Rounds of the tree are steps of a frame too.
TEST_F(RendererSlices, SettleTheTreeAsWholeFramesDo)
{
    const TestTerrain terrain = hills(129, 129, 30, 30);
    const Camera camera = flight(terrain, 0.1), next = flight(terrain, 0.3);
    Settings settings = smallSettings();
    settings.lod.splitPixels = 5;
    settings.lod.mergePixels = 2;
    start(terrain, settings);
    settle(camera);
    settle(next);
    const std::vector<std::uint32_t> leaves = tree().readLeaves();
    const Image whole = picture();
    ASSERT_GT(leaves.size(), 500u);  // a range has 64
    start(terrain, settings);
    for (const Camera& place : {camera, next})
    {
        slicedFrame(place);
        for (int i = 0; i < 60 && !renderer_->stats().settled; ++i)
            slicedFrame(place);
        EXPECT_TRUE(renderer_->stats().settled);
    }
    EXPECT_EQ(tree().readLeaves(), leaves);
    EXPECT_EQ(picture().rgb, whole.rgb);
}

TEST_F(RendererSlices, RangesHaveEveryVisibleLeafOnce)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    start(terrain, smallSettings());
    settle(flight(terrain, 0.1));
    const std::uint32_t visible = tree().readState().visible;
    ASSERT_GT(visible, 60u);
    for (const std::uint32_t leaves : {16u, 48u, 4096u})
        for (const std::uint32_t count : {0u, 1u, 2u, 7u, 1000u})
        {
            SCOPED_TRACE(std::to_string(count) + " ranges of " + std::to_string(leaves));
            DrawRanges made;
            made.leaves = leaves;
            made.count = count;
            made.restLeaves = 32;
            made.restCount = (visible + made.restLeaves - 1) / made.restLeaves;
            tree().listRanges(made);
            std::uint32_t next = 0;
            const std::vector<gpu::DrawRange> ranges = tree().readRanges(made.all());
            for (std::uint32_t range = 0; range < made.all(); ++range)
            {
                if (ranges[range].draw.instances == 0) continue;
                EXPECT_EQ(made.first(range), next);
                next += ranges[range].draw.instances;
                EXPECT_LE(ranges[range].draw.instances, made.size(range));
                EXPECT_EQ(ranges[range].groupsX * ranges[range].groupsY,
                          (ranges[range].draw.instances + gpu::kLeafGroupSize - 1) / gpu::kLeafGroupSize);
                EXPECT_EQ(ranges[range].draw.count, tree().readState().drawCount);
            }
            EXPECT_EQ(next, visible);
        }
}

TEST_F(RendererSlices, ThePictureIsTheOneBeforeUntilTheNextIsWhole)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    Camera camera = flight(terrain, 0.1);
    for (const int samples : {1, 4})
    {
        Settings settings = smallSettings();
        settings.render.msaa = samples;
        start(terrain, settings);
        settle(camera);
        slicedFrame(camera);
        const Image before = picture();
        Camera turned = camera;
        turned.yaw += 40;
        renderer_->options().sliceFromMs = 0;
        renderer_->begin(turned, frame_++, 0);
        while (renderer_->steps().waiting())
        {
            ASSERT_EQ(picture().rgb, before.rgb);
            renderer_->advance(0);
        }
        EXPECT_NE(picture().rgb, before.rgb);
        // Stretched until there is a picture of the new size.
        const Image small = picture();
        ASSERT_TRUE(renderer_->resize(192, 108));
        const Image large = picture();
        ASSERT_EQ(large.width, 192);
        const std::size_t middle = 3 * (std::size_t(54) * 192 + 96), smallMiddle = 3 * (std::size_t(27) * 96 + 48);
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(large.rgb[middle + c], small.rgb[smallMiddle + c], 60);
        ASSERT_TRUE(renderer_->resize(96, 54));
    }
}

TEST_F(RendererSlices, RestUntilSomethingChanges)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    Camera camera = flight(terrain, 0.1);
    Settings settings = smallSettings();
    start(terrain, settings);
    EXPECT_FALSE(renderer_->progress().rests(camera, 96, 54));
    settle(camera);
    EXPECT_TRUE(renderer_->progress().rests(camera, 96, 54));
    EXPECT_FALSE(renderer_->progress().rests(camera, 96, 55));

    const auto changes = [&](auto change) {
        Settings changed = settings;
        change(changed);
        set(changed);
        EXPECT_FALSE(renderer_->progress().rests(camera, 96, 54));
        settle(camera);
        EXPECT_TRUE(renderer_->progress().rests(camera, 96, 54));
        settings = changed;
    };
    changes([](Settings& s) { s.render.sunElevation += 3; });
    changes([](Settings& s) { s.render.wireframe = true; });
    changes([](Settings& s) { s.lod.splitPixels = 20; });
    changes([](Settings& s) { s.terrain.heightScale = 2; });
    changes([](Settings& s) { s.render.scale = 70; });
    changes([](Settings& s) { s.cbt.depth = 14; });
    camera.yaw += 0.01;
    EXPECT_FALSE(renderer_->progress().rests(camera, 96, 54));
    settle(camera);
    EXPECT_TRUE(renderer_->progress().rests(camera, 96, 54));
    (void)renderer_->reloadShaders();
    EXPECT_FALSE(renderer_->progress().rests(camera, 96, 54));
    settle(camera);
    ASSERT_TRUE(renderer_->checks().measureErrorsEvery(2));
    EXPECT_FALSE(renderer_->progress().rests(camera, 96, 54));
    for (int i = 0; i < 4; ++i)
        frame(camera);
    EXPECT_TRUE(renderer_->progress().rests(camera, 96, 54));
    ASSERT_TRUE(renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds));
    EXPECT_FALSE(renderer_->progress().rests(camera, 96, 54));
}

// Abandons a frame after any number of steps.
TEST_F(RendererSlices, AFrameThatIsGivenUpLeavesNothingBehind)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    const Camera camera = flight(terrain, 0.1);
    start(terrain, smallSettings());
    settle(camera);
    const Image whole = picture();
    Camera away = camera;
    away.yaw += 90;
    for (const int steps : {0, 1, 2, 5, 9, 14})
    {
        SCOPED_TRACE(steps);
        renderer_->options().sliceFromMs = 0;
        renderer_->begin(away, frame_++, 0);
        for (int i = 0; i < steps && renderer_->steps().waiting(); ++i)
            renderer_->advance(0);
        frame(camera);
        settle(camera);
        EXPECT_EQ(picture().rgb, whole.rgb);
    }
}

}  // namespace
}  // namespace orogen::app::test
