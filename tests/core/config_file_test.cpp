#include "core/config_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace orogen {
namespace {

namespace fs = std::filesystem;

class ConfigFile : public testing::Test
{
protected:
    void SetUp() override
    {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }

    void write(const std::string& text) const
    {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    std::string contents() const
    {
        std::stringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    }

    const fs::path folder = fs::temp_directory_path() / ("orogen_config_" + std::to_string(::getpid()));
    const fs::path file = folder / "orogen" / "settings.json";
};

TEST_F(ConfigFile, PathFollowsTheXdgRules)
{
    const auto withVariables = [](const char* xdg, const char* home) {
        xdg ? ::setenv("XDG_CONFIG_HOME", xdg, 1) : ::unsetenv("XDG_CONFIG_HOME");
        home ? ::setenv("HOME", home, 1) : ::unsetenv("HOME");
        const auto path = settingsPath();
        return path ? path->string() : "none";
    };
    EXPECT_EQ(withVariables("/xdg", "/home/u"), "/xdg/orogen/settings.json");
    EXPECT_EQ(withVariables(nullptr, "/home/u"), "/home/u/.config/orogen/settings.json");
    EXPECT_EQ(withVariables("", "/home/u"), "/home/u/.config/orogen/settings.json");
    EXPECT_EQ(withVariables("relative", "/home/u"), "/home/u/.config/orogen/settings.json");
    EXPECT_EQ(withVariables(nullptr, nullptr), "none");
    EXPECT_EQ(withVariables(nullptr, "relative"), "none");
}

TEST_F(ConfigFile, MissingFileMeansDefaultsWithoutANotice)
{
    const StoredSettings stored = readStoredSettings(file);
    EXPECT_EQ(stored.settings, Settings{});
    EXPECT_TRUE(stored.notices.empty());
}

TEST_F(ConfigFile, StoresEverythingButTheCamera)
{
    Settings settings;
    settings.cbt.depth = 18;
    settings.render.shading = Shading::kSlope;
    settings.view = {ViewMode::kMap, {1, 2, 3}, 40, -50, 70};
    ASSERT_TRUE(storeSettings(file, settings));
    const StoredSettings stored = readStoredSettings(file);
    EXPECT_TRUE(stored.notices.empty());
    settings.view = {ViewMode::kMap, {0, 0, 0}, 0, 0, 70};
    EXPECT_EQ(stored.settings, settings);
    EXPECT_EQ(contents().find("position"), std::string::npos);
}

TEST_F(ConfigFile, WhatCannotBeUsedIsANoticeNotAnError)
{
    write(R"({"cbt.depth": 18, "no.such": 1})");
    const StoredSettings some = readStoredSettings(file);
    EXPECT_EQ(some.settings.cbt.depth, 18);
    ASSERT_EQ(some.notices.size(), 1u);
    EXPECT_NE(some.notices[0].find(file.string()), std::string::npos);

    for (const std::string& text : {std::string("{\"cbt.depth\": 1"), std::string(), std::string(2 << 20, ' ')})
    {
        write(text);
        const StoredSettings none = readStoredSettings(file);
        EXPECT_EQ(none.settings, Settings{});
        EXPECT_EQ(none.notices.size(), 1u);
    }
    fs::remove(file);
    fs::create_directories(file);  // a folder in its place
    EXPECT_EQ(readStoredSettings(file).notices.size(), 1u);
}

TEST_F(ConfigFile, UnwritablePlacesAreReported)
{
    std::ofstream(folder / "orogen") << "a file where the folder should be";
    const Status status = storeSettings(file, Settings{});
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kOutput);
    EXPECT_NE(status.error().message.find("orogen"), std::string::npos);
}

TEST_F(ConfigFile, KeeperWritesOnceAMomentAfterTheLastChange)
{
    SettingsKeeper keeper(file, Settings{});
    Settings before, after;
    for (int depth = 10; depth < 15; ++depth)
    {
        after.cbt.depth = depth;
        keeper.changed(before, after, 0.1 * depth);
        before = after;
        EXPECT_FALSE(keeper.update(0.1 * depth + 0.05));
    }
    EXPECT_FALSE(fs::exists(file));
    EXPECT_FALSE(keeper.update(1.4 + SettingsKeeper::kDelay + 0.01));
    EXPECT_EQ(readStoredSettings(file).settings.cbt.depth, 14);
    fs::remove(file);
    EXPECT_FALSE(keeper.update(100));
    EXPECT_FALSE(keeper.flush());
    EXPECT_FALSE(fs::exists(file));  // nothing new to write
}

TEST_F(ConfigFile, KeeperKeepsOnlyWhatChangedInTheWindow)
{
    Settings stored;
    stored.patch.level = 4;
    Settings running = stored;  // as changed by --set
    running.cbt.depth = 12;
    running.lod.splitPixels = 30;
    running.lod.mergePixels = 12;
    Settings after = running;
    after.lod.mergePixels = 20;
    after.view.yaw = 99;
    SettingsKeeper keeper(file, stored);
    keeper.changed(running, after, 0);
    EXPECT_FALSE(keeper.flush());
    const Settings kept = readStoredSettings(file).settings;
    EXPECT_EQ(kept.cbt.depth, 24);
    EXPECT_EQ(kept.patch.level, 4);
    EXPECT_EQ(kept.lod.mergePixels, 20);
    EXPECT_EQ(kept.lod.splitPixels, 30);  // required for 20 to be valid
}

TEST_F(ConfigFile, MovingTheCameraWritesNothing)
{
    Settings after;
    after.view.position.x = 5;
    SettingsKeeper keeper(file, Settings{});
    keeper.changed(Settings{}, after, 0);
    EXPECT_FALSE(keeper.flush());
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(ConfigFile, KeeperSaysOnceThatItCannotKeep)
{
    std::ofstream(folder / "orogen") << "in the way";
    for (SettingsKeeper keeper : {SettingsKeeper(file, Settings{}), SettingsKeeper(std::nullopt, Settings{})})
    {
        Settings after;
        after.cbt.depth = 10;
        keeper.changed(Settings{}, after, 0);
        EXPECT_TRUE(keeper.update(1));
        keeper.changed(after, Settings{}, 2);
        EXPECT_FALSE(keeper.update(3));
    }
}

}  // namespace
}  // namespace orogen
