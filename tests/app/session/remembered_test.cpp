// Tests that data kept between sessions is restored, and that a damaged file does no harm.
#include "app/session/remembered.h"

#include <cstdlib>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "app/session/compute_runner.h"
#include "app/session/session_files.h"
#include "app/ui/dock_columns.h"
#include "tests/app/ui_support.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

Remembered something()
{
    Remembered r;
    r.window = WindowPlace{-20, 30, 1111, 777, true};
    r.uiScale = 1.25f;
    r.dock.places = {{"View", Side::kRight, true, true}, {"Terrain", Side::kLeft, true, false}};
    r.dock.leftWidth = 345;
    r.recent = {"/a/b.tif", "/c \"quoted\"/\u00e4.tif"};
    r.pictures = "/pictures";
    r.captures = "/captures";
    r.browsed = "/a";
    r.capturePath = "ridge";
    r.captureFrames = 333;
    r.captureWarmup = 7;
    r.captureRuns = 4;
    r.experiment = "tree-cycle";
    r.folds = {{"Terrain/tree", true}, {"Terrain/budget", false}};
    r.budgetMs = 25.5;
    r.budgetTriangles = 300'000;
    r.leastDepth = 11;
    r.mostDepth = 19;
    r.pathFile = "tour.path";
    r.modules["Multiword"]["length"] = "4096";
    return r;
}

void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

TEST(RememberedState, ComesBackAsItWas)
{
    const test::TemporaryFolder folder;
    const std::string file = folder / "made/session.json";
    ASSERT_TRUE(storeRemembered(file, something()));
    const StoredMemory stored = readRemembered(file);
    EXPECT_FALSE(stored.notice) << *stored.notice;
    EXPECT_EQ(stored.remembered, something());
    EXPECT_FALSE(readRemembered(folder / "none").notice);
    EXPECT_EQ(readRemembered(folder / "none").remembered, Remembered());
}

TEST(RememberedState, WhatIsWrongIsLeftOutWithOneLine)
{
    const test::TemporaryFolder folder;
    const std::string file = folder / "session.json";
    write(file,
          R"({"window": {"x": 1e99, "width": 800, "height": 600}, "ui_scale": 77, "layout": {"panels": [3, {"panel":
                 "View", "side": "right", "open": "yes"}], "left_width": -1}, "recent": ["/a", 5], "pictures": {},
                 "fields": {"capture_frames": -4, "modules": {"Multiword": {"length": 3, "operation": "add"}}}})");
    const StoredMemory stored = readRemembered(file);
    ASSERT_TRUE(stored.notice);
    EXPECT_NE(stored.notice->find(file), std::string::npos);
    EXPECT_EQ(stored.notice->find('\n'), std::string::npos);
    ASSERT_TRUE(stored.remembered.window);
    EXPECT_EQ(stored.remembered.window->width, 800);
    EXPECT_EQ(stored.remembered.window->x, 0);
    EXPECT_FALSE(stored.remembered.uiScale);
    EXPECT_EQ(stored.remembered.recent, std::vector<std::string>{"/a"});
    EXPECT_EQ(stored.remembered.dock.leftWidth, 0);
    EXPECT_EQ(stored.remembered.captureFrames, 0u);
    Remembered modules;
    modules.modules["Multiword"]["operation"] = "add";
    EXPECT_EQ(stored.remembered.modules, modules.modules);
}

TEST(RememberedState, AnyDamageIsSurvived)
{
    const test::TemporaryFolder folder;
    const std::string file = folder / "session.json", good = rememberedText(something());
    for (const char* text : {"", "null", "[]", "3", "{", "\xff\xfe", "{\"window\": []}"})
    {
        write(file, text);
        EXPECT_TRUE(readRemembered(file).notice) << text;
    }
    std::mt19937 random(4);
    for (int i = 0; i < 300; ++i)
    {
        std::string damaged = good;
        for (std::size_t k = 1 + random() % 4; k > 0; --k)
            damaged[random() % damaged.size()] = char(random() % 256);
        if (random() % 3 == 0) damaged.resize(random() % damaged.size());
        write(file, damaged);
        const StoredMemory stored = readRemembered(file);
        HeadlessUi headless;
        headless.ui->recall(stored.remembered);
        headless.frames(1);
        EXPECT_NE(headless.ui->items().find("Tools/Terrain"), nullptr);
    }
}

TEST(RememberedState, RecentFilesAreTheLastTenEachOnce)
{
    Remembered r;
    for (int i = 0; i < 15; ++i)
        r.opened("/" + std::to_string(i));
    r.opened("/9");
    EXPECT_EQ(r.recent.size(), Remembered::kMostRecent);
    EXPECT_EQ(r.recent.front(), "/9");
    EXPECT_EQ(std::ranges::count(r.recent, "/9"), 1);
}

// A session that ended with a shipped terrain leaves the list as it is, so the newest file of the user is offered.
TEST(RememberedState, ReopenOffersTheNewestRecentFileUntilItIsOpened)
{
    const test::TemporaryFolder folder;
    const char* const before = std::getenv("XDG_CONFIG_HOME");
    const std::string kept = before ? before : "";
    setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
    Remembered earlier;
    earlier.recent = {"/colours.cpt", "/track.gpx", "/new.tif", "/old.tif"};  // a terrain, not what lies over it
    ASSERT_TRUE(storeRemembered(*rememberedPath(), earlier));
    SessionFiles files;
    Messages messages;
    files.begin(true, messages);
    before ? setenv("XDG_CONFIG_HOME", kept.c_str(), 1) : unsetenv("XDG_CONFIG_HOME");
    EXPECT_EQ(files.state().reopen, "/new.tif");
    files.opened("/shipped.tif", false);
    EXPECT_EQ(files.state().reopen, "/new.tif");
    files.opened("/new.tif", true);
    EXPECT_EQ(files.state().reopen, "");
}

TEST(RememberedState, TheKeeperWritesWhatChangedOnly)
{
    const test::TemporaryFolder folder;
    const std::string file = folder / "session.json";
    RememberedKeeper idle;
    EXPECT_FALSE(idle.due(100));
    idle.now = something();
    EXPECT_FALSE(idle.write());
    EXPECT_FALSE(std::filesystem::exists(file)) << "before begin() nothing is kept";
    RememberedKeeper keeper;
    EXPECT_FALSE(keeper.begin(file));
    EXPECT_FALSE(keeper.due(1));
    EXPECT_TRUE(keeper.due(4));
    EXPECT_FALSE(keeper.due(5));
    EXPECT_FALSE(keeper.write());
    EXPECT_FALSE(std::filesystem::exists(file));
    keeper.now = something();
    EXPECT_FALSE(keeper.write());
    EXPECT_EQ(readRemembered(file).remembered, something());
}

TEST(RememberedPanels, ComeBackInAnotherSession)
{
    Remembered kept;
    ComputeRunner compute;
    {
        HeadlessUi headless;
        headless.model.compute = compute.panelState();
        headless.frames(2);
        headless.click("Tools/Multiword");
        headless.click("Multiword/pattern");
        headless.click("Multiword/pattern/ones");
        headless.click("Terrain/fold/budget");
        headless.click("View/fold/position");
        headless.click("Terrain/title");
        headless.drag("Layout/left", 60);
        headless.ui->remember(kept);
    }
    const StoredMemory again = [&] {
        const test::TemporaryFolder folder;
        EXPECT_TRUE(storeRemembered(folder / "s.json", kept));
        return readRemembered(folder / "s.json");
    }();
    EXPECT_EQ(again.remembered, kept);
    HeadlessUi headless;
    headless.ui->recall(again.remembered);
    headless.frames(2);
    EXPECT_NE(headless.ui->items().find("Multiword/title"), nullptr);
    EXPECT_EQ(headless.ui->items().find("Terrain/depth"), nullptr) << "folded";
    EXPECT_NE(headless.ui->items().find("View/yaw"), nullptr) << "was unfolded";
    headless.click("Terrain/title");
    EXPECT_NE(headless.ui->items().find("Terrain/depth"), nullptr);
    EXPECT_EQ(headless.ui->items().find("Terrain/mode"), nullptr) << "was folded";
    headless.click("Terrain/title");
    Remembered now;
    headless.ui->remember(now);
    EXPECT_EQ(now.dock, kept.dock);
    EXPECT_EQ(now.modules["Multiword"]["pattern"], "ones");
}

TEST(RememberedPanels, FieldsThatThisProgramDoesNotHaveAreLeftOut)
{
    Remembered kept;
    kept.modules["Multiword"] = {{"pattern", "no such pattern"}, {"nonsense", "1"}};
    kept.modules["Nobody"] = {{"x", "1"}};
    kept.experiment = "no such experiment";
    kept.leastDepth = 12;
    kept.mostDepth = 13;
    HeadlessUi headless;
    headless.ui->recall(kept);
    headless.frames(1);
    headless.click("Tools/Laboratory");
    headless.click("Tools/Multiword");
    Remembered now;
    headless.ui->remember(now);
    EXPECT_NE(now.modules["Multiword"]["pattern"], "no such pattern");
    EXPECT_FALSE(now.modules["Multiword"].contains("nonsense"));
    EXPECT_NE(now.experiment, "no such experiment");
}

}  // namespace
}  // namespace orogen::app
