// Frame-time governor on simulated machines: fixed cost, cost per pixel and per triangle, noise, outliers, trees that
// follow slowly, and times that arrive up to four frames late.
#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

#include "core/budget/frame_time_governor.h"
#include "tests/support/random.h"
#include "tests/support/test_scale.h"

namespace orogen::test {
namespace {

struct Machine
{
    double fixed = 5, pixels = 60, slope = 2e-4;  // milliseconds: fixed, at 100 % scale, per triangle
    double whole = 200'000;                       // triangles at 100 % scale and the set thresholds
    double byScale = 2, byThreshold = 2;  // powers of scale and inverse threshold that triangles follow, 0 ... 2
    double lag = 2;                       // frames for the triangles to approach their number
    double noise = 0.03;                  // standard deviation of a time's logarithm
    double outliers = 0.05;               // share of frames that take two to five times as long
    int late = 4;                         // frames until a frame's time is known
    double triangles = 200'000;

    double trianglesAt(const GovernedDetail& detail) const
    {
        return whole * std::pow(detail.scale / 100, byScale) * std::pow(detail.coarser, -byThreshold);
    }
    double msAt(const GovernedDetail& detail) const
    {
        return fixed + pixels * detail.scale * detail.scale / 1e4 + slope * trianglesAt(detail);
    }
};

double normal(Random& random)
{
    const double u = 1 - random.unit(), v = random.unit();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

class Flight
{
public:
    Flight(const Machine& machine, double target, std::uint64_t seed, double scale = 100, double finest = 1)
        : machine_(machine), random_(seed), scale_(scale), finest_(finest)
    {
        governor_.setRange(scale, finest, kMostCoarser);
        governor_.setTarget(target);
    }

    void frames(int count)
    {
        for (int i = 0; i < count; ++i)
            frame();
    }

    void frame()
    {
        const GovernedDetail before = governor_.detail(), drawn = governor_.begin(number_);
        EXPECT_LE(drawn.scale, scale_);
        EXPECT_GE(drawn.scale, std::min(kLeastScale, scale_));
        EXPECT_LE(drawn.coarser, kMostCoarser);
        EXPECT_GE(drawn.coarser, finest_);
        // The order of the path; finer than set only at the whole scale.
        const double middle = std::min(kMiddleScale, scale_), least = std::min(kLeastScale, scale_);
        if (drawn.coarser > kMiddleCoarser)
        {
            EXPECT_EQ(drawn.scale, least);
        }
        else if (drawn.coarser > 1)
        {
            EXPECT_LE(drawn.scale, middle);
        }
        if (drawn.scale < middle)
        {
            EXPECT_GE(drawn.coarser, kMiddleCoarser);
        }
        if (drawn.coarser < 1)
        {
            EXPECT_EQ(drawn.scale, scale_);
        }
        if (number_ > 0)
        {
            EXPECT_LE(std::abs(std::log(drawn.coarser / before.coarser)), std::log(1.08));  // vertices glide
        }
        changes_ += drawn.scale != before.scale;
        machine_.triangles += (machine_.trianglesAt(drawn) - machine_.triangles) / machine_.lag;
        double seen =
            machine_.fixed + machine_.pixels * drawn.scale * drawn.scale / 1e4 + machine_.slope * machine_.triangles;
        seen *= std::exp(machine_.noise * normal(random_));
        if (random_.unit() < machine_.outliers) seen *= 2 + 3 * random_.unit();
        inFlight_.emplace_back(number_++, seen);
        if (inFlight_.size() <= std::size_t(machine_.late)) return;
        governor_.measured(inFlight_.front().first, inFlight_.front().second);
        inFlight_.pop_front();
    }

    double ms() const { return machine_.msAt(governor_.detail()); }
    Machine& machine() { return machine_; }
    FrameTimeGovernor& governor() { return governor_; }
    int scaleChanges() const { return changes_; }

private:
    Machine machine_;
    Random random_;
    double scale_, finest_;
    FrameTimeGovernor governor_;
    std::deque<std::pair<std::uint64_t, double>> inFlight_;
    std::uint64_t number_ = 0;
    int changes_ = 0;
};

Machine anyMachine(Random& random)
{
    Machine machine;
    machine.fixed = 1 + 9 * random.unit();
    machine.pixels = 10 + 100 * random.unit();
    machine.slope = 1e-5 * std::pow(30.0, random.unit());
    machine.byScale = 2 * random.unit();
    machine.byThreshold = 0.5 + 1.5 * random.unit();
    machine.lag = 1 + 2 * random.unit();
    machine.noise = 0.01 + 0.03 * random.unit();
    machine.late = int(5 * random.unit());
    return machine;
}

constexpr GovernedDetail kCoarsest{kLeastScale, kMostCoarser};

// Returns a target that the machine can hold, between its coarsest and its whole picture.
double reachable(const Machine& machine, Random& random)
{
    const double least = machine.msAt(kCoarsest), most = machine.msAt({});
    return 1.15 * least + random.unit() * std::max(1.1 * most - 1.15 * least, 0.0);
}

TEST(FrameTimeGovernor, HoldsTheTargetOnAnyMachineAndAfterItsCostChanges)
{
    for (int seed = 1; seed <= scaled(200, 5'000); ++seed)
    {
        SCOPED_TRACE(seed);
        Random random{std::uint64_t(seed)};
        const Machine machine = anyMachine(random);
        const double target = reachable(machine, random);
        Flight flight(machine, target, std::uint64_t(seed));
        flight.frames(int(kGovernorSettling));
        EXPECT_LE(flight.ms(), 1.15 * target);
        flight.machine().pixels *= 0.7 + 0.6 * random.unit();
        flight.machine().slope *= 0.7 + 0.6 * random.unit();
        const double costly = std::max(target, 1.15 * flight.machine().msAt(kCoarsest));
        flight.governor().setTarget(costly);
        flight.frames(int(kGovernorSettling));
        EXPECT_LE(flight.ms(), 1.15 * costly);
        EXPECT_NE(flight.governor().state(), GovernorState::kUnreachable);
    }
}

// The bound follows from the least exact estimate of a step to finer thresholds.
TEST(FrameTimeGovernor, IsAsFineAsTheTargetAllows)
{
    for (int seed = 1; seed <= scaled(200, 5'000); ++seed)
    {
        SCOPED_TRACE(seed);
        Random random{std::uint64_t(seed)};
        Machine machine = anyMachine(random);
        machine.byScale = machine.byThreshold = 2;
        machine.outliers = 0;
        const double target = reachable(machine, random);
        Flight flight(machine, target, std::uint64_t(seed));
        flight.frames(400);
        const GovernedDetail now = flight.governor().detail();
        if (now != GovernedDetail{})
        {
            EXPECT_GE(flight.ms(), 0.65 * target);
        }
    }
}

// Noise may cause single steps, but no cycle: the governor steps back only if the largest possible growth fits.
TEST(FrameTimeGovernor, DoesNotOscillateBetweenScales)
{
    for (int seed = 1; seed <= scaled(200, 5'000); ++seed)
    {
        SCOPED_TRACE(seed);
        Random random{std::uint64_t(seed)};
        Machine noisy = anyMachine(random), quiet = noisy;
        quiet.noise = 0.01;
        quiet.outliers = 0;
        const double target = reachable(noisy, random);
        for (const bool isQuiet : {true, false})
        {
            Flight flight(isQuiet ? quiet : noisy, target, std::uint64_t(seed));
            flight.frames(2 * int(kGovernorSettling));
            const int changes = flight.scaleChanges();
            flight.frames(1'000);
            EXPECT_LE(flight.scaleChanges() - changes, isQuiet ? 1 : 4);
        }
    }
}

TEST(FrameTimeGovernor, ReturnsToWhatIsSetWhenFramesBecomeCheap)
{
    for (int seed = 1; seed <= scaled(50, 500); ++seed)
    {
        SCOPED_TRACE(seed);
        Random random{std::uint64_t(seed)};
        const Machine machine = anyMachine(random);
        Flight flight(machine, 1.2 * machine.msAt(kCoarsest), std::uint64_t(seed));
        flight.frames(int(kGovernorSettling));
        EXPECT_TRUE(flight.governor().lowered());
        flight.governor().setTarget(3 * machine.msAt({}));
        flight.frames(2 * int(kGovernorSettling));
        EXPECT_EQ(flight.governor().detail(), GovernedDetail{});
        EXPECT_FALSE(flight.governor().lowered());
        EXPECT_EQ(flight.governor().state(), GovernorState::kAtFinest);
    }
}

TEST(FrameTimeGovernor, DrawsFinerThanSetWhereThatIsAllowedAndTimeIsLeft)
{
    const Machine machine;
    const double target = 1.5 * machine.msAt({});
    Flight finer(machine, target, 1, 100, 1 / kMostCoarser), asSet(machine, target, 1);
    finer.frames(300);
    asSet.frames(300);
    EXPECT_LT(finer.governor().detail().coarser, 0.95);
    EXPECT_NEAR(finer.ms() / target, 0.95, 0.1);
    EXPECT_EQ(asSet.governor().detail(), GovernedDetail{});
    // Costs grow: it returns to the set thresholds before it lowers the scale, which frame() checks.
    finer.machine().pixels *= 3;
    finer.frames(300);
    EXPECT_LT(finer.governor().detail().scale, 100);
    EXPECT_LE(finer.ms(), 1.15 * target);
}

TEST(FrameTimeGovernor, SaysThatTheCoarsestTakesTooLong)
{
    for (int seed = 1; seed <= scaled(50, 500); ++seed)
    {
        SCOPED_TRACE(seed);
        Random random{std::uint64_t(seed)};
        const Machine machine = anyMachine(random);
        Flight flight(machine, 0.7 * machine.msAt(kCoarsest), std::uint64_t(seed));
        flight.frames(200);
        EXPECT_EQ(flight.governor().detail(), kCoarsest);
        EXPECT_EQ(flight.governor().state(), GovernorState::kUnreachable);
        EXPECT_NEAR(*flight.governor().reachedMs() / flight.ms(), 1, 0.15);
    }
}

TEST(FrameTimeGovernor, LeavesAScaleBelowTheLeastAlone)
{
    const Machine machine;
    Flight flight(machine, 0.5 * machine.msAt({40, 1}), 1, 40);
    flight.frames(200);
    EXPECT_EQ(flight.governor().detail().scale, 40);
    EXPECT_GT(flight.governor().detail().coarser, 1);
    flight.governor().setTarget(0);
    EXPECT_EQ(flight.governor().detail(), (GovernedDetail{40, 1}));
    EXPECT_EQ(flight.governor().state(), GovernorState::kOff);
    EXPECT_FALSE(flight.governor().report());
}

TEST(FrameTimeGovernor, AFewSlowFramesInARowChangeNothing)
{
    FrameTimeGovernor governor;
    governor.setRange(100, 1, kMostCoarser);
    governor.setTarget(10);
    for (std::uint64_t frame = 0; frame < 100; ++frame)
    {
        EXPECT_EQ(governor.begin(frame), GovernedDetail{}) << frame;
        governor.measured(frame, frame >= 50 && frame < 53 ? 40 : 9.5);
    }
}

// The first flight on a slow machine.
TEST(FrameTimeGovernor, TwoFramesFarOverTheTargetAreEnoughWhereNoneIsKnown)
{
    for (const double ms : {42.0, 200.0})
    {
        FrameTimeGovernor governor;
        governor.setRange(100, 1, kMostCoarser);
        governor.setTarget(20);
        governor.forget();
        for (std::uint64_t frame = 0; frame < 2; ++frame)
        {
            EXPECT_EQ(governor.begin(frame), GovernedDetail{});
            governor.measured(frame, ms);
        }
        EXPECT_EQ(governor.begin(2).scale, kMiddleScale);
        // At best, frames at 70 % take 21 and 98 ms.  The second needs coarser triangles, too.
        EXPECT_EQ(governor.detail().coarser > 1, ms > 100);
        EXPECT_EQ(governor.state(), GovernorState::kSettling);
    }
}

TEST(FrameTimeGovernor, IgnoresFramesThatWereDrawnBeforeAStep)
{
    FrameTimeGovernor governor;
    governor.setRange(100, 1, kMostCoarser);
    governor.setTarget(10);
    std::uint64_t frame = 0;
    while (governor.begin(frame).scale == 100)
        governor.measured(frame++, 15);
    const double scale = governor.detail().scale;
    EXPECT_EQ(scale, 80);
    for (std::uint64_t old = 0; old < frame; ++old)
        governor.measured(old, 15);
    governor.measured(frame + 5, std::nan(""));
    governor.measured(frame + 5, -1);
    EXPECT_EQ(governor.begin(++frame).scale, scale);
    EXPECT_FALSE(governor.reachedMs());
}

}  // namespace
}  // namespace orogen::test
