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
    Finished view(Words words) const
    {
        words.insert(words.begin(), {OROGEN_PROGRAM, "view", "--headless", "--size", "200x120"});
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

    const TemporaryFolder folder_;
};

// Returns the first column in which two pictures differ, from `from` on; `to`: they do not before it.
int differsFrom(const Picture& a, const Picture& b, int from, int to)
{
    for (int x = from; x < to; ++x)
        for (int y = 0; y < a.height; ++y)
            if (!std::equal(a.at(x, y), a.at(x, y) + 3, b.at(x, y))) return x;
    return to;
}

TEST_F(Split, HalvesAreTheTwoPictures)
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

TEST_F(Split, DifferenceIsGreyWhereNothingDiffers)
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
    refused({"--divider", "0.5"}, "--compare");
    EXPECT_EQ(view({"--compare", "a.json", "b.json"}).code, 5) << "files that are not there";
}

}  // namespace
}  // namespace orogen::test
