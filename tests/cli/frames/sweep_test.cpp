// orogen sweep as a program: in shards, killed, resumed, refused, and its points loaded again.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/page_check.h"
#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

class SweepCommand : public testing::Test
{
protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    RunOptions environment() const
    {
        RunOptions options;
        options.folder = folder_.path();
        options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
        options.set.push_back("XDG_CONFIG_HOME=" + file("config"));
        return options;
    }
    Words command(const Words& more) const
    {
        Words all = {OROGEN_PROGRAM, "sweep",  "synthetic:128", "--depths", "10,12", "--split-pixels",
                     "8,16",         "--size", "64x36",         "--out",    "out"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    Finished sweep(const Words& more = {}) const { return runProgram(command(more), environment()); }
    json read(const std::string& name) const { return json::parse(std::ifstream(file(name))); }
    bool done(const std::string& point) const { return fs::exists(file("out/" + point + "/report.json")); }

    const TemporaryFolder folder_;
};

using SweepCommandThorough = SweepCommand;

TEST_F(SweepCommandThorough, IsFinishedInShardsAfterAKillAndByTheSameCommand)
{
    const Words few = {"--frames", "3", "--set", "patch.level=1"};
    const Finished shard = sweep({"--frames", "3", "--set", "patch.level=1", "--shard", "1/4"});
    ASSERT_EQ(shard.code, 0) << shard.err;
    EXPECT_NE(shard.out.find("3 of 4 points"), std::string::npos) << shard.out;
    EXPECT_EQ(shard.err, "");  // no progress in a pipe
    EXPECT_TRUE(done("point-d10-s16"));
    EXPECT_FALSE(done("point-d10-s8") || fs::exists(file("out/sweep.json")));

    RunningProgram killed(command(few), environment());
    for (int i = 0; i < 100'000 && !fs::exists(file("out/point-d10-s8.json")); ++i)
        usleep(500);
    killed.signal(SIGKILL);
    EXPECT_EQ(killed.finish().signal, SIGKILL);
    const fs::file_time_type kept = fs::last_write_time(file("out/point-d10-s16/report.json"));

    for (const Words& other : {Words{"--frames", "4", "--set", "patch.level=1"}, Words{"--frames", "3"}})
    {
        const Finished refused = sweep(other);
        EXPECT_EQ(refused.code, 8);
        EXPECT_NE(
            refused.err.find(other.size() == 2 ? "patch.level: found 1, expected 2" : "frames: found 3, expected 4"),
            std::string::npos)
            << refused.err;
    }

    const Finished whole = sweep(few);
    ASSERT_EQ(whole.code, 0) << whole.err;
    EXPECT_EQ(fs::last_write_time(file("out/point-d10-s16/report.json")), kept);
    const json result = read("out/sweep.json");
    ASSERT_EQ(result["points"].size(), 4u);
    for (const json& point : result["points"])
    {
        EXPECT_GT(point["frame_ms_p50"].get<double>(), 0);
        EXPECT_GT(point["triangles_mean"].get<double>(), 0);
    }
    EXPECT_LT(result["points"][1]["triangles_mean"], result["points"][0]["triangles_mean"]);
    std::ifstream page(file("out/sweep.html"));
    EXPECT_EQ(pageFault(std::string(std::istreambuf_iterator<char>(page), {})), "");

    std::ofstream(file("s.txt"))
        << "expect cbt.depth == 12\nexpect lod.split_pixels == 16\nexpect patch.level == 1\nquit\n";
    const Finished view = runProgram({OROGEN_PROGRAM, "view", "synthetic:128", "--headless", "--size", "64x36",
                                      "--settings", "out/point-d12-s16.json", "--script", "s.txt"},
                                     environment());
    EXPECT_EQ(view.code, 0) << view.err;
}

TEST_F(SweepCommand, RefusesWhatIsNoGrid)
{
    const auto refused = [&](Words words, const char* what) {
        words.insert(words.begin(), {OROGEN_PROGRAM, "sweep", "synthetic:64", "--out", "out"});
        const Finished run = runProgram(words, environment());
        EXPECT_EQ(run.code, 2) << run.out;
        EXPECT_NE(run.err.find(what), std::string::npos) << run.err;
        EXPECT_FALSE(fs::exists(file("out")));
    };
    refused({"--depths", "12"}, "--split-pixels");
    refused({"--split-pixels", "8"}, "--depths");
    refused({"--depths", "12,31", "--split-pixels", "8"}, "--depths: cbt.depth: found '31'");
    refused({"--depths", "5", "--split-pixels", "8"}, "6 to 30");
    refused({"--depths", "12,", "--split-pixels", "8"}, "found ''");
    refused({"--depths", "12", "--split-pixels", "8,0.4"}, "0.5 to 64");
    refused({"--depths", "12", "--error-pixels", "33"}, "0.1 to 32");
    refused({"--depths", "12", "--error-pixels", "1", "--split-pixels", "8"}, "excludes");
    refused({"--depths", "12", "--split-pixels", "8", "--shard", "2/2"}, "i below n");
    refused({"--depths", "12", "--split-pixels", "8", "--frames", "0"}, "--frames");
    refused({"--depths", "12,12", "--split-pixels", "8"}, "twice");
}

}  // namespace
}  // namespace orogen::test
