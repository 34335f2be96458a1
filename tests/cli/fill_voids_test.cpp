// orogen info FILE --fill-voids OUT.tif
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

using test::Finished;
using test::runProgram;

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

TEST(FillVoids, WhereNothingCanBeWrittenItEndsWith8)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info", OROGEN_ROOT "/assets/heightmaps/jacksboro.tif",
                                     "--fill-voids", "/no/such/folder/out.tif"});
    EXPECT_EQ(run.code, 8);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
}

}  // namespace
}  // namespace orogen
