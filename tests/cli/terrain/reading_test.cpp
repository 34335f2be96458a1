// Input of the command line: refused by its size, and abandoned on a signal if it blocks.
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::Finished;
using test::TemporaryFolder;
using Words = std::vector<std::string>;

struct Reading
{
    const char* name;
    Words words;  // arguments; "FILE" stands for the file
};

void PrintTo(const Reading& reading, std::ostream* out) { *out << reading.name; }

Words commandOn(const Reading& reading, const std::string& file)
{
    Words words = {OROGEN_PROGRAM};
    for (std::string word : reading.words)
    {
        if (const std::size_t at = word.find("FILE"); at != word.npos) word.replace(at, 4, file);
        words.push_back(word);
    }
    return words;
}

const Reading kSettings = {"Settings", {"view", "--headless", "--frames", "1", "--settings", "FILE"}};
const Reading kSide = {"Side", {"capture", "--out", "FILE.capture", "--frames", "1", "--interleave", "FILE", "FILE"}};

class SparseFile : public testing::TestWithParam<Reading>
{
};

TEST_P(SparseFile, IsRefusedByItsSize)
{
    const TemporaryFolder folder;
    const std::string file = folder.write("sparse.path", "");
    std::filesystem::resize_file(file, std::uint64_t(8) << 30);
    const Finished run = test::runProgram(commandOn(GetParam(), file));
    EXPECT_EQ(run.code, 5) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    EXPECT_NE(run.err.find("sparse.path: found 8589934592 bytes, expected at most "), std::string::npos) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    Reading, SparseFile,
    testing::Values(kSettings, kSide, Reading{"Script", {"view", "--headless", "--script", "FILE"}},
                    Reading{"CameraPath", {"view", "--headless", "--frames", "1", "--path", "FILE"}}),
    [](const auto& test) { return std::string(test.param.name); });

class SilentPipe : public testing::TestWithParam<Reading>
{
};

TEST_P(SilentPipe, IsLeftOnASignal)
{
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    for (const int signal : {SIGINT, SIGTERM})
    {
        test::RunningProgram program(commandOn(GetParam(), folder / "pipe"), {.timeout = 30});
        EXPECT_TRUE(program.waitUntilHandles(signal));
        program.signal(signal);
        const Finished run = program.finish();
        EXPECT_FALSE(run.timedOut);
        EXPECT_EQ(run.code, 128 + signal) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    }
}

INSTANTIATE_TEST_SUITE_P(Reading, SilentPipe,
                         testing::Values(kSettings, kSide, Reading{"Replay", {"cbt", "replay", "FILE", "--depth", "6"}},
                                         Reading{"Integer", {"multiword", "add", "@FILE", "1"}},
                                         Reading{"Decimal", {"signed-digit", "subtract", "@FILE", "1"}},
                                         Reading{"Decimals", {"signed-digit", "sum", "FILE"}},
                                         Reading{"Matrix", {"cg", "solve", "FILE"}}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Pipe, GivesAnOperand)
{
    const TemporaryFolder folder;
    const Finished run =
        test::runProgram({"/bin/sh", "-c", "echo 2 | \"$0\" multiword add @/dev/stdin 3 --decimal", OROGEN_PROGRAM});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find('5'), std::string::npos) << run.out;
}

}  // namespace
}  // namespace orogen
