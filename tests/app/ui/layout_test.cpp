// Placement of columns and panels: no overlap, everything reachable, and a fixed toolbar.
#include "app/ui/layout.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <imgui.h>

#include "app/model/ui_memory.h"
#include "app/session/captures/capture_controller.h"
#include "app/ui/dock_columns.h"
#include "app/ui/widgets.h"
#include "tests/app/ui_support.h"
#include "tests/support/test_scale.h"

namespace orogen::app {
namespace {

bool overlap(const PanelRect& a, const PanelRect& b)
{
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

LayoutRequest randomRequest(std::mt19937& random)
{
    const auto between = [&](float low, float high) {
        return std::uniform_real_distribution<float>(low, high)(random);
    };
    LayoutRequest request;
    request.display = {std::round(between(320, 4000)), std::round(between(240, 2400))};
    request.scale = fittingScale(request.display, between(0.5f, 4));
    request.left = random() % 4 != 0;
    request.right = random() % 4 != 0;
    request.leftWidth = random() % 2 ? between(1, 2000) : 0;
    request.rightWidth = random() % 2 ? between(1, 2000) : 0;
    request.barHeight = between(20, 60) * request.scale;
    return request;
}

TEST(Layout, NothingOverlapsWhateverTheDisplayTheScaleAndTheWidths)
{
    std::mt19937 random(14);
    for (int i = 0; i < test::scaled(20'000, 1'000'000); ++i)
    {
        const LayoutRequest request = randomRequest(random);
        const Layout layout = layoutFor(request);
        SCOPED_TRACE(testing::Message() << request.display.x << 'x' << request.display.y << " at " << request.scale);
        const PanelRect parts[] = {layout.bar,     layout.left,     layout.right, layout.overlay,
                                   layout.loading, layout.messages, layout.status};
        for (std::size_t a = 0; a < std::size(parts); ++a)
        {
            ASSERT_GE(parts[a].min.x, 0);
            ASSERT_GE(parts[a].min.y, 0);
            ASSERT_LE(parts[a].max.x, request.display.x);
            ASSERT_LE(parts[a].max.y, request.display.y);
            for (std::size_t b = a + 1; b < std::size(parts); ++b)
                ASSERT_FALSE(overlap(parts[a], parts[b])) << a << " and " << b;
        }
        ASSERT_GT(layout.centre.width(), std::min(0.2f * request.display.x, 280 * request.scale));
        ASSERT_TRUE(!request.left || layout.left.width() > 0);
        ASSERT_TRUE(!request.right || layout.right.width() > 0 || (layout.narrow && layout.left.width() > 0));
    }
}

TEST(Layout, TheScaleIsWhatTheDisplayHasRoomFor)
{
    EXPECT_FLOAT_EQ(fittingScale({1920, 1080}, 1), 1);
    EXPECT_FLOAT_EQ(fittingScale({3840, 2160}, 3), 3);
    EXPECT_FLOAT_EQ(fittingScale({640, 500}, 1), 1);
    EXPECT_FLOAT_EQ(fittingScale({1280, 720}, 2), 2);
    EXPECT_LT(fittingScale({1280, 720}, 3), 2.5f);
}

TEST(Layout, ADraggedWidthIsKeptAtAnyScaleWithinItsBounds)
{
    for (const float scale : {0.5f, 1.0f, 2.0f})
    {
        EXPECT_EQ(columnWidth(400 * scale, scale), 400);
        EXPECT_EQ(columnWidth(0, scale), columnWidth(-50, scale));
        EXPECT_GT(columnWidth(0, scale), 100);
        EXPECT_EQ(columnWidth(1e6f, scale), columnWidth(1e7f, scale));
        const Layout layout = layoutFor({.display = {2000 * scale, 1000 * scale}, .scale = scale, .leftWidth = 400});
        EXPECT_FLOAT_EQ(layout.left.width(), 400 * scale);
    }
}

TEST(SharedHeights, FillTheRoomInProportionOrSayThatItIsTooLittle)
{
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i)
    {
        std::vector<float> needed(1 + random() % 8);
        for (float& need : needed)
            need = float(20 + random() % 1'000);
        const float room = float(100 + random() % 2'000), gap = 6, least = 200;
        const std::vector<float> heights = sharedHeights(needed, room, gap, least);
        const float all = std::accumulate(needed.begin(), needed.end(), gap * float(needed.size() - 1));
        if (heights.empty())
        {
            EXPECT_GT(all, room);
            continue;
        }
        const float used = std::accumulate(heights.begin(), heights.end(), gap * float(needed.size() - 1));
        EXPECT_LE(used, room + 0.01f);
        for (std::size_t k = 0; k < needed.size(); ++k)
        {
            EXPECT_LE(heights[k], needed[k]);
            EXPECT_GE(heights[k] + 1, std::min(needed[k], least));
            EXPECT_TRUE(heights[k] + 1 >= needed[k] || used + float(needed.size()) + 1 >= room) << "room is left over";
        }
    }
    EXPECT_TRUE(sharedHeights({800, 800, 800, 800}, 600, 6, 200).empty());
    // Terrain and View of the Earth in a window of 640 pixels: the longer list gets more.
    EXPECT_EQ(sharedHeights({900, 430}, 591, 8, 224), (std::vector<float>{359, 224}));
    EXPECT_EQ(sharedHeights({900, 600}, 508, 8, 100), (std::vector<float>{300, 200}));
}

TEST(Tooltips, StandBesideTheColumnOfTheirItemAndOnTheDisplay)
{
    const ImVec2 display{1000, 640};
    const Layout layout = layoutFor({.display = display});
    std::mt19937 random(3);
    for (int i = 0; i < 5'000; ++i)
    {
        const ImVec2 size{float(20 + random() % 340), float(16 + random() % 200)};
        for (const PanelRect& column : {layout.left, layout.right})
        {
            const float y = column.min.y + float(random() % int(column.height() - 20));
            const PanelRect item{{column.min.x + 10, y}, {column.max.x - 10, y + 20}};
            const ImVec2 at = tooltipPlace(layout, display, item, size, 6);
            EXPECT_FALSE(overlap(column, {at, {at.x + size.x, at.y + size.y}}));
            EXPECT_GE(at.x, 0);
            EXPECT_GE(at.y, 0);
            EXPECT_LE(at.x + size.x, display.x);
            EXPECT_LE(at.y + size.y, display.y);
        }
    }
}

TEST(Tooltips, OfTheBarCoverNoneOfItsRows)
{
    const ImVec2 display{1000, 640};
    const Layout layout = layoutFor({.display = display, .barHeight = 61});
    const PanelRect first{{200, layout.bar.min.y + 3}, {260, layout.bar.min.y + 28}};
    EXPECT_GE(tooltipPlace(layout, display, first, {220, 40}, 6).y, layout.bar.max.y);
}

std::vector<DockPlace> somePlaces()
{
    return {{"A", Side::kLeft, true}, {"B", Side::kLeft, true}, {"C", Side::kRight, false}, {"D", Side::kRight, true}};
}

using Names = std::vector<std::string>;

TEST(DockTest, MovesAmongTheOpenPanelsOfASide)
{
    Dock dock = defaultDock(somePlaces());
    dock.move("A", Side::kLeft, 1);
    EXPECT_EQ(dock.openOn(Side::kLeft), (Names{"B", "A"}));
    dock.move("B", Side::kRight, 0);
    EXPECT_EQ(dock.openOn(Side::kRight), (Names{"B", "D"}));
    dock.move("A", Side::kRight, 99);
    EXPECT_EQ(dock.openOn(Side::kRight), (Names{"B", "D", "A"}));
    EXPECT_FALSE(dock.holds(Side::kLeft));
    dock.move("nobody", Side::kLeft, 0);
    EXPECT_EQ(dock.places.size(), 4u);
}

TEST(DockTest, AnyMovesKeepEveryPanelOnce)
{
    std::mt19937 random(1);
    Dock dock = defaultDock(somePlaces());
    for (int i = 0; i < 2'000; ++i)
    {
        const std::string panel = somePlaces()[random() % 4].panel;
        const Side side = random() % 2 ? Side::kLeft : Side::kRight;
        const std::size_t at = random() % 5;
        dock.move(panel, side, at);
        dock.find(panel)->open = true;
        std::multiset<std::string> names;
        for (const DockPlace& place : dock.places)
            names.insert(place.panel);
        ASSERT_EQ(names, (std::multiset<std::string>{"A", "B", "C", "D"}));
        const Names open = dock.openOn(side);
        ASSERT_NE(std::ranges::find(open, panel), open.end());
    }
}

TEST(DockTest, WhatWasKeptIsMergedWithThePanelsThatThereAre)
{
    Dock kept;
    kept.places = {
        {"D", Side::kLeft, true}, {"gone", Side::kLeft, true}, {"A", Side::kRight, false}, {"D", Side::kRight}};
    kept.leftWidth = 333;
    const Dock dock = mergedDock(kept, somePlaces());
    std::multiset<std::string> names;
    for (const DockPlace& place : dock.places)
        names.insert(place.panel);
    EXPECT_EQ(names, (std::multiset<std::string>{"A", "B", "C", "D"}));
    EXPECT_EQ(dock.find("D")->side, Side::kLeft);
    EXPECT_FALSE(dock.find("A")->open);
    EXPECT_TRUE(dock.find("B")->open);
    EXPECT_EQ(dock.leftWidth, 333);
    EXPECT_EQ(mergedDock({}, somePlaces()), defaultDock(somePlaces()));
    EXPECT_EQ(mergedDock(dock, somePlaces()), dock);
}

PanelRect rectOf(const HeadlessUi& headless, const std::string& item)
{
    const ItemRect* found = headless.ui->items().find(item);
    return found ? PanelRect{found->min, found->max} : PanelRect{};
}

class Displays : public testing::TestWithParam<std::pair<int, int>>
{
};
INSTANTIATE_TEST_SUITE_P(Sizes, Displays,
                         testing::Values(std::pair(1280, 720), std::pair(1000, 640), std::pair(640, 500)));

TEST_P(Displays, TheBarStaysUnderTheMouseWhateverIsOpened)
{
    HeadlessUi headless(GetParam().first, GetParam().second);
    headless.frames(2);
    const PanelRect before = rectOf(headless, "Tools/layout");
    for (const char* item : {"Tools/Capture", "Tools/Laboratory", "Tools/Terrain", "Tools/Performance", "Tools/View"})
    {
        headless.click(item);
        const PanelRect now = rectOf(headless, "Tools/layout");
        EXPECT_EQ(now.min.x, before.min.x) << item;
        EXPECT_EQ(now.min.y, before.min.y) << item;
    }
}

// Compute panels open from the menu; a script opens them by name, without the menu.
TEST_P(Displays, ComputeIsAMenu)
{
    HeadlessUi headless(GetParam().first, GetParam().second);
    headless.frames(2);
    for (const DockedPanel& docked : dockedPanels())
    {
        if (!docked.underCompute) continue;
        const std::string item = "Tools/" + std::string(docked.name);
        EXPECT_EQ(headless.ui->items().find(item), nullptr) << "stands in the bar";
        headless.click(item);
        headless.frames(2);
        EXPECT_EQ(headless.ui->injector().takeFailure().value_or(""), "");
        EXPECT_NE(headless.ui->items().find(std::string(docked.name) + "/title"), nullptr) << item;
        EXPECT_EQ(headless.ui->items().find(item), nullptr) << "the menu stays open";
    }
}

TEST_P(Displays, TerrainAndViewCanBeWorkedWhileToolsAreOpen)
{
    CaptureController captures;
    HeadlessUi headless(GetParam().first, GetParam().second);
    headless.model.captures = captures.state();
    headless.frames(2);
    headless.click("Tools/Capture");
    headless.click("Capture/hold_a");
    headless.click("Terrain/wireframe");
    EXPECT_EQ(headless.setting("render.wireframe"), "true");
    headless.click("View/home");
    EXPECT_TRUE(headless.home);
    headless.click("Capture/forget_a");
    EXPECT_EQ(headless.ui->injector().takeFailure().value_or(""), "");
}

TEST_P(Displays, AScriptReachesItemsOfPanelsThatAreFoldedOrClosed)
{
    HeadlessUi headless(GetParam().first, GetParam().second);
    headless.frames(2);
    headless.click("Terrain/title");  // folds the panel
    headless.click("Tools/View");     // closes the panel
    EXPECT_EQ(headless.ui->items().find("Terrain/depth"), nullptr);
    EXPECT_EQ(headless.ui->items().find("View/home"), nullptr);
    headless.click("Terrain/wireframe");
    EXPECT_EQ(headless.setting("render.wireframe"), "true");
    headless.click("View/home");
    EXPECT_TRUE(headless.home);
    EXPECT_EQ(headless.ui->injector().takeFailure().value_or(""), "");
}

bool inFull(const HeadlessUi& headless, const std::string& item)
{
    const ItemRect* found = headless.ui->items().find(item);
    return found && found->visibleMin.y == found->min.y && found->visibleMax.y == found->max.y;
}

TEST(Displays, LevelOfDetailAndBudgetShowWithoutScrollingAt720Lines)
{
    HeadlessUi headless;
    headless.model.terrain->warnings.clear();
    headless.model.terrain->voids = 0;
    headless.frames(4);
    for (const char* item : {"depth", "criterion", "split_pixels", "merge_pixels", "mode", "value"})
        EXPECT_TRUE(inFull(headless, std::string("Terrain/") + item)) << item;
    EXPECT_TRUE(inFull(headless, "View/home"));
    headless.model.settings.lod.criterion = LodCriterion::kError;
    headless.frames(4);
    for (const char* item : {"error_pixels", "mode", "value"})
        EXPECT_TRUE(inFull(headless, std::string("Terrain/") + item)) << item;
}

TEST(Performance, ASingleFrameHasItsGraph)
{
    HeadlessUi headless(1280, 1600);
    headless.history.clear();
    fill(headless.history, 1);
    headless.frames(4);
    EXPECT_NE(headless.ui->items().find("Performance/graph"), nullptr);
}

// Texts beside the names in the menu are no sentences; tooltips of the bar are.
TEST(ToolBar, TextsOfTheMenuComputeAreAlike)
{
    for (const DockedPanel& docked : dockedPanels())
        EXPECT_NE(docked.tooltip.ends_with('.'), docked.underCompute) << docked.tooltip;
}

// Figures that change or disappear must not move the item that the user will click next.
TEST(Rows, StayWhereTheyAreWhenFiguresComeAndGo)
{
    HeadlessUi headless(1280, 1600);
    headless.frames(4);
    headless.unfold({"Terrain/tree", "Terrain/tiles", "Terrain/picture"});
    const std::vector<std::string> items = {
        "Terrain/criterion", "Terrain/mode",         "Terrain/fold/settings",    "Terrain/rounds",    "Terrain/shading",
        "View/home",         "Performance/validate", "Performance/measure_jump", "Performance/memory"};
    std::vector<PanelRect> before;
    for (const std::string& item : items)
        before.push_back(rectOf(headless, item));
    const auto expectSame = [&](const char* what) {
        headless.frames(4);
        for (std::size_t i = 0; i < items.size(); ++i)
        {
            EXPECT_GT(before[i].max.y, 0) << items[i];
            EXPECT_EQ(rectOf(headless, items[i]).min.y, before[i].min.y) << items[i] << ": " << what;
        }
    };
    UiModel& model = headless.model;
    model.settings.budget = {BudgetMode::kTriangles, 400'000};
    model.stats.work.thresholdPixels = 12.3f;
    expectSame("a budget");
    model.settings.budget = {BudgetMode::kFrameMs, 0};
    expectSame("a budget of nothing");
    model.settings.budget = {BudgetMode::kFrameMs, 20};
    model.governor = GovernorReport{GovernorState::kUnreachable, 20, 90.0, 100};
    model.stats.scale = 50;
    expectSame("a budget that cannot be had");
    model.stats.work.refused = 1'234;
    expectSame("a full tree");
    model.validating = model.measuringError = model.measuringJump = true;
    expectSame("checks, without answers yet");
    model.stats.mesh = MeshVerdict{3, 0, ""};
    model.stats.error = model.stats.jump = PixelFigures{3, 1'000, 1.02, 0.331, 0.041};
    expectSame("checks with answers");
    model.stats.cpu.panelShows = 7;
    expectSame("panels between slices");
    model.syntheticBelow.reset();
    expectSame("no made relief");
    FrameRecord ran;
    ran.cpu.intervalMs = 30;
    ran.modules = 1;
    for (int i = 0; i < 30; ++i)
        headless.history.push(ran);
    expectSame("a module ran");
}

TEST(DockColumns, ASmallWindowShowsTheWholeBudget)
{
    HeadlessUi headless(1000, 640);
    TerrainInfo& terrain = *headless.model.terrain;
    terrain.name = "big_tujunga.tif";
    terrain.voids = 0;
    terrain.synthetic = false;
    terrain.warnings.clear();
    for (const LodCriterion criterion : {LodCriterion::kEdge, LodCriterion::kError})
    {
        headless.model.settings.lod.criterion = criterion;
        headless.frames(4);
        constexpr float kRow = 18, kGap = 6;  // "Reached" and "Drawn at" follow the last control
        EXPECT_LE(rectOf(headless, "Terrain/finer").max.y + 2 * kRow + kGap, rectOf(headless, "View/title").min.y);
    }
}

TEST(DockColumns, TitlesAreDraggedToTheOtherColumnAndTheLayoutIsPutBack)
{
    HeadlessUi headless;
    headless.frames(2);
    const PanelRect before = rectOf(headless, "View/title");
    ASSERT_LT(before.max.x, 640);
    headless.drag("View/title", 1100, -500);
    EXPECT_GT(rectOf(headless, "View/title").min.x, 640);
    EXPECT_LT(rectOf(headless, "View/title").min.y, rectOf(headless, "Performance/title").min.y);
    headless.click("View/menu");
    headless.click("View/menu/down");
    EXPECT_GT(rectOf(headless, "View/title").min.y, rectOf(headless, "Performance/title").min.y);
    headless.click("Tools/layout");
    headless.click("Tools/layout/reset");
    headless.frames(2);
    EXPECT_EQ(rectOf(headless, "View/title").min.x, before.min.x);
    EXPECT_EQ(headless.ui->injector().takeFailure().value_or(""), "");
}

// In a narrow display, all panels stand in one column.  Those of the left side are scrolled out of view here.
TEST(DockColumns, ATitleIsDroppedAboveTheFirstPanelInView)
{
    HeadlessUi headless(640, 400);
    Remembered kept;
    headless.ui->remember(kept);
    kept.dock.places = {{"View", Side::kLeft, true, false},
                        {"Performance", Side::kRight, true, true},
                        {"Capture", Side::kRight, true, true},
                        {"Terrain", Side::kRight, true, false}};
    for (const char* section : {"View/position", "View/places", "View/path", "View/interface"})
        kept.folds[section] = true;
    headless.ui->recall(kept);
    headless.frames(4);
    headless.ui->injector().hover("Performance/title", 1);  // scrolls to it
    headless.play();
    ASSERT_EQ(headless.ui->items().find("View/title"), nullptr);
    const float between = rectOf(headless, "Capture/title").min.y - rectOf(headless, "Performance/title").min.y;
    headless.drag("Capture/title", 0, -between - 6);
    headless.ui->remember(kept);
    EXPECT_EQ(kept.dock.openOn(Side::kLeft), Names{"View"});
    EXPECT_EQ(kept.dock.openOn(Side::kRight), (Names{"Capture", "Performance", "Terrain"}));
    EXPECT_EQ(headless.ui->injector().takeFailure().value_or(""), "");
}

TEST(DockColumns, EdgesAreDragged)
{
    HeadlessUi headless;
    headless.frames(2);
    const float left = rectOf(headless, "Layout/left").min.x, right = rectOf(headless, "Layout/right").min.x;
    headless.drag("Layout/left", 80);
    EXPECT_NEAR(rectOf(headless, "Layout/left").min.x, left + 80, 2);
    headless.drag("Layout/right", -50);
    EXPECT_NEAR(rectOf(headless, "Layout/right").min.x, right - 50, 2);
    EXPECT_NEAR(headless.ui->centre().width(), right - left - 130, 24);
}

// A column whose panels cover most of it hides the picture; it is not drawn there.
TEST(DockColumns, FullColumnsHideThePicture)
{
    HeadlessUi headless;
    headless.frames(2);
    const auto [left, bottom, right, top] = headless.ui->uncovered();
    const PanelRect& centre = headless.ui->centre();
    EXPECT_LE(left * 1280, centre.min.x);
    EXPECT_GE(left * 1280, centre.min.x - 8);
    EXPECT_GE(right * 1280, centre.max.x);
    EXPECT_LE(right * 1280, centre.max.x + 8);
    EXPECT_EQ(bottom, 0);
    EXPECT_GE((1 - top) * 720, rectOf(headless, "Tools/open").max.y);
    EXPECT_LE((1 - top) * 720, centre.min.y);

    headless.click("Terrain/title");
    headless.click("View/title");  // the left column has folded panels only, which lie over the picture
    headless.frames(2);
    EXPECT_EQ(headless.ui->uncovered().left, 0);
    EXPECT_EQ(headless.ui->uncovered().right, right);
    EXPECT_EQ(headless.ui->uncovered().top, top);
    headless.click("Performance/close");
    headless.frames(2);
    EXPECT_EQ(headless.ui->uncovered(), PicturePart());
    headless.click("Terrain/title");
    headless.click("View/title");
    headless.frames(2);
    EXPECT_EQ(headless.ui->uncovered().left, left);
    EXPECT_EQ(headless.ui->uncovered().right, 1);
    headless.ui->showPanels(false);
    headless.frames(2);
    EXPECT_EQ(headless.ui->uncovered(), PicturePart());
}

TEST(DockColumns, ManyToolsScrollTheirColumn)
{
    HeadlessUi headless(1000, 640);
    headless.frames(2);
    for (const DockedPanel& docked : dockedPanels())
        if (!docked.open) headless.click("Tools/" + std::string(docked.name));
    headless.frames(2);
    headless.click("Performance/title");
    headless.click("Laboratory/title");
    EXPECT_EQ(headless.ui->injector().takeFailure().value_or(""), "");
    for (const auto& [name, rect] : headless.ui->panels())
        EXPECT_LE(rect.max.y, 640) << name;
}

}  // namespace
}  // namespace orogen::app
