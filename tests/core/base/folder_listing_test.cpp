// Folders in the file browser, and path completion.
#include "core/base/folder_listing.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

std::vector<std::string> namesOf(const FolderListing& listing)
{
    std::vector<std::string> names;
    for (const FolderEntry& entry : listing.entries)
        names.push_back(entry.name);
    return names;
}

using Names = std::vector<std::string>;

TEST(FolderListing, FoldersFirstThenFilesAsPeopleSort)
{
    const test::TemporaryFolder folder;
    for (const char* name : {"tile10.tif", "tile2.tif", "Alps.tif", "beach.tif", ".hidden"})
        write(folder / name, "12345");
    std::filesystem::create_directory(folder / "zebra");
    std::filesystem::create_directory(folder / "Deep");
    std::filesystem::create_symlink("nowhere", folder / "dangling");
    std::filesystem::create_symlink("zebra", folder / "link");
    const Result<FolderListing> listing = listFolder(folder.path() + "/");
    ASSERT_TRUE(listing) << listing.error().message;
    EXPECT_EQ(listing->folder, folder.path());
    EXPECT_EQ(namesOf(*listing), (Names{"Deep", "link", "zebra", ".hidden", "Alps.tif", "beach.tif", "dangling",
                                        "tile2.tif", "tile10.tif"}));
    EXPECT_TRUE(listing->entries[1].folder);
    EXPECT_EQ(listing->entries[4].bytes, 5u);
    EXPECT_GT(listing->entries[4].modified, 1'000'000'000);
    EXPECT_EQ(listing->entries[6].modified, 0) << "a link that leads nowhere";
    EXPECT_FALSE(listing->cut);
}

TEST(FolderListing, WhatCannotBeReadIsAnErrorThatNamesIt)
{
    const test::TemporaryFolder folder;
    write(folder / "file", "");
    for (const std::string& path : {folder / "none", folder / "file"})
    {
        const Result<FolderListing> listing = listFolder(path);
        ASSERT_FALSE(listing);
        EXPECT_EQ(listing.error().code, ExitCode::kInput);
        EXPECT_NE(listing.error().message.find(path), std::string::npos);
    }
    write(folder / "another", "");
    const Result<FolderListing> stopped = listFolder(folder.path(), [] { return true; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ExitCode::kInterrupted);
}

TEST(NaturalOrder, IsAnOrder)
{
    std::mt19937 random(9);
    const auto word = [&random] {
        std::string text;
        for (std::size_t i = random() % 6; i > 0; --i)
            text += "aAb019-"[random() % 7];
        return text;
    };
    for (int i = 0; i < 20'000; ++i)
    {
        const std::string a = word(), b = word(), c = word();
        EXPECT_FALSE(naturalLess(a, a)) << a;
        EXPECT_FALSE(naturalLess(a, b) && naturalLess(b, a)) << a << ' ' << b;
        EXPECT_TRUE(a == b || naturalLess(a, b) || naturalLess(b, a)) << a << ' ' << b;
        EXPECT_TRUE(!naturalLess(a, b) || !naturalLess(b, c) || naturalLess(a, c)) << a << ' ' << b << ' ' << c;
    }
    EXPECT_TRUE(naturalLess("n9e010", "N10E005"));
    EXPECT_TRUE(naturalLess("x2", "x10"));
    EXPECT_TRUE(naturalLess("x", "x1"));
}

TEST(Completion, GivesWhatAllFittingNamesShare)
{
    const std::vector<FolderEntry> entries = {{"alps", true}, {"alpine.tif"}, {"Andes", true}, {"\u00e4.tif"},
                                              {"\u00e5.tif"}, {"Tile1.tif"},  {"tile1.tif"}};
    EXPECT_EQ(completedPath("al", entries), "alp");
    EXPECT_EQ(completedPath("alps", entries), "alps/");
    EXPECT_EQ(completedPath("and", entries), "Andes/");
    EXPECT_EQ(completedPath("../x/alpi", entries), "../x/alpine.tif");
    EXPECT_EQ(completedPath("/alpi", entries), "/alpine.tif");
    EXPECT_EQ(completedPath("nothing", entries), "nothing");
    EXPECT_EQ(completedPath("", entries), "");
    EXPECT_EQ(completedPath("ti", entries), "tile1.tif") << "case decides";
    EXPECT_EQ(completedPath("TI", entries), "TI");
    EXPECT_EQ(completedPath("", std::vector<FolderEntry>{{"\u00e4"}, {"\u00e5"}}), "") << "no half letters";
    EXPECT_EQ(completedPath("x", {}), "x");
}

TEST(Paths, AreMadeAbsoluteByName)
{
    setenv("HOME", "/home/someone", 1);
    EXPECT_EQ(absolutePath("a/b", "/data"), "/data/a/b");
    EXPECT_EQ(absolutePath("../b/", "/data/c"), "/data/b");
    EXPECT_EQ(absolutePath("..", "/"), "/");
    EXPECT_EQ(absolutePath("/x/./y", "/data"), "/x/y");
    EXPECT_EQ(absolutePath("~", "/data"), "/home/someone");
    EXPECT_EQ(absolutePath("~/dem.tif", "/data"), "/home/someone/dem.tif");
    EXPECT_EQ(absolutePath("~other", "/data"), "/data/~other");
}

TEST(Suffixes, AreLookedAtWithoutCase)
{
    const std::vector<std::string> suffixes = {".tif", ".hgt"};
    EXPECT_TRUE(hasSuffix("N45E007.HGT", suffixes));
    EXPECT_TRUE(hasSuffix("a.tif", suffixes));
    EXPECT_FALSE(hasSuffix("a.tif.aux.xml", suffixes));
    EXPECT_TRUE(hasSuffix("anything", {}));
}

TEST(UserFolders, ComeFromTheDesktopsFileAndBadLinesAreLeftOut)
{
    const test::TemporaryFolder folder;
    setenv("HOME", "/home/someone", 1);
    setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
    setenv("XDG_DATA_HOME", "", 1);
    EXPECT_EQ(defaultPictureFolder(), "/home/someone/Pictures/orogen");
    write(folder / "user-dirs.dirs", "# a comment\nXDG_DOCUMENTS_DIR=\"$HOME/Papers\"\nXDG_PICTURES_DIR=\"/pics/\"\n"
                                     "XDG_MUSIC_DIR=\"$HOME/\"\nXDG_VIDEOS_DIR=relative\nXDG_DIR=\"/x\"\n=\"\n\"\n");
    std::vector<std::string> found;
    for (const NamedFolder& named : userFolders())
        found.push_back(named.name + ' ' + named.path);
    EXPECT_EQ(found, (Names{"Home /home/someone", "Documents /home/someone/Papers", "Pictures /pics"}));
    EXPECT_EQ(defaultPictureFolder(), "/pics/orogen");
    EXPECT_EQ(defaultDataFolder(), "/home/someone/.local/share/orogen");
    unsetenv("XDG_CONFIG_HOME");
}

TEST(UserFolders, OfOneWithoutAHomeAreThoseOfTheDesktopsFile)
{
    const test::TemporaryFolder folder;
    unsetenv("HOME");
    setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
    write(folder / "user-dirs.dirs", "XDG_DOCUMENTS_DIR=\"/papers\"\nXDG_MUSIC_DIR=\"$HOME/Music\"\n");
    const std::vector<NamedFolder> found = userFolders();
    const std::string pictures = defaultPictureFolder();
    unsetenv("XDG_CONFIG_HOME");
    const std::vector<NamedFolder> none = userFolders();
    setenv("HOME", "/home/someone", 1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.front().path, "/papers");
    EXPECT_EQ(pictures, "");
    EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace orogen
