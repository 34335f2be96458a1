// Kernels of all modules with delayed plain stores: communication between blocks must be ordered.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/dev_matrix.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "compute/linear_algebra/matrix.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/kernels/tiles.h"
#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/fourier.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "tests/compute/add_vectors.h"
#include "tests/compute/host_schedules.h"
#include "tests/support/random.h"
#include "tests/support/weak_memory.h"

namespace orogen::test {
namespace {

using namespace compute;

// Returns three orders with 3 blocks and with all resident; a single block has no other to be delayed for.
std::vector<HostSchedule> weakSchedules(std::uint64_t seed)
{
    std::vector<HostSchedule> schedules;
    for (HostSchedule schedule : hostSchedules(seed))
    {
        if (schedule.residentBlocks == 1) continue;
        schedule.memory = weakMemory;
        schedules.push_back(schedule);
    }
    return schedules;
}

class WeakMultiword : public testing::TestWithParam<AddKernel>
{
};
INSTANTIATE_TEST_SUITE_P(All, WeakMultiword, testing::ValuesIn(kAddKernels));

TEST_P(WeakMultiword, AddsAllTheSame)
{
    const std::size_t limbs = GetParam() == AddKernel::kPaper3 ? kTileLimbs / 2 + 37 : 3 * kTileLimbs + 37;
    AddKernelOptions options;
    options.untilStill = true;
    options.paper3Threads = 64;
    for (const AddVector& vector : {chainFrom(limbs, 0), chainsOf(limbs, 3)})
        for (const std::uint64_t seed : {1, 2})
            for (const HostSchedule& schedule : weakSchedules(seed))
            {
                SCOPED_TRACE(vector.name + ", " + textOf(schedule));
                AddAnswer found{Limbs(limbs), false};
                const Result<AddKernelRun> run =
                    addOnHostKernel(GetParam(), {vector.x, vector.y, found.result, true}, schedule, options);
                ASSERT_TRUE(run) << run.error().message;
                found.carryOut = run->carryOut;
                EXPECT_TRUE(found == schoolbook(vector.x, vector.y, true, false));
            }
}

DecimalList randomNumbers(Random& random, std::size_t count, std::size_t digits)
{
    DecimalList list;
    for (std::size_t i = 0; i < count; ++i)
    {
        Decimal number{std::vector<Digit>(digits), 0, false};
        for (Digit& digit : number.digits)
            digit = Digit(random.below(10));
        list.add(number);
    }
    return list;
}

TEST(WeakSignedDigit, AddsAndMultipliesAllTheSame)
{
    Random random(7);
    const DecimalList x = randomNumbers(random, 40, 40), y = randomNumbers(random, 40, 40);
    for (const HostSchedule& schedule : weakSchedules(1))
    {
        SCOPED_TRACE(textOf(schedule));
        for (const SumAlgorithm algorithm : kSumKernels)
        {
            const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
            const Result<DecimalKernelRun> run = sumOnTarget(*target, algorithm, alignedRows(x), {});
            ASSERT_TRUE(run) << nameOf(algorithm) << ": " << run.error().message;
            EXPECT_TRUE(isSum(run->number, x)) << nameOf(algorithm);
        }
        for (const DotAlgorithm algorithm : kDotKernels)
        {
            const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
            const Result<DecimalKernelRun> run = dotOnTarget(*target, algorithm, alignedFactors(x, y), {});
            ASSERT_TRUE(run) << nameOf(algorithm) << ": " << run.error().message;
            EXPECT_TRUE(isDotProduct(run->number, x, y)) << nameOf(algorithm);
        }
    }
}

TEST(WeakSignedDigit, TransformsAllTheSame)
{
    Random random(8);
    const DecimalList coordinates = randomNumbers(random, 6, 12);
    FourierOptions options;
    options.twiddleDigits = 12;
    const auto transform = [&](const HostSchedule& schedule) {
        const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
        const Result<FourierResult> result = fourierTransformOnTarget(*target, coordinates, options);
        EXPECT_TRUE(result) << result.error().message;
        return result ? result->back : std::vector<ComplexDecimal>();
    };
    const std::vector<ComplexDecimal> expected = transform({});
    for (const HostSchedule& schedule : weakSchedules(3))
        EXPECT_TRUE(transform(schedule) == expected) << textOf(schedule);
}

// A configuration of the solver.
struct Solve
{
    const char* name;
    KernelSystem system;
    const LinearOperator& a;
    CgAlgorithm algorithm = CgAlgorithm::kHestenesStiefel;
    bool plain = false;
    Precision precision = Precision::kDouble;
    bool exact = false;  // inner products
};

std::vector<double> solutionOf(const Solve& solve, const HostSchedule& schedule)
{
    std::vector<double> b(solve.a.size());
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = std::sin(double(i));
    ThreadPool pool(1);
    SolveOptions options;
    options.maxIterations = 3;
    options.precision = solve.precision;
    CgKernelOptions kernels;
    kernels.plain = solve.plain;
    const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
    const Result<CgKernelRun> run = (solve.exact ? solveExactlyOnTarget : solveOnTarget)(
        *target, solve.algorithm, solve.system, solve.a, b, options, pool, kernels, {});
    EXPECT_TRUE(run) << run.error().message;
    return run ? run->solution.x : std::vector<double>();
}

// Results are bit-identical to those without delays.
TEST(WeakLinearAlgebra, SolvesAllTheSame)
{
    const Matrix dense = randomSpd(66, 4, 66);
    const SparseMatrix sparse = poissonMatrix(25, 12), large = poissonMatrix(40, 30);
    const std::unique_ptr<LinearOperator> ofDense = denseOperator(dense), ofSparse = sparseOperator(sparse),
                                          ofLarge = sparseOperator(large);
    const KernelSystem grid{.grid = PoissonGrid{40, 30}};
    const Solve solves[] = {
        {"dense", {.dense = &dense}, *ofDense},
        {"half", {.dense = &dense, .half = true}, *ofDense},
        {"half, plain", {.dense = &dense, .half = true}, *ofDense, CgAlgorithm::kHestenesStiefel, true},
        {"dense, mixed", {.dense = &dense}, *ofDense, CgAlgorithm::kHestenesStiefel, false, Precision::kMixed},
        {"sparse", {.sparse = &sparse}, *ofSparse},
        {"grid", grid, *ofLarge},
        {"grid, plain", grid, *ofLarge, CgAlgorithm::kHestenesStiefel, true},
        {"paper", {.dense = &dense}, *ofDense, CgAlgorithm::kPaper},
        {"paper-one-product", {.sparse = &sparse}, *ofSparse, CgAlgorithm::kPaperOneProduct},
        {"dense, exact", {.dense = &dense}, *ofDense, {}, false, Precision::kDouble, true},
        {"sparse, exact", {.sparse = &sparse}, *ofSparse, CgAlgorithm::kPaper, false, Precision::kDouble, true},
        {"grid, exact", grid, *ofLarge, CgAlgorithm::kPaperOneProduct, false, Precision::kDouble, true},
    };
    for (const Solve& solve : solves)
    {
        const std::vector<double> expected =
            solutionOf(solve, {ThreadOrder::kForward, 1, HostSchedule::kAllBlocks, {}});
        for (const HostSchedule& schedule : weakSchedules(2))
            EXPECT_EQ(solutionOf(solve, schedule), expected) << solve.name << ", " << textOf(schedule);
    }
}

TEST(WeakLinearAlgebra, SolvesByCramersRuleAllTheSame)
{
    ThreadPool pool(1);
    for (const std::size_t size : {1, 5, 20})
    {
        Matrix a = randomSpd(size, 4, size);
        a(0, size - 1) += 1;
        const std::vector<double> b(size, 1.0);
        for (const HostSchedule& schedule : weakSchedules(5))
        {
            const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
            const Result<CgKernelRun> run = solveByCramerOnTarget(*target, a, b, {}, pool);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(run->solution.x, solveByCramer(a, b, {}, pool).x) << size << ", " << textOf(schedule);
        }
    }
}

TEST(WeakLinearAlgebra, MultipliesMatricesAllTheSame)
{
    const auto made = [](std::size_t rows, std::size_t columns) {
        Matrix matrix(rows, columns);
        for (std::size_t i = 0; i < matrix.elements(); ++i)
            matrix.values()[i] = double(i % 7) - 3;  // exact sums in any order
        return matrix;
    };
    const Matrix a = made(33, 5), b = made(5, 3), expected = a * b;
    for (const HostSchedule& schedule : weakSchedules(6))
    {
        const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
        const DevMatrix left(*target, a), right(*target, b);
        for (const ProductKernel kernel : kProductKernels)
        {
            const Result<Matrix> found = product(left, right, kernel).toMatrix();
            ASSERT_TRUE(found) << found.error().message;
            EXPECT_TRUE(std::ranges::equal(found->values(), expected.values()))
                << int(kernel) << ", " << textOf(schedule);
        }
    }
}

}  // namespace
}  // namespace orogen::test
