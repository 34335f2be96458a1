// If memory or threads are refused, every command succeeds with less, or ends with one line and exit code 6.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

using test::Finished;
using Words = std::vector<std::string>;

constexpr std::uint64_t kMiB = 1 << 20;
constexpr int kLimit = 6, kInput = 5;
constexpr int kLoaderFailed = 127;  // exit code of the dynamic loader's failures, before the program begins

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // sanitizers need address space and threads themselves
#else
constexpr bool kSanitized = false;
#endif

class Limits : public testing::Test
{
protected:
    Limits()
    {
        std::ofstream(folder_ / "operations") << "split 1\nsplit 2\nreduce\n";
        std::ofstream(folder_ / "small.mtx")
            << "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 3\n";
    }
    void SetUp() override
    {
        if (kSanitized) GTEST_SKIP() << "a sanitizer needs what is limited here itself";
    }

    std::vector<Words> commands() const
    {
        return {{"--help"},
                {"info"},
                {"info", "--json"},
                {"info", "synthetic:64"},
                {"cbt", "replay", folder_ / "operations", "--depth", "6"},
                {"multiword", "add", "ff", "1"},
                {"signed-digit", "sum", "--count", "10", "--digits", "10"},
                {"cg", "solve", folder_ / "small.mtx"},
                {"cg", "solve", "--poisson", "50x50", "--threads", "8"},
                {"view", "synthetic:64", "--headless", "--frames", "1", "--size", "64x64"},
                {"capture", "synthetic:64", "--headless", "--frames", "2", "--size", "64x64", "--out",
                 folder_ / "capture"}};
    }

    Finished run(Words command, test::RunOptions options) const
    {
        command.insert(command.begin(), OROGEN_PROGRAM);
        options.folder = folder_.path();
        for (const char* name : {"HOME=", "XDG_CACHE_HOME=", "XDG_CONFIG_HOME="})
            options.set.push_back(name + folder_.path());
        options.set.push_back("OPENBLAS_NUM_THREADS=1");  // GDAL loads OpenBLAS, which starts threads and complains
        options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
        return test::runProgram(std::move(command), options);
    }

    static std::string textOf(const Words& command)
    {
        std::string text;
        for (const std::string& word : command)
            text += word + " ";
        return text;
    }

    // Expects success, or a refusal in one line.
    static void expectDoneOrRefused(const Finished& finished, const std::string& what)
    {
        EXPECT_EQ(finished.signal, 0) << what << finished.err;
        EXPECT_FALSE(finished.timedOut) << what;
        EXPECT_TRUE(finished.code == 0 || finished.code == kLimit || finished.code == kLoaderFailed)
            << what << "exit " << finished.code << ": " << finished.err;
        if (finished.code == kLimit)
        {
            EXPECT_EQ(test::lineCount(finished.err), 1) << what << finished.err;
            EXPECT_EQ(finished.err.rfind("orogen: ", 0), 0u) << what << finished.err;
        }
    }

    test::TemporaryFolder folder_;
};

using LimitsThorough = Limits;

TEST_F(LimitsThorough, EveryAddressSpaceIsEnoughOrRefused)
{
    for (const Words& command : commands())
        for (std::uint64_t size : {28, 60, 90, 100, 110, 120, 130, 140, 150, 160, 180, 220, 300, 400, 600, 800})
            expectDoneOrRefused(run(command, {.addressSpace = size * kMiB}),
                                textOf(command) + "in " + std::to_string(size) + " MiB: ");
}

TEST_F(Limits, TheDriverIsNotLoadedIntoLessThanAGigabyte)
{
    for (const char* command : {"view", "capture"})
    {
        Words words = {command, "synthetic:64", "--headless", "--size", "64x64", "--frames", "1"};
        if (std::string(command) == "capture") words.insert(words.end(), {"--out", folder_ / "capture"});
        const Finished finished = run(words, {.addressSpace = 1023 * kMiB});
        EXPECT_EQ(finished.code, kLimit) << finished.err;
        EXPECT_NE(finished.err.find("the address space is limited to 1023 MiB (ulimit -v), expected at least 1 GiB"),
                  std::string::npos)
            << finished.err;
    }
    const Finished info = run({"info", "--json"}, {.addressSpace = 1023 * kMiB});
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_NE(info.out.find("\"available\": false"), std::string::npos) << info.out;
    EXPECT_NE(info.out.find("(ulimit -v)"), std::string::npos) << info.out;
}

TEST_F(LimitsThorough, EveryNumberOfThreadsIsEnoughOrRefused)
{
    for (const Words& command : commands())
        for (const int threads : {0, 1, 2, 3, 4, 5, 6, 7, 8, 12})
            expectDoneOrRefused(run(command, {.set = {"LD_PRELOAD=" OROGEN_FEW_THREADS,
                                                      "OROGEN_TEST_THREADS=" + std::to_string(threads)}}),
                                textOf(command) + "with " + std::to_string(threads) + " threads: ");
}

TEST_F(Limits, ThreadsThatTheDriverNeedsAreMissedBeforeItIsLoaded)
{
    const test::RunOptions none = {.set = {"LD_PRELOAD=" OROGEN_FEW_THREADS, "OROGEN_TEST_THREADS=0"}};
    const test::RunOptions one = {.set = {"LD_PRELOAD=" OROGEN_FEW_THREADS, "OROGEN_TEST_THREADS=1"}};  // the loader
    const Finished view = run({"view", "synthetic:64", "--headless", "--size", "64x64", "--frames", "1"}, one);
    EXPECT_EQ(view.code, kLimit);
    EXPECT_NE(view.err.find("no thread can be started: Resource temporarily unavailable"), std::string::npos)
        << view.err;
    const Finished info = run({"info", "--json"}, none);
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_NE(info.out.find("no thread can be started"), std::string::npos) << info.out;
}

// The job itself uses the only thread, so its pool gets none.
TEST_F(Limits, ResultsAreTheSameWithoutThreads)
{
    const Words solve = {"cg", "solve", "--poisson", "60x60", "--threads", "6", "--json"};
    const Finished none = run(solve, {.set = {"LD_PRELOAD=" OROGEN_FEW_THREADS, "OROGEN_TEST_THREADS=1"}});
    const Finished all = run(solve, {});
    ASSERT_EQ(none.code, 0) << none.err;
    const auto solution = [](const std::string& json) { return json.substr(json.find("\"x\"")); };
    EXPECT_EQ(solution(none.out).substr(0, 4000), solution(all.out).substr(0, 4000));
}

TEST_F(Limits, AMatrixIsNotLargerThanItsFile)
{
    for (const char* rows : {"20000000", "1000000000", "4294967295"})
        for (const char* entries : {"0", "1"})
        {
            const std::string size = std::string(rows) + " " + rows + " " + entries;
            std::ofstream(folder_ / "claims.mtx") << "%%MatrixMarket matrix coordinate real symmetric\n"
                                                  << size << "\n"
                                                  << (*entries == '1' ? "1 1 1\n" : "");
            const Finished finished = run({"cg", "solve", folder_ / "claims.mtx"}, {.addressSpace = 400 * kMiB});
            EXPECT_EQ(finished.code, kInput) << size << ": " << finished.err;
            EXPECT_NE(finished.err.find("expected an entry in each row"), std::string::npos) << finished.err;
        }
}

TEST_F(Limits, MemoryIsRefusedBeforeItIsTaken)
{
    for (const Words& command : {Words{"signed-digit", "sum", "--count", "1", "--digits", "2147483647"},
                                 Words{"cg", "solve", "--poisson", "100000000x1"}})
    {
        const Finished finished = run(command, {.addressSpace = 4096 * kMiB});
        EXPECT_EQ(finished.code, kLimit) << textOf(command) << finished.err;
        EXPECT_NE(finished.err.find(" of memory, and "), std::string::npos) << finished.err;
        EXPECT_NE(finished.err.find("the limit of address space (ulimit -v)"), std::string::npos) << finished.err;
    }
}

TEST_F(LimitsThorough, EveryStackIsEnoughOrRefused)
{
    for (const Words& command : {Words{"--help"}, commands()[9]})
        for (const std::uint64_t size : {24, 64, 255})  // below 24, the dynamic loader may fail
        {
            const Finished finished = run(command, {.stack = size << 10});
            EXPECT_EQ(finished.code, kLimit) << textOf(command) << size << finished.err;
            EXPECT_EQ(test::lineCount(finished.err), 1) << finished.err;
            EXPECT_NE(finished.err.find("needs 256 KiB of stack, and "), std::string::npos) << finished.err;
        }
    for (const Words& command : commands())
        EXPECT_EQ(run(command, {.stack = 256 << 10}).code, 0) << textOf(command);
}

// Input without an end, or of unknown length, is refused at once or within the limits.
TEST_F(Limits, EndlessOperandsAreLeft)
{
    const Words zeros[] = {{"cg", "solve", "/dev/zero"},
                           {"multiword", "add", "@/dev/zero", "1"},
                           {"signed-digit", "sum", "/dev/zero"},
                           {"cbt", "replay", "/dev/zero", "--depth", "6"}};
    for (const Words& command : zeros)
    {
        const Finished finished = run(command, {.addressSpace = 400 * kMiB});
        EXPECT_EQ(finished.code, kInput) << textOf(command) << finished.err;
        EXPECT_EQ(test::lineCount(finished.err), 1) << finished.err;
    }
    for (const std::string command :
         {"cg solve /dev/stdin", "multiword add @/dev/stdin 1", "signed-digit sum /dev/stdin"})
    {
        const Finished finished = test::runProgram({"/bin/sh", "-c", "yes 1 | \"$0\" " + command, OROGEN_PROGRAM},
                                                   {.addressSpace = 400 * kMiB});
        EXPECT_EQ(finished.code, kLimit) << command << finished.err;
        EXPECT_NE(finished.err.find("whose end is not known"), std::string::npos) << finished.err;
        EXPECT_EQ(test::lineCount(finished.err), 1) << finished.err;
    }
}

}  // namespace
}  // namespace orogen
