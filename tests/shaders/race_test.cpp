// The shader libraries, the wide tree, the pool and the filling of voids under ThreadSanitizer, in a separate program
// (tests/race).  Correct code must be silent; planted races must be reported, or the test would be blind.
#include <string>

#include <gtest/gtest.h>
#include <sys/personality.h>

#include "tests/support/run_program.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

constexpr int kRaceReported = 66;

class Races : public testing::Test
{
protected:
    // ThreadSanitizer needs fixed address ranges; programs started from here inherit this setting.
    void SetUp() override
    {
        before_ = personality(0xffffffff);
        personality(unsigned(before_) | ADDR_NO_RANDOMIZE);
    }
    void TearDown() override { personality(unsigned(before_)); }

    static test::Finished run(const std::string& kind, int runs)
    {
        return test::runProgram({OROGEN_RACE_PROGRAM, kind, std::to_string(runs)},
                                {.set = {"TSAN_OPTIONS=halt_on_error=1:exitcode=" + std::to_string(kRaceReported)},
                                 .timeout = test::scaled(test::kHangs, 3000.0)});
    }
    static bool cannotStart(const test::Finished& finished)
    {
        return finished.err.find("FATAL: ThreadSanitizer") != std::string::npos;
    }
    static void expectReport(const std::string& kind, const std::string& file)
    {
        const test::Finished finished = run(kind, 20);
        if (cannotStart(finished)) GTEST_SKIP() << finished.err;
        EXPECT_EQ(finished.code, kRaceReported) << "blind: a planted race was not reported\n" << finished.err;
        EXPECT_NE(finished.err.find("data race"), std::string::npos) << finished.err;
        EXPECT_NE(finished.err.find(file), std::string::npos) << finished.err;
    }

private:
    int before_ = 0;
};

using RacesThorough = Races;

TEST_F(RacesThorough, ThereAreNoneInTheLibraries)
{
    const test::Finished finished = run("proper", test::scaled(80, 10'000));
    if (cannotStart(finished)) GTEST_SKIP() << finished.err;
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
}

TEST_F(RacesThorough, ThereAreNoneInTheWideTree)
{
    const test::Finished finished = run("tree", test::scaled(80, 5'000));
    if (cannotStart(finished)) GTEST_SKIP() << finished.err;
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
}

TEST_F(RacesThorough, ThereAreNoneInThePool)
{
    const test::Finished finished = run("pool", test::scaled(16, 1'000));
    if (cannotStart(finished)) GTEST_SKIP() << finished.err;
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
}

TEST_F(RacesThorough, ThereAreNoneInTheFillingOfVoids)
{
    const test::Finished finished = run("voids", test::scaled(1, 50));
    if (cannotStart(finished)) GTEST_SKIP() << finished.err;
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
}

TEST_F(Races, ASumThatEveryPieceAddsToIsReported) { expectReport("voids-summed-by-all-pieces", "void_races.cpp"); }

TEST_F(Races, ATreeReducedWhileItIsSplitIsReported) { expectReport("tree-reduced-while-split", "core/cbt/"); }

TEST_F(Races, ATreeDecodedWhileItsCountsChangeIsReported) { expectReport("tree-decoded-while-changed", "core/cbt/"); }

TEST_F(Races, CountsThatEveryClaimedPieceWritesAreReported) { expectReport("tree-reduced-by-all-pieces", "core/cbt/"); }

TEST_F(Races, APoolReadWhileItsLeavesAreWrittenIsReported) { expectReport("pool-checked-while-applied", "pool.cpp"); }

TEST_F(Races, SlotsFoundWhileBitsAreSetAreReported) { expectReport("pool-slots-found-while-taken", "core/cbt/"); }

TEST_F(Races, AWordClearedAndThenSetIsReported) { expectReport("clear-then-set", "cbt.glsl"); }

TEST_F(Races, AFieldReadWhileItIsWrittenIsReported) { expectReport("read-while-write", "cbt.glsl"); }

}  // namespace
}  // namespace orogen
