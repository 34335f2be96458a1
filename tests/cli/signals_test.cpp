// SIGINT and SIGTERM end long operations with 130 and 143, in at most one line.
#include <csignal>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"

namespace orogen {
namespace {

using Words = std::vector<std::string>;

class Signals : public testing::TestWithParam<Words>
{
};

TEST_P(Signals, EndLongWorkWithTheirCode)
{
    const test::TemporaryFolder folder;
    {
        std::ofstream ops(folder / "ops");
        for (int i = 0; i < 3'000'000; ++i)
            ops << (i % 2 == 0 ? "leb-split 9000000\n" : "leb-merge 18000000\n");
        std::ofstream script(folder / "s.txt");
        script << "set lod.split_pixels 20\nwait 100000\nquit\n";
    }
    for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}})
    {
        Words command = GetParam();
        command.insert(command.begin(), OROGEN_PROGRAM);
        test::RunningProgram program(
            command, {.set = {"XDG_CONFIG_HOME=" + (folder / "config"), "XDG_CACHE_HOME=" + (folder / "cache")},
                      .unset = {"DISPLAY", "WAYLAND_DISPLAY"},
                      .folder = folder.path()});
        EXPECT_TRUE(program.waitUntilHandles(SIGTERM));  // installed after the handler of SIGINT
        program.signal(signal);
        const test::Finished run = program.finish();
        EXPECT_EQ(run.code, code) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_LE(test::lineCount(run.err), 1) << run.err;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Signals,
    testing::Values(Words{"view", "synthetic:64", "--headless", "--size", "64x64", "--frames", "1000000"},
                    Words{"view", "synthetic:64", "--headless", "--size", "64x64", "--script", "s.txt"},
                    Words{"sweep", "synthetic:64", "--size", "64x64", "--frames", "1000000", "--depths", "12",
                          "--split-pixels", "8", "--out", "swept"},
                    Words{"info", "synthetic:16384"},
                    Words{"cbt", "replay", "ops", "--depth", "24", "--initial-depth", "23"},
                    Words{"signed-digit", "sum", "--count", "100000000", "--digits", "30"},
                    Words{"reproduce", "signed-digit-dot-error", "--out", "figures"}));

}  // namespace
}  // namespace orogen
