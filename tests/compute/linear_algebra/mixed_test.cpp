// Conjugate gradients in single precision inside a refinement in double: as accurate as double, or reported as not.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/vector_kernels.h"
#include "tests/compute/cg_solves.h"

namespace orogen::compute {
namespace {

using test::residualOf;
using test::Vector;

constexpr CgAlgorithm kRecurrences[] = {CgAlgorithm::kPaper, CgAlgorithm::kPaperOneProduct,
                                        CgAlgorithm::kHestenesStiefel};

Vector waves(std::size_t size)
{
    Vector b(size);
    for (std::size_t i = 0; i < size; ++i)
        b[i] = std::cos(double(i * i % 97));
    return b;
}

Solution solveMixed(CgAlgorithm algorithm, const LinearOperator& a, const Vector& b, SolveOptions options = {},
                    int threads = 1)
{
    ThreadPool pool(threads);
    options.precision = Precision::kMixed;
    return solveByConjugateGradients(algorithm, a, b, options, pool);
}

using MakeOperator = std::unique_ptr<LinearOperator> (*)(const Matrix&);
constexpr MakeOperator kDenseOperators[] = {denseOperator, denseHalfOperator, denseLowerOperator};

TEST(MixedPrecision, GivesAsGoodAnAnswerAsDouble)
{
    for (const std::size_t n : {1, 2, 7, 8, 9, 16, 17, 100, 257, 301})
        for (const double condition : {3.0, 300.0})
        {
            const Matrix a = randomSpd(n, condition, n);
            const Vector b = waves(n);
            for (const MakeOperator make : kDenseOperators)
                for (const CgAlgorithm algorithm : kRecurrences)
                    for (const bool jacobi : {false, true})
                    {
                        SCOPED_TRACE(std::to_string(n) + " " + std::to_string(int(algorithm)));
                        const Solution solution = solveMixed(algorithm, *make(a), b, {.jacobi = jacobi});
                        EXPECT_EQ(solution.reason, StopReason::kConverged) << textOf(solution.reason);
                        EXPECT_FALSE(solution.fellBack);
                        EXPECT_GE(solution.refinements, n < 3 ? 1u : 2u);
                        EXPECT_LE(solution.refinements, 6u);
                        EXPECT_LE(residualOf(a, b, solution.x), 1.001e-10);
                        EXPECT_NEAR(solution.relativeResidual, residualOf(a, b, solution.x), 1e-14);
                    }
        }
}

TEST(MixedPrecision, DoesItsProductsInSingle)
{
    const Matrix a = correlationMatrix(300);
    const Solution solution = solveMixed(CgAlgorithm::kHestenesStiefel, *denseLowerOperator(a), waves(300));
    EXPECT_EQ(solution.productsInSingle, solution.iterations);
    EXPECT_EQ(solution.products, solution.productsInSingle + solution.refinements);
    EXPECT_GT(solution.iterations, 10 * solution.refinements);
}

TEST(MixedPrecision, SolvesSparseSystemsAndPoissonsAlike)
{
    const SparseMatrix a = poissonMatrix(31, 17);
    const Vector b = waves(31 * 17);
    const Matrix dense = denseOf(a);
    for (const auto& op : {sparseOperator(a), sparseHalfOperator(a), poissonOperator(31, 17)})
        for (const CgAlgorithm algorithm : kRecurrences)
        {
            const Solution solution = solveMixed(algorithm, *op, b);
            EXPECT_EQ(solution.reason, StopReason::kConverged);
            EXPECT_FALSE(solution.fellBack);
            EXPECT_LE(residualOf(dense, b, solution.x), 1.001e-10);
        }
}

// Refinements discard the directions, but are few.
TEST(MixedPrecision, ARefinementCostsHardlyAnySteps)
{
    const Matrix a = randomSpd(400, 100, 400);
    const Vector b = waves(400);
    ThreadPool pool(1);
    const std::unique_ptr<LinearOperator> op = denseOperator(a);
    const Solution whole = solveByConjugateGradients(CgAlgorithm::kHestenesStiefel, *op, b, {}, pool);
    const Solution mixed = solveMixed(CgAlgorithm::kHestenesStiefel, *op, b);
    EXPECT_GE(mixed.refinements, 2u);
    EXPECT_LE(mixed.iterations, 106 * whole.iterations / 100);
}

TEST(MixedPrecision, FallsBackToDoubleWhereSingleIsNotEnough)
{
    for (const double condition : {1e8, 1e10})
    {
        const Matrix a = randomSpd(100, condition, 5);
        const Vector b = waves(100);
        for (const CgAlgorithm algorithm : kRecurrences)
        {
            const SolveOptions options = {.relativeTolerance = 1e-6, .maxIterations = 20000};
            const Solution solution = solveMixed(algorithm, *denseOperator(a), b, options);
            EXPECT_TRUE(solution.fellBack);
            EXPECT_GT(solution.products, solution.productsInSingle + solution.refinements + 10);
            if (solution.reason == StopReason::kConverged)
            {
                EXPECT_LE(residualOf(a, b, solution.x), 1.001e-6);
            }
        }
    }
}

TEST(MixedPrecision, SaysWhyNotAsDoubleDoes)
{
    Matrix indefinite(2, 2, 0.0), unknown(2, 2, 0.0);
    indefinite(0, 0) = unknown(0, 0) = unknown(1, 1) = 1;
    indefinite(1, 1) = -1;
    unknown(0, 1) = unknown(1, 0) = std::nan("");
    for (const CgAlgorithm algorithm : kRecurrences)
    {
        const Solution one = solveMixed(algorithm, *denseOperator(indefinite), {1, 1});
        EXPECT_EQ(one.reason, StopReason::kNotPositiveDefinite);
        EXPECT_TRUE(one.fellBack) << "it was for double to say";
        const Solution other = solveMixed(algorithm, *denseOperator(unknown), {1, 1});
        EXPECT_EQ(other.reason, StopReason::kNotFinite);
        for (const Solution& solution : {one, other})
            for (const double value : solution.x)
                EXPECT_TRUE(std::isfinite(value));
    }
}

// Uses scales far outside the range of single precision.
TEST(MixedPrecision, IsIndifferentToTheScalesOfAAndB)
{
    const Matrix plain = randomSpd(60, 30, 3);
    const Vector b = waves(60);
    const Solution expected = solveMixed(CgAlgorithm::kHestenesStiefel, *denseOperator(plain), b);
    for (const int ofA : {-700, -200, 0, 200, 700})
        for (const int ofB : {-150, 0, 150})
        {
            Matrix a = plain.copy() * std::ldexp(1.0, ofA);
            Vector right = b;
            for (double& value : right)
                value = std::ldexp(value, ofB);
            const Solution solution = solveMixed(CgAlgorithm::kHestenesStiefel, *denseOperator(a), right);
            EXPECT_EQ(solution.reason, StopReason::kConverged);
            EXPECT_FALSE(solution.fellBack);
            EXPECT_EQ(solution.iterations, expected.iterations);
            for (std::size_t i = 0; i < 60; ++i)
                EXPECT_EQ(solution.x[i], std::ldexp(expected.x[i], ofB - ofA));
        }
}

TEST(MixedPrecision, GivesTheSameBitsForAnyNumberOfThreads)
{
    const Matrix a = randomSpd(501, 100, 8);
    const Vector b = waves(501);
    for (const MakeOperator make : kDenseOperators)
    {
        const Solution one = solveMixed(CgAlgorithm::kHestenesStiefel, *make(a), b);
        for (const int threads : {2, 3})
            EXPECT_EQ(solveMixed(CgAlgorithm::kHestenesStiefel, *make(a), b, {}, threads).x, one.x);
    }
}

TEST(MixedPrecision, TheIterationLimitHoldsAndWhatWasFoundIsKept)
{
    const Matrix a = correlationMatrix(300);
    const Vector b = waves(300);
    for (const CgAlgorithm algorithm : kRecurrences)
    {
        const Solution solution = solveMixed(algorithm, *denseOperator(a), b, {.maxIterations = 12});
        EXPECT_EQ(solution.reason, StopReason::kIterationLimit);
        EXPECT_EQ(solution.iterations, 12u);
        EXPECT_FALSE(solution.fellBack);
        EXPECT_NEAR(solution.relativeResidual, residualOf(a, b, solution.x), 1e-12);
        EXPECT_LT(solution.relativeResidual, 0.5);
    }
}

TEST(MixedPrecision, AStopEndsItWithWhatThereIs)
{
    const Matrix a = correlationMatrix(300);
    std::stop_source source;
    const SolveOptions options = {.stop = source.get_token(), .watch = [&](std::uint64_t iteration, double) {
                                      if (iteration == 9) source.request_stop();
                                  }};
    const Solution solution = solveMixed(CgAlgorithm::kHestenesStiefel, *denseOperator(a), waves(300), options);
    EXPECT_EQ(solution.iterations, 9u);
    EXPECT_EQ(solution.reason, StopReason::kIterationLimit);
    EXPECT_FALSE(solution.fellBack);
    EXPECT_LT(solution.relativeResidual, 0.5);
}

TEST(MixedPrecision, AnExactStartIsTheAnswer)
{
    const Matrix a = randomSpd(40, 10, 1);
    const Vector x(40, 1.0);
    Vector b(40);
    ThreadPool pool(1);
    denseOperator(a)->apply(x.data(), b.data(), pool);
    const Solution solution = solveByConjugateGradients(CgAlgorithm::kHestenesStiefel, *denseOperator(a), b,
                                                        {.precision = Precision::kMixed}, pool, x);
    EXPECT_EQ(solution.iterations, 0u);
    EXPECT_EQ(solution.refinements, 0u);
    EXPECT_EQ(solution.x, x);
}

class Identity final : public Preconditioner
{
public:
    void apply(const double* r, double* z, ThreadPool&) const override { std::copy_n(r, 50, z); }
};

TEST(MixedPrecision, APreconditionerOfOnesOwnMeansDouble)
{
    const Matrix a = randomSpd(50, 10, 1);
    const Identity identity;
    const Solution solution =
        solveMixed(CgAlgorithm::kHestenesStiefel, *denseOperator(a), waves(50), {.preconditioner = &identity});
    EXPECT_EQ(solution.reason, StopReason::kConverged);
    EXPECT_TRUE(solution.fellBack);
    EXPECT_EQ(solution.productsInSingle, 0u);
}

TEST(SingleKernels, GiveTheSameBitsOnEveryInstructionSet)
{
    const VectorKernels& portable = *vectorKernels("portable");
    const Matrix a = randomSpd(80, 10, 1);
    const Vector x = waves(80);
    const auto inSingle = [&](const VectorKernels& kernels, const double* from, std::size_t count) {
        std::vector<float> to(count);
        kernels.toSingle(from, 0.3, to.data(), count);
        return to;
    };
    const std::vector<float> af = inSingle(portable, a.row(0), a.elements()), xf = inSingle(portable, x.data(), 80);
    for (std::size_t i = 0; i < 80; ++i)
        EXPECT_EQ(xf[i], float(x[i] * 0.3));
    for (const char* name : {"avx2", "avx512"})
    {
        const VectorKernels* kernels = vectorKernels(name);
        if (!kernels) continue;
        for (std::size_t n = 0; n <= 80; ++n)
        {
            EXPECT_EQ(inSingle(*kernels, x.data(), n), std::vector<float>(xf.begin(), xf.begin() + std::ptrdiff_t(n)));
            EXPECT_EQ(kernels->dotSingle(xf.data(), af.data(), n), portable.dotSingle(xf.data(), af.data(), n));
        }
        std::vector<float> y(80), z(80);
        kernels->rowProductsSingle(af.data(), 80, 77, xf.data(), y.data(), 0, 80);
        portable.rowProductsSingle(af.data(), 80, 77, xf.data(), z.data(), 0, 80);
        EXPECT_EQ(y, z) << name;
        for (std::size_t rows = 1; rows <= kStripRowsOf<float>; ++rows)
        {
            kernels->stripProductsSingle(af.data(), 80, 64, rows, xf.data(), y.data());
            portable.stripProductsSingle(af.data(), 80, 64, rows, xf.data(), z.data());
            EXPECT_EQ(y, z) << name;
        }
    }
}

// Long strips are processed several rows at a time.
TEST(SingleKernels, LongStripsGiveTheSameBitsToo)
{
    const std::size_t width = 3000 / 16 * 16 + 16, i = width - 16;
    std::vector<float> strip(16 * width), x(width);
    for (std::size_t k = 0; k < strip.size(); ++k)
        strip[k] = float(std::sin(double(k)));
    for (std::size_t k = 0; k < width; ++k)
        x[k] = float(std::cos(double(k)));
    std::vector<float> expected(width);
    vectorKernels("portable")->stripProductsSingle(strip.data(), width, i, 16, x.data(), expected.data());
    for (const char* name : {"avx2", "avx512"})
        if (const VectorKernels* kernels = vectorKernels(name))
        {
            std::vector<float> y(width);
            kernels->stripProductsSingle(strip.data(), width, i, 16, x.data(), y.data());
            EXPECT_EQ(y, expected) << name;
        }
}

}  // namespace
}  // namespace orogen::compute
