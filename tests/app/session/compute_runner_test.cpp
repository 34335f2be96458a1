// Compute modules in a session, and their panels.
#include "app/session/compute_runner.h"

#include <atomic>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include "compute/modules.h"
#include "tests/app/ui_support.h"
#include "tests/compute/fake_cuda.h"

namespace orogen::app {
namespace {

// Draws frames until no module runs. Advances `nowMs` (milliseconds) by one frame each.
void settle(ComputeRunner& session, double& nowMs)
{
    for (int i = 0; i < 900'000 && session.running(); ++i)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        session.update(nowMs += 1);
    }
    ASSERT_FALSE(session.running());
}

ModuleRequest addition(const std::string& a, const std::string& b)
{
    return {.module = "multiword", .assignments = {{"a", a}, {"b", b}}, .wholeResult = true};
}

class Deck : public testing::Test
{
protected:
    ComputeRunner session;
    double nowMs = 0;
};

TEST_F(Deck, IsIdleThenRunningThenDone)
{
    EXPECT_EQ(session.state("multiword"), "idle");
    EXPECT_EQ(session.result("multiword"), "null");
    ASSERT_TRUE(session.start(addition("ff", "1")));
    EXPECT_EQ(session.state("multiword"), "running");
    EXPECT_TRUE(session.progress("multiword"));
    EXPECT_EQ(session.runningNames(), "multiword");
    EXPECT_EQ(session.runningMask(), 1u);
    settle(session, nowMs);
    EXPECT_EQ(session.state("multiword"), "done");
    EXPECT_EQ(session.result("multiword"), "100");
    EXPECT_EQ(session.runningNames(), "");
    EXPECT_FALSE(session.progress("multiword"));
}

// The drawing thread never waits for a slow driver.
TEST(ComputeSessionCuda, IsLookedForOnAThreadOfItsOwn)
{
    test::FakeCuda fake;
    compute::CudaCalls calls = fake.table();
    std::atomic<bool> started = false;
    std::atomic<std::thread::id> asked{};
    calls.deviceCount = [&, count = calls.deviceCount](int* devices) {
        asked = std::this_thread::get_id();
        started.wait(false);
        return count(devices);
    };
    compute::Cuda cuda(std::move(calls));
    ComputeRunner session(cuda);
    for (int frame = 0; frame < 3; ++frame)
    {
        EXPECT_FALSE(session.cuda().available);
        EXPECT_EQ(session.cuda().reason, "looking for CUDA devices");
    }
    started = true;
    started.notify_all();
    for (int i = 0; i < 900'000 && !session.cuda().available; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(session.cuda().available);
    EXPECT_EQ(session.cuda().devices.size(), 2u);
    EXPECT_NE(asked.load(), std::this_thread::get_id());
}

TEST_F(Deck, RefusesWhatIsNone)
{
    const Status module = session.start(ModuleRequest{.module = "multiwort"});
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().code, ExitCode::kUsage);
    const Status parameter = session.start(ModuleRequest{.module = "multiword", .assignments = {{"lenght", "3"}}});
    ASSERT_FALSE(parameter);
    EXPECT_EQ(parameter.error().code, ExitCode::kUsage);
    EXPECT_TRUE(session.runs("multiword").empty());
    EXPECT_EQ(session.state("multiwort"), std::nullopt);
    EXPECT_EQ(session.result("multiwort"), std::nullopt);
}

TEST_F(Deck, OneRunOfAModuleAtATime)
{
    ASSERT_TRUE(session.start(
        ModuleRequest{.module = "multiword", .assignments = {{"length", "100000000"}, {"repetitions", "200"}}}));
    EXPECT_FALSE(session.start(addition("1", "1")));
    session.cancel("multiword");
    settle(session, nowMs);
    EXPECT_EQ(session.state("multiword"), "cancelled");
    EXPECT_EQ(session.runs("multiword").size(), 1u);
    ASSERT_TRUE(session.start(addition("1", "1")));
    settle(session, nowMs);
    EXPECT_EQ(session.result("multiword"), "2");
}

TEST_F(Deck, AFailureKeepsItsReasonAndTheLastResult)
{
    ASSERT_TRUE(session.start(addition("1", "1")));
    settle(session, nowMs);
    ASSERT_TRUE(session.start(addition("1", "xyz")));
    settle(session, nowMs);
    EXPECT_EQ(session.state("multiword"), "failed");
    EXPECT_NE(session.runs("multiword").back().error.find("hexadecimal"), std::string::npos);
    EXPECT_EQ(session.result("multiword"), "2");
}

TEST_F(Deck, EndedRunsAreEventsOnTheFramesClock)
{
    session.update(nowMs = 50);
    ASSERT_TRUE(session.start(addition("1", "1")));
    EXPECT_TRUE(session.takeEvents().empty());
    settle(session, nowMs);
    const std::vector<ComputeEvent> events = session.takeEvents();
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].name, "multiword");
    EXPECT_EQ(events[0].clock, "cpu");
    EXPECT_EQ(events[0].beginMs, 50.0);
    EXPECT_EQ(events[0].endMs, nowMs);
    EXPECT_GT(events[0].durationMs, 0.0);
    EXPECT_TRUE(session.takeEvents().empty());
}

class ModulePanelTest : public testing::Test
{
protected:
    ModulePanelTest()
    {
        headless.refresh = [this](UiModel& model) { model.compute = session.panelState(); };
        headless.frames(2);
        headless.click("Tools/Multiword");
    }

    std::optional<ModuleRequest> clicked(const std::string& item)
    {
        std::optional<ModuleRequest> request;
        headless.ui->injector().click(item);
        for (int i = 0; i < 200 && headless.ui->injector().busy(); ++i)
        {
            const UiActions actions = headless.frame();
            if (actions.runModule) request = actions.runModule;
            cancelled = actions.cancelModule ? actions.cancelModule : cancelled;
        }
        const auto failure = headless.ui->injector().takeFailure();
        EXPECT_FALSE(failure) << *failure;
        headless.frames(2);
        return request;
    }
    bool shows(const char* item) const { return headless.ui->items().find(item) != nullptr; }
    void runToEnd(const ModuleRequest& request)
    {
        ASSERT_TRUE(session.start(request));
        settle(session, nowMs);
        headless.frames(3);
    }

    HeadlessUi headless{1280, 1400};
    ComputeRunner session;
    double nowMs = 0;
    std::optional<std::string> cancelled;
};

TEST_F(ModulePanelTest, EveryParameterHasAControl)
{
    headless.click("Tools/Multiword");
    for (const compute::Module* module : compute::modules())
    {
        headless.click("Tools/" + std::string(module->description().panel));
        headless.click(std::string(module->description().panel) + "/fold/more");
        for (const compute::Parameter& parameter : module->parameters())
        {
            const std::string item = fmt::format("{}/{}", module->description().panel, parameter.name);
            EXPECT_TRUE(shows(item.c_str())) << item;
            EXPECT_TRUE(isItemName(item)) << item;
        }
    }
    EXPECT_FALSE(isItemName("Multiword/lenght"));
    EXPECT_FALSE(isItemName("Multiword"));
}

// Beside Performance, the panel has only half of the column's height.
TEST_F(ModulePanelTest, RunIsSeenWithoutScrolling)
{
    for (const auto& [width, height] : {std::pair{1280, 720}, {1000, 640}})
        for (const compute::Module* module : compute::modules())
        {
            HeadlessUi small(width, height);
            small.refresh = headless.refresh;
            small.frames(2);
            small.click("Tools/" + std::string(module->description().panel));
            small.frames(3);
            const ItemRect* run = small.ui->items().find(std::string(module->description().panel) + "/run");
            ASSERT_NE(run, nullptr) << module->name();
            EXPECT_TRUE(run->shows(run->centre())) << module->name() << " at " << width << " x " << height;
        }
}

TEST_F(ModulePanelTest, RareParametersAreFoldedUntilTheyAreAskedFor)
{
    for (const char* item : {"Multiword/seed", "Multiword/threads", "Multiword/repetitions", "Multiword/carry-in"})
        EXPECT_FALSE(shows(item)) << item;
    for (const char* item : {"Multiword/operation", "Multiword/length", "Multiword/algorithm", "Multiword/backend"})
        EXPECT_TRUE(shows(item)) << item;
    headless.click("Multiword/carry-in");
    EXPECT_TRUE(shows("Multiword/seed")) << "a script opens what it clicks";
    headless.click("Multiword/fold/more");
    EXPECT_FALSE(shows("Multiword/seed"));
    const auto request = clicked("Multiword/run");
    ASSERT_TRUE(request);
    EXPECT_NE(std::ranges::find(request->assignments, std::pair<std::string, std::string>("carry-in", "true")),
              request->assignments.end())
        << "folded away, and asked for";
}

// A script finds items in folded sections without opening or moving other items.
TEST_F(ModulePanelTest, LookingForAnItemMovesNothing)
{
    HeadlessUi small(1280, 720);
    small.refresh = headless.refresh;
    small.frames(2);
    small.click("Tools/Signed-digit");
    small.frames(3);
    const auto heightOf = [&small](const char* item) {
        const ItemRect* rect = small.ui->items().find(item);
        return rect ? rect->min.y : 0;
    };
    const auto between = [&] { return heightOf("Signed-digit/start_sweep") - heightOf("Signed-digit/fold/more"); };
    const float before = between(), heading = heightOf("Signed-digit/fold/more");
    small.ui->injector().click("Signed-digit/start_sweep");  // outside the visible part
    for (int i = 0; i < 30 && small.ui->injector().busy(); ++i)
    {
        small.frame();
        EXPECT_EQ(between(), before) << "frame " << i;
    }
    EXPECT_LT(heightOf("Signed-digit/fold/more"), heading) << "scrolled to it";
}

TEST_F(ModulePanelTest, FramesAreKeptComingForAsLongAsAModuleRuns)
{
    std::optional<bool> keep;
    headless.onPass = [&](const UiActions& actions) { keep = actions.keepFrames ? actions.keepFrames : keep; };
    EXPECT_FALSE(session.keepsFrames()) << "off at first: frames slow what is measured";
    headless.click("Multiword/draw_frames");
    ASSERT_EQ(keep, true);
    session.keepFrames(*keep);
    EXPECT_FALSE(session.wantsFrames()) << "nothing runs";
    ASSERT_TRUE(session.start(ModuleRequest{.module = "cg", .assignments = {{"poisson", "1000x1000"}}}));
    EXPECT_TRUE(session.wantsFrames());
    session.keepFrames(false);
    EXPECT_FALSE(session.wantsFrames());
    session.keepFrames(true);
    session.cancel("cg");
    settle(session, nowMs);
    EXPECT_FALSE(session.wantsFrames());
}

TEST_F(ModulePanelTest, ControlsMakeTheRequest)
{
    headless.click("Multiword/operation");
    headless.click("Multiword/operation/sub");
    headless.click("Multiword/carry-in");
    headless.click("Multiword/algorithm");
    headless.click("Multiword/algorithm/lookahead");
    const auto request = clicked("Multiword/run");
    ASSERT_TRUE(request);
    const std::vector<std::pair<std::string, std::string>> expected = {{"operation", "sub"},
                                                                       {"carry-in", "true"},
                                                                       {"length", "1048576"},
                                                                       {"algorithm", "lookahead"},
                                                                       {"repetitions", "5"}};
    EXPECT_EQ(request->assignments, expected);
    runToEnd(*request);
    EXPECT_EQ(session.state("multiword"), "done");
    EXPECT_TRUE(shows("Multiword/copy_result"));
    EXPECT_FALSE(shows("Multiword/plot")) << "one run is no curve";
    runToEnd(*request);
    EXPECT_TRUE(shows("Multiword/plot"));
}

TEST_F(ModulePanelTest, PlotsTheSpeedOfRunsThatHaveOne)
{
    const ModuleRequest byGmp = {.module = "multiword", .assignments = {{"length", "65536"}, {"algorithm", "gmp"}}};
    runToEnd(byGmp);
    runToEnd(byGmp);
    EXPECT_FALSE(shows("Multiword/speed_plot")) << "it is what the others are held against";
    headless.click("Tools/Multiword");
    headless.click("Tools/Signed-digit");
    const ModuleRequest sum = {.module = "signed-digit", .assignments = {{"count", "1000"}}};
    runToEnd(sum);
    EXPECT_FALSE(shows("Signed-digit/speed_plot"));
    runToEnd(sum);
    EXPECT_TRUE(shows("Signed-digit/speed_plot"));
    runToEnd({.module = "signed-digit", .assignments = {{"operation", "dot"}, {"count", "1000"}}});
    EXPECT_TRUE(shows("Signed-digit/speed_plot"));
}

TEST_F(ModulePanelTest, TheResidualOfConjugateGradientsIsACurveWhileTheyRunAndAfterwards)
{
    headless.click("Tools/Linear");
    runToEnd({.module = "cg", .assignments = {{"random", "40"}, {"algorithm", "cholesky"}}});
    EXPECT_FALSE(shows("Linear/curve")) << "a direct method has none";
    ASSERT_TRUE(
        session.start(ModuleRequest{.module = "cg", .assignments = {{"poisson", "1000x1000"}, {"threads", "1"}}}));
    for (int i = 0; i < 900'000 && session.running() && session.progress("cg")->curve.steps < 3; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(session.progress("cg"));
    EXPECT_EQ(session.progress("cg")->curve.goal, 1e-10);
    headless.frames(3);
    EXPECT_TRUE(shows("Linear/curve"));
    EXPECT_TRUE(isItemName("Linear/curve"));
    session.cancel("cg");
    settle(session, nowMs);
    runToEnd({.module = "cg", .assignments = {{"random", "40"}}});
    const ModuleRun& run = session.runs("cg").back();
    ASSERT_TRUE(run.result);
    const std::vector<double> history = run.result->json.at("history").get<std::vector<double>>();
    EXPECT_EQ(run.curve.values, history);
    EXPECT_TRUE(shows("Linear/curve"));
}

TEST_F(ModulePanelTest, ALongResultIsCopiedInFull)
{
    headless.click("Tools/Multiword");
    headless.click("Tools/Signed-digit");
    const std::string number(3000, '7');
    runToEnd({.module = "signed-digit", .assignments = {{"operation", "multiply"}, {"x", number}, {"y", "10"}}});
    headless.click("Signed-digit/copy_result");
    const std::string copied = ImGui::GetClipboardText();
    EXPECT_NE(copied.find("\"" + number + "0\""), std::string::npos) << copied.substr(0, 200);
}

TEST_F(ModulePanelTest, EveryPanelRunsAsItBegins)
{
    headless.click("Tools/Multiword");
    for (const compute::Module* module : compute::modules())
    {
        headless.click("Tools/" + std::string(module->description().panel));
        const auto request = clicked(std::string(module->description().panel) + "/run");
        ASSERT_TRUE(request) << module->description().panel;
        runToEnd(*request);
        EXPECT_EQ(session.state(request->module), "done") << session.runs(request->module).back().error;
        const compute::JobResult& result = *session.runs(request->module).back().result;
        EXPECT_EQ(result.check, compute::CheckAnswer::kEqual);
        if (!result.speedup) continue;
        const auto tellsIt = [&speedup = *result.speedup](const auto& row) {
            return row.first.find(speedup.name) != row.first.npos &&
                   row.second.starts_with(fmt::format("{:.3g}", speedup.factor));
        };
        EXPECT_TRUE(std::ranges::any_of(result.table, tellsIt)) << request->module;
    }
}

TEST_F(ModulePanelTest, ARunningModuleCanBeCancelled)
{
    ASSERT_TRUE(session.start(
        ModuleRequest{.module = "multiword", .assignments = {{"length", "100000000"}, {"repetitions", "200"}}}));
    headless.frames(2);
    EXPECT_FALSE(shows("Multiword/run"));
    clicked("Multiword/cancel");
    EXPECT_EQ(cancelled, "multiword");
    session.cancel("multiword");
    settle(session, nowMs);
    headless.frames(2);
    EXPECT_TRUE(shows("Multiword/run"));
}

}  // namespace
}  // namespace orogen::app
