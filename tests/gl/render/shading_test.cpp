// The shading pass: a pixel of the ground is shaded once, a pixel with several surfaces once per sample.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/gl/renderer_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

constexpr int kWidth = 96, kHeight = 64, kFiner = 8;

class RendererShading : public RendererTest
{
protected:
    static Settings settings()
    {
        Settings settings = smallSettings();
        settings.render.shading = Shading::kHypsometric;  // near and far ground differ in colour
        settings.lod.splitPixels = 4.0f;
        settings.lod.mergePixels = 1.7f;
        return settings;
    }

    Image pictureOf(Settings wanted, int samples, int scale)
    {
        wanted.render.msaa = samples;
        wanted.lod.splitPixels *= float(scale);  // equal triangles at every size
        wanted.lod.mergePixels *= float(scale);
        start(terrain_, wanted, kWidth * scale, kHeight * scale);
        settle(camera_);
        return picture();
    }

    // Means over squares of kFiner pixels.
    static std::vector<double> reduced(const Image& fine)
    {
        std::vector<double> means(std::size_t(3 * kWidth * kHeight));
        for (int y = 0; y < kHeight * kFiner; ++y)
            for (int x = 0; x < kWidth * kFiner; ++x)
                for (int c = 0; c < 3; ++c)
                    means[std::size_t(3 * ((y / kFiner) * kWidth + x / kFiner) + c)] +=
                        fine.rgb[std::size_t(3 * (y * kWidth * kFiner + x) + c)] / double(kFiner * kFiner);
        return means;
    }

    // Whether a pixel of the reference shows sky, which is blue.
    static bool showsSky(const Image& fine, std::size_t pixel)
    {
        for (int i = 0; i < kFiner * kFiner; ++i)
        {
            const std::size_t y = pixel / kWidth * kFiner + std::size_t(i / kFiner);
            const std::size_t x = pixel % kWidth * kFiner + std::size_t(i % kFiner);
            const std::uint8_t* const rgb = &fine.rgb[3 * (y * kWidth * kFiner + x)];
            if (rgb[2] > rgb[1] + 8) return true;
        }
        return false;
    }

    // A plateau in the south-west above a plain.
    static TestTerrain plateau()
    {
        TestTerrain terrain = hills(129, 129, 10, 10);
        for (int y = 0; y < 129; ++y)
            for (int x = 0; x < 129; ++x)
                terrain.raster.heights[std::size_t(129 * y + x)] = x + (128 - y) < 128 ? 200.0f : 0.0f;
        finishRaster(terrain.raster, "plateau");
        terrain.field = quantise(terrain.raster);
        Result<TerrainBounds> bounds = buildBounds(terrain.field);
        EXPECT_TRUE(bounds);
        terrain.bounds = std::move(*bounds);
        return terrain;
    }

    TestTerrain terrain_ = plateau();
    Camera camera_;
};

// Where ground lies before other ground, the mean over the samples shows both.
TEST_F(RendererShading, SamplesShowAllSurfacesOfAPixel)
{
    camera_.position = {-0.2 * terrain_.side(), -0.2 * terrain_.side(), 500};
    camera_.yaw = 25;
    camera_.pitch = -40;
    const Image fine = pictureOf(settings(), 1, kFiner);
    const std::vector<double> truth = reduced(fine);
    const Image plain = pictureOf(settings(), 1, 1), smooth = pictureOf(settings(), 4, 1);
    double before = 0, after = 0;
    int edges = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
    {
        if (showsSky(fine, i / 3)) continue;  // coverage by samples smooths edges against the sky anyway
        const double off = std::abs(plain.rgb[i] - truth[i]);
        if (off < 12) continue;
        ++edges;
        before += off;
        after += std::abs(smooth.rgb[i] - truth[i]);
    }
    ASSERT_GT(edges, 50);
    EXPECT_LT(after, 0.75 * before) << edges << " values";
}

// A compute shader shades each pixel as the fragment shader does: on a plane in all modes and with all marks, and on
// the Earth.
TEST_F(RendererShading, ByComputeEachPixelIsTheSame)
{
    ContextInfo info = context_->info();
    const auto both = [&](const auto& draw) {
        std::vector<Image> pictures;
        for (const bool compute : {false, true})
        {
            info.shadesByCompute = compute;
            context_->injectInfo(info);
            pictures.push_back(draw());
        }
        int others = 0;
        for (std::size_t i = 0; i < pictures[0].rgb.size(); ++i)
            others += std::abs(pictures[0].rgb[i] - pictures[1].rgb[i]) > 1;
        EXPECT_EQ(pictures[0].rgb.size(), pictures[1].rgb.size());
        EXPECT_LE(others, int(pictures[0].rgb.size() / 1000));
        return pictures[1];
    };
    camera_.position = {-0.2 * terrain_.side(), -0.2 * terrain_.side(), 500};
    camera_.yaw = 25;
    camera_.pitch = -20;
    Image lit;
    for (const Shading shading :
         {Shading::kLit, Shading::kSlope, Shading::kHypsometric, Shading::kLod, Shading::kError, Shading::kRelief})
    {
        SCOPED_TRACE(int(shading));
        Settings wanted = settings();
        wanted.render.shading = shading;
        wanted.render.wireframe = wanted.render.contours = shading == Shading::kHypsometric;
        const Image shown = both([&] {
            start(terrain_, wanted, 93, 61);
            settle(camera_);
            return picture();
        });
        if (shading == Shading::kLit) lit = shown;
    }
    EXPECT_GT(std::count_if(lit.rgb.begin(), lit.rgb.end(), [](std::uint8_t value) { return value > 20; }), 8000);

    // Land around the terrain: the stencil skips the pixels of the other surface.
    Settings wanted = settings();
    wanted.render.shading = Shading::kLit;
    wanted.render.border = Border::kGround;
    Image land;
    for (int view = 0; view < 12; view += orogen::test::scaled(3, 1))
    {
        SCOPED_TRACE(view);
        Camera camera = camera_;
        if (view > 0)
        {
            camera.position =
                glm::dvec3(std::sin(view * 2.4), std::cos(view * 2.4), 0) * (0.1 * view * terrain_.side());
            camera.position.z = 230 + 20.0 * view * view;
            camera.yaw = 140 * view;
            camera.pitch = -12 * (view % 7) - 5;
        }
        const Image shown = both([&] {
            start(terrain_, wanted, view == 0 ? 93 : 333, view == 0 ? 61 : 205);
            settle(camera);
            return picture();
        });
        if (view == 0) land = shown;
    }
    int differs = 0;
    for (std::size_t i = 0; i < land.rgb.size(); ++i)
        differs += std::abs(land.rgb[i] - lit.rgb[i]) > 20;
    EXPECT_GT(differs, 1000) << "land in view";

    // The Earth around a terrain: land of another height and colour on each side.
    Surroundings around;
    for (std::uint32_t row = 0; row < gpu::kSurroundingRows; ++row)
        for (std::uint32_t column = 0; column < gpu::kSurroundingColumns; ++column)
        {
            const std::uint32_t side = column / (gpu::kSurroundingColumns / 4);
            around.ground.push_back({100.0f * float(side), 0.1f, 0.05f * float(side)});
            for (const std::uint32_t channel : {0u, 1u, 2u})
                around.colours.push_back(channel == side || side == 3 ? 200 : 40);
            around.colours.push_back(255);
        }
    Camera high;
    high.position = {0, 0, 40'000};
    high.pitch = -90;
    const Image earth = both([&] {
        start(terrain_, wanted, 93, 61);
        const Status shown = renderer_->setTerrain(terrain_.raster, terrain_.field, terrain_.bounds, nullptr, nullptr,
                                                   std::make_shared<Surroundings>(around));
        EXPECT_TRUE(shown);
        settle(high);
        return picture();
    });
    const auto colour = [&](int x, int y) { return &earth.rgb[std::size_t(3 * (y * 93 + x))]; };
    const std::uint8_t *south = colour(46, 58), *east = colour(90, 30), *north = colour(46, 3);
    EXPECT_GT(south[0], south[1]) << "red in the south";
    EXPECT_GT(east[1], east[0]) << "green in the east";
    EXPECT_GT(north[2], north[1] + 20) << "blue in the north";

    wanted.render.border = Border::kOpen;
    Camera above;
    above.position = {0, 0, 1.2e7};
    above.pitch = -60;
    both([&] {
        start(terrain_, wanted, 93, 61);
        showLevelEarth();
        settle(above);
        return picture();
    });
}

// Pixels with one surface look as without samples.
TEST_F(RendererShading, SamplesLeaveTheRestAsItIs)
{
    terrain_ = hills(129, 129, 10, 10, 0.05);
    camera_.position = {0, 0, 2500};
    camera_.pitch = -90;
    const Image plain = pictureOf(settings(), 1, 1), smooth = pictureOf(settings(), 4, 1);
    int other = 0;
    for (std::size_t i = 0; i < plain.rgb.size(); ++i)
        other += std::abs(plain.rgb[i] - smooth.rgb[i]) > 6;
    EXPECT_LT(other, int(plain.rgb.size() / 50));
}

}  // namespace
}  // namespace orogen::app::test
