// The terrain model in the viewer, by scripts: the picture keeps its error, strokes replay, files survive a kill.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/terrain/io/load_raster.h"
#include "tests/support/places.h"
#include "tests/support/png_file.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_scale.h"
#include "tests/support/xvfb.h"

namespace orogen::test {
namespace {

class LivingTerrain : public testing::Test
{
protected:
    std::vector<std::string> command(const std::string& script, const std::vector<std::string>& words) const
    {
        std::ofstream(folder_ / "model.script") << script;
        std::vector<std::string> all = {OROGEN_PROGRAM,          "view", "--headless", "--size", "160x90", "--script",
                                        folder_ / "model.script"};
        all.insert(all.end(), words.begin(), words.end());
        return all;
    }
    RunOptions options() const { return {.unset = {"DISPLAY", "WAYLAND_DISPLAY"}, .folder = folder_.path()}; }
    Finished view(const std::string& script, const std::vector<std::string>& words = {"synthetic:129:4"}) const
    {
        RunOptions patient = options();
        patient.timeout = scaled(patient.timeout, 5000.0);
        return runProgram(command(script, words), patient);
    }
    static std::vector<std::string> inTiles(const std::string& terrain)
    {
        return {terrain, "--set", "terrain.tiles=always"};
    }
    std::string read(const std::string& name) const
    {
        std::ostringstream all;
        all << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
        return all.str();
    }

    const TemporaryFolder folder_;
};

const std::string kRates = "set model.uplift 1\nset model.incision 2e-5\nset model.repose 35\nset model.creep 0.01\n"
                           "set model.step_years 20000\n";
const std::string kChecks = "expect error_max_px <= 1.25\nexpect cracks == 0\n";

TEST_F(LivingTerrain, KeepsToTheErrorInEveryFrame)
{
    std::string script = kRates + "set lod.criterion error\nset lod.error_pixels 1\nwait settled\nmodel run 2\n";
    for (int frame = 0; frame < scaled(1, 4); ++frame)
        script += "wait 1\n" + kChecks;
    script += "wait settled\nexpect pending == 0\nexpect model.years == 40000\nexpect model.imbalance <= 1e-6\n"
              "expect model.residual <= 1e-8\nexpect model.moved_m3 > 1e6\n" +
              kChecks;
    const std::vector<const char*> brushes = {"raise 0 0 1500 300", "noise 900 -500 800 60", "smooth 0 0 900 1",
                                              "fault 300 0 2000 80"};
    for (std::size_t i = 0; i < scaled<std::size_t>(1, brushes.size()); ++i)
        script += fmt::format("brush {}\n", brushes[i]) + kChecks + "wait 1\n";
    script += "undo\nredo\nwait settled\n" + kChecks +
              "model undo\nwait settled\nexpect model.years == 0\n"
              "model play\nwait 2\nmodel pause\nwait settled\nexpect model.years > 0\n"
              "model reset\nwait settled\nexpect model.years == 0\nexpect gl_errors == 0\nquit\n";
    const Finished run = view(script);
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(LivingTerrain, HoldsWhenAnotherTerrainIsOpened)
{
    const Finished run = view(kRates + "model play\nwait 4\nexpect model.years > 0\nexpect model.play == true\n"
                                       "open synthetic:65:1\nwait settled\nexpect model.play == false\nwait 4\n"
                                       "expect model.years == 0\nquit\n");
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(LivingTerrain, DropsRequestsToATerrainWithoutHeights)
{
    std::ofstream(folder_ / "void.asc") << "ncols 3\nnrows 3\nxllcorner 500000\nyllcorner 4000000\ncellsize 30\n"
                                           "NODATA_value 0\n0 0 0\n0 0 0\n0 0 0\n";
    const Finished run = view("wait settled\nbrush raise 0 0 60 30\nmodel save none.tif\nwait 2\nexpect pending == 0\n"
                              "quit\n",
                              {"void.asc"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.err.find("found no height in any sample"), std::string::npos) << run.err;
}

using LivingTerrainThorough = LivingTerrain;

// A flight by seed over ground that ages: every frame keeps to the error and has no crack.  The ground jumps by no more
// than without the model, and by what its steps move it.
TEST_F(LivingTerrainThorough, KeepsToTheErrorInAFlight)
{
    constexpr double kJump = 1.0, kMoved = 0.5;  // pixels
    for (const bool ages : {false, true})
    {
        std::mt19937 random(600);
        const auto between = [&](double low, double high) {
            return std::uniform_real_distribution<>(low, high)(random);
        };
        std::string script =
            kRates + "set model.step_years 500\nset lod.criterion error\nset lod.error_pixels 1\n"
                     "set lod.rounds 4\nset terrain.detail false\nset view.position 0,0,6000\nset view.pitch -25\n"
                     "wait settled\nexpect jump_max_px >= 0\n";
        if (ages) script += "model play\n";
        double east = 0, north = 0, yaw = 0, turn = 0;
        for (int frame = 0; frame < scaled(3, ages ? 600 : 150); ++frame)
        {
            turn = 0.9 * turn + between(-0.2, 0.2);
            yaw += turn;
            east = std::clamp(east + 20 * std::sin(yaw * std::numbers::pi / 180), -15'000.0, 15'000.0);
            north = std::clamp(north + 20 * std::cos(yaw * std::numbers::pi / 180), -15'000.0, 15'000.0);
            script +=
                fmt::format("set view.position {:.1f},{:.1f},6000\nset view.yaw {:.2f}\nwait 1\n{}"
                            "expect jump_max_px <= {}\nexpect model.change_px <= {}\n",
                            east, north, std::fmod(yaw + 3600, 360), kChecks, ages ? kJump + kMoved : kJump, kMoved);
        }
        script += ages ? "expect model.years > 1000\nexpect model.imbalance <= 1e-6\n" : "expect model.years == 0\n";
        const Finished run = view(script + "expect gl_errors == 0\nquit\n");
        EXPECT_EQ(run.code, 0) << (ages ? "ages: " : "still: ") << run.err;
    }
}

// The slopes and light of a stroke's box are those of the whole terrain computed anew.
TEST_F(LivingTerrain, AStrokeIsShadedAtOnce)
{
    const Finished run = view("key F2\nkey Tab\nkey Home\nset lod.criterion error\nset lod.geomorph false\n"
                              "set render.shading normals\nbrush raise 0 0 1000 1\nwait settled\n"
                              "screenshot before.png\nbrush raise 0 0 5000 800\nscreenshot stroke.png\n"
                              "wait settled\nscreenshot settled.png\nquit\n");
    ASSERT_EQ(run.code, 0) << run.err;
    const Picture before = readPng(folder_ / "before.png"), stroke = readPng(folder_ / "stroke.png"),
                  settled = readPng(folder_ / "settled.png");
    const auto differing = [](const Picture& a, const Picture& b) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < a.rgb.size(); ++i)
            count += std::abs(int(a.rgb[i]) - int(b.rgb[i])) > 8;
        return double(count) / double(a.rgb.size());
    };
    ASSERT_EQ(before.rgb.size(), stroke.rgb.size());
    ASSERT_EQ(settled.rgb.size(), stroke.rgb.size());
    EXPECT_GT(differing(before, settled), 0.005) << "the stroke shows";
    EXPECT_LT(differing(stroke, settled), 0.0005);
}

TEST_F(LivingTerrain, StrokesAndTheirUndoEqualTheReplay)
{
    std::mt19937 random(11);
    const auto between = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
    std::string storm;
    std::vector<std::string> left, undone;
    for (int i = 0; i < scaled(30, 10'000); ++i)
    {
        if (const unsigned what = unsigned(random() % 5); what == 0 && !left.empty())
        {
            storm += "undo\n";
            undone.push_back(left.back());
            left.pop_back();
            continue;
        }
        else if (what == 1 && !undone.empty())
        {
            storm += "redo\n";
            left.push_back(undone.back());
            undone.pop_back();
            continue;
        }
        constexpr const char* kKinds[] = {"raise", "lower", "smooth", "flatten", "noise", "fault"};
        const auto kind = std::size_t(random() % 6);
        const double amount = kind == 2 || kind == 3 ? between(0, 1) : between(0, 50);
        left.push_back(fmt::format("brush {} {:.3f} {:.3f} {:.3f} {:.6f}\n", kKinds[kind], between(-20'000, 20'000),
                                   between(-20'000, 20'000), between(320, 4'000), amount));
        storm += left.back();
        undone.clear();
    }
    std::string replay;
    for (const std::string& stroke : left)
        replay += stroke;
    const std::string end = "wait settled\nexpect cracks == 0\nmodel save {}\nwait settled\nquit\n";
    for (const auto& [script, file] : {std::pair(storm, "storm.tif"), std::pair(replay, "replay.tif")})
    {
        const Finished run = view(script + fmt::format(fmt::runtime(end), file));
        ASSERT_EQ(run.code, 0) << run.err;
    }
    EXPECT_GT(read("storm.tif").size(), 129u * 129u * 4u);
    EXPECT_TRUE(read("storm.tif") == read("replay.tif"));
}

// In a window, the first step of a run is still being computed in the next frame.
TEST_F(LivingTerrain, UndoOfARunWithoutACompletedStepKeepsTheRunBefore)
{
    const Xvfb server;
    ASSERT_NE(server.display(), "") << "Xvfb did not start; this test needs it (Debian: xvfb)";
    std::ofstream(folder_ / "undo.script") << kRates +
                                                  "model run 1\nwait settled\nexpect model.years == 20000\n"
                                                  "model run 1\nmodel undo\nwait settled\nexpect model.years == 20000\n"
                                                  "model undo\nwait settled\nexpect model.years == 0\nquit\n";
    const Finished run =
        runProgram({OROGEN_PROGRAM, "view", "synthetic:257:4", "--size", "160x90", "--script", folder_ / "undo.script"},
                   {.set = {"DISPLAY=" + server.display(), "XDG_CONFIG_HOME=" + folder_.path()},
                    .unset = {"WAYLAND_DISPLAY"},
                    .folder = folder_.path()});
    EXPECT_EQ(run.code, 0) << run.err;
}

TEST_F(LivingTerrainThorough, ComputesStepsByOpenGlAndKernels)
{
    std::string script = kRates + "set model.backend {}\nmodel run 3\nwait settled\nexpect model.years == 60000\n"
                                  "expect model.imbalance <= 1e-6\nexpect model.residual <= 1e-8\n"
                                  "expect model.residual > 0\nexpect model.moved_m3 > 1e6\n"
                                  "model undo\nwait settled\nexpect model.years == 0\nmodel play\nwait 2\n"
                                  "set model.backend cpu\nwait 2\nmodel pause\nwait settled\n"
                                  "expect model.years >= 60000\nexpect gl_errors == 0\nquit\n";
    for (const char* backend : {"opengl", "host-kernel"})
    {
        const Finished run = view(fmt::format(fmt::runtime(script), backend), {"synthetic:65:4"});
        EXPECT_EQ(run.code, 0) << backend << ": " << run.err;
    }
}

// Rivers are blue; the colours follow steps, their undo and strokes.
TEST_F(LivingTerrainThorough, ShowsDrainedArea)
{
    const Finished run = view(kRates + "key F2\nkey Tab\nkey Home\nset render.shading drainage\nwait settled\n"
                                       "screenshot before.png\nmodel run 3\nwait settled\nscreenshot steps.png\n"
                                       "model undo\nwait settled\nscreenshot undone.png\n"
                                       "brush raise 0 0 8000 3000\nwait settled\nscreenshot stroke.png\n"
                                       "model reset\nwait settled\nscreenshot reset.png\nexpect gl_errors == 0\n"
                                       "set terrain.tiles always\nopen synthetic:129:4\nwait settled\nquit\n");
    ASSERT_EQ(run.code, 0) << run.err;
    const auto rivers = [&](const char* name) {
        const Picture picture = readPng(folder_ / name);
        std::vector<bool> found;
        for (std::size_t i = 0; i + 2 < picture.rgb.size(); i += 3)
            found.push_back(int(picture.rgb[i + 2]) - int(picture.rgb[i]) > 50);
        return found;
    };
    const auto share = [](const std::vector<bool>& of) {
        return double(std::count(of.begin(), of.end(), true)) / double(of.size());
    };
    const auto apart = [](const std::vector<bool>& a, const std::vector<bool>& b) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < a.size(); ++i)
            count += a[i] != b[i];
        return double(count) / double(a.size());
    };
    const std::vector<bool> before = rivers("before.png");
    EXPECT_GT(share(before), 0.01);
    EXPECT_LT(share(before), 0.5);
    EXPECT_GT(apart(before, rivers("steps.png")), 0.002);
    EXPECT_LT(apart(before, rivers("undone.png")), 0.001);
    EXPECT_GT(apart(before, rivers("stroke.png")), 0.002);
    EXPECT_LT(apart(before, rivers("reset.png")), 0.002);
}

TEST_F(LivingTerrainThorough, SaysWhereThereIsNoModel)
{
    const Finished still = view("model run 1\n");
    EXPECT_EQ(still.code, 2);
    EXPECT_NE(still.err.find("nothing would change, expected one of model.creep"), std::string::npos) << still.err;
    const Finished earth = view(kRates + "model run 1\n", {"earth"});
    EXPECT_EQ(earth.code, 2);
    EXPECT_NE(earth.err.find("not the Earth"), std::string::npos) << earth.err;
    const Finished image = view("model window\n");
    EXPECT_EQ(image.code, 2);
    EXPECT_NE(image.err.find("one image, all of which changes"), std::string::npos) << image.err;
    const Finished large = view("set model.level 0\nmodel window 0 0 90000\n", inTiles("synthetic:4097:4"));
    EXPECT_EQ(large.code, 2);
    EXPECT_NE(large.err.find("expected at most 2048"), std::string::npos) << large.err;
    const Finished none = view(kRates + "model undo\n");
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("no run to take back"), std::string::npos) << none.err;
}

// ---- terrain in tiles ----

// A flight by seed over a window that ages and is painted: each frame keeps to the error and has no crack.
TEST_F(LivingTerrainThorough, KeepsToTheErrorInTiles)
{
    std::mt19937 random(61);
    const auto between = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
    std::string script = kRates +
                         "key F2\nkey Tab\nset model.step_years 2000\nset lod.criterion error\nset lod.error_pixels 1\n"
                         "set view.position 0,-4000,12000\nset view.pitch -60\nset terrain.detail false\nset "
                         "patch.level 0\nset lod.rounds 4\n"
                         "wait settled\nmodel window 300 -200 16000\nbrush raise 0 3000 1200 3000\n"
                         "wait settled\n" +
                         kChecks;
    std::string place;
    for (int frame = 0; frame < scaled(12, 600); ++frame)
    {
        // A peak, and its ground lowered again.
        if (frame % 8 == 1) place = fmt::format("{:.1f} {:.1f} 1200", between(-3000, 3000), between(1000, 5000));
        if (frame % 4 == 1) script += fmt::format("brush {} {} 3000\n", frame % 8 == 1 ? "raise" : "lower", place);
        if (frame % 4 == 2) script += "model play\n";
        if (frame % 4 == 0) script += "model pause\n";
        script += fmt::format("set view.position {:.1f},{:.1f},12000\nwait 1\n{}", between(-10, 10) + 4.0 * frame,
                              between(-4010, -3990), kChecks);
    }
    script += "model pause\nwait settled\nexpect pending == 0\nexpect model.years > 2000\n"
              "expect model.imbalance <= 1e-6\nexpect gl_errors == 0\n" +
              kChecks + "model reset\nwait settled\nexpect model.years == 0\n" + kChecks + "quit\n";
    const Finished run = view(script, inTiles("synthetic:1025:4"));
    EXPECT_EQ(run.code, 0) << run.err;
}

// Returns heights by file; all of them known.
std::vector<float> heightsOf(const std::filesystem::path& file)
{
    const Result<Raster> raster = loadRaster(file.string());
    EXPECT_TRUE(raster) << file;
    return raster ? raster->heights : std::vector<float>();
}

// A window that covers all of a small terrain gives the heights that the terrain gets as one image.  A small one
// changes nothing around it.
TEST_F(LivingTerrainThorough, SavesInTilesWhatItShows)
{
    const std::string terrain = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";
    const std::string changes = kRates + "brush raise 1000 -500 3000 400\nmodel run 2\nbrush noise -4000 2000 2500 80\n"
                                         "wait settled\nmodel save changed.tif\nwait settled\nquit\n";
    ASSERT_EQ(view(changes, {terrain}).code, 0);
    const std::vector<float> before = heightsOf(terrain), image = heightsOf(folder_ / "changed.tif");
    const Finished tiles = view("set model.level 0\n" + changes, inTiles(terrain));
    ASSERT_EQ(tiles.code, 0) << tiles.err;
    EXPECT_NE(read("changed.tif").find("LAYOUT=IFDS_BEFORE_DATA"), std::string::npos) << "a Cloud Optimized GeoTIFF";
    const std::vector<float> all = heightsOf(folder_ / "changed.tif");
    ASSERT_EQ(view("model window 1000 -500 8000\n" + changes, inTiles(terrain)).code, 0);
    const std::vector<float> window = heightsOf(folder_ / "changed.tif");
    ASSERT_EQ(all.size(), before.size());
    ASSERT_EQ(image.size(), before.size());
    ASSERT_EQ(window.size(), before.size());
    double apart = 0, moved = 0;
    std::size_t equal = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        apart = std::max(apart, std::fabs(double(all[i]) - double(image[i])));
        moved = std::max(moved, std::fabs(double(window[i]) - double(before[i])));
        equal += window[i] == before[i];
    }
    EXPECT_LE(apart, 1e-3);
    EXPECT_GT(moved, 300);
    const double share = double(equal) / double(all.size());
    EXPECT_GT(share, 0.9);
    EXPECT_LT(share, 0.97);
}

// Light, colours and the picture after a change are those of the saved terrain.
TEST_F(LivingTerrainThorough, LooksInTilesLikeItsFile)
{
    const std::string look = "key F2\nkey Tab\nset view.position 0,-9000,5000\nset view.pitch -32\nset view.yaw 0\n"
                             "set lod.criterion error\nset lod.geomorph false\nset terrain.detail false\n";
    const Finished run = view(look + "wait settled\nscreenshot before.png\nbrush raise 0 0 2500 1200\nwait settled\n"
                                     "screenshot changed.png\nmodel reset\nwait settled\nscreenshot reset.png\n"
                                     "brush raise 0 0 2500 1200\nmodel save changed.tif\nwait settled\nquit\n",
                              inTiles(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif"));
    ASSERT_EQ(run.code, 0) << run.err;
    const Finished opened =
        view(look + "wait settled\nscreenshot opened.png\nquit\n", inTiles(folder_ / "changed.tif"));
    ASSERT_EQ(opened.code, 0) << opened.err;
    const auto differing = [&](const char* one, const char* other) {
        const Picture a = readPng(folder_ / one), b = readPng(folder_ / other);
        std::size_t count = 0;
        for (std::size_t i = 0; i < a.rgb.size(); ++i)
            count += std::abs(int(a.rgb[i]) - int(b.rgb[i])) > 12;
        return double(count) / double(a.rgb.size());
    };
    EXPECT_GT(differing("before.png", "changed.png"), 0.1);
    EXPECT_LT(differing("opened.png", "changed.png"), 0.01);
    EXPECT_LT(differing("before.png", "reset.png"), 0.01);
}

TEST_F(LivingTerrain, AKillWhileSavingLeavesTheOldFileOrTheNew)
{
    // Moments by seed, up to twice the time until the file is first replaced here; both outcomes must occur.
    const std::string old(1000, 'o');
    std::mt19937 random(32);
    int olds = 0, news = 0;
    double range = 3'000;  // microseconds
    for (int moment = 0; moment < scaled(2, 40); ++moment)
    {
        std::ofstream(folder_ / "kept.tif") << old;
        const double delay = moment == 0 ? 0 : std::uniform_real_distribution<>(0, range)(random);
        std::string saves = "brush raise 0 0 900 10\nwait settled\nopen /nonexistent\n";
        for (int i = 0; i < 40; ++i)
            saves += "model save kept.tif\n";
        RunningProgram program(command(saves, {"synthetic:513:4", "--set", "cbt.depth=12"}), options());
        // Opening fails with a message right before the first save.
        program.waitForError("nonexistent");
        usleep(useconds_t(delay));
        program.signal(SIGKILL);
        program.finish();
        const bool isOld = read("kept.tif") == old;
        ++(isOld ? olds : news);
        if (isOld && news == 0) range *= 1.5;
        if (isOld) continue;
        if (news == 1) range = 2 * std::max(delay, 1'000.0);
        EXPECT_EQ(runProgram({OROGEN_PROGRAM, "info", folder_ / "kept.tif"}).code, 0) << delay;
    }
    EXPECT_EQ(olds + news, scaled(2, 40));
    EXPECT_TRUE(!longTests() || (olds > 0 && news > 0)) << olds << " old, " << news << " new";
}

}  // namespace
}  // namespace orogen::test
