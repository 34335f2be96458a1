// File browser, operated by mouse and keys.
#include "app/ui/file_browser.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "app/session/session_files.h"
#include "tests/app/ui_support.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

class FileBrowserTest : public testing::Test
{
protected:
    FileBrowserTest()
    {
        std::filesystem::create_directory(folder / "tiles");
        for (const char* name : {"alps.tif", "andes.tif", "notes.txt", "tiles/n45.hgt"})
            std::ofstream(folder / name) << "x";
        headless.refresh = [this](UiModel& model) { model.files.folders = folders.state(); };
        headless.model.files.recent = {folder / "alps.tif", folder / "gone.tif"};
        headless.onPass = [this](const UiActions& actions) {
            if (actions.files.read) folders.read(*actions.files.read, headless.model.files.recent);
            camera = camera || !actions.camera.idle();
        };
        std::filesystem::current_path(folder.path());
        headless.frames(2);
    }
    ~FileBrowserTest() override { std::filesystem::current_path(before); }

    void open()
    {
        headless.key("Ctrl+O");
        settle();
    }
    void settle()
    {
        for (int i = 0; i < 3; ++i)
        {
            while (folders.reading())
            {
                folders.update();
                std::this_thread::yield();
            }
            headless.frames(2);
        }
    }
    void type(const std::string& text)
    {
        for (const char c : text)
            headless.key(std::string(1, c));
    }
    bool shows(const std::string& name) { return headless.ui->items().find("Files/list/" + name) != nullptr; }

    const std::filesystem::path before = std::filesystem::current_path();
    const test::TemporaryFolder folder;
    FolderReader folders;
    HeadlessUi headless;
    bool camera = false;
};

TEST_F(FileBrowserTest, ShowsFoldersAndTerrainsAndAllFilesIfAsked)
{
    open();
    EXPECT_TRUE(shows("tiles"));
    EXPECT_TRUE(shows("alps.tif"));
    EXPECT_FALSE(shows("notes.txt"));
    headless.click("Files/all");
    EXPECT_TRUE(shows("notes.txt"));
}

TEST_F(FileBrowserTest, TypingFiltersAndEnterOpensAndNoKeyFlies)
{
    open();
    type("nd");
    EXPECT_TRUE(shows("andes.tif"));
    EXPECT_FALSE(shows("alps.tif"));
    headless.key("Enter");
    EXPECT_EQ(headless.opened, folder / "andes.tif");
    EXPECT_FALSE(camera);
    headless.frames(2);
    headless.key("W");
    EXPECT_TRUE(camera) << "closed, the keys are the camera's again";
}

TEST_F(FileBrowserTest, OpensInANarrowWindowWithAllPanelsHidden)
{
    headless.resize(400, 300);
    headless.key("F2");
    open();
    EXPECT_TRUE(shows("alps.tif"));
    headless.key("Escape");
    EXPECT_FALSE(shows("alps.tif"));
    EXPECT_FALSE(headless.opened);
}

TEST_F(FileBrowserTest, ArrowsChooseAndEnterGoesIntoFolders)
{
    open();
    headless.key("Enter");  // "tiles", the first
    settle();
    EXPECT_TRUE(shows("n45.hgt"));
    headless.key("Backspace");  // to the parent folder
    settle();
    EXPECT_TRUE(shows("alps.tif"));
    headless.key("Down");
    headless.key("Down");
    headless.key("Enter");
    EXPECT_EQ(headless.opened, folder / "andes.tif");
}

TEST_F(FileBrowserTest, TabCompletes)
{
    open();
    type("TI");
    headless.key("Tab");
    headless.frames(2);
    settle();
    headless.key("Enter");
    settle();
    EXPECT_TRUE(shows("n45.hgt"));
}

TEST_F(FileBrowserTest, ATypedPathListsItsFolder)
{
    open();
    for (const char c : (folder / "tiles/n"))
        headless.ui->feed(CharacterEvent{unsigned(c)});
    headless.frames(2);
    settle();
    EXPECT_TRUE(shows("n45.hgt"));
    EXPECT_FALSE(shows("alps.tif"));
    for (const char c : std::string("45.hgt"))
        headless.ui->feed(CharacterEvent{unsigned(c)});
    headless.frames(2);
    EXPECT_TRUE(shows("n45.hgt"));
    headless.click("Files/cancel");
    open();
    for (const char c : (folder / "notes.txt"))  // named in full, it is listed whatever its kind is
        headless.ui->feed(CharacterEvent{unsigned(c)});
    headless.frames(2);
    settle();
    EXPECT_TRUE(shows("notes.txt"));
}

TEST_F(FileBrowserTest, AFolderIsOneTerrainAndRecentFilesAreThere)
{
    open();
    headless.click("Files/list/tiles");
    settle();
    headless.click("Files/this folder");
    EXPECT_EQ(headless.opened, folder / "tiles");
    headless.frames(2);
    open();
    headless.click("Files/recent");
    headless.click("Files/recent/gone.tif");  // disabled
    EXPECT_EQ(headless.opened, folder / "tiles");
    headless.key("Escape");
    headless.frames(2);
    open();
    headless.click("Files/recent");
    headless.click("Files/recent/alps.tif");
    EXPECT_EQ(headless.opened, folder / "alps.tif");
}

TEST_F(FileBrowserTest, OnTheEarthATerrainCanBeOpenedAlone)
{
    headless.model.settings.world = World::kEarth;
    open();
    type("nd");
    EXPECT_TRUE(isItemName("Files/other"));
    headless.click("Files/other");
    EXPECT_EQ(headless.opened, folder / "andes.tif");
}

TEST_F(FileBrowserTest, AFolderThatIsNotThereIsSaid)
{
    folders.read(folder / "none", {});
    settle();
    EXPECT_NE(folders.error().find("none"), std::string::npos);
    open();
    EXPECT_TRUE(folders.error().empty());
}

}  // namespace
}  // namespace orogen::app
