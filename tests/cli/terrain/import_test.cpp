// orogen import SOURCE OUT.tif
#include <csignal>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/terrain/io/load_raster.h"
#include "tests/support/places.h"
#include "tests/support/random.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using Words = std::vector<std::string>;

const std::string kShipped = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";

Finished import(Words arguments, const test::RunOptions& options = {})
{
    arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "import"});
    return test::runProgram(arguments, options);
}

// Writes 4 MB of samples that compress badly, so that an import takes a while.
std::string noise(const test::TemporaryFolder& folder)
{
    test::Random random(11);
    std::vector<int> samples(1500 * 1400);
    for (int& sample : samples)
        sample = random.between(0, 3000);
    test::writeBytes(folder / "noise_1500x1400_i16.raw", test::samplesOf<std::int16_t>(samples));
    return folder / "noise_1500x1400_i16.raw";
}

int entriesOf(const std::string& folder)
{
    return int(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ImportCommand, KeepsHeightsPlaceAndKindOfSamples)
{
    const test::TemporaryFolder folder;
    const Finished run = import({kShipped, folder / "out.tif", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const nlohmann::json json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json.at("bytes"), fs::file_size(folder / "out.tif"));
    EXPECT_EQ(json.at("levels").at(0).at("deviation"), 0);
    EXPECT_GT(json.at("levels").at(1).at("deviation"), 0);
    const Result<Raster> from = loadRaster(kShipped), to = loadRaster(folder / "out.tif");
    ASSERT_TRUE(from && to) << to.error().message;
    EXPECT_TRUE(from->heights == to->heights);
    EXPECT_EQ(from->bits, to->bits);
    EXPECT_EQ(from->crs, to->crs);
    EXPECT_EQ(from->pixelWidth, to->pixelWidth);
    EXPECT_EQ(from->pixelHeight, to->pixelHeight);
    EXPECT_EQ(from->placement->x, to->placement->x);
    EXPECT_EQ(from->placement->y, to->placement->y);
    EXPECT_EQ(entriesOf(folder.path()), 1);
}

TEST(ImportCommand, WritesWhatGdalsValidatorAccepts)
{
    const std::string python = "/usr/bin/python3", module = "osgeo_utils.samples.validate_cloud_optimized_geotiff";
    if (!fs::exists(python) || test::runProgram({python, "-c", "import " + module}).code != 0)
        GTEST_SKIP() << "GDAL's validator is not here (python3-gdal)";
    const test::TemporaryFolder folder;
    for (const Words& options : {Words{"--samples", "int16"}, {"--samples", "float32"}, {"--compression", "none"}})
    {
        Words arguments = {kShipped, folder / "out.tif", "--force"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        ASSERT_EQ(import(arguments).code, 0);
        const Finished run = test::runProgram({python, "-m", module, "--full-check=yes", folder / "out.tif"});
        EXPECT_EQ(run.code, 0) << run.out << run.err;
    }
}

TEST(ImportCommand, KeepsFeetAsTheyAre)
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder / "a_300x200_i16.raw", test::samplesOf<std::int16_t>(std::vector<int>(60'000, 1234)));
    const Finished run = import({folder / "a_300x200_i16.raw", folder / "out.tif", "--unit", "foot", "--pixel-size",
                                 "10", "--crs", "EPSG:32611"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Result<Raster> raster = loadRaster(folder / "out.tif");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(raster->bits, 16);
    EXPECT_EQ(raster->heightUnit, HeightUnit::kFoot);
    EXPECT_EQ(raster->heights[0], float(double(1234.0f) * 0.3048));
    EXPECT_EQ(raster->pixelWidth, 10);
}

TEST(ImportCommand, ReplacesNothingUnasked)
{
    const test::TemporaryFolder folder;
    fs::copy_file(kShipped, folder / "x.tif");
    fs::create_hard_link(folder / "x.tif", folder / "hard.tif");
    folder.write("mine.tif", "mine");
    const std::string source = folder.read("x.tif");
    for (const Words& arguments :
         {Words{"x.tif", "mine.tif"}, {"x.tif", "x.tif", "--force"}, {"x.tif", "hard.tif", "--force"}})
    {
        const Finished run = import(arguments, {.folder = folder.path()});
        EXPECT_EQ(run.code, 8) << run.err;
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    }
    EXPECT_EQ(folder.read("mine.tif"), "mine");
    EXPECT_TRUE(folder.read("x.tif") == source);
    EXPECT_EQ(entriesOf(folder.path()), 3);
    EXPECT_EQ(import({"x.tif", "mine.tif", "--force"}, {.folder = folder.path()}).code, 0);
}

// Limits the file size, which acts like a full disk.
TEST(ImportCommand, WhereRoomRunsOutItKeepsWhatItHas)
{
    const test::TemporaryFolder folder;
    const std::string source = noise(folder);
    ASSERT_EQ(import({source, folder / "whole.tif"}).code, 0);
    const Finished full = import({source, folder / "out.tif"}, {.largestFile = 200'000});
    EXPECT_EQ(full.code, 8) << full.err;
    EXPECT_EQ(full.signal, 0);
    EXPECT_EQ(test::lineCount(full.err), 1) << full.err;
    EXPECT_FALSE(fs::exists(folder / "out.tif"));
    ASSERT_EQ(import({source, folder / "out.tif"}).code, 0);
    EXPECT_TRUE(folder.read("out.tif") == folder.read("whole.tif"));
    EXPECT_EQ(entriesOf(folder.path()), 3);
}

// Simulates a process that died when OUT and its parts existed.
TEST(ImportCommand, RemovesPartsThatAKillLeftBehind)
{
    const test::TemporaryFolder folder;
    EXPECT_EQ(import({kShipped, folder / "out.tif"}, {.largestFile = 180'000}).code, 8);  // enough for the parts only
    const std::string part = folder.read("out.tif.part-0-of-1"), rest = folder.read("out.tif.part-finish");
    ASSERT_FALSE(part.empty() || rest.empty());
    ASSERT_EQ(import({kShipped, folder / "out.tif"}).code, 0);
    const std::string whole = folder.read("out.tif");
    folder.write("out.tif.part-0-of-1", part);
    folder.write("out.tif.part-finish", rest);
    // The import writes OUT last.
    fs::last_write_time(folder / "out.tif", fs::last_write_time(folder / "out.tif.part-finish"));
    EXPECT_EQ(import({kShipped, folder / "out.tif"}).code, 8);
    EXPECT_EQ(entriesOf(folder.path()), 1);
    EXPECT_TRUE(folder.read("out.tif") == whole);
}

TEST(ImportCommand, GoesOnAfterASignal)
{
    const test::TemporaryFolder folder;
    const std::string source = noise(folder);
    ASSERT_EQ(import({source, folder / "whole.tif"}).code, 0);
    test::RunningProgram program({OROGEN_PROGRAM, "import", source, folder / "out.tif"}, {});
    EXPECT_TRUE(program.waitUntilHandles(SIGINT));
    program.signal(SIGINT);
    const Finished stopped = program.finish();
    if (stopped.code != 0)
    {
        EXPECT_EQ(stopped.code, 130) << stopped.err;
        EXPECT_EQ(test::lineCount(stopped.err), 1) << stopped.err;
        ASSERT_EQ(import({source, folder / "out.tif"}).code, 0);
    }
    EXPECT_TRUE(folder.read("out.tif") == folder.read("whole.tif"));
}

TEST(ImportKilledThorough, AtAnyMomentGivesTheSameBytes)
{
    const test::TemporaryFolder folder;
    const std::string source = noise(folder);
    ASSERT_EQ(import({source, folder / "whole.tif"}).code, 0);
    const std::string whole = folder.read("whole.tif");
    test::Random random(7);
    for (int i = 0; i < test::scaled(2, 60); ++i)
    {
        for (int kills = 0; kills < 4; ++kills)
        {
            test::RunningProgram program({OROGEN_PROGRAM, "import", source, folder / "out.tif"}, {});
            program.waitUntilHandles(SIGTERM);
            usleep(random.below(700'000));
            program.signal(SIGKILL);
            program.finish();
        }
        const Finished last = import({source, folder / "out.tif"});
        // An import that completed in spite of the kills is refused, and its file is whole.
        ASSERT_TRUE(last.code == 0 || last.code == 8) << last.err;
        ASSERT_TRUE(folder.read("out.tif") == whole);
        for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
            if (entry.path().filename().string().starts_with("out.tif")) fs::remove(entry.path());
    }
}

// Links and pipes at the names of temporary files: their targets stay unchanged, and nothing hangs.
TEST(ImportCommand, WorksInNoFileOfSomebodyElse)
{
    const test::TemporaryFolder folder;
    const auto lay = [&](const std::string& name, int kind) {
        fs::remove(folder / name);
        if (kind == 0) fs::create_symlink(folder / "victim", folder / name);
        if (kind == 1) fs::create_hard_link(folder / "victim", folder / name);
        const bool made = kind != 2 || ::mkfifo((folder / name).c_str(), 0600) == 0;
        EXPECT_TRUE(made);
    };
    for (const std::string name : {"o.tif.joining", "o.tif.part-0-of-1", "o.tif.part-finish"})
        for (int kind = 0; kind < 3; ++kind)
        {
            folder.write("victim", "");
            lay(name, kind);
            const Finished run = import({"synthetic:140", "o.tif"}, {.folder = folder.path(), .timeout = 60});
            EXPECT_FALSE(run.timedOut) << name << kind;
            const bool done = name == "o.tif.joining" && kind == 1;  // here only the name is replaced
            EXPECT_EQ(run.code, done ? 0 : 8) << name << kind << run.err;
            EXPECT_LE(test::lineCount(run.err), 1) << run.err;
            EXPECT_EQ(folder.read("victim"), "") << name << kind;
            for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
                fs::remove(entry.path());
        }
}

TEST(ImportCommand, MoreShardsThanCanBeJoinedAreAUsageError)
{
    const test::TemporaryFolder folder;
    const Finished run = import({"synthetic:140", "o.tif", "--shard", "0/1001"}, {.folder = folder.path()});
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_NE(run.err.find("n at most 1000 "), std::string::npos) << run.err;
}

TEST(ImportCommand, PartsOfAnotherImportAreKeptOrReplacedIfAsked)
{
    const test::TemporaryFolder folder;
    const test::RunOptions here{.folder = folder.path()};
    ASSERT_EQ(import({"synthetic:140:2", "o.tif", "--shard", "0/2"}, here).code, 0);
    const std::string part = folder.read("o.tif.part-0-of-2");
    const Finished refused = import({"synthetic:140", "o.tif"}, here);
    EXPECT_EQ(refused.code, 8) << refused.err;
    EXPECT_NE(refused.err.find("o.tif.part-0-of-2: belongs to another import"), std::string::npos) << refused.err;
    EXPECT_TRUE(folder.read("o.tif.part-0-of-2") == part);
    EXPECT_EQ(entriesOf(folder.path()), 1);
    EXPECT_EQ(import({"synthetic:140", "o.tif", "--force"}, here).code, 0);
    EXPECT_EQ(entriesOf(folder.path()), 1);
}

// Changes a sample that the fingerprint of an earlier version skipped.
TEST(ImportCommand, ASourceThatChangesBetweenShardsIsAnotherOne)
{
    const test::TemporaryFolder folder;
    const test::RunOptions here{.folder = folder.path()};
    std::vector<int> samples(200 * 600, 100);
    const auto write = [&] { test::writeBytes(folder / "a_200x600_i16.raw", test::samplesOf<std::int16_t>(samples)); };
    write();
    ASSERT_EQ(import({"a_200x600_i16.raw", "o.tif", "--shard", "0/2"}, here).code, 0);
    samples[200 * 500 + 3] = 101;
    write();
    const Finished second = import({"a_200x600_i16.raw", "o.tif", "--shard", "1/2"}, here);
    EXPECT_EQ(second.code, 8) << second.err;
    EXPECT_NE(second.err.find("one that has changed"), std::string::npos) << second.err;
    EXPECT_EQ(import({"a_200x600_i16.raw", "o.tif"}, here).code, 8);
}

}  // namespace
}  // namespace orogen
