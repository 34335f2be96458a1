// Overlays on the image: keys, clicks and placement; and the measured line.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/session/ground_tools.h"
#include "app/ui/panels.h"
#include "core/base/text_file.h"
#include "tests/app/ui_support.h"
#include "tests/support/places.h"

namespace orogen::app {
namespace {

PictureToolsState everything()
{
    PictureToolsState tools;
    tools.camera = {{0, -9'000, 6'000}, 0, -30, 60};
    tools.pick.place = glm::dvec3(100, 200, 900);
    tools.pick.ground = {.height = 912.3, .slope = 23.4, .aspect = 224, .inside = true};
    tools.pick.distance = 12'345;
    tools.pick.coordinates = "36.567821° N, 84.245833° W";
    tools.pick.leaf = PickedLeaf{0x12345, 16, 0.42, 6.1};
    tools.measure.open = tools.measure.adding = true;
    tools.measure.points = {{{0, 0, 900}, false}, {{4'000, 0, 1'000}, false}, {{4'000, 3'000, 700}, true}};
    tools.measure.path = tools.measure.points;
    tools.measure.figures = {7'000, 7'100, -200, 150, 350, 700, 1'000, 31};
    for (int i = 0; i <= 100; ++i)
        tools.measure.profile.push_back({70.0 * i, 850 + 100 * std::sin(i / 9.0)});
    tools.top.open = true;
    tools.top.region = {{}, {-15'000, 15'000}, 30'000};
    tools.top.mostZoom = 10;
    tools.top.camera = {0, -9'000};
    tools.top.border = {{-3'000, -2'000}, {-9'000, 9'000}, {9'000, 9'000}, {3'000, -2'000}};
    tools.top.deepest = 17;
    return tools;
}

bool cross(const PanelRect& a, const PanelRect& b)
{
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

TEST(PictureTools, OverlaysStandInTheDisplayAndNotOnEachOther)
{
    for (const auto& [width, height, scale] :
         {std::tuple(1000, 640, 1.0f), std::tuple(1280, 720, 1.0f), std::tuple(1920, 1080, 1.0f),
          std::tuple(1920, 1080, 2.0f), std::tuple(2560, 1440, 2.0f)})
    {
        HeadlessUi headless(width, height, scale);
        headless.model.tools = everything();
        headless.frames(3);
        int ours = 0;
        const auto& panels = headless.ui->panels();
        for (std::size_t i = 0; i < panels.size(); ++i)
        {
            const auto& [name, rect] = panels[i];
            EXPECT_TRUE(rect.min.x >= 0 && rect.min.y >= 0 && rect.max.x <= float(width) && rect.max.y <= float(height))
                << name << " at " << width << "x" << height;
            ours += name == "Measure" || name == "TopView" || name == "Under the cursor";
            for (std::size_t j = i + 1; j < panels.size(); ++j)
                EXPECT_FALSE(cross(rect, panels[j].second))
                    << name << " and " << panels[j].first << " at " << width << "x" << height << " scale " << scale;
        }
        const bool roomy = float(width) / scale >= 1000 && float(height) / scale >= 640;
        EXPECT_TRUE(ours == 3 || (!roomy && ours == 2)) << ours << " at " << width << "x" << height;
    }
}

TEST(PictureTools, NothingDescribesAPictureOfTheTerrainBefore)
{
    HeadlessUi headless;
    headless.model.tools = everything();
    headless.model.settings.render.shading = Shading::kSlope;
    for (const bool pictured : {true, false})
    {
        headless.model.pictured = pictured;
        headless.frames(3);
        for (const char* name : {"Legend", "Measure", "TopView", "Under the cursor"})
        {
            const bool shown =
                std::ranges::any_of(headless.ui->panels(), [&](const auto& panel) { return panel.first == name; });
            EXPECT_EQ(shown, pictured) << name;
        }
    }
}

TEST(PictureTools, LinesOnThePointAreWholeInANarrowWindow)
{
    HeadlessUi headless(1000, 640);
    headless.model.tools = everything();
    headless.model.tools.measure.open = headless.model.tools.top.open = false;
    headless.model.tools.pick.leaf = PickedLeaf{0x123456789abcdef, 24, 883'061, 1'234.5};
    headless.frames(3);
    const ImGuiWindow* window = ImGui::FindWindowByName("Under the cursor");
    ASSERT_TRUE(window && window->Active);
    EXPECT_LE(window->ContentSize.x, window->Size.x - 2 * window->WindowPadding.x + 1);
    EXPECT_LE(window->ContentSize.y, window->Size.y - 2 * window->WindowPadding.y + 1);
}

TEST(PictureTools, TheReadOutOfTheProfileCoversNoButton)
{
    for (const auto& [width, height, scale] :
         {std::tuple(1280, 720, 1.0f), std::tuple(1920, 1080, 1.0f), std::tuple(2560, 1440, 2.0f)})
    {
        HeadlessUi headless(width, height, scale);
        headless.model.tools = everything();
        headless.frames(3);
        for (const float share : {0.2f, 0.9f})
        {
            const ItemRect* profile = headless.ui->items().find("Measure/profile");
            ASSERT_TRUE(profile);
            headless.ui->feed(
                CursorEvent{profile->min.x + share * (profile->max.x - profile->min.x), profile->centre().y});
            headless.frames(60);
            const ImGuiWindow* tip = ImGui::FindWindowByName("##Tooltip_00");
            ASSERT_TRUE(tip && tip->Active);
            const PanelRect covered{tip->Pos, {tip->Pos.x + tip->Size.x, tip->Pos.y + tip->Size.y}};
            for (const char* name : {"profile", "back", "end", "clear", "copy", "save", "close"})
            {
                const ItemRect* item = headless.ui->items().find(std::string("Measure/") + name);
                ASSERT_TRUE(item) << name;
                EXPECT_FALSE(cross(covered, {item->min, item->max}))
                    << name << " at " << width << "x" << height << " scale " << scale;
            }
        }
    }
}

// A light mark on snow is seen by its halo, which lies around it and is nearly as opaque.
TEST(PictureTools, EveryLightMarkHasADarkHalo)
{
    for (const float scale : {1.0f, 2.0f})
    {
        HeadlessUi headless(2560, 1440, scale);
        headless.model.tools = everything();
        OrientationState& orientation = headless.model.tools.orientation;
        orientation.compass = true;
        orientation.bar = {1'000, 120};
        orientation.names = {{1, {1'300, 900}, 2, PlaceKind::kCity, "Town"},
                             {2, {1'200, 1'000}, 1, PlaceKind::kPeak, "Summit"}};
        headless.frames(3);
        const ImVector<ImDrawVert>& drawn = ImGui::GetBackgroundDrawList()->VtxBuffer;
        const auto channel = [](const ImDrawVert& vertex, int shift) { return vertex.col >> shift & 0xff; };
        const auto brightest = [&](const ImDrawVert& vertex) {
            return std::max({channel(vertex, IM_COL32_R_SHIFT), channel(vertex, IM_COL32_G_SHIFT),
                             channel(vertex, IM_COL32_B_SHIFT)});
        };
        int light = 0, bare = 0;
        for (const ImDrawVert& core : drawn)
        {
            if (brightest(core) < 200 || channel(core, IM_COL32_A_SHIFT) < 200) continue;
            ++light;
            bare += std::none_of(drawn.begin(), drawn.end(), [&](const ImDrawVert& halo) {
                return brightest(halo) < 30 && channel(halo, IM_COL32_A_SHIFT) > 150 &&
                       std::hypot(halo.pos.x - core.pos.x, halo.pos.y - core.pos.y) < 6 * scale;
            });
        }
        EXPECT_GT(light, 40);
        EXPECT_EQ(bare, 0) << "of " << light << " at scale " << scale;
    }
}

// The measured line arrives while the mouse rests: the panel grows and is drawn without further input.
TEST(PictureTools, APanelWhoseContentGrowsIsDrawnUntilAllOfItShows)
{
    HeadlessUi headless;
    headless.model.tools.measure.open = headless.model.tools.measure.adding = true;
    headless.frames(4);
    EXPECT_FALSE(headless.ui->unsettled());
    headless.model.tools = everything();
    headless.ui->beginFrame(1280, 720, 1.0 / 60);
    headless.pass();
    EXPECT_EQ(headless.ui->changesIn(), 0);
    int passes = 0;
    for (; headless.ui->unsettled() && passes < 20; ++passes)
    {
        headless.ui->beginPass();
        headless.pass();
    }
    EXPECT_LT(passes, 20);
    const ItemRect* close = headless.ui->items().find("Measure/close");
    ASSERT_TRUE(close);
    EXPECT_EQ(close->visibleMax.y, close->max.y) << "cut off";
}

TEST(PictureTools, KeysAskForThem)
{
    HeadlessUi headless;
    PictureToolsActions asked;
    headless.onPass = [&](const UiActions& actions) {
        asked.toggleInfo |= actions.tools.toggleInfo;
        asked.toggleMeasure |= actions.tools.toggleMeasure;
        asked.toggleTop |= actions.tools.toggleTop;
        asked.endLine |= actions.tools.endLine;
        asked.removePoint |= actions.tools.removePoint;
    };
    for (const char* key : {"I", "M", "T", "Escape", "Backspace"})
        headless.key(key);
    EXPECT_TRUE(asked.toggleInfo && asked.toggleMeasure && asked.toggleTop);
    EXPECT_FALSE(asked.endLine || asked.removePoint);  // no measurement is active
    headless.model.tools = everything();
    asked = {};
    headless.key("Escape");
    headless.key("Backspace");
    EXPECT_TRUE(asked.endLine && asked.removePoint);
    EXPECT_FALSE(asked.toggleMeasure);
    headless.model.tools.measure.adding = false;
    asked = {};
    headless.key("Escape");
    EXPECT_TRUE(asked.toggleMeasure);
    EXPECT_FALSE(asked.endLine);
}

TEST(PictureTools, AClickSetsAPointAndADragDoesNot)
{
    HeadlessUi headless;
    headless.model.tools.measure.open = headless.model.tools.measure.adding = true;
    headless.frames(2);
    int clicks = 0, flights = 0;
    glm::dvec2 at{9, 9};
    headless.onPass = [&](const UiActions& actions) {
        flights += actions.camera.flyTo.has_value();
        if (!actions.tools.clicked) return;
        ++clicks;
        at = *actions.tools.clicked;
    };
    headless.drag("Viewport/picture", 60, 10);
    EXPECT_EQ(clicks, 0);
    headless.click("Viewport/picture");
    headless.click("Viewport/picture");
    EXPECT_EQ(clicks, 2);
    EXPECT_EQ(flights, 0);  // a double click sets two points
    EXPECT_LT(std::abs(at.x), 0.3);
    EXPECT_LT(std::abs(at.y), 0.3);
    headless.click("Tools/info");
    EXPECT_EQ(clicks, 2);
    headless.model.tools.measure.open = headless.model.tools.measure.adding = false;
    headless.click("Viewport/picture");
    headless.click("Viewport/picture");
    EXPECT_EQ(flights, 1);
}

TEST(PictureTools, WordsOnThePointUnderTheCursor)
{
    PickState pick = everything().pick;
    EXPECT_EQ(pickLines(pick)[0], "height 912.3 m   slope 23.4° (43 %) to SW");
    EXPECT_EQ(pickLines(pick)[3], "leaf 0x12345   depth 16   error 0.42 px   edge 6.1 px");
    pick.leaf->errorPixels = 883'061;
    pick.leaf->edgePixels = 1'234.5;
    EXPECT_EQ(pickLines(pick)[3], "leaf 0x12345   depth 16   error 883,061 px   edge 1,234.5 px");
    pick.coordinates = "1.0 m east, 2.0 m north";
    pick.distance = 1'200;
    pick.samplesApart = 240;
    pick.syntheticBelow = 60;
    EXPECT_EQ(pickLines(pick)[1], "1.0 m east, 2.0 m north   samples 240 m apart");
    EXPECT_TRUE(pickLines(pick)[2].ends_with("   synthetic below 60.0 m")) << pickLines(pick)[2];
    pick.samplesApart = 9'260;
    EXPECT_EQ(pickLines(pick)[0], "height about 900 m (samples 9.3 km)   slope 23.4° to SW");
    EXPECT_EQ(pickLines(pick)[1], "1.0 m east, 2.0 m north");
    pick.ground.isVoid = true;
    EXPECT_EQ(pickLines(pick)[0], "no data");
}

class MeasureLine : public testing::Test
{
protected:
    MeasureLine()
    {
        field_.width = field_.height = 101;
        field_.pixelWidth = field_.pixelHeight = 10;
        for (int y = 0; y < 101; ++y)
            for (int x = 0; x < 101; ++x)
                field_.codes.push_back(std::uint16_t(2 * x));  // rises by 2 m in 10 m to the east
    }
    PlaneScene scene()
    {
        PlaneScene scene(field_, raster_, nullptr, 1'000, geography_);
        scene.around = {[this](double e, double n) { return double(heightAt(field_, e, n)); },
                        {{1'000, 1'000}, 0, 200},
                        {1280, 720}};
        scene.camera = {{0, 0, 1'500}, 0, -90, 60};
        scene.heights = 1;
        return scene;
    }

    HeightField field_;
    Raster raster_;
    std::optional<TerrainGeography> geography_;
    MeasureTool line_;
};

TEST_F(MeasureLine, PlotsAllSamplesOfAShortLine)
{
    line_.toggle();
    line_.add({-300, 0, 0});
    line_.add({-280, 0, 0});
    for (int i = 0; i < 3; ++i)
        line_.update(scene());
    const MeasureState state = line_.state();
    ASSERT_EQ(state.profile.size(), 3u);
    EXPECT_NEAR(state.profile[1].x, 10, 1e-6);
}

TEST_F(MeasureLine, HasTheFiguresOfItsPoints)
{
    line_.toggle();
    line_.add({-300, 0, 0});
    line_.update(scene());
    EXPECT_EQ(*line_.value("measure_points"), "1");
    EXPECT_EQ(*line_.value("measure_distance"), "null");
    line_.add({100, 0, 0});
    line_.add({100, 0, 0});  // the line ignores a repeated place
    for (int i = 0; i < 3; ++i)
        line_.update(scene());
    MeasureState state = line_.state();
    EXPECT_FALSE(state.sampled);
    EXPECT_EQ(state.points.size(), 2u);
    EXPECT_NEAR(state.figures.horizontal, 400, 1e-6);
    EXPECT_NEAR(state.figures.rise, 80, 1e-3);
    EXPECT_NEAR(state.figures.ground, std::hypot(400, 80), 1e-3);
    EXPECT_NEAR(state.spacing, 10, 1e-9);
    EXPECT_NEAR(state.bearing, 90, 1e-9);
    EXPECT_NEAR(std::stod(*line_.value("measure_climb")), 80, 1e-3);
    EXPECT_NEAR(std::stod(*line_.value("measure_fall")), 0, 1e-3);
    line_.add({100, 200, 0});
    line_.update(scene());
    EXPECT_NEAR(line_.state().lastLeg.horizontal, 200, 1e-6);
    line_.removeLast();
    line_.update(scene());
    EXPECT_NEAR(line_.state().figures.horizontal, 400, 1e-6);
    line_.toggleAdding();
    line_.add({0, 0, 0});
    line_.update(scene());
    EXPECT_EQ(*line_.value("measure_points"), "2");
    EXPECT_FALSE(line_.pending());
}

TEST_F(MeasureLine, ThePlotAndThePictureMarkTheSamePlace)
{
    line_.toggle();
    line_.add({-300, 50, 0});
    line_.add({300, 50, 0});
    line_.pointAt(450.0, {});  // the mouse is in the plot
    line_.update(scene());
    MeasureState state = line_.state();
    ASSERT_TRUE(state.marked && state.markedPlace);
    EXPECT_NEAR(state.marked->along, 450, 1e-6);
    EXPECT_NEAR(state.markedPlace->place.x, 150, 1e-6);

    const PlaneScene seen = scene();
    const Projection view = project(seen.camera, 1280, 720, 0.2);
    const glm::dvec4 clip = glm::dmat4(view.clipFromRelative) *
                            glm::dvec4(glm::dvec3(-200, 50, 60) - seen.camera.position, 1);  // on the line
    line_.pointAt({}, glm::dvec2(clip) / clip.w);
    line_.update(seen);
    state = line_.state();
    ASSERT_TRUE(state.marked);
    EXPECT_NEAR(state.marked->place.x, -200, 11);
    line_.pointAt({}, glm::dvec2(0.9, 0.9));
    line_.update(seen);
    EXPECT_FALSE(line_.state().marked);
}

TEST_F(MeasureLine, OtherHeightsAreSampledAnew)
{
    line_.toggle();
    line_.add({-300, 0, 0});
    line_.add({300, 0, 0});
    line_.update(scene());
    for (std::uint16_t& code : field_.codes)
        code = 7;
    PlaneScene changed = scene();
    changed.heights = 2;
    line_.update(changed);
    EXPECT_NEAR(line_.state().figures.rise, 0, 1e-6);
    EXPECT_NEAR(line_.state().figures.highest, 7, 1e-6);
}

TEST(PictureLabels, TheFontHasEveryLetterOfTheShippedNames)
{
    const Result<std::string> names = readTextFile(OROGEN_ROOT "/assets/earth/places.tsv", 16u << 20);
    ASSERT_TRUE(names);
    const HeadlessUi headless;
    ASSERT_TRUE(headless.ui->theme().systemFont);
    std::set<unsigned> letters, missing;
    for (const char* at = names->data(); at < names->data() + names->size();)
    {
        unsigned letter = 0;
        at += ImTextCharFromUtf8(&letter, at, names->data() + names->size());
        if (letter >= 0x20) letters.insert(letter);
    }
    EXPECT_GT(letters.size(), 150u);
    for (const unsigned letter : letters)
        if (!headless.ui->theme().body->FindGlyphNoFallback(ImWchar(letter))) missing.insert(letter);
    EXPECT_TRUE(missing.empty()) << missing.size() << " are missing, the first is " << *missing.begin();
}

}  // namespace
}  // namespace orogen::app
