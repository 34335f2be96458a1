// Scale governor under a time budget, on simulated machines: cost per pixel, cost per triangle, noise, and measurements
// four frames late.
#include <cmath>
#include <deque>

#include <gtest/gtest.h>

#include "core/budget/frame_time_governor.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"

namespace orogen::test {
namespace {

struct Painter
{
    double rest = 1, pixels = 60, slope = 2e-5;  // milliseconds: fixed, at full scale, per triangle
    double noise = 0.03;
    double least = 2'000;
    double triangles = 500'000;

    double ms(double percent) const
    {
        return rest + pixels * (percent > 0 ? percent * percent / 1e4 : 1.0) + slope * triangles;
    }
};

class Session
{
public:
    Session(const Painter& painter, double target, double whole, std::uint64_t seed) : painter_(painter), random_(seed)
    {
        governor_.setScale(whole);
        governor_.setTarget(target);
    }
    void frames(int count)
    {
        for (int i = 0; i < count; ++i)
        {
            const double wanted = std::max(governor_.triangleTarget(), painter_.least);
            if (governor_.triangleTarget() > 0) painter_.triangles += (wanted - painter_.triangles) / 4;
            const double noise = std::exp(painter_.noise * (2 * random_.unit() - 1));
            late_.push_back({painter_.ms(governor_.scale()) * noise, painter_.triangles});
            if (late_.size() <= 4) continue;
            const double before = governor_.scale();
            governor_.measured(++answered_, late_.front().first, late_.front().second);
            late_.pop_front();
            changes_ += governor_.scale() != before;
            // Detail is reduced first: the scale stays full until little is left.
            if (governor_.scale() < before && before == governor_.report()->wholeScale)
            {
                EXPECT_LT(painter_.triangles, 1.1 * painter_.least);
            }
        }
    }
    double ms() const { return painter_.ms(governor_.scale()); }
    Painter& painter() { return painter_; }
    FrameTimeGovernor& governor() { return governor_; }
    int changes() const { return changes_; }

private:
    Painter painter_;
    Random random_;
    FrameTimeGovernor governor_;
    std::deque<std::pair<double, double>> late_;
    std::uint64_t answered_ = 0;
    int changes_ = 0;
};

TEST(ScaleGovernor, HoldsATargetThatDetailAloneDoesNotReach)
{
    for (int seed = 1; seed <= scaled(20, 500); ++seed)
    {
        SCOPED_TRACE(seed);
        Random random{std::uint64_t(seed)};
        Painter painter;
        painter.pixels = 20 + 100 * random.unit();
        const double target = painter.rest + painter.pixels * (0.15 + 0.6 * random.unit());
        Session session(painter, target, 100, std::uint64_t(seed));
        session.frames(300);
        EXPECT_LT(session.governor().scale(), 100);
        EXPECT_LE(session.ms(), 1.1 * target);
        EXPECT_GE(session.ms(), 0.6 * target);  // as large as possible, up to a step
        EXPECT_EQ(session.governor().state(), GovernorState::kHeld);
        const int changes = session.changes();
        session.frames(300);
        EXPECT_LE(session.changes(), changes + 1);  // stable

        // When pixels become cheap again, the scale is restored first, then the detail.
        session.painter().pixels = target / 4;
        session.frames(400);
        EXPECT_EQ(session.governor().scale(), 100);
        EXPECT_NEAR(session.ms() / target, 1, 0.12);
        EXPECT_GT(session.painter().triangles, 2 * session.painter().least);
    }
}

TEST(ScaleGovernor, IsNeverLargerThanItIsSetAndWholeWhereNothingIsAsked)
{
    Session session({}, 20, 70, 1);
    session.frames(300);
    EXPECT_LE(session.governor().scale(), 70);
    EXPECT_EQ(session.governor().report()->wholeScale, 70);
    session.painter().pixels = 1;
    session.frames(400);
    EXPECT_EQ(session.governor().scale(), 70);
    session.painter().pixels = 200;
    session.frames(300);
    EXPECT_LT(session.governor().scale(), 70);
    session.governor().setTarget(0);
    EXPECT_FALSE(session.governor().scaleLowered());
}

TEST(ScaleGovernor, SaysWhereTheSmallestPictureTakesTooLong)
{
    Session session({.rest = 50, .pixels = 100}, 20, 100, 1);
    session.frames(400);
    EXPECT_EQ(session.governor().scale(), kLeastScale);
    EXPECT_EQ(session.governor().state(), GovernorState::kUnreachable);
    EXPECT_NEAR(*session.governor().smallestMs(), session.ms(), 0.05 * session.ms());
}

TEST(ScaleGovernor, IsLeftAloneWhereItIsNotGoverned)
{
    Session session({}, 20, 0, 1);
    session.frames(400);
    EXPECT_FALSE(session.governor().scaleLowered());
    EXPECT_EQ(session.governor().state(), GovernorState::kUnreachable);
}

}  // namespace
}  // namespace orogen::test
