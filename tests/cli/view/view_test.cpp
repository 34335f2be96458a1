// orogen view as a program: images, scripts and error messages.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>

#include <gtest/gtest.h>

#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/raster/raster.h"
#include "tests/support/places.h"
#include "tests/support/png_file.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/xvfb.h"

namespace orogen::test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kNoDisplay = {"DISPLAY", "WAYLAND_DISPLAY"};

class View : public testing::Test
{
protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream(file(name)) << text;
        return file(name);
    }
    Finished view(std::vector<std::string> arguments, RunOptions options = {}) const
    {
        std::vector<std::string> command = {OROGEN_PROGRAM, "view"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        options.folder = folder_.string();
        if (options.unset.empty()) options.unset = kNoDisplay;
        options.set.push_back("XDG_CONFIG_HOME=" + file("config"));
        options.set.push_back("XDG_CACHE_HOME=" + file("cache"));
        return runProgram(command, options);
    }

    const test::TemporaryFolder temporary_;
    const fs::path folder_ = temporary_.path();
};

bool isPng(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    char head[8] = {};
    in.read(head, 8);
    return std::string_view(head, 8) == "\x89PNG\r\n\x1a\n";
}

int lines(const std::string& text) { return int(std::count(text.begin(), text.end(), '\n')); }

TEST_F(View, HeadlessWritesThePictureOfItsLastFrame)
{
    const Finished run = view({OROGEN_ROOT "/assets/heightmaps/jacksboro.tif", "--headless", "--frames", "3", "--size",
                               "320x180", "--screenshot", "last.png"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(
        std::regex_match(run.out, std::regex(R"(last\.png \(320x180, [1-9][0-9,]* triangles(, not settled: .*)?\)\n)")))
        << run.out;
    EXPECT_TRUE(isPng(file("last.png")));
}

TEST_F(View, WithoutADisplayAnErrorIsOneLine)
{
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"synthetic:1"}, {"synthetic:64", "--set", "no.setting=1"}})
    {
        const Finished run = view(words);
        EXPECT_EQ(run.code, 2);
        EXPECT_EQ(lines(run.err), 1) << run.err;
    }
}

TEST_F(View, HeadlessDrawsUntilThePictureHasSettledAndSaysWhatItWrote)
{
    const Finished run = view({"synthetic:256", "--headless", "--size", "160x90"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(std::regex_match(run.out, std::regex(R"(orogen-view/view\.png \(160x90, [1-9][0-9,]* triangles\)\n)")))
        << run.out;
    EXPECT_TRUE(isPng(file("orogen-view/view.png")));
    // The image equals the one of a script that waits.
    write("s.txt", "wait settled\nexpect pending == 0\nscreenshot waited.png\n");
    const Finished script = view({"synthetic:256", "--headless", "--size", "160x90", "--script", "s.txt"});
    EXPECT_EQ(script.code, 0) << script.err;
    EXPECT_EQ(script.out, "");
}

TEST_F(View, WithAScriptNoPictureIsWrittenThatNobodyAskedFor)
{
    write("s.txt", "wait 1\n");
    const Finished run = view({"synthetic:64", "--headless", "--size", "64x64", "--script", "s.txt"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_FALSE(fs::exists(file("orogen-view")));
}

TEST_F(View, APictureThatIsNotSettledSaysSo)
{
    // On a path, the tree splits and merges in every frame.
    const Finished run = view({"--headless", "--size", "320x180", "--path", "overview", "--frames", "2"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find(" triangles, not settled: "), std::string::npos) << run.out;
}

TEST_F(View, WithoutADisplaySaysSoAndLeavesAPictureInAFolder)
{
    const Finished run = view({"--frames", "2", "--size", "160x90"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(lines(run.err), 1) << run.err;
    ASSERT_EQ(lines(run.out), 1) << run.out;
    EXPECT_TRUE(isPng(file(run.out.substr(0, run.out.find(" (")))));
}

using ViewThorough = View;

TEST_F(ViewThorough, EveryPanelWorksByScriptWithoutAWindow)
{
    const Finished run =
        view({"--headless", "--script", std::string(OROGEN_ROOT) + "/tests/cli/scripts/every_panel.txt"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(isPng(file("every_panel.png")));
}

TEST_F(View, ChecksAndMeasuresByScript)
{
    const std::string script =
        write("s.txt", "wait settled\nexpect rounds > 3\nset lod.split_pixels 5\nwait settled\n"
                       "expect rounds > 0\nexpect rounds < 40\nexpect jump_max_px > 0.1\n"
                       "wait 2\nexpect jump_max_px < 0.02\n"
                       "expect error_max_px > 0.1\nexpect error_max_px < 5\nexpect error_p99_px < 2\n"
                       "expect cracks == 0\nexpect conforming == true\n"
                       "click Performance/validate\nclick Performance/measure_error\n"
                       "set render.shading error\nwait 12\nexpect gl_errors == 0\n");
    const Finished run = view({"--headless", "--size", "320x180", "--script", script, "--set", "lod.geomorph=false"});
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(View, AScriptWorksInAWindow)
{
    const Xvfb server;
    ASSERT_NE(server.display(), "") << "Xvfb did not start; this test needs it (Debian: xvfb)";
    const std::string script =
        write("s.txt", "wait settled\nclick Terrain/frozen\nexpect lod.frozen == true\nkey F4\n"
                       "expect render.wireframe == true\ndrag View/fov -20 0\nexpect view.fov < 60\n"
                       "click Tools/Multiword\nclick Multiword/run\nwait settled\n"
                       "expect module.multiword.state == done\nscreenshot s.png\nquit\n");
    const Finished run = view({"--script", script, "--set", "render.scale=25"},
                              {.set = {"DISPLAY=" + server.display()}, .unset = {"WAYLAND_DISPLAY"}});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(isPng(file("s.png")));
}

using ViewLong = View;

TEST_F(ViewLong, EveryPanelWorksByScriptInAWindow)
{
    const Xvfb server;
    ASSERT_NE(server.display(), "") << "Xvfb did not start; this test needs it (Debian: xvfb)";
    const Finished run = view({"--script", std::string(OROGEN_ROOT) + "/tests/cli/scripts/every_panel.txt"},
                              {.set = {"DISPLAY=" + server.display()}, .unset = {"WAYLAND_DISPLAY"}});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(isPng(file("every_panel.png")));
}

TEST_F(View, AFailedExpectationNamesFileLineFoundAndExpected)
{
    const std::string script = write("s.txt", "wait 2\nexpect cbt.depth == 23\n");
    const Finished run = view({"--headless", "--size", "160x90", "--script", script});
    EXPECT_EQ(run.code, 10);
    EXPECT_EQ(lines(run.err), 1) << run.err;
    for (const char* part : {"s.txt", "2", "24", "23"})
        EXPECT_NE(run.err.find(part), std::string::npos) << part << " is not in " << run.err;
}

struct Refusal
{
    const char* name;
    std::vector<std::string> arguments;
    int code;
    std::string named;  // text that the message must contain
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class ViewRefuses : public View, public testing::WithParamInterface<Refusal>
{
};

TEST_P(ViewRefuses, InOneLineWithTheDocumentedExitCode)
{
    const Refusal& refusal = GetParam();
    write("broken.tif", "II*\0 nothing more");
    write("settings.json", R"({"cbt.depth": 99})");
    write("broken.path", "orogen camera path 1\nunits feet\n");
    std::vector<std::string> arguments = {"--headless", "--frames", "1", "--size", "64x64"};
    arguments.insert(arguments.end(), refusal.arguments.begin(), refusal.arguments.end());
    const Finished run = view(arguments);
    EXPECT_EQ(run.code, refusal.code);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lines(run.err), 1) << run.err;
    EXPECT_NE(run.err.find(refusal.named), std::string::npos) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, ViewRefuses,
    testing::Values(Refusal{"MissingFile", {"none.tif"}, 5, "none.tif"},
                    Refusal{"BrokenFile", {"broken.tif"}, 5, "broken.tif"},
                    Refusal{"NoSuchSynthetic", {"synthetic:1"}, 2, "262144"},
                    Refusal{"UnknownSetting", {"--set", "lod.magic=1"}, 2, "lod.magic"},
                    Refusal{"ValueOutOfRange", {"--set", "cbt.depth=31"}, 2, "30"},
                    Refusal{"MergeAboveSplit", {"--set", "lod.merge_pixels=20"}, 2, "lod.merge_pixels"},
                    Refusal{"SettingsFile", {"--settings", "settings.json"}, 2, "settings.json"},
                    Refusal{"DepthBeyondTheDriver", {"--set", "cbt.depth=30"}, 6, "29"},
                    Refusal{"MissingScript", {"--script", "none.txt"}, 5, "none.txt"},
                    Refusal{"MissingPath", {"--path", "./none.path"}, 5, "none.path"},
                    Refusal{"UnknownPath", {"--path", "hill"}, 5, "overview, ridge, spot"},
                    Refusal{"BrokenPath", {"--path", "broken.path"}, 5, "broken.path:2: found 'feet'"},
                    Refusal{"UnknownOption", {"--frobnicate"}, 2, "frobnicate"},
                    Refusal{"ScreenshotNowhere", {"--screenshot", "no/such/folder.png"}, 8, "no/such/folder.png"}),
    [](const testing::TestParamInfo<Refusal>& refusal) { return refusal.param.name; });

TEST_F(ViewThorough, AColourRampIsGivenByOptionOrSettingAndRefusedWithItsLine)
{
    const std::string good = write("good.cpt", "0 blue 500 green\n500 yellow 2000 white\n");
    const std::string bad = write("bad.cpt", "0 blue 500 green\n500 yellow 2000 blurple\n");
    const std::string style = write("style.qml", "<qgis>\n<colorrampshader>\n<item value=\"a\" color=\"#000000\"/>");
    const std::vector<std::string> small = {"--headless", "--frames", "2", "--size", "64x36"};
    const auto run = [&](std::vector<std::string> more) {
        more.insert(more.end(), small.begin(), small.end());
        return view(more);
    };
    const Finished shown = run({"--ramp", good, "--screenshot", file("a.png")});
    EXPECT_EQ(shown.code, 0) << shown.err;
    const Finished set =
        run({"--set", "render.ramp=" + good, "--set", "render.shading=hypsometric", "--screenshot", file("b.png")});
    EXPECT_EQ(set.code, 0) << set.err;
    const auto contents = [&](const char* name) {
        std::ifstream in(file(name), std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    EXPECT_TRUE(isPng(file("a.png")));
    EXPECT_EQ(contents("a.png"), contents("b.png"));
    for (const std::vector<std::string>& way :
         {std::vector<std::string>{"--ramp", bad}, std::vector<std::string>{"--set", "render.ramp=" + bad}})
    {
        const Finished refused = run(way);
        EXPECT_EQ(refused.code, 5);
        EXPECT_NE(refused.err.find("bad.cpt: line 2: found 'blurple', expected a colour"), refused.err.npos)
            << refused.err;
    }
    const Finished xml = run({"--ramp", style});
    EXPECT_EQ(xml.code, 5);
    EXPECT_NE(xml.err.find("style.qml: line 3: found 'a', expected a height"), xml.err.npos) << xml.err;
    const std::string script = write("s.txt", "set render.ramp " + bad + "\n");
    const Finished step = run({"--script", script});
    EXPECT_EQ(step.code, 5) << step.err;
}

TEST_F(View, AlongAPathAFrameIsAlwaysTheSamePicture)
{
    const auto picture = [&](const std::string& frames, const std::string& path) {
        const std::string name = frames + ".png";
        const Finished run =
            view({"--headless", "--frames", frames, "--size", "160x90", "--path", path, "--screenshot", name});
        EXPECT_EQ(run.code, 0) << run.err;
        return test::contentOf(file(name));
    };
    write("mine.path", test::contentOf(std::string(OROGEN_ROOT) + "/assets/camera_paths/spot.path"));
    const std::string once = picture("40", "spot");
    EXPECT_GT(once.size(), 1'000u);
    EXPECT_EQ(picture("40", "mine.path"), once);
    EXPECT_NE(picture("44", "spot"), once);
}

TEST_F(ViewThorough, ARecordedPathIsSavedLoadedAndPlayedTheSameEveryTime)
{
    const std::string script = std::string(OROGEN_ROOT) + "/tests/cli/scripts/record_and_play.txt";
    std::string kept;
    for (const char* time : {"first", "second"})
    {
        SCOPED_TRACE(time);
        const Finished run = view({"--headless", "--size", "960x540", "--script", script, "--set", "render.scale=25",
                                   "--set", "render.near_detail=false"});
        EXPECT_EQ(run.code, 0) << run.err;
        const std::string saved = test::contentOf(file("mine.path"));
        EXPECT_TRUE(saved.ends_with("end\n")) << saved;
        kept = kept.empty() ? saved : kept;
        EXPECT_EQ(saved, kept);  // the clock counts frames, independent of the machine's speed
    }
}

// 1,904 triangles show the data alone; without a limit of edges, the detail's error bound takes 1.8 million.
TEST_F(ViewThorough, TheEarthsDetailIsDrawnDownToAnEdge)
{
    std::ofstream(file("edge.script")) << "goto 46.55 7.98 9000\nwait settled\nexpect triangles > 2600\n"
                                          "expect triangles < 4500\nquit\n";
    const Finished run = view({"earth", "--headless", "--size", "160x90", "--script", file("edge.script"), "--set",
                               "lod.criterion=error", "--set", "terrain.detail=false", "--set", "render.air=off",
                               "--set", "render.shadows=false", "--set", "earth.detail_edge=36"});
    EXPECT_EQ(run.code, 0) << run.err;
}

// The edge of the terrain in the San Gabriel Mountains is 1,377 m high, the Mojave desert 40 km north-east of it 700 m.
TEST_F(View, TheCameraKeepsAboveTheLandAroundATerrain)
{
    const std::string script =
        write("around.script", "goto 34.75 -117.9 0\nwait settled\nexpect height > 650\nexpect height < 850\n"
                               "set render.border open\n"
                               "goto 34.75 -117.9 0\nwait settled\nexpect height > 1300\nquit\n");
    const Finished run = view({"--headless", "--size", "160x90", "--script", script});
    EXPECT_EQ(run.code, 0) << run.err;
}

// The map looks straight down by itself.
TEST_F(View, AGivenPitchKeepsTheHomeViewsPosition)
{
    const std::array<const char*, 3> cases[] = {
        {"map", "-90", "-90"}, {"map", "-60", "-90"}, {"software", "-60", "-60"}};  // the map looks straight down
    for (const auto& [preset, pitch, shown] : cases)
    {
        const std::string script =
            write("pitch.script",
                  "wait settled\nexpect triangles > 20\nexpect view.pitch == " + std::string(shown) + "\nquit\n");
        const Finished run = view({"synthetic:256", "--preset", preset, "--set", std::string("view.pitch=") + pitch,
                                   "--headless", "--size", "160x90", "--script", script});
        EXPECT_EQ(run.code, 0) << run.err;
    }
}

TEST_F(View, TheGraticuleCrossesTheDateLineAndTheWholeEarth)
{
    write("date.asc", "ncols 3\nnrows 3\nxllcenter 179.5\nyllcenter -0.5\ncellsize 0.5\n1 2 3\n4 5 6\n7 8 9\n");
    std::string whole = "ncols 61\nnrows 21\nxllcenter -180\nyllcenter -60\ncellsize 6\n";
    for (int i = 0; i < 61 * 21; ++i)
        whole += std::to_string(1 + i % 9) + (i % 61 == 60 ? "\n" : " ");
    write("whole.asc", whole);
    write("s.txt", "key F2\nkey Tab\nkey Home\nwait settled\nscreenshot plain.png\nset marks.graticule true\n"
                   "wait settled\nscreenshot lines.png\nquit\n");
    for (const char* const terrain : {"date.asc", "whole.asc"})
    {
        SCOPED_TRACE(terrain);
        const Finished run =
            view({terrain, "--crs", "EPSG:4326", "--headless", "--size", "160x90", "--script", "s.txt"});
        ASSERT_EQ(run.code, 0) << run.err;
        const Picture plain = readPng(file("plain.png")), drawn = readPng(file("lines.png"));
        ASSERT_EQ(plain.rgb.size(), drawn.rgb.size());
        int lit = 0;
        for (std::size_t i = 0; i < plain.rgb.size(); i += 3)
            lit += int(drawn.rgb[i]) - int(plain.rgb[i]) > 40;
        EXPECT_GT(lit, 150);
    }
}

TEST_F(View, ATerrainWithoutLatitudesSaysWhy)
{
    Raster raster;
    raster.width = raster.height = 3;
    raster.heights = {1, 2, 3, 4, 5, 6, 7, 8, 9.5f};
    const auto goTo = [&] {
        EXPECT_TRUE(writeGeoTiff(raster, file("a.tif")));
        return view({file("a.tif"), "--goto", "89.9,0,50000", "--headless", "--frames", "1", "--size", "160x90"});
    };
    EXPECT_NE(goTo().err.find("a.tif: found no georeference, expected one to find"), std::string::npos);
    raster.placement = Placement{.x = 500'000, .y = 4'000'000, .stepEast = 30, .stepSouth = 30};
    raster.crs = "EPSG:32611";
    const Finished beyond = goTo();
    EXPECT_EQ(beyond.code, 5);
    EXPECT_NE(beyond.err.find("lies outside its coordinate system, EPSG:32611"), std::string::npos) << beyond.err;
    raster.placement = Placement{.x = -40'000, .y = 40'000, .stepEast = 40'000, .stepSouth = 40'000};
    raster.crs = "EPSG:3413";  // around the north pole
    const Finished polar = goTo();
    if (polar.err.find("a.tif: found EPSG:3413, expected") != std::string::npos) return;  // built without GDAL
    EXPECT_EQ(polar.code, 0) << polar.err;
    write("line.geojson", R"({"type": "LineString", "coordinates": [[-45, 89.9], [135, 89.9]]})");
    const Finished line =
        view({file("a.tif"), "--overlay", file("line.geojson"), "--headless", "--frames", "2", "--size", "160x90"});
    EXPECT_EQ(line.code, 0);
    EXPECT_EQ(line.err.find("nothing of it lies"), std::string::npos) << line.err;
}

TEST_F(View, KeptSettingsThatThisDriverCannotHoldDoNotLockTheViewerOut)
{
    const Xvfb server;
    ASSERT_NE(server.display(), "") << "Xvfb did not start; this test needs it (Debian: xvfb)";
    fs::create_directories(file("config/orogen"));
    write("config/orogen/settings.json", R"({"cbt.depth": 30, "lod.split_pixels": 24})");
    const RunOptions window{.set = {"DISPLAY=" + server.display()}, .unset = {"WAYLAND_DISPLAY"}};
    const std::vector<std::string> briefly = {"--frames", "3", "--size", "320x200", "--screenshot", "a.png"};
    const Finished run = view(briefly, window);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(isPng(file("a.png")));

    std::vector<std::string> asked = briefly;
    asked.insert(asked.end(), {"--set", "cbt.depth=30"});  // the program must not lower an explicit depth
    EXPECT_EQ(view(asked, window).code, 6);
}

TEST_F(View, SettingsOfAHeadlessRunAreNeitherReadNorKept)
{
    fs::create_directories(file("config/orogen"));
    write("config/orogen/settings.json", R"({"cbt.depth": 12})");
    const std::string script = write("s.txt", "expect cbt.depth == 24\nset cbt.depth 20\nwait 2\nquit\n");
    const Finished run = view({"--headless", "--size", "160x90", "--script", script});
    EXPECT_EQ(run.code, 0) << run.err;
    std::ifstream in(file("config/orogen/settings.json"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), R"({"cbt.depth": 12})");
}

}  // namespace
}  // namespace orogen::test
