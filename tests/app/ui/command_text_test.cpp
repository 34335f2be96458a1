// Tests of the command that reproduces the current view: a shell must split it as intended.
#include "app/ui/words.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "app/session/session_settings.h"
#include "tests/support/places.h"

namespace orogen::app {
namespace {

// Splits a command into words as a POSIX shell does, as far as shellWord() needs it.
std::vector<std::string> shellWords(std::string_view command)
{
    std::vector<std::string> words(1);
    bool quoted = false;
    for (std::size_t i = 0; i < command.size(); ++i)
    {
        const char c = command[i];
        if (quoted)
            c == '\'' ? void(quoted = false) : words.back().push_back(c);
        else if (c == '\'')
            quoted = true;
        else if (c == '\\')
            words.back().push_back(command[++i]);
        else if (c == ' ')
            words.emplace_back();
        else
            words.back().push_back(c);
    }
    return words;
}

// Returns the settings from the words after "orogen view [DEM]".
Settings settingsOf(const std::vector<std::string>& words, std::size_t first)
{
    SessionOptions options;
    for (std::size_t i = first; i + 1 < words.size(); i += 2)
    {
        EXPECT_EQ(words[i], "--set");
        options.assignments.push_back(words[i + 1]);
    }
    SessionSettings settings;
    Messages messages;
    const Status status = settings.read(options, false, OROGEN_ROOT, messages);
    EXPECT_TRUE(status) << status.error().message;
    return settings.wanted();
}

TEST(ShellWord, QuotesOnlyWhatNeedsIt)
{
    EXPECT_EQ(shellWord("/data/dem-1_2.tif"), "/data/dem-1_2.tif");
    EXPECT_EQ(shellWord("lod.split_pixels=4.5"), "lod.split_pixels=4.5");
    EXPECT_EQ(shellWord("a b"), "'a b'");
    EXPECT_EQ(shellWord(""), "''");
    for (const char* text :
         {"a b", "it's", "$HOME", "`id`", "a\"b", "a\\b", "*.tif", "~", "a;b", "a\nb", "", "'", "(x)"})
        EXPECT_EQ(shellWords("x " + shellWord(text)).at(1), text);
}

TEST(AbsoluteDem, FilesGetTheirFolderAndWhatIsMadeHasNone)
{
    EXPECT_EQ(absoluteDem("synthetic:1024:3"), "synthetic:1024:3");
    EXPECT_EQ(absoluteDem("/data/a.tif"), "/data/a.tif");
    EXPECT_EQ(absoluteDem("b/../a.tif"), (std::filesystem::current_path() / "a.tif").string());
    EXPECT_EQ(absoluteDem(""), "");
    for (const char* network : {"/vsicurl/https://h/x.tif", "https://h/x.tif", "WMS:https://h/x?a=b"})
        EXPECT_EQ(absoluteDem(network), network);
}

TEST(ViewCommand, HoldsOnlyWhatDiffersFromTheDefaults)
{
    EXPECT_EQ(viewCommand({}, {}), "orogen view");
    Settings settings;
    settings.cbt.depth = 20;
    settings.view.position = {1.5, -2, 3000};
    EXPECT_EQ(viewCommand({.dem = "/data/my dem.tif"}, settings),
              "orogen view '/data/my dem.tif' --set cbt.depth=20 --set view.position=1.50,-2.00,3000.00");
}

TEST(ViewCommand, NamesInsetsOverridesAndPictures)
{
    OpenedFiles files{
        .dem = "earth", .insets = {"/a.tif", "/vsizip/b c.zip/b.tif"}, .pictures = {"/low.jpg", "/high.jpg"}};
    files.overrides.nodata = -9999;
    files.overrides.crs = "EPSG:32611";
    EXPECT_EQ(viewCommand(files, {}),
              "orogen view earth /a.tif '/vsizip/b c.zip/b.tif' --nodata -9999 --crs EPSG:32611 "
              "--imagery /low.jpg --imagery /high.jpg");
}

TEST(ViewCommand, IsReadBackAsTheSameSettings)
{
    Settings settings;
    settings.lod.splitPixels = 14;  // the command must name the merge threshold, or it would follow the split threshold
    settings.render.shading = Shading::kSlope;
    settings.terrain.waterLevel = -12.5f;
    settings.budget = {BudgetMode::kTriangles, 2e6};
    settings.view = {ViewMode::kMap, {100.25, -7, 812.5}, 33.5, -90, 45};
    const std::vector<std::string> words = shellWords(viewCommand({.dem = "/it's here.tif"}, settings));
    ASSERT_GT(words.size(), 3u);
    EXPECT_EQ(words[2], "/it's here.tif");
    EXPECT_EQ(settingsOf(words, 3), settings);
}

TEST(ViewAsOptions, PlacesTheCamera)
{
    Settings settings;
    settings.cbt.depth = 20;
    settings.view = {ViewMode::kFly, {1.5, -2, 3000}, 12, -24, 60};
    EXPECT_EQ(viewAsOptions(settings),
              "--set view.mode=fly --set view.position=1.50,-2.00,3000.00 --set view.yaw=12.00 "
              "--set view.pitch=-24.00 --set view.fov=60.00");
}

}  // namespace
}  // namespace orogen::app
