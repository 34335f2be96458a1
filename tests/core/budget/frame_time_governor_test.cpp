// Frame-time governor on simulated machines: fixed cost, cost per triangle, noise, outliers, measurements four frames
// late, triangle counts that follow slowly, and changing costs.
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

constexpr int kDelay = 4;  // frames until a frame's time is known

struct Machine
{
    double fixed = 2, slope = 1e-5;  // milliseconds, and milliseconds per triangle
    double noise = 0.03;             // standard deviation of a time's logarithm
    double outliers = 0.05;          // share of frames that take two to five times as long
    double lag = 4;                  // frames for the triangle count to approach the target
    double least = 2'000, most = 5e7;
    double triangles = 400'000;

    double ms() const { return fixed + slope * triangles; }
};

double normal(Random& random)
{
    const double u = 1 - random.unit(), v = random.unit();
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

class Flight
{
public:
    Flight(const Machine& machine, double target, std::uint64_t seed) : machine_(machine), random_(seed)
    {
        governor_.setTarget(target);
    }

    void frame()
    {
        const double before = governor_.triangleTarget();
        if (before > 0)
            machine_.triangles +=
                (std::clamp(before, machine_.least, machine_.most) - machine_.triangles) / machine_.lag;
        double seen = machine_.ms() * std::exp(machine_.noise * normal(random_));
        if (random_.unit() < machine_.outliers) seen *= 2 + 3 * random_.unit();
        late_.push_back({seen, machine_.triangles});
        if (late_.size() <= std::size_t(kDelay)) return;
        governor_.measured(++answered_, late_.front().first, late_.front().second);
        late_.pop_front();
        if (before > 0) step_ = std::abs(governor_.triangleTarget() / before - 1);
    }

    // Flies on; returns the frames after which the true frame time stayed within the tolerance.
    int settle(int frames)
    {
        int settled = 0;
        for (int i = 0; i < frames; ++i)
        {
            frame();
            if (std::abs(machine_.ms() / governor_.targetMs() - 1) > kGovernorTolerance) settled = i + 1;
        }
        return settled;
    }

    Machine& machine() { return machine_; }
    FrameTimeGovernor& governor() { return governor_; }
    double step() const { return step_; }

private:
    Machine machine_;
    Random random_;
    FrameTimeGovernor governor_;
    std::deque<std::pair<double, double>> late_;
    std::uint64_t answered_ = 0;
    double step_ = 0;
};

// Returns a machine, a target that it can hold, and a start up to thirty times too fine or too coarse.
std::pair<Machine, double> anyMachine(Random& random)
{
    Machine machine;
    machine.fixed = 0.3 * std::pow(100.0, random.unit());
    machine.noise = 0.01 + 0.05 * random.unit();
    machine.lag = 1 + 9 * random.unit();
    const double target = machine.fixed * (1.25 + 20 * random.unit());
    const double right = 2e4 * std::pow(500.0, random.unit());
    machine.slope = (target - machine.fixed) / right;
    machine.triangles = std::max(right * std::pow(30.0, 2 * random.unit() - 1), machine.least);
    return {machine, target};
}

TEST(FrameTimeGovernor, HoldsTheTargetOnAnyMachineAndAfterItsCostChanges)
{
    const int last = scaled(60, 3'000);
    for (int i = 0; i <= last; ++i)
    {
        const int seed = i == 0 ? 855 : i;  // 855: measurements before the change mislead
        SCOPED_TRACE(seed);
        Random random{std::uint64_t(seed)};
        const auto [machine, target] = anyMachine(random);
        Flight flight(machine, target, std::uint64_t(seed));
        EXPECT_LE(flight.settle(400), int(kGovernorSettling));
        EXPECT_EQ(flight.governor().state(), GovernorState::kHeld);
        const double factor = std::pow(2.0, 2 * random.unit() - 1);
        (random.chance(1, 2) ? flight.machine().slope : flight.machine().fixed) *= factor;
        flight.machine().fixed = std::min(flight.machine().fixed, 0.8 * target);
        EXPECT_LE(flight.settle(300), int(kGovernorSettling));
    }
}

TEST(FrameTimeGovernor, MovesByOnePercentAFrameAtMostOnceItHolds)
{
    for (int seed = 1; seed <= scaled(20, 500); ++seed)
    {
        SCOPED_TRACE(seed);
        Random random{std::uint64_t(seed)};
        const auto [machine, target] = anyMachine(random);
        Flight flight(machine, target, std::uint64_t(seed));
        (void)flight.settle(int(kGovernorSettling));
        for (int frame = 0; frame < 400; ++frame)
        {
            flight.frame();
            ASSERT_LE(flight.step(), kGovernorNearStep + 1e-9) << frame;
        }
    }
}

TEST(FrameTimeGovernor, AFewSlowFramesInARowAreNoReasonForALargeStep)
{
    FrameTimeGovernor governor;
    governor.setTarget(10);
    std::uint64_t frame = 0;
    for (; frame < 100; ++frame)
        governor.measured(frame, 10, 1e6);
    ASSERT_EQ(governor.state(), GovernorState::kHeld);
    for (; frame < 130; ++frame)
    {
        const double before = governor.triangleTarget();
        governor.measured(frame, frame < 107 ? 40 : 10, 1e6);
        EXPECT_NEAR(governor.triangleTarget() / before, 1, kGovernorNearStep + 1e-9) << frame;
    }
}

TEST(FrameTimeGovernor, SaysThatATargetBelowTheFixedCostIsUnreachableAndWhatIsReachable)
{
    for (int seed = 1; seed <= scaled(20, 100); ++seed)
    {
        SCOPED_TRACE(seed);
        Random random{std::uint64_t(seed)};
        Machine machine = anyMachine(random).first;
        machine.least = random.chance(1, 2) ? 100 : 50'000;  // drawn by the coarsest tree
        machine.triangles = std::max(machine.triangles, 2 * machine.least);
        Flight flight(machine, 0.7 * (machine.fixed + machine.slope * machine.least), std::uint64_t(seed));
        (void)flight.settle(200);  // starts up to a thousand times too fine
        ASSERT_EQ(flight.governor().state(), GovernorState::kUnreachable);
        const double least = std::max(machine.least, kGovernorLeast);
        const double smallest = machine.fixed + machine.slope * least;
        EXPECT_NEAR(*flight.governor().smallestMs() / smallest, 1.0, 0.2);
        flight.governor().setTarget(2 * smallest);
        EXPECT_FALSE(flight.governor().smallestMs());
        EXPECT_LE(flight.settle(300), int(kGovernorSettling));
    }
}

TEST(FrameTimeGovernor, SaysWhereTheFinestTakesLess)
{
    Machine machine;
    machine.most = 500'000;
    Flight flight(machine, 40, 1);  // the finest takes 7 ms
    (void)flight.settle(int(kGovernorSettling));
    EXPECT_EQ(flight.governor().state(), GovernorState::kAtFinest);
    EXPECT_LE(flight.governor().triangleTarget(), 3.5 * machine.most);  // bounded, so that it drops quickly when needed
}

TEST(FrameTimeGovernor, WithoutATargetAsksForNothing)
{
    Flight flight({}, 0, 1);
    for (int frame = 0; frame < 50; ++frame)
        flight.frame();
    EXPECT_EQ(flight.governor().triangleTarget(), 0.0);
    EXPECT_EQ(flight.governor().state(), GovernorState::kOff);
    EXPECT_NEAR(*flight.governor().reachedMs(), 6, 0.6);
}

TEST(FrameTimeGovernor, TakesAnswersInAnyOrderAndLeavesOutWhatIsNoNumber)
{
    FrameTimeGovernor orderly, shuffled;
    orderly.setTarget(10);
    shuffled.setTarget(10);
    for (std::uint64_t frame = 0; frame < 60; frame += 2)
    {
        const double of[] = {8 + double(frame % 7), 8 + double((frame + 1) % 7)};
        orderly.measured(frame, of[0], 1e6);
        orderly.measured(frame + 1, of[1], 1e6);
        shuffled.measured(frame + 1, of[1], 1e6);
        shuffled.measured(frame, of[0], 1e6);
        shuffled.measured(frame, std::nan(""), 1e6);
        shuffled.measured(frame, 5, 0);
        shuffled.measured(frame, -1, 1e6);
    }
    EXPECT_EQ(orderly.reachedMs(), shuffled.reachedMs());
}

}  // namespace
}  // namespace orogen::test
