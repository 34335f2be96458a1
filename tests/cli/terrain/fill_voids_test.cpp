// orogen info FILE --fill-voids OUT.tif
#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

using test::Finished;
using test::runProgram;

// Returns the shipped terrain with a hole of 100 x 100 samples.
Raster holedTerrain()
{
    Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif");
    EXPECT_TRUE(raster) << raster.error().message;
    for (int y = 150; y < 250; ++y)
        std::fill_n(raster->heights.begin() + y * raster->width + 150, 100, kVoid);
    raster->voids = 10'000;
    return std::move(*raster);
}

Finished fill(const std::string& from, const std::string& to)
{
    return runProgram({OROGEN_PROGRAM, "info", "--json", from, "--fill-voids", to});
}

int filesIn(const std::string& folder)
{
    return int(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

TEST(FillVoids, WritesARasterWithoutVoids)
{
    const test::TemporaryFolder folder;
    std::vector<int> values(64, 700);
    values[20] = -32768;
    test::writeBytes(folder / "a_8x8.raw", test::samplesOf<std::int16_t>(values));
    const Finished run =
        runProgram({OROGEN_PROGRAM, "info", "--json", folder / "a_8x8.raw", "--fill-voids", folder / "out.tif"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(nlohmann::json::parse(run.out).at("nodata_count"), 1);
    const Finished filled = runProgram({OROGEN_PROGRAM, "info", "--json", folder / "out.tif"});
    ASSERT_EQ(filled.code, 0) << filled.err;
    const nlohmann::json json = nlohmann::json::parse(filled.out);
    EXPECT_EQ(json.at("nodata_count"), 0);
    EXPECT_EQ(json.at("min"), 700);
    EXPECT_EQ(json.at("max"), 700);
}

TEST(FillVoids, SaysHowItWasSolved)
{
    const test::TemporaryFolder folder;
    ASSERT_TRUE(writeGeoTiff(holedTerrain(), folder / "holed.tif"));
    const Finished run = fill(folder / "holed.tif", folder / "out.tif");
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const nlohmann::json json = nlohmann::json::parse(run.out).at("fill_voids");
    EXPECT_EQ(json.at("unknowns"), 10'000);
    EXPECT_GT(json.at("iterations"), 5);
    EXPECT_LE(json.at("relative_residual"), 1e-8);
    EXPECT_GT(json.at("relative_residual"), 0);
    EXPECT_EQ(json.at("history").size(), json.at("iterations").get<std::size_t>() + 1);
    EXPECT_EQ(json.at("backend"), "cpu");
    EXPECT_GT(json.at("time_ms").at("solve"), 0);
}

TEST(FillVoids, LeavesWhatIsKnownAsItIs)
{
    const test::TemporaryFolder folder;
    const Raster holed = holedTerrain();
    ASSERT_TRUE(writeGeoTiff(holed, folder / "holed.tif"));
    ASSERT_EQ(fill(folder / "holed.tif", folder / "out.tif").code, 0);
    const Result<Raster> filled = loadRaster(folder / "out.tif");
    ASSERT_TRUE(filled) << filled.error().message;
    EXPECT_EQ(filled->voids, 0u);
    EXPECT_EQ(filled->bits, 16);
    ASSERT_EQ(filled->heights.size(), holed.heights.size());
    std::size_t changed = 0;
    for (std::size_t i = 0; i < holed.heights.size(); ++i)
        changed += !std::isnan(holed.heights[i]) && holed.heights[i] != filled->heights[i];
    EXPECT_EQ(changed, 0u);
}

TEST(FillVoids, KeepsTheGeoreference)
{
    const test::TemporaryFolder folder;
    const Raster holed = holedTerrain();
    ASSERT_TRUE(writeGeoTiff(holed, folder / "holed.tif"));
    ASSERT_EQ(fill(folder / "holed.tif", folder / "out.tif").code, 0);
    const Result<Raster> filled = loadRaster(folder / "out.tif");
    ASSERT_TRUE(filled && filled->placement && holed.placement);
    EXPECT_EQ(filled->crs, holed.crs);
    EXPECT_EQ(filled->placement->geographic, holed.placement->geographic);
    EXPECT_EQ(filled->placement->x, holed.placement->x);
    EXPECT_EQ(filled->placement->y, holed.placement->y);
    EXPECT_EQ(filled->placement->stepEast, holed.placement->stepEast);
    EXPECT_EQ(filled->placement->stepSouth, holed.placement->stepSouth);
}

TEST(FillVoids, NothingButVoidsIsAnInputErrorAndLeavesNoFile)
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder / "a_8x8.raw", test::samplesOf<std::int16_t>(std::vector<int>(64, -32768)));
    const Finished run = fill(folder / "a_8x8.raw", folder / "out.tif");
    EXPECT_EQ(run.code, 5);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    EXPECT_NE(run.err.find("a_8x8.raw"), std::string::npos) << run.err;
    EXPECT_EQ(filesIn(folder.path()), 1);
}

TEST(FillVoids, WhereNothingCanBeWrittenItEndsWith8)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info", OROGEN_ROOT "/assets/heightmaps/jacksboro.tif",
                                     "--fill-voids", "/no/such/folder/out.tif"});
    EXPECT_EQ(run.code, 8);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
}

// A hole of four million samples takes seconds, so the signal arrives before the end.
TEST(FillVoidsThorough, ASignalStopsTheSolverAndLeavesNoFile)
{
    const test::TemporaryFolder folder;
    constexpr std::size_t kSide = 2000;
    std::vector<std::int16_t> samples(kSide * kSide, -32768);
    for (std::size_t i = 0; i < kSide; ++i)
        samples[i] = samples[i * kSide] = std::int16_t(i);
    test::writeBytes(folder / "a_2000x2000.raw", test::samplesOf<std::int16_t>(samples));
    for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}})
    {
        test::RunningProgram program(
            {OROGEN_PROGRAM, "info", folder / "a_2000x2000.raw", "--fill-voids", folder / "out.tif"}, {});
        EXPECT_TRUE(program.waitUntilHandles(SIGTERM));
        usleep(400'000);  // lets the file be read
        program.signal(signal);
        const Finished run = program.finish();
        EXPECT_EQ(run.code, code);
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_EQ(filesIn(folder.path()), 1);
    }
}

}  // namespace
}  // namespace orogen
