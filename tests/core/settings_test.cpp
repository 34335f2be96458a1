#include "core/settings.h"

#include <cmath>
#include <limits>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/config_file.h"

namespace orogen {
namespace {

using std::numeric_limits;

struct Expected
{
    const char* key;
    nlohmann::json byDefault;
    const char *lowest, *highest, *tooLow, *tooHigh;  // null: not a number
};

// Contract of the command line, deliberately written a second time.
const std::vector<Expected>& contract()
{
    static const std::vector<Expected> rows = {
        {"cbt.depth", 24, "6", "30", "5", "31"},
        {"earth.depth", 50, "6", "58", "5", "59"},
        {"earth.detail_edge", 0.0, "0", "64", "-0.1", "64.1"},
        {"earth.heights", "geoid", {}, {}, {}, {}},
        {"cbt.leaf_capacity", 2097152, "1024", "67108864", "1023", "67108865"},
        {"lod.criterion", "edge", {}, {}, {}, {}},
        {"lod.split_pixels", 7.0, "0.5", "64", "0.499999", "64.00001"},
        {"lod.merge_pixels", 3.0, "0.1", "64", "0.0999999999", "64.0000001"},
        {"lod.error_pixels", 1.0, "0.1", "32", "0.09", "32.1"},
        {"lod.frozen", false, {}, {}, {}, {}},
        {"lod.rounds", 1, "1", "16", "0", "17"},
        {"lod.geomorph", true, {}, {}, {}, {}},
        {"budget.mode", "off", {}, {}, {}, {}},
        {"budget.value", 0.0, "0", "1000000000", "-1", "1000000001"},
        {"budget.finer", true, {}, {}, {}, {}},
        {"patch.level", 2, "0", "6", "-1", "7"},
        {"terrain.height_scale", 1.0, "0", "10", "-0.001", "10.001"},
        {"terrain.water_level", "none", "-11000", "9000", "-11000.1", "9000.1"},
        {"terrain.detail", true, {}, {}, {}, {}},
        {"terrain.tiles", "auto", {}, {}, {}, {}},
        {"terrain.tile_budget", 128, "32", "65536", "31", "65537"},
        {"render.shading", "lit", {}, {}, {}, {}},
        {"render.wireframe", false, {}, {}, {}, {}},
        {"render.msaa", 1, "1", "8", "0", "16"},
        {"render.sun_azimuth", 135.0, "0", "360", "-1", "361"},
        {"render.sun_elevation", 40.0, "-90", "90", "-91", "91"},
        {"render.time", "", "1900-01-01", "2099-12-31", "1899-12-31", "2100-01-01"},
        {"render.shadows", true, {}, {}, {}, {}},
        {"render.relief", "direct", {}, {}, {}, {}},
        {"render.ramp", "", {}, {}, {}, {}},
        {"render.tint_range", "own", {}, {}, {}, {}},
        {"render.tint_low", 0.0, "-11000", "9000", "-11001", "9001"},
        {"render.tint_high", 3000.0, "-11000", "9000", "-11001", "9001"},
        {"render.scale", 100.0, "25", "100", "24.9", "100.1"},
        {"render.border", "ground", {}, {}, {}, {}},
        {"render.air", "full", {}, {}, {}, {}},
        {"render.visibility", 80.0, "1", "1000", "0.9", "1001"},
        {"render.near_detail", true, {}, {}, {}, {}},
        {"render.lakes", true, {}, {}, {}, {}},
        {"render.contours", false, {}, {}, {}, {}},
        {"render.contour_interval", 0.0, "0", "5000", "-1", "5001"},
        {"imagery.opacity", 1.0, "0", "1", "-0.1", "1.1"},
        {"imagery.tile_budget", 128, "32", "65536", "31", "65537"},
        {"model.play", false, {}, {}, {}, {}},
        {"model.creep", 0.0, "0", "1000000", "-0.1", "1000001"},
        {"model.incision", 0.0, "0", "1", "-1e-9", "1.1"},
        {"model.uplift", 0.0, "-1000", "1000", "-1001", "1001"},
        {"model.repose", 90.0, "1", "90", "0.9", "90.1"},
        {"model.step_years", 1000.0, "0.01", "10000000", "0.009", "10000001"},
        {"model.backend", "cpu", {}, {}, {}, {}},
        {"model.level", -1, "-1", "17", "-2", "18"},
        {"marks.names", true, {}, {}, {}, {}},
        {"marks.graticule", false, {}, {}, {}, {}},
        {"marks.compass", true, {}, {}, {}, {}},
        {"input.invert_drag", false, {}, {}, {}, {}},
        {"view.mode", "fly", {}, {}, {}, {}},
        {"view.position", {0, 0, 0}, {}, {}, "[-1e9,0,0]", "0,0,1e9"},
        {"view.yaw", 0.0, "-360", "360", "-361", "361"},
        {"view.pitch", 0.0, "-90", "90", "-90.1", "90.1"},
        {"view.fov", 60.0, "1", "170", "0.9", "171"},
    };
    return rows;
}

Settings randomValid(std::mt19937& random)
{
    const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    const auto shading = [&] { return Shading(random() % findSetting("render.shading")->choices.size()); };
    Settings s;
    s.cbt = {int(between(6, 31)), std::uint32_t(between(1024, 67108865))};
    s.earth.heights = HeightDatum(random() % 2);
    s.earth.detailEdge = float(between(0, 64));
    s.lod = {LodCriterion(random() % 2), float(between(0.5, 64)), 0.1f, float(between(0.1, 32)), bool(random() % 2),
             int(between(1, 17)),        bool(random() % 2)};
    s.budget = {BudgetMode(random() % 3), between(0, 1e9), random() % 2 == 0};
    s.lod.mergePixels = float(between(0.1, 0.9 * s.lod.splitPixels));
    s.patch.level = int(random() % 7);
    s.model = {random() % 2 == 0,          between(0, 1e6),     between(0, 1),
               between(-1000, 1000),       between(1, 90),      between(0.01, 1e7),
               ModelBackend(random() % 4), int(between(-1, 18))};
    s.terrain.heightScale = float(between(0, 10));
    if (random() % 2) s.terrain.waterLevel = float(between(-11000, 9000));
    s.terrain.detail = bool(random() % 2);
    s.terrain.tiles = TerrainTiles(random() % 2);
    s.terrain.tileBudget = int(between(32, 65537));
    s.render = {shading(),
                bool(random() % 2),
                1 << (random() % 4),
                float(between(0, 360)),
                float(between(-90, 90)),
                float(between(25, 100)),
                Border(random() % 3),
                Air(random() % 3),
                float(between(1, 1000)),
                bool(random() % 2),
                bool(random() % 2),
                bool(random() % 2),
                float(between(0, 5000)),
                random() % 2 ? std::optional<std::int64_t>(std::int64_t(between(-2e9, 4e9))) : std::nullopt,
                bool(random() % 2),
                Relief(random() % 4),
                random() % 2 ? "/a b/\"c\".cpt" : "",
                TintRange(random() % 3),
                float(between(-11'000, 9'000)),
                float(between(-11'000, 9'000))};
    s.imagery = {float(between(0, 1)), int(between(32, 65537))};
    s.view = {ViewMode(random() % 2),
              {between(-1e8, 1e8), between(-1, 1), between(-1e4, 1e4)},
              between(-360, 360),
              between(-90, 90),
              between(1, 170)};
    return s;
}

TEST(SettingNumber, IsWhatTheTextSays)
{
    Settings settings;
    settings.cbt.depth = 17;
    settings.lod.splitPixels = 0.7f;
    settings.view.yaw = 0.1;
    settings.render.wireframe = true;
    for (const SettingInfo& info : settingTable())
    {
        const std::string text = settingText(settings, info.key);
        if (info.type == SettingType::kBool)
        {
            EXPECT_EQ(settingNumber(settings, info.key), text == "true") << info.key;
        }
        if (info.type == SettingType::kInteger)
        {
            EXPECT_EQ(settingNumber(settings, info.key), std::stod(text));
        }
        if (info.type != SettingType::kReal) continue;
        const double number = settingNumber(settings, info.key);
        EXPECT_TRUE(number == std::stod(text) || number == double(std::stof(text))) << info.key << " " << text;
    }
    EXPECT_EQ(settingNumber(settings, "cbt.depth"), 17.0);
    EXPECT_EQ(settingNumber(settings, "lod.split_pixels"), double(0.7f));
}

TEST(Settings, TableHasTheContractsKeysAndDefaults)
{
    const auto defaults = nlohmann::json::parse(settingsToJson(Settings{}));
    EXPECT_EQ(defaults.size(), contract().size());
    EXPECT_EQ(settingTable().size(), contract().size());
    for (const Expected& row : contract())
    {
        EXPECT_NE(findSetting(row.key), nullptr) << row.key;
        EXPECT_EQ(defaults[row.key], row.byDefault) << row.key;
    }
}

TEST(Settings, EveryRowSaysWhatItDoes)
{
    std::set<std::string_view> texts, labels;
    for (const SettingInfo& info : settingTable())
    {
        EXPECT_FALSE(info.label.empty()) << info.key;
        EXPECT_TRUE(labels.insert(info.label).second) << info.key;
        EXPECT_TRUE(info.text.ends_with('.')) << info.key;
        EXPECT_TRUE(texts.insert(info.text).second) << info.key;
    }
}

TEST(Settings, RangesAreInclusiveAndNothingIsClampedSilently)
{
    for (const Expected& row : contract())
    {
        for (const char* good : {row.lowest, row.highest})
        {
            Settings s;
            EXPECT_TRUE(!good || setSetting(s, row.key, good)) << row.key << ' ' << good;
        }
        for (const char* bad : {row.tooLow, row.tooHigh})
        {
            Settings s;
            const Status status = bad ? setSetting(s, row.key, bad) : Status(Error{ExitCode::kUsage, ""});
            ASSERT_FALSE(status) << row.key << ' ' << bad;
            EXPECT_EQ(status.error().code, ExitCode::kUsage);
            EXPECT_EQ(s, Settings{}) << row.key;
            if (row.lowest)
            {
                const std::string& message = status.error().message;
                EXPECT_NE(message.find(row.key), message.npos) << message;
                EXPECT_NE(message.find(bad), message.npos) << message;
                EXPECT_NE(message.find(row.lowest), message.npos) << message;
                EXPECT_NE(message.find(row.highest), message.npos) << message;
            }
        }
    }
}

TEST(Settings, WhatIsNoValueIsRefusedForEveryKey)
{
    Settings named;
    for (const std::string& bad : {std::string("a\nb"), std::string("\x7f"), std::string(5000, 'a')})
        EXPECT_FALSE(setSetting(named, "render.ramp", bad));
    EXPECT_EQ(named, Settings{});
    for (const SettingInfo& info : settingTable())
    {
        if (info.type == SettingType::kText) continue;
        for (const char* bad : {"", " ", "nan", "-nan", "inf", "-inf", "1e999", "24x", "x", "0x10", "[1,2]",
                                "[1,2,3,4]", "[1,2,nan]", "1,,2", "Edge", "truely", "99999999999999999999"})
        {
            Settings s;
            if (info.type == SettingType::kTime &&
                std::string_view(bad).find_first_not_of(' ') == std::string_view::npos)
                continue;  // no time is a value
            EXPECT_FALSE(setSetting(s, info.key, bad)) << info.key << " = '" << bad << "'";
            EXPECT_EQ(s, Settings{}) << info.key << " = '" << bad << "'";
        }
    }
}

TEST(Settings, WholeNumbersAreNotTakenFromFractions)
{
    Settings s;
    EXPECT_FALSE(setSetting(s, "cbt.depth", "24.5"));
    EXPECT_FALSE(setSetting(s, "lod.rounds", "1e1"));
}

TEST(Settings, MsaaIsAPowerOfTwo)
{
    for (int samples = 0; samples < 12; ++samples)
    {
        Settings s;
        const bool good = samples == 1 || samples == 2 || samples == 4 || samples == 8;
        EXPECT_EQ(bool(setSetting(s, "render.msaa", std::to_string(samples))), good) << samples;
    }
}

TEST(Settings, PositionsReadWithAndWithoutBrackets)
{
    Settings s;
    EXPECT_TRUE(setSetting(s, "view.position", "[1, -2.5, 3e2]"));
    EXPECT_EQ(s.view.position, glm::dvec3(1, -2.5, 300));
    EXPECT_TRUE(setSetting(s, "view.position", "4,5,6"));
    EXPECT_EQ(s.view.position, glm::dvec3(4, 5, 6));
    EXPECT_FALSE(setSetting(s, "view.position", "[4,5,6"));
}

TEST(Settings, TextReadsBackAsTheSameValue)
{
    std::mt19937 random(7);
    for (int i = 0; i < 2'000; ++i)
    {
        SCOPED_TRACE(i);
        const Settings original = randomValid(random);
        Settings copy;
        std::vector<SettingChange> changes;
        for (const SettingInfo& info : settingTable())
        {
            changes.push_back({std::string(info.key), settingText(original, info.key)});
        }
        ASSERT_TRUE(setSettings(copy, changes));
        ASSERT_EQ(copy, original);
    }
}

TEST(Settings, JsonReadsBackAsTheSameValue)
{
    std::mt19937 random(8);
    for (int i = 0; i < 500; ++i)
    {
        SCOPED_TRACE(i);
        const Settings original = randomValid(random);
        Settings copy;
        const Status status = settingsFromJson(copy, settingsToJson(original), "round-trip.json");
        ASSERT_TRUE(status) << status.error().message;
        ASSERT_EQ(copy, original);
    }
}

TEST(Settings, SplitAloneBringsMergeAlong)
{
    Settings s;
    ASSERT_TRUE(setSetting(s, "lod.split_pixels", "14"));
    EXPECT_EQ(s.lod.mergePixels, 6.0f);
    Settings fromJson;
    ASSERT_TRUE(settingsFromJson(fromJson, R"({"lod.split_pixels": 14})", "f"));
    EXPECT_FLOAT_EQ(fromJson.lod.mergePixels, 6.0f);
}

TEST(Settings, MergeInTheSameGroupWinsWhateverTheOrder)
{
    for (const bool splitFirst : {false, true})
    {
        std::vector<SettingChange> group = {{"lod.merge_pixels", "9"}, {"lod.split_pixels", "14"}};
        if (splitFirst)
        {
            std::swap(group[0], group[1]);
        }
        Settings s;
        ASSERT_TRUE(setSettings(s, group));
        EXPECT_EQ(s.lod.mergePixels, 9.0f);
        EXPECT_EQ(s.lod.splitPixels, 14.0f);
    }
}

TEST(Settings, MergeMustStayBelowSplit)
{
    for (const char* merge : {"7", "8"})
    {
        Settings s;
        const Status status = setSettings(s, std::vector<SettingChange>{{"lod.merge_pixels", merge}});
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, ExitCode::kUsage);
        EXPECT_NE(status.error().message.find("lod.split_pixels"), std::string::npos) << status.error().message;
        EXPECT_EQ(s, Settings{});
    }
}

TEST(Settings, CheckFindsEveryValueOutOfRange)
{
    Settings s;
    s.lod.rounds = 17;
    EXPECT_FALSE(checkSettings(s));
    s = {};
    s.view.yaw = numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(checkSettings(s));
    s = {};
    s.render.shading = Shading(99);
    EXPECT_FALSE(checkSettings(s));
    EXPECT_TRUE(checkSettings(Settings{}));
}

TEST(Settings, SanitizedIsValidWhateverComesIn)
{
    std::mt19937 random(9);
    const double inf = numeric_limits<double>::infinity();
    const auto wild = [&] {
        const double values[] = {0.0,
                                 -1.0,
                                 1e-300,
                                 1e300,
                                 inf,
                                 -inf,
                                 numeric_limits<double>::quiet_NaN(),
                                 0.1,
                                 63.9999,
                                 std::uniform_real_distribution(-100.0, 500.0)(random)};
        return values[random() % std::size(values)];
    };
    const auto whole = [&] { return random() % 2 ? int(random()) : int(random() % 40) - 5; };
    for (int i = 0; i < 20'000; ++i)
    {
        SCOPED_TRACE(i);
        Settings s;
        s.cbt = {whole(), std::uint32_t(whole())};
        s.lod = {LodCriterion(random() % 4), float(wild()), float(wild()), float(wild()), bool(random() % 2), whole()};
        s.patch.level = whole();
        s.terrain.heightScale = float(wild());
        s.render = {};
        s.render.shading = Shading(random() % 8);
        s.render.msaa = whole();
        s.render.sunAzimuth = float(wild());
        s.render.sunElevation = float(wild());
        if (random() % 2) s.render.time = std::int64_t(random()) * whole();
        s.view = {ViewMode(random() % 4), {wild(), wild(), wild()}, wild(), wild(), wild()};
        const Status status = checkSettings(sanitized(s));
        ASSERT_TRUE(status) << status.error().message;
    }
}

TEST(Settings, SanitizedLeavesTheValidAlone)
{
    std::mt19937 random(10);
    for (int i = 0; i < 2'000; ++i)
    {
        SCOPED_TRACE(i);
        const Settings valid = randomValid(random);
        ASSERT_EQ(sanitized(valid), valid);
    }
}

TEST(Settings, UnknownKeysAreNamedWithTheNearestOne)
{
    Settings s;
    const Status status = setSetting(s, "lod.splitpixels", "7");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kUsage);
    EXPECT_NE(status.error().message.find("'lod.splitpixels'"), std::string::npos);
    EXPECT_NE(status.error().message.find("lod.split_pixels"), std::string::npos);
    for (const char* later : {"render.of_a_later_version", "terrain.tile_budgets", ""})
    {
        EXPECT_FALSE(setSetting(s, later, "1")) << later;
    }
}

TEST(Settings, MessagesStayOnOneLine)
{
    Settings s;
    for (const Status& status : {setSetting(s, "a\nb", "1"), setSetting(s, "cbt.depth", "2\n\x1b[31m")})
    {
        const std::string message = status.error().message;
        EXPECT_EQ(message.find_first_of("\n\r\x1b"), std::string::npos) << message;
        EXPECT_LT(message.size(), 1200u);
    }
}

TEST(SettingsJson, MalformedTextNamesTheFileAndChangesNothing)
{
    const std::string deep(100'000, '[');
    const std::string nested = R"({"cbt.depth": )" + deep + std::string(deep.size(), ']') + "}";
    const std::pair<std::string, ExitCode> cases[] = {
        {"", ExitCode::kInput},
        {"[1]", ExitCode::kInput},
        {"{\"cbt.depth\": 12", ExitCode::kInput},
        {"{\"cbt.depth\": 12, \"lod.rounds\": }", ExitCode::kInput},
        {deep, ExitCode::kInput},
        {"{\"\xff\": 1}", ExitCode::kInput},
        {nested, ExitCode::kInput},
        {R"({"cbt.depth": 12, "no.such": 1})", ExitCode::kUsage},
        {R"({"cbt.depth": 12, "lod.rounds": 99})", ExitCode::kUsage},
        {R"({"cbt.depth": null})", ExitCode::kUsage},
        {R"({"cbt.depth": 24.5})", ExitCode::kUsage},
        {R"({"cbt.depth": 1e300})", ExitCode::kUsage},
        {R"({"view.position": [1, [2], 3]})", ExitCode::kUsage},
        {R"({"lod.merge_pixels": 7})", ExitCode::kUsage},
    };
    for (const auto& [text, code] : cases)
    {
        SCOPED_TRACE(text.substr(0, 60));
        Settings s;
        const Status status = settingsFromJson(s, text, "folder/mine.json");
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, code) << status.error().message;
        EXPECT_TRUE(status.error().message.starts_with("folder/mine.json: ")) << status.error().message;
        EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
        EXPECT_EQ(s, Settings{});
    }
}

TEST(SettingsJson, OnlyTheKeysInTheTextChange)
{
    Settings s;
    s.view.yaw = 12;
    ASSERT_TRUE(settingsFromJson(s, R"({"cbt.depth": 20.0, "view.position": [1, 2.5, 3], "lod.frozen": true})", "f"));
    Settings expected;
    expected.view.yaw = 12;
    expected.cbt.depth = 20;
    expected.view.position = {1, 2.5, 3};
    expected.lod.frozen = true;
    EXPECT_EQ(s, expected);
}

TEST(SettingsJson, LenientReadingKeepsWhatItCanUse)
{
    Settings s;
    const auto errors = settingsFromJsonLeniently(
        s, R"({"cbt.depth": 18, "from.the_future": 1, "lod.rounds": 99, "patch.level": 4, "lod.merge_pixels": 50})",
        "f");
    EXPECT_EQ(errors.size(), 3u);
    Settings expected;
    expected.cbt.depth = 18;
    expected.patch.level = 4;
    EXPECT_EQ(s, expected);
    EXPECT_EQ(settingsFromJsonLeniently(s, "{", "f").size(), 1u);
    EXPECT_EQ(s, expected);
}

TEST(SettingsOnTheEarth, HaveRangesOfTheirOwn)
{
    Settings plane, earth = defaultSettings(World::kEarth);
    EXPECT_EQ(earth.treeDepth(), 50);
    EXPECT_EQ(earth.terrain.waterLevel, 0.0f);
    EXPECT_EQ(setSetting(plane, "cbt.depth", "31").error().code, ExitCode::kUsage);
    EXPECT_TRUE(setSetting(earth, "earth.depth", "58"));
    const Status deeper = setSetting(earth, "earth.depth", "59");
    EXPECT_NE(deeper.error().message.find("6 to 58"), std::string::npos) << deeper.error().message;
    EXPECT_EQ(setSetting(earth, "terrain.tile_budget", "63").error().code, ExitCode::kUsage);
}

TEST(SettingsOnTheEarth, MoreLeavesThanAPoolHoldsAreALimit)
{
    Settings earth = defaultSettings(World::kEarth);
    const SettingChange more{"cbt.leaf_capacity", "2097153"}, most{"cbt.leaf_capacity", "2097152"};
    EXPECT_EQ(setSettings(earth, {&more, 1}).error().code, ExitCode::kLimit);
    EXPECT_TRUE(setSettings(earth, {&most, 1}));
}

TEST(SettingsOnTheEarth, AreTakenThereAndBackAsFarAsTheyAreValid)
{
    Settings plane;
    plane.cbt.depth = 20;
    plane.terrain.tileBudget = 32;
    plane.render.wireframe = true;
    plane.view.fov = 40;
    Settings earth = takenTo(World::kEarth, plane);
    EXPECT_EQ(earth.cbt.depth, 20);
    EXPECT_EQ(earth.terrain.tileBudget, 128);
    EXPECT_EQ(earth.terrain.waterLevel, 0.0f);
    EXPECT_TRUE(earth.render.wireframe);
    EXPECT_EQ(earth.view.fov, 40);
    EXPECT_TRUE(checkSettings(earth));
    EXPECT_EQ(earth.treeDepth(), 50);
    earth.earth.depth = 40;
    EXPECT_EQ(takenTo(World::kPlane, earth).treeDepth(), 20);
    EXPECT_EQ(takenTo(World::kEarth, takenTo(World::kPlane, earth)).treeDepth(), 40);
    EXPECT_FALSE(takenTo(World::kPlane, earth).terrain.waterLevel);
    EXPECT_EQ(takenTo(World::kEarth, Settings{}), defaultSettings(World::kEarth));
}

// Files and scripts from before the Earth's depth got its own key.
TEST(SettingsOnTheEarth, ReadThePlanesDepthAsTheirOwnAndSaySo)
{
    Settings earth = defaultSettings(World::kEarth), plane;
    std::vector<std::string> notices;
    const SettingChange old{"cbt.depth", "40"};
    ASSERT_TRUE(setSettings(earth, {&old, 1}, &notices));
    EXPECT_EQ(earth.earth.depth, 40);
    EXPECT_EQ(earth.cbt.depth, 24);
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_NE(notices[0].find("earth.depth"), std::string::npos) << notices[0];

    ASSERT_TRUE(settingsFromJson(earth, R"({"cbt.depth": 44})", "old.json", &notices));
    EXPECT_EQ(earth.earth.depth, 44);
    ASSERT_EQ(notices.size(), 2u);
    EXPECT_TRUE(notices[1].starts_with("old.json: ")) << notices[1];

    // If both keys are given, each applies to its own world. On a plane, keys have no second meaning.
    ASSERT_TRUE(settingsFromJson(earth, R"({"cbt.depth": 12, "earth.depth": 30})", "new.json", &notices));
    EXPECT_EQ(earth.cbt.depth, 12);
    EXPECT_EQ(earth.earth.depth, 30);
    EXPECT_EQ(setSettings(plane, {&old, 1}, &notices).error().code, ExitCode::kUsage);
    EXPECT_EQ(notices.size(), 2u);
}

TEST(SettingsForSamples, AreDeepEnoughForThem)
{
    EXPECT_EQ(depthForSamples(35'880, 30, 30), 24);
    EXPECT_EQ(depthForSamples(262'142, 2, 30), 30);
    EXPECT_EQ(depthForSamples(262'142, 2, 29), 29);  // the driver's limit
    EXPECT_EQ(depthForSamples(16'384, 1, 30), 25);
    // Compares the legs of the finest triangles, as the renderer computes them, with those a level above.
    const auto leg = [](double side, int depth) { return side * std::exp2(-0.5 * (depth - 1) - 2); };
    for (const double side : {40'000.0, 65'536.0, 100'000.0})
    {
        const int depth = depthForSamples(side, 1, 40);
        EXPECT_LE(leg(side, depth), 1) << side;
        EXPECT_GT(leg(side, depth - 1), 1) << side;
    }
    Settings fine;
    fine.samplesDepth = fine.cbt.depth = 29;
    EXPECT_EQ(defaultsFor(fine), fine);
}

TEST(Settings, ReadTheFlagOfTheHazeAsAir)
{
    Settings settings;
    ASSERT_TRUE(setSetting(settings, "render.haze", "false"));
    EXPECT_EQ(settings.render.air, Air::kOff);
    ASSERT_TRUE(setSetting(settings, "render.haze", "on"));
    EXPECT_EQ(settings.render.air, Air::kFull);
    ASSERT_TRUE(settingsFromJson(settings, R"({"render.haze": false})", "old.json"));
    EXPECT_EQ(settings.render.air, Air::kOff);
    // A report holds both keys for one version.
    ASSERT_TRUE(settingsFromJson(settings, R"({"render.air": "haze", "render.haze": true})", "report.json"));
    EXPECT_EQ(settings.render.air, Air::kHaze);
    const Status refused = setSetting(settings, "render.haze", "full");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "render.haze: found 'full', expected true or false");
    EXPECT_EQ(settings.render.air, Air::kHaze);
}

TEST(Settings, ReadTheFlagOfTheDrapedPictureAsImagerysOpacity)
{
    Settings settings;
    ASSERT_TRUE(setSetting(settings, "render.texture", "true"));
    EXPECT_EQ(settings.imagery.opacity, 1.0f);
    ASSERT_TRUE(setSetting(settings, "render.texture", "false"));
    EXPECT_EQ(settings.imagery.opacity, 0.0f);
    // A report holds both keys for one version.
    ASSERT_TRUE(settingsFromJson(settings, R"({"imagery.opacity": 0.5, "render.texture": false})", "report.json"));
    EXPECT_EQ(settings.imagery.opacity, 0.5f);
    EXPECT_EQ(setSetting(settings, "render.texture", "maybe").error().code, ExitCode::kUsage);
}

}  // namespace
}  // namespace orogen
