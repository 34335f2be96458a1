// Overwriting by commands, and output that cannot be written.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/frames/report/report_json.h"
#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"
#include "tests/support/synthetic_capture.h"

namespace orogen {
namespace {

namespace fs = std::filesystem;
using test::contentOf;
using test::Finished;
using test::TemporaryFolder;
using Words = std::vector<std::string>;

void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

class Outputs : public testing::Test
{
protected:
    Outputs() { fs::copy_file(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif", file("x.tif")); }

    std::string file(const std::string& name) const { return folder_ / name; }
    Finished orogen(Words arguments, test::RunOptions options = {}) const
    {
        arguments.insert(arguments.begin(), OROGEN_PROGRAM);
        options.folder = folder_.path();
        options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
        options.set = {"XDG_CONFIG_HOME=" + file("config"), "XDG_CACHE_HOME=" + file("cache")};
        return test::runProgram(arguments, options);
    }
    void expectRefused(const Words& arguments, const std::string& kept) const
    {
        SCOPED_TRACE(testing::PrintToString(arguments));
        const std::string before = contentOf(file(kept));
        const Finished run = orogen(arguments);
        EXPECT_EQ(run.code, 8) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_TRUE(contentOf(file(kept)) == before) << kept << " was changed";
    }

    TemporaryFolder folder_;
};

// ---- overwriting ----

TEST_F(Outputs, TheSourceIsNeverFilledInPlaceUnderAnyName)
{
    fs::create_symlink("x.tif", file("link.tif"));
    fs::create_hard_link(file("x.tif"), file("hard.tif"));
    fs::create_directory(file("tiles"));
    fs::copy_file(file("x.tif"), file("tiles/t.tif"));
    for (const std::string out : {"x.tif", "./x.tif", "link.tif", "hard.tif", "tiles/../x.tif"})
    {
        expectRefused({"info", "x.tif", "--fill-voids", out}, "x.tif");
        expectRefused({"info", "x.tif", "--fill-voids", out, "--force"}, "x.tif");
    }
    expectRefused({"info", "link.tif", "--fill-voids", "x.tif", "--force"}, "x.tif");
    expectRefused({"info", "tiles", "--fill-voids", "tiles/t.tif", "--force"}, "tiles/t.tif");
    write(file("x.tfw"), "1\n0\n0\n-1\n0\n0\n");
    expectRefused({"info", "x.tif", "--fill-voids", "x.tfw", "--force"}, "x.tfw");
}

TEST_F(Outputs, WhatIsThereIsReplacedWithForceOnly)
{
    write(file("out.tif"), "mine");
    expectRefused({"info", "x.tif", "--fill-voids", "out.tif"}, "out.tif");
    EXPECT_NE(orogen({"info", "x.tif", "--fill-voids", "out.tif"}).err.find("--force"), std::string::npos);
    EXPECT_EQ(orogen({"info", "x.tif", "--fill-voids", "out.tif", "--force"}).code, 0);
    EXPECT_EQ(contentOf(file("out.tif")).substr(0, 2), "II");
    EXPECT_EQ(orogen({"info", "x.tif", "--force"}).code, 2) << "of what?";
}

// Writes through a link, to protect this machine: a failure would replace the device by a file.
TEST_F(Outputs, ADeviceIsNotReplacedByAFile)
{
    fs::create_symlink("/dev/full", file("full.tif"));
    for (const Words& force : {Words{}, Words{"--force"}})
    {
        Words arguments = {"info", "x.tif", "--fill-voids", "full.tif"};
        arguments.insert(arguments.end(), force.begin(), force.end());
        const Finished run = orogen(arguments);
        EXPECT_EQ(run.code, 8) << run.err;
        EXPECT_TRUE(fs::is_symlink(file("full.tif")));
    }
    write(file("ops"), "split 1\n");
    fs::create_symlink("/dev/full", file("words"));
    EXPECT_EQ(orogen({"cbt", "replay", "ops", "--depth", "6", "--dump", "words"}).code, 8);
    EXPECT_TRUE(fs::is_symlink(file("words")));
}

TEST_F(Outputs, NoPictureOrDumpReplacesWhatIsRead)
{
    write(file("ops"), "split 1\n");
    expectRefused({"cbt", "replay", "ops", "--depth", "6", "--dump", "./ops"}, "ops");
    write(file("s.json"), "{}");
    expectRefused({"view", "x.tif", "--headless", "--frames", "1", "--screenshot", "x.tif"}, "x.tif");
    expectRefused({"view", "x.tif", "--headless", "--frames", "1", "--settings", "s.json", "--screenshot", "./s.json"},
                  "s.json");
    write(file("s.txt"), "wait 1\nscreenshot x.tif\nquit\n");
    expectRefused({"view", "x.tif", "--headless", "--size", "64x64", "--script", "s.txt"}, "x.tif");
}

TEST_F(Outputs, AComparisonsPageReplacesNoCapture)
{
    test::SyntheticCapture capture = test::syntheticCapture();
    capture.frames = 60;
    test::writeCapture(file("a"), capture);
    capture.seed = 2;
    test::writeCapture(file("b"), capture);
    expectRefused({"compare", "--baseline", "a", "--candidate", "b", "--html", "b/report.html"}, "b/report.html");
    expectRefused({"compare", "--baseline", "a", "--candidate", "b", "--html", "a/run-01.csv"}, "a/run-01.csv");
    write(file("page.html"), "an older page");
    EXPECT_LE(orogen({"compare", "--baseline", "a", "--candidate", "b", "--html", "page.html"}).code, 1);
    EXPECT_NE(contentOf(file("page.html")), "an older page");
}

// ---- captures ----

TEST_F(Outputs, ACaptureGoesIntoNoFolderThatHoldsSomethingElse)
{
    fs::create_directory(file("work"));
    write(file("work/notes.txt"), "mine");
    const Words capture = {"capture", "synthetic:64", "--size", "64x64", "--frames", "3", "--warmup", "0"};
    Words into = capture;
    into.insert(into.end(), {"--out", "work"});
    expectRefused(into, "work/notes.txt");
    EXPECT_EQ(std::distance(fs::directory_iterator(file("work")), fs::directory_iterator()), 1);
    into.push_back("--force");
    const Finished run = orogen(into);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(contentOf(file("work/notes.txt")), "mine");
    EXPECT_TRUE(readReport(file("work/report.json")));
}

TEST_F(Outputs, ACaptureReplacesAnEarlierOneAsAWhole)
{
    test::SyntheticCapture old = test::syntheticCapture();
    old.runs = 3, old.frames = 30;
    test::writeCapture(file("out"), old);
    test::writeCapture(file("out/a"), old);
    const Finished run =
        orogen({"capture", "synthetic:64", "--size", "64x64", "--frames", "3", "--warmup", "0", "--out", "out"});
    ASSERT_EQ(run.code, 0) << run.err;
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(file("out")))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    EXPECT_EQ(names, (Words{"last.png", "report.html", "report.json", "run-01.csv"}));
}

TEST_F(Outputs, ACaptureDoesNotReplaceItsTerrain)
{
    test::SyntheticCapture old = test::syntheticCapture();
    old.frames = 30;
    test::writeCapture(file("out"), old);
    fs::copy_file(file("x.tif"), file("out/last.png"));  // recognises x.tif by its content
    expectRefused({"capture", "out/last.png", "--size", "64x64", "--frames", "3", "--out", "out"}, "out/last.png");
    EXPECT_TRUE(readReport(file("out/report.json")));
}

// ---- unwritable output ----

using OutputsThorough = Outputs;

TEST_F(OutputsThorough, BeyondTheLargestFileTheyEndWith8)
{
    write(file("ops"), "split 1\n");
    test::SyntheticCapture capture = test::syntheticCapture();
    capture.frames = 60;
    test::writeCapture(file("a"), capture);
    capture.seed = 2;
    test::writeCapture(file("b"), capture);
    const Words commands[] = {
        {"info", "x.tif", "--fill-voids", "out.tif"},
        {"cbt", "replay", "ops", "--depth", "16", "--dump", "words"},
        {"compare", "--baseline", "a", "--candidate", "b", "--html", "page.html"},
        {"view", "synthetic:64", "--headless", "--frames", "1", "--size", "128x128", "--screenshot", "a.png"},
        {"capture", "synthetic:64", "--size", "64x64", "--frames", "60", "--warmup", "0", "--out", "report"},
        {"reproduce", "signed-digit-float-spacing", "--seconds", "0.001", "--out", "figures"},
    };
    for (const Words& command : commands)
    {
        SCOPED_TRACE(testing::PrintToString(command));
        const Finished run = orogen(command, {.largestFile = 64});
        EXPECT_EQ(run.signal, 0);
        EXPECT_EQ(run.code, 8) << run.err;
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    }
    for (const char* name : {"out.tif", "words", "page.html", "a.png"})
        EXPECT_FALSE(fs::exists(file(name))) << name;
    const Finished run = orogen({"info", "--json", "x.tif"}, {.standardOutput = file("out.json"), .largestFile = 16});
    EXPECT_EQ(run.code, 8) << run.err;
}

TEST_F(OutputsThorough, StandardErrorThatIsFullOrClosedChangesNoCode)
{
    const std::pair<Words, int> commands[] = {
        {{"--help"}, 0},
        {{"--version"}, 0},
        {{"info", "x.tif"}, 0},
        {{"info", "no.tif"}, 5},
        {{"view", "--bogus"}, 2},
        {{"view", "synthetic:64", "--frames", "2", "--size", "64x64", "--screenshot", "a.png"}, 0},  // "no window"
    };
    for (const auto& [command, code] : commands)
    {
        SCOPED_TRACE(testing::PrintToString(command));
        EXPECT_EQ(orogen(command, {.standardError = "/dev/full"}).code, code);
        EXPECT_EQ(orogen(command, {.closed = {2}}).code, code);
        EXPECT_EQ(orogen(command, {.closed = {0, 2}}).code, code);
    }
    for (const char* option : {"--help", "--version"})
        for (const test::RunOptions& options :
             {test::RunOptions{.standardOutput = "/dev/full", .standardError = "/dev/full"},
              test::RunOptions{.closed = {1}}, test::RunOptions{.closed = {1, 2}},
              test::RunOptions{.closed = {0, 1, 2}}, test::RunOptions{.standardOutput = "/dev/full", .closed = {2}}})
            EXPECT_EQ(orogen({option}, options).code, 8);
}

// With descriptors 1 and 2 closed, a file opened for writing would get them, and receive the printed text.
TEST_F(Outputs, NoFileTakesThePlaceOfAClosedStream)
{
    const Finished run =
        orogen({"capture", "synthetic:64", "--size", "64x64", "--frames", "3", "--warmup", "0", "--out", "out"},
               {.closed = {0, 1, 2}});
    EXPECT_EQ(run.code, 8) << "the capture is there, its summary is not";
    EXPECT_TRUE(readCapture(file("out")));
    EXPECT_EQ(orogen({"info", "x.tif", "--fill-voids", "out.tif"}, {.closed = {0, 1, 2}}).code, 8);
    const Finished filled = orogen({"info", "--json", "out.tif"});
    ASSERT_EQ(filled.code, 0) << filled.err;
    EXPECT_EQ(nlohmann::json::parse(filled.out).at("nodata_count"), 0);
}

// ---- control characters ----

TEST_F(OutputsThorough, ControlCharactersDoNotReachTheTerminal)
{
    const std::string evil = "a\x1b[31m\tb\nc\x7f\xc2\x9b"
                             "d\x9b"
                             "\xe2\x80\xae"
                             "é.tif";
    fs::copy_file(file("x.tif"), file(evil));
    write(file("ops"), "split \x1b]0;title\x07 1\n");
    test::SyntheticCapture old = test::syntheticCapture();
    old.frames = 30;
    test::writeCapture(file("r" + evil), old);
    const Words commands[] = {
        {"info", evil},
        {"info", "no" + evil},
        {"info", evil, "--fill-voids", evil},
        {"info", evil, "--fill-voids", "no/" + evil},
        {evil, "--bogus" + evil},
        {"view", "--headless", "no" + evil},
        {"view", "--headless", "--set", evil + "=1"},
        {"view", "--headless", "--set", "cbt.depth=" + evil},
        {"view", "--headless", "--script", "no" + evil},
        {"view", "--headless", "--path", "no" + evil},
        {"view", "--headless", "--settings", "no" + evil},
        {"capture", "--out", evil},
        {"compare", "--baseline", "no" + evil, "--candidate", "x"},
        {"compare", "--baseline", "r" + evil, "--candidate", "./r" + evil},
        {"report", "--recover", "no" + evil},
        {"cbt", "replay", "ops", "--depth", "6"},
        {"cbt", "replay", "no" + evil, "--depth", "6"},
        {"cbt", "node", evil, "--depth", "6"},
        {"multiword", "add", evil, "1"},
        {"multiword", "add", "@no" + evil, "1"},
        {"signed-digit", "sum", "no" + evil},
        {"cg", "solve", "no" + evil},
        {"reproduce", evil, "--out", "x"},
        {"multiword", "add", "1", "1", "--algorithm", evil},
    };
    for (const Words& command : commands)
    {
        const Finished run = orogen(command);
        SCOPED_TRACE(testing::PrintToString(command) + run.out + run.err);
        EXPECT_LE(test::lineCount(run.err), 1);
        for (const char c : run.err + run.out)
            EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != '\x7f')) << int(c);
        for (const char* mark : {"\xc2\x9b", "d\x9b", "\xe2\x80\xae"})
            EXPECT_EQ((run.err + run.out).find(mark), std::string::npos) << mark;
    }
    EXPECT_NE(orogen({"info", "no" + evil}).err.find("noa\\x1b[31m\\tb\\nc\\x7f\\u009bd\\x9b\\u202eé.tif"),
              std::string::npos);
}

}  // namespace
}  // namespace orogen
