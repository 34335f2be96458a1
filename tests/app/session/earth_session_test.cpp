// The Earth in a session, and its panels.
#include <cmath>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/model/picture_state.h"
#include "app/session/camera_control.h"
#include "app/session/remembered.h"
#include "app/session/session_settings.h"
#include "app/session/terrain_loading.h"
#include "core/view/earth_view.h"
#include "tests/app/ui_support.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

const std::string kRelief = std::string(OROGEN_ROOT) + "/assets/earth/etopo5.tif";

SessionOptions earthOptions(std::vector<std::string> assignments)
{
    SessionOptions options;
    options.dem = kEarthName;
    options.assignments = std::move(assignments);
    return options;
}

TEST(EarthLoading, LeavesTheCoarseTilesOfTheWholeEarth)
{
    const auto loading =
        startLoadingEarth({.relief = kRelief, .base = nullptr, .insets = {}, .replaced = {}}, {{}, 64});
    ASSERT_TRUE(loading) << loading.error().message;
    const Result<LoadedTerrain> loaded = (*loading)->take();
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_TRUE(loaded->earth && loaded->cache);
    EXPECT_EQ(loaded->raster.name, kEarthName);
    EXPECT_EQ(loaded->tiles->grid().faces(), 6);
    const Result<std::optional<double>> alps = loaded->earth->heightAt(46, 8);
    ASSERT_TRUE(alps && *alps);
    EXPECT_GT(**alps, 500);
}

TEST(EarthLoading, NamesAnInsetThatLiesNowhere)
{
    const auto loading = startLoadingEarth({kRelief, nullptr, {{"synthetic:64", {}}}, {}}, {{}, 64});
    ASSERT_TRUE(loading);
    const Result<LoadedTerrain> loaded = (*loading)->take();
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ExitCode::kInput);
    EXPECT_NE(loaded.error().message.find("nowhere on Earth"), std::string::npos) << loaded.error().message;
}

TEST(EarthSettings, BeginWithItsDefaultsAndTakeItsRanges)
{
    Messages messages;
    SessionSettings settings;
    ASSERT_TRUE(settings.read(earthOptions({"earth.depth=58"}), false, OROGEN_ROOT, messages));
    EXPECT_EQ(settings.wanted().treeDepth(), 58);
    EXPECT_TRUE(messages.all().empty());
    EXPECT_EQ(settings.wanted().terrain.waterLevel, 0.0f);
    SessionSettings shallow;
    EXPECT_EQ(shallow.read(earthOptions({"earth.depth=59"}), false, OROGEN_ROOT, messages).error().code,
              ExitCode::kUsage);
    SessionSettings crowded;
    EXPECT_EQ(crowded.read(earthOptions({"cbt.leaf_capacity=4194304"}), false, OROGEN_ROOT, messages).error().code,
              ExitCode::kLimit);
}

TEST(EarthSettings, EnteringAnotherWorldKeepsWhatIsValidThere)
{
    Messages messages;
    SessionSettings settings;
    ASSERT_TRUE(settings.read(earthOptions({"render.wireframe=true"}), false, OROGEN_ROOT, messages));
    settings.enter(World::kPlane);
    EXPECT_EQ(settings.wanted().treeDepth(), 24);
    EXPECT_TRUE(settings.wanted().render.wireframe);
    EXPECT_EQ(settings.set("cbt.depth", "31", messages).error().code, ExitCode::kUsage);
    ASSERT_TRUE(settings.set("cbt.depth", "29", messages));
    settings.enter(World::kEarth);
    EXPECT_EQ(settings.wanted().treeDepth(), 50);
    EXPECT_TRUE(messages.all().empty());
    ASSERT_TRUE(settings.set("cbt.depth", "31", messages));
    EXPECT_EQ(settings.wanted().treeDepth(), 31);
    ASSERT_EQ(messages.all().size(), 1u);
    settings.enter(World::kPlane);
    EXPECT_EQ(settings.wanted().treeDepth(), 29);
}

TEST(EarthSettings, ThePlanesDepthFollowsItsSamplesUntilSomebodyChoosesOne)
{
    Messages messages;
    SessionSettings chosen, open;
    ASSERT_TRUE(open.read({}, false, OROGEN_ROOT, messages));
    open.fitDepth(29);
    EXPECT_EQ(open.wanted().cbt.depth, 29);
    open.fitDepth(24);
    EXPECT_EQ(open.wanted().cbt.depth, 24);
    ASSERT_TRUE(open.set("cbt.depth", "20", messages));
    open.fitDepth(29);
    EXPECT_EQ(open.wanted().cbt.depth, 20);
    EXPECT_EQ(defaultsFor(open.wanted()).cbt.depth, 29);

    SessionOptions options;
    options.assignments = {"cbt.depth=24"};  // equals the default, but the user sets it explicitly
    ASSERT_TRUE(chosen.read(options, false, OROGEN_ROOT, messages));
    chosen.fitDepth(29);
    EXPECT_EQ(chosen.wanted().cbt.depth, 24);
    SessionSettings scripted;
    ASSERT_TRUE(scripted.set("cbt.depth", "24", messages));
    scripted.fitDepth(29);
    EXPECT_EQ(scripted.wanted().cbt.depth, 24);
    ASSERT_TRUE(scripted.set("cbt.depth", "20", messages));
    Settings reset = scripted.wanted();
    reset.cbt.depth = 29;  // the default over these samples
    scripted.edit(reset, 1);
    scripted.fitDepth(27);
    EXPECT_EQ(scripted.wanted().cbt.depth, 27);
}

TEST(EarthSettings, UndoAfterAnotherTerrainRestoresTheDepthOfItsSamples)
{
    Messages messages;
    SessionSettings settings;
    ASSERT_TRUE(settings.read({}, false, OROGEN_ROOT, messages));
    settings.fitDepth(24);
    Settings to = settings.wanted();
    to.render.wireframe = true;
    settings.edit(to, 1);
    to.cbt.depth = 20;
    settings.edit(to, 2);
    settings.fitDepth(29);
    EXPECT_EQ(settings.wanted().cbt.depth, 20);
    ASSERT_TRUE(settings.undo(3));
    EXPECT_EQ(settings.wanted().cbt.depth, 29);
    ASSERT_TRUE(settings.undo(4));
    EXPECT_FALSE(settings.wanted().render.wireframe);
    EXPECT_EQ(settings.wanted().cbt.depth, 29);
    EXPECT_EQ(settings.wanted().samplesDepth, 29);
    ASSERT_TRUE(settings.redo(5));
    ASSERT_TRUE(settings.redo(6));
    EXPECT_EQ(settings.wanted().cbt.depth, 20);
    EXPECT_EQ(settings.wanted().samplesDepth, 29);
}

TEST(EarthPaths, AreRefusedOnAPlaneOnceAndPlayNothing)
{
    PathControl paths;
    paths.useFolder(std::string(OROGEN_ROOT) + "/assets/camera_paths");
    ASSERT_TRUE(paths.load(kEarthPath));
    paths.play();
    ViewSurroundings plane;
    plane.ground = [](double, double) { return 0.0; };
    const Status refused = paths.placeOn({1, 1}, plane);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kInput);
    EXPECT_TRUE(paths.placeOn({1, 1}, plane));
    EXPECT_FALSE(paths.advanced(0.1));
    ViewSurroundings earth;
    earth.earthGround = [](const glm::dvec3&) { return 0.0; };
    EXPECT_TRUE(paths.placeOn({2, 1}, earth));
    paths.play();
    EXPECT_TRUE(paths.advanced(0.1));
}

TEST(EarthBookmarks, AreRememberedAndDamagedOnesLeftOut)
{
    Remembered kept;
    kept.bookmarks[1] = bookmarkText({earthFixed({46, 8, 4'000}), 10, -20, 60});
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() + "/session.json";
    ASSERT_TRUE(storeRemembered(file, kept));
    EXPECT_EQ(readRemembered(file).remembered.bookmarks, kept.bookmarks);
    kept.bookmarks[0] = "somewhere";
    ASSERT_TRUE(storeRemembered(file, kept));
    const StoredMemory damaged = readRemembered(file);
    EXPECT_TRUE(damaged.notice);
    EXPECT_TRUE(damaged.remembered.bookmarks[0].empty());
    EXPECT_EQ(damaged.remembered.bookmarks[1], kept.bookmarks[1]);
}

class EarthPanels : public testing::Test
{
protected:
    EarthPanels()
    {
        headless_.model.settings = defaultSettings(World::kEarth);
        EarthState earth;
        earth.insets = {{.name = "mydem.tif",
                         .extent = {7, 46, 8, 47},
                         .spacing = 30,
                         .note = "EPSG:4326",
                         .heights = {},
                         .warnings = {}}};
        earth.camera = {46.5, 7.5, 4'000};
        headless_.model.tools.orientation = {.compass = true, .bar = {500, 120}, .names = {}, .grid = {}};
        earth.bookmarks[1] = true;
        headless_.model.tools.earth = earth;
        headless_.onPass = [this](const UiActions& actions) {
            if (actions.earth.goToBookmark) asked_.goToBookmark = actions.earth.goToBookmark;
            if (actions.earth.setBookmark) asked_.setBookmark = actions.earth.setBookmark;
            if (actions.earth.showInset) asked_.showInset = actions.earth.showInset;
            if (actions.earth.dropInset) asked_.dropInset = actions.earth.dropInset;
            if (actions.earth.layIn) asked_.layIn = actions.earth.layIn;
            asked_.open |= actions.earth.open;
        };
    }

    void type(const std::string& text)
    {
        for (const char c : text)
            headless_.key(std::string(1, c));
    }

    HeadlessUi headless_{1280, 1400};
    EarthActions asked_;
};

TEST_F(EarthPanels, AskForWhatIsClicked)
{
    headless_.frames(3);  // until the panels are placed
    headless_.click("View/bookmark_2");
    headless_.click("View/keep_3");
    headless_.click("Terrain/inset_1/show");
    EXPECT_EQ(asked_.goToBookmark, 2);
    EXPECT_EQ(asked_.setBookmark, 3);
    EXPECT_EQ(asked_.showInset, 0u);
    EXPECT_FALSE(asked_.dropInset);
    headless_.click("Terrain/inset_1/remove");
    EXPECT_EQ(asked_.dropInset, 0u);
}

TEST_F(EarthPanels, KeysGoToBookmarksAndKeepThem)
{
    headless_.key("2");
    headless_.key("Ctrl+1");
    EXPECT_EQ(asked_.goToBookmark, 2);
    EXPECT_EQ(asked_.setBookmark, 1);
}

TEST_F(EarthPanels, HaveTheMapAndTheDepthsOfTheEarth)
{
    headless_.key("Tab");
    EXPECT_EQ(headless_.setting("view.mode"), "map");
    headless_.key("Tab");
    EXPECT_EQ(headless_.setting("view.mode"), "fly");
    EXPECT_EQ(headless_.setting("earth.depth"), "50");
    headless_.drag("Terrain/depth", 2'000);
    EXPECT_EQ(headless_.setting("earth.depth"), "58");
    EXPECT_EQ(headless_.setting("cbt.depth"), "24");
}

// The credit is shown whole between the side panels, whatever the window's size, and covers neither them nor the bar.
TEST_F(EarthPanels, TheImageryIsCreditedInWindowsOfAnySize)
{
    for (const auto& [width, height] : {std::pair(1280, 720), {1000, 640}, {1000, 600}, {860, 520}})
    {
        HeadlessUi window{width, height};
        window.model.settings = headless_.model.settings;
        window.model.tools.earth = headless_.model.tools.earth;
        window.model.tools.orientation = headless_.model.tools.orientation;
        window.model.cover.credit = "Blue Marble and city lights: NASA Earth Observatory";
        window.frames(3);
        const ItemRect* credit = window.ui->items().find("Picture/credit");
        const ItemRect* bar = window.ui->items().find("Picture/scale");
        ASSERT_TRUE(credit && bar) << width;
        const auto apart = [](const ItemRect& a, const ImVec2& from, const ImVec2& to) {
            return a.max.x <= from.x || a.min.x >= to.x || a.max.y <= from.y || a.min.y >= to.y;
        };
        EXPECT_TRUE(apart(*credit, bar->min, bar->max)) << width;
        for (const char* name : {"Terrain", "View", "Performance", "Status"})
        {
            const ImGuiWindow* panel = ImGui::FindWindowByName(name);
            if (!panel || !panel->Active) continue;
            EXPECT_TRUE(apart(*credit, panel->Pos, panel->Rect().Max)) << width << " " << name;
        }
    }
}

TEST_F(EarthPanels, LayInWhatTheFieldNamesOrOpenItAlone)
{
    headless_.frames(3);
    headless_.click("Terrain/file");
    type("dem");
    EXPECT_FALSE(asked_.layIn);
    headless_.key("Enter");
    EXPECT_EQ(asked_.layIn, "dem");
    EXPECT_FALSE(headless_.opened);
    headless_.click("Terrain/open");
    EXPECT_EQ(headless_.opened, "dem");
    asked_.layIn.reset();
    headless_.click("Terrain/lay_in");
    EXPECT_EQ(asked_.layIn, "dem");
}

TEST_F(EarthPanels, OfferBothForADroppedFileAndInTheBrowser)
{
    headless_.model.files.recent = {"/nowhere/recent.tif"};
    headless_.frames(3);
    headless_.ui->offerTerrain("/nowhere/a.tif");
    headless_.frames(3);
    headless_.click("Files/accept");
    EXPECT_EQ(asked_.layIn, "/nowhere/a.tif");
    EXPECT_FALSE(headless_.opened);
    headless_.frames(3);
    headless_.ui->offerTerrain("/nowhere/b.tif");
    headless_.frames(3);
    headless_.click("Files/other");
    EXPECT_EQ(headless_.opened, "/nowhere/b.tif");
    headless_.frames(3);
    headless_.key("Ctrl+O");
    headless_.frames(3);
    headless_.click("Files/recent");
    headless_.click("Files/recent/recent.tif");
    headless_.frames(3);
    EXPECT_EQ(headless_.opened, "/nowhere/b.tif");
    headless_.click("Files/accept");
    EXPECT_EQ(asked_.layIn, "/nowhere/recent.tif");
}

TEST_F(EarthPanels, OfAPlaneOfferTheEarth)
{
    headless_.model.tools.earth.reset();
    headless_.model.settings = Settings{};
    headless_.frames(3);
    EXPECT_EQ(headless_.ui->items().find("Terrain/lay_in"), nullptr);
    headless_.click("Terrain/earth");
    EXPECT_TRUE(asked_.open);
}

TEST(ScaleBars, AreRoundAndNoLongerThanAskedFor)
{
    for (double metres = 0.001; metres < 1e6; metres *= 1.37)
    {
        const ScaleBar bar = scaleBarFor(metres, 160);
        EXPECT_LE(bar.pixels, 160 + 1e-9);
        EXPECT_GT(bar.pixels, 160 / 2.6);
        const double lead = bar.metres / std::pow(10, std::floor(std::log10(bar.metres) + 1e-9));
        EXPECT_TRUE(std::abs(lead - 1) < 1e-6 || std::abs(lead - 2) < 1e-6 || std::abs(lead - 5) < 1e-6) << lead;
    }
    EXPECT_EQ(scaleBarFor(0, 160).metres, 0);
}

TEST(PlaceWords, HaveSignsAsLettersAndDigitsThatMakeSense)
{
    EXPECT_EQ(placeWords({-33.85678, 151.2153, 0}, 1e6), "33.9° S, 151.2° E");
    EXPECT_EQ(placeWords({46.5, -8.25, 0}, 2), "46.500000° N, 8.250000° W");
}

}  // namespace
}  // namespace orogen::app
