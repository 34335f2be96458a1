// Pictures of the Earth: its disc, its sky, its shoreline, and the transition to and from a plane.
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

constexpr double kIslandLatitude = 20, kIslandLongitude = 30, kIslandRadius = 25;  // degrees
constexpr std::uint64_t kBudget = 64u << 20;

// A round continent: 2,000 m in its middle, and a floor that falls away from its shore.
double islandHeight(const glm::dvec3& scaled)
{
    const glm::dvec3 middle = scaledDirectionOf(kIslandLatitude, kIslandLongitude);
    const double shore = std::cos(glm::radians(kIslandRadius));
    return 2000.0 * (glm::dot(scaled, middle) - shore) / (1.0 - shore);
}

class Island final : public TileSource
{
public:
    Island() : grid_(TileGrid::onCube(3))
    {
        raster_.name = "island";
        raster_.width = grid_.width();
        raster_.height = grid_.height();
        raster_.minHeight = float(islandHeight(-scaledDirectionOf(kIslandLatitude, kIslandLongitude)));
        raster_.maxHeight = 2000;
    }
    const Raster& raster() const override { return raster_; }
    TileGrid grid() const override { return grid_; }
    std::optional<TileBounds> bounds(const TileKey&) const override { return std::nullopt; }
    bool decimated() const override { return true; }
    Result<std::unique_ptr<TileReader>> openReader() const override { return {std::make_unique<Reader>(grid_)}; }

private:
    struct Reader final : TileReader
    {
        explicit Reader(const TileGrid& of) : grid(of) {}
        Status read(const TileWindow& w, std::span<float> out) override
        {
            const double step = double(kCubeSide) / double((grid.width() - 1) >> w.level);
            for (int r = 0; r < w.height; ++r)
                for (int c = 0; c < w.width; ++c)
                {
                    const FacePlace place{w.face, glm::dvec2(w.column + c, w.row + r) * step};
                    out[std::size_t(r) * std::size_t(w.width) + std::size_t(c)] =
                        float(islandHeight(scaledDirection(place)));
                }
            return Status::ok();
        }
        std::uint64_t bytesRead() const override { return 0; }
        TileGrid grid;
    };

    TileGrid grid_;
    Raster raster_;
};

Camera above(double latitude, double longitude, double height, double yaw = 0, double pitch = -90)
{
    Camera camera;
    camera.position = earthFixed({latitude, longitude, height});
    camera.yaw = yaw;
    camera.pitch = pitch;
    return camera;
}

class EarthPicture : public RendererTest
{
protected:
    static Settings earthSettings()
    {
        Settings settings = smallSettings();
        settings.earth.depth = 44;
        settings.cbt.leafCapacity = 1u << 15;
        settings.terrain.waterLevel = 0.0f;
        settings.lod.splitPixels = 6;
        settings.lod.mergePixels = 2.5f;
        settings.render.sunElevation = 60;
        return settings;
    }
    void startOnPlane(int width, int height)
    {
        terrain_ = hills(129, 129, 30.0, 30.0);
        ASSERT_NO_FATAL_FAILURE(start(terrain_, smallSettings(), width, height));
    }
    void showEarth()
    {
        Result<std::unique_ptr<TileCache>> cache = TileCache::create(std::make_shared<Island>(), kBudget);
        ASSERT_TRUE(cache) << cache.error().message;
        const Status shown = renderer_->setEarth(std::move(*cache));
        ASSERT_TRUE(shown) << shown.error().message;
    }
    void startOnEarth(int width, int height)
    {
        ASSERT_NO_FATAL_FAILURE(startOnPlane(width, height));
        ASSERT_NO_FATAL_FAILURE(showEarth());
        ASSERT_NO_FATAL_FAILURE(set(earthSettings()));
    }
    void settleOn(const Camera& camera)
    {
        ASSERT_TRUE(renderer_->tiles().settle(camera, 60));
        ASSERT_NO_FATAL_FAILURE(settle(camera));
    }
    double focalLength(const Camera& camera) const
    {
        return 0.5 * renderer_->target().height() / std::tan(glm::radians(camera.fov) / 2);
    }
    // Visits pixels by their offset from the middle of the picture; y points up.
    template <class Visit>
    void eachPixel(const Image& image, const Visit& visit) const
    {
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
            {
                const std::uint8_t* rgb = &image.rgb[3 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x))];
                visit(glm::dvec2(x + 0.5 - 0.5 * image.width, 0.5 * image.height - y - 0.5),
                      glm::ivec3(rgb[0], rgb[1], rgb[2]));
            }
    }

    TestTerrain terrain_;
};

TEST_F(EarthPicture, FromOrbitIsAFullDiscOfTheRightSizeBeforeBlackSpace)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth(160, 90));
    Settings settings = earthSettings();
    settings.render.sunElevation = 90;
    set(settings);
    const Camera camera = above(0, 60, 2.0e7);
    ASSERT_NO_FATAL_FAILURE(settleOn(camera));
    const double distance = kEarthEquatorRadius + 2.0e7;
    const double radius = focalLength(camera) * kEarthEquatorRadius /
                          std::sqrt(distance * distance - kEarthEquatorRadius * kEarthEquatorRadius);
    int dark = 0, bright = 0;
    eachPixel(picture(), [&](glm::dvec2 at, glm::ivec3 rgb) {
        const int sum = rgb.x + rgb.y + rgb.z;
        if (glm::length(at) < radius - 1.5) dark += sum < 40;
        if (glm::length(at) > radius + 1.5) bright += sum > 12;
    });
    EXPECT_EQ(dark, 0);
    EXPECT_LT(bright, 160 * 90 / 50);  // stars
}

TEST_F(EarthPicture, HasABlueSkyByDayAndABlackOneAboveTheAir)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth(64, 36));
    const auto middle = [&](const Camera& camera) {
        frame(camera);
        const Image image = picture();
        glm::ivec3 least(255);  // between the stars
        for (int x = 28; x < 36; ++x)
        {
            const std::uint8_t* rgb = &image.rgb[3 * std::size_t(18 * 64 + x)];
            least = glm::min(least, glm::ivec3(rgb[0], rgb[1], rgb[2]));
        }
        return least;
    };
    const glm::ivec3 day = middle(above(20, 30, 2100, 300, 40));
    EXPECT_GT(day.z, 90);
    EXPECT_GT(day.z, day.y + 10);
    EXPECT_GT(day.y, day.x);
    const glm::ivec3 space = middle(above(20, 30, 2.0e5, 300, 40));
    EXPECT_LT(space.x + space.y + space.z, 12);
    Settings night = earthSettings();
    night.render.sunElevation = -40;
    set(night);
    const glm::ivec3 dark = middle(above(20, 30, 2100, 300, 40));
    EXPECT_LT(dark.x + dark.y + dark.z, 150);
    EXPECT_LT(3 * (dark.x + dark.y + dark.z), day.x + day.y + day.z);
}

// A pixel of a picture from straight above shows a line where its corners lie on both sides of one.
TEST_F(EarthPicture, HasContourLinesAtTheHeightsOfTheData)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth(128, 72));
    Settings settings = earthSettings();
    settings.render.shading = Shading::kHypsometric;
    settings.render.relief = Relief::kNone;
    set(settings);
    const Camera camera = above(20, 30 + 12, 2.0e6, 0, -90);
    ASSERT_NO_FATAL_FAILURE(settleOn(camera));
    const Image plain = picture();
    settings.render.contours = true;
    constexpr double kInterval = 250;
    renderer_->options().contourInterval = kInterval;
    set(settings);
    ASSERT_NO_FATAL_FAILURE(settleOn(camera));
    const Image lined = picture();
    const LocalAxes axes = axesAt(camera.position);
    const double focal = focalLength(camera);
    const auto heightAt = [&](glm::dvec2 at) {
        const glm::dvec3 way = axes.toEarthFixed(glm::normalize(glm::dvec3(at / focal, -1.0)));
        const glm::dvec3 radii(kEarthEquatorRadius, kEarthEquatorRadius, kEarthPoleRadius);
        const glm::dvec3 eye = camera.position / radii, ray = way / radii;
        const double a = glm::dot(ray, ray), b = glm::dot(eye, ray), c = glm::dot(eye, eye) - 1;
        return islandHeight(glm::normalize(eye + ray * ((-b - std::sqrt(std::max(b * b - a * c, 0.0))) / a)));
    };
    int lines = 0, missing = 0, beside = 0;
    std::size_t pixel = 0;
    eachPixel(lined, [&](glm::dvec2 at, glm::ivec3 rgb) {
        const glm::ivec3 before(plain.rgb[3 * pixel], plain.rgb[3 * pixel + 1], plain.rgb[3 * pixel + 2]);
        ++pixel;
        const double value = heightAt(at) / kInterval;
        const double perPixel = glm::length(glm::dvec2(heightAt(at + glm::dvec2(1, 0)) / kInterval - value,
                                                       heightAt(at + glm::dvec2(0, 1)) / kInterval - value));
        const double pixels = std::abs(value - std::round(value)) / std::max(perPixel, 1e-9);
        const bool drawn = glm::any(glm::greaterThan(glm::abs(rgb - before), glm::ivec3(12)));
        if (perPixel > 0.12) return;  // lines fade
        lines += drawn;
        missing += !drawn && pixels < 0.25;
        beside += drawn && pixels > 2.5;
    });
    EXPECT_GT(lines, 300);
    EXPECT_LT(missing, 8);
    EXPECT_EQ(beside, 0);
}

// Water must be blue, and land not.  The sun's glint, which is not blue, lies over land.
TEST_F(EarthPicture, HasItsShorelineWhereTheDataHaveIt)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth(128, 72));
    Settings settings = earthSettings();
    settings.render.air = Air::kOff;
    settings.render.sunAzimuth = 270;
    set(settings);
    const Camera camera = above(20, 30 + 26.6, 2.0e6, 0, -90);
    ASSERT_NO_FATAL_FAILURE(settleOn(camera));
    const LocalAxes axes = axesAt(camera.position);
    const double focal = focalLength(camera);
    int land = 0, sea = 0, wrong = 0;
    eachPixel(picture(), [&](glm::dvec2 at, glm::ivec3 rgb) {
        const glm::dvec3 way = axes.toEarthFixed(glm::normalize(glm::dvec3(at / focal, -1.0)));
        const glm::dvec3 radii(kEarthEquatorRadius, kEarthEquatorRadius, kEarthPoleRadius);
        const glm::dvec3 eye = camera.position / radii, ray = way / radii;
        const double a = glm::dot(ray, ray), b = glm::dot(eye, ray), c = glm::dot(eye, eye) - 1;
        const double distance = (-b - std::sqrt(std::max(b * b - a * c, 0.0))) / a;
        const double height = islandHeight(glm::normalize(eye + ray * distance));
        const double slope = 2000.0 * std::sin(glm::radians(kIslandRadius)) /
                             (1.0 - std::cos(glm::radians(kIslandRadius))) / kEarthEquatorRadius;
        if (std::abs(height) < 2.0 * slope * distance / focal) return;  // two pixels
        const bool blue = rgb.z > rgb.y;
        (height < 0 ? sea : land) += 1;
        wrong += blue != (height < 0);
    });
    EXPECT_GT(land, 1000);
    EXPECT_GT(sea, 1000);
    EXPECT_EQ(wrong, 0);
}

// From the first frame on.  On an Earth this smooth normals point up and show as blue.
TEST_F(EarthPicture, HasGroundEverywhereBelowTheCamera)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth(96, 54));
    Settings settings = earthSettings();
    settings.render.shading = Shading::kNormals;
    set(settings);
    const double corner = glm::degrees(std::asin(1.0 / std::numbers::sqrt3));
    for (const Camera& camera :
         {above(90, 0, 1.5e6), above(-90, 0, 2000), above(0, 180, 3.0e5), above(corner, 45, 5.0e5),
          above(-corner, -135, 400), above(20, 30, 2002), above(20, 30, 8000, 90, -45)})
        for (int i = 0; i < 3; ++i)
        {
            frame(camera);
            int other = 0;
            eachPixel(picture(),
                      [&](glm::dvec2, glm::ivec3 rgb) { other += rgb.z < 240 || std::abs(rgb.x - 128) > 12; });
            EXPECT_EQ(other, 0) << "frame " << i << " " << camera.position.x << " " << camera.position.z;
        }
}

TEST_F(EarthPicture, LeavesThePlaneAsItWas)
{
    ASSERT_NO_FATAL_FAILURE(startOnPlane(96, 54));
    const Camera camera{{0, -900, 700}, 10, -25, 60};
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    while (renderer_->terrain().lightRowsLeft() > 0)
        frame(camera);
    const std::uint64_t before = hashOf(picture().rgb);
    ASSERT_NO_FATAL_FAILURE(showEarth());
    ASSERT_NO_FATAL_FAILURE(set(earthSettings()));
    ASSERT_NO_FATAL_FAILURE(settleOn(above(20, 30, 4.0e6)));
    EXPECT_NE(hashOf(picture().rgb), before);
    const Status shown = renderer_->setTerrain(terrain_.raster, terrain_.field, terrain_.bounds);
    ASSERT_TRUE(shown) << shown.error().message;
    EXPECT_TRUE(renderer_->world().planeSize(renderer_->terrain()));
    ASSERT_NO_FATAL_FAILURE(set(smallSettings()));
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    while (renderer_->terrain().lightRowsLeft() > 0)
        frame(camera);
    EXPECT_EQ(hashOf(picture().rgb), before);
}

// From high above, where the triangles' deviation from the Earth's curvature shows.
using EarthPictureThorough = EarthPicture;
TEST_F(EarthPictureThorough, IsCheckedAndMeasuredAsAPlaneIs)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth(160, 90));
    const Camera camera = above(20, 30, 5.0e6, 0, -70);
    Settings settings = earthSettings();
    settings.lod.geomorph = false;
    settings.lod.splitPixels = 6;
    settings.lod.mergePixels = 2.6f;
    set(settings);
    ASSERT_NO_FATAL_FAILURE(settleOn(camera));
    const Result<MeshVerdict> verdict = renderer_->checks().validateNow();
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_EQ(verdict->faults, 0u) << verdict->first;
    const Result<PixelFigures> fine = renderer_->checks().measureErrorNow();
    ASSERT_TRUE(fine) << fine.error().message;
    EXPECT_GT(fine->pixels, 5000u);
    ASSERT_TRUE(renderer_->checks().measureJumps(true));
    for (int i = 0; i < 3; ++i)
        frame(camera);
    const std::optional<double> still = renderer_->checks().takeLargestJump();
    ASSERT_TRUE(still);
    EXPECT_LT(*still, 0.01);

    settings.lod.splitPixels = 24;
    settings.lod.mergePixels = 10;
    set(settings);
    ASSERT_NO_FATAL_FAILURE(settleOn(camera));
    const std::optional<double> coarser = renderer_->checks().takeLargestJump();
    ASSERT_TRUE(coarser);
    const Result<PixelFigures> coarse = renderer_->checks().measureErrorNow();
    ASSERT_TRUE(coarse) << coarse.error().message;
    EXPECT_GT(coarse->mean, 2 * fine->mean);
    EXPECT_GT(*coarser, 0.3 * coarse->p99);
    EXPECT_LT(*coarser, 3 * coarse->largest);
}

}  // namespace
}  // namespace orogen::app::test
