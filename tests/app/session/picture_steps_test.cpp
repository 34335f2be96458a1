#include "app/session/picture_steps.h"

#include <string>

#include <gtest/gtest.h>

#include "core/settings_history.h"

namespace orogen::app {
namespace {

class PictureStepsTest : public testing::Test
{
protected:
    void change(const char* what, const std::string& to, std::size_t settingSteps, std::uint64_t gesture = 0)
    {
        steps_.did(
            {what, [this, before = value_] { value_ = before; }, [this, to] { value_ = to; }, settingSteps, gesture});
        value_ = to;
    }
    PictureSteps steps_;
    std::string value_ = "0";
};

// Steps of the settings between them come first; a step done with fewer steps of the settings waits for these.
TEST_F(PictureStepsTest, TakeTurnsWithTheSettings)
{
    change("imagery", "a", 3);
    change("overlays", "b", 3);
    EXPECT_FALSE(steps_.undo(4)) << "a setting was changed since";
    EXPECT_EQ(value_, "b");
    EXPECT_EQ(steps_.undoes(3), "overlays");
    EXPECT_TRUE(steps_.undo(3));
    EXPECT_EQ(value_, "a");
    EXPECT_EQ(steps_.redoes(3), "overlays");
    EXPECT_FALSE(steps_.redo(2));
    EXPECT_TRUE(steps_.undo(3));
    EXPECT_EQ(value_, "0");
    EXPECT_FALSE(steps_.undo(3));
    EXPECT_TRUE(steps_.redo(3));
    EXPECT_TRUE(steps_.redo(3));
    EXPECT_EQ(value_, "b");
    EXPECT_FALSE(steps_.redo(3));
}

TEST_F(PictureStepsTest, WaitForLaterSettingsOfAFullHistory)
{
    SettingsHistory history;
    Settings now;
    const auto edit = [&] {
        const Settings before = now;
        now.render.wireframe = !now.render.wireframe;
        history.changed(before, now);
    };
    for (std::size_t i = 0; i < SettingsHistory::kMostSteps; ++i)
        edit();
    change("overlays", "a", history.steps());
    edit();
    EXPECT_FALSE(steps_.undo(history.steps())) << "a setting was changed since";
    ASSERT_TRUE(history.undo(now));
    EXPECT_TRUE(steps_.undo(history.steps()));
}

TEST_F(PictureStepsTest, AChangeDropsWhatWasUndone)
{
    change("overlays", "a", 0);
    EXPECT_TRUE(steps_.undo(0));
    change("overlays", "b", 0);
    EXPECT_EQ(steps_.redoes(0), "");
    EXPECT_TRUE(steps_.undo(0));
    EXPECT_EQ(value_, "0");
}

TEST_F(PictureStepsTest, ADragIsOneStep)
{
    for (const char* to : {"a", "b", "c"})
        change("overlays", to, 0, 7);
    change("overlays", "d", 0, 8);
    change("overlays", "e", 0);
    change("overlays", "f", 0);
    for (const char* expected : {"e", "d", "c", "0"})
    {
        EXPECT_TRUE(steps_.undo(0));
        EXPECT_EQ(value_, expected);
    }
    EXPECT_TRUE(steps_.redo(0));
    EXPECT_EQ(value_, "c");
}

TEST_F(PictureStepsTest, KindsAreForgottenByThemselves)
{
    change("imagery", "a", 0);
    change("overlays", "b", 0);
    steps_.forget("imagery");
    EXPECT_TRUE(steps_.undo(0));
    EXPECT_FALSE(steps_.undo(0));
    for (std::size_t i = 0; i < PictureSteps::kMostSteps + 10; ++i)
        change("overlays", "x", 0);
    std::size_t undone = 0;
    while (steps_.undo(0))
        ++undone;
    EXPECT_EQ(undone, PictureSteps::kMostSteps);
}

}  // namespace
}  // namespace orogen::app
