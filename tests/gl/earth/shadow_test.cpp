// Shadows of the Earth's relief: their length, their soft edge, and the moon's by night.
#include <algorithm>
#include <cmath>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "tests/gl/renderer_support.h"
#include "tests/support/earth_tiles.h"

namespace orogen::app::test {
namespace {

using orogen::test::EarthTiles;

constexpr double kLatitude = 8, kLongitude = 20;  // middle of the ridge
constexpr double kRidge = 3000, kFoot = 6000;     // its height and half its width (metres)
constexpr int kLevels = 8;                        // samples of some 600 m

// A ridge along the meridian with straight flanks, on level ground.
double ridge(const glm::dvec3& n)
{
    const Geodetic at = geodeticOf(onEllipsoid(n));
    const double east =
        glm::radians(at.longitude - kLongitude) * kEarthEquatorRadius * std::cos(glm::radians(at.latitude));
    return std::max(kRidge * (1 - std::abs(east) / kFoot), 1.0);
}

class EarthShadows : public RendererTest
{
protected:
    // Looks straight down from 24 km with the sun or the moon in the east.
    void open(double sunElevation)
    {
        terrain_ = hills(129, 129, 30.0, 30.0);
        settings_ = smallSettings();
        settings_.earth.depth = 40;
        settings_.cbt.leafCapacity = 1u << 15;
        settings_.terrain.waterLevel.reset();
        settings_.render.air = Air::kOff;
        settings_.render.sunAzimuth = sunElevation > 0 ? 90.0f : 270.0f;
        settings_.render.sunElevation = float(sunElevation);
        ASSERT_NO_FATAL_FAILURE(start(terrain_, smallSettings(), kWidth, kHeight));
        const auto tiles = std::make_shared<EarthTiles>(
            kLevels, orogen::test::refinedAround(kLevels, 3, {scaledDirectionOf(kLatitude, kLongitude)}), ridge);
        Result<std::unique_ptr<TileCache>> cache = TileCache::create(tiles, 128u << 20);
        ASSERT_TRUE(cache) << cache.error().message;
        const Status shown = renderer_->setEarth(std::move(*cache));
        ASSERT_TRUE(shown) << shown.error().message;
        ASSERT_NO_FATAL_FAILURE(set(settings_));
        camera_ = {.position = earthFixed({kLatitude, kLongitude, kUp}), .yaw = 0, .pitch = -90, .fov = 60};
        ASSERT_TRUE(renderer_->tiles().settle(camera_, 60));
        ASSERT_NO_FATAL_FAILURE(settle(camera_));
        lit_ = brightness(false);
        shaded_ = brightness(true);
    }
    // Mean brightness of each pixel, 0 ... 255.
    std::vector<double> brightness(bool shadows)
    {
        settings_.render.shadows = shadows;
        set(settings_);
        for (int i = 0; i < 60 && (i < 3 || renderer_->terrain().lightRowsLeft() > 0); ++i)
            frame(camera_);
        const Image image = picture();
        std::vector<double> values(std::size_t(kWidth * kHeight));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = (image.rgb[3 * i] + image.rgb[3 * i + 1] + image.rgb[3 * i + 2]) / 3.0;
        return values;
    }
    // Metres east of the ridge on level ground, of the middle of a column.
    static double eastOf(int column)
    {
        return (column + 0.5 - kWidth / 2) * kUp * std::tan(glm::radians(30.0)) / (kHeight / 2);
    }
    // Share of the brightness without shadows, over the middle rows.
    double share(int column) const
    {
        double with = 0, without = 0;
        for (int row = kHeight / 4; row < 3 * kHeight / 4; ++row)
        {
            with += shaded_[std::size_t(row * kWidth + column)];
            without += lit_[std::size_t(row * kWidth + column)];
        }
        return with / without;
    }
    // First column from the west where the shadow of the ridge begins, in a row; fractional.
    double edgeIn(int row) const
    {
        const auto share = [&](int c) {
            return shaded_[std::size_t(row * kWidth + c)] / std::max(lit_[std::size_t(row * kWidth + c)], 1.0);
        };
        for (int c = 1; c < kWidth / 2; ++c)
            if (share(c) < kHalf && share(c - 1) >= kHalf)
                return c - 1 + (share(c - 1) - kHalf) / (share(c - 1) - share(c));
        return -1;
    }

    static constexpr int kWidth = 192, kHeight = 108;
    static constexpr double kUp = 24'000, kHalf = 0.85;
    TestTerrain terrain_;
    Settings settings_;
    Camera camera_;
    std::vector<double> lit_, shaded_;
};

using EarthShadowsThorough = EarthShadows;

TEST_F(EarthShadowsThorough, ReachAsFarAsTheSunStandsLow)
{
    for (const double elevation : {10.0, 13.0})
    {
        ASSERT_NO_FATAL_FAILURE(open(elevation));
        const double end = -kRidge / std::tan(glm::radians(elevation));  // west of the crest
        const double cell = eastOf(1) - eastOf(0), margin = 4 * cell + 600;
        int dark = 0, bright = 0;
        for (int c = 0; c < kWidth; ++c)
        {
            const double east = eastOf(c);
            if (east > end + margin && east < -kFoot - margin)
            {
                EXPECT_LT(share(c), 0.75) << elevation << " degrees, " << east << " m east";
                ++dark;
            }
            if (east < end - margin || east > kFoot)
            {
                EXPECT_GT(share(c), 0.97) << elevation << " degrees, " << east << " m east";
                ++bright;
            }
        }
        EXPECT_GT(dark, 3) << elevation;
        EXPECT_GT(bright, 20) << elevation;
    }
}

// The edge is straight as the ridge is, without steps at tiles or levels of the map.
TEST_F(EarthShadowsThorough, HaveNoEdgesOfTiles)
{
    ASSERT_NO_FATAL_FAILURE(open(15));
    std::vector<double> edges;
    for (int row = 4; row < kHeight - 4; ++row)
        edges.push_back(edgeIn(row));
    EXPECT_GT(*std::ranges::min_element(edges), 0) << "each row has an edge";
    for (std::size_t i = 1; i < edges.size(); ++i)
        EXPECT_LT(std::abs(edges[i] - edges[i - 1]), 1.5) << "row " << i;
    const auto [least, most] = std::ranges::minmax_element(edges);
    EXPECT_LT(*most - *least, 4);
}

// By night a full moon stands opposite the sun and casts them.
TEST_F(EarthShadowsThorough, AreTheMoonsByNight)
{
    ASSERT_NO_FATAL_FAILURE(open(-16));
    const double end = -kRidge / std::tan(glm::radians(16.0));
    int dark = 0;
    for (int c = 0; c < kWidth; ++c)
        if (eastOf(c) > end + 1200 && eastOf(c) < -kFoot - 600)
        {
            EXPECT_LT(share(c), 0.85) << eastOf(c);
            ++dark;
        }
    EXPECT_GT(dark, 2);
    EXPECT_GT(share(kWidth - 8), 0.97);
    // The ground, which is darker than mid-grey, is seen.
    EXPECT_GT(lit_[std::size_t(kWidth * kHeight / 2 + 10)], 30);
}

}  // namespace
}  // namespace orogen::app::test
