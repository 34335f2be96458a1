// Rules of the command line as a whole: exit codes, and one line per error.
#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

using test::Finished;
using test::runProgram;

Finished orogen(std::vector<std::string> arguments, const test::RunOptions& options = {})
{
    arguments.insert(arguments.begin(), OROGEN_PROGRAM);
    return runProgram(arguments, options);
}

class UsageError : public testing::TestWithParam<std::vector<std::string>>
{
};

TEST_P(UsageError, IsOneLineAndExit2)
{
    const Finished run = orogen(GetParam());
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    EXPECT_EQ(run.err.rfind("orogen: ", 0), 0u) << run.err;
}

using Words = std::vector<std::string>;
INSTANTIATE_TEST_SUITE_P(CommandLine, UsageError,
                         testing::Values(Words{"veiw"}, Words{"--bogus"}, Words{"view", "--bogus"},
                                         Words{"view", "a.tif", "b.tif"}, Words{"info", "--json", "a.tif", "b.tif"},
                                         Words{"view", "--size", "15x100"}, Words{"view", "--size", "100x16385"},
                                         Words{"view", "--size", "100"}, Words{"view", "--size", "0x64x64"},
                                         Words{"view", "--size", " 64x64"}, Words{"view", "--size", "64x64 "},
                                         Words{"view", "--size", "-64x64"}, Words{"view", "--size"},
                                         Words{"view", "--size", "64x64", "--size", "64x64"},
                                         Words{"view", "--frames", "0"}, Words{"view", "--frames", "-1"},
                                         Words{"view", "--frames", "1.5"}, Words{"view", "--frames", "99999999999"},
                                         Words{"view", "--vsync", "maybe"}, Words{"view", "--ui-scale", "0.4"},
                                         Words{"view", "--ui-scale", "nan"}, Words{"view", "--gpu", "-1"},
                                         Words{"view", "--gpu", "one"}, Words{"view", "--set"},
                                         Words{"view", "info", "x"}, Words{"info", "--fill-voids", "x.tif"},
                                         Words{"view", "--headless", "--preset", "x"}, Words{"a\nb"}));

TEST(CommandLine, OutOfRangeNamesTheRange)
{
    EXPECT_NE(orogen({"view", "--size", "8x8"}).err.find("16 to 16384"), std::string::npos);
    EXPECT_NE(orogen({"view", "--ui-scale", "9"}).err.find("0.5 to 4"), std::string::npos);
}

TEST(CommandLine, AnUnknownOptionWithAValueIsNamed)
{
    const Finished run = orogen({"view", "--width", "1280", "--height", "720"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("--width"), std::string::npos) << run.err;
}

class Help : public testing::TestWithParam<std::vector<std::string>>
{
};

TEST_P(Help, GoesToStandardOutput)
{
    const Finished run = orogen(GetParam());
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_GT(test::lineCount(run.out), 4);
    EXPECT_NE(run.out.find("Usage: orogen"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(CommandLine, Help,
                         testing::Values(Words{"--help"}, Words{"-h"}, Words{"view", "--help"}, Words{"info", "--help"},
                                         Words{"compare", "--help"}, Words{"report", "--help"}));

TEST(CommandLine, HelpStatesTheDefaultsThatApply)
{
    const auto line = [](const char* command, const std::string& option) {
        const std::string help = orogen({command, "--help"}).out;
        const std::size_t begin = help.find("\n  " + option + ' ') + 1;
        return help.substr(begin, help.find("\n  --", begin) - begin);
    };
    EXPECT_EQ(line("view", "--frames").find("headless: 120"), std::string::npos);
    EXPECT_NE(line("view", "--frames").find("with --path 120"), std::string::npos);
    EXPECT_NE(line("view", "--screenshot").find("orogen-view/view.png"), std::string::npos);
    EXPECT_EQ(line("pack-scene", "--size").find("1280x720"), std::string::npos);
    EXPECT_NE(line("capture", "--size").find("1280x720"), std::string::npos);
    EXPECT_NE(line("sweep", "--size").find("640x360"), std::string::npos);
    EXPECT_NE(line("sweep", "--path").find("of the Earth: around"), std::string::npos);
}

TEST(CommandLine, HelpOfAModuleListsItsAlgorithms)
{
    EXPECT_NE(orogen({"cg", "solve", "--help"}).out.find("hestenes-stiefel"), std::string::npos);
    EXPECT_NE(orogen({"matrix", "product", "--help"}).out.find("by-terms, by-blocks, tiled, tensor"),
              std::string::npos);
}

TEST(CommandLine, VersionIsOneLine)
{
    const Finished run = orogen({"--version"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.out.rfind("orogen 0.", 0), 0u) << run.out;
    EXPECT_EQ(test::lineCount(run.out), 1);
}

TEST(CommandLine, OutputThatIsLostIsAnError)
{
    for (const std::string command : {"--help", "--version", "info"})
    {
        SCOPED_TRACE(command);
        const Finished run = orogen({command}, {.standardOutput = "/dev/full"});
        EXPECT_EQ(run.code, 8);
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    }
}

// An argument that can only be a file name is a missing file, whatever the command.
TEST(CommandLine, AnAbsentFileIsNoUnknownCommand)
{
    for (const Words& words :
         {Words{"my_dem.tif"}, Words{"my.scene.json"}, Words{"folder/dem"},
          Words{"view", "my_dem.tif", "--headless", "--frames", "1"}, Words{"info", "my_dem.tif"},
          Words{"import", "my_dem.tif", "out.tif"}, Words{"capture", "my_dem.tif", "--headless", "--out", "none"}})
    {
        const Finished run = orogen(words);
        EXPECT_EQ(run.code, 5) << words[0] << ": " << run.err;
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_NE(run.err.find(": No such file or directory"), std::string::npos) << run.err;
    }
}

}  // namespace
}  // namespace orogen
