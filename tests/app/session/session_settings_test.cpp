// Sources of a session's settings, and their precedence.
#include "app/session/session_settings.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/raster_files.h"

namespace orogen::app {
namespace {

using Assignments = std::vector<std::string>;

Result<Settings> settingsOf(const Assignments& assignments, const std::string& file = {})
{
    SessionOptions options;
    options.assignments = assignments;
    options.settingsFile = file;
    SessionSettings settings;
    Messages messages;
    if (Status s = settings.read(options, false, OROGEN_ROOT, messages); !s) return s.error();
    return settings.wanted();
}

TEST(SessionSettings, AssignmentsMeanTheSameInAnyOrder)
{
    for (const Assignments& assignments : {Assignments{"lod.merge_pixels=2", "lod.split_pixels=10"},
                                           Assignments{"lod.split_pixels=10", "lod.merge_pixels=2"}})
    {
        const Result<Settings> settings = settingsOf(assignments);
        ASSERT_TRUE(settings) << settings.error().message;
        EXPECT_EQ(settings->lod.mergePixels, 2) << assignments.front();
        EXPECT_EQ(settings->lod.splitPixels, 10) << assignments.front();
    }
}

TEST(SessionSettings, AssignmentsMayPassThroughWhatWouldBeRefusedAtTheEnd)
{
    const Result<Settings> settings = settingsOf({"lod.merge_pixels=20", "lod.split_pixels=40"});
    ASSERT_TRUE(settings) << settings.error().message;
    EXPECT_EQ(settings->lod.mergePixels, 20);
    const Result<Settings> refused = settingsOf({"lod.split_pixels=4", "lod.merge_pixels=5"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kUsage);
}

TEST(SessionSettings, OfTheSameKeyTheLastAssignmentWins)
{
    const Result<Settings> settings = settingsOf({"cbt.depth=12", "cbt.depth=14"});
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->cbt.depth, 14);
}

// --set starts from the file: setting the split threshold moves the merge threshold, as in a panel.
TEST(SessionSettings, AssignmentsAreAGroupAfterTheFile)
{
    const test::TemporaryFolder folder;
    const std::string file = folder / "s.json";
    std::ofstream(file) << R"({"lod.merge_pixels": 2, "lod.split_pixels": 10})";
    const Result<Settings> read = settingsOf({}, file);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->lod.mergePixels, 2);
    const Result<Settings> split = settingsOf({"lod.split_pixels=7"}, file);
    ASSERT_TRUE(split);
    EXPECT_FLOAT_EQ(float(split->lod.mergePixels), 3.0f);
    const Result<Settings> both = settingsOf({"lod.merge_pixels=5", "lod.split_pixels=7"}, file);
    ASSERT_TRUE(both);
    EXPECT_EQ(both->lod.mergePixels, 5);
}

TEST(SessionSettings, AStepOfAScriptIsAGroupOfItsOwn)
{
    Messages messages;
    SessionSettings settings;
    ASSERT_TRUE(settings.set("lod.merge_pixels", "2", messages));
    ASSERT_TRUE(settings.set("lod.split_pixels", "7", messages));
    EXPECT_FLOAT_EQ(float(settings.wanted().lod.mergePixels), 3.0f);
    const Settings before = settings.wanted();
    EXPECT_FALSE(settings.set("lod.merge_pixels", "8", messages));
    EXPECT_EQ(settings.wanted(), before);
}

TEST(SessionSettings, AnAssignmentWithoutASignIsNamed)
{
    const Result<Settings> settings = settingsOf({"cbt.depth"});
    ASSERT_FALSE(settings);
    EXPECT_EQ(settings.error().code, ExitCode::kUsage);
    EXPECT_EQ(settings.error().message, "--set cbt.depth: expected key=value");
}

// A heading or a pitch alone leaves the position to the home view.
TEST(SessionSettings, AGivenPositionAloneGivesTheWholeView)
{
    const test::TemporaryFolder folder;
    const std::string file = folder / "s.json";
    std::ofstream(file) << R"({"view.yaw": 30})";
    struct Given
    {
        const char* assignment;
        bool position, yaw, pitch;
    };
    for (const bool inFile : {false, true})
        for (const Given& given :
             {Given{"view.position=1,2,3", true, true, true}, Given{"view.yaw=4", false, true, false},
              Given{"view.pitch=-90", false, false, true}, Given{"view.mode=map", false, false, false}})
        {
            SessionOptions options;
            options.assignments = {given.assignment};
            if (inFile) options.settingsFile = file;
            SessionSettings settings;
            Messages messages;
            ASSERT_TRUE(settings.read(options, false, OROGEN_ROOT, messages)) << given.assignment;
            EXPECT_EQ(settings.viewGiven("view.position"), given.position) << given.assignment;
            EXPECT_EQ(settings.viewGiven("view.yaw"), given.yaw || inFile) << given.assignment;
            EXPECT_EQ(settings.viewGiven("view.pitch"), given.pitch) << given.assignment;
        }
}

}  // namespace
}  // namespace orogen::app
