// Sweeps without a renderer: grid, Pareto front, description in the folder, and page.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/frames/sweep/sweep.h"
#include "tests/support/page_check.h"
#include "tests/support/random.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_scale.h"

namespace orogen::test {
namespace {

using nlohmann::json;

SweepPlan smallPlan()
{
    SweepPlan plan;
    plan.depths = {16, 24};
    plan.pixels = {4, 8.5};
    plan.frames = 30;
    plan.metadata = syntheticMetadata();
    plan.settings = R"({"patch.level":2,"render.msaa":4})";
    plan.viewOptions = {"the alps' <b>.tif"};
    plan.changedSettings = {"render.msaa=4"};
    return plan;
}

// Writes a point as an instrument would. The error, if measured, is `error` times 1 to 2 along the path.
void takePoint(const std::string& folder, const SweepPlan& plan, const SweepPoint& point,
               std::optional<double> error = {}, bool interrupted = false)
{
    SyntheticCapture capture = syntheticCapture();
    capture.runs = 1;
    capture.frames = plan.frames;
    capture.intervalMs = 40 / point.pixels;
    auto recorder = CaptureRecorder::create(planOf(capture, folder + '/' + pointName(plan, point)), capture.metadata,
                                            capture.settings);
    must(recorder);
    must((*recorder)->beginRun());
    for (FrameSample& sample : syntheticRun(capture, 1))
    {
        if (error && sample.frame % 10 == 0)
        {
            sample.errorP99Px = *error * (sample.frame % 20 == 0 ? 1 : 2);
            sample.errorMaxPx = 3 * *sample.errorP99Px;
        }
        if (error && !sample.measured()) sample.errorMaxPx = 1e6;  // warm-up is excluded
        must((*recorder)->add(sample));
    }
    if (!interrupted) must((*recorder)->endRun({}));
    must((*recorder)->finish(interrupted));
}

TEST(Sweep, TakesEveryDepthWithEveryThresholdUnderItsOwnName)
{
    SweepPlan plan = smallPlan();
    plan.depths = {6, 12, 30};
    plan.pixels = {0.5, 0.55, 1, 64};
    const std::vector<SweepPoint> points = pointsOf(plan);
    ASSERT_EQ(points.size(), 12u);
    std::set<std::string> names;
    for (const SweepPoint& point : points)
        names.insert(pointName(plan, point));
    EXPECT_EQ(names.size(), 12u);
    EXPECT_EQ(pointName(plan, points[0]), "point-d6-s0.5");
    EXPECT_EQ(points[5].depth, 12);
    EXPECT_EQ(points[5].pixels, 0.55);
    plan.threshold = SweptThreshold::kErrorPixels;
    EXPECT_EQ(pointName(plan, points[11]), "point-d30-e64");
}

TEST(Sweep, CommandsAreWordsOfAShell)
{
    const SweepPlan plan = smallPlan();
    EXPECT_EQ(commandOf(plan, pointsOf(plan)[1]),
              "orogen view 'the alps'\\'' <b>.tif' --set cbt.depth=16 --set lod.criterion=edge --set "
              "lod.split_pixels=8.5 --set render.msaa=4");
}

TEST(Sweep, ADepthOnTheEarthIsThatOfItsTree)
{
    SweepPlan plan = smallPlan();
    plan.viewOptions = {"earth", "alps.tif"};
    EXPECT_NE(commandOf(plan, pointsOf(plan)[1]).find(" --set earth.depth=16 "), std::string::npos);
}

// Finds the front in another way: from left to right, every point that lies lower than all before it.
TEST(Sweep, TheFrontIsThatOfSweepingFromLeftToRight)
{
    for (int seed = 1; seed <= scaled(200, 20'000); ++seed)
    {
        Random random{std::uint64_t(seed)};
        std::vector<std::pair<double, double>> costs(random.below(20));
        for (auto& [x, y] : costs)
            x = random.below(6), y = random.below(6);  // produces many ties
        std::vector<std::pair<double, double>> sorted = costs;
        std::ranges::sort(sorted);
        std::set<std::pair<double, double>> front;
        double lowest = 1e9;
        for (const auto& cost : sorted)
            if (cost.second < lowest) front.insert(cost), lowest = cost.second;
        const std::vector<bool> kept = paretoFront(costs);
        for (std::size_t i = 0; i < costs.size(); ++i)
            ASSERT_EQ(kept[i], front.contains(costs[i])) << "seed " << seed << ", point " << i;
    }
}

class SweepFolder : public testing::Test
{
protected:
    std::string text(const std::string& name) const
    {
        std::ifstream file(out_ + '/' + name);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    TemporaryFolder folder_;
    std::string out_ = folder_ / "sweep";
    SweepPlan plan_ = smallPlan();
};

TEST_F(SweepFolder, KeepsFinishedPointsAndClearsWhatAKillLeft)
{
    ASSERT_TRUE(sweep_files::claim(out_, plan_));
    const std::vector<SweepPoint> points = pointsOf(plan_);
    takePoint(out_, plan_, points[0], 0.5);
    takePoint(out_, plan_, points[1], 0.5, true);
    {
        auto killed = CaptureRecorder::create(
            {.folder = out_ + '/' + pointName(plan_, points[2]), .runs = 1, .frames = 30}, plan_.metadata, "{}");
        must(killed);
        EXPECT_EQ(sweep_files::clearPoint(out_, plan_, points[2]).error().code, ExitCode::kOutput);  // still alive
        must((*killed)->beginRun());
        must((*killed)->add({}));
    }
    std::size_t missing = 0;
    const std::vector<SweepPoint> read = sweep_files::readPoints(out_, plan_, missing);
    EXPECT_EQ(missing, 3u);
    EXPECT_TRUE(read[0].frameMsP50);
    EXPECT_FALSE(read[1].frameMsP50 || read[2].frameMsP50 || read[3].frameMsP50);
    for (std::size_t i = 1; i < 4; ++i)
    {
        ASSERT_TRUE(sweep_files::clearPoint(out_, plan_, points[i]));
        ASSERT_NO_THROW(takePoint(out_, plan_, points[i], 0.5));
    }
    (void)sweep_files::readPoints(out_, plan_, missing);
    EXPECT_EQ(missing, 0u);
}

TEST_F(SweepFolder, IsRefusedToAnotherSweepWithWhatDiffers)
{
    ASSERT_TRUE(sweep_files::claim(out_, plan_));
    ASSERT_TRUE(sweep_files::claim(out_, plan_));  // a repeated claim is harmless
    const auto refused = [&](const char* what, const auto& edit) {
        SweepPlan other = plan_;
        edit(other);
        const Status status = sweep_files::claim(out_, other);
        ASSERT_FALSE(status) << what;
        EXPECT_EQ(status.error().code, ExitCode::kOutput);
        EXPECT_NE(status.error().message.find(what), std::string::npos) << status.error().message;
        EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
    };
    refused("depths: found [16,24], expected [16]", [](SweepPlan& p) { p.depths = {16}; });
    refused("split_pixels: found [4.0,8.5], expected [4.0]", [](SweepPlan& p) { p.pixels = {4}; });
    refused("error_pixels: found nothing", [](SweepPlan& p) { p.threshold = SweptThreshold::kErrorPixels; });
    refused("frames: found 30, expected 31", [](SweepPlan& p) { p.frames = 31; });
    refused("size: found 1280x720, expected 1281x720", [](SweepPlan& p) { p.metadata.width = 1281; });
    refused("terrain sha256", [](SweepPlan& p) { p.metadata.heightmapSha256 = "other"; });
    refused("path hash", [](SweepPlan& p) { p.metadata.pathHash = "other"; });
    refused("settings render.msaa: found 4, expected 1", [](SweepPlan& p) { p.settings = R"({"render.msaa":1})"; });
    refused("shaders_hash", [](SweepPlan& p) { p.metadata.shadersHash = "other"; });
    refused("program commit", [](SweepPlan& p) { p.metadata.commit = "other"; });
    refused("renderer", [](SweepPlan& p) { p.metadata.glRenderer = "other"; });
    SweepPlan later = plan_;  // metadata that does not affect the points
    later.metadata.created = "2030-01-01T00:00:00Z";
    later.metadata.commandLine = {"orogen", "sweep", "--shard", "1/2"};
    later.metadata.load = 7;
    EXPECT_TRUE(sweep_files::claim(out_, later));
}

TEST_F(SweepFolder, IsRefusedWhereSomethingElseLies)
{
    std::filesystem::create_directory(out_);
    ASSERT_TRUE(writeFileAtomically(out_ + "/thesis.tex", "text"));
    const Status status = sweep_files::claim(out_, plan_);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kOutput);
    EXPECT_NE(status.error().message.find("found thesis.tex"), std::string::npos) << status.error().message;
    EXPECT_EQ(text("thesis.tex"), "text");
    ASSERT_TRUE(writeFileAtomically(folder_ / "plain", "text"));
    EXPECT_EQ(sweep_files::claim(folder_ / "plain", plan_).error().code, ExitCode::kOutput);
    const Status endless = sweep_files::claim(folder_ / std::string(300, 'x'), plan_);
    ASSERT_FALSE(endless);
    EXPECT_EQ(endless.error().code, ExitCode::kOutput);
    EXPECT_NE(endless.error().message.find("x: cannot be made: "), std::string::npos) << endless.error().message;
}

TEST_F(SweepFolder, WritesWhatWasMeasuredAndNullWhereNothingWas)
{
    ASSERT_TRUE(sweep_files::claim(out_, plan_));
    std::vector<SweepPoint> points = pointsOf(plan_);
    for (std::size_t i = 0; i < points.size(); ++i)
        takePoint(out_, plan_, points[i], i == 3 ? std::nullopt : std::optional(0.25 * points[i].pixels));
    std::size_t missing = 0;
    points = sweep_files::readPoints(out_, plan_, missing);
    ASSERT_TRUE(sweep_files::writeResults(out_, plan_, points));
    const json result = json::parse(text("sweep.json"));
    EXPECT_EQ(result["schema"], kSweepSchema);
    EXPECT_EQ(result["metadata"]["heightmap"]["name"], "alps.tif");
    ASSERT_EQ(result["points"].size(), 4u);
    const json& first = result["points"][0];
    EXPECT_EQ(first["depth"], 16);
    EXPECT_EQ(first["split_pixels"], 4.0);
    EXPECT_NEAR(first["error_px_p99"].get<double>(), 4.0 / 3, 1e-9);  // frames 20, 30, 40: 1, 2, 1
    EXPECT_DOUBLE_EQ(first["error_px_max"].get<double>(), 6);
    EXPECT_NEAR(first["frame_ms_p50"].get<double>(), 10, 1);
    EXPECT_GT(first["triangles_mean"].get<double>(), 1e6);
    const json& last = result["points"][3];
    EXPECT_TRUE(last["error_px_p99"].is_null() && last["error_px_max"].is_null() && last["pareto"].is_null());
    EXPECT_TRUE(result["points"][0]["pareto"].get<bool>());
    const std::string csv = text("sweep.csv");
    EXPECT_EQ(csv.substr(0, csv.find('\n')),
              "depth,split_pixels,frame_ms_p50,triangles_mean,error_px_p99,error_px_max,pareto");
    EXPECT_NE(csv.find(",,,\n"), std::string::npos);
    EXPECT_EQ(std::ranges::count(csv, '\n'), 5);
}

TEST_F(SweepFolder, PageIsSelfContainedAndHasEveryPointWithItsCommand)
{
    ASSERT_TRUE(sweep_files::claim(out_, plan_));
    std::vector<SweepPoint> points = pointsOf(plan_);
    for (SweepPoint& point : points)
        takePoint(out_, plan_, point, 0.25 * point.pixels);
    std::size_t missing = 0;
    points = sweep_files::readPoints(out_, plan_, missing);
    const std::string page = sweepToHtml(plan_, points);
    EXPECT_EQ(pageFault(page), "");
    EXPECT_NE(page.find("Error against frame time"), std::string::npos);
    EXPECT_NE(page.find("Error against triangles"), std::string::npos);
    EXPECT_NE(page.find("Pareto front"), std::string::npos);
    for (const SweepPoint& point : points)
        EXPECT_NE(page.find("--set lod.split_pixels=" + std::string(point.pixels == 4 ? "4 " : "8.5 ")),
                  std::string::npos);
    EXPECT_NE(page.find("&lt;b&gt;.tif"), std::string::npos);
    for (SweepPoint& point : points)
        point.errorPxP99.reset();
    const std::string bare = sweepToHtml(plan_, points);
    EXPECT_EQ(pageFault(bare), "");
    EXPECT_NE(bare.find("was not measured"), std::string::npos);
}

}  // namespace
}  // namespace orogen::test
