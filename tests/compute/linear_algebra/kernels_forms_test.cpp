// Matrix forms besides dense (compressed rows of any mean length, grids without a matrix), single precision inside a
// refinement, and decisions by the CPU's residual.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "compute/linear_algebra/kernels/target_matrix.h"
#include "tests/compute/cg_solves.h"
#include "tests/compute/host_schedules.h"
#include "tests/support/weak_memory.h"

namespace orogen::test {
namespace {

// Returns a symmetric, diagonally dominant matrix with up to `band` elements below the diagonal, in rows of uneven
// length.
SparseMatrix bandMatrix(std::size_t size, std::size_t band)
{
    SparseMatrix a{.size = size, .starts = {0}};
    const auto there = [](std::size_t i, std::size_t j) { return (i * j) % 7 != 3; };
    for (std::size_t i = 0; i < size; ++i)
    {
        for (std::size_t j = i > band ? i - band : 0; j < std::min(size, i + band + 1); ++j)
        {
            if (j != i && !there(i, j)) continue;
            a.columns.push_back(std::uint32_t(j));
            a.values.push_back(j == i ? 2.5 * double(band) + 1 : std::sin(double(i * j + i + j)));
        }
        a.starts.push_back(a.values.size());
    }
    return a;
}

// A system of equations, with its matrix in one of the forms.
struct Form
{
    std::string name;
    Matrix dense = {};
    SparseMatrix sparse = {};
    std::optional<PoissonGrid> grid = {};
    bool half = false;

    KernelSystem system() const
    {
        if (grid) return {.grid = grid};
        if (sparse.size > 0) return {.sparse = &sparse};
        return {.dense = &dense, .half = half};
    }
    std::unique_ptr<LinearOperator> matrix() const
    {
        if (grid) return poissonOperator(grid->width, grid->height);
        return sparse.size > 0 ? sparseOperator(sparse) : denseOperator(dense);
    }
};

Form poisson(std::size_t width, std::size_t height)
{
    return {.name = std::to_string(width) + "x" + std::to_string(height), .grid = PoissonGrid{width, height}};
}
Form band(std::size_t size, std::size_t elements)
{
    return {.name = "band of " + std::to_string(elements), .sparse = bandMatrix(size, elements)};
}
Form full(std::size_t size, double condition)
{
    return {.name = "dense, " + std::to_string(size), .dense = randomSpd(size, condition, 5)};
}
Form lower(std::size_t size, double condition)
{
    Form form = full(size, condition);
    form.name = "half, " + std::to_string(size);
    form.half = true;
    return form;
}

Result<CgKernelRun> solve(const Form& form, const HostSchedule& schedule, const SolveOptions& options,
                          const CgKernelOptions& kernels = {}, CgAlgorithm algorithm = CgAlgorithm::kHestenesStiefel)
{
    ThreadPool pool(1);
    const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
    const std::unique_ptr<LinearOperator> matrix = form.matrix();
    return solveOnTarget(*target, algorithm, form.system(), *matrix, wave(matrix->size()), options, pool, kernels);
}

TEST(CgForms, AFewLanesShareARow)
{
    EXPECT_EQ(lanesOfRows(0, 0), 1u);
    EXPECT_EQ(lanesOfRows(7, 7), 1u);
    EXPECT_EQ(lanesOfRows(5'000'000 - 4000, 1'000'000), 4u);
    EXPECT_EQ(lanesOfRows(900, 30), 16u);
    EXPECT_EQ(lanesOfRows(1'000'000, 1000), 32u);
}

// Covers every number of lanes per row, several pieces, and rows longer and shorter than the lanes.
TEST(CgForms, SparseRowsOfAnyLengthAreMultiplied)
{
    for (const std::size_t elements : {0, 1, 2, 4, 9, 20, 40})
        for (const std::size_t size : {5, 300})
        {
            const Form form = band(size, elements);
            const Matrix a = denseOf(form.sparse);
            for (const bool plain : {false, true})
            {
                const HostSchedule schedule{ThreadOrder::kRandom, elements + 1, 3, {}};
                const Result<CgKernelRun> run = solve(form, schedule, {}, {.plain = plain, .stepsALaunch = 4});
                ASSERT_TRUE(run) << run.error().message;
                EXPECT_EQ(run->solution.reason, StopReason::kConverged) << form.name;
                EXPECT_LE(residualOf(a, wave(size), run->solution.x), 1.001e-10) << form.name << ", plain " << plain;
            }
        }
}

// A grid without a matrix gives the matrix's result, at every edge of the grid and of the pieces.
TEST(CgForms, AGridNeedsNoMatrix)
{
    for (const auto& [width, height] :
         {std::pair<std::size_t, std::size_t>{1, 1}, {1, 9}, {9, 1}, {2, 2}, {31, 17}, {64, 8}, {40, 26}})
    {
        const Matrix a = denseOf(poissonMatrix(width, height));
        for (const bool plain : {false, true})
        {
            const Form form = poisson(width, height);
            const HostSchedule schedule{ThreadOrder::kReverse, 1, 3, {}};
            const Result<CgKernelRun> run =
                solve(form, schedule, {.relativeTolerance = 1e-9}, {.plain = plain, .stepsALaunch = 8});
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(run->solution.reason, StopReason::kConverged) << form.name;
            EXPECT_LE(residualOf(a, wave(width * height), run->solution.x), 1.001e-9) << form.name;
        }
    }
}

TEST(CgForms, EveryScheduleGridAndCutGivesTheSameBits)
{
    const Form forms[] = {band(600, 3), poisson(37, 30), full(70, 10), lower(70, 10)};
    for (const Form& form : forms)
        for (const Precision precision : {Precision::kDouble, Precision::kMixed})
        {
            const SolveOptions options = {.relativeTolerance = 1e-9, .maxIterations = 9, .precision = precision};
            Vector first;
            const auto expectSame = [&](const HostSchedule& schedule, const CgKernelOptions& kernels) {
                const Result<CgKernelRun> run = solve(form, schedule, options, kernels);
                ASSERT_TRUE(run) << run.error().message;
                if (first.empty()) first = run->solution.x;
                EXPECT_TRUE(sameBits(run->solution.x, first))
                    << form.name << ", " << textOf(precision) << ", " << textOf(schedule) << ", " << kernels.mostBlocks
                    << " blocks, " << kernels.stepsALaunch << " steps";
            };
            for (const HostSchedule& schedule : hostSchedules(3))
                expectSame(schedule, {.stepsALaunch = 3});
            HostSchedule weak{ThreadOrder::kRandom, 7, 3, {}};
            weak.memory = weakMemory;
            expectSame(weak, {.stepsALaunch = 3});
            for (const CgKernelOptions& kernels :
                 {CgKernelOptions{.stepsALaunch = 1, .mostBlocks = 1}, CgKernelOptions{.stepsALaunch = 1000}})
                expectSame({}, kernels);
        }
}

TEST(CgForms, EveryBarrierIsMissed)
{
    const Form forms[] = {band(700, 1), poisson(40, 28), full(520, 4), lower(70, 4)};
    const std::size_t expected[] = {3, 3, 5, 6};  // including the barriers of sums
    for (std::size_t i = 0; i < std::size(forms); ++i)
    {
        const SolveOptions options = {.relativeTolerance = 1e-30,
                                      .maxIterations = 2,
                                      .precision = i < 3 ? Precision::kDouble : Precision::kMixed};
        const auto answer = [&](const HostSchedule& schedule) {
            return solve(forms[i], schedule, options, {.stepsALaunch = 2});
        };
        const Result<CgKernelRun> right = answer({});
        ASSERT_TRUE(right) << right.error().message;
        EXPECT_EQ(right->barriers.size(), expected[i]) << forms[i].name;
        for (const BarrierSite& barrier : right->barriers)
        {
            const auto isMissedIn = [&](HostSchedule schedule) {
                schedule.skipped = barrier;
                const pid_t child = fork();  // a kernel without a barrier may write anywhere
                if (child == 0)
                {
                    close(STDERR_FILENO);
                    const Result<CgKernelRun> run = answer(schedule);
                    _exit(run && sameBits(run->solution.x, right->solution.x) ? 0 : 1);
                }
                int status = 0;
                waitpid(child, &status, 0);
                return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
            };
            EXPECT_TRUE(std::ranges::any_of(hostSchedules(), isMissedIn))
                << forms[i].name << ": without the barrier of " << barrier.file << ":" << barrier.line;
        }
    }
}

// ---- single precision inside a refinement ----

TEST(CgMixed, IsAsGoodAsDoubleAndSaysHowOftenItRefined)
{
    const Form forms[] = {full(24, 50), lower(66, 20), band(60, 4), poisson(9, 7)};
    for (const Form& form : forms)
        for (const bool jacobi : {false, true})
            for (const CgAlgorithm algorithm :
                 {CgAlgorithm::kHestenesStiefel, CgAlgorithm::kPaperOneProduct, CgAlgorithm::kPaper})
            {
                if (form.half && algorithm != CgAlgorithm::kHestenesStiefel) continue;
                const SolveOptions options = {.precision = Precision::kMixed, .jacobi = jacobi};
                const Result<CgKernelRun> run = solve(form, {}, options, {.stepsALaunch = 4}, algorithm);
                ASSERT_TRUE(run) << run.error().message;
                EXPECT_EQ(run->solution.reason, StopReason::kConverged) << form.name << ", " << int(algorithm);
                EXPECT_LE(run->solution.relativeResidual, 1e-10) << form.name;
                EXPECT_GE(run->solution.refinements, 2u) << form.name << ": single precision alone cannot";
                EXPECT_FALSE(run->solution.fellBack) << form.name << ", " << int(algorithm);
                EXPECT_EQ(run->solution.history.size(), run->solution.iterations + 1) << form.name;
            }
}

// The direction survives a refinement, which costs one product and no iterations; rounding adds some.
TEST(CgMixed, GoesOnAfterARefinement)
{
    const Form form = full(64, 100);
    const Result<CgKernelRun> whole = solve(form, {}, {}, {.stepsALaunch = 16}),
                              mixed = solve(form, {}, {.precision = Precision::kMixed}, {.stepsALaunch = 16});
    ASSERT_TRUE(whole && mixed);
    EXPECT_EQ(mixed->solution.reason, StopReason::kConverged);
    EXPECT_LE(double(mixed->solution.iterations), 1.4 * double(whole->solution.iterations));
    EXPECT_EQ(mixed->solution.productsInSingle, mixed->solution.iterations);
    EXPECT_EQ(mixed->solution.products, mixed->solution.iterations + mixed->solution.refinements + 2);
}

TEST(CgMixed, FallsBackToDoubleWhereSinglePrecisionIsNotEnough)
{
    Matrix wide(12, 12, 0.0);  // not positive definite once rounded to single precision
    for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < 12; ++j)
            wide(i, j) = 1 + (i == j ? 1e-9 : 0);
    const Form forms[] = {{.name = "nearly singular", .dense = std::move(wide)},
                          {.name = "overflows", .dense = diagonalMatrix({1e-60, 1, 2, 3})}};
    for (const Form& form : forms)
    {
        const SolveOptions options = {.relativeTolerance = 1e-7, .maxIterations = 300};
        SolveOptions mixed = options;
        mixed.precision = Precision::kMixed;
        const Result<CgKernelRun> whole = solve(form, {}, options, {.stepsALaunch = 4}),
                                  run = solve(form, {}, mixed, {.stepsALaunch = 4});
        ASSERT_TRUE(whole && run);
        EXPECT_EQ(run->solution.reason, whole->solution.reason) << form.name;
        EXPECT_TRUE(run->solution.fellBack) << form.name;
        EXPECT_LE(run->solution.relativeResidual, std::max(1e-7, 10 * whole->solution.relativeResidual)) << form.name;
    }
}

// Without a given limit, solvers make 10 n iterations in single precision and 10 n more in double.
TEST(CgMixed, HasAsManyIterationsAsTheCpu)
{
    const Form form = full(12, 1e9);
    const SolveOptions options = {.relativeTolerance = 0, .precision = Precision::kMixed};
    ThreadPool pool(1);
    const Solution cpu =
        solveByConjugateGradients(CgAlgorithm::kHestenesStiefel, *form.matrix(), wave(12), options, pool);
    const Result<CgKernelRun> run = solve(form, {}, options, {.stepsALaunch = 4});
    ASSERT_TRUE(run) << run.error().message;
    for (const Solution* solution : {&cpu, &run->solution})
    {
        EXPECT_EQ(solution->reason, StopReason::kIterationLimit);
        EXPECT_TRUE(solution->fellBack);
        EXPECT_EQ(solution->productsInSingle, 120u);
        EXPECT_EQ(solution->iterations, 240u);
    }
}

TEST(CgMixed, EndsForTheReasonsOfDouble)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const struct
    {
        Matrix a;
        StopReason reason;
    } cases[] = {{diagonalMatrix({1, 1, 2, 2}), StopReason::kConverged},
                 {diagonalMatrix({1e200, 2e200}), StopReason::kConverged},
                 {diagonalMatrix({-1, -2}), StopReason::kNotPositiveDefinite},
                 {diagonalMatrix({0, 0}), StopReason::kNotPositiveDefinite},
                 {diagonalMatrix({1, nan}), StopReason::kNotFinite}};
    for (const auto& [a, reason] : cases)
        for (const bool jacobi : {false, true})
        {
            const Form form{.name = std::to_string(a(0, 0)), .dense = a.copy()};
            const Result<CgKernelRun> run =
                solve(form, {}, {.precision = Precision::kMixed, .jacobi = jacobi}, {.stepsALaunch = 2});
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(run->solution.reason, reason) << form.name << ", jacobi " << jacobi;
            for (const double value : run->solution.x)
                EXPECT_TRUE(std::isfinite(value));
        }
}

TEST(CgMixed, IsStoppedAndKeepsWhatItHas)
{
    const Form form = full(60, 10);
    std::stop_source source;
    SolveOptions options = {.precision = Precision::kMixed, .stop = source.get_token()};
    options.watch = [&](std::uint64_t iteration, double) {
        if (iteration == 4) source.request_stop();
    };
    const Result<CgKernelRun> run = solve(form, {}, options, {.stepsALaunch = 2});
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->solution.reason, StopReason::kIterationLimit);
    EXPECT_LE(run->solution.iterations, 6u);
    EXPECT_LT(run->solution.relativeResidual, 1) << "what was found in single precision counts";
    const Result<CgKernelRun> limited = solve(form, {}, {.maxIterations = 5, .precision = Precision::kMixed});
    ASSERT_TRUE(limited);
    EXPECT_EQ(limited->solution.reason, StopReason::kIterationLimit);
    EXPECT_EQ(limited->solution.iterations, 5u);
    EXPECT_FALSE(limited->solution.fellBack);
}

// ---- shapes of launches ----

TEST(CgPlan, ShapesWhatIsLaunched)
{
    EXPECT_EQ(evenBlocks(1954, 528), 489u) << "four rounds, all full";
    EXPECT_EQ(evenBlocks(3125, 264), 261u);
    EXPECT_EQ(evenBlocks(5, 528), 5u);
    EXPECT_EQ(evenBlocks(0, 0), 1u);
    EXPECT_EQ(piecesOf(1'000'000, kPieceStep).count(), 1954u);
    EXPECT_LE(piecesOf(1'000'000'000, kPieceStep).count(), kMostPieces) << "however long a vector is";
}

// ---- recheck on the CPU ----

// Tolerances that the kernels' sums just meet. The CPU's sums differ in the last bits and may miss them.
TEST(CgRecheck, AConvergenceThatTheCpuMissesGoesOn)
{
    const CgKernelOptions kernels = {.stepsALaunch = 2};
    int missed = 0;
    for (std::uint64_t seed = 1; seed <= 16; ++seed)
    {
        const Matrix a = randomSpd(20, 100, seed);
        const Vector b = wave(20);
        const Result<CgKernelRun> some =
            solveOn(HostSchedule{}, kMethods[0], a, b, {.relativeTolerance = 1e-3}, kernels);
        ASSERT_TRUE(some);
        const SolveOptions options = {.relativeTolerance = std::nextafter(some->solution.history.back(), 1)};
        const Result<CgKernelRun> run = solveOn(HostSchedule{}, kMethods[0], a, b, options, kernels);
        ASSERT_TRUE(run);
        EXPECT_EQ(run->solution.reason, StopReason::kConverged) << "seed " << seed;
        EXPECT_LE(run->solution.relativeResidual, options.relativeTolerance * (1 + 1e-15));
        missed += run->solution.products > 3 * run->solution.iterations + 1 ? 1 : 0;  // CPU missed it: checked again
    }
    EXPECT_GT(missed, 0) << "the test did not find what it is about";
}

TEST(CgRecheck, APreconditionerThatNoKernelAppliesIsRefused)
{
    struct : Preconditioner
    {
        void apply(const double*, double*, ThreadPool&) const override {}
    } another;
    const Result<CgKernelRun> run =
        solveOn(HostSchedule{}, kMethods[2], diagonalMatrix({1, 2}), {1, 1}, {.preconditioner = &another});
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ExitCode::kUsage);
    EXPECT_NE(run.error().message.find("preconditioner"), std::string::npos);
}

}  // namespace
}  // namespace orogen::test
