// Conjugate gradients by kernels on the host executor, in every schedule, against elimination and the CPU solver.
// Results are bit-identical for any grid, and every barrier is necessary. On the fake GPU, each call fails in turn.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/compute/cg_solves.h"
#include "tests/compute/fake_cuda.h"
#include "tests/compute/host_schedules.h"

namespace orogen::test {
namespace {

// Uses sizes around a group of rows, a tile, and the columns of a block.
TEST(CgKernelsThorough, SolveInEveryScheduleWithTheSameBits)
{
    for (const std::size_t n : {1, 9, 65})
    {
        const Matrix a = randomSpd(n, 4, n);
        const Vector b = wave(n);
        for (const Method& method : kMethods)
        {
            Vector first;
            for (const HostSchedule& schedule : hostSchedules(n))
            {
                SCOPED_TRACE(std::string(method.name) + ", n " + std::to_string(n) + ", " + textOf(schedule));
                const Result<CgKernelRun> run =
                    solveOn(schedule, method, a, b, {.jacobi = n == 9}, {.stepsALaunch = 3});
                ASSERT_TRUE(run) << run.error().message;
                ASSERT_EQ(run->solution.reason, StopReason::kConverged) << textOf(run->solution.reason);
                ASSERT_LE(residualOf(a, b, run->solution.x), 1.001e-10);
                EXPECT_EQ(run->persistent, method.algorithm == CgAlgorithm::kHestenesStiefel && !method.plain);
                EXPECT_GT(run->executor.blocks, 0u);
                EXPECT_GT(run->executor.switches, 0u);
                if (first.empty()) first = run->solution.x;
                ASSERT_TRUE(sameBits(run->solution.x, first));
            }
        }
    }
}

TEST(CgKernelsThorough, GiveTheSameBitsForAnyGridAndAnyLengthOfALaunch)
{
    const Matrix a = randomSpd(600, 10, 3);
    const Vector b = wave(600);
    for (const Method& method : kMethods)
    {
        if (method.algorithm == CgAlgorithm::kPaper) continue;  // shares its kernels with another method
        Vector first;
        for (const unsigned blocks : {~0u, 1u, 7u})
        {
            const HostSchedule schedule{ThreadOrder::kForward, 1, HostSchedule::kAllBlocks, {}};
            const CgKernelOptions kernels = {.stepsALaunch = blocks == 7 ? 1 : 5 + blocks % 3, .mostBlocks = blocks};
            const SolveOptions options = {.relativeTolerance = 0, .maxIterations = 4};
            const Result<CgKernelRun> run = solveOn(schedule, method, a, b, options, kernels);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(run->solution.iterations, 4u);
            if (first.empty()) first = run->solution.x;
            EXPECT_TRUE(sameBits(run->solution.x, first)) << method.name << ", at most " << blocks << " blocks";
        }
    }
}

// Iterations, products and history equal the CPU's; residuals agree up to rounding.
TEST(CgKernels, GoTheWayThatTheCpuGoes)
{
    Matrix a = randomSpd(90, 8, 6);
    for (std::size_t i = 0; i < 90; ++i)
        for (std::size_t j = 0; j < 90; ++j)
            a(i, j) *= std::pow(1.2, double(i % 3) + double(j % 3));
    const Vector b = wave(90);
    ThreadPool pool(1);
    for (const Method& method : kMethods)
        for (const bool jacobi : {false, true})
        {
            SCOPED_TRACE(method.name);
            const SolveOptions options = {.relativeTolerance = 1e-6, .jacobi = jacobi};
            const Solution expected = solveByConjugateGradients(method.algorithm, *denseOperator(a), b, options, pool);
            const bool steps = method.plain || method.algorithm != CgAlgorithm::kHestenesStiefel;
            const Result<CgKernelRun> run =
                solveOn(HostSchedule{}, method, a, b, options, {.stepsALaunch = steps ? 2u : 1000u});
            ASSERT_TRUE(run) << run.error().message;
            const Solution& found = run->solution;
            EXPECT_EQ(found.reason, StopReason::kConverged);
            EXPECT_NEAR(double(found.iterations), double(expected.iterations), 1);
            EXPECT_EQ(found.history.size(), found.iterations + 1);
            if (run->persistent && !method.half)
            {
                EXPECT_EQ(run->executor.blocks, 34u) << "two residuals of 12 + 1 + 1 blocks, and one launch of 6";
            }
            const bool paper = method.algorithm == CgAlgorithm::kPaper;
            EXPECT_EQ(found.products, paper ? 3 * found.iterations + 1 : found.iterations + 3);
            for (std::size_t i = 0; i < std::min<std::size_t>(found.history.size(), 8); ++i)
                EXPECT_NEAR(found.history[i], expected.history[i], 1e-7 * expected.history[i]) << i;
        }
}

TEST(CgKernels, SolveSparseSystems)
{
    for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{1, 1}, {3, 1}, {13, 9}, {40, 7}})
    {
        const SparseMatrix sparse = poissonMatrix(width, height);
        const Matrix a = denseOf(sparse);
        const Vector b = wave(width * height);
        ThreadPool pool(1);
        for (const Method& method : kMethods)
        {
            if (method.half) continue;
            const std::unique_ptr<KernelTarget> target = makeHostTarget({ThreadOrder::kRandom, 1, 3, {}});
            const Result<CgKernelRun> run =
                solveOnTarget(*target, method.algorithm, {.sparse = &sparse}, *sparseOperator(sparse), b, {}, pool,
                              {.plain = method.plain});
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(run->solution.reason, StopReason::kConverged);
            EXPECT_LE(residualOf(a, b, run->solution.x), 1.001e-10) << method.name;
        }
    }
}

TEST(CgKernels, TheHalfReadsNothingAboveTheDiagonal)
{
    Matrix a = randomSpd(70, 4, 6);
    const Vector b = wave(70);
    for (const Method& method : {kMethods[4], kMethods[5]})
    {
        Matrix lower = a.copy();
        for (std::size_t i = 0; i < 70; ++i)
            for (std::size_t j = i + 1; j < 70; ++j)
                lower(i, j) = std::numeric_limits<double>::quiet_NaN();
        ThreadPool pool(1);
        const std::unique_ptr<KernelTarget> target = makeHostTarget({});
        const Result<CgKernelRun> run = solveOnTarget(*target, method.algorithm, {.dense = &lower, .half = true},
                                                      *denseOperator(a), b, {}, pool, {.plain = method.plain});
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->solution.reason, StopReason::kConverged) << method.name;
        EXPECT_LE(residualOf(a, b, run->solution.x), 1.001e-10);
    }
}

TEST(CgKernels, EndForTheReasonsOfTheCpu)
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const struct
    {
        const char* name;
        Matrix a;
        Vector b;
    } cases[] = {{"unit matrix", diagonalMatrix(Vector(5, 1.0)), wave(5)},
                 {"two eigenvalues", diagonalMatrix({1, 1, 2, 2}), {1, 2, 3, 4}},
                 {"b = 0", diagonalMatrix({1, 2, 3}), {0, 0, 0}},
                 {"indefinite, later", diagonalMatrix({5, 3, 1, -1}), {1, 1, 1, 1}},
                 {"negative", diagonalMatrix({-1, -2}), {1, 1}},
                 {"zero", diagonalMatrix({0, 0}), {1, 1}},
                 {"NaN in A", diagonalMatrix({1, nan}), {1, 1}},
                 {"NaN in A, b = 0", diagonalMatrix({1, nan}), {0, 0}},
                 {"inf in b", diagonalMatrix({1, 2}), {-inf, 1}},
                 {"x too large", diagonalMatrix({1e-300, 1e-300}), {1e300, 1e300}},
                 {"large b", diagonalMatrix({1, 2}), {1e300, 1e300}},
                 {"small b", diagonalMatrix({1, 2}), {1e-310, 3e-310}}};
    ThreadPool pool(1);
    for (const auto& [name, a, b] : cases)
        for (const Method& method : kMethods)
            for (const bool jacobi : {false, true})
            {
                SCOPED_TRACE(std::string(name) + ", " + method.name + (jacobi ? ", jacobi" : ""));
                const SolveOptions options = {.jacobi = jacobi};
                const Solution expected =
                    solveByConjugateGradients(method.algorithm, *denseOperator(a), b, options, pool);
                const Result<CgKernelRun> run = solveOn(HostSchedule{}, method, a, b, options);
                ASSERT_TRUE(run) << run.error().message;
                EXPECT_EQ(run->solution.reason, expected.reason) << textOf(run->solution.reason);
                EXPECT_EQ(run->solution.iterations, expected.iterations);
                EXPECT_GT(run->executor.blocks, 0u);
                for (const double value : run->solution.x)
                    EXPECT_TRUE(std::isfinite(value));
                for (const double value : run->solution.history)
                    EXPECT_TRUE(std::isfinite(value));
                EXPECT_EQ(run->solution.x.size(), b.size());
            }
}

TEST(CgKernels, ARecurrenceIsNotBelieved)
{
    const Matrix a = randomSpd(12, 1e6, 2);
    const Vector b = wave(12);
    for (const Method& method : kMethods)
    {
        const SolveOptions options = {.relativeTolerance = 1e-17, .maxIterations = 1000};
        const Result<CgKernelRun> run = solveOn(HostSchedule{}, method, a, b, options);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->solution.reason, StopReason::kStagnated) << method.name;
        const Result<CgKernelRun> limited = solveOn(HostSchedule{}, method, a, b, {.maxIterations = 3});
        ASSERT_TRUE(limited);
        EXPECT_EQ(limited->solution.reason, StopReason::kIterationLimit) << method.name;
        EXPECT_EQ(limited->solution.iterations, 3u);
    }
}

TEST(CgKernels, ParallelDirectionsAreNoEnd)
{
    for (int i = 1; i <= 20; ++i)
        for (const Method& method : kMethods)
        {
            const Matrix a = diagonalMatrix(Vector(1, 0.1 * i));
            const Vector b(1, 1.0 / 3);
            const SolveOptions options = {.relativeTolerance = 0, .maxIterations = 50};
            const Result<CgKernelRun> run = solveOn(HostSchedule{}, method, a, b, options);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_LE(residualOf(a, b, run->solution.x), 1e-15) << method.name << ", " << i;
        }
}

TEST(CgKernels, ConvergedHoldsOnTheCpuToo)
{
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6})
        for (const double tolerance : {1e-16, 2e-16, 3e-16, 4e-16, 6e-16})
            for (const Method& method : {kMethods[2], kMethods[4]})
            {
                const Matrix a = randomSpd(20, 2, seed);
                const SolveOptions options = {.relativeTolerance = tolerance, .maxIterations = 60};
                const Result<CgKernelRun> run = solveOn(HostSchedule{}, method, a, wave(20), options);
                ASSERT_TRUE(run) << run.error().message;
                const bool converged = run->solution.reason == StopReason::kConverged;
                EXPECT_TRUE(!converged || run->solution.relativeResidual <= tolerance);
            }
}

TEST(CgKernels, AStopEndsItBetweenLaunches)
{
    const Matrix a = randomSpd(60, 1e4, 2);
    for (const Method& method : kMethods)
    {
        std::stop_source source;
        SolveOptions options = {.stop = source.get_token()};
        options.watch = [&](std::uint64_t iteration, double) {
            if (iteration == 4) source.request_stop();
        };
        const Result<CgKernelRun> run = solveOn(HostSchedule{}, method, a, wave(60), options, {.stepsALaunch = 2});
        ASSERT_TRUE(run) << run.error().message;
        // The launch that holds iteration 4 is completed.  A slow one makes the next shorter.
        EXPECT_GE(run->solution.iterations, 4u) << method.name;
        EXPECT_LE(run->solution.iterations, 5u) << method.name;
        EXPECT_EQ(run->solution.reason, StopReason::kIterationLimit);
        EXPECT_NE(run->solution.x, Vector(60, 0.0));
    }
}

TEST(CgKernels, TakeAStart)
{
    const Matrix a = diagonalMatrix({1, 2, 4});
    const Vector b = {1, 2, 4}, exact = {1, 1, 1};
    ThreadPool pool(1);
    for (const Method& method : kMethods)
    {
        const std::unique_ptr<KernelTarget> target = makeHostTarget({});
        const Result<CgKernelRun> run = solveOnTarget(*target, method.algorithm, {.dense = &a, .half = method.half},
                                                      *denseOperator(a), b, {}, pool, {.plain = method.plain}, exact);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->solution.iterations, 0u) << method.name;
        EXPECT_EQ(run->solution.x, exact);
        const std::unique_ptr<KernelTarget> other = makeHostTarget({});
        const Result<CgKernelRun> zero =
            solveOnTarget(*other, method.algorithm, {.dense = &a, .half = method.half}, *denseOperator(a), Vector(3),
                          {}, pool, {.plain = method.plain}, b);
        ASSERT_TRUE(zero) << zero.error().message;
        EXPECT_EQ(zero->solution.reason, StopReason::kConverged) << method.name;
        EXPECT_EQ(zero->solution.x, Vector(3)) << "x is 0 for b = 0";
    }
}

// ---- necessity of barriers ----

class CgBarriers : public testing::Test
{
protected:
    static constexpr std::size_t kUnknowns = 520;  // two pieces of a vector

    // Returns the result after so few iterations that rounding hides no error.
    static Vector answer(const Method& method, const HostSchedule& schedule, std::vector<BarrierSite>* met = nullptr)
    {
        const SolveOptions options = {.relativeTolerance = 0, .maxIterations = 2};
        const Result<CgKernelRun> run = solveOn(schedule, method, a_, b_, options, {.stepsALaunch = 2});
        if (!run) return {};
        if (met) *met = run->barriers;
        return run->solution.x;
    }

    // Runs in a child process: a kernel without a barrier may write anywhere.
    static bool isSoundInAChild(const Method& method, const HostSchedule& schedule, const Vector& expected)
    {
        const pid_t child = fork();
        if (child == 0)
        {
            close(STDERR_FILENO);
            _exit(sameBits(answer(method, schedule), expected) ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

    static bool isMissed(const Method& method, const BarrierSite& barrier, const Vector& expected)
    {
        for (HostSchedule schedule : hostSchedules())
        {
            schedule.skipped = barrier;
            if (!isSoundInAChild(method, schedule, expected)) return true;
        }
        return false;
    }

    static inline const Matrix a_ = randomSpd(kUnknowns, 4, 1);
    static inline const Vector b_ = wave(kUnknowns);
};

TEST_F(CgBarriers, EachOneIsMissed)
{
    const std::size_t expected[] = {2, 2, 5, 2, 6, 3};  // distinct barriers in each method's sources
    std::vector<BarrierSite> all, missed;
    for (std::size_t i = 0; i < std::size(kMethods); ++i)
    {
        const Method& method = kMethods[i];
        std::vector<BarrierSite> met;
        const Vector right = answer(method, {}, &met);
        ASSERT_EQ(right.size(), kUnknowns) << method.name;
        EXPECT_EQ(met.size(), expected[i]) << method.name;
        for (const BarrierSite& barrier : met)
        {
            if (std::ranges::find(all, barrier) == all.end()) all.push_back(barrier);
            if (std::ranges::find(missed, barrier) == missed.end() && isMissed(method, barrier, right))
                missed.push_back(barrier);
        }
    }
    for (const BarrierSite& barrier : all)
        EXPECT_NE(std::ranges::find(missed, barrier), missed.end())
            << "without the barrier of " << barrier.file << ":" << barrier.line;
}

// ---- on the fake GPU ----

TEST(CgOnCuda, IsRightAndLeavesNothingBehind)
{
    const Matrix a = randomSpd(70, 4, 2);
    const Vector b = wave(70);
    for (const Method& method : kMethods)
    {
        FakeCuda fake;
        Cuda cuda(fake.table());
        {
            Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(cuda, 0);
            ASSERT_TRUE(target);
            const Result<CgKernelRun> run = solveOn(**target, method, a, b);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_LE(residualOf(a, b, run->solution.x), 1.001e-10) << method.name;
            EXPECT_EQ(run->executor.blocks, 0u);
        }
        EXPECT_EQ(fake.live(), 0u);
        EXPECT_EQ(fake.misuse, std::vector<std::string>{});
    }
}

// Fresh memory may hold NaN, so kernels must not rely on 0 times its content.
TEST(CgOnCuda, NothingIsTakenFromFreshMemory)
{
    const Matrix a = randomSpd(70, 4, 2);
    const Vector b = wave(70);
    for (const Method& method : kMethods)
        for (const bool jacobi : {false, true})
        {
            FakeCuda fake;
            CudaCalls calls = fake.table();
            calls.allocate = [allocate = calls.allocate](void** memory, std::size_t bytes) {
                const CudaCode code = allocate(memory, bytes);
                if (code == 0) std::memset(*memory, 0xff, bytes);  // fills with NaN
                return code;
            };
            Cuda cuda(std::move(calls));
            Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(cuda, 0);
            ASSERT_TRUE(target);
            const Result<CgKernelRun> run = solveOn(**target, method, a, b, {.jacobi = jacobi});
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(run->solution.reason, StopReason::kConverged) << method.name;
        }
}

TEST(CgOnCuda, WhereGridsCannotMeetItGoesStepByStep)
{
    const Matrix a = randomSpd(70, 4, 2);
    const Vector b = wave(70);
    for (const CudaCode code : {720, 801})  // codes of: too large for a cooperative launch; not supported
    {
        FakeCuda fake;
        CudaCalls calls = fake.table();
        calls.launch = [launch = calls.launch, code](const KernelEntry& kernel, const LaunchShape& shape,
                                                     void* arguments, void* stream) {
            return shape.cooperative ? code : launch(kernel, shape, arguments, stream);
        };
        Cuda cuda(std::move(calls));
        Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(cuda, 0);
        ASSERT_TRUE(target);
        const Result<CgKernelRun> run = solveOn(**target, kMethods[2], a, b);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_FALSE(run->persistent);
        EXPECT_EQ(run->solution.reason, StopReason::kConverged);
        EXPECT_TRUE(sameBits(run->solution.x, solveOn({}, kMethods[3], a, b)->solution.x)) << "as the plain one";
    }
}

TEST(CgOnCuda, EveryCallMayFail)
{
    const Matrix a = randomSpd(20, 4, 2);
    const Vector b = wave(20);
    const SolveOptions options = {.relativeTolerance = 1e-2};
    for (const Method& method : {kMethods[1], kMethods[4]})
        for (const CudaCode code : {cuda_code::kOutOfMemory, cuda_code::kIllegalAddress})
        {
            bool failed = true;
            for (std::uint64_t call = 1; failed; ++call)
            {
                FakeCuda fake;
                fake.failAt = call;
                fake.failWith = code;
                Cuda cuda(fake.table());
                {
                    Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(cuda, 0);
                    const Result<CgKernelRun> run =
                        target ? solveOn(**target, method, a, b, options) : Result<CgKernelRun>(target.error());
                    if (!run)
                    {
                        EXPECT_NE(run.error().message.find("fake error"), std::string::npos) << run.error().message;
                    }
                    else
                        EXPECT_EQ(run->solution.reason, StopReason::kConverged);
                }
                failed = fake.made >= call;
                EXPECT_EQ(fake.misuse, std::vector<std::string>{}) << "call " << call;
                EXPECT_TRUE(!cuda.usable() || fake.live() <= 1) << "call " << call;
                ASSERT_LT(call, 2000u);
            }
        }
}

}  // namespace
}  // namespace orogen::test
