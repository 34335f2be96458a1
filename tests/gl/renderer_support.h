// The renderer with a small terrain, frame by frame.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

#include "app/gl/image.h"
#include "app/render/renderer.h"
#include "tests/gl/lod_support.h"
#include "tests/support/earth_tiles.h"
#include "tests/support/places.h"

namespace orogen::app::test {

// A tree of some hundred leaves in a small picture.
inline Settings smallSettings()
{
    Settings settings;
    settings.cbt = {.depth = 16, .leafCapacity = 1u << 14};
    settings.lod.splitPixels = 16.0f;
    settings.lod.mergePixels = 7.0f;
    settings.patch.level = 1;
    settings.terrain.detail = false;         // the data alone: procedural detail has tests of its own
    settings.render.border = Border::kOpen;  // no surroundings, unless a test is about them
    return settings;
}

// FNV-1a hash, for comparing runs.
inline std::uint64_t hashOf(std::span<const std::uint8_t> bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const std::uint8_t byte : bytes)
        hash = (hash ^ byte) * 0x100000001b3u;
    return hash;
}

class RendererTest : public GlTest
{
protected:
    void TearDown() override
    {
        renderer_.reset();
        GlTest::TearDown();
    }

    // Starts a renderer that shows `terrain`; fails the test on error.
    void start(const TestTerrain& terrain, const Settings& settings, int width = 96, int height = 54,
               const std::filesystem::path& root = OROGEN_ROOT)
    {
        renderer_.reset();
        Result<std::unique_ptr<Renderer>> made = Renderer::create(*context_, root, settings);
        ASSERT_TRUE(made) << made.error().message;
        renderer_ = std::move(*made);
        const Status sized = renderer_->resize(width, height);
        ASSERT_TRUE(sized) << sized.error().message;
        const Status shown = renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds);
        ASSERT_TRUE(shown) << shown.error().message;
        frame_ = 0;
    }

    // Call before start() with a terrain.frag of the test's own, which compute shaders cannot include.
    void shadeByFragments()
    {
        ContextInfo info = context_->info();
        info.shadesByCompute = false;
        context_->injectInfo(info);
    }

    // Shows an Earth without relief; fails the test on error.
    void showLevelEarth()
    {
        auto tiles = std::make_shared<::orogen::test::EarthTiles>(4, ::orogen::test::EarthTiles::Refines(),
                                                                  [](const glm::dvec3&) { return 0.0; });
        Result<std::unique_ptr<TileCache>> cache = TileCache::create(tiles, 64u << 20);
        ASSERT_TRUE(cache) << cache.error().message;
        const Status shown = renderer_->setEarth(std::move(*cache));
        ASSERT_TRUE(shown) << shown.error().message;
    }

    // Draws one frame and returns its statistics.
    const FrameRecord& frame(const Camera& camera)
    {
        renderer_->timers().beginFrame(frame_);
        renderer_->frame(camera, frame_++, 0);
        renderer_->timers().endFrame();
        glFinish();
        renderer_->collect(1'000'000'000);
        return renderer_->stats();
    }

    // Draws frames until the tree converges; fails the test if it does not.
    void settle(const Camera& camera, int most = 60)
    {
        frame(camera);
        for (int i = 0; i < most && !renderer_->stats().settled; ++i)
            frame(camera);
        ASSERT_TRUE(renderer_->stats().settled) << "after " << most << " frames";
    }

    void set(Settings wanted)
    {
        const Status applied = renderer_->apply(wanted);
        ASSERT_TRUE(applied) << applied.error().message;
    }

    Image picture() const
    {
        return readFramebuffer(renderer_->target().resolved(), renderer_->target().width(),
                               renderer_->target().height());
    }
    LodTree& tree() { return dynamic_cast<LodTree&>(renderer_->tree()); }
    bool ran(GpuPass pass) const { return renderer_->stats().gpu.ms[std::size_t(pass)].has_value(); }

    std::unique_ptr<Renderer> renderer_;
    std::uint64_t frame_ = 0;
};

}  // namespace orogen::app::test
