// orogen capture as a program: its files, repeatability, and no lost data.
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include "core/base/sha256.h"
#include "core/frames/capture/capture_recorder.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/report/report_json.h"
#include "core/frames/statistics/statistics.h"
#include "core/view/camera_path.h"
#include "tests/support/page_check.h"
#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/xvfb.h"

namespace orogen::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const std::string kTerrain = std::string(OROGEN_ROOT) + "/assets/heightmaps/jacksboro.tif";

class CaptureCommand : public testing::Test
{
protected:
    std::string file(const std::string& name) const { return folder_ + '/' + name; }
    RunOptions environment(RunOptions options = {}) const
    {
        options.folder = folder_;
        if (options.unset.empty()) options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
        options.set.push_back("XDG_CONFIG_HOME=" + file("config"));
        return options;
    }
    std::vector<std::string> command(std::vector<std::string> arguments) const
    {
        std::vector<std::string> all = {OROGEN_PROGRAM, "capture", "--size", "160x90"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return all;
    }
    Finished capture(const std::vector<std::string>& arguments, const RunOptions& options = {}) const
    {
        return runProgram(command(arguments), environment(options));
    }
    Capture taken(const std::string& name) const
    {
        Result<Capture> capture = readCapture(file(name));
        EXPECT_TRUE(capture) << (capture ? "" : capture.error().message);
        return capture ? std::move(*capture) : Capture{};
    }
    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream(file(name)) << text;
        return file(name);
    }
    std::string content(const std::string& name) const
    {
        std::ifstream in(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    const test::TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path();
};

// The library that stands in for NVIDIA's says that the power limit lowers the clock.
TEST_F(CaptureCommand, RowsHaveTheMachinesStateAndTheReportSaysThatItWasThrottled)
{
    const RunOptions options = {.set = {"LD_LIBRARY_PATH=" + fs::path(OROGEN_FAKE_NVML).parent_path().string(),
                                        "OROGEN_TEST_NVML=1500 2600 70 300000 4", "OROGEN_TEST_NVML_NAME=llvmpipe"}};
    const Finished done = capture({"--out", "hot", "--frames", "5", "--warmup", "5"}, options);
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("  throttled: in 5 of 5 frames a clock was lowered (gpu_power_cap)"), std::string::npos)
        << done.out;
    const Capture hot = taken("hot");
    EXPECT_EQ(hot.rows[0].back().machine.gpuMemoryMhz, 2600);
    EXPECT_EQ(hot.report.statistics.throttled->count, 5u);
    const std::string page = content("hot/report.html");
    EXPECT_LT(page.find("Throttled: in 5 of 5 frames"), page.find("class=tiles"));
}

// Every run is throttled: each is dropped, and the report says that none is left.
TEST_F(CaptureCommand, ThrottledRunsAreDroppedUntilTheMostRunsAreReached)
{
    const RunOptions options = {.set = {"LD_LIBRARY_PATH=" + fs::path(OROGEN_FAKE_NVML).parent_path().string(),
                                        "OROGEN_TEST_NVML=1500 2600 70 300000 0x40", "OROGEN_TEST_NVML_NAME=llvmpipe"}};
    const Finished done =
        capture({"--out", "hot", "--frames", "3", "--warmup", "5", "--discard-throttled", "--max-runs", "2"}, options);
    EXPECT_EQ(done.code, 1) << done.err;
    EXPECT_NE(done.out.find("discarded: 2 throttled runs"), std::string::npos) << done.out;
    const Capture hot = taken("hot");
    EXPECT_TRUE(hot.report.runs.empty());
    EXPECT_EQ(hot.report.discardedRuns, 2u);
    EXPECT_TRUE(hot.report.interrupted);
    EXPECT_FALSE(fs::exists(file("hot/run-01.csv.partial")));
    EXPECT_EQ(capture({"--out", "x", "--max-runs", "2"}).code, 2);
    EXPECT_EQ(capture({"--out", "x", "--until", "2", "--runs", "9", "--max-runs", "5"}).code, 2);
    const Finished few = capture({"--out", "x", "--until", "2", "--max-runs", "4"});
    EXPECT_EQ(few.code, 2);
    EXPECT_NE(few.err.find("--max-runs: found 4, expected at least the 5 of --until"), std::string::npos) << few.err;
    const Finished many = capture({"--out", "x", "--until", "2", "--runs", "25"});
    EXPECT_EQ(many.code, 2);
    EXPECT_NE(many.err.find("--max-runs: the default is 20, expected at least the 25 of --runs"), std::string::npos)
        << many.err;
    EXPECT_EQ(capture({"--out", "x", "--margin", "5"}).code, 2);
}

using CaptureCommandThorough = CaptureCommand;

TEST_F(CaptureCommandThorough, GoesOnUntilTheMedianIsKnown)
{
    const Finished done =
        capture({"--out", "known", "--frames", "4", "--warmup", "5", "--until", "50", "--max-runs", "7"});
    ASSERT_EQ(done.code, 0) << done.err;
    const Capture known = taken("known");
    const UntilDecided until = known.report.until.value_or(UntilDecided{});
    EXPECT_EQ(until.percent, 50);
    EXPECT_EQ(until.maxRuns, 7u);
    EXPECT_GE(known.report.runs.size(), 5u);
    EXPECT_EQ(until.decided, until.halfWidthPercent.value_or(99) <= 50);
    EXPECT_FALSE(known.report.interrupted);
    EXPECT_EQ(known.report.runsPlanned, known.report.runs.size());
    EXPECT_NE(done.out.find("the median is known to within"), std::string::npos) << done.out;
    for (const fs::directory_entry& entry : fs::directory_iterator(file("known")))
        EXPECT_FALSE(entry.path().string().ends_with(".partial")) << entry.path();
}

TEST_F(CaptureCommand, WritesATraceThatKeepsTheFormatsRules)
{
    const Finished done =
        capture({"--out", "traced", "--frames", "6", "--warmup", "5", "--runs", "2", "--trace", "t.json"});
    ASSERT_EQ(done.code, 0) << done.err;
    const Finished checker = runProgram(
        {"/usr/bin/env", "python3", OROGEN_ROOT "/tests/core/frames/capture/trace_checker.py", file("t.json")},
        environment());
    ASSERT_EQ(checker.code, 0) << checker.err;
    const Capture traced = taken("traced");
    const std::size_t rows = traced.rows[0].size() + traced.rows[1].size();
    EXPECT_NE(checker.out.find(fmt::format("frame {}\n", rows)), std::string::npos) << checker.out << rows;
    EXPECT_NE(checker.out.find("gpu "), std::string::npos) << checker.out;
    EXPECT_EQ(capture({"--out", "traced2", "--frames", "2", "--trace", "."}).code, 8);
}

// Marks name the rows of the frames from their key on, and leave the work alone.
TEST_F(CaptureCommandThorough, MarksOfThePathNameTheRows)
{
    const std::string keys[] = {"0 0 -0.2 0.2 0 -30 60\n", "0.05 0 0.2 0.2 0 -30 60\n", "0.1 0 0.3 0.2 0 -30 60\n"};
    const std::string start = "orogen camera path 1\nunits terrain\n";
    write("plain.path", start + keys[0] + keys[1] + keys[2] + "end\n");
    write("named.path", start + keys[0] + "mark far, \"away\"\n" + keys[1] + keys[2] + "end\n");
    for (const char* name : {"plain", "named"})
        ASSERT_EQ(
            capture({"--out", name, "--path", std::string(name) + ".path", "--frames", "6", "--warmup", "5"}).code, 0);
    const Capture plain = taken("plain"), named = taken("named");
    EXPECT_EQ(named.report.workHash, plain.report.workHash);
    EXPECT_EQ(named.report.metadata.pathHash, plain.report.metadata.pathHash);
    ASSERT_EQ(named.report.sections.size(), 2u);
    EXPECT_EQ(named.report.sections[0].name, "");
    EXPECT_EQ(named.report.sections[0].statistics.frames, 3u);  // 0, 1/60 and 2/60 s
    EXPECT_EQ(named.report.sections[1].name, "far, \"away\"");
    EXPECT_EQ(named.report.sections[1].statistics.frames, 3u);
    EXPECT_TRUE(plain.report.sections.empty());
}

// Settings that only colour the picture change neither triangles nor leaves nor splits of any frame.
TEST_F(CaptureCommandThorough, LightAirShadowsNamesOverlaysAndColoursLeaveTheWorkAlone)
{
    const std::string track =
        write("t.geojson", R"({"type":"MultiPoint","coordinates":[[-118.2,34.3],[-118.1,34.4]]})");
    const std::string ramp = write("r.cpt", "0 blue 500 green\n500 yellow 3000 white\n");
    const std::vector<std::string> plain = {"--set", "render.air=off",     "--set", "render.shadows=false",
                                            "--set", "marks.names=false",  "--set", "marks.graticule=false",
                                            "--set", "marks.compass=false"};
    const std::vector<std::string> rich = {"--panels",
                                           "--overlay",
                                           track,
                                           "--time",
                                           "2026-06-21T18:00Z",
                                           "--set",
                                           "marks.graticule=true",
                                           "--set",
                                           "marks.names=true",
                                           "--set",
                                           "render.contours=true",
                                           "--set",
                                           "render.shadows=true"};
    const auto workOf = [&](const std::string& out, std::vector<std::string> options, const std::string& dem) {
        if (!dem.empty()) options.insert(options.begin(), dem);
        options.insert(options.end(), {"--out", out, "--frames", "8", "--warmup", "4"});
        const Finished run = capture(options);
        EXPECT_EQ(run.code, 0) << run.err;
        const Capture capture = taken(out);
        return capture.rows.empty() ? std::nullopt : workHash(capture.rows.front());
    };
    for (const std::string dem : {"", "earth"})
    {
        const std::string name = dem.empty() ? "plane" : dem;
        const std::optional<std::string> work = workOf(name + "-plain", plain, dem);
        ASSERT_TRUE(work);
        EXPECT_EQ(workOf(name + "-rich", rich, dem), work) << name;
        // Procedural detail belongs to shading lit, so colours by height are compared among themselves.
        const std::optional<std::string> tinted = workOf(name + "-tints", {"--set", "render.shading=hypsometric"}, dem);
        EXPECT_EQ(workOf(name + "-ramp",
                         {"--ramp", ramp, "--set", "render.tint_range=view", "--set", "render.relief=multidirectional",
                          "--set", "render.contours=true", "--overlay", track},
                         dem),
                  tinted)
            << name;
        EXPECT_NE(workOf(name + "-finer", {"--set", "render.shading=hypsometric", "--set", "lod.split_pixels=2"}, dem),
                  tinted)
            << "other triangles are other work";
    }
}

TEST_F(CaptureCommand, LeavesRowsReportPageAndPicture)
{
    const Finished run = capture({kTerrain, "--out", "out", "--frames", "40", "--runs", "2", "--warmup", "10"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    for (const char* name : {"run-01.csv", "run-02.csv", "report.json", "report.html", "last.png"})
        EXPECT_TRUE(fs::exists(file("out/" + std::string(name)))) << name;
    for (const fs::directory_entry& entry : fs::directory_iterator(file("out")))
        EXPECT_NE(entry.path().extension(), ".partial") << entry.path();
    const Capture capture = taken("out");
    ASSERT_EQ(capture.rows.size(), 2u);
    EXPECT_EQ(capture.report.statistics.frames, 80u);
    EXPECT_FALSE(capture.report.interrupted || capture.report.unsettled);
    EXPECT_EQ(capture.report.glErrors, 0u);
    EXPECT_EQ(capture.report.conforming, std::nullopt);
    ASSERT_TRUE(capture.report.workHash);
    EXPECT_EQ(capture.report.runs[0].workHash, capture.report.runs[1].workHash);
    EXPECT_EQ(run.out.substr(0, run.out.find('\n')), "out/report.html");
    EXPECT_NE(run.out.find(*capture.report.workHash), std::string::npos);
}

TEST_F(CaptureCommand, MetadataIsComplete)
{
    ASSERT_EQ(capture({kTerrain, "--out", "out", "--frames", "3", "--path", "spot", "--set", "cbt.depth=20"}).code, 0);
    const FrameReport report = taken("out").report;
    const ReportMetadata& m = report.metadata;
    EXPECT_FALSE(m.created.empty() || m.version.empty());
    EXPECT_TRUE(m.buildType && m.compiler && m.glVendor && m.glRenderer && m.glVersion && m.glslHeader);
    EXPECT_TRUE(m.contextPath && m.cpu && m.kernel && m.load && m.shadersHash && m.pathHash);
    EXPECT_EQ(m.commandLine,
              command({kTerrain, "--out", "out", "--frames", "3", "--path", "spot", "--set", "cbt.depth=20"}));
    EXPECT_EQ(m.width, 160);
    EXPECT_EQ(m.height, 90);
    EXPECT_TRUE(m.headless);
    EXPECT_EQ(m.vsync, std::nullopt) << "nothing is presented";
    EXPECT_EQ(m.heightmap, "jacksboro.tif");
    EXPECT_EQ(m.heightmapSha256, *sha256OfFile(kTerrain));
    EXPECT_EQ(nlohmann::json::parse(report.settings)["cbt.depth"], 20);
    EXPECT_NE(m.gpuTimer, GpuTimer::kNone);
}

TEST_F(CaptureCommand, EveryMeasuredFrameIsCountedAndTimed)
{
    ASSERT_EQ(capture({"synthetic:256", "--out", "out", "--frames", "30"}).code, 0);
    const Capture capture = taken("out");
    std::uint64_t splits = 0, errors = 0;
    for (const FrameSample& row : capture.rows.front())
    {
        if (!row.measured()) continue;
        errors += row.errorMaxPx.has_value();
        EXPECT_TRUE(row.intervalMs && row.cpuMs && row.waitMs && row.gpuMs) << row.frame;
        EXPECT_TRUE(row.leaves && row.triangles && row.splits && row.merges && row.maxDepth) << row.frame;
        EXPECT_TRUE(row.uploadBytes && row.vramKib) << row.frame;
        EXPECT_GT(row.processorUs.value_or(1), 0u) << row.frame;
        EXPECT_GT(row.glCalls.value_or(50), 20u) << row.frame;
        EXPECT_FALSE(row.swapMs) << "nothing is presented without a window";
        EXPECT_EQ(row.flags & kFrameGpuMissing, 0u) << row.frame;
        splits += row.splits.value_or(0);
    }
    EXPECT_GT(splits, 0u) << "the path moves";
    EXPECT_EQ(errors, 1u) << "of the last frame";
}

TEST_F(CaptureCommandThorough, TheSameCommandDoesTheSameWorkWithAnyThreads)
{
    std::vector<std::string> hashes;
    for (const char* threads : {"0", "1", "2", "4"})
    {
        const std::string out = std::string("threads-") + threads;
        ASSERT_EQ(
            capture({kTerrain, "--out", out, "--frames", "60"}, {.set = {std::string("LP_NUM_THREADS=") + threads}})
                .code,
            0);
        hashes.push_back(taken(out).report.workHash.value_or("none"));
    }
    EXPECT_EQ(hashes, std::vector(4, hashes.front()));
    EXPECT_EQ(hashes.front().size(), 16u);
    ASSERT_EQ(capture({kTerrain, "--out", "other", "--frames", "60", "--set", "lod.split_pixels=8"}).code, 0);
    EXPECT_NE(taken("other").report.workHash, hashes.front());
}

TEST_F(CaptureCommandThorough, LongerWarmUpChangesNothingThatIsMeasured)
{
    ASSERT_EQ(capture({kTerrain, "--out", "short", "--frames", "40", "--warmup", "0"}).code, 0);
    ASSERT_EQ(capture({kTerrain, "--out", "long", "--frames", "40", "--warmup", "90"}).code, 0);
    EXPECT_EQ(taken("short").report.workHash, taken("long").report.workHash);
    EXPECT_GE(taken("long").report.runs.front().warmupFrames, 90u);
}

TEST_F(CaptureCommandThorough, TwoSidesTakeTurnsAndCompare)
{
    write("a.json", R"({"lod.split_pixels": 8})");
    write("b.json", R"({"lod.split_pixels": 16})");
    const Finished run = capture({kTerrain, "--out", "out", "--frames", "30", "--runs", "2", "--warmup", "0", "--set",
                                  "render.sun_azimuth=90", "--interleave", "a.json", "b.json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Capture a = taken("out/a"), b = taken("out/b");
    EXPECT_EQ(a.rows.size(), 2u);
    EXPECT_EQ(b.rows.size(), 2u);
    ASSERT_TRUE(a.report.workHash && b.report.workHash);
    EXPECT_NE(a.report.workHash, b.report.workHash);
    for (const auto& [side, pixels] : {std::pair(&a, 8.0), {&b, 16.0}})
    {
        const auto settings = nlohmann::json::parse(side->report.settings);
        EXPECT_EQ(settings["lod.split_pixels"], pixels);
        EXPECT_EQ(settings["render.sun_azimuth"], 90.0);
    }
    const Finished compared =
        runProgram({OROGEN_PROGRAM, "compare", "--baseline", "out/a", "--candidate", "out/b", "--json"}, environment());
    EXPECT_TRUE(compared.code == 0 || compared.code == 1) << compared.err;
    EXPECT_LT(nlohmann::json::parse(compared.out)["triangles_ratio"].get<double>(), 0.5);
}

// Compares both sides in pairs without being asked; the sentence comes first, and the page lies beside the sides.
TEST_F(CaptureCommand, TwoSidesAreComparedAtTheEnd)
{
    write("a.json", R"({"lod.split_pixels": 8})");
    write("b.json", R"({"lod.split_pixels": 16})");
    const std::vector<std::string> arguments = {kTerrain,     "--out",        "out",    "--frames", "10", "--runs",
                                                "2",          "--warmup",     "0",      "--margin", "30", "--export",
                                                "presentmon", "--interleave", "a.json", "b.json"};
    const Finished run = capture(arguments);
    ASSERT_EQ(run.code, 0) << run.err;
    const std::string first = run.out.substr(0, run.out.find('\n'));
    EXPECT_NE(first.find("2 pairs of runs"), std::string::npos) << first;
    EXPECT_NE(run.out.find("paired t interval of 2 pairs, margin 30 %"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("\nout/compare.html\n"), std::string::npos) << run.out;
    EXPECT_NE(content("out/compare.html").find(escapedSentence(first)), std::string::npos);
    EXPECT_EQ(content("out/a/run-02.presentmon.csv").substr(0, 12), "Application,");
    EXPECT_FALSE(fs::exists(file("out/a/run-01.mangohud.csv")));
    const Finished compared = runProgram(
        {OROGEN_PROGRAM, "compare", "--baseline", "out/a", "--candidate", "out/b", "--margin", "30"}, environment());
    EXPECT_EQ(compared.out.substr(0, compared.out.find('\n')), first);
    // A capture of one side replaces everything.
    ASSERT_EQ(capture({kTerrain, "--out", "out", "--frames", "3", "--warmup", "0"}).code, 0);
    EXPECT_FALSE(fs::exists(file("out/compare.html")) || fs::exists(file("out/a")));
}

TEST_F(CaptureCommand, JsonOfTwoSidesHoldsTheComparison)
{
    write("a.json", "{}");
    const Finished run = capture({"synthetic:128", "--out", "out", "--frames", "3", "--warmup", "0", "--json",
                                  "--interleave", "a.json", "a.json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const nlohmann::json json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["a"]["interleaved"]["capture"], json["b"]["interleaved"]["capture"]);
    EXPECT_EQ(json["comparison"]["pairs"], 1);
    EXPECT_NE(json["comparison"]["sentence"].get<std::string>().find("can never give a verdict"), std::string::npos);
}

TEST_F(CaptureCommand, OneRunSaysThatItGivesNoVerdict)
{
    const Finished one = capture({"synthetic:128", "--out", "one", "--frames", "3", "--warmup", "0"});
    EXPECT_NE(one.out.find("one run: no comparison can give a verdict"), std::string::npos) << one.out;
    const Finished two = capture({"synthetic:128", "--out", "two", "--frames", "3", "--warmup", "0", "--runs", "2"});
    EXPECT_EQ(two.out.find("one run"), std::string::npos) << two.out;
}

TEST_F(CaptureCommand, ThePageCarriesTheLastPicture)
{
    ASSERT_EQ(capture({kTerrain, "--out", "out", "--frames", "3", "--warmup", "0"}).code, 0);
    const std::string page = content("out/report.html");
    EXPECT_EQ(pageFault(page), "");
    const std::size_t begin = page.find("data:image/png;base64,\niVBORw0KGgo"), end = page.find('"', begin);
    ASSERT_NE(begin, page.npos);
    EXPECT_GT(end - begin, 3'000u);
    EXPECT_LT(end - begin, 62'000u);
}

TEST_F(CaptureCommandThorough, ASingleRunOfTheSameSideComparesWithItself)
{
    for (const char* out : {"x", "y"})
        ASSERT_EQ(capture({kTerrain, "--out", out, "--frames", "20", "--warmup", "0"}).code, 0);
    const Finished compared =
        runProgram({OROGEN_PROGRAM, "compare", "--baseline", "x", "--candidate", "y"}, environment());
    EXPECT_EQ(compared.code, 0) << compared.err;
    EXPECT_NE(compared.out.find("inconclusive"), std::string::npos) << compared.out;
}

TEST_F(CaptureCommand, ValidateChecksTheMesh)
{
    ASSERT_EQ(capture({kTerrain, "--out", "out", "--frames", "10", "--warmup", "0", "--validate"}).code, 0);
    EXPECT_EQ(taken("out").report.conforming, true);
    EXPECT_EQ(nlohmann::json::parse(content("out/report.json"))["conforming"], true);
}

// Measures every 60th frame and the last. Intervals that the measurement distorts are left out.
TEST_F(CaptureCommand, MeasuresTheErrorBetweenFrames)
{
    ASSERT_EQ(capture({kTerrain, "--out", "out", "--frames", "70", "--warmup", "0"}).code, 0);
    const Capture made = taken("out");
    const Statistics& s = made.report.statistics;
    ASSERT_TRUE(s.errorMaxPx && s.errorP99Px);
    EXPECT_EQ(s.errorMaxPx->count, 2u);
    EXPECT_GT(s.errorP99Px->min, 0);
    EXPECT_GE(s.errorMaxPx->min, s.errorP99Px->max / 4);
    std::size_t measured = 0;
    for (const FrameSample& row : made.rows.front())
    {
        if (!row.measured()) continue;
        ++measured;
        EXPECT_EQ(row.errorMaxPx.has_value(), measured == 60 || measured == 70) << measured;
        EXPECT_EQ(row.errorP99Px.has_value(), row.errorMaxPx.has_value());
        const bool after = measured > 60 && measured <= 64;  // these frames waited for a measurement
        EXPECT_FALSE(after && (row.intervalMs || row.waitMs)) << measured;
        EXPECT_TRUE(measured <= 64 || row.intervalMs) << measured;
    }
    EXPECT_EQ(measured, 70u);
}

TEST_F(CaptureCommand, JsonIsTheReport)
{
    const Finished run = capture({kTerrain, "--out", "out", "--frames", "10", "--warmup", "0", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(nlohmann::json::parse(run.out), nlohmann::json::parse(content("out/report.json")));
}

TEST_F(CaptureCommand, NumbersOnTheTerminalInTheJsonAndOnThePageAgree)
{
    const Finished run = capture({"synthetic:256", "--out", "out", "--frames", "120", "--warmup", "0"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto json = nlohmann::json::parse(content("out/report.json"))["statistics"];
    const std::string page = content("out/report.html");
    const auto agree = [&](const std::string& text) {
        EXPECT_NE(run.out.find(text), std::string::npos) << text << " in " << run.out;
        EXPECT_NE(page.find(text), std::string::npos) << text << " on the page";
    };
    for (const char* name : {"p50", "p90", "p99"})
        agree(figureText(json["interval_ms"][name].get<double>()) + " ms");
    agree(figureText(json["fps_average"].get<double>()) + " fps");
    agree(*taken("out").report.workHash);
    agree("fewer than 1,000 frames (116)");  // four frames after the measured error have no interval
    EXPECT_NE(run.out.find("  p99.9              –  (fewer than 1,000 frames (116))\n"), std::string::npos) << run.out;
}

TEST_F(CaptureCommandThorough, FramesHavePanelsOnlyWhereTheyAreAskedFor)
{
    const std::vector<std::string> plain = {"synthetic:128", "--out", "plain", "--frames", "3", "--warmup", "0"};
    std::vector<std::string> withPanels = plain;
    withPanels[2] = "with";
    withPanels.push_back("--panels");
    ASSERT_EQ(capture(plain).code, 0);
    const Finished drawn = capture(withPanels);
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_NE(drawn.out.find("panels: drawn in every frame"), std::string::npos) << drawn.out;
    const Capture without = taken("plain"), with = taken("with");
    EXPECT_FALSE(without.report.panels);
    EXPECT_TRUE(with.report.panels);
    for (const Capture* one : {&without, &with})
        for (const FrameSample& row : one->rows.front())
            EXPECT_EQ(row.passMs[std::size_t(GpuPass::kUi)].has_value(), one == &with) << row.frame;
    EXPECT_NE(content("plain/last.png"), content("with/last.png"));
    const Finished compared =
        runProgram({OROGEN_PROGRAM, "compare", "--baseline", "plain", "--candidate", "with"}, environment());
    EXPECT_EQ(compared.code, 5);
    EXPECT_NE(compared.err.find("(--panels): found drawn, expected not drawn"), std::string::npos) << compared.err;
}

TEST_F(CaptureCommand, ExportsForMangoHud)
{
    ASSERT_EQ(capture({kTerrain, "--out", "out", "--frames", "10", "--warmup", "0", "--export", "mangohud"}).code, 0);
    std::istringstream lines(content("out/run-01.mangohud.csv"));
    std::string line;
    int count = 0;
    while (std::getline(lines, line))
        ++count;
    EXPECT_EQ(count, 3 + 10);
}

TEST_F(CaptureCommandThorough, InAWindowFramesArePresentedAndNotLimited)
{
    const Xvfb server;
    ASSERT_NE(server.display(), "") << "Xvfb did not start; this test needs it (Debian: xvfb)";
    const RunOptions inWindow{.set = {"DISPLAY=" + server.display()}, .unset = {"WAYLAND_DISPLAY"}};
    const Finished run = capture({kTerrain, "--out", "out", "--frames", "30", "--window"}, inWindow);
    ASSERT_EQ(run.code, 0) << run.err;
    const Capture windowed = taken("out");
    EXPECT_FALSE(windowed.report.metadata.headless);
    EXPECT_EQ(windowed.report.metadata.vsync, false);
    EXPECT_TRUE(windowed.report.metadata.scale);
    for (const FrameSample& row : windowed.rows.front())
        EXPECT_TRUE(row.swapMs) << row.frame;
    ASSERT_EQ(capture({kTerrain, "--out", "headless", "--frames", "30"}).code, 0);
    EXPECT_EQ(windowed.report.workHash, taken("headless").report.workHash);
    EXPECT_EQ(content("out/last.png"), content("headless/last.png")) << "the terrain alone, in a window, too";
}

TEST_F(CaptureCommand, TheStoredSettingsAreNeitherReadNorWritten)
{
    fs::create_directories(file("config/orogen"));
    const std::string stored = write("config/orogen/settings.json", R"({"lod.split_pixels": 30})");
    const Xvfb server;
    ASSERT_NE(server.display(), "");
    const RunOptions inWindow{.set = {"DISPLAY=" + server.display()}, .unset = {"WAYLAND_DISPLAY"}};
    ASSERT_EQ(capture({kTerrain, "--out", "out", "--frames", "3", "--set", "cbt.depth=18"}, inWindow).code, 0);
    EXPECT_EQ(nlohmann::json::parse(taken("out").report.settings)["lod.split_pixels"], 7.0);
    EXPECT_EQ(content("config/orogen/settings.json"), R"({"lod.split_pixels": 30})");
}

struct Refused
{
    const char* name;
    int code;
    std::vector<std::string> arguments;
};
class CaptureRefuses : public CaptureCommand, public testing::WithParamInterface<Refused>
{
};
TEST_P(CaptureRefuses, WithOneLineAndTheDocumentedCode)
{
    write("bad.json", "{\"cbt.depth\": 99}");
    write("broken.json", "{");
    write("good.json", "{}");
    write("a-file", "");
    const Finished run = capture(GetParam().arguments);
    EXPECT_EQ(run.code, GetParam().code) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(lineCount(run.err), 1) << run.err;
    EXPECT_FALSE(fs::exists(file("out/run-01.csv")));
}
INSTANTIATE_TEST_SUITE_P(
    Capture, CaptureRefuses,
    testing::Values(Refused{"NoFolder", 2, {"--frames", "3"}},
                    Refused{"NoFrames", 2, {"--out", "out", "--frames", "0"}},
                    Refused{"TooManyRuns", 2, {"--out", "out", "--runs", "100"}},
                    Refused{"UnknownExport", 2, {"--out", "out", "--export", "fraps"}},
                    Refused{"UnknownPath", 5, {"--out", "out", "--path", "nowhere"}},
                    Refused{"MissingPath", 5, {"--out", "out", "--path", "./nowhere.path"}},
                    Refused{"MissingTerrain", 5, {"no-such.tif", "--out", "out"}},
                    Refused{"Frozen", 2, {"--out", "out", "--set", "lod.frozen=true"}},
                    Refused{"WindowWithoutADisplay", 4, {"--out", "out", "--window"}},
                    Refused{"WindowAndHeadless", 2, {"--out", "out", "--window", "--headless"}},
                    Refused{"FolderIsAFile", 8, {"--out", "a-file", "--frames", "3"}},
                    Refused{"OneSide", 2, {"--out", "out", "--interleave", "good.json"}},
                    Refused{"SideOutOfRange", 2, {"--out", "out", "--interleave", "good.json", "bad.json"}},
                    Refused{"SideMalformed", 5, {"--out", "out", "--interleave", "good.json", "broken.json"}},
                    Refused{"SideMissing", 5, {"--out", "out", "--interleave", "good.json", "none.json"}},
                    Refused{"TooLargeForTheDisk", 8, {"--out", "out", "--frames", "10000000", "--runs", "99"}}),
    [](const testing::TestParamInfo<Refused>& refused) { return refused.param.name; });

// Waits until rows are on disk, so that the signal arrives in the middle of the capture.
bool waitForRows(const std::string& partial, std::uint64_t bytes)
{
    for (int i = 0; i < 900'000; ++i, usleep(1000))
    {
        std::ifstream in(partial, std::ios::binary);
        std::string text(std::size_t(bytes), '\0');
        if (in.read(text.data(), std::streamsize(bytes)) && text.find('\0') == text.npos) return true;
    }
    return false;
}

class CaptureInterrupted : public CaptureCommand, public testing::WithParamInterface<int>
{
};
TEST_P(CaptureInterrupted, FinishesItsFiles)
{
    RunningProgram program(command({kTerrain, "--out", "out", "--frames", "100000", "--export", "mangohud"}),
                           environment());
    const bool began = waitForRows(file("out/run-01.csv.partial"), 4'000);
    program.signal(GetParam());
    const Clock::time_point sent = Clock::now();
    const Finished run = program.finish();
    const double seconds = std::chrono::duration<double>(Clock::now() - sent).count();
    ASSERT_TRUE(began) << run.err;
    EXPECT_EQ(run.code, 128 + GetParam()) << run.err;
    EXPECT_EQ(lineCount(run.err), 1) << run.err;
    EXPECT_NE(run.err.find("kept: out/report.html ("), std::string::npos) << run.err;
    RecordProperty("seconds", std::to_string(seconds));  // the limit is one second on an idle machine
    const Capture capture = taken("out");
    EXPECT_TRUE(capture.report.interrupted);
    ASSERT_EQ(capture.rows.size(), 1u);
    EXPECT_GT(capture.rows.front().size(), 20u);
    EXPECT_TRUE(fs::exists(file("out/report.html")));
    EXPECT_TRUE(fs::exists(file("out/last.png")));
    for (const FrameSample& row : capture.rows.front())
        EXPECT_TRUE(row.leaves) << row.frame;
}
INSTANTIATE_TEST_SUITE_P(Signals, CaptureInterrupted, testing::Values(SIGINT, SIGTERM));

TEST_F(CaptureCommand, InterruptedInWarmUpLeavesAReport)
{
    RunningProgram program(command({kTerrain, "--out", "out", "--warmup", "100000"}), environment());
    for (int i = 0; i < 900'000 && !fs::exists(file("out/run-01.csv.partial")); ++i)
        usleep(1000);
    program.signal(SIGINT);
    EXPECT_EQ(program.finish().code, 130);
    const Result<FrameReport> report = readReport(file("out/report.json"));
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->interrupted);
    EXPECT_EQ(report->statistics.frames, 0u);
}

TEST_F(CaptureCommandThorough, AfterAKillReportRecoverFinishesIt)
{
    std::mt19937 random(7);
    for (int kill = 0; kill < 3; ++kill)
    {
        const std::string out = "killed-" + std::to_string(kill);
        RunningProgram program(command({"synthetic:128", "--out", out, "--frames", "100000"}), environment());
        const bool began = waitForRows(file(out + "/run-01.csv.partial"), 2'000 + random() % 8'000);
        program.signal(SIGKILL);
        EXPECT_EQ(program.finish().signal, SIGKILL);
        ASSERT_TRUE(began);
        const Finished refused = capture({"synthetic:128", "--out", out, "--frames", "3"});
        EXPECT_EQ(refused.code, 8);
        EXPECT_NE(refused.err.find("--recover"), std::string::npos) << refused.err;
        const Finished recovered = runProgram({OROGEN_PROGRAM, "report", "--recover", out}, environment());
        ASSERT_EQ(recovered.code, 0) << recovered.err;
        const Capture capture = taken(out);
        EXPECT_TRUE(capture.report.recovered);
        EXPECT_GT(capture.rows.front().size(), 10u);
    }
}

// The test removes the capture's folder long before the last run.
TEST_F(CaptureCommand, WhatEndsItIsSaidOnce)
{
    RunningProgram running(
        command({"synthetic:64", "--headless", "--frames", "1", "--warmup", "0", "--runs", "99", "--out", "taken"}),
        environment());
    for (int i = 0; i < int(kHangs * 1000) && !fs::exists(file("taken/run-01.csv")); ++i)
        usleep(1000);
    std::error_code failed;
    fs::rename(file("taken"), file("moved"), failed);
    EXPECT_FALSE(failed);
    const Finished run = running.finish();
    EXPECT_EQ(run.code, 8) << run.err;
    EXPECT_EQ(lineCount(run.err), 1) << run.err;
}

TEST_F(CaptureCommand, AScriptCapturesAndGoesOn)
{
    const std::string script = write("s.txt", "set lod.split_pixels 20\n"
                                              "wait settled\n"
                                              "capture out 15\n"
                                              "expect lod.split_pixels == 20\n"
                                              "expect gl_errors == 0\n"
                                              "quit\n");
    const Finished run =
        runProgram({OROGEN_PROGRAM, "view", "--headless", "--size", "320x180", "--script", script}, environment());
    ASSERT_EQ(run.code, 0) << run.err;
    const Capture made = taken("out");
    EXPECT_EQ(made.report.statistics.frames, 15u);
    EXPECT_EQ(made.report.metadata.pathName, "overview");
    EXPECT_TRUE(fs::exists(file("out/last.png")));
    EXPECT_NE(run.err.find("capture out: 15 frames along the path overview\n"), std::string::npos) << run.err;
    EXPECT_FALSE(made.report.panels);
    for (const FrameSample& row : made.rows.front())
        EXPECT_FALSE(row.passMs[std::size_t(GpuPass::kUi)]) << row.frame;
}

TEST_F(CaptureCommand, AScriptFliesThePathThatIsLoaded)
{
    const std::string script = write("s.txt", "capture out 3\nquit\n");
    const Finished run = runProgram({OROGEN_PROGRAM, "view", "synthetic:128", "--headless", "--size", "160x90",
                                     "--path", "ridge", "--script", script},
                                    environment());
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.err.find("capture out: 3 frames along the path that is loaded"), std::string::npos) << run.err;
    const Result<CameraPath> ridge = findCameraPath("ridge", std::string(OROGEN_ROOT) + "/assets/camera_paths");
    ASSERT_TRUE(ridge);
    EXPECT_EQ(taken("out").report.metadata.pathHash, hashOf(*ridge));
}

// Without a loaded path, the camera stays in place.
TEST_F(CaptureCommandThorough, AScriptOnTheEarthCapturesWhereTheCameraStands)
{
    const std::string script = write("s.txt", "goto 46.5 8 9000\nwait 2\ncapture out 3\n"
                                              "expect latitude > 46.49\nexpect latitude < 46.51\nquit\n");
    const Finished run = runProgram(
        {OROGEN_PROGRAM, "view", "earth", "--headless", "--size", "96x54", "--script", script}, environment());
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.err.find("capture out: 3 frames where the camera stands\n"), std::string::npos) << run.err;
    const Capture made = taken("out");
    EXPECT_EQ(made.report.metadata.pathName, "view");
    EXPECT_GT(made.report.statistics.work[&FrameSample::maxDepth].total.value_or(0), 20u) << "not from orbit";
    for (const FrameSample& row : made.rows.front())
        EXPECT_TRUE(!row.measured() || row.splits.value_or(1) + row.merges.value_or(1) == 0) << row.frame;
}

TEST_F(CaptureCommandThorough, AModuleThatRanIsInTheRowsAndAnEvent)
{
    const std::string script = write("s.txt", "set lod.split_pixels 20\n"
                                              "wait settled\n"
                                              "run multiword length=50000000\n"
                                              "capture out 60\n"
                                              "expect module.multiword.state == done\n"
                                              "quit\n");
    const Finished run =
        runProgram({OROGEN_PROGRAM, "view", "--headless", "--size", "160x90", "--script", script}, environment());
    ASSERT_EQ(run.code, 0) << run.err;
    const Capture capture = taken("out");
    int frames = 0;
    std::vector<ComputeEvent> events;
    for (const FrameSample& row : capture.rows.front())
    {
        frames += row.module == "multiword";
        for (const ComputeEvent& event : computeEvents(row.event))
            events.push_back(event);
    }
    EXPECT_GT(frames, 0);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].name, "multiword");
    EXPECT_LT(events[0].beginMs, events[0].endMs);
    EXPECT_NE(content("out/report.html").find("multiword"), std::string::npos);
}

TEST_F(CaptureCommandThorough, TheKeyF8CapturesStopsAndTheViewComesBack)
{
    const std::string script = write("s.txt", "set lod.split_pixels 20\n"
                                              "set view.yaw 77\n"
                                              "wait settled\n"
                                              "key F8\n"
                                              "wait 30\n"
                                              "key F8\n"
                                              "wait 3\n"
                                              "expect view.yaw == 77\n"
                                              "expect gl_errors == 0\n"
                                              "quit\n");
    const Finished run =
        runProgram({OROGEN_PROGRAM, "view", "--headless", "--size", "320x180", "--script", script}, environment());
    ASSERT_EQ(run.code, 0) << run.err;
    int reports = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(file("orogen-captures")))
    {
        const Result<FrameReport> report = readReport(entry.path().string() + "/report.json");
        ASSERT_TRUE(report) << report.error().message;
        EXPECT_TRUE(report->interrupted);
        ++reports;
    }
    EXPECT_EQ(reports, 1);
}

TEST_F(CaptureCommandThorough, ATerrainOfTilesIsNamedByItsFiles)
{
    fs::create_directories(file("tiles"));
    std::ofstream tile(file("tiles/N00E000.hgt"), std::ios::binary);
    const std::vector<char> zeros(1201 * 1201 * 2);
    tile.write(zeros.data(), std::streamsize(zeros.size()));
    tile.close();
    ASSERT_EQ(capture({"tiles", "--out", "out", "--frames", "3", "--warmup", "0"}).code, 0);
    const std::string line = *sha256OfFile(file("tiles/N00E000.hgt")) + "  N00E000.hgt\n";
    EXPECT_EQ(taken("out").report.metadata.heightmapSha256, sha256(line));
}

}  // namespace
}  // namespace orogen::test
