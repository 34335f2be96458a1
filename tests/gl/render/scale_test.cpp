// render.scale: the picture has the window's size, fewer pixels are rendered, and level of detail counts those.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

TestTerrain smallHills() { return hills(65, 65, 32.0, 32.0); }

class RendererScale : public RendererTest
{
protected:
    Image drawn(const Settings& settings, int width, int height)
    {
        const TestTerrain terrain = smallHills();
        start(terrain, settings, width, height);
        settle(flight(terrain, 0.1));
        return picture();
    }
};

// Linear filtering as OpenGL defines it, rows and columns clamped to the edge.
double filtered(const Image& small, int x, int y, int channel, const Image& large)
{
    const auto split = [](int at, int from, int to, int& low, int& high) {
        const double place = (at + 0.5) * to / from - 0.5, floor = std::floor(place);
        low = std::clamp(int(floor), 0, to - 1);
        high = std::clamp(int(floor) + 1, 0, to - 1);
        return place - floor;
    };
    int x0 = 0, x1 = 0, y0 = 0, y1 = 0;
    const double fx = split(x, large.width, small.width, x0, x1), fy = split(y, large.height, small.height, y0, y1);
    const auto at = [&](int px, int py) {
        return double(
            small.rgb[3 * (std::size_t(py) * std::size_t(small.width) + std::size_t(px)) + std::size_t(channel)]);
    };
    return (1 - fy) * ((1 - fx) * at(x0, y0) + fx * at(x1, y0)) + fy * ((1 - fx) * at(x0, y1) + fx * at(x1, y1));
}

// Contrast-adaptive sharpening of one channel, on the CPU.
Image sharpened(const Image& from)
{
    Image to = from;
    const auto at = [&](int x, int y, int channel) {
        x = std::clamp(x, 0, from.width - 1);
        y = std::clamp(y, 0, from.height - 1);
        return from.rgb[3 * (std::size_t(y) * std::size_t(from.width) + std::size_t(x)) + std::size_t(channel)] / 255.0;
    };
    for (int i = 0; i < 3 * from.width * from.height; ++i)
    {
        const int channel = i % 3, x = i / 3 % from.width, y = i / 3 / from.width;
        const double here = at(x, y, channel);
        const double around[] = {at(x - 1, y, channel), at(x + 1, y, channel), at(x, y - 1, channel),
                                 at(x, y + 1, channel)};
        const double least = std::min(*std::ranges::min_element(around), here);
        const double most = std::max(*std::ranges::max_element(around), here);
        const double room = std::clamp(std::min(least, 1 - most) / std::max(most, 1 / 255.0), 0.0, 1.0);
        const double weight = -std::sqrt(room) / 6;
        const double sum = around[0] + around[1] + around[2] + around[3];
        const double sharp = std::clamp((here + weight * sum) / (1 + 4 * weight), 0.0, 1.0);
        to.rgb[std::size_t(i)] = decltype(to.rgb)::value_type(std::lround(255 * sharp));
    }
    return to;
}

TEST_F(RendererScale, ShowsASmallerPictureSharpenedAndFilteredLinearly)
{
    Settings settings = smallSettings();
    const Image plain = drawn(settings, 96, 54), small = sharpened(plain);
    ASSERT_NE(small.rgb, plain.rgb);
    const WorkCounters work = renderer_->stats().work;
    settings.render.scale = 50;
    const Image large = drawn(settings, 192, 108);
    ASSERT_EQ(large.width, 192);
    ASSERT_EQ(large.height, 108);
    EXPECT_EQ(renderer_->stats().work.triangles, work.triangles);  // thresholds count rendered pixels
    EXPECT_EQ(renderer_->stats().work.leaves, work.leaves);
    double worst = 0;
    for (int y = 0; y < large.height; ++y)
        for (int x = 0; x < large.width; ++x)
            for (int channel = 0; channel < 3; ++channel)
            {
                const double is = large.rgb[3 * (std::size_t(y) * 192 + std::size_t(x)) + std::size_t(channel)];
                worst = std::max(worst, std::abs(is - filtered(small, x, y, channel, large)));
            }
    EXPECT_LE(worst, 2.5);  // rounded twice, and values near black are steep in the sharpening
}

// The part that panels leave visible is the whole picture's, pixel by pixel, and takes less work.
TEST_F(RendererScale, APartOfThePictureIsDrawnAlone)
{
    const TestTerrain terrain = hills(97, 65, 30, 30);
    const Camera camera = flight(terrain, 0.1);
    struct Way
    {
        int samples;
        float scale;
        bool compute, sliced;
    };
    for (const Way& way : {Way{1, 100, false, false},
                           {1, 50, false, false},
                           {4, 100, false, false},
                           {1, 100, true, false},
                           {1, 50, false, true}})
    {
        SCOPED_TRACE(testing::Message() << way.samples << " samples, " << way.scale << " %, compute " << way.compute
                                        << ", sliced " << way.sliced);
        ContextInfo info = context_->info();
        info.shadesByCompute = way.compute;
        context_->injectInfo(info);
        Settings settings = smallSettings();
        settings.render.msaa = way.samples;
        settings.render.scale = way.scale;
        settings.lod.splitPixels = 6.0f;
        settings.lod.mergePixels = 2.5f;
        start(terrain, settings, 160, 90);
        settle(camera);
        const Image whole = picture();
        const std::uint64_t visible = renderer_->stats().work.visible;
        ASSERT_GT(visible, 100u);

        renderer_->options().seen = {0.3, 0.2, 0.65, 0.9};
        EXPECT_FALSE(renderer_->progress().rests(camera, 160, 90));
        // Fills what may not be shown, so that old pixels cannot pass for new ones.
        renderer_->target().bind();
        const float red[4] = {1, 0, 0, 1};
        glClearBufferfv(GL_COLOR, 0, red);
        if (way.sliced)
        {
            renderer_->options().sliceFromMs = 0;
            renderer_->timers().beginFrame(frame_);
            renderer_->begin(camera, frame_++, 0);
            while (renderer_->steps().waiting())
                renderer_->advance(0);
            renderer_->timers().endFrame();
            renderer_->collect(1'000'000'000);
        }
        else
            frame(camera);
        EXPECT_EQ(glIsEnabled(GL_SCISSOR_TEST), GL_FALSE);
        const Image part = picture();
        int wrong = 0, red0 = 0;
        for (int y = 0; y < 90; ++y)
            for (int x = 0; x < 160; ++x)
            {
                const std::size_t at = 3 * (std::size_t(y) * 160 + std::size_t(x));
                const bool seen = x >= 48 && x < 104 && y >= 9 && y < 72;  // rows from the top
                const bool same = std::equal(&whole.rgb[at], &whole.rgb[at] + 3, &part.rgb[at]);
                wrong += seen && !same;
                red0 += part.rgb[at] == decltype(part.rgb)::value_type(255) &&
                        part.rgb[at + 1] == decltype(part.rgb)::value_type(0);
            }
        EXPECT_EQ(wrong, 0);
        const bool redStays = way.samples == 1 && way.scale == 100 && !way.compute;  // no copy, and clipped draws
        EXPECT_GT(red0, redStays ? 160 * 90 / 2 : -1);
        EXPECT_LT(renderer_->stats().work.visible, visible * 3 / 4);
        EXPECT_EQ(context_->debug().errors(), 0u);

        renderer_->options().seen = {};
        frame(camera);
        EXPECT_EQ(picture().rgb, whole.rgb);
        EXPECT_EQ(renderer_->stats().work.visible, visible);
    }
}

// A frame time lowers the scale while the camera moves.  At rest the picture is the one without a budget.
TEST_F(RendererScale, IsLoweredForAFrameTimeAndWholeAtRest)
{
    const TestTerrain terrain = smallHills();
    const Camera camera = flight(terrain, 0.1);
    Settings settings = smallSettings();
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings, 192, 108));
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    const Image whole = picture();
    settings.budget = {.mode = BudgetMode::kFrameMs, .value = 1e-4, .finer = false};  // no machine holds it
    ASSERT_NO_FATAL_FAILURE(set(settings));
    double time = 0;
    for (int i = 0; i < 150; ++i)
    {
        time += 1e-5;
        renderer_->frame(flight(terrain, 0.1 + time), frame_, 0);
        renderer_->recordCpuTime(frame_++, 10);
        renderer_->collect();
    }
    EXPECT_EQ(renderer_->target().scale(), float(kLeastScale));
    EXPECT_EQ(renderer_->stats().scale, kLeastScale);
    EXPECT_EQ(renderer_->lod().detail(settings), (GovernedDetail{kLeastScale, kMostCoarser}));
    EXPECT_EQ(renderer_->lod().governor().state(), GovernorState::kUnreachable);
    ASSERT_TRUE(renderer_->lod().report());
    EXPECT_EQ(renderer_->lod().report()->state, GovernorState::kUnreachable);
    renderer_->lod().rest(true);
    EXPECT_EQ(renderer_->lod().report()->state, GovernorState::kAtRest);
    EXPECT_FALSE(renderer_->lod().report()->reachedMs) << "a time of the flight, not of the picture at rest";
    EXPECT_FALSE(renderer_->progress().rests(camera, 192, 108));
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    EXPECT_EQ(renderer_->stats().scale, 100);
    EXPECT_EQ(renderer_->lod().detail(settings), GovernedDetail{});
    EXPECT_EQ(picture().rgb, whole.rgb);
    renderer_->lod().rest(false);  // the camera moves again
    renderer_->frame(flight(terrain, 0.11), frame_++, 0);
    EXPECT_EQ(renderer_->stats().scale, kLeastScale);
    EXPECT_EQ(renderer_->lod().report()->state, GovernorState::kSettling);
}

TEST_F(RendererScale, ChangesWithoutANewWindowAndTakesSamplesAlong)
{
    const TestTerrain terrain = smallHills();
    const Camera camera = flight(terrain, 0.1);
    Settings settings = smallSettings();
    ASSERT_NO_FATAL_FAILURE(start(terrain, settings, 192, 108));
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    const std::uint64_t whole = renderer_->stats().work.triangles, bytes = totalBytes(renderer_->memory());
    settings.render.scale = 25;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    EXPECT_EQ(picture().width, 192);
    EXPECT_LT(renderer_->stats().work.triangles, 3 * whole / 4);
    EXPECT_LT(totalBytes(renderer_->memory()), bytes);
    const Image single = picture();
    settings.render.msaa = 4;
    ASSERT_NO_FATAL_FAILURE(set(settings));
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    const Image sampled = picture();
    ASSERT_EQ(sampled.rgb.size(), single.rgb.size());
    double apart = 0;
    for (std::size_t i = 0; i < single.rgb.size(); ++i)
        apart += std::abs(double(single.rgb[i]) - double(sampled.rgb[i])) / double(single.rgb.size());
    EXPECT_LT(apart, 6);
    EXPECT_GT(apart, 0);
    settings.render = {};
    ASSERT_NO_FATAL_FAILURE(set(settings));
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    EXPECT_EQ(renderer_->stats().work.triangles, whole);
}

TEST_F(RendererScale, ASampleIsScaledUpAndLeavesThePictureAlone)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    ASSERT_NO_FATAL_FAILURE(start(terrain, smallSettings()));
    ASSERT_NO_FATAL_FAILURE(settle(flight(terrain, 0.3)));
    const Image before = picture();
    const Result<RenderTarget> sample = renderer_->scaledSample();
    ASSERT_TRUE(sample) << sample.error().message;
    EXPECT_LT(sample->drawnWidth(), sample->width());
    EXPECT_NE(sample->resolved(), renderer_->target().resolved());
    EXPECT_EQ(picture().rgb, before.rgb);
    frame(flight(terrain, 0.3));
    EXPECT_EQ(picture().rgb, before.rgb);
}

TEST_F(RendererScale, HasAtLeastOnePixel)
{
    Settings settings = smallSettings();
    settings.render.scale = 25;
    const Image image = drawn(settings, 1, 1);
    EXPECT_EQ(image.width, 1);
    EXPECT_EQ(image.height, 1);
}

}  // namespace
}  // namespace orogen::app::test
