#include "app/session/script_runner.h"

#include <map>

#include <gtest/gtest.h>

#include "tests/app/ui_support.h"

namespace orogen::app {
namespace {

// Stands in for the viewer: the panels are real, and the class stores the changes that they request.
class FakeHost : public ScriptHost
{
public:
    explicit FakeHost(HeadlessUi& headless) : headless_(headless) {}

    Status setSetting(const std::string& key, const std::string& value) override
    {
        const SettingChange change{key, value};
        return setSettings(headless_.model.settings, {&change, 1});
    }
    void open(const std::string& dem) override
    {
        opened = dem;
        openingFrames = 5;
    }
    Status goTo(const step::GoTo& to) override
    {
        values["latitude"] = std::to_string(to.place.latitude);
        values["place"] = to.name;
        return Status::ok();
    }
    Status bookmark(int number, bool set) override
    {
        values["bookmark"] = (set ? "set " : "go ") + std::to_string(number);
        return Status::ok();
    }
    Status model(const step::Model& step) override
    {
        values["model"] = step.verb + std::to_string(step.steps) + step.file;
        return Status::ok();
    }
    Status brush(const step::Brush& step) override
    {
        values["brush"] = step.kind;
        return Status::ok();
    }
    Status undoStroke(bool again) override
    {
        values["stroke"] = again ? "again" : "undone";
        return Status::ok();
    }
    bool opening() const override { return openingFrames > 0; }
    Status screenshot(const std::string& file) override
    {
        shots.push_back(file);
        framesSettled = -settledAfter;
        return file == "/full/disk.png" ? Status(Error{ExitCode::kOutput, "disk full"}) : Status::ok();
    }
    std::string unsettled() const override { return settledAfter <= 0 ? "" : "12 tiles"; }
    std::optional<std::string> value(std::string_view key) override
    {
        if (findSetting(key))
        {
            return settingText(headless_.model.settings, key);
        }
        const auto found = values.find(std::string(key));
        return found == values.end() ? std::nullopt : std::optional(found->second);
    }
    Status run(const ModuleRequest& request) override
    {
        requests.push_back(request);
        return request.module == "multiword"
                   ? Status::ok()
                   : Status(Error{ExitCode::kUsage, "unknown module '" + request.module + "'"});
    }
    void mark(const std::string& section) override { marked.push_back(section); }
    Status capture(const std::string& folder, std::uint64_t frames) override
    {
        captured.emplace_back(folder, frames);
        capturingFrames = 7;
        return folder == "/taken" ? Status(Error{ExitCode::kOutput, "taken"}) : Status::ok();
    }
    Result<bool> capturing() const override
    {
        if (capturingFrames > 0) return true;
        if (captureFails) return Error{ExitCode::kOutput, "disk full"};
        return false;
    }
    void quit() override { quitted = true; }

    void frame()
    {
        --openingFrames;
        --capturingFrames;
        --settledAfter;
    }

    std::map<std::string, std::string> values = {
        {"leaves", "1000"}, {"message", "no such file: x.tif"}, {"conforming", "null"}};
    std::string opened;
    int openingFrames = 0, settledAfter = 0;
    std::vector<std::string> shots;
    int framesSettled = 0;  // before the last shot
    std::vector<std::pair<std::string, std::uint64_t>> captured;
    std::vector<std::string> marked;
    std::vector<ModuleRequest> requests;
    int capturingFrames = 0;
    bool captureFails = false;
    bool quitted = false;

private:
    HeadlessUi& headless_;
};

class ScriptRun : public testing::Test
{
protected:
    // Runs a script for at most `most` frames of `seconds` each; returns the first error.
    Status run(const std::string& text, int most = 2'000, double seconds = 0.016)
    {
        const auto script = parseScript(text, "test.script");
        if (!script)
        {
            return script.error();
        }
        auto runner = ScriptRunner::create(*script, host);
        if (!runner)
        {
            return runner.error();
        }
        for (framesUsed = 0; framesUsed < most && !(*runner)->done(); ++framesUsed)
        {
            if (const Status status = (*runner)->step(framesUsed * seconds, headless.ui->injector()); !status)
            {
                EXPECT_TRUE((*runner)->done());
                return status;
            }
            headless.frame();
            host.frame();
        }
        EXPECT_TRUE((*runner)->done()) << "did not end";
        return Status::ok();
    }

    HeadlessUi headless;
    FakeHost host{headless};
    int framesUsed = 0;
};

TEST_F(ScriptRun, DrivesPanelsByMouseAndKeyboard)
{
    const Status status = run(R"(
        expect cbt.depth == 24
        drag Terrain/depth -40 0
        expect cbt.depth < 24
        click Terrain/shading
        click Terrain/shading/slope
        expect render.shading == slope
        key F4
        expect render.wireframe == true
        key Tab
        expect view.mode == map
        set lod.split_pixels 14
        expect lod.merge_pixels == 6
        set view.position [1, 2, 3.5]
        expect view.position == 1,2,3.5
        expect message != other
        expect message == no such file: x.tif
        expect leaves >= 1000
    )");
    EXPECT_TRUE(status) << status.error().message;
}

TEST_F(ScriptRun, AFailedExpectationNamesFileLineFoundAndExpected)
{
    const Status status = run("wait 1\n\nexpect leaves > 5000\nquit");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kExpectation);
    EXPECT_EQ(status.error().message, "test.script:3: leaves: found 1000, expected > 5000");
    EXPECT_FALSE(host.quitted);
}

TEST_F(ScriptRun, UnknownKeysItemsAndNamesAreUsageErrors)
{
    for (const char* line : {"expect leafs > 5", "expect nothing == null", "click Terrain/deth", "drag Depth 1 1",
                             "key F13", "expect message < 3"})
    {
        const Status status = run(std::string("wait 1\n") + line);
        ASSERT_FALSE(status) << line;
        EXPECT_EQ(status.error().code, ExitCode::kUsage) << line;
        EXPECT_TRUE(status.error().message.starts_with("test.script:2: ")) << status.error().message;
    }
}

TEST_F(ScriptRun, NamesAreCheckedBeforeAnythingRuns)
{
    EXPECT_FALSE(run("set cbt.depth 12\nclick Terrain/deth"));
    EXPECT_EQ(headless.setting("cbt.depth"), "24");
}

TEST_F(ScriptRun, AnItemThatIsNotOnScreenFailsTheScript)
{
    const Status status = run("click Loading/cancel");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kExpectation);
    EXPECT_EQ(status.error().message, "test.script:1: 'Loading/cancel' is not on screen");
}

TEST_F(ScriptRun, WaitTakesItsFrames)
{
    ASSERT_TRUE(run("wait 25"));
    EXPECT_GE(framesUsed, 25);
    EXPECT_LE(framesUsed, 27);
}

TEST_F(ScriptRun, RunBeginsAModule)
{
    ASSERT_TRUE(run("run multiword length=64 decimal algorithm=simd"));
    ASSERT_EQ(host.requests.size(), 1u);
    EXPECT_EQ(host.requests[0].module, "multiword");
    EXPECT_TRUE(host.requests[0].wholeResult);
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"length", "64"}, {"decimal", "true"}, {"algorithm", "simd"}};
    EXPECT_EQ(host.requests[0].assignments, expected);
    const Status unknown = run("wait 1\nrun multiwort length=64");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "test.script:2: unknown module 'multiwort'");
}

TEST_F(ScriptRun, CaptureGoesOnWhenTheReportIsWritten)
{
    ASSERT_TRUE(run("capture out of here 30\nexpect leaves == 1000"));
    ASSERT_EQ(host.captured.size(), 1u);
    EXPECT_EQ(host.captured[0], std::pair(std::string("out of here"), std::uint64_t(30)));
    EXPECT_GE(framesUsed, 7);
}

TEST_F(ScriptRun, ACaptureThatFailsFailsTheScriptAtItsLine)
{
    const Status refused = run("wait 1\ncapture /taken 30");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "test.script:2: taken");
    host.captureFails = true;
    const Status broken = run("wait 1\ncapture /full 30\nquit");
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, ExitCode::kOutput);
    EXPECT_EQ(broken.error().message, "test.script:2: disk full");
    EXPECT_FALSE(host.quitted);
}

TEST_F(ScriptRun, WaitSettledWaitsUntilItIs)
{
    host.settledAfter = 100;
    ASSERT_TRUE(run("wait settled\nscreenshot a.png"));
    EXPECT_GE(framesUsed, 100);
    EXPECT_LE(framesUsed, 103);
    EXPECT_EQ(host.shots, std::vector<std::string>{"a.png"});
    EXPECT_GE(host.framesSettled, 1);  // panels show the settled figures
}

TEST_F(ScriptRun, WaitSettledDrawsTheStepBeforeFirst)
{
    ASSERT_TRUE(run("set cbt.depth 12\nwait settled"));
    EXPECT_GE(framesUsed, 4);  // the step's frame, two more, and one that confirms
}

TEST_F(ScriptRun, WaitSettledGivesUpAfterAMinute)
{
    host.settledAfter = 1'000'000;
    const Status status = run("wait 3\nwait settled", 2'000, 0.1);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kExpectation);
    EXPECT_TRUE(status.error().message.starts_with("test.script:2: wait settled")) << status.error().message;
    EXPECT_NEAR(framesUsed * 0.1, 60, 2);
}

TEST_F(ScriptRun, OpenWaitsUntilItIsOpen)
{
    ASSERT_TRUE(run("open some dem.tif\nscreenshot a.png"));
    EXPECT_EQ(host.opened, "some dem.tif");
    EXPECT_GE(framesUsed, 5);
}

TEST_F(ScriptRun, WhatTheHostSaysEndsTheScript)
{
    const Status disk = run("screenshot /full/disk.png\nset cbt.depth 12");
    ASSERT_FALSE(disk);
    EXPECT_EQ(disk.error().code, ExitCode::kOutput);
    EXPECT_EQ(disk.error().message, "test.script:1: disk full");
    EXPECT_EQ(headless.setting("cbt.depth"), "24");
    const Status merge = run("set lod.merge_pixels 8");
    ASSERT_FALSE(merge);
    EXPECT_EQ(merge.error().code, ExitCode::kUsage);
}

TEST_F(ScriptRun, QuitSkipsTheRest)
{
    ASSERT_TRUE(run("quit\nset cbt.depth 12"));
    EXPECT_TRUE(host.quitted);
    EXPECT_EQ(headless.setting("cbt.depth"), "24");
}

// After a lost context, panels and injector are new objects.
TEST_F(ScriptRun, PressesThePanelsThatThereAreNow)
{
    const auto script = parseScript("wait 2\nkey F4\n", "test.script");
    ASSERT_TRUE(script);
    auto runner = ScriptRunner::create(*script, host);
    ASSERT_TRUE(runner);
    Injector before, now;
    ASSERT_TRUE((*runner)->step(0, before));
    for (int i = 1; i < 10; ++i)
        ASSERT_TRUE((*runner)->step(0.1 * i, now));
    EXPECT_FALSE(before.busy());
    EXPECT_TRUE(now.busy());
}

TEST_F(ScriptRun, AnEmptyScriptIsDone)
{
    EXPECT_TRUE(run("# nothing\n"));
    EXPECT_EQ(framesUsed, 0);
}

}  // namespace
}  // namespace orogen::app
