// orogen bench multiword and orogen reproduce: their output, independent of speed.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::Finished;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

Finished orogen(Words arguments)
{
    arguments.insert(arguments.begin(), OROGEN_PROGRAM);
    return test::runProgram(arguments);
}

TEST(BenchMultiwordThorough, ComparesEveryAlgorithmOnRandomAndHostileDataAndChecksIt)
{
    const Finished run = orogen({"bench", "multiword", "--quick", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json json = Json::parse(run.out);
    for (const char* key : {"algorithm", "backend", "time_ms"})
        EXPECT_TRUE(json.contains(key)) << key;
    std::set<std::string> algorithms, data;
    std::set<std::uint64_t> sizes;
    for (const Json& row : json.at("rows"))
    {
        const std::string algorithm = row.at("algorithm");
        algorithms.insert(algorithm);
        data.insert(row.at("data"));
        sizes.insert(row.at("bytes").get<std::uint64_t>());
        EXPECT_GT(row.at("time_ms").at("minimum"), 0);
        EXPECT_GE(row.at("time_ms").at("median"), row.at("time_ms").at("minimum"));
        EXPECT_NEAR(row.at("ratio").get<double>(),
                    row.at("time_ms").at("gmp_minimum").get<double>() / row.at("time_ms").at("minimum").get<double>(),
                    1e-9);
        EXPECT_EQ(row.at("check"), algorithm == "limbwise" ? Json(nullptr) : Json(true)) << row;
    }
    for (const char* algorithm : {"simd", "recursive", "lookahead", "paper-1-2", "limbwise"})
        EXPECT_TRUE(algorithms.contains(algorithm)) << algorithm;
    EXPECT_EQ(data, (std::set<std::string>{"ones", "random"}));
    EXPECT_TRUE(sizes.contains(1 << 10) && sizes.contains(4 << 20));
}

TEST(BenchMultiwordThorough, StopsOnInterrupt)
{
    test::RunningProgram program({OROGEN_PROGRAM, "bench", "multiword"}, {});
    EXPECT_TRUE(program.waitUntilHandles(SIGINT));
    usleep(100'000);
    program.signal(SIGINT);
    const Finished run = program.finish();
    EXPECT_EQ(run.code, 130);
    EXPECT_EQ(run.out, "");
}

class Reproduce : public testing::Test
{
protected:
    std::string read(const std::string& name) const { return temporary_.read(name); }
    const test::TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path();
};

using ReproduceThorough = Reproduce;

TEST_F(ReproduceThorough, WithoutANameListsTheFigures)
{
    const Finished run = orogen({"reproduce"});
    EXPECT_EQ(run.code, 0);
    EXPECT_NE(run.out.find("multiword-operations"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("multiword-time"), std::string::npos) << run.out;
}

TEST_F(ReproduceThorough, WritesACsvAndAnSvgForEachFigure)
{
    const std::string out = folder_ + "/new/folder";
    const Finished run =
        orogen({"reproduce", "multiword-operations", "multiword-time", "--out", out, "--seconds", "0.002"});
    ASSERT_EQ(run.code, 0) << run.err;
    for (const std::string name : {"multiword-operations", "multiword-time"})
    {
        EXPECT_TRUE(read("new/folder/" + name + ".svg").starts_with("<svg")) << name;
        EXPECT_NE(read("new/folder/" + name + ".csv").find('\n'), std::string::npos) << name;
    }
    EXPECT_NE(read("new/folder/multiword-operations.csv").find("\n16,1585,1585,"), std::string::npos);
    EXPECT_NE(read("new/folder/multiword-time.csv").find("gmp"), std::string::npos);
}

TEST_F(ReproduceThorough, ErrorsAreOneLineWithTheirExitCode)
{
    const struct
    {
        Words arguments;
        int code;
    } cases[] = {{{"multiword-speed", "--out", folder_}, 2},
                 {{"multiword-operations"}, 2},
                 {{"multiword-operations", "--out", folder_, "--seconds", "0"}, 2},
                 {{"multiword-operations", "--out", "/dev/null/figures"}, 8}};
    for (const auto& [arguments, code] : cases)
    {
        Words words = {"reproduce"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        const Finished run = orogen(words);
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_EQ(run.out, "");
    }
}

}  // namespace
}  // namespace orogen
