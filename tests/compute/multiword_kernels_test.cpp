// Multiword addition by kernels, on the host executor: every vector, in every schedule, against the schoolbook method.
#include <cctype>

#include <gtest/gtest.h>

#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/kernels/paper3.h"
#include "compute/multiword/kernels/recursive.h"
#include "compute/multiword/kernels/tile.h"
#include "tests/compute/add_vectors.h"
#include "tests/compute/host_schedules.h"

namespace orogen::test {
namespace {

using compute::AddKernel;
using compute::AddKernelRun;
using compute::HostSchedule;

// What one block adds at a time.
std::size_t tileOf(AddKernel algorithm)
{
    switch (algorithm)
    {
    case AddKernel::kPaper3:
        return compute::kPaper3Threads * compute::kGroupLimbs;
    case AddKernel::kRecursive:
        return compute::kRecursiveThreads;
    default:
        return compute::kTileLimbs;
    }
}

class MultiwordKernels : public testing::TestWithParam<AddKernel>
{
protected:
    const std::size_t tile_ = tileOf(GetParam());
    const std::size_t threeTiles_ = 3 * tile_ + 37;

    // Adds and subtracts, with and without a carry that enters.
    void expectRight(const AddVector& vector, const HostSchedule& schedule) const
    {
        for (const bool subtract : {false, true})
            for (const bool carryIn : {false, true})
                expectRight(vector, carryIn, subtract, schedule);
    }

    void expectRight(const AddVector& vector, bool carryIn, bool subtract, const HostSchedule& schedule) const
    {
        SCOPED_TRACE(vector.name + ", " + std::to_string(vector.x.size()) + " limbs, carry in " +
                     std::to_string(carryIn) + (subtract ? ", subtraction, " : ", addition, ") + textOf(schedule));
        AddAnswer found{Limbs(vector.x.size(), 0xdeadbeef), !carryIn};
        const Result<AddKernelRun> run =
            compute::addOnHostKernel(GetParam(), {vector.x, vector.y, found.result, carryIn, subtract}, schedule);
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
                if (schedule.residentBlocks != 1) continue;  // there is only one block
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

// A carry that begins, or ends, beside every edge there is: of lanes, rows, warps, tiles.
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

}  // namespace
}  // namespace orogen::test
