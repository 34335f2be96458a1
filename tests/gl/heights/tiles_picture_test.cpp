// Pictures of a terrain in tiles.
#include <algorithm>
#include <cmath>

#include "core/terrain/io/load_raster.h"
#include "core/terrain/sources/raster_tiles.h"
#include "tests/gl/tiles_support.h"

namespace orogen::app::test {
namespace {

constexpr std::uint64_t kBudget = 64u << 20;

class TilesPicture : public TilesTest
{
protected:
    void startShipped(const Settings& settings, int width, int height)
    {
        ASSERT_NO_FATAL_FAILURE(loadJacksboro(terrain_));
        ASSERT_NO_FATAL_FAILURE(start(terrain_, settings, width, height));
    }
    void showTiles()
    {
        Result<std::unique_ptr<TileCache>> made = TileCache::create(rasterTiles(terrain_.raster), kBudget);
        ASSERT_TRUE(made) << made.error().message;
        cache_ = std::move(*made);
        const Status shown = renderer_->setTerrain(terrain_.raster, terrain_.field, terrain_.bounds, cache_);
        ASSERT_TRUE(shown) << shown.error().message;
    }
    Camera view(double east, double north, double up, double yaw, double pitch) const
    {
        Camera camera;
        camera.position.x = east * terrain_.raster.east();
        camera.position.y = north * terrain_.raster.north();
        camera.position.z = heightAt(terrain_.field, camera.position.x, camera.position.y) + up;
        camera.yaw = yaw;
        camera.pitch = pitch;
        return camera;
    }

    std::shared_ptr<TileCache> cache_;
};

// Share of the pixels that differ by more than one step of 255 in any channel.
double otherPixels(const Image& a, const Image& b)
{
    std::size_t other = 0;
    for (std::size_t i = 0; i < a.rgb.size(); i += 3)
    {
        bool more = false;
        for (std::size_t c = 0; c < 3; ++c)
            more |= std::abs(int(a.rgb[i + c]) - int(b.rgb[i + c])) > 1;
        other += more;
    }
    return 3.0 * double(other) / double(a.rgb.size());
}

using TilesPictureThorough = TilesPicture;

TEST_F(TilesPictureThorough, IsThatOfTheImageWhereTheTerrainFits)
{
    Settings settings;
    settings.cbt = {.depth = 18, .leafCapacity = 1u << 15};
    settings.render.border = Border::kOpen;
    settings.render.msaa = 1;
    ASSERT_NO_FATAL_FAILURE(startShipped(settings, 192, 108));
    const Camera views[] = {view(0.1, -0.3, 150, 350, -10), view(-0.2, 0.1, 30, 120, -4), view(0, 0, 20'000, 0, -89)};
    std::vector<Image> images;
    for (const Camera& camera : views)
    {
        ASSERT_NO_FATAL_FAILURE(settle(camera));
        images.push_back(picture());
    }
    ASSERT_NO_FATAL_FAILURE(showTiles());
    for (std::size_t i = 0; i < images.size(); ++i)
    {
        ASSERT_TRUE(renderer_->tiles().settle(views[i], 30));
        ASSERT_NO_FATAL_FAILURE(settle(views[i]));
        EXPECT_LE(otherPixels(images[i], picture()), 0.001) << "view " << i;
    }
    const Result<MeshVerdict> verdict = renderer_->checks().validateNow();
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->faults, 0u) << verdict->first;
}

// The bounds of triangle errors and the measured error: the tree of tiles meets the requested error.
TEST_F(TilesPictureThorough, HoldsTheErrorThatIsAskedFor)
{
    Settings settings;
    settings.cbt = {.depth = 22, .leafCapacity = 1u << 17};
    settings.lod.criterion = LodCriterion::kError;
    settings.lod.errorPixels = 1;
    settings.lod.geomorph = false;
    settings.render.border = Border::kOpen;
    ASSERT_NO_FATAL_FAILURE(startShipped(settings, 96, 54));
    ASSERT_NO_FATAL_FAILURE(showTiles());
    for (const Camera& camera : {view(0.1, -0.3, 150, 350, -10), view(-0.2, 0.1, 30, 120, -4)})
    {
        ASSERT_TRUE(renderer_->tiles().settle(camera, 30));
        ASSERT_NO_FATAL_FAILURE(settle(camera));
        const Result<PixelFigures> error = renderer_->checks().measureErrorNow();
        ASSERT_TRUE(error) << error.error().message;
        EXPECT_GT(error->pixels, 500u);
        EXPECT_LE(error->largest, 1.02);
        EXPECT_GT(error->largest, 0.02);
    }
}

// A tile of level 0 arrives over a smooth coarser one.
TEST_F(TilesPictureThorough, ATileThatArrivesFadesInAndItsParentCountsAsErrorBefore)
{
    const ChosenTiles::Height heights = [](int level, int column, int row) {
        return 400.0f + (level == 0 ? 40.0f * (noiseAt(0, column, row) - 0.5f) : 0.0f);
    };
    Settings settings = smallSettings();
    settings.lod.splitPixels = 40;
    settings.lod.mergePixels = 18;
    ASSERT_NO_FATAL_FAILURE(startChosen(513, 513, 1e9, settings, OROGEN_ROOT, heights));
    tiles_->choose([](const TileKey& key) { return key.level > 0; }, [](const TileKey&) { return 1.0f; });
    const Camera camera = over(0, 0, 400, 30, -40);
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    frame(camera);
    const Result<PixelFigures> before = renderer_->checks().measureErrorNow();
    ASSERT_TRUE(before);
    EXPECT_GT(before->mean, 0.4) << "20 m of deviation of level 1";
    EXPECT_TRUE(renderer_->progress().rests(camera, 96, 54));

    ASSERT_TRUE(renderer_->checks().measureJumps(true));
    frame(camera);
    double sum = 0, largest = 0;
    float weight = 0;
    for (int i = 0; i < 10; ++i)
    {
        weight = std::min(weight + 0.1f, 1.0f);
        tiles_->choose([](const TileKey&) { return true; },
                       [&](const TileKey& key) { return key.level == 0 ? weight : 1.0f; });
        (void)renderer_->checks().takeLargestJump();
        frame(camera);
        EXPECT_FALSE(renderer_->progress().rests(camera, 96, 54));
        const std::optional<double> jump = renderer_->checks().takeLargestJump();
        ASSERT_TRUE(jump);
        largest = std::max(largest, *jump);
        sum += *jump;
    }
    EXPECT_GT(sum, 0.2) << "what arrives is seen";
    EXPECT_LT(largest, 0.25 * sum) << "and not at once";
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    frame(camera);
    EXPECT_TRUE(renderer_->progress().rests(camera, 96, 54));
    tiles_->missing_ = 1;
    frame(camera);
    EXPECT_FALSE(renderer_->progress().rests(camera, 96, 54)) << "something is on its way";
}

// Bounds and errors of the overview are neither read nor uploaded.
TEST_F(TilesPicture, TilesNeedNoBoundsOfTheirOverview)
{
    ASSERT_NO_FATAL_FAILURE(startChosen(513, 513, 1e9, smallSettings()));
    const Camera camera = over(0, 0, 400, 30, -40);
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    const Image with = picture();
    const Status shown = renderer_->setTerrain(raster_, terrain_.field, {}, tiles_);
    ASSERT_TRUE(shown) << shown.error().message;
    ASSERT_NO_FATAL_FAILURE(settle(camera));
    EXPECT_EQ(hashOf(picture().rgb), hashOf(with.rgb));
    const auto holds = [&](const char* name) {
        return std::ranges::any_of(renderer_->memory(), [&](const BufferUse& use) { return use.name == name; });
    };
    EXPECT_TRUE(holds("tiles"));
    EXPECT_FALSE(holds("height ranges, errors"));
    ASSERT_TRUE(renderer_->setTerrain(terrain_.raster, terrain_.field, terrain_.bounds));
    EXPECT_TRUE(holds("height ranges, errors"));
}

// Programs for tiles must not affect terrains of one image.
TEST_F(TilesPictureThorough, AnImageIsDrawnAsBeforeAfterTilesWereShown)
{
    const Settings settings = smallSettings();
    ASSERT_NO_FATAL_FAILURE(startChosen(513, 513, 1e9, settings));
    const TestTerrain image = hills(129, 129, 32.0, 32.0);
    const Status shown = renderer_->setTerrain(image.raster, image.field, image.bounds);
    ASSERT_TRUE(shown);
    EXPECT_FALSE(renderer_->terrain().heights().stats());
    ASSERT_NO_FATAL_FAILURE(settle(flight(image, 0.2)));
    const Image after = picture();
    const std::uint64_t hash = renderer_->sourceHash();
    ASSERT_NO_FATAL_FAILURE(start(image, settings));
    ASSERT_NO_FATAL_FAILURE(settle(flight(image, 0.2)));
    EXPECT_EQ(hashOf(after.rgb), hashOf(picture().rgb));
    EXPECT_EQ(renderer_->sourceHash(), hash);
    EXPECT_FALSE(renderer_->stats().tiles);
}

}  // namespace
}  // namespace orogen::app::test
