// Compares the viewer's pictures with reviewed ones: tests/golden.
//
// On the rasteriser that drew them (kPinned) every byte must be equal; elsewhere at most a thousandth of the pixels may
// differ by more than two steps.  The drawn picture and the differences are left beside this program in
// golden_failures/.
//
// To change pictures on purpose, set OROGEN_UPDATE_GOLDEN=1 in the environment on the pinned rasteriser: it rewrites
// them.  Look at each, and commit them apart from other changes, with a description of before and after.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <gtest/gtest.h>

#include "app/gl/image.h"
#include "app/viewer.h"
#include "tests/support/places.h"
#include "tests/support/png_pictures.h"

namespace orogen::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPinnedVersion = "Mesa 22.3.6";
constexpr const char* kPinnedRenderer = "llvmpipe (LLVM 15.0.6, 256 bits)";
constexpr int kSteps = 2;              // steps of 255
constexpr double kMostPixels = 0.001;  // share of a picture's pixels

struct Golden
{
    const char* name;
    const char* dem;
    const char* path;  // path of the camera; empty: `settings` place it
    int frames;
    std::vector<std::string> settings;
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

const Golden kGoldens[] = {
    {"whole_terrain", "", "", 8, {}},
    {"map", "", "", 8, {"view.mode=map", "render.shading=hypsometric", "render.border=open"}},
    {"along_the_ridge", "", "ridge", 60, {}},
    {"overview_at_depth_12", "", "overview", 90, {"cbt.depth=12"}},
    {"near_the_ground",
     "",
     "",
     8,
     {"view.position=4000,-9000,620", "view.yaw=315", "view.pitch=-3", "lod.split_pixels=4"}},
    {"evening",
     "",
     "",
     8,
     {"view.position=-4000,-9000,1900", "view.yaw=20", "view.pitch=-12", "render.sun_azimuth=285",
      "render.sun_elevation=7", "terrain.height_scale=2"}},
    {"normals", "", "spot", 30, {"render.shading=normals", "render.border=open"}},
    {"slope", "", "spot", 30, {"render.shading=slope", "terrain.height_scale=3", "render.border=open"}},
    {"lod_colours_wireframe",
     "",
     "",
     8,
     {"render.shading=lod", "render.wireframe=true", "lod.split_pixels=12", "render.border=open",
      "view.position=0,-26703.95919372745,14854.746966008142", "view.pitch=-28"}},
    {"by_error",
     "",
     "",
     8,
     {"lod.criterion=error", "lod.error_pixels=2", "render.wireframe=true", "render.msaa=4",
      "view.position=0,-12000,3500", "view.pitch=-20"}},
    {"at_capacity",
     "synthetic:512:7",
     "",
     12,
     {"cbt.leaf_capacity=1024", "patch.level=1", "lod.split_pixels=4", "render.shading=lod", "render.wireframe=true",
      "render.border=open", "view.position=0,-35758.82039008375,20739.45831649633", "view.pitch=-28"}},
    {"synthetic_multisampled", "synthetic:512:7", "overview", 60, {"render.msaa=4", "patch.level=4"}},
    {"walls",
     "",
     "",
     8,
     {"render.border=walls", "terrain.height_scale=3", "view.position=-20000,-24000,9000", "view.yaw=40",
      "view.pitch=-16"}},
    {"beyond_the_border",
     "synthetic:512:7",
     "",
     8,
     {"view.position=3000,-9500,3600", "view.yaw=250", "view.pitch=-10"}},
    {"without_decoration", "", "ridge", 60, {"render.air=off", "render.near_detail=false"}},
};

// The viewer's picture, and whether the pinned rasteriser drew it.
struct Drawn
{
    Image picture;
    bool pinned = false;
};

Result<Drawn> draw(const Golden& golden)
{
    SessionOptions options;
    options.headless = true;
    options.width = 320;
    options.height = 180;
    options.dem = *golden.dem == 0 ? OROGEN_ROOT "/assets/heightmaps/jacksboro.tif" : golden.dem;
    options.cameraPath = golden.path;
    options.frames = std::uint64_t(golden.frames);
    options.assignments = {"lod.geomorph=false", "terrain.detail=false"};  // no detail, no morphing
    options.assignments.insert(options.assignments.end(), golden.settings.begin(), golden.settings.end());
    Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options);
    if (!viewer) return viewer.error();
    if (const Status s = (*viewer)->run(); !s) return s.error();
    EXPECT_EQ((*viewer)->context().debug().errors(), 0u);
    const Renderer& renderer = (*viewer)->renderer();
    const ContextInfo& info = (*viewer)->context().info();
    return Drawn{readFramebuffer(renderer.target().resolved(), renderer.target().width(), renderer.target().height()),
                 info.renderer == kPinnedRenderer && info.version.ends_with(kPinnedVersion)};
}

// Grey where the pictures agree within `steps`, red elsewhere; counts the red pixels.
struct Difference
{
    Image picture;
    int pixels = 0;
};

Difference difference(const Image& expected, const Image& found, int steps)
{
    Difference result{expected, 0};
    for (std::size_t pixel = 0; pixel < expected.rgb.size(); pixel += 3)
    {
        int most = 0, sum = 0;
        for (std::size_t i = pixel; i < pixel + 3; ++i)
        {
            most = std::max(most, std::abs(int(expected.rgb[i]) - int(found.rgb[i])));
            sum += expected.rgb[i];
        }
        const bool differs = most > steps;
        result.pixels += differs;
        const auto grey = std::uint8_t(sum / 6);
        result.picture.rgb[pixel] = differs ? 255 : grey;
        result.picture.rgb[pixel + 1] = result.picture.rgb[pixel + 2] = differs ? 0 : grey;
    }
    return result;
}

void keep(const Golden& golden, const Image& found, const Image& different)
{
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path() / "golden_failures";
    fs::create_directories(folder);
    EXPECT_TRUE(writePng(folder / (std::string(golden.name) + ".png"), found));
    EXPECT_TRUE(writePng(folder / (std::string(golden.name) + ".difference.png"), different));
    std::cout << "see " << folder.string() << "/" << golden.name << ".difference.png\n";
}

class GoldenPictures : public testing::TestWithParam<Golden>
{
};

using GoldenPicturesThorough = GoldenPictures;

TEST_P(GoldenPicturesThorough, AreDrawnAgain)
{
    const Golden& golden = GetParam();
    const fs::path file = fs::path(OROGEN_ROOT) / "tests/golden" / (std::string(golden.name) + ".png");
    const Result<Drawn> drawn = draw(golden);
    ASSERT_TRUE(drawn) << drawn.error().message;
    if (std::getenv("OROGEN_UPDATE_GOLDEN"))
    {
        ASSERT_TRUE(drawn->pinned) << "golden pictures are drawn with " << kPinnedRenderer << ", " << kPinnedVersion;
        ASSERT_TRUE(writePng(file, drawn->picture));
        GTEST_SKIP() << "wrote " << file.string();
    }
    const Image expected = test::readPicture(file);
    ASSERT_EQ(expected.width, drawn->picture.width) << file.string();
    ASSERT_EQ(expected.height, drawn->picture.height) << file.string();
    const Difference found = difference(expected, drawn->picture, drawn->pinned ? 0 : kSteps);
    const double allowed = drawn->pinned ? 0.0 : kMostPixels * expected.width * expected.height;
    if (found.pixels > allowed) keep(golden, drawn->picture, found.picture);
    EXPECT_LE(found.pixels, allowed) << "pixels that differ, of " << expected.width * expected.height;
}

INSTANTIATE_TEST_SUITE_P(, GoldenPicturesThorough, testing::ValuesIn(kGoldens),
                         [](const auto& golden) { return golden.param.name; });

TEST(GoldenDifference, CountsPixelsBeyondTheSteps)
{
    const Image black{2, 2, std::vector<std::uint8_t>(12, 0)};
    Image other = black;
    other.rgb[1] = 2;
    other.rgb[11] = 3;
    EXPECT_EQ(difference(black, black, 0).pixels, 0);
    EXPECT_EQ(difference(black, other, 0).pixels, 2);
    const Difference found = difference(black, other, 2);
    EXPECT_EQ(found.pixels, 1);
    EXPECT_EQ(found.picture.rgb, (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0}));
}

}  // namespace
}  // namespace orogen::app
