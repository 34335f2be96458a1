// No crack in the picture, converged or not: ground is drawn where a pixel's ray enters the terrain's box at the top
// and leaves it at the bottom.  Nothing is drawn where the ray misses the box.
#include <array>

#include <glm/mat4x4.hpp>

#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

enum class Expected
{
    kGround,
    kSky,
    kEither,
};

// The box of a terrain as drawn.
class RayOracle
{
public:
    RayOracle(const TestTerrain& terrain, float heightScale)
        : half_(terrain.raster.east() / 2, terrain.raster.north() / 2),
          low_(double(terrain.raster.minHeight) * double(heightScale)),
          high_(double(terrain.raster.maxHeight) * double(heightScale))
    {
    }

    Expected expected(const glm::dvec3& eye, const glm::dvec3& direction) const
    {
        const double margin = 0.01 * (half_.x + half_.y);
        if (direction.z < -1e-6 && eye.z > high_ &&
            inside(eye + direction * ((high_ - eye.z) / direction.z), -margin) &&
            inside(eye + direction * ((low_ - eye.z) / direction.z), -margin))
            return Expected::kGround;
        return misses(eye, direction, margin) ? Expected::kSky : Expected::kEither;
    }

private:
    bool inside(const glm::dvec3& p, double margin) const
    {
        return std::abs(p.x) <= half_.x + margin && std::abs(p.y) <= half_.y + margin;
    }

    bool misses(const glm::dvec3& eye, const glm::dvec3& direction, double margin) const
    {
        const glm::dvec3 low(-half_ - margin, low_ - margin), high(half_ + margin, high_ + margin);
        double from = 0, to = 1e30;
        for (int axis = 0; axis < 3; ++axis)
        {
            const double a = (low[axis] - eye[axis]) / direction[axis], b = (high[axis] - eye[axis]) / direction[axis];
            from = std::max(from, std::min(a, b));
            to = std::min(to, std::max(a, b));
        }
        return from > to;
    }

    glm::dvec2 half_;
    double low_, high_;
};

class Watertight : public RendererTest
{
protected:
    // Draws ground in green and the sky in magenta.
    void startFlat(const TestTerrain& terrain, const Settings& settings)
    {
        const std::string output = "layout(location = 0) out vec4 colour;\n";
        shaders_.write("shaders/shading/terrain.frag", output + "void main() { colour = vec4(0.0, 1.0, 0.0, 1.0); }\n");
        shaders_.write("shaders/air/sky.frag", output + "void main() { colour = vec4(1.0, 0.0, 1.0, 1.0); }\n");
        shadeByFragments();
        start(terrain, settings, kWidth, kHeight, shaders_.root());
    }

    void check(const TestTerrain& terrain, const Camera& camera, float heightScale)
    {
        const RayOracle oracle(terrain, heightScale);
        const Image image = picture();
        const glm::dvec3 r = right(camera), u = up(camera), f = forward(camera);
        const double tan = std::tan(camera.fov * std::numbers::pi / 360.0);
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
            {
                const double across = (2 * (x + 0.5) / kWidth - 1) * tan * kWidth / kHeight;
                const double upwards = (1 - 2 * (y + 0.5) / kHeight) * tan;
                const Expected expected = oracle.expected(camera.position, f + r * across + u * upwards);
                const std::uint8_t* const pixel = &image.rgb[3 * std::size_t(y * kWidth + x)];
                const bool ground = pixel[0] == 0 && pixel[1] == 255 && pixel[2] == 0;
                ASSERT_TRUE(ground || (pixel[0] == 255 && pixel[1] == 0)) << "pixel " << x << ", " << y;
                if (expected == Expected::kEither) continue;
                ++(expected == Expected::kGround ? groundPixels_ : skyPixels_);
                ASSERT_EQ(ground, expected == Expected::kGround) << "pixel " << x << ", " << y;
            }
    }

    static constexpr int kWidth = 160, kHeight = 90;
    ShaderCopy shaders_;
    std::uint64_t groundPixels_ = 0, skyPixels_ = 0;
};

using WatertightThorough = Watertight;

// From above and from all sides, from near and far, a few frames after each jump and after convergence.
TEST_F(WatertightThorough, NoBackgroundShowsThroughTheGround)
{
    const std::array terrains = {hills(65, 65, 32.0, 32.0), hills(97, 54, 30.0, 25.0)};
    for (const int level : {0, 1, 2, 3, 6})
        for (const TestTerrain& terrain : terrains)
        {
            Settings settings = smallSettings();
            settings.patch.level = level;
            settings.lod.splitPixels = level == 6 ? 2.0f : 5.0f;
            settings.lod.mergePixels = 0.45f * settings.lod.splitPixels;
            settings.terrain.heightScale = level == 2 ? 3.0f : 1.0f;
            ASSERT_NO_FATAL_FAILURE(startFlat(terrain, settings));
            Random random(std::uint64_t(level) + 1);
            for (int view = 0; view < 12; ++view)
            {
                Camera camera = flight(terrain, random.unit());
                camera.position.z = double(terrain.raster.maxHeight) * double(settings.terrain.heightScale) +
                                    terrain.side() * std::exp2(-8 * random.unit());
                camera.pitch = view % 3 == 0 ? -90.0 : -90.0 + 80 * random.unit();
                for (int i = 0; i < 4; ++i)
                {
                    SCOPED_TRACE(testing::Message() << "level " << level << ", view " << view << ", frame " << i);
                    frame(camera);
                    ASSERT_NO_FATAL_FAILURE(check(terrain, camera, settings.terrain.heightScale));
                }
            }
        }
    EXPECT_GT(groundPixels_, 1'000'000u);
    EXPECT_GT(skyPixels_, 50'000u);
}

// Takes pictures between single rounds: the mesh is closed after each of them.
TEST_F(WatertightThorough, AfterEachRoundOfASettlingTree)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    Settings settings = smallSettings();
    settings.lod.splitPixels = 6.0f;
    settings.lod.mergePixels = 2.5f;
    ASSERT_NO_FATAL_FAILURE(startFlat(terrain, settings));
    Camera camera = flight(terrain, 0.1);
    camera.position.z = double(terrain.raster.maxHeight) + 40.0;
    for (const double pitch : {-90.0, -35.0})
    {
        camera.pitch = pitch;
        camera.position.x = -camera.position.x;
        for (int i = 0; i < 40; ++i)
        {
            SCOPED_TRACE(testing::Message() << "pitch " << pitch << ", frame " << i);
            // A metre a frame is no jump: each frame runs one round.
            camera.position.y += 1.0;
            if (i == 20) tree().reset();
            frame(camera);
            ASSERT_NO_FATAL_FAILURE(check(terrain, camera, 1.0f));
        }
    }
    EXPECT_GT(groundPixels_, 500'000u);
}

}  // namespace
}  // namespace orogen::app::test
