// Every barrier in the kernels of multiword addition is necessary: omitting one gives an error in some schedule.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "compute/device/kernel_target.h"
#include "compute/multiword/kernels/add_method.h"
#include "compute/multiword/kernels/paper3.h"
#include "compute/multiword/kernels/tiles.h"
#include "tests/compute/add_vectors.h"
#include "tests/compute/host_schedules.h"

namespace orogen::test {
namespace {

using namespace compute;

// Stops paper-3 when nothing changes, in blocks so small that several take part.
const AddKernelOptions kOptions = {.untilStill = true, .paper3Threads = 64};

// Checks the results that depend on the operands only.
bool isSound(AddKernel algorithm, const AddVector& vector, const HostSchedule& schedule, const AddOperations& expected)
{
    AddAnswer found{Limbs(vector.x.size()), false};
    const Result<AddKernelRun> run = addOnHostKernel(algorithm, {vector.x, vector.y, found.result}, schedule, kOptions);
    if (!run) return false;
    found.carryOut = run->carryOut;
    return found == schoolbook(vector.x, vector.y, false, false) && run->operations.words == expected.words &&
           run->operations.barriers == expected.barriers;
}

// Runs in a child process: a kernel without a barrier may write anywhere, and a crash also counts as an error.
bool isSoundInAChild(AddKernel algorithm, const AddVector& vector, const HostSchedule& schedule,
                     const AddOperations& expected)
{
    const pid_t child = fork();
    if (child == 0)
    {
        close(STDERR_FILENO);  // hides a sanitizer's report of the intended crash
        _exit(isSound(algorithm, vector, schedule, expected) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

class MultiwordBarriers : public testing::TestWithParam<AddKernel>
{
protected:
    static constexpr std::size_t kLimbs = 2 * kTileLimbs + 5;

    static std::vector<AddVector> vectors() { return {chainFrom(kLimbs, 0), chainsOf(kLimbs, 7)}; }

    static AddOperations operationsOf(const AddVector& vector)
    {
        Limbs result(kLimbs);
        const Result<AddKernelRun> run = addOnHostKernel(GetParam(), {vector.x, vector.y, result}, {}, kOptions);
        EXPECT_TRUE(run);
        return run ? run->operations : AddOperations{};
    }

    static bool isMissed(const BarrierSite& barrier)
    {
        for (const AddVector& vector : vectors())
        {
            const AddOperations expected = operationsOf(vector);
            for (HostSchedule schedule : hostSchedules())
            {
                EXPECT_TRUE(isSound(GetParam(), vector, schedule, expected)) << textOf(schedule);
                schedule.skipped = barrier;
                if (!isSoundInAChild(GetParam(), vector, schedule, expected)) return true;
            }
        }
        return false;
    }
};

INSTANTIATE_TEST_SUITE_P(All, MultiwordBarriers, testing::ValuesIn(kAddKernels));

TEST_P(MultiwordBarriers, EachOneIsMissed)
{
    const std::size_t expected[] = {2, 0, 3, 3};  // distinct barriers of paper-3, recursive, lookback, two-pass
    static_assert(std::size(expected) == std::size(kAddKernels));
    const AddVector vector = vectors().front();
    Limbs result(kLimbs);
    const Result<AddKernelRun> run = addOnHostKernel(GetParam(), {vector.x, vector.y, result}, {}, kOptions);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->barriers.size(), expected[int(GetParam())]);
    for (const BarrierSite& barrier : run->barriers)
        EXPECT_TRUE(isMissed(barrier)) << "without the barrier of " << barrier.file << ":" << barrier.line;
}

}  // namespace
}  // namespace orogen::test
