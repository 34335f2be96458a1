// Sweeps of compute modules over sizes: order, session, panel and files.
#include "app/model/compute_state.h"

#include <filesystem>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/session/compute_runner.h"
#include "compute/device/cuda.h"
#include "compute/modules.h"
#include "tests/app/ui_support.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

using Sizes = std::vector<std::int64_t>;

compute::JobResult timed(double ms, const compute::Work& work = {})
{
    compute::JobResult result;
    result.times = {{"upload", 1}, {"add", ms}};
    result.mainTime = "add";
    result.work = work;
    return result;
}

ModuleSweepRequest small(std::vector<compute::Variant> variants = {{"simd", "cpu"}, {"gmp", "cpu"}},
                         Sizes sizes = {64, 128})
{
    return {.module = "multiword",
            .assignments = {{"pattern", "ones"}},
            .variants = std::move(variants),
            .sizes = std::move(sizes)};
}

TEST(SweptSizes, AreInEqualFactorsEachOnceWithBothEnds)
{
    EXPECT_EQ(sweptSizes(1000, 8000, 4), (Sizes{1000, 2000, 4000, 8000}));
    EXPECT_EQ(sweptSizes(1, 4, 9), (Sizes{1, 2, 3, 4}));
    EXPECT_EQ(sweptSizes(7, 7, 3), (Sizes{7}));
    EXPECT_EQ(sweptSizes(1, std::int64_t(1) << 40, 2), (Sizes{1, std::int64_t(1) << 40}));
}

TEST(ModuleSweep, RunsAllVariantsOfASizeAndThenTheNextSize)
{
    ModuleSweep sweep(small());
    std::vector<std::string> names;
    while (const auto assignments = sweep.next("length"))
    {
        names.push_back(sweep.nextName());
        EXPECT_EQ(assignments->front(), (std::pair<std::string, std::string>{"pattern", "ones"}));
        EXPECT_EQ(assignments->back().first, "length");
        sweep.add(timed(1), {});
    }
    EXPECT_EQ(names, (std::vector<std::string>{"simd, 64", "gmp, 64", "simd, 128", "gmp, 128"}));
    EXPECT_TRUE(sweep.over());
    EXPECT_EQ(sweep.done(), sweep.todo());
    EXPECT_EQ(sweep.points()[2].size, 128);
    EXPECT_EQ(sweep.points()[3].variant, 1u);
}

TEST(ModuleSweep, LeavesOutAVariantThatFailed)
{
    ModuleSweep sweep(small({{"cramer", "cpu"}, {"cholesky", "cpu"}}, {8, 16, 32}));
    std::vector<std::string> names;
    while (sweep.next("random"))
    {
        names.push_back(sweep.nextName());
        names.back() == "cramer, 16" ? sweep.add({}, "too large") : sweep.add(timed(1), {});
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"cramer, 8", "cholesky, 8", "cramer, 16", "cholesky, 16", "cholesky, 32"}));
    EXPECT_EQ(sweep.done(), sweep.todo()) << "what was left out counts";
}

TEST(ModuleSweep, LeavesOutSizesThatAVariantDoesNotTake)
{
    ModuleSweep sweep(small({{"cramer", "cpu", 16}, {"cholesky", "cpu"}}, {8, 16, 32}));
    std::vector<std::string> names;
    for (; !sweep.over(); sweep.add(timed(1), {}))
        names.push_back(sweep.nextName());
    EXPECT_EQ(names,
              (std::vector<std::string>{"cramer, 8", "cholesky, 8", "cramer, 16", "cholesky, 16", "cholesky, 32"}));
    EXPECT_TRUE(std::ranges::all_of(sweep.points(), [](const ModuleSweepPoint& point) { return point.error.empty(); }));
    EXPECT_EQ(ModuleSweep(small({{"cramer", "cpu", 16}, {"cholesky", "cpu"}}, {32})).nextName(), "cholesky, 32");
    EXPECT_TRUE(ModuleSweep(small({{"cramer", "cpu", 16}}, {32})).over());
}

TEST(ModuleSweep, ShowsWhatAResultHas)
{
    const compute::JobResult plain = timed(2), rich = timed(2, {.bytes = 4e6, .operations = 2e6, .iterations = 4});
    EXPECT_EQ(valueOf(SweepQuantity::kTime, plain), 2);
    EXPECT_EQ(valueOf(SweepQuantity::kEndToEnd, plain), 3);
    EXPECT_FALSE(valueOf(SweepQuantity::kTraffic, plain));
    EXPECT_FALSE(valueOf(SweepQuantity::kSpeedup, plain));
    EXPECT_DOUBLE_EQ(*valueOf(SweepQuantity::kTraffic, rich), 2);
    EXPECT_DOUBLE_EQ(*valueOf(SweepQuantity::kSpeed, rich), 1);
    EXPECT_DOUBLE_EQ(*valueOf(SweepQuantity::kIteration, rich), 0.5);
    EXPECT_FALSE(valueOf(SweepQuantity::kTime, compute::JobResult()));
}

class SweepSession : public testing::Test
{
protected:
    void settle()
    {
        for (int i = 0; i < 900'000 && session.running(); ++i)
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            session.update(nowMs += 1);
        }
        ASSERT_FALSE(session.running());
    }

    ComputeRunner session;
    double nowMs = 0;
};

TEST_F(SweepSession, RunsOneAfterAnotherAndLeavesTheRunsAlone)
{
    ASSERT_TRUE(session.start(small()));
    EXPECT_EQ(session.state("multiword"), "running");
    EXPECT_EQ(session.runningNames(), "multiword");
    ASSERT_TRUE(session.progress("multiword"));
    EXPECT_EQ(session.progress("multiword")->phase, "1 of 4: simd, 64");
    EXPECT_FALSE(session.start(ModuleRequest{.module = "multiword", .assignments = {{"length", "64"}}}));
    EXPECT_FALSE(session.start(small()));
    settle();
    EXPECT_EQ(session.state("multiword"), "done");
    EXPECT_FALSE(session.progress("multiword"));
    EXPECT_TRUE(session.runs("multiword").empty());
    ASSERT_EQ(session.sweep("multiword")->points().size(), 4u);
    for (const ModuleSweepPoint& point : session.sweep("multiword")->points())
    {
        ASSERT_TRUE(point.result) << point.error;
        EXPECT_EQ(point.result->json.at("bits"), Json(point.size));
        EXPECT_EQ(point.result->json.at("algorithm"), point.variant == 0 ? "simd" : "gmp");
    }
    EXPECT_EQ(session.takeEvents().size(), 4u);
}

TEST_F(SweepSession, IsCancelledAsAWhole)
{
    ASSERT_TRUE(session.start(small({{"simd", "cpu"}}, {64, 1'000'000'000, 2'000'000'000})));
    session.cancel("multiword");
    settle();
    EXPECT_EQ(session.state("multiword"), "cancelled");
    EXPECT_LE(session.sweep("multiword")->points().size(), 1u);
    EXPECT_TRUE(session.start(small()));
    settle();
    EXPECT_EQ(session.state("multiword"), "done");
}

TEST_F(SweepSession, WaitsForADeviceThatIsTaken)
{
    ASSERT_TRUE(session.start(ModuleRequest{.module = "cg", .assignments = {{"poisson", "1000x1000"}}}));
    ASSERT_TRUE(session.start(small()));
    session.update(nowMs += 1);
    ASSERT_TRUE(session.progress("multiword"));
    EXPECT_EQ(session.progress("multiword")->phase, "1 of 4: waiting for the device");
    session.cancel("cg");
    settle();
    EXPECT_EQ(session.state("multiword"), "done");
    EXPECT_EQ(session.sweep("multiword")->points().size(), 4u);
}

TEST_F(SweepSession, HasFailedWhereEveryRunHas)
{
    ASSERT_TRUE(session.start(ModuleSweepRequest{.module = "cg", .variants = {{"cramer", "cpu"}}, .sizes = {30, 40}}));
    settle();
    EXPECT_EQ(session.state("cg"), "failed");
    ASSERT_EQ(session.sweep("cg")->points().size(), 1u);
    EXPECT_NE(session.sweep("cg")->points()[0].error.find("20"), std::string::npos);
}

TEST_F(SweepSession, RefusesWhatIsNone)
{
    EXPECT_FALSE(session.start(ModuleSweepRequest{.module = "multiwort", .variants = {{"simd", "cpu"}}, .sizes = {1}}));
    EXPECT_FALSE(session.start(small({}, {64})));
    EXPECT_FALSE(session.start(small({{"simd", "cpu"}}, {})));
    EXPECT_EQ(session.sweep("multiword"), nullptr);
    EXPECT_EQ(session.state("multiword"), "idle");
}

// ---- files ----

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

TEST_F(SweepSession, IsSavedWithTheRunsAndReplacesNothing)
{
    const test::TemporaryFolder folder;
    const std::string place = folder / "results";
    EXPECT_FALSE(saveResults(session, "multiword", place)) << "nothing was run yet";
    ASSERT_TRUE(session.start(ModuleRequest{.module = "multiword", .assignments = {{"a", "x,\"y"}, {"b", "1"}}}));
    settle();
    ASSERT_TRUE(
        session.start(ModuleRequest{.module = "multiword", .assignments = {{"length", "100"}, {"repetitions", "3"}}}));
    settle();
    ASSERT_TRUE(session.start(small()));
    settle();
    for (int i = 0; i < 2; ++i)
    {
        const Result<std::string> saved = saveResults(session, "multiword", place);
        ASSERT_TRUE(saved) << saved.error().message;
    }
    for (const char* name : {"runs.csv", "runs.json", "sweep.csv", "sweep.json", "runs-2.csv", "sweep-2.json"})
        EXPECT_TRUE(std::filesystem::exists(place + "/multiword-" + name)) << name;

    const auto runs = linesOf(test::contentOf(place + "/multiword-runs.csv"));
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_NE(runs[1].find("\"a=x,\"\"y b=1\""), std::string::npos) << runs[1];
    EXPECT_EQ(std::ranges::count(runs[2], ','), std::ranges::count(runs[0], ',')) << runs[2];
    EXPECT_TRUE(runs[2].starts_with("2,done,length=100 repetitions=3,simd,cpu,cpu,equal,add,3,")) << runs[2];

    const auto points = linesOf(test::contentOf(place + "/multiword-sweep.csv"));
    ASSERT_EQ(points.size(), 5u);
    EXPECT_TRUE(points[0].starts_with("algorithm,backend,size,check,main_time,samples,median_ms,")) << points[0];
    EXPECT_TRUE(points[4].starts_with("gmp,cpu,128,equal,add,1,")) << points[4];

    const auto json = nlohmann::json::parse(test::contentOf(place + "/multiword-runs.json"));
    EXPECT_EQ(json.at("runs").size(), 2u);
    EXPECT_EQ(json.at("runs")[0].at("state"), "failed");
    EXPECT_EQ(json.at("runs")[1].at("result").at("time_samples_ms").at("add").size(), 3u);
    EXPECT_EQ(nlohmann::json::parse(test::contentOf(place + "/multiword-sweep.json")).at("points")[3].at("size"), 128);
}

// ---- the panel ----

class SweepPanel : public SweepSession
{
protected:
    SweepPanel()
    {
        (void)compute::discoverCuda();  // otherwise the panel moves its items when the background search ends
        headless.refresh = [this](UiModel& model) { model.compute = session.panelState(); };
        headless.onPass = [this](const UiActions& actions) {
            if (actions.sweepModule) request = actions.sweepModule;
            if (actions.saveModule) saved = actions.saveModule;
        };
        headless.frames(2);
        headless.click("Tools/Multiword");
    }
    bool shows(const char* item) const { return headless.ui->items().find(item) != nullptr; }

    HeadlessUi headless{1280, 2400};
    std::optional<ModuleSweepRequest> request;
    std::optional<std::string> saved;
};

TEST_F(SweepPanel, LeavesOutWhatTakesNoneOfTheSizes)
{
    headless.click("Tools/Linear");
    headless.click("Linear/start_sweep");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->sizes.front(), 125);
    for (const compute::Variant& variant : request->variants)
        EXPECT_NE(variant.algorithm, "cramer");
    EXPECT_TRUE(shows("Linear/series/cramer")) << "greyed, with the reason";
    headless.drag("Linear/sweep_from", -4000);
    headless.click("Linear/start_sweep");
    EXPECT_LE(request->sizes.front(), 20);
    EXPECT_NE(std::ranges::find(request->variants, "cramer", &compute::Variant::algorithm), request->variants.end());
}

TEST_F(SweepPanel, AsksForTheTickedAlgorithmsWithThePanelsParameters)
{
    headless.click("Multiword/carry-in");
    headless.click("Multiword/series/paper-1-2");
    headless.click("Multiword/series/lookahead");
    headless.click("Multiword/start_sweep");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->module, "multiword");
    EXPECT_EQ(request->assignments,
              (std::vector<std::pair<std::string, std::string>>{{"carry-in", "true"}, {"repetitions", "5"}}));
    EXPECT_EQ(request->variants,
              (std::vector<compute::Variant>{{"recursive", "cpu"}, {"simd", "cpu"}, {"gmp", "cpu"}}));
    EXPECT_EQ(request->sizes, (Sizes{131'072, 262'144, 524'288, 1'048'576, 2'097'152}));
}

TEST_F(SweepPanel, PlotsItsPointsAndOffersWhatTheyHave)
{
    EXPECT_FALSE(shows("Multiword/sweep_plot"));
    ASSERT_TRUE(session.start(small()));
    settle();
    headless.frames(3);
    EXPECT_TRUE(shows("Multiword/sweep_plot"));
    headless.click("Multiword/sweep_shows");
    EXPECT_TRUE(shows("Multiword/sweep_shows/time"));
    EXPECT_FALSE(shows("Multiword/sweep_shows/iteration")) << "an addition has none";
    headless.click("Multiword/sweep_shows/time");
    headless.click("Multiword/save_sweep");
    EXPECT_EQ(saved, "multiword");
}

TEST_F(SweepPanel, ItsItemsAreKnownToScripts)
{
    for (const char* item :
         {"start_sweep", "sweep_from", "sweep_plot", "save", "series/simd", "series/lookback-cuda", "sweep_shows/time"})
        EXPECT_TRUE(isItemName("Multiword/" + std::string(item))) << item;
    EXPECT_FALSE(isItemName("Multiword/series"));
    EXPECT_FALSE(isItemName("Capture/series/simd"));
}

TEST_F(SweepPanel, ThatRunsCanBeCancelled)
{
    ASSERT_TRUE(session.start(small({{"simd", "cpu"}}, {64, 2'000'000'000})));
    headless.frames(2);
    EXPECT_TRUE(shows("Multiword/cancel"));
    EXPECT_FALSE(shows("Multiword/start_sweep"));
    session.cancel("multiword");
    settle();
    headless.frames(2);
    EXPECT_TRUE(shows("Multiword/start_sweep"));
}

}  // namespace
}  // namespace orogen::app
