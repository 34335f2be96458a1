// Names on screen for the keys of files, options and scripts.
#include "app/ui/words.h"

#include <set>

#include <gtest/gtest.h>

#include "app/ui/items.h"
#include "compute/modules.h"

namespace orogen::app {
namespace {

bool isKeyLike(std::string_view text) { return text.find('_') != text.npos || text.find("--") != text.npos; }

TEST(Words, NamesAreTakenApart)
{
    EXPECT_EQ(inWords("fill_voids"), "Fill voids");
    EXPECT_EQ(inWords("reload_shaders"), "Reload shaders");
    EXPECT_EQ(inWords("carry-in"), "Carry in");
    EXPECT_EQ(inWords("hold_a"), "Hold as side A");
    EXPECT_EQ(inWords("gpu"), "GPU");
    EXPECT_EQ(inWords("a"), "A");
}

TEST(Words, LinesBreakBetweenPartsNotInNumbers)
{
    const auto width = [](std::string_view text) { return float(text.size()); };
    const std::string text = "up 223 m   steepest 47.5 deg   last";
    EXPECT_EQ(linesOfParts(text, 40, width), text);
    EXPECT_EQ(linesOfParts(text, 27, width), "up 223 m\nsteepest 47.5 deg   last");
    EXPECT_EQ(linesOfParts(text, 18, width), "up 223 m\nsteepest 47.5 deg\nlast");
    EXPECT_EQ(linesOfParts(text, 3, width), "up 223 m\nsteepest 47.5 deg\nlast");
    EXPECT_EQ(linesOfParts("", 3, width), "");
    const std::string message = "a.mp4: 30 a second, libx264, 1,043,508 bytes";
    EXPECT_EQ(linesOfParts(message, 32, width, " "), "a.mp4: 30 a second, libx264,\n1,043,508 bytes");
    EXPECT_EQ(linesOfParts(message, 44, width, " "), message);
}

TEST(Words, CapitalsComeWhereAWordBegins)
{
    EXPECT_EQ(capitalised("level of detail"), "Level of detail");
    EXPECT_EQ(capitalised("p99"), "p99");
    EXPECT_EQ(capitalised("CPU, newest"), "CPU, newest");
    EXPECT_EQ(capitalised(""), "");
    EXPECT_EQ(capitalised("n"), "n");
}

TEST(Words, NoLabelIsAKeyAndAllAreShort)
{
    std::set<std::string> labels;
    for (const SettingInfo& info : settingTable())
    {
        const std::string label = settingLabel(info);
        EXPECT_FALSE(label.empty()) << info.key;
        EXPECT_FALSE(isKeyLike(label)) << label;
        EXPECT_LE(label.size(), 18u) << label;
        EXPECT_TRUE(labels.insert(label).second) << label;
        for (const std::string_view choice : info.choices)
        {
            const std::string words = choiceWords(choice);
            EXPECT_FALSE(isKeyLike(words)) << choice;
            if (info.key == "model.backend") continue;  // keeps the names of options and reports
            EXPECT_EQ(words, capitalised(words)) << choice;
        }
    }
    for (const compute::Module* module : compute::modules())
        for (const compute::Parameter& parameter : module->parameters())
        {
            const std::string label = inWords(parameter.name);
            EXPECT_FALSE(isKeyLike(label) || label.find('-') != label.npos) << label;
            EXPECT_LE(label.size(), 18u) << label;
        }
}

TEST(Words, NumbersHaveUnitsGroupsAndAsManyDigitsAsTheirControl)
{
    const auto shown = [](std::string_view key, double value) { return numberWords(*findSetting(key), value); };
    EXPECT_EQ(shown("cbt.leaf_capacity", 2'097'152), "2,097,152 leaves");
    EXPECT_EQ(shown("view.yaw", -0.02), "0.0°");
    EXPECT_EQ(shown("view.yaw", 359.98), "0.0°");
    EXPECT_EQ(shown("view.yaw", 359.9), "359.9°");
    EXPECT_EQ(shown("terrain.tile_budget", 65'536), "65,536 MiB");
    EXPECT_EQ(shown("lod.split_pixels", 7.9028573), "7.90 px");
    EXPECT_EQ(shown("render.sun_elevation", 40), "40.0\u00b0");
    EXPECT_EQ(shown("terrain.height_scale", 1.5), "1.50 \u00d7");
    EXPECT_EQ(shown("budget.value", 1e6), "1,000,000");
    EXPECT_EQ(shown("render.scale", 100), "100 %");
    EXPECT_EQ(shown("render.visibility", 80), "80.0 km");
    EXPECT_EQ(shown("budget.value", 16.6667), "16.67");
}

TEST(Words, ValuesOfEveryType)
{
    Settings settings;
    const auto shown = [&](std::string_view key) { return valueWords(*findSetting(key), settings); };
    EXPECT_EQ(shown("render.wireframe"), "off");
    settings.render.wireframe = true;
    EXPECT_EQ(shown("render.wireframe"), "on");
    EXPECT_EQ(shown("render.shading"), "Sunlit");
    EXPECT_EQ(shown("budget.mode"), "Off");
    EXPECT_EQ(shown("terrain.water_level"), "none");
    settings.terrain.waterLevel = -3.25f;
    EXPECT_EQ(shown("terrain.water_level"), "-3.2 m");
    settings.view.position = {12, -3.5, 800};
    EXPECT_EQ(shown("view.position"), "12.0, -3.5, 800.0 m");
}

TEST(Words, TooltipsSayRangeDefaultAndKey)
{
    for (const SettingInfo& info : settingTable())
    {
        const std::string text = settingTooltip(info);
        EXPECT_NE(text.find(info.key), text.npos) << info.key;
        EXPECT_NE(text.find(valueWords(info, Settings{})), text.npos) << text;
        EXPECT_NE(text.find(info.text), text.npos) << text;
    }
    const std::string capacity = settingTooltip(*findSetting("cbt.leaf_capacity"));
    EXPECT_NE(capacity.find("From 1,024 to 67,108,864 leaves; default 2,097,152 leaves."), capacity.npos) << capacity;
}

TEST(Words, WhatIsChangedIsNamedAndTheCameraIsNot)
{
    Settings settings;
    EXPECT_TRUE(changedSettings(settings).empty());
    settings.view.position = {1, 2, 3};
    settings.view.mode = ViewMode::kMap;
    EXPECT_TRUE(changedSettings(settings).empty());
    settings.cbt.depth = 12;
    settings.render.air = Air::kOff;
    const std::vector<std::string_view> expected = {"cbt.depth", "render.air"};
    EXPECT_EQ(changedSettings(settings), expected);
}

}  // namespace
}  // namespace orogen::app
