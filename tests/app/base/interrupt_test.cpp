// Tests of SIGINT and SIGTERM as requests to stop, and of the default action that a third signal restores.
#include <csignal>

#include <gtest/gtest.h>

#include "app/base/process.h"

namespace orogen::app {
namespace {

class InterruptDeathTest : public testing::Test
{
protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(InterruptDeathTest, WhereNothingIsToBeKeptASignalEndsTheProgramAtOnceWithItsCode)
{
    const auto end = [](int signal) {
        installSignalHandlers();
        const ExitAtOnce exit;
        std::raise(signal);
    };
    EXPECT_EXIT(end(SIGINT), testing::ExitedWithCode(130), "^orogen: interrupted\n$");
    EXPECT_EXIT(end(SIGTERM), testing::ExitedWithCode(143), "^orogen: terminated\n$");
}

TEST_F(InterruptDeathTest, BeforeAndAfterThatItIsAskedForAndTheProgramGoesOn)
{
    const auto end = [] {
        installSignalHandlers();
        {
            const ExitAtOnce exit;
        }
        const bool before = interruption().has_value();
        std::raise(SIGINT);
        std::_Exit(!before && interruption() ? 77 : 78);
    };
    EXPECT_EXIT(end(), testing::ExitedWithCode(77), "");
}

TEST_F(InterruptDeathTest, AnInnerExitAtOnceLeavesTheOuterOneInForce)
{
    const auto end = [] {
        installSignalHandlers();
        const ExitAtOnce outer;
        {
            const ExitAtOnce inner;
        }
        std::raise(SIGINT);
        std::_Exit(78);
    };
    EXPECT_EXIT(end(), testing::ExitedWithCode(130), "^orogen: interrupted\n$");
}

// The third signal restores the default action for the next one. Clearing the request restarts the count of signals.
TEST_F(InterruptDeathTest, AClearedInterruptCountsFromTheBeginning)
{
    const auto end = [] {
        installSignalHandlers();
        std::raise(SIGINT);
        std::raise(SIGINT);
        requestInterrupt(0);
        for (int i = 0; i < 3; ++i)
            std::raise(SIGINT);
        std::_Exit(77);
    };
    EXPECT_EXIT(end(), testing::ExitedWithCode(77), "");
}

}  // namespace
}  // namespace orogen::app
