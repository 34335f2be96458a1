// Undo and redo over settings.
#include "core/settings_history.h"

#include <random>

#include <gtest/gtest.h>

namespace orogen {
namespace {

using Keys = std::vector<std::string>;

// Settings of an editor, with the history of its changes.
struct Editor
{
    Settings now;
    SettingsHistory history;

    void edit(const Settings& to, std::uint64_t gesture = 0)
    {
        history.changed(now, to, gesture);
        now = to;
    }
    void depth(int depth, std::uint64_t gesture = 0)
    {
        Settings to = now;
        to.cbt.depth = depth;
        edit(to, gesture);
    }
    bool undo()
    {
        const auto to = history.undo(now);
        now = to.value_or(now);
        return to.has_value();
    }
    bool redo()
    {
        const auto to = history.redo(now);
        now = to.value_or(now);
        return to.has_value();
    }
};

TEST(SettingsHistory, StepsBackAndForwardOneByOne)
{
    Editor editor;
    EXPECT_FALSE(editor.undo());
    EXPECT_FALSE(editor.redo());
    editor.depth(20);
    editor.depth(16);
    EXPECT_TRUE(editor.undo());
    EXPECT_EQ(editor.now.cbt.depth, 20);
    EXPECT_TRUE(editor.undo());
    EXPECT_EQ(editor.now.cbt.depth, Settings{}.cbt.depth);
    EXPECT_FALSE(editor.undo());
    EXPECT_TRUE(editor.redo());
    EXPECT_TRUE(editor.redo());
    EXPECT_EQ(editor.now.cbt.depth, 16);
    EXPECT_FALSE(editor.redo());
}

TEST(SettingsHistory, AModelThatIsHeldPlaysInNoStep)
{
    Editor editor;
    Settings to = editor.now;
    to.model.play = true;
    editor.edit(to);
    editor.depth(20);
    editor.now.model.play = false;
    editor.history.amend([](Settings& settings) { settings.model.play = false; });
    EXPECT_TRUE(editor.undo());
    EXPECT_FALSE(editor.now.model.play);
    EXPECT_FALSE(editor.undo()) << "the step that began to play is gone";
    EXPECT_TRUE(editor.redo());
    EXPECT_FALSE(editor.now.model.play);
}

TEST(SettingsHistory, AStepTouchesOnlyTheSettingsThatItChanged)
{
    Editor editor;
    Settings to = editor.now;
    to.render.wireframe = true;
    editor.edit(to);
    editor.now.samplesDepth = editor.now.cbt.depth = 29;  // by the program, as for another terrain
    const Settings wired = editor.now;
    EXPECT_TRUE(editor.undo());
    EXPECT_FALSE(editor.now.render.wireframe);
    EXPECT_EQ(editor.now.samplesDepth, 29);
    EXPECT_EQ(editor.now.cbt.depth, 29);
    EXPECT_TRUE(editor.redo());
    EXPECT_EQ(editor.now, wired);
}

// The restored value may conflict with a value that the program has changed since.
TEST(SettingsHistory, AStepTakenBackLeavesValidSettings)
{
    Editor editor;
    editor.now.lod.splitPixels = 8;
    editor.now.lod.mergePixels = 3;
    Settings to = editor.now;
    to.lod.splitPixels = 20;
    editor.edit(to);
    editor.now.lod.mergePixels = 15;
    EXPECT_TRUE(editor.undo());
    EXPECT_EQ(editor.now.lod.splitPixels, 8);
    EXPECT_TRUE(checkSettings(editor.now));
}

TEST(SettingsHistory, AGestureTakesNothingOfWhatTheProgramChangesMeanwhile)
{
    Editor editor;
    const Settings first = editor.now;
    const auto drag = [&](float pixels) {
        Settings to = editor.now;
        to.lod.splitPixels = pixels;
        editor.edit(to, 7);
    };
    drag(20);
    editor.now.view.fov = 40;
    drag(30);
    EXPECT_EQ(editor.history.steps(), 1u);
    EXPECT_TRUE(editor.undo());
    EXPECT_EQ(editor.now.lod.splitPixels, first.lod.splitPixels);
    EXPECT_EQ(editor.now.view.fov, 40);
    drag(20);
    editor.now.view.fov = 50;
    drag(first.lod.splitPixels);
    EXPECT_EQ(editor.history.steps(), 0u) << "it returned to where it began";
}

TEST(SettingsHistory, StepsThatAnAmendmentLeavesEmptyAreDropped)
{
    Editor editor;
    const auto set = [&](bool play, float pixels) {
        Settings to = editor.now;
        to.model.play = play;
        to.lod.splitPixels = pixels;
        editor.edit(to);
    };
    set(false, 20);
    set(true, 20);
    set(false, 20);
    set(false, 30);
    EXPECT_TRUE(editor.undo());
    editor.history.amend([](Settings& settings) { settings.model.play = false; });
    EXPECT_EQ(editor.history.steps(), 3u) << "steps in effect keep their numbers";
    EXPECT_EQ(editor.history.undoes(), std::vector<std::string>{"lod.split_pixels"});
    EXPECT_EQ(editor.history.redoes(), std::vector<std::string>{"lod.split_pixels"});
    EXPECT_TRUE(editor.undo());
    EXPECT_FALSE(editor.undo());
}

TEST(SettingsHistory, AChangeEndsWhatCouldBeRedone)
{
    Editor editor;
    editor.depth(20);
    editor.undo();
    editor.depth(12);
    EXPECT_FALSE(editor.redo());
    EXPECT_TRUE(editor.undo());
    EXPECT_EQ(editor.now.cbt.depth, Settings{}.cbt.depth);
}

TEST(SettingsHistory, ADragIsOneStep)
{
    Editor editor;
    for (int depth : {23, 22, 21, 20})
        editor.depth(depth, 7);
    for (int depth : {19, 18})
        editor.depth(depth, 8);
    editor.depth(17);
    editor.depth(16);  // a separate step each, without a gesture
    const Keys key = {"cbt.depth"};
    EXPECT_EQ(editor.history.undoes(), key);
    for (int depth : {17, 18, 20, 24})
    {
        EXPECT_TRUE(editor.undo());
        EXPECT_EQ(editor.now.cbt.depth, depth);
    }
    EXPECT_FALSE(editor.undo());
    EXPECT_EQ(editor.history.redoes(), key);
}

TEST(SettingsHistory, ADragThereAndBackIsNoStep)
{
    Editor editor;
    editor.depth(20);
    editor.depth(12, 3);
    editor.depth(20, 3);
    EXPECT_TRUE(editor.undo());
    EXPECT_EQ(editor.now.cbt.depth, Settings{}.cbt.depth);
}

TEST(SettingsHistory, TheCameraIsNoStepAndStaysWhereItIs)
{
    Editor editor;
    Settings moved = editor.now;
    moved.view = {ViewMode::kMap, {1, 2, 3}, 40, -50, moved.view.fov};
    editor.edit(moved);
    EXPECT_FALSE(editor.undo());
    editor.depth(20);
    Settings elsewhere = editor.now;
    elsewhere.view.position = {7, 8, 9};
    elsewhere.view.mode = ViewMode::kFly;
    editor.edit(elsewhere);
    EXPECT_TRUE(editor.undo());
    EXPECT_EQ(editor.now.cbt.depth, Settings{}.cbt.depth);
    EXPECT_EQ(editor.now.view, elsewhere.view);
    EXPECT_TRUE(editor.redo());
    EXPECT_EQ(editor.now, elsewhere);
}

TEST(SettingsHistory, TheFieldOfViewIsASetting)
{
    Editor editor;
    Settings wide = editor.now;
    wide.view.fov = 90;
    editor.edit(wide);
    EXPECT_TRUE(editor.undo());
    EXPECT_EQ(editor.now.view.fov, Settings{}.view.fov);
}

TEST(SettingsHistory, ForgetsTheOldestSteps)
{
    Editor editor;
    for (std::size_t i = 0; i < SettingsHistory::kMostSteps + 50; ++i)
        editor.depth(i % 2 ? 20 : 16);
    EXPECT_EQ(editor.history.steps(), SettingsHistory::kMostSteps + 50) << "other histories order their steps by it";
    std::size_t steps = 0;
    while (editor.undo())
        ++steps;
    EXPECT_EQ(steps, SettingsHistory::kMostSteps);
    EXPECT_EQ(editor.history.steps(), 50u);
}

// Compares with a list of all states over random operations.
TEST(SettingsHistory, DoesWhatAListOfStatesDoes)
{
    std::mt19937 random(5);
    Editor editor;
    std::vector<int> states = {editor.now.cbt.depth};
    std::size_t at = 0;
    for (int i = 0; i < 2'000; ++i)
    {
        const auto what = random() % 4;
        if (what == 0)
        {
            EXPECT_EQ(editor.undo(), at > 0);
            at -= at > 0;
        }
        else if (what == 1)
        {
            EXPECT_EQ(editor.redo(), at + 1 < states.size());
            at += at + 1 < states.size();
        }
        else if (const int depth = 6 + int(random() % 25); depth != editor.now.cbt.depth)
        {
            editor.depth(depth);
            states.resize(at + 1);
            states.push_back(depth);
            at = states.size() - 1;
            if (at > SettingsHistory::kMostSteps)
            {
                states.erase(states.begin());
                --at;
            }
        }
        ASSERT_EQ(editor.now.cbt.depth, states[at]) << i;
        ASSERT_EQ(editor.history.undoes().empty(), at == 0);
        ASSERT_EQ(editor.history.redoes().empty(), at + 1 == states.size());
    }
}

}  // namespace
}  // namespace orogen
