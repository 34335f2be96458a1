// The leaf under a point of the Earth and the view from above, through the renderer.
#include <array>
#include <cmath>
#include <map>

#include "app/render/lod_tree.h"
#include "core/leb/cube_leaf.h"
#include "core/planet/cube_lattice.h"
#include "tests/gl/renderer_support.h"
#include "tests/support/random.h"

namespace orogen::app::test {
namespace {

constexpr std::uint64_t kAnswerPatience = 20'000'000'000;

class EarthInspector : public RendererTest
{
protected:
    void startAbove(const Geodetic& place)
    {
        terrain_ = hills(33, 33, 30.0, 30.0);
        ASSERT_NO_FATAL_FAILURE(start(terrain_, smallSettings()));
        ASSERT_NO_FATAL_FAILURE(showLevelEarth());
        Settings settings = smallSettings();
        settings.earth.depth = 30;
        settings.cbt.leafCapacity = 1u << 15;
        settings.terrain.waterLevel = 0.0f;
        settings.lod.splitPixels = 5;
        settings.lod.mergePixels = 2;
        ASSERT_NO_FATAL_FAILURE(set(settings));
        camera_ = {.position = earthFixed(place), .yaw = 0, .pitch = -90};
        ASSERT_TRUE(renderer_->tiles().settle(camera_, 60));
        ASSERT_NO_FATAL_FAILURE(settle(camera_));
    }
    std::optional<LeafAnswer> leafAt(const glm::dvec3& place)
    {
        const Status asked = renderer_->inspector().askLeaf(place, ++question_);
        EXPECT_TRUE(asked) << asked.error().message;
        return renderer_->inspector().takeLeaf(kAnswerPatience);
    }
    std::vector<std::uint8_t> fromAbove(const TopPicture& region)
    {
        const Status drawn = renderer_->inspector().drawTopView(region);
        EXPECT_TRUE(drawn) << drawn.error().message;
        std::vector<std::uint8_t> pixels(std::size_t(4 * region.side * region.side));
        glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
        glGetTextureImage(renderer_->inspector().topView(), 0, GL_RGBA, GL_UNSIGNED_BYTE, GLsizei(pixels.size()),
                          pixels.data());
        return pixels;
    }

    TestTerrain terrain_;
    Camera camera_;
    std::uint64_t question_ = 0;
};

bool holds(std::uint64_t id, const FacePlace& place)
{
    const leb::CubeTriangle t = leb::cornersOf(leb::leafOfId(id));
    const auto side = [&](const CubePlace& a, const CubePlace& b) {
        return double(b.x - a.x) * (place.at.y - a.y) - double(b.y - a.y) * (place.at.x - a.x);
    };
    return t.apex.face == place.face &&
           std::min({side(t.apex, t.left), side(t.left, t.right), side(t.right, t.apex)}) >= -4e9;
}

// Without memory for its buffers, the view reports an error; later it is drawn.
TEST_F(EarthInspector, AViewFromAboveWithoutMemoryIsAnError)
{
    ASSERT_NO_FATAL_FAILURE(startAbove({46.5, 8, 3e6}));
    const TopPicture region{camera_.position, {-1e5, -1e5}, 2e5 / 32, 32};
    int k = 1;
    for (;; ++k)
    {
        allocationFaults() = {.count = 0, .failAt = k};
        const Status drawn = renderer_->inspector().drawTopView(region);
        const int asked = allocationFaults().count;
        allocationFaults() = {};
        if (asked < k)
        {
            EXPECT_TRUE(drawn) << drawn.error().message;
            break;
        }
        EXPECT_FALSE(drawn) << "allocation " << k;
        ASSERT_LT(k, 20);
    }
    EXPECT_GT(k, 2) << "a texture and buffers";
    EXPECT_GT(renderer_->inspector().bytes(), 4u * 32 * 32 + 4u * (12u << (gpu::kCurvedDepth - 1))) << "both counted";
}

TEST_F(EarthInspector, TheLeafUnderAPointHoldsIt)
{
    ASSERT_NO_FATAL_FAILURE(startAbove({46.5, 8, 3e6}));
    Random random(5);
    for (int i = 0; i < 20; ++i)
    {
        const Geodetic at{180 * random.unit() - 90, 360 * random.unit() - 180, 1'000};
        const std::optional<LeafAnswer> answer = leafAt(earthFixed(at));
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->question, question_);
        EXPECT_TRUE(holds(answer->id, facePlaceOf(scaledDirectionOf(at.latitude, at.longitude))))
            << std::hex << answer->id;
        EXPECT_EQ(answer->depth, leb::depthOfId(answer->id));
    }
}

using EarthInspectorThorough = EarthInspector;

// Away from edges, a pixel has the colour of the depth of the leaf there: from high up, close to the ground, at the
// date line and at a pole.  Pixels beyond the globe's rim have no ground.
TEST_F(EarthInspectorThorough, FromAboveEachPixelHasTheColourOfItsLeaf)
{
    std::map<int, double> hueOf;
    for (const Geodetic place : {Geodetic{46.5, 8, 1e7}, {10, -179.999, 200'000}, {89.9, 30, 1e6}})
    {
        ASSERT_NO_FATAL_FAILURE(startAbove(place));
        const int side = 128;
        const double metres = place.height > 5e6 ? 2.1 * kEarthEquatorRadius : 2 * place.height;
        const glm::dvec2 corner(-metres / 2, metres / 2);
        // The camera has moved since the region was chosen.
        const Geodetic chosen{place.latitude - (place.height > 5e6 ? 10 : 0.1), place.longitude, place.height};
        const glm::dvec3 origin = earthFixed(chosen);
        const std::vector<std::uint8_t> pixels = fromAbove({origin, corner, metres / side, side});
        const auto at = [&](int x, int y) {
            const std::uint8_t* rgb = &pixels[std::size_t(4 * (y * side + x))];
            return std::array<int, 3>{rgb[0], rgb[1], rgb[2]};
        };
        const LocalAxes axes = axesAt(origin);
        const glm::dvec3 foot = earthFixed({chosen.latitude, chosen.longitude, 0});
        EXPECT_EQ(at(1, 1) == (std::array<int, 3>{18, 20, 26}), place.height > 5e6);  // beside the globe
        int compared = 0;
        for (int i = 0; i < 150; ++i)
        {
            const glm::ivec2 pixel(side / 2 + (i * 37 % 61) - 30, side / 2 + (i * 53 % 59) - 29);
            const glm::dvec2 off = corner + glm::dvec2(pixel.x + 0.5, -(pixel.y + 0.5)) * (metres / side);
            // The point of a sphere through the foot, from straight above.
            const double radius = glm::length(foot), rise = std::sqrt(radius * radius - glm::dot(off, off)) - radius;
            const glm::dvec3 ground = foot + axes.toEarthFixed({off.x, off.y, rise});
            const std::optional<LeafAnswer> answer = leafAt(ground);
            ASSERT_TRUE(answer);
            bool inside = true;  // the leaf holds all pixels around it
            for (const glm::dvec2 beside : {glm::dvec2(2, 0), glm::dvec2(-2, 0), glm::dvec2(0, 2), glm::dvec2(0, -2)})
            {
                const glm::dvec2 step = beside * (metres / side);
                inside =
                    inside && holds(answer->id,
                                    facePlaceOf(scaledDirectionUnder(ground + axes.toEarthFixed({step.x, step.y, 0}))));
            }
            if (!inside) continue;
            const std::array<int, 3> rgb = at(pixel.x, pixel.y);
            // The light changes the brightness alone.
            const double hue = std::atan2(std::sqrt(3.0) * (rgb[1] - rgb[2]), 2.0 * rgb[0] - rgb[1] - rgb[2]);
            const auto [known, isNew] = hueOf.try_emplace(answer->depth, hue);
            EXPECT_NEAR(std::remainder(hue - known->second, 6.2831853), 0, 0.1) << "depth " << answer->depth;
            ++compared;
        }
        EXPECT_GT(compared, 8) << place.latitude;
    }
    for (const auto& [depth, hue] : hueOf)
        if (const auto finer = hueOf.find(depth + 1); finer != hueOf.end())
        {
            EXPECT_GT(std::abs(std::remainder(finer->second - hue, 6.2831853)), 0.3) << depth;
        }
    EXPECT_GE(hueOf.size(), 4u);
}

// Another world brings its own programs, there and back.
TEST_F(EarthInspector, ChangesWorldsAndBack)
{
    ASSERT_NO_FATAL_FAILURE(startAbove({46.5, 8, 3e6}));
    fromAbove({camera_.position, {-1e6, 1e6}, 2e6 / 64, 64});
    ASSERT_TRUE(leafAt(earthFixed({46, 8, 0})));
    ASSERT_TRUE(renderer_->setTerrain(terrain_.raster, terrain_.field, terrain_.bounds));
    ASSERT_NO_FATAL_FAILURE(set(smallSettings()));
    const Camera camera{{0, -700, 500}, 0, -30, 60};
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    fromAbove({{}, {-500, 500}, 1'000.0 / 64, 64});
    const std::optional<LeafAnswer> answer = leafAt({10, 10, 0});
    ASSERT_TRUE(answer);
    EXPECT_GT(answer->id, 1u);
    EXPECT_EQ(renderer_->stats().glErrors, 0u);
}

}  // namespace
}  // namespace orogen::app::test
