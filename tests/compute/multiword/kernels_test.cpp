// Multiword addition by kernels on the host executor: every vector, in every schedule, against the schoolbook method.
#include <cctype>
#include <limits>

#include <gtest/gtest.h>

#include "compute/device/kernel_target.h"
#include "compute/multiword/kernels/add_method.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/kernels/paper3.h"
#include "compute/multiword/kernels/recursive.h"
#include "compute/multiword/kernels/tiles.h"
#include "tests/compute/add_vectors.h"
#include "tests/compute/host_schedules.h"

namespace orogen::test {
namespace {

using compute::AddKernel;
using compute::AddKernelRun;
using compute::HostSchedule;

constexpr unsigned kPaper3Threads = 64;  // per block of iterations; small, since time grows quadratically

// Returns the limbs that one block adds at a time.
std::size_t tileOf(AddKernel algorithm)
{
    switch (algorithm)
    {
    case AddKernel::kPaper3:
        return kPaper3Threads * compute::kGroupLimbs;
    case AddKernel::kRecursive:
        return compute::kRecursivePlaces;
    default:
        return compute::kTileLimbs;
    }
}

class MultiwordKernels : public testing::TestWithParam<AddKernel>
{
protected:
    const std::size_t tile_ = tileOf(GetParam());
    const std::size_t threeTiles_ = 3 * tile_ + 37;

    // Adds and subtracts, with and without carry-in.
    void expectRight(const AddVector& vector, const HostSchedule& schedule) const
    {
        for (const bool subtract : {false, true})
            for (const bool carryIn : {false, true})
                expectRight(vector, carryIn, subtract, schedule);
    }

    void expectRight(const AddVector& vector, bool carryIn, bool subtract, const HostSchedule& schedule,
                     const compute::AddKernelOptions& options = {.paper3Threads = kPaper3Threads}) const
    {
        SCOPED_TRACE(vector.name + ", " + std::to_string(vector.x.size()) + " limbs, carry in " +
                     std::to_string(carryIn) + (subtract ? ", subtraction, " : ", addition, ") + textOf(schedule));
        AddAnswer found{Limbs(vector.x.size(), 0xdeadbeef), !carryIn};
        const Result<AddKernelRun> run = compute::addOnHostKernel(
            GetParam(), {vector.x, vector.y, found.result, carryIn, subtract}, schedule, options);
        ASSERT_TRUE(run) << run.error().message;
        found.carryOut = run->carryOut;
        EXPECT_TRUE(found == schoolbook(vector.x, vector.y, carryIn, subtract));
        EXPECT_GT(run->executor.blocks, 0u);
        EXPECT_GE(run->executor.switches, run->executor.threads);
    }

    void expectRight(const std::vector<AddVector>& vectors) const
    {
        for (const HostSchedule& schedule : hostSchedules())
            for (const AddVector& vector : vectors)
            {
                expectRight(vector, schedule);
                if (HasFailure()) return;
            }
    }
};

std::string testName(const testing::TestParamInfo<AddKernel>& info)
{
    std::string name;
    for (const char letter : compute::nameOf(info.param))
        if (std::isalnum(letter)) name += letter;
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, MultiwordKernels, testing::ValuesIn(compute::kAddKernels), testName);

TEST_P(MultiwordKernels, AddShortNumbers)
{
    for (const std::size_t n : {1, 15, 16, 17, 31, 32, 33, 63, 64, 65})
    {
        expectRight(plainVectors(n));
        expectRight({groupVectors(n, 4)});
        expectRight({chainsOf(n, n)});
    }
}

TEST_P(MultiwordKernels, CarryFromEveryLimbOfShortNumbers)
{
    for (const std::size_t n : {1, 15, 16, 17, 31, 32, 33, 63, 64, 65})
        for (std::size_t at = 0; at < n; ++at)
            for (const HostSchedule& schedule : hostSchedules(at + 1))
            {
                if (schedule.residentBlocks != 1) continue;  // a single block
                expectRight(chainFrom(n, at), false, false, schedule);
                expectRight(chainUntil(n, at), false, false, schedule);
            }
}

TEST_P(MultiwordKernels, AddNumbersAsLongAsATile)
{
    for (const std::size_t n : {tile_ - 1, tile_, tile_ + 1})
        expectRight(plainVectors(n));
}

TEST_P(MultiwordKernels, AddSeveralTiles)
{
    for (const HostSchedule& schedule : hostSchedules())
    {
        for (const AddVector& vector : plainVectors(threeTiles_))
            expectRight(vector, true, false, schedule);
        for (const std::size_t group : {std::size_t(32), tile_})
            for (const AddVector& vector : groupVectors(threeTiles_, group))
                expectRight(vector, false, false, schedule);
        expectRight(chainsOf(threeTiles_, schedule.residentBlocks), true, true, schedule);
    }
}

// Carries begin or end beside every edge of lanes, rows, warps and tiles.
TEST_P(MultiwordKernels, CarryAcrossEveryEdge)
{
    std::vector<std::size_t> edges;
    for (const std::size_t edge :
         {std::size_t(4), std::size_t(32), tile_ / 8, tile_ / 4, tile_ / 8 * 7, tile_, 2 * tile_})
        edges.insert(edges.end(), {edge - 1, edge});
    for (const HostSchedule& schedule : hostSchedules(3))
        for (const std::size_t edge : edges)
        {
            expectRight(chainFrom(threeTiles_, edge), false, false, schedule);
            expectRight(chainUntil(threeTiles_, edge), false, false, schedule);
        }
}

TEST_P(MultiwordKernels, ResultMayBeAnOperand)
{
    const AddVector vector = chainsOf(threeTiles_, 11);
    for (const HostSchedule& schedule : hostSchedules(5))
        for (const bool subtract : {false, true})
        {
            SCOPED_TRACE(textOf(schedule));
            Limbs x = vector.x, y = vector.y, both = vector.x;
            const compute::AddKernelOptions options = {.paper3Threads = kPaper3Threads};
            ASSERT_TRUE(compute::addOnHostKernel(GetParam(), {x, vector.y, x, true, subtract}, schedule, options));
            ASSERT_TRUE(compute::addOnHostKernel(GetParam(), {vector.x, y, y, true, subtract}, schedule, options));
            ASSERT_TRUE(compute::addOnHostKernel(GetParam(), {both, both, both, true, subtract}, schedule, options));
            EXPECT_EQ(x, schoolbook(vector.x, vector.y, true, subtract).result);
            EXPECT_EQ(y, x);
            EXPECT_EQ(both, schoolbook(vector.x, vector.x, true, subtract).result);
        }
}

// More tiles than scan threads in two-pass, so that a thread handles two tiles: one stops or generates a carry, the
// other propagates it, in either order.
TEST_P(MultiwordKernels, AddMoreTilesThanThreadsScanThem)
{
    const std::size_t tiles = GetParam() == AddKernel::kPaper3 ? 15 : 1500;  // paper-3's time grows with the square
    const std::size_t n = tiles * tile_ + 3;
    for (const std::size_t killed : {tiles / 2, tiles / 2 + 1})
        expectRight(chainUntil(n, killed * tile_ + 5), false, false, {});
    for (const AddVector& vector : groupVectors(n, tile_))
        expectRight(vector, true, false, {});
}

// Cuts the work into launches of one block (or half an iteration), of three, and of all.
TEST_P(MultiwordKernels, EveryWayOfCuttingTheLaunchesGivesTheSameSum)
{
    for (const HostSchedule& schedule : hostSchedules(7))
        for (const std::uint64_t steps :
             {std::uint64_t(1), std::uint64_t(3), std::numeric_limits<std::uint64_t>::max()})
            for (const AddVector& vector : {chainFrom(threeTiles_, tile_ - 1), chainsOf(threeTiles_, 4)})
                expectRight(vector, true, false, schedule, {.paper3Threads = kPaper3Threads, .launchSteps = steps});
}

// Checks that data left in the target's memory does not affect the next addition.
TEST_P(MultiwordKernels, AddOneNumberAfterAnotherWithNothingCleared)
{
    const std::size_t n = threeTiles_;
    const std::vector<AddVector> vectors = {chainFrom(n, 0), chainUntil(n, tile_), chainFrom(n, 2 * tile_),
                                            plainVectors(n)[0], chainUntil(n, 2 * tile_ + 1)};
    for (const HostSchedule& schedule : hostSchedules(9))
        for (const std::uint64_t steps : {std::uint64_t(0), std::uint64_t(1)})
        {
            const auto target = compute::makeHostTarget(schedule);
            const auto method =
                compute::makeAddMethod(GetParam(), {.paper3Threads = kPaper3Threads, .launchSteps = steps});
            const Result<compute::TargetMemory> memory = target->allocate(sizeof(compute::AddControl));
            ASSERT_TRUE(memory && target->fill(*memory, 0) && method->allocate(*target, n));
            auto* const control = memory->as<compute::AddControl>();
            for (const AddVector& vector : vectors)
            {
                AddAnswer found{Limbs(n), false};
                const Status status =
                    method->run(*target, {vector.x.data(), vector.y.data(), found.result.data(), n, 0, 0}, control, {});
                ASSERT_TRUE(status) << status.error().message;
                found.carryOut = control->carryOut != 0;
                EXPECT_TRUE(found == schoolbook(vector.x, vector.y, false, false))
                    << vector.name << ", " << textOf(schedule);
            }
        }
}

// Uses the program's block size: fewer, larger blocks reach a grid barrier sooner.
TEST(Paper3Kernel, RunsItsIterationsInBlocksOf1024Threads)
{
    const std::size_t block = 4 * compute::kPaper3Threads;  // limbs
    AddVector vector = chainFrom(2 * block + 5, block - 9);
    vector.x[block + 9] = 0;
    for (const unsigned resident : {1u, 3u})
    {
        AddAnswer found{Limbs(vector.x.size()), false};
        const HostSchedule schedule = {compute::ThreadOrder::kForward, 1, resident, {}};
        const Result<AddKernelRun> run = compute::addOnHostKernel(
            AddKernel::kPaper3, {vector.x, vector.y, found.result}, schedule, {.untilStill = true});
        ASSERT_TRUE(run) << run.error().message;
        found.carryOut = run->carryOut;
        EXPECT_TRUE(found == schoolbook(vector.x, vector.y, false, false));
        EXPECT_GE(run->executor.threads, resident * compute::kPaper3Threads);
    }
}

compute::AddOperations paper3Operations(const AddVector& vector, bool untilStill, std::uint64_t launchSteps = 0)
{
    Limbs result(vector.x.size());
    compute::AddKernelOptions options;
    options.paper3Threads = kPaper3Threads;
    options.untilStill = untilStill;
    options.launchSteps = launchSteps;
    const Result<AddKernelRun> run =
        compute::addOnHostKernel(AddKernel::kPaper3, {vector.x, vector.y, result}, {}, options);
    EXPECT_TRUE(run);
    return run ? run->operations : compute::AddOperations{};
}

// The paper prints 4k + 59. The addition of step 17 makes it 5k + 59; step 2 is unnecessary, and the correction loop's
// 48 operations become 2.
TEST(Paper3Operations, AreThePapersFormula)
{
    for (const std::uint64_t k : {1u, 2u, 16u, 100u})
    {
        const compute::AddOperations operations = paper3Operations(chainsOf(4 * k, k), false);
        EXPECT_EQ(operations.words, 5 * k + 59 - 1 - 48 + 2);
        EXPECT_EQ(operations.vectors, 15u);
        EXPECT_EQ(operations.barriers, 2 * k + 1);
    }
}

TEST(Paper3Operations, AreCountedAcrossLaunches)
{
    const std::uint64_t k = 100;
    for (const std::uint64_t steps : {1u, 3u, 64u})
        for (const bool untilStill : {false, true})
        {
            const compute::AddOperations operations = paper3Operations(chainUntil(4 * k, 4 * 40), untilStill, steps);
            const std::uint64_t iterations = untilStill ? 41 : k;
            EXPECT_EQ(operations.words, 5 * iterations + 12) << steps;
            EXPECT_EQ(operations.vectors, 15u) << steps;
            EXPECT_EQ(operations.barriers, 2 * iterations + 1) << steps;
        }
}

// The chain advances one group per iteration; the last iteration changes nothing.
TEST(Paper3Operations, StopWhenNothingChanges)
{
    const std::uint64_t k = 100;
    for (const std::size_t killedIn : {std::size_t(1), std::size_t(7), std::size_t(60)})
    {
        const compute::AddOperations operations = paper3Operations(chainUntil(4 * k, 4 * killedIn), true);
        EXPECT_EQ(operations.words, 5 * (killedIn + 1) + 12) << killedIn;
    }
    EXPECT_EQ(paper3Operations(plainVectors(4 * k).front(), true).words, 5u + 12);
}

}  // namespace
}  // namespace orogen::test
