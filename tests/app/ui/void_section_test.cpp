// Void-filling buttons and curve of the Terrain panel.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/app/ui_support.h"

namespace orogen::app {
namespace {

// Returns the actions requested by a click.
UiActions clicked(HeadlessUi& headless, const std::string& item)
{
    headless.ui->injector().click(item);
    UiActions all;
    for (int i = 0; i < 200 && (i == 0 || headless.ui->injector().busy()); ++i)
    {
        const UiActions actions = headless.frame();
        all.fillVoids |= actions.fillVoids;
        all.undoFill |= actions.undoFill;
        all.cancelFill |= actions.cancelFill;
    }
    EXPECT_FALSE(headless.ui->injector().takeFailure());
    return all;
}

TEST(VoidSection, FillsWhereThereAreVoids)
{
    HeadlessUi headless;
    headless.frames(2);
    const UiActions actions = clicked(headless, "Terrain/fill_voids");
    EXPECT_TRUE(actions.fillVoids);
    EXPECT_FALSE(actions.undoFill);
}

TEST(VoidSection, DoesNothingWithoutVoids)
{
    HeadlessUi headless;
    headless.model.terrain->voids = 0;
    headless.frames(2);
    EXPECT_FALSE(clicked(headless, "Terrain/fill_voids").fillVoids);
}

TEST(VoidSection, TakesBackOnlyWhatWasFilled)
{
    HeadlessUi headless;
    headless.frames(2);
    EXPECT_FALSE(clicked(headless, "Terrain/undo_fill").undoFill);
    headless.model.voids.filled = 12;
    headless.frames(2);  // the panel is one line longer
    EXPECT_TRUE(clicked(headless, "Terrain/undo_fill").undoFill);
}

TEST(VoidSection, ARunCanBeCancelledAndNotBegunAgain)
{
    HeadlessUi headless;
    headless.model.voids.running = true;
    headless.frames(2);
    EXPECT_TRUE(clicked(headless, "Terrain/cancel_fill").cancelFill);
    EXPECT_EQ(headless.ui->items().find("Terrain/fill_voids"), nullptr);
}

TEST(VoidSection, TheResidualHasACurveOnceItFalls)
{
    HeadlessUi headless;
    headless.model.voids = {.running = true, .history = {}, .tolerance = 1e-8};
    headless.frames(2);
    EXPECT_EQ(headless.ui->items().find("Terrain/residual"), nullptr);
    for (double residual = 1; residual > 1e-9; residual /= 3)
        headless.model.voids.history.push_back(residual);
    headless.frames(2);
    EXPECT_NE(headless.ui->items().find("Terrain/residual"), nullptr);
}

// Residuals of 0, above 1, or of a single value have no logarithm or no range.
TEST(VoidSection, AnyHistoryIsSurvived)
{
    for (const std::vector<double>& history :
         {std::vector<double>{0, 0}, {1e9, 1e-9}, {1e-8, 1e-8}, {0, 1}, std::vector<double>(100'000, 0.5)})
    {
        HeadlessUi headless;
        headless.model.voids = {.history = history, .tolerance = 1e-8};
        headless.frames(3);
    }
}

}  // namespace
}  // namespace orogen::app
