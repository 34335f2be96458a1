// Cramer's rule in kernels: bit-identical to the CPU in every schedule, and each barrier is necessary.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "compute/linear_algebra/matrix.h"
#include "tests/compute/host_schedules.h"

namespace orogen {
namespace {

using namespace compute;
using test::hostSchedules;

// Returns an asymmetric matrix, so that rows are swapped.
Matrix mixedUp(std::size_t size)
{
    Matrix a = randomSpd(size, 20, size);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < i; ++j)
            a(i, j) += double((i * 7 + j * 3) % 5);
    return a;
}

std::vector<double> rightSide(std::size_t size)
{
    std::vector<double> b(size);
    for (std::size_t i = 0; i < size; ++i)
        b[i] = std::sin(double(i) + 1);
    return b;
}

Result<CgKernelRun> solve(const Matrix& a, const std::vector<double>& b, const HostSchedule& schedule)
{
    const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
    ThreadPool pool(1);
    return solveByCramerOnTarget(*target, a, b, {}, pool);
}

std::vector<double> onCpu(const Matrix& a, const std::vector<double>& b)
{
    ThreadPool pool(1);
    return solveByCramer(a, b, {}, pool).x;
}

TEST(CramerKernels, HaveTheBitsOfTheCpuInEverySchedule)
{
    for (const std::size_t size : {1, 2, 3, 5, 12, 20})
        for (const HostSchedule& schedule : hostSchedules())
        {
            const Matrix a = mixedUp(size);
            const std::vector<double> b = rightSide(size);
            const Result<CgKernelRun> run = solve(a, b, schedule);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(run->solution.x, onCpu(a, b)) << size << ", " << test::textOf(schedule);
            EXPECT_EQ(run->executor.blocks, size + 1);
        }
}

TEST(CramerKernels, SayWhyNotAsTheCpuDoes)
{
    Matrix singular(2, 2, 1.0), unknown(2, 2, 1.0);
    unknown(0, 1) = std::nan("");
    for (const auto& [a, reason] : {std::pair{&singular, StopReason::kSingular}, {&unknown, StopReason::kNotFinite}})
    {
        const Result<CgKernelRun> run = solve(*a, {1, 2}, {});
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->solution.reason, reason);
        EXPECT_EQ(run->solution.x, (std::vector<double>{0, 0}));
    }
}

bool isSoundInAChild(const Matrix& a, const std::vector<double>& b, const HostSchedule& schedule)
{
    const pid_t child = fork();
    if (child == 0)
    {
        close(STDERR_FILENO);
        const Result<CgKernelRun> run = solve(a, b, schedule);
        _exit(run && run->solution.x == onCpu(a, b) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(CramerKernels, EachBarrierIsMissed)
{
    const Matrix a = mixedUp(9);
    const std::vector<double> b = rightSide(9);
    const Result<CgKernelRun> whole = solve(a, b, {});
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->barriers.size(), 4u);
    for (const BarrierSite& barrier : whole->barriers)
    {
        bool missed = false;
        for (HostSchedule schedule : hostSchedules())
        {
            schedule.skipped = barrier;
            missed = missed || !isSoundInAChild(a, b, schedule);
        }
        EXPECT_TRUE(missed) << "without the barrier of line " << barrier.line;
    }
}

}  // namespace
}  // namespace orogen
