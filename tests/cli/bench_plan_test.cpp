// orogen bench MODULE --plan: its output. tests/compute/kernel_plan_test.cpp tests the plans.
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/places.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

using test::Finished;
using Json = nlohmann::json;

class KernelPlanJson : public testing::TestWithParam<const char*>
{
};
INSTANTIATE_TEST_SUITE_P(All, KernelPlanJson, testing::Values("multiword", "signed-digit", "cg"));

TEST_P(KernelPlanJson, HasEveryKeyOfEveryKernelOnEveryGpu)
{
    const Finished run = test::runProgram({OROGEN_PROGRAM, "bench", GetParam(), "--plan", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json json = Json::parse(run.out, nullptr, false);
    ASSERT_TRUE(json.contains("kernels"));
    std::set<std::string> gpus;
    for (const Json& kernel : json.at("kernels"))
    {
        for (const char* key : {"blocks", "resident_blocks", "waves", "warps_share", "last_wave_idle", "bytes",
                                "floor_bytes", "bytes_in_flight", "bytes_in_flight_wanted"})
            ASSERT_TRUE(kernel.at(key).is_number()) << key;
        for (const char* key : {"name", "size", "note"})
            ASSERT_TRUE(kernel.at(key).is_string()) << key;
        gpus.insert(kernel.at("gpu"));
    }
    EXPECT_EQ(gpus, (std::set<std::string>{"H200", "RTX 3080", "RTX 4060"}));
}

TEST(KernelPlanTable, SaysThatNothingWasRun)
{
    const Finished run = test::runProgram({OROGEN_PROGRAM, "bench", "multiword", "--plan"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("nothing was run"), std::string::npos);
    EXPECT_NE(run.out.find("lookback"), std::string::npos);
    EXPECT_NE(run.out.find("RTX 4060"), std::string::npos);
}

TEST(KernelPlanTable, IsRefusedWhereThereAreNoKernelsAndWithQuick)
{
    EXPECT_EQ(test::runProgram({OROGEN_PROGRAM, "bench", "cbt", "--plan"}).code, 2);
    EXPECT_EQ(test::runProgram({OROGEN_PROGRAM, "bench", "cg", "--plan", "--quick"}).code, 2);
}

}  // namespace
}  // namespace orogen
