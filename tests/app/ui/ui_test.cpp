#include "app/ui/ui.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/session/captures/capture_controller.h"
#include "app/session/compute_runner.h"
#include "app/session/laboratory.h"
#include "core/planet/sky.h"
#include "tests/app/ui_support.h"

namespace orogen::app {
namespace {

struct Display
{
    int width, height;
    float scale;
};

void PrintTo(const Display& d, std::ostream* out) { *out << d.width << 'x' << d.height << " at " << d.scale; }

class UiLayout : public testing::TestWithParam<Display>
{
};
INSTANTIATE_TEST_SUITE_P(Displays, UiLayout,
                         testing::Values(Display{1280, 720, 1}, Display{1600, 900, 1}, Display{1920, 1080, 1},
                                         Display{2560, 1440, 1}, Display{1280, 720, 1.5f}, Display{1600, 900, 1.5f},
                                         Display{1920, 1080, 1.5f}, Display{2560, 1440, 1.5f}, Display{3840, 2160, 3},
                                         Display{1280, 720, 3}));

bool overlap(const PanelRect& a, const PanelRect& b)
{
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

void expectApart(const HeadlessUi& headless, const Display& display)
{
    const auto& panels = headless.ui->panels();
    for (std::size_t i = 0; i < panels.size(); ++i)
    {
        const auto& [name, rect] = panels[i];
        EXPECT_GE(rect.min.x, 0) << name;
        EXPECT_GE(rect.min.y, 0) << name;
        EXPECT_LE(rect.max.x, display.width) << name;
        EXPECT_LE(rect.max.y, display.height) << name;
        EXPECT_GT(rect.width(), 20) << name;
        EXPECT_GT(rect.height(), 0) << name;
        for (std::size_t j = i + 1; j < panels.size(); ++j)
            EXPECT_FALSE(overlap(rect, panels[j].second)) << name << " and " << panels[j].first;
    }
}

// Returns whether all default panels fit on screen at once, in two columns.
bool roomy(const Display& display) { return float(display.width) / display.scale >= 1000; }

void expectPanels(const HeadlessUi& headless, const Display& display, std::size_t count)
{
    if (!roomy(display)) return;
    EXPECT_EQ(headless.ui->panels().size(), count);
}

TEST_P(UiLayout, AnOpenToolHasAPlaceOfItsOwn)
{
    HeadlessUi headless(GetParam().width, GetParam().height, GetParam().scale);
    headless.frames(2);
    headless.click("Tools/Capture");
    for (int i = 0; i < 4; ++i)
    {
        headless.frame();
        expectApart(headless, GetParam());
    }
    headless.click("Tools/Capture");
    expectPanels(headless, GetParam(), 5);
}

TEST_P(UiLayout, NoTwoPanelsOverlapInAnyFrame)
{
    HeadlessUi headless(GetParam().width, GetParam().height, GetParam().scale);
    for (int i = 0; i < 4; ++i)
    {
        headless.frame();
        expectApart(headless, GetParam());
    }
    expectPanels(headless, GetParam(), 5);  // Terrain, View, Performance, Tools, Status
    headless.ui->injector().key("F1");
    headless.play();
    expectApart(headless, GetParam());
    expectPanels(headless, GetParam(), 6);
    makeBusy(headless.model);
    for (int i = 0; i < 4; ++i)
    {
        headless.frame();
        expectApart(headless, GetParam());
    }
    expectPanels(headless, GetParam(), 8);  // also Shader (in place of Help), Loading and Messages
}

TEST_P(UiLayout, EveryItemIsOnTheDisplayOrCanBeScrolledTo)
{
    HeadlessUi headless(GetParam().width, GetParam().height, GetParam().scale);
    makeBusy(headless.model);
    headless.frames(4);
    EXPECT_GT(headless.ui->items().all().size(), 30u);
    for (const auto& [name, item] : headless.ui->items().all())
    {
        SCOPED_TRACE(name);
        EXPECT_GE(item.min.x, 0);
        EXPECT_LE(item.max.x, GetParam().width);
        EXPECT_LT(item.min.x, item.max.x);
        EXPECT_LT(item.min.y, item.max.y);
        const bool shown = item.visibleMin.y <= item.min.y && item.visibleMax.y >= item.max.y;
        EXPECT_TRUE(shown || item.scrolls);
    }
}

TEST_P(UiLayout, EveryItemCanBeReached)
{
    HeadlessUi headless(GetParam().width, GetParam().height, GetParam().scale);
    headless.frames(2);
    std::vector<std::string> names;
    for (const auto& [name, item] : headless.ui->items().all())
        names.push_back(name);
    for (const std::string& name : names)
    {
        headless.ui->injector().hover(name, 1);
        headless.play();
        const auto failure = headless.ui->injector().takeFailure();
        EXPECT_FALSE(failure) << *failure;
    }
}

class UiTool : public testing::TestWithParam<const char*>
{
};
INSTANTIATE_TEST_SUITE_P(Tools, UiTool,
                         testing::Values("", "Capture", "Multiword", "Signed-digit", "Linear", "Laboratory"));

TEST_P(UiTool, IsDrawnInAWindowOfAnySize)
{
    ComputeRunner compute;
    Laboratory laboratory;
    CaptureController captures;
    HeadlessUi headless;
    headless.model.compute = compute.panelState();
    headless.model.laboratory = laboratory.panelState();
    headless.model.captures = captures.state();
    headless.frames(2);
    if (*GetParam()) headless.click(std::string("Tools/") + GetParam());
    const auto everySize = [&] {
        for (int height = 1; height <= 30; height += 1 + height / 4)
            for (int width = 1; width <= 30; ++width)
            {
                headless.resize(width, height);
                headless.frame();
            }
        for (int width = 31; width < 700; width += 3)
        {
            headless.resize(width, 1 + width / 2);
            headless.frame();
        }
    };
    everySize();
    headless.key("F1");
    everySize();
    makeBusy(headless.model);
    everySize();
}

TEST_P(UiLayout, NoRowIsCutOffSideways)
{
    HeadlessUi headless(GetParam().width, GetParam().height, GetParam().scale);
    headless.frames(3);
    for (const auto& [name, item] : headless.ui->items().all())
    {
        EXPECT_LE(item.visibleMin.x, item.min.x) << name;
        EXPECT_GE(item.visibleMax.x, item.max.x) << name;
    }
}

TEST(UiItems, EveryNameOnScreenIsKnownAndEveryKnownSettingIsOnScreen)
{
    HeadlessUi headless;
    makeBusy(headless.model);
    headless.model.tools.earth = EarthState{};  // its rows are shown on the Earth only
    headless.model.terrainModel.tiled = true;   // as are some of the terrain model in tiles only
    Remembered kept;
    headless.ui->remember(kept);
    kept.dock.find("Model")->open = true;
    headless.ui->recall(kept);
    std::set<std::string> all;
    for (const LodCriterion criterion : {LodCriterion::kEdge, LodCriterion::kError})  // each shows its own thresholds
    {
        headless.model.settings.lod.criterion = criterion;
        headless.unfoldAll();
        for (const auto& [name, item] : headless.ui->items().all())
            all.insert(name);
    }
    for (const std::string& name : all)
        EXPECT_TRUE(isItemName(name)) << name;
    for (const SettingInfo& info : settingTable())
    {
        const std::string key(info.key);
        const std::string last = key == "patch.level" ? "patch_level" : key.substr(key.rfind('.') + 1);
        const bool view = key.starts_with("view.") || key.starts_with("marks.") || key.starts_with("input.");
        const bool shown = key == "view.position"
                               ? all.contains("View/east") && all.contains("View/north") && all.contains("View/up")
                               : all.contains((view                        ? "View/"
                                               : key.starts_with("model.") ? "Model/"
                                                                           : "Terrain/") +
                                              last);
        EXPECT_TRUE(shown) << key;
    }
}

TEST(UiItems, ChoicesOfTheSourceAreKnown)
{
    HeadlessUi headless;
    headless.model.source.dem = "a.tif";
    headless.frames(2);
    headless.click("Terrain/source");
    headless.click("Terrain/source_encoding");
    EXPECT_NE(headless.ui->items().find("Terrain/source_encoding/terrarium"), nullptr);
    for (const auto& [name, item] : headless.ui->items().all())
        EXPECT_TRUE(isItemName(name)) << name;
}

TEST(UiItems, UnknownNamesAreNone)
{
    for (const char* name : {"", "depth", "Terrain", "Terrain/", "terrain/depth", "Terrain/depth/24", "Nothing/here"})
        EXPECT_FALSE(isItemName(name)) << name;
    EXPECT_TRUE(isItemName("Terrain/shading/slope"));
}

TEST(UiEdit, CheckBoxesToggle)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.click("Terrain/frozen");
    EXPECT_EQ(headless.setting("lod.frozen"), "true");
    headless.click("Terrain/wireframe");  // further down: the injector scrolls to it
    EXPECT_EQ(headless.setting("render.wireframe"), "true");
    headless.click("Terrain/frozen");
    EXPECT_EQ(headless.setting("lod.frozen"), "false");
}

TEST(UiEdit, ListsChoose)
{
    HeadlessUi headless;
    headless.frames(2);
    const std::pair<const char*, std::vector<const char*>> lists[] = {
        {"Terrain/shading", {"render.shading", "normals", "slope", "hypsometric", "lod", "lit"}},
        {"Terrain/criterion", {"lod.criterion", "error", "edge"}},
        {"Terrain/msaa", {"render.msaa", "4", "8", "2", "1"}},
        {"View/mode", {"view.mode", "map", "fly"}}};
    for (const auto& [item, values] : lists)
    {
        for (std::size_t i = 1; i < values.size(); ++i)
        {
            headless.click(item);
            headless.click(std::string(item) + '/' + values[i]);
            EXPECT_EQ(headless.setting(values[0]), values[i]);
        }
    }
}

TEST(UiEdit, DraggingASliderMovesItsSettingAlongTheScale)
{
    for (const char* key : {"lod.split_pixels", "lod.merge_pixels", "lod.rounds", "patch.level", "terrain.height_scale",
                            "render.sun_azimuth", "render.sun_elevation", "cbt.depth", "cbt.leaf_capacity"})
    {
        SCOPED_TRACE(key);
        HeadlessUi headless;
        headless.frames(2);
        const std::string name = std::string(key) == "patch.level"
                                     ? "patch_level"
                                     : std::string(key).substr(std::string(key).rfind('.') + 1);
        const double before = std::stod(headless.setting(key));
        headless.drag("Terrain/" + name, 25);
        const double up = std::stod(headless.setting(key));
        headless.drag("Terrain/" + name, -35);
        const double down = std::stod(headless.setting(key));
        EXPECT_GT(up, before);
        EXPECT_LT(down, up);
        EXPECT_TRUE(checkSettings(headless.model.settings));
    }
}

TEST(UiEdit, ADragOfNothingKeepsTheValue)
{
    for (const char* key : {"split_pixels", "depth", "leaf_capacity", "rounds", "sun_azimuth", "patch_level"})
    {
        HeadlessUi headless;
        headless.frames(2);
        headless.drag(std::string("Terrain/") + key, 0);
        const Settings defaults;
        EXPECT_EQ(headless.model.settings.cbt, defaults.cbt) << key;
        EXPECT_NEAR(headless.model.settings.lod.splitPixels, 7, 0.26) << key;  // tolerance: one pixel of the slider
        EXPECT_NEAR(headless.model.settings.render.sunAzimuth, 135, 2) << key;
        EXPECT_EQ(headless.model.settings.lod.rounds, 1) << key;
        EXPECT_EQ(headless.model.settings.patch.level, 2) << key;
    }
}

TEST(UiEdit, SplitBringsMergeAlong)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.drag("Terrain/split_pixels", 30);
    EXPECT_GT(headless.model.settings.lod.splitPixels, 7);
    EXPECT_FLOAT_EQ(headless.model.settings.lod.mergePixels, headless.model.settings.lod.splitPixels * 3 / 7);
}

TEST(UiEdit, MergeNotBelowSplitIsRefusedWithAMessage)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.drag("Terrain/merge_pixels", 400);
    EXPECT_LT(headless.model.settings.lod.mergePixels, 7);
    ASSERT_FALSE(headless.refused.empty());
    EXPECT_NE(headless.refused.back().find("lod.merge_pixels"), std::string::npos);
}

TEST(UiEdit, DepthAppliesOnReleaseOnly)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.ui->injector().drag("Terrain/depth", -60, 0);
    while (headless.ui->injector().busy())
    {
        const bool lastSteps = headless.setting("cbt.depth") != "24";
        headless.frame();
        EXPECT_TRUE(!lastSteps || !ImGui::IsMouseDown(0)) << "applied while the mouse was down";
    }
    headless.frame();
    EXPECT_LT(headless.model.settings.cbt.depth, 24);
    EXPECT_GE(headless.model.settings.cbt.depth, 6);
}

TEST(UiEdit, DepthsThatTheDriverDoesNotHoldAreRefusedWithAMessage)
{
    HeadlessUi headless;
    headless.model.memory.largestDepth = 26;
    headless.model.memory.checkDepth = [](int depth) -> Status {
        if (depth <= 26) return Status::ok();
        return Error{ExitCode::kLimit, "depth " + std::to_string(depth) + " is too deep"};
    };
    headless.frames(2);
    headless.drag("Terrain/depth", 300);
    EXPECT_EQ(headless.setting("cbt.depth"), "26") << "the slider ends there";
    EXPECT_TRUE(headless.refused.empty());
    headless.type("Terrain/depth", "30");
    EXPECT_EQ(headless.setting("cbt.depth"), "26");
    EXPECT_EQ(headless.refused, std::vector<std::string>{"depth 30 is too deep"});
}

TEST(UiEdit, ThresholdsOfTheCriterionInUseAreShown)
{
    HeadlessUi headless;
    headless.frames(2);
    const auto shown = [&](const char* key) {
        return headless.ui->items().find(std::string("Terrain/") + key) != nullptr;
    };
    EXPECT_TRUE(shown("split_pixels") && shown("merge_pixels"));
    EXPECT_FALSE(shown("error_pixels"));
    headless.model.settings.lod.criterion = LodCriterion::kError;
    headless.frames(2);
    EXPECT_FALSE(shown("split_pixels") || shown("merge_pixels"));
    ASSERT_TRUE(shown("error_pixels"));
    headless.drag("Terrain/error_pixels", 30);
    EXPECT_GT(headless.model.settings.lod.errorPixels, 1.0f);
}

TEST(UiEdit, EachKindOfBudgetKeepsItsValue)
{
    HeadlessUi headless;
    headless.frames(2);
    const auto choose = [&](const std::string& mode) {
        headless.click("Terrain/mode");
        headless.click("Terrain/mode/" + mode);
        EXPECT_EQ(headless.setting("budget.mode"), mode);
        return headless.model.settings.budget.value;
    };
    EXPECT_EQ(choose("frame_ms"), 16.7);
    headless.type("Terrain/value", "25");
    EXPECT_EQ(choose("triangles"), 500'000);
    headless.type("Terrain/value", "300000");
    EXPECT_EQ(choose("off"), 0);
    EXPECT_EQ(choose("frame_ms"), 25);
    EXPECT_EQ(choose("triangles"), 300'000);

    HeadlessUi software;
    software.model.software = true;
    software.frames(2);
    software.click("Terrain/mode");
    software.click("Terrain/mode/frame_ms");
    EXPECT_EQ(software.model.settings.budget.value, 45);
}

TEST(UiEdit, ResetKeepsTheView)
{
    HeadlessUi headless;
    headless.model.settings.cbt.depth = 12;
    headless.model.settings.render.msaa = 4;
    headless.model.settings.view.yaw = 33;
    headless.frames(2);
    headless.click("Terrain/reset");
    Settings expected;
    expected.view.yaw = 33;
    EXPECT_EQ(headless.model.settings, expected);
}

TEST(UiEdit, NothingIsChangedByLooking)
{
    HeadlessUi headless;
    headless.model.settings.lod.splitPixels = 7.123456f;
    headless.model.settings.view.position = {1.23456789, -2e5, 3e4};
    headless.model.settings.view.yaw = -123.456;
    const Settings before = headless.model.settings;
    headless.frames(30);
    EXPECT_EQ(headless.model.settings, before);
    EXPECT_TRUE(headless.refused.empty());
}

TEST(UiEdit, AThousandClicksAndDragsLeaveValidSettings)
{
    std::mt19937 random(5);
    HeadlessUi headless;
    headless.frames(2);
    std::vector<std::string> names;
    for (const auto& [name, item] : headless.ui->items().all())
        names.push_back(name);
    std::ranges::sort(names);
    for (int i = 0; i < 1'000; ++i)
    {
        const std::string& name = names[random() % names.size()];
        SCOPED_TRACE(std::to_string(i) + " " + name);
        random() % 2 ? headless.click(name)
                     : headless.drag(name, double(random() % 400) - 200, double(random() % 40) - 20);
        headless.ui->injector().takeFailure();
        const Status status = checkSettings(headless.model.settings);
        ASSERT_TRUE(status) << status.error().message;
        headless.key("Escape");
    }
}

TEST(UiActionsTest, ButtonsAsk)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.click("View/home");
    EXPECT_TRUE(headless.home);
    headless.click("Terrain/bundled");
    headless.click("Terrain/bundled/synthetic:4096:7");
    EXPECT_EQ(headless.opened, "synthetic:4096:7");
}

TEST(UiActionsTest, TypingANameAndEnterOpensIt)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.key("Ctrl+O");
    headless.frames(2);
    EXPECT_TRUE(headless.ui->wantsKeyboard());
    for (const char* letter : {"D", "E", "M", "7"})
        headless.key(letter);
    headless.key("Enter");
    EXPECT_EQ(headless.opened, "dem7");
}

TEST(UiActionsTest, CopyPutsOptionsOnTheClipboard)
{
    HeadlessUi headless;
    headless.model.settings.view = {ViewMode::kFly, {1.5, -2, 3000}, 12, -24, 60};
    headless.frames(2);
    headless.click("View/copy");
    const std::string text = ImGui::GetClipboardText();
    EXPECT_EQ(text, "--set view.mode=fly --set view.position=1.50,-2.00,3000.00 --set view.yaw=12.00 "
                    "--set view.pitch=-24.00 --set view.fov=60.00");
}

TEST(UiKeys, ShortcutsDoWhatTheHelpSays)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.key("F4");
    EXPECT_EQ(headless.setting("render.wireframe"), "true");
    headless.key("F6");
    EXPECT_EQ(headless.setting("lod.frozen"), "true");
    headless.key("F7");
    EXPECT_EQ(headless.setting("render.shading"), "lod");
    headless.key("F7");
    EXPECT_EQ(headless.setting("render.shading"), "lit");
    headless.key("Tab");
    EXPECT_EQ(headless.setting("view.mode"), "map");
    headless.key("Tab");
    EXPECT_EQ(headless.setting("view.mode"), "fly");
    headless.key("Home");
    EXPECT_TRUE(headless.home);
    headless.key("F2");
    EXPECT_TRUE(headless.ui->panels().empty());
    headless.key("F2");
    EXPECT_FALSE(headless.ui->panels().empty());
    headless.key("F1");
    EXPECT_NE(headless.ui->items().find("Help/close"), nullptr);
    headless.key("Escape");
    EXPECT_EQ(headless.ui->items().find("Help/close"), nullptr);
}

TEST(UiHelp, IsAsHighAsItsContentAndScrollsOnlyWhereItDoesNotFit)
{
    for (const auto& [width, height, fits] :
         {std::tuple(1280, 720, true), std::tuple(1920, 1080, true), std::tuple(1000, 640, false)})
    {
        SCOPED_TRACE(testing::Message() << width << "x" << height);
        HeadlessUi headless(width, height);
        headless.frames(2);
        headless.key("F1");
        headless.frames(4);
        const ImGuiWindow* help = ImGui::FindWindowByName("Help");
        ASSERT_TRUE(help && help->Active);
        EXPECT_EQ(help->ScrollMax.x, 0);
        EXPECT_LE(help->ContentSize.x, help->InnerRect.GetWidth() - 2 * help->WindowPadding.x);
        EXPECT_EQ(help->ScrollMax.y == 0, fits) << "content " << help->ContentSize.y << " in " << help->Size.y;
        const float whole = help->ContentSize.y + 2 * help->WindowPadding.y;
        EXPECT_TRUE(!fits || std::abs(help->Size.y - whole) <= 2) << help->Size.y << " for " << whole;
    }
}

// Returns the summed camera input of the frames in which the injector plays.
CameraInput played(HeadlessUi& headless)
{
    CameraInput sum;
    while (headless.ui->injector().busy())
    {
        const CameraInput frame = headless.frame().camera;
        sum.forward += frame.forward;
        sum.right += frame.right;
        sum.up += frame.up;
        sum.turnX += frame.turnX;
        sum.turnY += frame.turnY;
        sum.zoom += frame.zoom;
    }
    return sum;
}

TEST(UiCamera, KeysMoveForOneFrame)
{
    HeadlessUi headless;
    headless.frames(2);
    const std::pair<const char*, double CameraInput::*> keys[] = {
        {"W", &CameraInput::forward}, {"D", &CameraInput::right}, {"E", &CameraInput::up}};
    for (const auto& [key, member] : keys)
    {
        headless.ui->injector().key(key);
        EXPECT_EQ(played(headless).*member, 1) << key;
    }
    headless.ui->injector().key("S");
    EXPECT_EQ(played(headless).forward, -1);
}

TEST(UiCamera, DraggingThePictureTurnsByItsPixels)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.ui->injector().drag("Viewport/picture", 100, -40);
    const CameraInput input = played(headless);
    EXPECT_NEAR(input.turnX, 100, 1e-3);
    EXPECT_NEAR(input.turnY, -40, 1e-3);
}

TEST(UiCamera, WheelOverThePictureZooms)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.ui->injector().key("WheelUp");
    EXPECT_EQ(played(headless).zoom, 1);
}

TEST(UiCamera, DraggingAPanelDoesNotMoveTheCamera)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.ui->injector().drag("Terrain/split_pixels", 500, 30);  // ends over the image
    EXPECT_TRUE(played(headless).idle());
}

// Escape closes an open list, and nothing else with the same press.
TEST(UiPopups, EscapeClosesThem)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.unfoldAll();
    headless.key("F1");
    headless.click("Terrain/shading");
    const auto open = [&] { return headless.ui->items().find("Terrain/shading/slope") != nullptr; };
    EXPECT_TRUE(open());
    headless.key("Escape");
    headless.frame();
    EXPECT_FALSE(open());
    EXPECT_TRUE(headless.ui->items().find("Help/close"));
    headless.key("Escape");
    headless.frame();
    EXPECT_FALSE(headless.ui->items().find("Help/close"));
}

int shownTooltips()
{
    int count = 0;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int i = 0; i < data->CmdListsCount; ++i)
        count += std::string_view(data->CmdLists[i]->_OwnerName).starts_with("##Tooltip");
    return count;
}

TEST(UiTooltip, AppearsOnceTheMouseRests)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.ui->injector().hover("Terrain/depth", 60);
    headless.frames(5);
    EXPECT_EQ(shownTooltips(), 0);
    headless.frames(45);
    EXPECT_EQ(shownTooltips(), 1);
}

// A place that is unknown can be corrected: the field keeps the keyboard, and no tooltip hides the message.
TEST(UiPlaces, AnUnknownNameKeepsTheKeyboard)
{
    HeadlessUi headless;
    headless.model.tools.earth.emplace();
    headless.model.tools.findNames = [](const std::string& text, std::size_t) {
        return text == "Jungfrau" ? std::vector<FoundPlace>(1) : std::vector<FoundPlace>();
    };
    int went = 0, undone = 0;
    headless.onPass = [&](const UiActions& actions) {
        went += actions.tools.goTo.has_value();
        undone += actions.settingsActions.undo;
    };
    headless.frames(2);
    headless.unfoldAll();
    const auto type = [&](const char* text) {
        for (; *text; ++text)
            headless.ui->feed(CharacterEvent{unsigned(*text)});
        headless.frames(3);
        headless.key("Enter");
        headless.frames(60);
    };
    headless.click("View/goto");
    type("Jungfra");
    EXPECT_EQ(went, 1);
    EXPECT_TRUE(ImGui::GetIO().WantTextInput);
    headless.key("Ctrl+Z");
    headless.key("Ctrl+A");
    headless.frames(3);
    EXPECT_EQ(undone, 0) << "the text field's own undo is not the settings'";
    type("Jungfra");
    EXPECT_EQ(went, 2);
    headless.ui->injector().hover("View/goto", 60);
    headless.frames(50);
    EXPECT_EQ(shownTooltips(), 0);
    headless.play();
    type("u");
    EXPECT_EQ(went, 3);
    EXPECT_FALSE(ImGui::GetIO().WantTextInput);
}

// A press on the button holds the time at once, so that the rest of the click is no second step to undo.
TEST(UiSun, APressOnItsButtonHoldsTheTime)
{
    HeadlessUi headless;
    headless.model.settings.render.time = utcIn("2026-06-21T12:00Z");
    std::uint64_t gesture = 0;
    headless.onPass = [&](const UiActions& actions) { gesture = actions.settingsActions.gesture; };
    headless.frames(2);
    headless.unfoldAll();
    headless.click("Terrain/play_sun");
    headless.frames(5);
    const std::uint64_t played = gesture;
    EXPECT_NE(played, 0u);
    const ItemRect* button = headless.ui->items().find("Terrain/play_sun");
    ASSERT_TRUE(button);
    headless.ui->feed(CursorEvent{button->centre().x, button->centre().y});
    headless.frame();
    const UtcSeconds running = *headless.model.settings.render.time;
    EXPECT_GT(running, *utcIn("2026-06-21T12:00Z"));
    headless.ui->feed(MouseButtonEvent{GLFW_MOUSE_BUTTON_LEFT, GLFW_PRESS});
    headless.frame();
    const UtcSeconds pressed = *headless.model.settings.render.time;
    headless.frames(5);
    headless.ui->feed(MouseButtonEvent{GLFW_MOUSE_BUTTON_LEFT, GLFW_RELEASE});
    headless.frames(5);
    EXPECT_EQ(pressed, running);
    EXPECT_EQ(*headless.model.settings.render.time, pressed);
}

TEST(UiInjector, ItemsThatAreNotThereFail)
{
    HeadlessUi headless;
    headless.frames(2);
    headless.click("Loading/cancel");
    EXPECT_FALSE(headless.ui->injector().busy());
    const auto failure = headless.ui->injector().takeFailure();
    ASSERT_TRUE(failure);
    EXPECT_NE(failure->find("Loading/cancel"), std::string::npos);
    EXPECT_FALSE(headless.ui->injector().takeFailure());
}

TEST(UiInjector, KeyNames)
{
    for (const char* name : {"F1", "F12", "Tab", "W", "w", "7", "Shift", "Ctrl", "Home", "WheelUp", "WheelDown",
                             "Ctrl+Q", "Ctrl+Shift+A", "Escape"})
        EXPECT_TRUE(isKeyName(name)) << name;
    for (const char* name : {"", "F0", "F13", "tab", "Ctrl+", "+Q", "Meta+Q", "AB", "\xff"})
        EXPECT_FALSE(isKeyName(name)) << name;
}

TEST(UiScale, AnyDisplayIsSurvived)
{
    HeadlessUi headless;
    for (const auto& [width, height] : {std::pair(0, 0), {1, 1}, {1, 2000}, {3000, 1}, {200, 150}, {8192, 4320}})
    {
        headless.ui->beginFrame(width, height, 0);
        headless.ui->draw(headless.model);
    }
}

}  // namespace
}  // namespace orogen::app
