// Procedural detail on the Earth, as drawn.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/tiles/tiled_ground.h"
#include "tests/gl/height_probe.h"
#include "tests/gl/renderer_support.h"
#include "tests/support/earth_tiles.h"

namespace orogen::app::test {
namespace {

using orogen::test::awkwardDirection;
using orogen::test::EarthTiles;

constexpr int kCameras = 10, kPointsEach = 40;
constexpr float kScale = 1.5f;
constexpr double kSea = 100;  // metres

class EarthDetail : public RendererTest
{
protected:
    static Settings settingsWith(bool detail)
    {
        Settings settings = smallSettings();
        settings.cbt.leafCapacity = 1u << 14;
        settings.terrain.detail = detail;
        settings.terrain.heightScale = kScale;
        settings.terrain.waterLevel = float(kSea);
        return settings;
    }
    void startOnEarth(const Settings& settings,
                      const std::shared_ptr<EarthTiles>& tiles = std::make_shared<EarthTiles>(5))
    {
        ASSERT_NO_FATAL_FAILURE(start(hills(33, 33, 30.0, 30.0), smallSettings()));
        Result<std::unique_ptr<TileCache>> made = TileCache::create(tiles, 64u << 20);
        ASSERT_TRUE(made) << made.error().message;
        cache_ = std::move(*made);
        const Status shown = renderer_->setEarth(cache_);
        ASSERT_TRUE(shown) << shown.error().message;
        ASSERT_NO_FATAL_FAILURE(set(settings));
        detail_ = detailUniformsOnCube(orogen::cubeSampleMetres(cache_->grid(), 0), kEarthExponent, tiles->baseLevel());
    }
    // Two metres above the ground, looking along it; all wanted tiles are loaded.
    Camera standingAt(const glm::dvec3& scaled)
    {
        Camera camera;
        camera.pitch = -12;
        camera.position = raised(scaled, kScale * std::max(orogen::test::earthHeight(scaled), kSea) + 100);
        EXPECT_TRUE(renderer_->tiles().settle(camera, 60));
        camera.position = raised(scaled, drawnGroundUnder(*cache_, camera.position, look(true)) + kEyeHeight);
        EXPECT_TRUE(renderer_->tiles().settle(camera, 60));
        return camera;
    }
    EarthLook look(bool detail) const { return {kScale, kSea, detail ? &detail_ : nullptr}; }
    // Points within some ten metres, not exactly on an edge of the cube, where shaders use one face's roughness.
    static std::vector<glm::ivec4> pointsAround(const Camera& camera, Random& random)
    {
        const FacePlace foot = facePlaceOf(scaledDirectionUnder(camera.position));
        std::vector<glm::ivec4> points;
        for (int i = 0; i < kPointsEach; ++i)
        {
            const auto near = [&](double at) {
                return std::clamp(int(at) + int(random.below(4096)) - 2048, 1, kCubeSide - 1);
            };
            points.emplace_back(near(foot.at.x), near(foot.at.y), foot.face, 0);
        }
        return points;
    }

    // Compares the drawn heights around cameras, also at poles, date line, edges and corners of the cube, with the
    // processor's.  `also`: a further define of the program, which must not change a bit.
    void expectTheProcessorsGround(const std::vector<ShaderDefine>& choice, const std::vector<ShaderDefine>& also)
    {
        Random random(21);
        double most = 0, made = 0;
        int land = 0, water = 0;
        for (int i = 0; i < kCameras; ++i)
        {
            const Camera camera = standingAt(awkwardDirection(random));
            frame(camera);
            const std::vector<glm::ivec4> points = pointsAround(camera, random);
            const char* const drawn = "groundHeight(p) * terrain.pixelSize.z";
            const std::vector<float> gpu = heightsByShaders(*renderer_, points, drawn, choice);
            if (!also.empty())
            {
                EXPECT_EQ(heightsByShaders(*renderer_, points, drawn, also), gpu);
            }
            for (std::size_t k = 0; k < points.size(); ++k)
            {
                const glm::dvec3 place =
                    onEllipsoid(scaledDirection(cubePoint({points[k].z, points[k].x, points[k].y})));
                const double with = drawnGroundUnder(*cache_, place, look(true));
                const double data = drawnGroundUnder(*cache_, place, look(false));
                (with <= kScale * kSea ? water : land)++;
                most = std::max(most, std::abs(with - double(gpu[k])) - 4e-7 * std::abs(with));
                made = std::max(made, std::abs(with - data));
            }
        }
        RecordProperty("millimetres", std::to_string(1000 * most));
        EXPECT_LT(most, 0.001);
        EXPECT_GT(made, 1);
        EXPECT_GT(land, 100);
        EXPECT_GT(water, 100);
    }

    std::shared_ptr<TileCache> cache_;
    gpu::DetailUniforms detail_{};
};

const std::vector<ShaderDefine> kPlain = {{"OROGEN_DETAIL", "1"}, {"@world", "earth"}, {"@heights", "tiles"}};
const std::vector<ShaderDefine> kWithModels = {
    {"OROGEN_DETAIL", "1"}, {"OROGEN_MODELS", "1"}, {"@world", "earth"}, {"@heights", "tiles"}};

using EarthDetailThorough = EarthDetail;

// Without elevation models a program that knows them computes the same.
TEST_F(EarthDetailThorough, TheGroundIsTheSameOnTheProcessorToAMillimetre)
{
    ASSERT_NO_FATAL_FAILURE(startOnEarth(settingsWith(true)));
    expectTheProcessorsGround(kPlain, kWithModels);
}

// Ground at all distances from elevation models, also within them.
TEST_F(EarthDetailThorough, AroundElevationModelsItIsTheProcessorsToo)
{
    const auto tiles = std::make_shared<EarthTiles>(5);
    tiles->withModels(2, [](const glm::dvec3& n) {
        return std::max(2500 * std::sin(70 * n.x - 50 * n.y * n.z + 90 * n.z) + 800, 0.0);
    });
    ASSERT_NO_FATAL_FAILURE(startOnEarth(settingsWith(true), tiles));
    expectTheProcessorsGround(kWithModels, {});
}

}  // namespace
}  // namespace orogen::app::test
