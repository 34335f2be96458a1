// orogen reproduce: figures of paper 000.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::Finished;

class SignedDigitFigureFiles : public testing::Test
{
protected:
    std::string read(const std::string& name) const { return temporary_.read(name); }
    const test::TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path();
};

using SignedDigitFigureFilesThorough = SignedDigitFigureFiles;

TEST_F(SignedDigitFigureFilesThorough, AllAreListedAndWritten)
{
    const std::vector<std::string> names = {"signed-digit-float-spacing",
                                            "signed-digit-dot-error",
                                            "signed-digit-dft-error",
                                            "signed-digit-decimal-spacing",
                                            "signed-digit-first",
                                            "signed-digit-second",
                                            "signed-digit-dot"};
    const Finished list = test::runProgram({OROGEN_PROGRAM, "reproduce"});
    std::vector<std::string> words = {OROGEN_PROGRAM, "reproduce", "--out", folder_, "--seconds", "0.005"};
    words.insert(words.end(), names.begin(), names.end());
    const Finished run = test::runProgram(words);
    ASSERT_EQ(run.code, 0) << run.err;
    for (const std::string& name : names)
    {
        EXPECT_NE(list.out.find(name + " "), std::string::npos) << name;
        EXPECT_NE(run.out.find(folder_ + "/" + name + ".csv\n"), std::string::npos) << name;
        EXPECT_TRUE(read(name + ".svg").starts_with("<svg")) << name;
        EXPECT_TRUE(read(name + ".svg").ends_with("</svg>\n")) << name;
        EXPECT_NE(read(name + ".csv").find('\n'), std::string::npos) << name;
    }
    EXPECT_NE(read("signed-digit-dot-error.csv").find("\n13,100,0,0\n"), std::string::npos);
    EXPECT_NE(read("signed-digit-dot-error.csv").find("\n295,,100,0\n"), std::string::npos);
    EXPECT_NE(read("signed-digit-dot-error.svg").find("The paper calls its line single precision"), std::string::npos);
}

TEST_F(SignedDigitFigureFilesThorough, AnUnknownNameIsAUsageError)
{
    const Finished run = test::runProgram({OROGEN_PROGRAM, "reproduce", "signed-digit-speed", "--out", folder_});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(SignedDigitFigureFilesThorough, AnInterruptEndsALongPointSoonAndWritesNothing)
{
    test::RunningProgram program({OROGEN_PROGRAM, "reproduce", "signed-digit-dot", "--out", folder_}, {});
    EXPECT_TRUE(program.waitUntilHandles(SIGINT));
    usleep(1'500'000);  // until the longer points
    program.signal(SIGINT);
    const Finished run = program.finish();
    EXPECT_EQ(run.code, 130);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace orogen
