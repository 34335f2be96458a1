// orogen bench exact: its checks, independent of speed.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/places.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

using Json = nlohmann::json;

// Every sum is compared with another algorithm's. If fsum overflows, it has no sum that could be checked.
TEST(BenchExact, ChecksEverySumThatExists)
{
    const test::Finished run = test::runProgram({OROGEN_PROGRAM, "bench", "exact", "--quick", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json json = Json::parse(run.out);
    int unchecked = 0;
    for (const Json& row : json.at("rows"))
    {
        const std::string algorithm = row.at("algorithm");
        const bool overflows = algorithm == "fsum" && row.at("ratio").is_null();
        const bool only = algorithm == "plain" || algorithm == "kahan" || algorithm == "read" || overflows;
        EXPECT_EQ(row.at("check"), only ? Json() : Json(true)) << row;
        unchecked += overflows;
    }
    EXPECT_EQ(unchecked, 1);
}

}  // namespace
}  // namespace orogen
