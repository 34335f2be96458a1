// Tiled terrains on the command line: the output of info, and sources that every command refuses.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/terrain/io/gdal_reader.h"
#include "tests/support/imports.h"
#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_scale.h"

namespace orogen::test {
namespace {

class Sources : public testing::Test
{
protected:
    Finished orogen(std::vector<std::string> words) const
    {
        words.insert(words.begin(), OROGEN_PROGRAM);
        RunOptions options{.set = {"GDAL_HTTP_TIMEOUT=2", "GDAL_HTTP_MAX_RETRY=0",
                                   "XDG_CONFIG_HOME=" + (folder_ / "config"), "XDG_CACHE_HOME=" + (folder_ / "cache")},
                           .unset = {"DISPLAY", "WAYLAND_DISPLAY"},
                           .folder = folder_.path()};
        return runProgram(words, options);
    }
    nlohmann::json info(const std::string& dem) const
    {
        const Finished run = orogen({"info", "--json", dem});
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        return nlohmann::json::parse(run.out, nullptr, false);
    }
    void writeVirtual(const std::string& name, const std::string& source, int side) const
    {
        const std::string text = std::to_string(side);
        folder_.write(name, "<VRTDataset rasterXSize=\"" + text + "\" rasterYSize=\"" + text +
                                "\"><VRTRasterBand dataType=\"Int16\" band=\"1\"><SimpleSource><SourceFilename "
                                "relativeToVRT=\"1\">" +
                                source +
                                "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>"
                                "</VRTDataset>");
    }
    // Checks two commands that open a terrain (all of them in long tests): exit 5, one line that contains `words`, and
    // no file written.
    void expectRefused(const std::string& dem, const std::string& words) const
    {
        std::vector<std::vector<std::string>> commands = {
            {"info", dem},
            {"import", dem, "out.tif"},
            {"view", dem, "--headless", "--frames", "1", "--size", "64x64"},
            {"capture", dem, "--out", "report", "--frames", "2", "--warmup", "0", "--size", "64x64"}};
        commands.resize(scaled(2u, 4u));
        for (const std::vector<std::string>& command : commands)
        {
            SCOPED_TRACE(command[0] + " " + dem);
            const Finished run = orogen(command);
            EXPECT_EQ(run.code, 5);
            EXPECT_EQ(run.out, "");
            EXPECT_EQ(lineCount(run.err), 1) << run.err;
            EXPECT_NE(run.err.find(dem), std::string::npos) << run.err;
            EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
            EXPECT_FALSE(std::filesystem::exists(folder_ / "report"));
            EXPECT_FALSE(std::filesystem::exists(folder_ / "out.tif"));
        }
    }
    const TemporaryFolder folder_;
};

TEST_F(Sources, InfoOfATerrainInTilesHasTheContractsKeys)
{
    const nlohmann::json json = info("synthetic:131072");
    EXPECT_EQ(json.at("width"), 131'072);
    EXPECT_EQ(json.at("heights_of"), "all");
    EXPECT_TRUE(json.at("nodata_count").is_null());
    const nlohmann::json& tiles = json.at("tiles");
    EXPECT_EQ(tiles.at("levels"), 11);
    EXPECT_EQ(tiles.at("count"), 1'398'101);
    EXPECT_EQ(tiles.at("samples"), (std::vector{129, 129}));
    EXPECT_EQ(tiles.at("stored_levels"), std::vector{0});
    EXPECT_EQ(tiles.at("overviews"), "none");
    EXPECT_EQ(tiles.at("bounds_stored"), true);
    EXPECT_EQ(tiles.at("remote"), false);
}

using SourcesThorough = Sources;

// Half a gigabyte of samples in kilobytes: too large a claim for readers of whole files.
TEST_F(SourcesThorough, InfoOfAnImportedFileKnowsItsLevelsAndBounds)
{
    makeSparseCog(folder_ / "sparse.tif", 16'384, 32);
    const nlohmann::json json = info("sparse.tif");
    EXPECT_EQ(json.at("width"), 16'384);
    EXPECT_EQ(json.at("heights_of"), "all");
    EXPECT_EQ(json.at("tiles").at("overviews"), "samples");
    EXPECT_EQ(json.at("tiles").at("bounds_stored"), true);
    EXPECT_EQ(json.at("tiles").at("stored_levels").size(), json.at("tiles").at("levels").get<std::size_t>());
    EXPECT_TRUE(json.at("warnings").empty()) << json;
    const Finished text = orogen({"info", "sparse.tif"});
    EXPECT_NE(text.out.find("overviews: samples; errors exact"), std::string::npos) << text.out;
}

TEST_F(Sources, VirtualRastersMayNotNameThemselvesOrANetwork)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    writeVirtual("self.vrt", "self.vrt", 64);
    expectRefused("self.vrt", "names itself");
    writeVirtual("far.vrt", "/vsicurl/http://127.0.0.1:9/a.tif", 20'000);
    expectRefused("far.vrt", "a file may not send the program to a network");
}

TEST_F(Sources, ANetworkIsReachedByGdalsNamesAlone)
{
    expectRefused("ftp://example.org/a.tif", "/vsicurl/ftp://example.org/a.tif");
}

TEST_F(Sources, AServerThatIsNotThereIsNamedWithTheReason)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    expectRefused("/vsicurl/http://127.0.0.1:9/a.tif", "onnect");
    expectRefused("http://127.0.0.1:9/a.tif", "onnect");
}

TEST_F(Sources, WhatIsReadByTilesNeedsAGeoreference)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    writeVirtual("bare.vrt", "none.tif", 20'000);
    expectRefused("bare.vrt", "--pixel-size");
}

TEST_F(Sources, ArchivesAndScenesSayHowTheyAreOpened)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    folder_.write("a.zip", "PK\3\4 and no archive");
    expectRefused("a.zip", "a raster in a zip archive is named /vsizip/a.zip/FILE");
    folder_.write("a.orogen", "{\n \"format\": \"orogen.scene/1\"\n}\n");
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"info", "a.orogen"}, {"import", "a.orogen", "b.tif"}})
    {
        const Finished run = orogen(command);
        EXPECT_EQ(run.code, 5);
        EXPECT_NE(run.err.find("a scene, which orogen view, capture and record open"), std::string::npos) << run.err;
    }
}

TEST_F(Sources, TheEarthIsNoTerrainToImportOrToAge)
{
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"import", "earth", "a.tif"}, {"model", "earth", "--uplift", "1", "--out", "a.tif"}})
    {
        const Finished run = orogen(command);
        EXPECT_EQ(run.code, 5);
        EXPECT_NE(run.err.find("earth: " + command[0] + " takes no Earth"), std::string::npos) << run.err;
    }
}

TEST_F(Sources, TheTerrainModelReadsPathsOfGdal)
{
    if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
    const std::string file = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";
    for (const auto& [name, out] :
         {std::pair<std::string, const char*>{file, "a.tif"}, {"/vsisubfile/0," + file, "b.tif"}})
    {
        const Finished run = orogen({"model", name, "--uplift", "1", "--years", "1000", "--out", out});
        EXPECT_EQ(run.code, 0) << run.err;
    }
    EXPECT_EQ(folder_.read("a.tif"), folder_.read("b.tif"));
    const Finished url = orogen({"model", "https://x.org/a.tif", "--uplift", "1", "--out", "c.tif"});
    EXPECT_EQ(url.code, 5);
    EXPECT_NE(url.err.find("by the name /vsicurl/https://x.org/a.tif"), std::string::npos) << url.err;
    const Finished none = orogen({"model", "/vsizip/none.zip/a.tif", "--uplift", "1", "--out", "c.tif"});
    EXPECT_EQ(none.code, 5);
    EXPECT_EQ(lineCount(none.err), 1) << none.err;
}

TEST_F(Sources, WhatNeedsGdalSaysHowToGetIt)
{
    if (hasGdal()) GTEST_SKIP() << "built with GDAL";
    writeVirtual("a.vrt", "a.tif", 64);
    for (const char* const dem : {"a.vrt", "/vsicurl/http://127.0.0.1:9/a.tif"})
        expectRefused(dem, "./run viewer");
}

}  // namespace
}  // namespace orogen::test
