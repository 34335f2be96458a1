// The surroundings of the terrain: they meet the ground without a gap, reach the horizon, and do not affect measures.
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "tests/gl/renderer_support.h"

namespace orogen::app::test {
namespace {

constexpr int kWidth = 160, kHeight = 90;

Settings with(Border border)
{
    Settings settings = smallSettings();
    settings.lod.splitPixels = 5.0f;
    settings.lod.mergePixels = 2.0f;
    settings.render.border = border;
    return settings;
}

class TerrainBorders : public RendererTest
{
protected:
    // Draws the terrain in green, its surroundings in blue, the sky in magenta.
    void startFlat(const TestTerrain& terrain, Border border)
    {
        const std::string output = "layout(location = 0) out vec4 colour;\n";
        shaders_.write("shaders/shading/terrain.frag", "#include \"core/gpu_layout.h\"\n" + output +
                                                           "#ifdef OROGEN_BEYOND\n"
                                                           "void main() { colour = vec4(0.0, 0.0, 1.0, 1.0); }\n"
                                                           "#else\n"
                                                           "void main() { colour = vec4(0.0, 1.0, 0.0, 1.0); }\n"
                                                           "#endif\n");
        shaders_.write("shaders/shading/walls.frag", output + "void main() { colour = vec4(0.0, 0.0, 1.0, 1.0); }\n");
        shaders_.write("shaders/air/sky.frag", output + "void main() { colour = vec4(1.0, 0.0, 1.0, 1.0); }\n");
        shadeByFragments();
        start(terrain, with(border), kWidth, kHeight, shaders_.root());
    }

    // Pixels of each in the rows whose line of sight goes down by more than `degrees`.
    struct Counts
    {
        int ground = 0, around = 0, sky = 0;
    };
    Counts counts(const Camera& camera, double degrees) const
    {
        const Image image = picture();
        const glm::dvec3 r = right(camera), u = up(camera), f = forward(camera);
        const double tan = std::tan(camera.fov * std::numbers::pi / 360.0);
        const double steepest = -std::sin(degrees * std::numbers::pi / 180.0);
        Counts counts;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
            {
                const glm::dvec3 ray = f + r * ((2 * (x + 0.5) / kWidth - 1) * tan * kWidth / kHeight) +
                                       u * ((1 - 2 * (y + 0.5) / kHeight) * tan);
                if (glm::normalize(ray).z > steepest) continue;
                const std::uint8_t* const pixel = &image.rgb[3 * std::size_t(y * kWidth + x)];
                ++(pixel[1] > 0 ? counts.ground : pixel[0] > 0 ? counts.sky : counts.around);
            }
        return counts;
    }

    // A place over or around the terrain, above all of it, not looking up.
    Camera somewhere(const TestTerrain& terrain, Random& random) const
    {
        Camera camera;
        camera.position = {(random.unit() - 0.5) * 2.0 * terrain.side(), (random.unit() - 0.5) * 2.0 * terrain.side(),
                           double(terrain.raster.maxHeight) + terrain.side() * std::exp2(-7 * random.unit())};
        camera.yaw = 360 * random.unit();
        camera.pitch = -80 * random.unit();
        return camera;
    }

    ShaderCopy shaders_;
};

// No gap where land meets the ground, between its rings, or before the horizon.
TEST_F(TerrainBorders, LandLeavesNoGapBelowTheHorizon)
{
    int ground = 0, around = 0;
    // The largest terrain has more samples a side than the second ring has columns: its seam leaves columns out.
    for (const TestTerrain& terrain :
         {hills(65, 65, 32.0, 32.0, 0.01), hills(97, 54, 30.0, 25.0, 0.01), hills(1'300, 1'100, 2.0, 2.0, 0.01)})
    {
        ASSERT_NO_FATAL_FAILURE(startFlat(terrain, Border::kGround));
        Random random(7);
        for (int view = 0; view < 24; ++view)
        {
            const Camera camera = somewhere(terrain, random);
            ASSERT_NO_FATAL_FAILURE(settle(camera));  // a coarse tree is farther from the samples than a seam reaches
            const Counts found = counts(camera, 3.0);
            EXPECT_EQ(found.sky, 0) << "view " << view;
            ground += found.ground;
            around += found.around;
        }
    }
    EXPECT_GT(ground, 10'000);
    EXPECT_GT(around, 10'000);
}

using TerrainBordersThorough = TerrainBorders;

// For any coarse tree, the surroundings begin where its triangles end.  Views nearly to the horizon, with both
// criteria, and from within the relief, where slivers are longest.
TEST_F(TerrainBordersThorough, CoarseTreesLeaveNoGapEither)
{
    int around = 0, coarse = 0;
    for (const TestTerrain& terrain :
         {hills(65, 65, 32.0, 32.0, 0.06), hills(97, 54, 30.0, 25.0, 0.06), hills(1'300, 1'100, 2.0, 2.0, 0.06)})
        for (const LodCriterion criterion : {LodCriterion::kEdge, LodCriterion::kError})
        {
            ASSERT_NO_FATAL_FAILURE(startFlat(terrain, Border::kGround));
            for (const int depth : {6, 8, 10, 13, 16})
            {
                Settings settings = with(Border::kGround);
                settings.cbt.depth = depth;
                settings.lod.criterion = criterion;
                settings.lod.errorPixels = 8;
                ASSERT_NO_FATAL_FAILURE(set(settings));
                Random random{std::uint64_t(depth)};
                for (int view = 0; view < 8; ++view)
                {
                    Camera camera = somewhere(terrain, random);
                    camera.position.z = double(terrain.raster.maxHeight) + 0.1 * terrain.side() * random.unit();
                    camera.pitch = -25 * random.unit();
                    ASSERT_NO_FATAL_FAILURE(settle(camera));
                    const double above = camera.position.z - double(terrain.raster.minHeight);
                    const double dip = std::sqrt(2 * above / 6.371e6) * 180 / std::numbers::pi;
                    const Counts found = counts(camera, dip + 0.4);
                    EXPECT_EQ(found.sky, 0)
                        << "depth " << depth << ", view " << view << ", criterion " << int(criterion);
                    around += found.around;
                    coarse += depth <= 8 ? found.ground : 0;
                }
            }
        }
    EXPECT_GT(around, 20'000);
    EXPECT_GT(coarse, 20'000);
}

// The camera keeps above LandAround, so that must be the drawn land.
TEST_F(TerrainBorders, TheHeightsForTheCameraAreThoseOfTheDrawnLand)
{
    const std::string included = "#define OROGEN_TAKES_UNIFORMS\n"
                                 "#include \"shaders/frame.glsl\"\n"
                                 "#include \"shaders/pixel_uniforms.glsl\"\n"
                                 "#include \"shaders/shading/plane_pixel.glsl\"\n";
    // Land in blue, with its height from -1,000 to 3,000 m in red and green.
    shaders_.write("shaders/shading/terrain.frag",
                   included + "void main()\n"
                              "{\n"
                              "    if (!beginPixel()) return;\n"
                              "    seePlane();\n"
                              "#ifdef OROGEN_BEYOND\n"
                              "    float height = relative.z + frame.cameraCell.z + frame.cameraFraction.z;\n"
                              "    float code = clamp((height + 1000.0) / 4000.0, 0.0, 1.0) * 65535.0;\n"
                              "    float high = floor(code / 256.0);\n"
                              "    show(vec3(high, floor(code - 256.0 * high), 255.0) / 255.0);\n"
                              "#else\n"
                              "    show(vec3(0.0));\n"
                              "#endif\n"
                              "}\n");
    shaders_.write("shaders/air/sky.frag",
                   "layout(location = 0) out vec4 colour;\nvoid main() { colour = vec4(0.0); }\n");
    shadeByFragments();
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0, 0.05);
    auto bumpy = std::make_shared<Surroundings>();
    for (std::uint32_t i = 0; i < gpu::kSurroundingColumns * gpu::kSurroundingRows; ++i)
    {
        const double column = i % gpu::kSurroundingColumns, row = i / gpu::kSurroundingColumns;
        bumpy->ground.push_back({float(400 + 300 * std::sin(0.098174770424681 * column) * std::cos(0.9 * row)), 0, 0});
        bumpy->colours.insert(bumpy->colours.end(), {90, 90, 90, 255});
    }
    for (const std::shared_ptr<const Surroundings>& known : {std::shared_ptr<const Surroundings>(bumpy), {}})
    {
        Settings settings = with(Border::kGround);
        settings.terrain.heightScale = 1.5f;
        settings.lod.splitPixels = 1.0f;  // triangles of a coarse tree lie off the samples at the border
        settings.lod.mergePixels = 0.4f;
        ASSERT_NO_FATAL_FAILURE(start(terrain, settings, kWidth, kHeight, shaders_.root()));
        ASSERT_TRUE(renderer_->setTerrain(terrain.raster, terrain.field, terrain.bounds, nullptr, nullptr, known));
        const LandAround land(terrain.field, known);
        const auto ground = [&](double x, double y) { return 1.5 * double(heightAt(terrain.field, x, y)); };
        Camera camera;
        camera.yaw = 30;
        for (const double up : {1'500.0, 4'000.0})
        {
            SCOPED_TRACE(up);
            camera.position = {0.8 * terrain.side(), -0.3 * up, up};
            camera.pitch = -45;
            ASSERT_NO_FATAL_FAILURE(settle(camera));
            const Image image = picture();
            const glm::dvec3 r = right(camera), u = orogen::up(camera), f = forward(camera);
            const double tan = std::tan(camera.fov * std::numbers::pi / 360.0);
            int compared = 0;
            double sum = 0;
            int off = 0;
            for (int y = 0; y < kHeight; ++y)
                for (int x = 0; x < kWidth; ++x)
                {
                    const std::uint8_t* const pixel = &image.rgb[3 * std::size_t(y * kWidth + x)];
                    if (pixel[2] != 255) continue;
                    const double height = (256.0 * pixel[0] + pixel[1]) / 65535.0 * 4000.0 - 1000.0;
                    const glm::dvec3 ray = f + r * ((2 * (x + 0.5) / kWidth - 1) * tan * kWidth / kHeight) +
                                           u * ((1 - 2 * (y + 0.5) / kHeight) * tan);
                    const glm::dvec3 at = camera.position + ray * ((height - up) / ray.z);
                    const double outside = std::max(std::abs(at.x), std::abs(at.y)) - 0.5 * terrain.side();
                    if (outside < 200) continue;  // there the land is raised by some pixels
                    const double error = std::abs(land.heightAt(at.x, at.y, 1.5, ground) - height);
                    off += error > 4;  // where a ring ends above the next one
                    sum += error;
                    ++compared;
                }
            EXPECT_GT(compared, 5'000);
            EXPECT_LT(off, compared / 50);
            EXPECT_LT(sum / compared, 0.5);
        }
    }
}

// From any height the land ends at the horizon of the sphere, in all directions.
TEST_F(TerrainBorders, LandEndsAtTheHorizonFromAnyHeight)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0, 0.01);
    ASSERT_NO_FATAL_FAILURE(startFlat(terrain, Border::kGround));
    const double radius = double(gpu::kAirRadius);
    for (const double up : {2e3, 5e4, 1.5e5, 1e6, 8e6})
        for (const double yaw : {0.0, 45.0, 100.0})
        {
            SCOPED_TRACE(up);
            Camera camera;
            camera.position = {0, 0, up};
            camera.yaw = yaw;
            const double dip = std::acos(radius / (radius + up)) * 180 / std::numbers::pi;
            camera.pitch = -dip;
            ASSERT_NO_FATAL_FAILURE(settle(camera));
            const Image image = picture();
            int sky = 0;  // rows of the middle column
            for (int y = 0; y < kHeight; ++y)
            {
                const std::uint8_t* const pixel = &image.rgb[3 * std::size_t(y * kWidth + kWidth / 2)];
                sky += pixel[0] > 0 && pixel[1] == 0;
            }
            EXPECT_NEAR(sky, kHeight / 2, 2) << yaw;
        }
}

TEST_F(TerrainBorders, WallsAreSeenFromOutsideAlone)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    ASSERT_NO_FATAL_FAILURE(startFlat(terrain, Border::kWalls));
    Camera camera;
    camera.position = {0, -1.1 * terrain.side(), double(terrain.raster.maxHeight) + 0.2 * terrain.side()};
    camera.pitch = -15;
    frame(camera);
    frame(camera);
    const Counts outside = counts(camera, -90);
    EXPECT_GT(outside.ground, 200);
    EXPECT_GT(outside.around, 200);
    EXPECT_GT(outside.sky, 200);
    camera.position = {0, 0, double(terrain.raster.maxHeight) + terrain.side()};
    camera.pitch = -90;
    frame(camera);
    frame(camera);
    EXPECT_LT(counts(camera, -90).around, 2 * 4 * kWidth);  // at most its rim, which stands above the samples
}

// Error, jump and verdict are those of the ground alone, despite its surroundings.
TEST_F(TerrainBorders, ChangeNothingThatIsMeasured)
{
    const TestTerrain terrain = hills(97, 54, 30.0, 25.0);
    struct Measured
    {
        double largestNow = 0, largest = 0, p99 = 0;
        std::optional<double> jump;
        std::uint64_t pixels = 0;
        bool operator==(const Measured&) const = default;
    };
    const auto measured = [&](Border border) {
        Settings settings = with(border);
        settings.lod.splitPixels = 24.0f;
        settings.lod.mergePixels = 10.0f;
        start(terrain, settings, kWidth, kHeight);
        EXPECT_TRUE(renderer_->checks().measureErrorsEvery(1));
        EXPECT_TRUE(renderer_->checks().measureJumps(true));
        Camera camera;
        camera.position = {0, -0.7 * terrain.side(), double(terrain.raster.maxHeight) + 0.05 * terrain.side()};
        camera.pitch = -10;
        for (int i = 0; i < 12; ++i, camera.position.y += 0.01 * terrain.side())
            frame(camera);
        const Result<PixelFigures> now = renderer_->checks().measureErrorNow();
        EXPECT_TRUE(now);
        const Result<MeshVerdict> verdict = renderer_->checks().validateNow();
        EXPECT_TRUE(verdict && verdict->conforming());
        return Measured{now->largest, renderer_->stats().error->largest, renderer_->stats().error->p99,
                        renderer_->checks().takeLargestJump(), renderer_->stats().error->pixels};
    };
    const Measured open = measured(Border::kOpen);
    EXPECT_GT(open.largest, 0);
    EXPECT_GT(open.pixels, 1'000u);
    EXPECT_TRUE(measured(Border::kGround) == open);
    EXPECT_TRUE(measured(Border::kWalls) == open);
}

// Measuring on demand draws the ground again and must not change the picture.
TEST_F(TerrainBorders, MeasuringLeavesThePictureAsItWas)
{
    const TestTerrain terrain = hills(65, 65, 32.0, 32.0);
    for (const int samples : {1, 4})
    {
        Settings settings = with(Border::kGround);
        settings.render.msaa = samples;
        ASSERT_NO_FATAL_FAILURE(start(terrain, settings, kWidth, kHeight));
        ASSERT_NO_FATAL_FAILURE(settle(flight(terrain, 0.1)));
        const Image before = picture();
        ASSERT_TRUE(renderer_->checks().measureErrorNow());
        EXPECT_EQ(picture().rgb, before.rgb) << samples;
    }
}

}  // namespace
}  // namespace orogen::app::test
