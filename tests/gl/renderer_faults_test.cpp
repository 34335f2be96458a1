// What the renderer survives: every allocation refused in turn, settings that change at random, and long runs.
#include <limits>
#include <random>

#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

class RendererFaults : public RendererTest
{
protected:
    void TearDown() override
    {
        allocationFaults() = {};
        RendererTest::TearDown();
    }

    // The k-th allocation from now on is refused.
    static void refuse(int k) { allocationFaults() = {.count = 0, .failAt = k}; }

    Status startAll(const TestTerrain& terrain)
    {
        renderer_.reset();
        Result<std::unique_ptr<Renderer>> made = Renderer::create(*context_, OROGEN_ROOT, smallSettings());
        if (!made) return made.error();
        renderer_ = std::move(*made);
        if (Status s = renderer_->resize(96, 54); !s) return s;
        return renderer_->setTerrain(terrain.raster, terrain.field, terrain.pyramid);
    }
};

TEST_F(RendererFaults, EveryAllocationOfTheStartMayFail)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    int k = 1;
    for (;; ++k)
    {
        SCOPED_TRACE(k);
        refuse(k);
        const Status status = startAll(terrain);
        const int asked = allocationFaults().count;
        refuse(0);
        if (status)
        {
            EXPECT_LT(asked, k) << "an allocation failed and nobody noticed";
            break;
        }
        EXPECT_EQ(status.error().code, ExitCode::kLimit);
        EXPECT_FALSE(status.error().message.empty());
        ASSERT_LT(k, 200);
    }
    EXPECT_GT(k, 15);  // buffers of the tree, textures of the terrain, the frame
    settle(flight(terrain, 0.1));
    EXPECT_TRUE(checkedTree(tree()));
}

TEST_F(RendererFaults, EveryAllocationOfAChangeMayFailAndNothingChanges)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    ASSERT_TRUE(startAll(terrain));
    const Camera camera = flight(terrain, 0.1);
    settle(camera);
    const Settings before = renderer_->settings();
    const std::vector<std::uint8_t> picture = this->picture().rgb;
    Settings wanted = before;
    wanted.cbt = {.depth = 20, .leafCapacity = 1u << 15};
    wanted.render.msaa = 4;
    wanted.patch.level = 3;
    int k = 1;
    for (;; ++k)
    {
        SCOPED_TRACE(k);
        refuse(k);
        const Status status = renderer_->apply(wanted);
        refuse(0);
        if (status) break;
        EXPECT_EQ(status.error().code, ExitCode::kLimit);
        EXPECT_EQ(renderer_->settings(), before);
        EXPECT_EQ(tree().depth(), before.cbt.depth);
        settle(camera);
        EXPECT_EQ(this->picture().rgb, picture);
        ASSERT_LT(k, 100);
    }
    EXPECT_GT(k, 8);
    EXPECT_EQ(renderer_->settings(), wanted);
    settle(camera);
    EXPECT_TRUE(checkedTree(tree()));
}

TEST_F(RendererFaults, AnySettingMayChangeInAnyFrame)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    ASSERT_TRUE(startAll(terrain));
    const unsigned seed = 20261120;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return unsigned(random() % n); };
    const auto real = [&] {
        const float extremes[] = {0.0f, -1.0f, 1e9f, std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN()};
        return below(6) == 0 ? extremes[below(5)] : float(below(1000)) / 25.0f;
    };
    Settings wanted = smallSettings();
    for (int i = 0; i < 500; ++i)
    {
        SCOPED_TRACE(i);
        switch (below(10))
        {
        case 0:
            wanted.cbt.depth = 8 + int(below(13));
            break;
        case 1:
            wanted.cbt.leafCapacity = 1024u << below(5);
            break;
        case 2:
            wanted.lod.criterion = LodCriterion(below(2));
            break;
        case 3:
            wanted.lod.splitPixels = real(), wanted.lod.mergePixels = real();
            break;
        case 4:
            wanted.lod.errorPixels = real();
            break;
        case 5:
            wanted.patch.level = int(below(4));
            break;
        case 6:
            wanted.terrain.heightScale = real();
            break;
        case 7:
            wanted.render.shading = Shading(below(5)), wanted.render.wireframe = below(2);
            break;
        case 8:
            wanted.render.msaa = 1 << below(3), wanted.render.sunElevation = real();
            break;
        default:
            wanted.lod.frozen = below(4) == 0, wanted.lod.rounds = 1 + int(below(4));
            break;
        }
        wanted = sanitized(wanted);
        ASSERT_TRUE(renderer_->apply(wanted));
        if (below(8) == 0)
        {
            ASSERT_TRUE(renderer_->resize(int(1 + below(120)), int(1 + below(80))));
        }
        const FrameStats& stats = frame(flight(terrain, double(below(100)) / 100.0));
        ASSERT_LE(stats.work.leaves, wanted.cbt.leafCapacity);
        ASSERT_EQ(stats.glErrors, 0u);
        if (i % 50 == 49)
        {
            EXPECT_TRUE(checkedTree(tree()));
        }
    }
}

TEST_F(RendererFaults, ALongRunKeepsNothingBehind)
{
    const TestTerrain terrain = hills(65, 65, 30, 30);
    ASSERT_TRUE(startAll(terrain));
    const auto fly = [&](int frames) {
        for (int i = 0; i < frames; ++i)
            frame(flight(terrain, double(i % 200) / 200.0));
    };
    fly(200);
    const int objects = liveGlObjects;
    fly(600);
    EXPECT_EQ(liveGlObjects, objects);
}

}  // namespace
}  // namespace orogen::app::test
