// orogen pack-scene, and view and capture of the packed scene.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/frames/report/report_json.h"
#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kTerrain = std::string(OROGEN_ROOT) + "/assets/heightmaps/jacksboro.tif";

class SceneCommand : public testing::Test
{
protected:
    Finished orogen(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin(), OROGEN_PROGRAM);
        return runProgram(arguments, {.set = {"XDG_CONFIG_HOME=" + folder_ / "config"},
                                      .unset = {"DISPLAY", "WAYLAND_DISPLAY"},
                                      .folder = folder_.path()});
    }
    void expectOneLine(const Finished& run, int code, const std::string& part) const
    {
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(lineCount(run.err), 1) << run.err;
        EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
    }
    void packTerrain() const
    {
        fs::create_directories(folder_ / "data");
        fs::create_directories(folder_ / "scenes");
        fs::copy_file(kTerrain, folder_ / "data/t.tif");
        const Finished run = orogen({"pack-scene", "scenes/s.orogen", "data/t.tif", "--path", "ridge", "--set",
                                     "lod.split_pixels=20", "--size", "64x48"});
        ASSERT_EQ(run.code, 0) << run.err;
    }
    std::vector<std::string> viewed(const std::string& scene, std::vector<std::string> further = {}) const
    {
        std::vector<std::string> words = {"view", scene, "--headless", "--frames", "1"};
        words.insert(words.end(), further.begin(), further.end());
        return words;
    }
    const TemporaryFolder folder_;
};

TEST_F(SceneCommand, PacksWhatViewWouldBeginWith)
{
    const Finished run = orogen({"pack-scene", "s.orogen", "synthetic:64:3", "--set", "cbt.depth=18", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json json = Json::parse(run.out);
    std::ifstream file(folder_ / "s.orogen");
    EXPECT_EQ(Json::parse(file), json);
    EXPECT_EQ(json["format"], "orogen.scene/1");
    EXPECT_EQ(json["settings"]["cbt.depth"], 18);
    EXPECT_FALSE(json["settings"].contains("view.position")) << "none was asked for";
    EXPECT_EQ(json["terrain"]["kind"], "synthetic");
    EXPECT_EQ(json["terrain"]["name"], "synthetic:64:3");
    EXPECT_TRUE(json["path"].is_null() && json["size"].is_null());
}

TEST_F(SceneCommand, NamesAPathWithoutANameAfterItsFile)
{
    fs::create_directories(folder_ / "paths");
    std::ofstream(folder_ / "paths/flat #2.path") << "orogen camera path 1\nunits terrain\n0 0 0 0.9 0 -20 60\nend\n";
    const Finished run = orogen({"pack-scene", "s.orogen", "synthetic:64", "--path", "paths/flat #2.path", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_NE(Json::parse(run.out)["path"].get<std::string>().find("\nname flat\n"), std::string::npos) << run.out;
}

using SceneCommandThorough = SceneCommand;

TEST_F(SceneCommandThorough, CaptureTakesSettingsPathSizeAndTerrain)
{
    packTerrain();
    const Finished run = orogen({"capture", "scenes/s.orogen", "--out", "out", "--frames", "3", "--warmup", "0"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Result<FrameReport> report = readReport(folder_ / "out/report.json");
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->metadata.width, 64);
    EXPECT_EQ(report->metadata.height, 48);
    EXPECT_NE(report->metadata.pathName.value_or("").find("idge"), std::string::npos);
    EXPECT_EQ(Json::parse(report->settings)["lod.split_pixels"], 20);
    // Options on the command line override the scene.
    ASSERT_EQ(orogen({"capture", "scenes/s.orogen", "--out", "other", "--frames", "3", "--warmup", "0", "--path",
                      "overview", "--size", "32x32", "--set", "lod.split_pixels=30"})
                  .code,
              0);
    const Result<FrameReport> other = readReport(folder_ / "other/report.json");
    ASSERT_TRUE(other);
    EXPECT_EQ(other->metadata.width, 32);
    EXPECT_NE(other->metadata.pathHash, report->metadata.pathHash);
    EXPECT_EQ(Json::parse(other->settings)["lod.split_pixels"], 30);
}

TEST_F(SceneCommandThorough, MovesWithItsTerrainAndFindsItElsewhere)
{
    packTerrain();
    fs::create_directories(folder_ / "moved");
    fs::rename(folder_ / "data", folder_ / "moved/data");
    expectOneLine(orogen(viewed("scenes/s.orogen")), 5, "terrain: found nothing at ");
    EXPECT_EQ(orogen(viewed("scenes/s.orogen", {"--terrain", "moved/data/t.tif"})).code, 0);
    fs::rename(folder_ / "scenes", folder_ / "moved/scenes");
    EXPECT_EQ(orogen(viewed("moved/scenes/s.orogen")).code, 0);
}

TEST_F(SceneCommand, OfAChangedTerrainIs5WithBothHashes)
{
    packTerrain();
    std::ofstream(folder_ / "data/t.tif", std::ios::app) << "x";
    const Finished run = orogen(viewed("scenes/s.orogen"));
    expectOneLine(run, 5, "terrain: found SHA-256 ");
    std::ifstream file(folder_ / "scenes/s.orogen");
    EXPECT_NE(run.err.find("expected SHA-256 " + Json::parse(file)["terrain"]["sha256"].get<std::string>()),
              std::string::npos)
        << run.err;
    expectOneLine(orogen({"capture", "scenes/s.orogen", "--terrain", "synthetic:64", "--out", "out"}), 5, "expected");
    EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(SceneCommand, WhatIsAskedForWronglyIsOneLineWithItsCode)
{
    std::ofstream(folder_ / "there.orogen") << "mine";
    std::ofstream(folder_ / "bad.orogen") << "{\"format\": \"orogen.scene/7\"}";
    std::ofstream(folder_ / "text.tif") << "no raster";
    fs::copy_file(kTerrain, folder_ / "t.tif");
    expectOneLine(orogen({"pack-scene", "there.orogen", "synthetic:64"}), 8, "there.orogen");
    EXPECT_EQ(fs::file_size(folder_ / "there.orogen"), 4u);
    EXPECT_EQ(orogen({"pack-scene", "there.orogen", "synthetic:64", "--force"}).code, 0);
    expectOneLine(orogen({"pack-scene", "t.tif", "t.tif", "--force"}), 8, "t.tif");
    expectOneLine(orogen({"pack-scene", "no/folder/s.orogen", "synthetic:64"}), 8, "no/folder");
    expectOneLine(orogen({"pack-scene", "s.orogen", "none.tif"}), 5, "none.tif");
    expectOneLine(orogen({"pack-scene", "s.orogen", "text.tif"}), 5, "text.tif");
    expectOneLine(orogen({"pack-scene", "s.orogen", "synthetic:64", "--path", "nowhere"}), 5, "nowhere");
    expectOneLine(orogen({"pack-scene", "s.orogen", "synthetic:64", "--set", "cbt.depth=99"}), 2, "cbt.depth");
    expectOneLine(orogen({"pack-scene"}), 2, "OUT");
    expectOneLine(orogen(viewed("bad.orogen")), 5, "orogen.scene/1");
    expectOneLine(orogen(viewed("synthetic:64", {"--terrain", "t.tif"})), 2, "--terrain");
    EXPECT_FALSE(fs::exists(folder_ / "s.orogen"));
}

TEST_F(SceneCommand, OfTheShippedTerrainIsPackedAgain)
{
    ASSERT_EQ(orogen({"pack-scene", "a.orogen", "--set", "lod.split_pixels=25"}).code, 0);
    const Finished again = orogen({"pack-scene", "b.orogen", "a.orogen", "--path", "spot", "--json"});
    ASSERT_EQ(again.code, 0) << again.err;
    const Json json = Json::parse(again.out);
    EXPECT_EQ(json["terrain"]["kind"], "shipped");
    EXPECT_EQ(json["settings"]["lod.split_pixels"], 25);
    EXPECT_FALSE(json["path"].is_null());
}

}  // namespace
}  // namespace orogen::test
