// Terrain options of the command line, and a terrain in place of a command.
#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::Finished;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

Finished program(Words arguments, const std::string& folder = {})
{
    arguments.insert(arguments.begin(), OROGEN_PROGRAM);
    return test::runProgram(arguments, {.unset = {"DISPLAY", "WAYLAND_DISPLAY"}, .folder = folder});
}

// Writes 16 x 16 samples around 100, two of them -9999.
void writeGrid(const std::string& path)
{
    std::ofstream file(path);
    file << "ncols 16\nnrows 16\nxllcorner 500000\nyllcorner 3762600\ncellsize 10\n";
    for (int i = 0; i < 256; ++i)
        file << (i == 40 || i == 41 ? -9999 : 100 + i % 16) << (i % 16 == 15 ? '\n' : ' ');
}

// The shipped relief is in metres and degrees.
TEST(TerrainOptions, TheEarthAloneTakesNone)
{
    const test::TemporaryFolder folder;
    for (Words words : {Words{"info", "earth"},
                        {"mesh", "earth", "--crop", "7,46,8,47", "--error-metres", "100", "--out", folder / "a.stl"},
                        {"view", "earth", "--headless", "--frames", "1", "--size", "64x64"}})
    {
        words.insert(words.end(), {"--unit", "foot"});
        const Finished run = program(words, folder.path());
        EXPECT_EQ(run.code, 2) << words[0];
        EXPECT_NE(run.err.find("earth: the Earth alone takes no --unit foot"), std::string::npos) << run.err;
    }
    writeGrid(folder / "a.asc");
    const Finished relief = program({"view", "earth", "--headless", "--frames", "1", "--size", "64x64", "--relief",
                                     folder / "a.asc", "--crs", "EPSG:32611"},
                                    folder.path());
    EXPECT_EQ(relief.code, 0) << relief.err;
}

TEST(TerrainOptions, InfoSaysWhatWasSaid)
{
    const test::TemporaryFolder folder;
    writeGrid(folder / "a.asc");
    const Finished bare = program({"info", folder / "a.asc", "--json"});
    ASSERT_EQ(bare.code, 0) << bare.err;
    const Json json = Json::parse(bare.out);
    EXPECT_EQ(json.at("extent"), (Json{500000.0, 3762600.0, 500160.0, 3762760.0}));
    EXPECT_TRUE(json.at("nodata").is_null());
    EXPECT_TRUE(json.at("vertical_unit").is_null());
    EXPECT_TRUE(json.at("crs").is_null());
    EXPECT_NE(bare.out.find("2 samples of -9999"), std::string::npos) << bare.out;
    EXPECT_NE(bare.out.find("--nodata -9999 masks it"), std::string::npos);
    const Finished said = program({"info", folder / "a.asc", "--json", "--nodata", "-9999", "--crs", "32611", "--unit",
                                   "foot", "--pixel-size", "5,6"});
    ASSERT_EQ(said.code, 0) << said.err;
    const Json better = Json::parse(said.out);
    EXPECT_EQ(better.at("nodata"), -9999.0);
    EXPECT_EQ(better.at("nodata_count"), 2);
    EXPECT_EQ(better.at("vertical_unit"), "foot");
    EXPECT_EQ(better.at("crs"), "EPSG:32611");
    EXPECT_EQ(better.at("pixel_size"), (Json{5.0, 6.0}));
    EXPECT_NEAR(better.at("min").get<double>(), 30.48, 1e-4);
    const Finished text = program({"info", folder / "a.asc", "--crs", "EPSG:32611"});
    EXPECT_NE(text.out.find("centre   34.0047"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("N, 116.99"), std::string::npos) << text.out;
}

TEST(TerrainOptions, BadValuesAreOneLineAndExit2)
{
    for (const char* command : {"info", "view", "capture"})
        for (const Words& bad :
             {Words{"--nodata", "x"}, Words{"--nodata", "nan"}, Words{"--pixel-size", "0,1"},
              Words{"--pixel-size", "1,2,3"}, Words{"--crs", "WGS84"}, Words{"--unit", "yard"}, Words{"--nodata"}})
        {
            Words words = {command, "a.asc"};
            words.insert(words.end(), bad.begin(), bad.end());
            const Finished run = program(words);
            EXPECT_EQ(run.code, 2) << command << " " << bad.front() << ": " << run.err;
            EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        }
    EXPECT_EQ(program({"info", "--unit", "foot"}).code, 2);
    EXPECT_EQ(program({"info", "synthetic:32", "--unit", "foot"}).code, 2);
}

TEST(TerrainOptions, AFileThatOnlyGdalReadsIsNamed)
{
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a.vrt") << "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"></VRTDataset>";
    const Finished run = program({"info", folder / "a.vrt"});
    EXPECT_EQ(run.code, 5);
    EXPECT_EQ(test::lineCount(run.err), 1);
    if (run.err.find("GDAL") == std::string::npos) return;  // GDAL is built in and reports the error
    EXPECT_NE(run.err.find("a GDAL virtual raster (VRT)"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("without it"), std::string::npos) << run.err;
}

TEST(TerrainInThePlaceOfACommandThorough, IsOpened)
{
    const test::TemporaryFolder folder;
    writeGrid(folder / "a.asc");
    const Words few = {"--headless", "--frames", "1", "--size", "32x32"};
    for (const std::string& name : {std::string("a.asc"), std::string("./a.asc"), std::string("synthetic:32:1")})
    {
        Words words = {name};
        words.insert(words.end(), few.begin(), few.end());
        const Finished run = program(words, folder.path());
        EXPECT_EQ(run.code, 0) << name << ": " << run.err;
    }
    // An argument that can only be a path is a missing file; a plain word is an unknown command.
    EXPECT_EQ(program({"./missing.tif", "--headless"}, folder.path()).code, 5);
    const Finished unknown = program({"veiw"}, folder.path());
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("unknown command 'veiw', and no file of that name: expected perhaps view"),
              std::string::npos)
        << unknown.err;
    EXPECT_EQ(program({"missing.tif"}, folder.path()).err.find("expected perhaps"), std::string::npos);
}

TEST(Help, HasExamples)
{
    EXPECT_NE(program({"--help"}).out.find("orogen my.tif --unit foot"), std::string::npos);
    EXPECT_EQ(program({"info", "--help"}).out.find("Examples:"), std::string::npos);
}

}  // namespace
}  // namespace orogen
