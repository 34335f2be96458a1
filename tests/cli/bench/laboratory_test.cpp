// orogen reproduce: the figures of paper 002, and the GPU's part of bench cbt.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::Finished;

TEST(TreeFiguresThorough, AreListedAndWritten)
{
    const test::TemporaryFolder folder;
    const Finished list = test::runProgram({OROGEN_PROGRAM, "reproduce"});
    std::vector<std::string> words = {OROGEN_PROGRAM, "reproduce", "--out", folder.path(), "--seconds", "0.002"};
    for (const std::string name :
         {"tree-bit-field", "tree-reduction", "tree-decoding", "tree-reduction-decoding", "tree-cycle"})
    {
        EXPECT_NE(list.out.find(name + " "), std::string::npos) << name;
        words.push_back(name);
    }
    const Finished run = test::runProgram(words);
    ASSERT_EQ(run.code, 0) << run.err;
    std::ostringstream csv;
    csv << std::ifstream(folder / "tree-bit-field.csv").rdbuf();
    EXPECT_NE(csv.str().find("depth,"), std::string::npos);
    EXPECT_NE(csv.str().find("\n10,"), std::string::npos);
    EXPECT_NE(csv.str().find("\n30,"), std::string::npos);
    EXPECT_NE(csv.str().find("more than 0.002 s from D = "), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(folder / "tree-cycle.svg"));
}

TEST(TreeBenchThorough, NamesTheGpuAndChecksItsRows)
{
    const Finished run = test::runProgram({OROGEN_PROGRAM, "bench", "cbt", "--quick", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const nlohmann::json json = nlohmann::json::parse(run.out);
    EXPECT_FALSE(json["gpu"].get<std::string>().starts_with("none")) << json["gpu"];
    int rows = 0;
    for (const auto& row : json["rows"])
    {
        if (!row["section"].get<std::string>().starts_with("gpu-")) continue;
        ++rows;
        EXPECT_EQ(row["check"], true) << row;
        EXPECT_GT(row["time_ms"]["minimum"], 0) << row;
    }
    EXPECT_EQ(rows, 9);
}

}  // namespace
}  // namespace orogen
