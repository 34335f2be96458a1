// Presets: the available ones, their changes, and when a session applies one by itself.

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "app/session/session_settings.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

namespace fs = std::filesystem;

// User with a separate configuration folder.
class Presets : public testing::Test
{
protected:
    Presets() { setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1); }
    ~Presets() override
    {
        before_.empty() ? unsetenv("XDG_CONFIG_HOME") : setenv("XDG_CONFIG_HOME", before_.c_str(), 1);
    }

    void write(const std::string& name, const std::string& text)
    {
        const fs::path file = fs::path(folder_ / "orogen") / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }

    // Reads settings as a session in a window does.
    Status read(const SessionOptions& options) { return settings_.read(options, true, OROGEN_ROOT, messages_); }

    const std::string before_ = std::getenv("XDG_CONFIG_HOME") ? std::getenv("XDG_CONFIG_HOME") : "";
    const test::TemporaryFolder folder_;
    SessionSettings settings_;
    Messages messages_;
};

std::vector<std::string> names()
{
    std::vector<std::string> names;
    for (const Preset& preset : listPresets(OROGEN_ROOT))
        names.push_back(preset.name);
    return names;
}

TEST_F(Presets, AreTheShippedOnesAndThoseOfTheUser)
{
    EXPECT_EQ(names(), (std::vector<std::string>{"landscape", "map", "software"}));
    write("presets/dusk.json", "{}");
    write("presets/map.json", "{}");  // "map" is the name of a shipped preset
    write("presets/notes.txt", "");
    EXPECT_EQ(names(), (std::vector<std::string>{"landscape", "map", "software", "dusk"}));
    EXPECT_TRUE(findPreset(OROGEN_ROOT, "map")->shipped);
    const Result<Preset> missing = findPreset(OROGEN_ROOT, "dawn");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ExitCode::kUsage);
    EXPECT_EQ(missing.error().message, "--preset dawn: no such preset, expected one of landscape, map, software, dusk");
}

TEST_F(Presets, OfTheUserHaveUsableNames)
{
    EXPECT_EQ(userPresetFile(OROGEN_ROOT, "dusk"), fs::path(folder_ / "orogen/presets/dusk.json"));
    for (const char* name : {"", ".hidden", "a/b", "..", "map", "a\nb"})
        EXPECT_FALSE(userPresetFile(OROGEN_ROOT, name)) << name;
}

// Shipped presets leave the tree, the budget and the camera unchanged.
TEST_F(Presets, ThatAreShippedSetWhatIsSeenAlone)
{
    for (const Preset& preset : listPresets(OROGEN_ROOT))
    {
        Settings set;
        ASSERT_TRUE(applyPreset(preset, set)) << preset.name;
        const Settings defaults;
        EXPECT_TRUE(checkSettings(set));
        EXPECT_EQ(set.cbt, defaults.cbt) << preset.name;
        EXPECT_EQ(set.lod, defaults.lod) << preset.name;
        EXPECT_EQ(set.budget, defaults.budget) << preset.name;
        EXPECT_EQ(set.view.position, defaults.view.position) << preset.name;
    }
}

TEST_F(Presets, StandBetweenWhatWasKeptAndWhatIsGiven)
{
    write("settings.json", R"({"render.border": "walls", "render.haze": false, "render.visibility": 30})");
    write("presets/own.json", R"({"render.visibility": 40, "render.sun_azimuth": 10, "render.sun_elevation": 20})");
    write("s.json", R"({"render.sun_azimuth": 11, "render.sun_elevation": 21})");
    SessionOptions options;
    options.preset = "own";
    options.settingsFile = folder_ / "orogen/s.json";
    options.assignments = {"render.sun_elevation=22"};
    ASSERT_TRUE(read(options));
    const Settings::Render& render = settings_.wanted().render;
    EXPECT_EQ(render.border, Border::kWalls);
    EXPECT_EQ(render.air, Air::kOff);  // the old key
    EXPECT_EQ(render.visibility, 40);
    EXPECT_EQ(render.sunAzimuth, 11);
    EXPECT_EQ(render.sunElevation, 22);
}

TEST_F(Presets, AreChosenForTheDeviceWhereNothingWasKept)
{
    for (const bool software : {false, true})
    {
        SessionSettings settings;
        SessionOptions options;
        options.assignments = {"render.visibility=33"};
        ASSERT_TRUE(settings.read(options, true, OROGEN_ROOT, messages_));
        ASSERT_TRUE(settings.choosePresetForDevice(software, messages_));
        EXPECT_EQ(settings.wanted().render.msaa, software ? 1 : 4);
        EXPECT_EQ(settings.wanted().render.lakes, !software);
        EXPECT_EQ(settings.wanted().terrain.detail, !software);
        EXPECT_EQ(settings.wanted().render.visibility, 33);
        EXPECT_NE(messages_.newest().find(software ? "software" : "landscape"), std::string::npos);
    }
}

// Headless sessions, scripts and captures keep nothing.
TEST_F(Presets, ALevelOfDetailForTheDeviceIsSuggestedInTheWindowAlone)
{
    const Settings::Budget slow{.mode = BudgetMode::kFrameMs, .value = 45, .finer = false};
    for (const bool software : {false, true})
        for (const bool keeps : {false, true})
        {
            SessionSettings settings;
            ASSERT_TRUE(settings.read({}, keeps, OROGEN_ROOT, messages_));
            ASSERT_TRUE(settings.choosePresetForDevice(software, messages_));
            const Settings& wanted = settings.wanted();
            EXPECT_EQ(wanted.lod.criterion, keeps ? LodCriterion::kError : LodCriterion::kEdge);
            EXPECT_EQ(wanted.lod.errorPixels, keeps && !software ? 0.5f : 1.0f);
            EXPECT_EQ(wanted.earth.detailEdge, !keeps ? 0.0f : software ? 36.0f : 4.0f);
            EXPECT_EQ(wanted.budget, keeps && software ? slow : Settings::Budget{});
            EXPECT_EQ(wanted.render.scale, 100);
            EXPECT_EQ(messages_.newest().find("45 ms") != std::string::npos, keeps && software);
            EXPECT_EQ(settings.measurable(wanted).budget, Settings::Budget{});
            Settings asked = wanted;
            asked.budget = {.mode = BudgetMode::kFrameMs, .value = 20};
            EXPECT_EQ(settings.measurable(asked).budget, asked.budget);
        }
}

TEST_F(Presets, ALevelOfDetailForTheDeviceYieldsToAnyOther)
{
    SessionOptions options;
    options.preset = "map";  // "map" sets colours, but no level of detail
    options.assignments = {"budget.mode=off", "lod.error_pixels=2"};
    ASSERT_TRUE(read(options));
    ASSERT_TRUE(settings_.choosePresetForDevice(true, messages_));
    EXPECT_EQ(settings_.wanted().lod.criterion, LodCriterion::kError);
    EXPECT_EQ(settings_.wanted().lod.errorPixels, 2);
    EXPECT_EQ(settings_.wanted().budget.mode, BudgetMode::kOff);
    EXPECT_EQ(messages_.newest(), "");

    SessionOptions scene;
    scene.sceneFile = "s.orogen";
    scene.sceneSettings = R"({"lod.criterion": "edge", "budget.mode": "off"})";
    SessionSettings opened;
    ASSERT_TRUE(opened.read(scene, true, OROGEN_ROOT, messages_));
    ASSERT_TRUE(opened.choosePresetForDevice(true, messages_));
    EXPECT_EQ(opened.wanted().lod.criterion, LodCriterion::kEdge);
    EXPECT_EQ(opened.wanted().budget.mode, BudgetMode::kOff);

    write("settings.json", R"({"render.visibility": 30})");
    SessionSettings kept;
    ASSERT_TRUE(kept.read({}, true, OROGEN_ROOT, messages_));
    ASSERT_TRUE(kept.choosePresetForDevice(true, messages_));
    EXPECT_EQ(kept.wanted().lod, Settings::Lod{});
    EXPECT_EQ(kept.wanted().budget, Settings::Budget{});
}

TEST_F(Presets, AreNotChosenOverWhatWasKeptOrAskedFor)
{
    write("settings.json", R"({"render.visibility": 30})");
    ASSERT_TRUE(read({}));
    ASSERT_TRUE(settings_.choosePresetForDevice(true, messages_));
    EXPECT_TRUE(settings_.wanted().render.lakes);
    EXPECT_EQ(messages_.newest(), "");

    fs::remove(folder_ / "orogen/settings.json");
    SessionOptions options;
    options.preset = "map";
    SessionSettings asked;
    ASSERT_TRUE(asked.read(options, true, OROGEN_ROOT, messages_));
    ASSERT_TRUE(asked.choosePresetForDevice(false, messages_));
    EXPECT_EQ(asked.wanted().view.mode, ViewMode::kMap);
    EXPECT_EQ(messages_.newest().find("preset"), std::string::npos);
}

TEST_F(Presets, ResetRestoresAFirstStartOnThisDevice)
{
    write("settings.json", R"({"render.lakes": true, "lod.error_pixels": 8, "budget.mode": "off"})");
    ASSERT_TRUE(read({}));
    ASSERT_TRUE(settings_.choosePresetForDevice(true, messages_));
    SessionSettings fresh;
    ASSERT_TRUE(fresh.read({}, false, OROGEN_ROOT, messages_));
    ASSERT_TRUE(fresh.choosePresetForDevice(true, messages_));
    EXPECT_EQ(fresh.firstStart(), Settings{});  // without a window nothing suits the device
    for (const World world : {World::kPlane, World::kEarth})
    {
        settings_.enter(world);
        settings_.fitDepth(23);
        const Settings& first = settings_.firstStart();
        EXPECT_EQ(first.world, world);
        EXPECT_EQ(first.budget.mode, BudgetMode::kFrameMs);
        EXPECT_EQ(first.lod.errorPixels, 1.0f);
        EXPECT_FALSE(first.render.lakes);
        EXPECT_EQ(first.cbt.depth, 23);
    }
}

// The preset chosen for the device is not reported. Kept user settings are reported until they are reset or changed.
TEST_F(Presets, KeptSettingsAreTold)
{
    write("settings.json", R"({"render.lakes": false, "render.shading": "slope", "lod.error_pixels": 8})");
    SessionOptions options;
    options.assignments = {"render.shading=lit"};
    ASSERT_TRUE(read(options));
    EXPECT_TRUE(settings_.kept().empty());  // the device is not known yet
    ASSERT_TRUE(settings_.choosePresetForDevice(true, messages_));
    ASSERT_EQ(settings_.kept(), std::vector<std::string>{"lod.error_pixels"});
    settings_.resetKept(1);
    EXPECT_TRUE(settings_.kept().empty());
    EXPECT_EQ(settings_.wanted().lod.errorPixels, Settings().lod.errorPixels);
    EXPECT_FALSE(settings_.wanted().render.lakes);
    ASSERT_TRUE(settings_.undo(2));
    EXPECT_EQ(settings_.wanted().lod.errorPixels, 8);

    SessionSettings changed, late;
    for (SessionSettings* settings : {&changed, &late})
    {
        ASSERT_TRUE(settings->read({}, true, OROGEN_ROOT, messages_));
        ASSERT_TRUE(settings->choosePresetForDevice(true, messages_));
        EXPECT_EQ(settings->kept().size(), 2u);
    }
    Settings moved = changed.wanted();
    moved.view.yaw = 20;
    changed.edit(moved, 1);
    EXPECT_EQ(changed.kept().size(), 2u);
    moved.render.wireframe = true;
    changed.edit(moved, 2);
    EXPECT_TRUE(changed.kept().empty());
    late.update(SessionSettings::kKeptSeconds + 1, messages_);
    EXPECT_TRUE(late.kept().empty());
}

// The driver refuses the stored capacity. Only stored limits are reset, not those that the preset or the scene sets.
TEST_F(Presets, AndScenesKeepTheirLimitsWhenStoredOnesAreReset)
{
    write("settings.json", R"({"cbt.leaf_capacity": 67108864, "patch.level": 6, "render.sun_elevation": 12,
                               "earth.detail_edge": 7, "imagery.tile_budget": 65536})");
    write("presets/own.json", R"({"patch.level": 4})");
    SessionOptions options;
    options.preset = "own";
    options.sceneFile = "a.orogen";
    options.sceneSettings = R"({"terrain.tile_budget": 700})";
    ASSERT_TRUE(read(options));
    EXPECT_TRUE(settings_.putKeptLimitsBack());
    EXPECT_EQ(settings_.wanted().patch.level, 4);
    EXPECT_EQ(settings_.wanted().terrain.tileBudget, 700);
    EXPECT_EQ(settings_.wanted().imagery.tileBudget, Settings().imagery.tileBudget);
    EXPECT_EQ(settings_.wanted().cbt.leafCapacity, Settings().cbt.leafCapacity);
    EXPECT_EQ(settings_.wanted().render.sunElevation, 12);
    EXPECT_EQ(settings_.wanted().earth.detailEdge, 7);
    EXPECT_FALSE(settings_.putKeptLimitsBack()) << "nothing stored is left to reset";
}

// The depth equals the default, but the preset sets it explicitly.
TEST_F(Presets, KeepTheirDepthOverFineSamples)
{
    write("presets/own.json", R"({"cbt.depth": 24})");
    SessionOptions options;
    options.preset = "own";
    ASSERT_TRUE(read(options));
    settings_.fitDepth(29);
    EXPECT_EQ(settings_.wanted().cbt.depth, 24);
}

// Nobody has chosen a depth, so the preset does not hold the present terrain's depth fast.
TEST_F(Presets, ThatWereSavedTakeTheDepthOfEachTerrain)
{
    ASSERT_TRUE(storeSettings(folder_ / "orogen/presets/own.json", Settings{}));
    SessionOptions options;
    options.preset = "own";
    ASSERT_TRUE(read(options));
    settings_.fitDepth(29);
    EXPECT_EQ(settings_.wanted().cbt.depth, 29);
}

// The driver refuses the command line's limit, so a reset of the stored limit does not help.
TEST_F(Presets, AskingForALimitKeepsIt)
{
    write("settings.json", R"({"patch.level": 6})");
    SessionOptions options;
    options.assignments = {"cbt.leaf_capacity=67108864"};
    ASSERT_TRUE(read(options));
    EXPECT_TRUE(settings_.putKeptLimitsBack());
    EXPECT_EQ(settings_.wanted().cbt.leafCapacity, 67108864u);
    EXPECT_FALSE(settings_.putKeptLimitsBack());
}

// To open a pipe without a writer would block the panel.
TEST_F(Presets, APipeIsNone)
{
    fs::create_directories(folder_ / "orogen/presets");
    ASSERT_EQ(::mkfifo((folder_ / "orogen/presets/f.json").c_str(), 0600), 0);
    const Result<Preset> pipe = findPreset(OROGEN_ROOT, "f");
    ASSERT_TRUE(pipe);
    Settings settings;
    const Status applied = applyPreset(*pipe, settings);
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().code, ExitCode::kInput);
    EXPECT_TRUE(applied.error().message.ends_with("f.json: expected a file")) << applied.error().message;
}

// Only --set and a user's own preset enable multisampling on a software rasteriser.
TEST_F(Presets, ThatAreShippedTakeOneSampleInSoftware)
{
    write("presets/own.json", R"({"render.msaa": 4})");
    for (const auto& [preset, software, samples] :
         {std::tuple{"landscape", true, 1}, {"landscape", false, 4}, {"own", true, 4}})
    {
        SessionOptions options;
        options.preset = preset;
        SessionSettings settings;
        ASSERT_TRUE(settings.read(options, false, OROGEN_ROOT, messages_));
        ASSERT_TRUE(settings.choosePresetForDevice(software, messages_));
        EXPECT_EQ(settings.wanted().render.msaa, samples) << preset << software;
    }
}

// A change in a panel also stores the current preset.
TEST_F(Presets, ThatWereChosenAreKeptWithTheFirstEdit)
{
    ASSERT_TRUE(read({}));
    ASSERT_TRUE(settings_.choosePresetForDevice(true, messages_));
    Settings edited = settings_.wanted();
    edited.render.sunElevation = 12;
    settings_.edit(edited, 1.0);
    settings_.flush();
    SessionSettings next;
    ASSERT_TRUE(next.read({}, true, OROGEN_ROOT, messages_));
    EXPECT_EQ(next.wanted().render.sunElevation, 12);
    EXPECT_FALSE(next.wanted().render.lakes);
}

}  // namespace
}  // namespace orogen::app
