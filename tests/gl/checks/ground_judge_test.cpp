// The measured error against brute force over seeded views: planes of one image and in tiles, with and without detail,
// and the Earth.  Also measures meshes that are drawn incorrectly.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/render/ground_judge.h"
#include "compute/voids/void_filling.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/sources/raster_tiles.h"
#include "tests/gl/renderer_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

constexpr double kAgreement = 0.05;  // pixels
constexpr std::uint64_t kBudget = 64u << 20;

struct Compared
{
    std::string what;
    PixelFigures meter, judge;
    double difference() const { return std::abs(meter.largest - judge.largest); }
};

class GroundJudge : public RendererTest
{
protected:
    void startShipped(const Settings& settings, bool tiled, const std::filesystem::path& root = OROGEN_ROOT)
    {
        ASSERT_NO_FATAL_FAILURE(loadJacksboro(terrain_));
        ASSERT_NO_FATAL_FAILURE(start(terrain_, settings, 320, 180, root));
        if (!tiled) return;
        Result<std::unique_ptr<TileCache>> made = TileCache::create(rasterTiles(terrain_.raster), kBudget);
        ASSERT_TRUE(made) << made.error().message;
        const Status shown = renderer_->setTerrain(terrain_.raster, terrain_.field, terrain_.bounds, std::move(*made));
        ASSERT_TRUE(shown) << shown.error().message;
    }
    void startOnEarth(const Settings& settings)
    {
        terrain_ = hills(33, 33, 30.0, 30.0);
        ASSERT_NO_FATAL_FAILURE(start(terrain_, smallSettings(), 320, 180));
        Result<std::shared_ptr<EarthSource>> source = EarthSource::open(
            OROGEN_ROOT "/assets/earth/etopo5.tif", {InsetRequest{OROGEN_ROOT "/assets/heightmaps/jacksboro.tif", {}}},
            compute::membraneOver);
        ASSERT_TRUE(source) << source.error().message;
        Result<std::unique_ptr<TileCache>> cache = TileCache::create(*source, 4 * kBudget);
        ASSERT_TRUE(cache) << cache.error().message;
        const Status shown = renderer_->setEarth(std::move(*cache));
        ASSERT_TRUE(shown) << shown.error().message;
        ASSERT_NO_FATAL_FAILURE(set(takenTo(World::kEarth, settings)));
    }

    static Settings byError(bool detail)
    {
        Settings settings;
        settings.cbt = {.depth = 28, .leafCapacity = 1u << 18};
        settings.lod.criterion = LodCriterion::kError;
        settings.lod.errorPixels = 1;
        settings.terrain.detail = detail;
        settings.render.border = Border::kOpen;
        settings.render.air = Air::kOff;
        return settings;
    }

    static double upTo(Random& random, double low, double high)  // uniform in the logarithm
    {
        return low * std::pow(high / low, random.unit());
    }
    Camera somewhere(Random& random) const
    {
        Camera camera;
        camera.position.x = 0.9 * (random.unit() - 0.5) * terrain_.raster.east();
        camera.position.y = 0.9 * (random.unit() - 0.5) * terrain_.raster.north();
        const double made = terrain_.bounds.relief->heightAt(terrain_.field, camera.position.x, camera.position.y);
        camera.position.z = double(heightAt(terrain_.field, camera.position.x, camera.position.y)) + made +
                            upTo(random, kEyeHeight, 8000);
        camera.yaw = 360 * random.unit();
        camera.pitch = -60 * random.unit() * random.unit() + 3;
        return camera;
    }
    // Half of the cameras are within the inset.
    Camera somewhereOnEarth(Random& random) const
    {
        const bool near = random.chance(1, 2);
        const double latitude = near ? 36.7 + 0.3 * random.unit() : 140 * random.unit() - 70;
        const double longitude = near ? -84.6 + 0.6 * random.unit() : 360 * random.unit() - 180;
        Camera camera;
        camera.position = earthFixed({latitude, longitude, upTo(random, 1500, near ? 60'000 : 5.0e6)});
        camera.yaw = 360 * random.unit();
        camera.pitch = -60 * random.unit();
        return camera;
    }

    // Lets the tree converge for a view and measures it both ways.
    Compared compare(const Camera& camera, int width, int height)
    {
        Compared compared;
        EXPECT_TRUE(renderer_->resize(width, height));
        const bool there = renderer_->tiles().settle(camera, 60);
        EXPECT_TRUE(there);
        settle(camera, 200);
        const Result<PixelFigures> meter = renderer_->checks().measureErrorNow();
        const Result<PixelFigures> judge = renderer_->checks().judgeErrorNow(terrain_.field);
        EXPECT_TRUE(meter && judge);
        if (meter) compared.meter = *meter;
        if (judge) compared.judge = *judge;
        compared.what = fmt::format(
            "{}x{} at {:.2f} {:.2f} {:.2f} yaw {:.3f} pitch {:.3f}: meter {:.4f} ({} pixels), judge {:.4f} "
            "({} pixels)",
            width, height, camera.position.x, camera.position.y, camera.position.z, camera.yaw, camera.pitch,
            compared.meter.largest, compared.meter.pixels, compared.judge.largest, compared.judge.pixels);
        return compared;
    }

    // Compares views of one terrain; `where` provides cameras.  OROGEN_JUDGE_ONLY=14,31 compares these views alone.
    void compareViews(int count, std::uint64_t seed, const std::function<Camera(Random&)>& where, int divided = 1)
    {
        constexpr std::pair<int, int> kSizes[] = {{320, 180}, {480, 270}, {256, 144}, {160, 90}};
        const char* const only = std::getenv("OROGEN_JUDGE_ONLY");
        Random random(seed);
        for (int i = 0; i < count; ++i)
        {
            const auto [width, height] = kSizes[random.below(4)];
            Settings settings = renderer_->settings();
            settings.lod.geomorph = random.chance(3, 4);
            const Camera camera = where(random);
            if (only && fmt::format(",{},", only).find(fmt::format(",{},", i)) == std::string::npos) continue;
            set(settings);
            renderer_->restart();
            views_.push_back(compare(camera, width / divided, height / divided));
            Compared& last = views_.back();
            last.what = fmt::format("seed {} view {}{}: {}", seed, i, settings.lod.geomorph ? "" : " without geomorph",
                                    last.what);
            if (!std::getenv("OROGEN_JUDGE_VIEWS")) continue;
            fmt::print("{}\n", last.what);
            std::fflush(stdout);  // a view can take long
        }
    }

    // Expects that meter and judge agree in every view; lists those where they do not.
    void expectAgreement()
    {
        std::size_t apart = 0;
        std::string which;
        double meter = 0, judge = 0, worst = 0;
        for (const Compared& view : views_)
        {
            meter = std::max(meter, view.meter.largest);
            judge = std::max(judge, view.judge.largest);
            worst = std::max(worst, view.difference());
            EXPECT_NEAR(double(view.meter.pixels), double(view.judge.pixels), 0.01 * double(view.judge.pixels) + 20)
                << view.what;
            if (view.difference() <= kAgreement) continue;
            ++apart;
            which += "\n" + view.what;
        }
        EXPECT_EQ(apart, 0u) << "of " << views_.size() << which;
        RecordProperty("views", std::to_string(views_.size()));
        RecordProperty("apart", std::to_string(apart));
        RecordProperty("worst", fmt::format("{:.4f}", worst));
        RecordProperty("meter", fmt::format("{:.4f}", meter));
        RecordProperty("judge", fmt::format("{:.4f}", judge));
    }

    TestTerrain terrain_;
    std::vector<Compared> views_;
};

// A square ahead of the camera, in the right half of an unshifted picture, moves with the lens.
TEST(JudgedLens, TracesThePixelsThatAShiftedLensShows)
{
    constexpr float kFar = 100, kEdge = 30;
    const DrawnTriangle square[] = {{glm::vec3(5, kFar, -20), glm::vec3(kEdge, kFar, -20), glm::vec3(kEdge, kFar, 20)},
                                    {glm::vec3(5, kFar, -20), glm::vec3(kEdge, kFar, 20), glm::vec3(5, kFar, 20)}};
    JudgedPicture picture{
        .camera = {.fov = 90}, .width = 64, .height = 64, .nearPlane = 1, .raster = {}, .triangles = square};
    const auto pixels = [&](glm::dvec2 shift) {
        picture.camera.shift = shift;
        return judgeError(picture, [](const glm::dvec3&) { return GroundMiss{0, {0, 0, 1}}; }).pixels;
    };
    const std::uint64_t all = pixels({0, 0});
    EXPECT_GT(all, 80u);
    EXPECT_EQ(pixels({-0.5, 0.25}), all);
    EXPECT_EQ(pixels({0.5, -0.25}), all);
    EXPECT_EQ(pixels({0.96875, 0}), 0u) << "to the right of the picture";
    EXPECT_EQ(pixels({0, -1.25}), 0u) << "below the picture";
}

using GroundJudgeThorough = GroundJudge;

// One test for each terrain, so that a long run resumes between them.
int views() { return scaled(2, 50); }

TEST_F(GroundJudgeThorough, TheMeterAgreesOverViewsOfThePlane)
{
    ASSERT_NO_FATAL_FAILURE(startShipped(byError(false), false));
    compareViews(views(), 11, [&](Random& random) { return somewhere(random); });
    expectAgreement();
}

TEST_F(GroundJudgeThorough, TheMeterAgreesOverViewsOfTiles)
{
    ASSERT_NO_FATAL_FAILURE(startShipped(byError(true), true));
    compareViews(views() / 2, 12, [&](Random& random) { return somewhere(random); });
    ASSERT_NO_FATAL_FAILURE(set(byError(false)));
    compareViews(views() - views() / 2, 13, [&](Random& random) { return somewhere(random); });
    expectAgreement();
}

TEST_F(GroundJudgeThorough, TheMeterAgreesOverViewsOfMadeRelief)
{
    ASSERT_NO_FATAL_FAILURE(startShipped(byError(true), false));
    compareViews(views(), 14, [&](Random& random) { return somewhere(random); });
    expectAgreement();
}

TEST_F(GroundJudgeThorough, TheMeterAgreesOverViewsOfTheEarth)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth(byError(false)));
    compareViews(views(), 15, [&](Random& random) { return somewhereOnEarth(random); });
    expectAgreement();
}

using GroundJudgeLong = GroundJudge;

// Detail takes many leaves: a small picture and a large error keep a view short, and both must still agree.
TEST_F(GroundJudgeLong, TheMeterAgreesOverViewsOfDetailOnTheEarth)
{
    Settings settings = byError(true);
    settings.lod.errorPixels = 4;
    settings.cbt.leafCapacity = 1u << 16;
    ASSERT_NO_FATAL_FAILURE(startOnEarth(settings));
    compareViews(
        views(), 15, [&](Random& random) { return somewhereOnEarth(random); }, 2);
    expectAgreement();
}

// The shipped view at a size where the rasteriser's depth misplaces triangles seen edge-on: by depth alone one pixel
// has an error of 6.4.
TEST_F(GroundJudgeThorough, TrianglesSeenEdgeOnAreNotTakenForErrors)
{
    Settings settings;
    settings.lod.criterion = LodCriterion::kError;
    ASSERT_NO_FATAL_FAILURE(startShipped(settings, false));
    const Camera camera{{0, -9515.674653659531, 1826.5393025674261}, 0, -14, 60};
    const Compared compared = compare(camera, 480, 270);
    EXPECT_LT(compared.difference(), kAgreement) << compared.what;
    EXPECT_LT(compared.meter.largest, 1.05) << compared.what;
    EXPECT_GT(compared.judge.largest, 0.5) << compared.what;
}

// Lets vertices morph far too long: both ways must measure equal errors.
TEST_F(GroundJudgeThorough, BothSeeAWeightThatIsWrong)
{
    const ShaderCopy shaders;
    ASSERT_NO_FATAL_FAILURE(
        shaders.replace("shaders/surface/drawn_surface.glsl", "kMorphByError = 18.0", "kMorphByError = 0.2"));
    ASSERT_NO_FATAL_FAILURE(startShipped(byError(true), false, shaders.root()));
    const Camera camera{{0, -9515.674653659531, 1826.5393025674261}, 0, -14, 60};
    const Compared compared = compare(camera, 320, 180);
    EXPECT_LT(compared.difference(), kAgreement) << compared.what;
    EXPECT_GT(compared.judge.largest, 1.3) << compared.what;
}

}  // namespace
}  // namespace orogen::app::test
