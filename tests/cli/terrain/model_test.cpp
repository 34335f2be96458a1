// orogen model: its file against its JSON, errors, and files that are not replaced.
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

namespace fs = std::filesystem;
using test::Finished;
using Words = std::vector<std::string>;

// 100 m a sample, so that a float holds a volume of its change.
const std::string kSource = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";

Finished model(Words arguments)
{
    arguments.insert(arguments.begin(), {OROGEN_PROGRAM, "model"});
    return test::runProgram(arguments);
}

nlohmann::json infoOf(const std::string& file)
{
    const Finished run = test::runProgram({OROGEN_PROGRAM, "info", file, "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    return nlohmann::json::parse(run.out);
}

TEST(ModelCommand, WritesTheTerrainThatItDescribes)
{
    const test::TemporaryFolder folder;
    const std::string out = folder / "older.tif";
    const Finished run = model({kSource, "--out", out, "--years", "2500", "--step-years", "1000", "--incision", "2e-5",
                                "--uplift", "1", "--repose", "30", "--creep", "0.05", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const nlohmann::json json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json.at("steps"), 3);
    EXPECT_EQ(json.at("years"), 2500);
    EXPECT_LE(json.at("imbalance").get<double>(), 1e-6);
    EXPECT_LE(json.at("residual").get<double>(), 1e-8);
    for (const char* part : {"uplifted", "cut", "crept"})
        EXPECT_GT(json.at("volumes_m3").at(part).get<double>(), 0) << part;
    const nlohmann::json before = infoOf(kSource), after = infoOf(out);
    for (const char* key : {"width", "height", "crs", "extent"})
        EXPECT_EQ(after.at(key), before.at(key)) << key;
    EXPECT_NEAR(after.at("max").get<double>(), json.at("highest_m").get<double>(), 1e-3);
    EXPECT_NEAR(after.at("min").get<double>(), json.at("lowest_m").get<double>(), 1e-3);
    EXPECT_NE(after.at("max"), before.at("max"));
}

// 2.7 / 0.03 rounds to a number above 90.
TEST(ModelCommand, DividesYearsIntoWholeSteps)
{
    const test::TemporaryFolder folder;
    const Finished run = model({"synthetic:9", "--out", folder / "older.tif", "--uplift", "1", "--years", "2.7",
                                "--step-years", "0.03", "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const nlohmann::json json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json.at("steps"), 90);
    EXPECT_NEAR(json.at("years").get<double>(), 2.7, 1e-9);
    const Finished one = model({"synthetic:9", "--out", folder / "one.tif", "--uplift", "1", "--years", "1"});
    EXPECT_NE(one.out.find(" 1 year in 1 step,"), std::string::npos) << one.out;
    // Ten times 0.1 is a little below 1.
    const Finished ten =
        model({"synthetic:9", "--out", folder / "ten.tif", "--uplift", "1", "--years", "1", "--step-years", "0.1"});
    EXPECT_NE(ten.out.find(" 1 year in 10 steps,"), std::string::npos) << ten.out;
}

TEST(ModelCommand, TellsTheWarningsOfItsFile)
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder / "nowhere.tif",
                     test::TiffBuilder(3, 3, 16, 2)
                         .strip(test::samplesOf<std::int16_t>(std::array{1, 2, 3, 4, 5, 6, 7, 8, 9}))
                         .build());
    const Finished run = model({folder / "nowhere.tif", "--out", folder / "out.tif", "--creep", "1"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "orogen: no pixel size: 30 m assumed (--pixel-size sets it)\n");
}

TEST(ModelCommand, RefusesWrongCallsAndExistingFiles)
{
    const test::TemporaryFolder folder;
    const std::string out = folder / "older.tif";
    EXPECT_EQ(model({kSource, "--out", out}).code, 2);
    EXPECT_EQ(model({kSource, "--out", out, "--creep", "-1"}).code, 2);
    EXPECT_EQ(model({kSource, "--out", out, "--creep", "nan"}).code, 2);
    EXPECT_EQ(model({kSource, "--creep", "1"}).code, 2);
    EXPECT_EQ(model({kSource, "--out", out, "--creep", "1", "--years", "1e9", "--step-years", "1"}).code, 2);
    EXPECT_EQ(model({folder / "absent.tif", "--out", out, "--creep", "1"}).code, 5);
    EXPECT_EQ(model({"synthetic:2", "--out", out, "--creep", "1"}).code, 5);
    EXPECT_FALSE(fs::exists(out));
    std::ofstream(out) << "mine";
    const Finished refused = model({kSource, "--out", out, "--creep", "1"});
    EXPECT_EQ(refused.code, 8);
    EXPECT_NE(refused.err.find("older.tif"), std::string::npos);
    EXPECT_EQ(fs::file_size(out), 4u);
    EXPECT_EQ(model({kSource, "--out", kSource, "--creep", "1", "--force"}).code, 8);
}

TEST(ModelCommand, RefusesHeightsThatWouldBeReadAsMissing)
{
    const test::TemporaryFolder folder;
    const std::string out = folder / "high.tif";
    const Finished high =
        model({"synthetic:9", "--out", out, "--uplift", "1000", "--years", "2e7", "--step-years", "1e7"});
    EXPECT_EQ(high.code, 8);
    EXPECT_NE(high.err.find("high.tif: column 0, row 0: found a height of 2"), std::string::npos) << high.err;
    EXPECT_FALSE(fs::exists(out));
}

TEST(ModelCommand, WarnsOfUncertainVolumes)
{
    const test::TemporaryFolder folder;
    std::ofstream(folder / "rough.asc") << "ncols 5\nnrows 5\nxllcorner 500000\nyllcorner 4000000\ncellsize 1\n"
                                           "12 70 33 5 81\n9 44 60 17 2\n51 8 93 30 66\n27 75 14 49 3\n90 21 58 6 40\n";
    const auto with = [&](const char* incision) {
        return model({folder / "rough.asc", "--out", folder / "flat.tif", "--force", "--creep", "1e6", "--incision",
                      incision, "--years", "1e7", "--step-years", "1e7"});
    };
    EXPECT_EQ(with("0").err.find("imbalance"), std::string::npos);
    const Finished rivers = with("1e-9");
    EXPECT_NE(rivers.err.find("found an imbalance"), std::string::npos) << rivers.err;
    EXPECT_NE(rivers.out.find("years in 1 step,"), std::string::npos) << rivers.out;
}

// All back ends find the volumes of the CPU.
TEST(ModelCommand, ComputesOnDevices)
{
    const test::TemporaryFolder folder;
    const auto volumes = [&](const std::string& backend) {
        const Finished run = model({"synthetic:65:4", "--out", folder / (backend + ".tif"), "--years", "20000",
                                    "--step-years", "5000", "--incision", "2e-5", "--uplift", "1", "--repose", "30",
                                    "--creep", "0.05", "--backend", backend, "--json"});
        EXPECT_EQ(run.code, 0) << run.err;
        const nlohmann::json json = nlohmann::json::parse(run.out);
        EXPECT_EQ(json.at("backend"), backend);
        EXPECT_LE(json.at("imbalance").get<double>(), 1e-6);
        return json.at("volumes_m3");
    };
    const nlohmann::json cpu = volumes("cpu");
    for (const char* backend : {"opengl", "host-kernel"})
    {
        const nlohmann::json found = volumes(backend);
        for (const auto& [part, volume] : found.items())
            EXPECT_NEAR(volume.get<double>(), cpu.at(part).get<double>(), 1e-6 * cpu.at("cut").get<double>())
                << backend << ' ' << part;
    }
}

TEST(ModelCommand, RefusesDevicesThatAreNotThere)
{
    const test::TemporaryFolder folder;
    const Words creeps = {"synthetic:65:4", "--out", folder / "older.tif", "--creep", "1", "--backend"};
    const auto with = [&](const Words& words) {
        Words all = creeps;
        all.insert(all.end(), words.begin(), words.end());
        return model(all);
    };
    EXPECT_EQ(with({"vulkan"}).code, 2);
    EXPECT_EQ(with({"cpu", "--gpu", "0"}).code, 2);
    const Finished absent = with({"cuda", "--gpu", "4000"});
    EXPECT_EQ(absent.code, 7) << absent.err;
    EXPECT_EQ(with({"opengl", "--gpu", "4000"}).code, 2);
    EXPECT_FALSE(fs::exists(folder / "older.tif"));
}

}  // namespace
}  // namespace orogen
