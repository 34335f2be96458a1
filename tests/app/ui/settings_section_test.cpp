// Settings as a whole in the Terrain panel: undo, redo, presets, changes, and the command text.
#include <gtest/gtest.h>
#include <imgui.h>

#include "core/settings_history.h"
#include "tests/app/ui_support.h"

namespace orogen::app {
namespace {

class SettingsSection : public testing::Test
{
protected:
    SettingsSection()
    {
        headless.model.settingsState.presets = {{"landscape", false}, {"mine", true}};
        headless.onPass = [this](const UiActions& actions) { act(actions); };
        headless.frames(3);
    }
    // Applies actions as the session does.
    void act(const UiActions& actions)
    {
        history.changed(settings, actions.settings, actions.settingsActions.gesture);
        settings = actions.settings;
        const SettingsActions& asked = actions.settingsActions;
        if (asked.undo) settings = history.undo(settings).value_or(settings);
        if (asked.redo) settings = history.redo(settings).value_or(settings);
        headless.model.settings = settings;
        headless.model.settingsState.undoes = history.undoes();
        headless.model.settingsState.redoes = history.redoes();
        loaded = asked.loadPreset ? asked.loadPreset : loaded;
        saved = asked.savePreset ? asked.savePreset : saved;
        deleted = asked.deletePreset ? asked.deletePreset : deleted;
        copied.insert(copied.end(), actions.copied.begin(), actions.copied.end());
    }
    void click(const std::string& item) { headless.click(item); }
    void type(const std::string& letters)
    {
        click("Terrain/preset_name");
        for (const char letter : letters)
            headless.key(std::string(1, letter));
    }
    bool onScreen(const std::string& item) const { return headless.ui->items().find(item) != nullptr; }

    HeadlessUi headless{1280, 1600};
    Settings settings;
    SettingsHistory history;
    std::optional<std::string> loaded, saved, deleted;
    std::vector<std::string> copied;
};

TEST_F(SettingsSection, ADragIsOneStepAndKeysAndButtonsTakeItBack)
{
    headless.drag("Terrain/height_scale", 40);
    headless.drag("Terrain/height_scale", 30);
    const float dragged = settings.terrain.heightScale;
    headless.key("F4");
    ASSERT_TRUE(settings.render.wireframe);
    headless.key("Ctrl+Z");
    EXPECT_FALSE(settings.render.wireframe);
    EXPECT_EQ(settings.terrain.heightScale, dragged);
    click("Terrain/undo");
    EXPECT_LT(settings.terrain.heightScale, dragged);
    EXPECT_GT(settings.terrain.heightScale, 1);
    headless.key("Ctrl+Z");
    EXPECT_EQ(settings.terrain.heightScale, 1);
    headless.key("Ctrl+Z");
    EXPECT_EQ(settings, Settings{});
    headless.key("Ctrl+Y");
    click("Terrain/redo");
    EXPECT_EQ(settings.terrain.heightScale, dragged);
    headless.key("Ctrl+Shift+Z");
    EXPECT_TRUE(settings.render.wireframe);
}

TEST_F(SettingsSection, ResetIsOneStep)
{
    headless.key("F4");
    headless.key("F6");
    click("Terrain/reset");
    EXPECT_EQ(settings, Settings{});
    headless.key("Ctrl+Z");
    EXPECT_TRUE(settings.render.wireframe && settings.lod.frozen);
}

TEST_F(SettingsSection, WhatIsChangedIsMarkedAndPutBackByAClick)
{
    headless.unfoldAll();
    EXPECT_FALSE(onScreen("Terrain/wireframe/default"));
    headless.key("F4");
    headless.frames(2);
    EXPECT_TRUE(onScreen("Terrain/wireframe/default"));
    EXPECT_FALSE(onScreen("Terrain/frozen/default"));
    click("Terrain/wireframe/default");
    EXPECT_EQ(settings, Settings{});
    headless.frames(2);
    EXPECT_FALSE(onScreen("Terrain/wireframe/default"));
}

TEST_F(SettingsSection, TheCommandIsCopiedAndSaid)
{
    headless.key("F4");
    click("Terrain/copy_command");
    const std::string command = ImGui::GetClipboardText();
    EXPECT_TRUE(command.starts_with("orogen view ")) << command;
    EXPECT_NE(command.find("--set render.wireframe=true"), command.npos) << command;
    ASSERT_EQ(copied.size(), 1u);
    EXPECT_EQ(copied[0], "copied the command: orogen view with 1 setting changed");
}

// The panel shows the file's name alone; the command must open the file from any folder.
TEST_F(SettingsSection, TheCommandNamesTheFileThatIsOpen)
{
    headless.model.source.dem = "/far away/a.tif";
    headless.model.terrain->name = "a.tif";
    click("Terrain/copy_command");
    EXPECT_STREQ(ImGui::GetClipboardText(), "orogen view '/far away/a.tif'");
    headless.model.source.dem.clear();
    headless.model.terrain->name = "synthetic:1024:3";
    click("Terrain/copy_command");
    EXPECT_STREQ(ImGui::GetClipboardText(), "orogen view synthetic:1024:3");
}

TEST_F(SettingsSection, PresetsAreChosenFromTheList)
{
    click("Terrain/preset");
    click("Terrain/preset/landscape");
    EXPECT_EQ(loaded, "landscape");
}

TEST_F(SettingsSection, ANewNameIsSavedAtOnceAndOneThatIsThereAfterASecondPress)
{
    type("NEW");
    click("Terrain/save_preset");
    EXPECT_EQ(saved, "new");
    saved.reset();
    click("Terrain/preset");
    click("Terrain/preset/mine");  // fills the preset's name into the field
    click("Terrain/save_preset");
    EXPECT_FALSE(saved);
    click("Terrain/save_preset");
    EXPECT_EQ(saved, "mine");
}

TEST_F(SettingsSection, DeletingTakesTwoPressesInARow)
{
    click("Terrain/preset");
    click("Terrain/preset/mine");
    click("Terrain/delete_preset");
    click("Terrain/save_preset");  // replaces the question shown before
    click("Terrain/delete_preset");
    EXPECT_FALSE(deleted);
    click("Terrain/delete_preset");
    EXPECT_EQ(deleted, "mine");
    EXPECT_FALSE(saved);
}

TEST_F(SettingsSection, WhatComesWithTheProgramIsNeitherReplacedNorDeleted)
{
    type("LANDSCAPE");
    for (int i = 0; i < 2; ++i)
    {
        click("Terrain/save_preset");
        click("Terrain/delete_preset");
    }
    EXPECT_FALSE(saved);
    EXPECT_FALSE(deleted);
}

}  // namespace
}  // namespace orogen::app
