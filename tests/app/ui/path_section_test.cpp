// Camera-path part of the View panel, without a viewer.
#include <gtest/gtest.h>

#include "tests/app/ui_support.h"

namespace orogen::app {
namespace {

// Collects the requests of a click or a key over all of its frames.
class PathSection : public testing::Test
{
protected:
    PathSection() { headless.unfold({"View/path"}); }

    PathActions clicked(const std::string& item)
    {
        headless.ui->injector().click(item);
        return asked();
    }
    PathActions pressed(const std::string& key)
    {
        headless.ui->injector().key(key);
        return asked();
    }
    PathActions asked()
    {
        PathActions all;
        for (int i = 0; i < 200 && headless.ui->injector().busy(); ++i)
        {
            const PathActions actions = headless.frame().path;
            all.record ^= actions.record;
            all.play ^= actions.play;
            if (actions.scrub) all.scrub = actions.scrub;
            if (actions.load) all.load = actions.load;
            if (actions.save) all.save = actions.save;
        }
        headless.frame();
        const auto failure = headless.ui->injector().takeFailure();
        EXPECT_FALSE(failure) << *failure;
        return all;
    }
    bool shows(const char* item) const { return headless.ui->items().find(item) != nullptr; }

    HeadlessUi headless;
    PathState& path = headless.model.path;
};

TEST_F(PathSection, ButtonsAndKeysAskForTheSame)
{
    EXPECT_TRUE(clicked("View/record").record);
    EXPECT_TRUE(pressed("F9").record);
    EXPECT_TRUE(clicked("View/play").play);
    EXPECT_TRUE(pressed("F10").play);
    EXPECT_FALSE(pressed("F9").play);
}

TEST_F(PathSection, WithoutAPathThoseThatCanBeHadAreOffered)
{
    path.present = false;
    EXPECT_FALSE(pressed("F10").play);
    EXPECT_TRUE(shows("Paths/overview") && shows("Paths/ridge"));
    const PathActions chosen = clicked("Paths/ridge");
    EXPECT_EQ(chosen.load, "ridge");
    EXPECT_TRUE(chosen.play);
    EXPECT_FALSE(shows("Paths/overview"));
    EXPECT_FALSE(clicked("View/play").play);
    EXPECT_TRUE(shows("Paths/overview"));
    pressed("Escape");
    EXPECT_FALSE(shows("Paths/overview"));
    path.shipped.clear();
    EXPECT_TRUE(pressed("F10").play);  // playback then reports that there is no path
}

TEST_F(PathSection, ButtonsSayWhatTheyWouldDo)
{
    EXPECT_TRUE(shows("View/record") && shows("View/play"));
    path.playing = true;
    headless.frames(2);
    EXPECT_TRUE(shows("View/pause") && !shows("View/play"));
    path.playing = false;
    path.recorded = 2.5;
    headless.frames(2);
    EXPECT_TRUE(shows("View/stop") && !shows("View/record"));
    EXPECT_TRUE(clicked("View/stop").record);
}

TEST_F(PathSection, DraggingThePlaceScrubsFromWhereItIs)
{
    path.fraction = 0.5;
    headless.frames(2);
    headless.ui->injector().drag("View/place", 0, 0);
    EXPECT_NEAR(asked().scrub.value_or(0.5), 0.5, 0.02);
    headless.ui->injector().drag("View/place", 30, 0);
    const PathActions forwards = asked();
    ASSERT_TRUE(forwards.scrub);
    EXPECT_GT(*forwards.scrub, 0.55);
    EXPECT_LT(*forwards.scrub, 0.9);
    headless.ui->injector().drag("View/place", -900, 0);
    EXPECT_EQ(asked().scrub, 0.0);
}

TEST_F(PathSection, WithoutAPathThereIsNothingToScrubOrSave)
{
    path = {.shipped = {"ridge"}};
    headless.frames(2);
    headless.ui->injector().drag("View/place", 30, 0);
    EXPECT_FALSE(asked().scrub);
    clicked("View/path_file");
    pressed("A");
    EXPECT_FALSE(clicked("View/save").save);
    EXPECT_EQ(clicked("View/load").load, "a");
}

TEST_F(PathSection, ShippedPathsAreChosenFromTheList)
{
    clicked("View/paths");
    EXPECT_EQ(clicked("View/paths/ridge").load, "ridge");
}

TEST_F(PathSection, WhatIsSavedUnderANameCanBeLoadedAgain)
{
    EXPECT_FALSE(clicked("View/save").save);  // a path without a name writes no file
    clicked("View/path_file");
    pressed("A");
    pressed("7");
    EXPECT_EQ(clicked("View/save").save, "a7.path");  // a bare name would refer to a shipped path
    EXPECT_EQ(clicked("View/load").load, "a7.path");
    EXPECT_EQ(clicked("View/save").save, "a7.path");
}

TEST_F(PathSection, TypingAFileNameFliesNowhereAndFunctionKeysStillWork)
{
    clicked("View/path_file");
    headless.ui->injector().key("W");
    while (headless.ui->injector().busy())
        EXPECT_TRUE(headless.frame().camera.idle());
    EXPECT_TRUE(pressed("F9").record);
}

}  // namespace
}  // namespace orogen::app
