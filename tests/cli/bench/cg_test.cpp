// orogen bench cg: its output, independent of speed.
#include <csignal>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/support/places.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

using test::Finished;
using Json = nlohmann::json;

// Runs the benchmark once for all tests.
const Json& quickBench()
{
    static const Json json = [] {
        const Finished run = test::runProgram({OROGEN_PROGRAM, "bench", "cg", "--quick", "--json"});
        EXPECT_EQ(run.code, 0) << run.err;
        return Json::parse(run.out, nullptr, false);
    }();
    return json;
}

bool leftOut(const std::string& what)
{
    for (const Json& reason : quickBench().at("left_out"))
        if (reason.get<std::string>().starts_with(what)) return true;
    return false;
}

TEST(BenchCgThorough, SetsEveryAlgorithmBesideEigenAndLapack)
{
    for (const char* key : {"algorithm", "backend", "time_ms", "instruction_set", "eigen", "load_before", "tolerance"})
        ASSERT_TRUE(quickBench().contains(key)) << key;
    std::set<std::pair<std::string, std::string>> pairs;
    std::set<std::string> operations;
    for (const Json& row : quickBench().at("rows"))
    {
        const std::string baseline = row.at("baseline");
        pairs.emplace(row.at("algorithm"), baseline.substr(0, baseline.find(',')));
        operations.insert(row.at("operation"));
    }
    for (const auto& pair :
         {std::pair{"paper", "Eigen"}, std::pair{"paper-one-product", "paper"}, std::pair{"hestenes-stiefel", "Eigen"},
          std::pair{"symmetric-half", "Eigen"}, std::pair{"symmetric-half, mixed", "Eigen"},
          std::pair{"all of A", "reading A"}, std::pair{"half of A", "all of A"}})
        EXPECT_TRUE(pairs.contains(pair)) << pair.first << " beside " << pair.second;
    if (leftOut("dposv")) return;
    for (const char* algorithm : {"symmetric-half", "symmetric-half, mixed", "cholesky"})
        EXPECT_TRUE(pairs.contains({algorithm, "LAPACK dposv"})) << algorithm;
    EXPECT_EQ(operations, (std::set<std::string>{"multiply", "product", "solve", "sum"}));
    EXPECT_TRUE(quickBench().at("openblas_core").is_string());
}

TEST(BenchCgThorough, ItsRatiosAreOfTheMinima)
{
    for (const Json& row : quickBench().at("rows"))
    {
        const Json& ms = row.at("time_ms");
        EXPECT_GT(ms.at("minimum"), 0);
        EXPECT_GE(ms.at("median"), ms.at("minimum"));
        EXPECT_GE(ms.at("baseline_median"), ms.at("baseline_minimum"));
        EXPECT_NEAR(row.at("ratio").get<double>(),
                    ms.at("baseline_minimum").get<double>() / ms.at("minimum").get<double>(), 1e-9);
        EXPECT_GE(row.at("rounds"), 3);
    }
}

TEST(BenchCgThorough, EverySolutionHasTheResidualThatWasAskedFor)
{
    int solves = 0;
    for (const Json& row : quickBench().at("rows"))
    {
        EXPECT_EQ(row.at("check"), true) << row;
        if (row.at("operation") != "solve") continue;
        ++solves;
        for (const char* key : {"relative_residual", "baseline_relative_residual"})
        {
            EXPECT_LE(row.at(key), 1.01e-10) << row;
            EXPECT_GT(row.at(key), 0) << row;
        }
    }
    EXPECT_GE(solves, 4);
}

// Expected products are summed in extended precision: a difference of 0 would mean that a result checks itself.
TEST(BenchCgThorough, ProductsAreCheckedAgainstAnIndependentSum)
{
    int products = 0;
    for (const Json& row : quickBench().at("rows"))
    {
        if (row.at("operation") != "multiply") continue;
        ++products;
        EXPECT_GT(row.at("difference"), 0) << row;
        EXPECT_LE(row.at("difference"), 1e-12) << row;
    }
    EXPECT_GE(products, 2);
}

TEST(BenchCgThorough, CountsTheProductsOfThePapersAlgorithmAndOfOneProduct)
{
    for (const Json& row : quickBench().at("rows"))
    {
        if (row.at("operation") != "solve") continue;
        const std::string algorithm = row.at("algorithm");
        const std::uint64_t steps = row.at("iterations"), products = row.at("products");
        if (algorithm == "cholesky") continue;
        EXPECT_GT(steps, 10u) << algorithm;
        // The first residual and the last check, plus rechecks where the recurrence is not trusted.
        const std::uint64_t times = algorithm == "paper" ? 3 : 1;
        EXPECT_GE(products + 1, times * steps + 2) << algorithm;  // the paper's first step has no delta
        EXPECT_LE(products, times * steps + 5) << algorithm;
    }
}

TEST(BenchCgThorough, AsksOpenBlasForItsBestCodeUnlessTheUserDid)
{
    if (leftOut("dposv")) GTEST_SKIP() << "no OpenBLAS";
    const Finished run =
        test::runProgram({OROGEN_PROGRAM, "bench", "cg", "--quick", "--json"}, {.set = {"OPENBLAS_CORETYPE=Nehalem"}});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(Json::parse(run.out).at("openblas_core"), "Nehalem");
    if (quickBench().at("instruction_set") == "avx512")
    {
        EXPECT_EQ(quickBench().at("openblas_core"), "SkylakeX");
    }
}

TEST(BenchCgThorough, StopsOnInterrupt)
{
    // Without OPENBLAS_CORETYPE, the program restarts itself and has no signal handler for a moment.
    test::RunningProgram program({OROGEN_PROGRAM, "bench", "cg"}, {.set = {"OPENBLAS_CORETYPE=Haswell"}});
    EXPECT_TRUE(program.waitUntilHandles(SIGINT));
    usleep(100'000);
    program.signal(SIGINT);
    const Finished run = program.finish();
    EXPECT_EQ(run.code, 130);
    EXPECT_EQ(run.out, "");
}

}  // namespace
}  // namespace orogen
