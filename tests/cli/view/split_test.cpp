// Split pictures as a program makes them: halves, difference, sides that share no setting, errors.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/png_file.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {
namespace {

using Words = std::vector<std::string>;

constexpr int kSplitWidth = 200, kSplitHeight = 120;

class Split : public testing::Test
{
protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    Finished view(Words words, const std::string& size = "200x120") const
    {
        words.insert(words.begin(), {OROGEN_PROGRAM, "view", "--headless", "--size", size});
        return run(words);
    }
    Finished run(const Words& words) const
    {
        return runProgram(words, {.set = {"XDG_CONFIG_HOME=" + file("config")},
                                  .unset = {"DISPLAY", "WAYLAND_DISPLAY"},
                                  .folder = folder_.path()});
    }
    Picture picture(Words words) const
    {
        words.insert(words.end(), {"--screenshot", "shot.png"});
        const Finished run = view(words);
        EXPECT_EQ(run.code, 0) << run.err;
        return readPng(file("shot.png"));
    }
    void write(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }
    // Writes the settings files of two sides.
    void writeSides() const
    {
        write("a.json", R"({"lod.split_pixels": 20, "render.shading": "slope"})");
        write("b.json", R"({"lod.split_pixels": 8, "render.sun_elevation": 15})");
    }
    // Runs a script, whose pictures are NAME-1.png and so on.
    void play(const std::string& name, std::string script, Words words, const std::string& size = "200x120") const
    {
        for (std::size_t at = 0, number = 1; (at = script.find("PICTURE", at)) != std::string::npos; ++number)
            script.replace(at, 7, name + '-' + std::to_string(number) + ".png");
        write(name + ".script", script + "expect gl_errors == 0\nquit\n");
        words.insert(words.end(), {"--script", name + ".script"});
        const Finished played = view(words, size);
        EXPECT_EQ(played.code, 0) << name << ": " << played.err;
    }
    // Plays a script for both sides alone and for a split picture of them, and compares `pictures` pictures.
    void halvesAgree(const std::string& script, const Words& words, int pictures, const std::string& size = "200x120",
                     int rows = 100'000)
    {
        writeSides();
        const auto with = [&](const Words& sides) {
            Words all = words;
            all.insert(all.end(), sides.begin(), sides.end());
            return all;
        };
        play("a", script, with({"--settings", "a.json"}), size);
        play("b", script, with({"--settings", "b.json"}), size);
        play("split", script, with({"--compare", "a.json", "b.json"}), size);
        for (int number = 1; number <= pictures; ++number)
            expectHalves('-' + std::to_string(number) + ".png", rows);
    }
    // Compares the picture split + `suffix` with a + `suffix` at its left and b + `suffix` at its right.
    void expectHalves(const std::string& suffix, int rows = 100'000) const;

    const TemporaryFolder folder_;
};

// Returns the first column in which two pictures differ in the upper `rows`, from `from` on; `to`: they do not before
// it.
int differsFrom(const Picture& a, const Picture& b, int from, int to, int rows = 100'000)
{
    for (int x = from; x < to; ++x)
        for (int y = 0; y < std::min(a.height, rows); ++y)
            if (!std::equal(a.at(x, y), a.at(x, y) + 3, b.at(x, y))) return x;
    return to;
}

void Split::expectHalves(const std::string& suffix, int rows) const
{
    const Picture a = readPng(file("a" + suffix)), b = readPng(file("b" + suffix)),
                  split = readPng(file("split" + suffix));
    const int middle = split.width / 2;
    EXPECT_EQ(differsFrom(split, a, 0, middle - 1, rows), middle - 1) << suffix;
    EXPECT_EQ(differsFrom(split, b, middle + 1, split.width, rows), split.width) << suffix;
    EXPECT_LT(differsFrom(a, b, 0, middle - 1, rows), middle - 1) << suffix << ": the sides do not differ";
}

using SplitLong = Split;

using SplitThorough = Split;

TEST_F(SplitThorough, HalvesAreTheTwoPictures)
{
    write("a.json", R"({"lod.split_pixels": 20, "render.shading": "slope", "render.contours": true})");
    write("b.json", R"({"lod.split_pixels": 4, "render.sun_elevation": 15, "patch.level": 3, "cbt.depth": 20})");
    const Picture a = picture({"--settings", "a.json"}), b = picture({"--settings", "b.json"});
    for (const double share : {0.5, 0.25})
    {
        const Picture split = picture({"--compare", "a.json", "b.json", "--divider", std::to_string(share)});
        ASSERT_EQ(split.width, kSplitWidth);
        const int divider = int(share * kSplitWidth);
        EXPECT_EQ(differsFrom(split, a, 0, divider - 1), divider - 1);
        EXPECT_EQ(differsFrom(split, b, divider + 1, kSplitWidth), kSplitWidth);
        EXPECT_LT(differsFrom(split, a, divider + 1, kSplitWidth), kSplitWidth) << "both sides are A";
    }
}

TEST_F(Split, ShowsTwoTerrains)
{
    const std::string other = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";
    const Words view = {"--set", "view.position=0,0,3000", "--set", "view.pitch=-30"};
    const auto with = [&](Words words) {
        words.insert(words.end(), view.begin(), view.end());
        return picture(words);
    };
    const Picture a = with({"synthetic:512"}), b = with({other}), split = with({"--compare", "synthetic:512", other});
    EXPECT_EQ(differsFrom(split, a, 0, kSplitWidth / 2 - 1), kSplitWidth / 2 - 1);
    EXPECT_EQ(differsFrom(split, b, kSplitWidth / 2 + 1, kSplitWidth), kSplitWidth);
}

TEST_F(SplitLong, ShowsTheEarth)
{
    write("a.json", R"({"lod.split_pixels": 16, "render.sun_elevation": 60})");
    write("b.json", R"({"render.sun_elevation": 20, "imagery.opacity": 0.3, "terrain.detail": false})");
    // A coast: the Earth has a sea by default, and a plane has none.
    const Words earth = {"earth", "--goto", "43.6,7.3,20000"};
    const auto shot = [&](Words words, const std::string& name) {
        words.insert(words.begin(), earth.begin(), earth.end());
        words.insert(words.end(), {"--screenshot", name});
        const Finished shown = view(words);
        EXPECT_EQ(shown.code, 0) << shown.err;
    };
    shot({"--settings", "a.json"}, "a.png");
    shot({"--settings", "b.json"}, "b.png");
    shot({"--compare", "a.json", "b.json"}, "split.png");
    expectHalves(".png");
}

// Settings held over a plane are taken to the Earth, which has a sea by default: a coast is in view.
TEST_F(SplitLong, TakesAHeldSideToTheEarth)
{
    const auto earth = [](const std::string& before, const std::string& after) {
        return "wait settled\n" + before + "open earth\nwait settled\ngoto 43.6 7.3 20000\n" + after +
               "wait settled\nkey F2\nwait settled\nscreenshot PICTURE\n";
    };
    const std::string high = "set render.sun_elevation 60\n", low = "set render.sun_elevation 20\n";
    play("a", earth(high, ""), {"synthetic:128:5"});
    play("b", earth(low, ""), {"synthetic:128:5"});
    play("split", earth(high + "click Capture/hold_a\n", low + "click Capture/show_both\n"), {"synthetic:128:5"});
    expectHalves("-1.png");
}

// The camera is that of the right scene.
TEST_F(SplitThorough, ShowsTwoScenes)
{
    const Words eye = {"--set", "view.position=0,0,3000", "--set", "view.pitch=-40"};
    const auto with = [&](Words words) {
        words.insert(words.end(), eye.begin(), eye.end());
        return words;
    };
    const auto pack = [&](Words words) {
        words.insert(words.begin(), {OROGEN_PROGRAM, "pack-scene"});
        EXPECT_EQ(run(words).code, 0) << words[2];
    };
    pack({"a.orogen", "synthetic:256:3", "--set", "render.shading=slope", "--set", "lod.split_pixels=20"});
    pack(with({"b.orogen", "synthetic:128:5", "--set", "render.sun_elevation=15", "--size", "200x120"}));
    EXPECT_EQ(view(with({"a.orogen", "--screenshot", "a.png"})).code, 0);
    EXPECT_EQ(view({"b.orogen", "--screenshot", "b.png"}).code, 0);
    const Finished both =
        run({OROGEN_PROGRAM, "view", "--headless", "--compare", "a.orogen", "b.orogen", "--screenshot", "split.png"});
    EXPECT_EQ(both.code, 0) << both.err;
    expectHalves(".png");
}

// Without procedural detail on either side: the path keeps above the drawn ground.
TEST_F(SplitThorough, IsFilmed)
{
    write("a.json", R"({"lod.split_pixels": 20, "render.shading": "slope"})");
    write("b.json", R"({"lod.split_pixels": 4, "render.sun_elevation": 15, "terrain.detail": false})");
    const auto film = [&](const std::string& name, Words words) {
        words.insert(words.begin(), {OROGEN_PROGRAM, "record", "synthetic:128:5", "--path", "overview", "--frames", "3",
                                     "--fps", "1", "--settled", "--size", "200x120", "--out", name + "-%d.png"});
        const Finished filmed = run(words);
        EXPECT_EQ(filmed.code, 0) << filmed.err;
    };
    film("a", {"--settings", "a.json"});
    film("b", {"--settings", "b.json"});
    film("split", {"--compare", "a.json", "b.json"});
    for (int frame = 0; frame < 3; ++frame)
        expectHalves('-' + std::to_string(frame) + ".png");
}

// The camera keeps above the higher ground of both sides: here that of A, which covers the whole path of B.
TEST_F(SplitThorough, FliesAboveTheHigherGround)
{
    write("a.json", R"({"terrain.height_scale": 3, "terrain.detail": false, "render.shading": "slope"})");
    write("b.json", R"({"terrain.detail": false, "render.sun_elevation": 15})");
    const auto film = [&](const std::string& name, Words words) {
        words.insert(words.begin(),
                     {OROGEN_PROGRAM, "record", OROGEN_ROOT "/assets/heightmaps/jacksboro.tif", "--path", "ridge",
                      "--frames", "2", "--fps", "1", "--settled", "--size", "200x120", "--out", name + "-%d.png"});
        const Finished filmed = run(words);
        EXPECT_EQ(filmed.code, 0) << filmed.err;
    };
    film("a", {"--settings", "a.json"});
    film("split", {"--compare", "a.json", "b.json"});
    for (const char* suffix : {"-0.png", "-1.png"})
    {
        const Picture a = readPng(file(std::string("a") + suffix)),
                      split = readPng(file(std::string("split") + suffix));
        EXPECT_EQ(differsFrom(split, a, 0, split.width / 2 - 1), split.width / 2 - 1) << suffix;
    }
}

// Sides with the same terrain share its heights: steps and strokes of the terrain model change both.
TEST_F(SplitThorough, SharesChangingHeights)
{
    halvesAgree("key F2\nset model.uplift 1\nset model.incision 2e-5\nset model.step_years 20000\nwait settled\n"
                "model run 2\nwait settled\nscreenshot PICTURE\n"
                "brush raise 0 0 1500 600\nwait settled\nscreenshot PICTURE\n"
                "model reset\nwait settled\nscreenshot PICTURE\n",
                {"synthetic:129:4", "--set", "view.position=0,-3000,5000", "--set", "view.pitch=-45"}, 3);
    const Picture stepped = readPng(file("a-1.png")), stroked = readPng(file("a-2.png")),
                  reset = readPng(file("a-3.png"));
    EXPECT_LT(differsFrom(stepped, stroked, 0, kSplitWidth / 2), kSplitWidth / 2) << "the stroke is not in view";
    EXPECT_LT(differsFrom(stroked, reset, 0, kSplitWidth / 2), kSplitWidth / 2);
}

TEST_F(SplitLong, SharesFilledVoids)
{
    halvesAgree("wait settled\nclick Terrain/fill_voids\nwait settled\nexpect nodata_count == 0\nkey F2\n"
                "wait settled\nscreenshot PICTURE\n",
                {OROGEN_ROOT "/assets/heightmaps/jacksboro.tif", "--nodata", "400", "--set", "view.position=0,0,6000",
                 "--set", "view.pitch=-60"},
                1, "640x360", 270);  // below, a message has the time that filling took
}

TEST_F(Split, IsNotCaptured)
{
    writeSides();
    write("capture.script", "wait settled\ncapture report 10\nquit\n");
    const Finished refused = view({"synthetic:128:5", "--compare", "a.json", "b.json", "--script", "capture.script"});
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_NE(refused.err.find("a split picture is open: a capture measures one picture"), std::string::npos)
        << refused.err;
}

TEST_F(SplitThorough, DifferenceIsGreyWhereNothingDiffers)
{
    write("a.json", R"({"render.sun_elevation": 40})");
    const Picture same = picture({"--compare", "a.json", "a.json", "--difference"});
    bool grey = true;
    for (int y = 0; y < kSplitHeight; ++y)
        for (int x = 0; x < kSplitWidth; ++x)
            grey = grey && same.at(x, y)[0] == same.at(x, y)[1] && same.at(x, y)[1] == same.at(x, y)[2];
    EXPECT_TRUE(grey);
    write("b.json", R"({"render.sun_elevation": 41})");
    const Picture other = picture({"--compare", "a.json", "b.json", "--difference"});
    EXPECT_LT(differsFrom(same, other, 0, kSplitWidth), kSplitWidth);
}

TEST_F(Split, NamesWhatItCannotCompare)
{
    const auto refused = [&](const Words& words, const std::string& text) {
        const Finished run = view(words);
        EXPECT_EQ(run.code, 2) << text;
        EXPECT_NE(run.err.find(text), std::string::npos) << run.err;
    };
    refused({"--compare", "none", "map"}, "found 'none', expected a settings file");
    refused({"--compare", "map", "landscape", "--preset", "map"}, "found --preset, too");
    refused({"--compare", "earth", "synthetic:512"}, "expected two sides of one kind");
    refused({"--compare", "earth", "earth", "--unit", "foot"}, "the Earth alone takes no --unit foot");
    refused({"--divider", "0.5"}, "--compare");
    EXPECT_EQ(view({"--compare", "a.json", "b.json"}).code, 5) << "files that are not there";
}

}  // namespace
}  // namespace orogen::test
