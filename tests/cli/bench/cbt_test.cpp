// orogen bench cbt: its output, independent of speed.
#include <csignal>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/support/places.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

using test::Finished;
using Json = nlohmann::json;

TEST(BenchTreeThorough, ComparesEveryAlgorithmAndChecksEachResult)
{
    const Finished run = test::runProgram({OROGEN_PROGRAM, "bench", "cbt", "--quick", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json json = Json::parse(run.out);
    for (const char* key : {"algorithm", "backend", "baseline", "instruction_set", "threads", "load_before", "time_ms"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json.at("algorithm"), "cbt");
    std::map<std::string, std::set<std::string>> layouts;
    std::map<std::tuple<std::string, int, std::string>, double> first;  // reference row of the ratios
    for (const Json& row : json.at("rows"))
    {
        const std::string section = row.at("section");
        layouts[section].insert(row.at("layout"));
        EXPECT_EQ(row.at("check"), true) << row;
        const double minimum = row.at("time_ms").at("minimum");
        EXPECT_GT(minimum, 0);
        EXPECT_GE(row.at("time_ms").at("median"), minimum);
        EXPECT_GE(row.at("rounds"), 9);
        const auto [reference, isFirst] = first.try_emplace({section, row.at("depth"), row.at("fill")}, minimum);
        EXPECT_NEAR(row.at("ratio").get<double>(), minimum / reference->second, 1e-9) << row;
        for (const char* key : {"variant", "instruction_set", "threads", "amount", "ratio_median", "spread"})
            EXPECT_TRUE(row.contains(key)) << key;
    }
    for (const char* section : {"reduction", "instruction-sets", "threads", "decode", "changes", "update"})
        EXPECT_TRUE(layouts.contains(section)) << section;
    for (const char* section : {"reduction", "decode"})
        EXPECT_EQ(layouts[section], (std::set<std::string>{"packed", "wide"})) << section;
}

TEST(BenchTreeThorough, ShowsWhatDecodingWhileUpdatingCosts)
{
    const Finished run = test::runProgram({OROGEN_PROGRAM, "bench", "cbt", "--quick", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json json = Json::parse(run.out);
    int sound = 0, shown = 0;
    for (const Json& row : json.at("order"))
    {
        const bool checked = !row.at("check").is_null();
        sound += checked;
        EXPECT_TRUE(!checked || (row.at("differing") == 0 && row.at("faulty") == 0)) << row;
        if (row.at("variant") != "paper: fused, conforming") continue;
        ++shown;
        EXPECT_GT(row.at("differing"), 0) << row;
        EXPECT_GT(row.at("faulty"), 0) << row;
    }
    EXPECT_EQ(sound, 2);
    EXPECT_EQ(shown, 2);
}

TEST(BenchTreeThorough, PrintsATableWithoutJson)
{
    const Finished run = test::runProgram({OROGEN_PROGRAM, "bench", "cbt", "--quick"});
    ASSERT_EQ(run.code, 0) << run.err;
    for (const char* text : {"libcbt", "paper", "peers", "ratio", "spread", "check", "equal", "load before"})
        EXPECT_NE(run.out.find(text), std::string::npos) << text << "\n" << run.out;
    EXPECT_EQ(run.out.find("DIFFERENT"), std::string::npos) << run.out;
}

TEST(BenchTreeThorough, StopsOnInterrupt)
{
    test::RunningProgram program({OROGEN_PROGRAM, "bench", "cbt"}, {});
    EXPECT_TRUE(program.waitUntilHandles(SIGINT));
    usleep(100'000);
    program.signal(SIGINT);
    const Finished run = program.finish();
    EXPECT_EQ(run.code, 130);
    EXPECT_EQ(run.out, "");
}

}  // namespace
}  // namespace orogen
