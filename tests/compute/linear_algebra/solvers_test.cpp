// Conjugate gradients and direct methods, against elimination in long doubles and an independent form of the paper's
// recurrence.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compute/job/module.h"
#include "compute/linear_algebra/direct.h"
#include "compute/linear_algebra/matrix.h"
#include "compute/modules.h"
#include "tests/compute/cg_solves.h"
#include "tests/support/assign.h"

namespace orogen::compute {
namespace {

using test::diagonalMatrix;
using test::residualOf;
using test::sameBits;
using test::Vector;
using test::wave;
using Extended = long double;

constexpr CgAlgorithm kAlgorithms[] = {CgAlgorithm::kPaper, CgAlgorithm::kPaperOneProduct,
                                       CgAlgorithm::kHestenesStiefel};

// Eliminates without pivoting in long doubles.
Vector eliminated(const Matrix& a, const Vector& b)
{
    const std::size_t n = b.size();
    std::vector<std::vector<Extended>> m(n);
    for (std::size_t i = 0; i < n; ++i)
    {
        for (std::size_t j = 0; j < n; ++j)
            m[i].push_back(a(i, j));
        m[i].push_back(b[i]);
    }
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k + 1; i < n; ++i)
        {
            const Extended factor = m[i][k] / m[k][k];
            for (std::size_t j = k; j <= n; ++j)
                m[i][j] -= factor * m[k][j];
        }
    Vector x(n);
    for (std::size_t i = n; i-- > 0;)
    {
        Extended sum = m[i][n];
        for (std::size_t j = i + 1; j < n; ++j)
            sum -= m[i][j] * x[j];
        x[i] = double(sum / m[i][i]);
    }
    return x;
}

Solution solve(CgAlgorithm algorithm, const Matrix& a, const Vector& b, SolveOptions options = {}, int threads = 1)
{
    ThreadPool pool(threads);
    return solveByConjugateGradients(algorithm, *denseOperator(a), b, options, pool);
}

void expectFinite(const Solution& solution)
{
    for (const double value : solution.x)
        EXPECT_TRUE(std::isfinite(value));
    for (const double value : solution.history)
        EXPECT_TRUE(std::isfinite(value));
}

void expectSolved(const Matrix& a, const Vector& b, const Solution& solution, double tolerance = 1e-10)
{
    EXPECT_EQ(solution.reason, StopReason::kConverged) << textOf(solution.reason);
    EXPECT_LE(residualOf(a, b, solution.x), tolerance * (1 + 1e-3));
    EXPECT_LE(solution.relativeResidual, tolerance);
    expectFinite(solution);
}

TEST(ConjugateGradients, AgreeWithEliminationOnRandomSystems)
{
    for (const std::size_t n : {1, 2, 3, 7, 8, 9, 31, 64, 100, 257})
        for (const std::uint64_t seed : {1, 2, 3})
        {
            SCOPED_TRACE("n " + std::to_string(n) + " seed " + std::to_string(seed));
            const Matrix a = randomSpd(n, 50, seed);
            const Vector b = wave(n), expected = eliminated(a, b);
            for (const CgAlgorithm algorithm : kAlgorithms)
                for (const bool jacobi : {false, true})
                {
                    const Solution solution = solve(algorithm, a, b, {.relativeTolerance = 1e-12, .jacobi = jacobi});
                    expectSolved(a, b, solution, 1e-12);
                    for (std::size_t i = 0; i < n; ++i)
                        EXPECT_NEAR(solution.x[i], expected[i], 1e-9);
                }
        }
}

// ---- independent form of the paper's recurrence, eqs. 5 to 9, with either sign of beta_0 ----

struct Recurrence
{
    Vector x, delta;
    double conjugacy = 0;  // largest |(A delta_i, delta_(i-1))| / (lengths), over all steps
};

Recurrence paperRecurrence(const Matrix& a, const Vector& b, double sign, std::size_t steps)
{
    const std::size_t n = b.size();
    const auto times = [&](const Vector& v) {
        Vector out(n, 0.0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                out[i] += a(i, j) * v[j];
        return out;
    };
    const auto dot = [&](const Vector& u, const Vector& v) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i)
            sum += u[i] * v[i];
        return sum;
    };
    Recurrence run{Vector(n, 0.0), Vector(n, 0.0)};
    for (std::size_t k = 0; k < steps; ++k)
    {
        Vector r = times(run.x);
        for (std::size_t i = 0; i < n; ++i)
            r[i] -= b[i];
        const Vector ar = times(r), ad = times(run.delta);
        double alpha = 0, beta = sign * dot(r, r) / dot(ar, r);
        if (k > 0)
        {
            const double rr = dot(r, r), rd = dot(r, run.delta), rAd = dot(ar, run.delta), rAr = dot(ar, r),
                         dAd = dot(ad, run.delta), bottom = dAd * rAr - rAd * rAd;
            alpha = (rr * rAd - rd * rAr) / bottom;
            beta = (rd * rAd - rr * dAd) / bottom;
        }
        Vector next(n);
        for (std::size_t i = 0; i < n; ++i)
        {
            next[i] = alpha * run.delta[i] + beta * r[i];
            run.x[i] += next[i];
        }
        if (k > 1)
            run.conjugacy = std::max(run.conjugacy,
                                     std::abs(dot(ad, next)) / std::sqrt(dot(ad, run.delta) * dot(times(next), next)));
        run.delta = next;
    }
    return run;
}

TEST(ConjugateGradients, BetaZeroIsNegativeThePrintedSignLosesConjugacy)
{
    const Matrix a = randomSpd(12, 10, 5);
    const Vector b = wave(12);
    const Recurrence right = paperRecurrence(a, b, -1, 12), printed = paperRecurrence(a, b, +1, 12);
    EXPECT_LT(residualOf(a, b, right.x), 1e-9) << "n updates are enough";
    EXPECT_GT(residualOf(a, b, paperRecurrence(a, b, -1, 11).x), 3e-9) << "n - 1 are not";
    EXPECT_GT(residualOf(a, b, printed.x), 1e-6);
    for (const CgAlgorithm algorithm : {CgAlgorithm::kPaper, CgAlgorithm::kPaperOneProduct})
    {
        const Recurrence six = paperRecurrence(a, b, -1, 6);
        const Solution solution = solve(algorithm, a, b, {.relativeTolerance = 0, .maxIterations = 6});
        EXPECT_EQ(solution.iterations, 6u);
        EXPECT_EQ(solution.reason, StopReason::kIterationLimit);
        for (std::size_t i = 0; i < b.size(); ++i)
            EXPECT_NEAR(solution.x[i], six.x[i], 1e-11);
    }
}

TEST(ConjugateGradients, TakeTheProductsThatTheirNamesSay)
{
    const Matrix a = randomSpd(100, 100, 1);
    const Vector b = wave(100);
    const Solution three = solve(CgAlgorithm::kPaper, a, b), one = solve(CgAlgorithm::kPaperOneProduct, a, b),
                   two = solve(CgAlgorithm::kHestenesStiefel, a, b);
    EXPECT_EQ(three.products, 3 * three.iterations + 1);
    EXPECT_EQ(one.products, one.iterations + 3);  // products: the first residual, the recomputed last one, and a check
    EXPECT_EQ(two.products, two.iterations + 3);
    EXPECT_NEAR(double(three.iterations), double(two.iterations), 5);
    EXPECT_EQ(three.history.size(), three.iterations + 1);
}

// Provokes 0/0 in eqs. 8 and 9.
TEST(ConjugateGradients, EndWhereTheFormulasHaveNoValue)
{
    const struct
    {
        const char* name;
        Matrix a;
        Vector b;
        std::uint64_t iterations;
    } cases[] = {{"unit matrix", diagonalMatrix(Vector(5, 1.0)), wave(5), 1},
                 {"three times it", diagonalMatrix(Vector(6, 3.0)), wave(6), 1},
                 {"two eigenvalues", diagonalMatrix({1, 1, 2, 2}), {1, 2, 3, 4}, 2},
                 {"an eigenvector", diagonalMatrix({1, 2, 3}), {0, 5, 0}, 1},
                 {"b = 0", diagonalMatrix({1, 2, 3}), {0, 0, 0}, 0},
                 {"n = 1", diagonalMatrix({7}), {3}, 1}};
    for (const auto& [name, a, b, iterations] : cases)
        for (const CgAlgorithm algorithm : kAlgorithms)
            for (const double tolerance : {1e-10, 0.0})
            {
                SCOPED_TRACE(name + std::string(", algorithm ") + std::to_string(int(algorithm)));
                const Solution solution = solve(algorithm, a, b, {.relativeTolerance = tolerance});
                expectFinite(solution);
                EXPECT_LE(residualOf(a, b, solution.x), 1e-15);
                if (tolerance == 0) continue;
                expectSolved(a, b, solution);
                EXPECT_EQ(solution.iterations, iterations);
            }
}

// With one unknown, the residual that rounding leaves is parallel to every step, so the determinant is nearly 0.
TEST(ConjugateGradients, ParallelDirectionsAreNoEnd)
{
    for (int i = 1; i <= 40; ++i)
        for (const std::size_t n : {1, 3})
            for (const CgAlgorithm algorithm : kAlgorithms)
            {
                const Matrix a = diagonalMatrix(Vector(n, 0.1 * i));
                const Vector b(n, 1.0 / 3);
                const Solution solution = solve(algorithm, a, b, {.relativeTolerance = 0, .maxIterations = 50});
                EXPECT_TRUE(solution.reason == StopReason::kConverged || solution.reason == StopReason::kStagnated ||
                            solution.reason == StopReason::kIterationLimit)
                    << textOf(solution.reason);
                EXPECT_LE(residualOf(a, b, solution.x), 1e-15) << i;
            }
}

TEST(ConjugateGradients, TheResidualIsThatOfTheAnswer)
{
    const Matrix a = randomSpd(60, 1e6, 2);
    const Vector b = wave(60);
    for (const CgAlgorithm algorithm : kAlgorithms)
        for (const std::uint64_t most : {3, 40, 1000})
        {
            const Solution solution = solve(algorithm, a, b, {.relativeTolerance = 1e-17, .maxIterations = most});
            const double found = residualOf(a, b, solution.x);
            EXPECT_NEAR(solution.relativeResidual, found, 0.1 * found) << most;
            EXPECT_NEAR(solution.residualNorm,
                        found * std::sqrt(std::inner_product(b.begin(), b.end(), b.begin(), 0.0)),
                        0.1 * solution.residualNorm);
        }
    const Matrix broken = diagonalMatrix({1, std::numeric_limits<double>::quiet_NaN()});
    EXPECT_EQ(solve(CgAlgorithm::kHestenesStiefel, broken, {0, 0}).relativeResidual, 0) << "b = 0";
}

// The recurrence loses touch with the residual of x; both are recorded, and asking for them changes no bit of x.
TEST(ConjugateGradients, TrueResidualsAreThoseOfEachStep)
{
    const Matrix a = randomSpd(40, 1e4, 3);
    const Vector b = wave(40);
    for (const CgAlgorithm algorithm : kAlgorithms)
        for (const Precision precision : {Precision::kDouble, Precision::kMixed})
        {
            const SolveOptions plain = {.relativeTolerance = 1e-12, .precision = precision};
            SolveOptions watched = plain;
            watched.trueResiduals = true;
            const Solution solution = solve(algorithm, a, b, watched);
            EXPECT_TRUE(sameBits(solution.x, solve(algorithm, a, b, plain).x));
            ASSERT_EQ(solution.trueHistory.size(), solution.history.size());
            for (std::uint64_t steps : {1, 5, 20})
            {
                SolveOptions cut = plain;
                cut.maxIterations = steps;
                const Solution part = solve(algorithm, a, b, cut);
                if (precision == Precision::kMixed) continue;
                EXPECT_NEAR(solution.trueHistory[steps] / residualOf(a, b, part.x), 1, 1e-6);
            }
            EXPECT_NEAR(solution.trueHistory.back() / residualOf(a, b, solution.x), 1, 0.1);  // near rounding
        }
}

TEST(ConjugateGradients, AStopEndsItWithWhatThereIs)
{
    const Matrix a = randomSpd(60, 1e4, 2);
    const Vector b = wave(60);
    for (const CgAlgorithm algorithm : kAlgorithms)
    {
        std::stop_source source;
        SolveOptions options = {.stop = source.get_token()};
        options.watch = [&](std::uint64_t iteration, double) {
            if (iteration == 4) source.request_stop();
        };
        const Solution solution = solve(algorithm, a, b, options);
        EXPECT_EQ(solution.iterations, 4u);
        EXPECT_EQ(solution.reason, StopReason::kIterationLimit);
        EXPECT_NE(solution.x, Vector(60, 0.0));
    }
}

TEST(ConjugateGradients, ADiagonalThatIsNotPositivePreconditionsNothing)
{
    for (const Vector& diagonal : {Vector{2, -1}, Vector{2, 0}})
        for (const CgAlgorithm algorithm : kAlgorithms)
        {
            const Solution solution = solve(algorithm, diagonalMatrix(diagonal), {1, 1}, {.jacobi = true});
            EXPECT_EQ(solution.reason, StopReason::kNotPositiveDefinite) << textOf(solution.reason);
            EXPECT_EQ(solution.iterations, 0u);
            EXPECT_EQ(solution.x, (Vector{0, 0}));
        }
}

TEST(ConjugateGradients, AnExactStartIsTheAnswer)
{
    const Matrix a = diagonalMatrix({1, 2, 4});
    const Vector b = {1, 2, 4}, exact = {1, 1, 1};
    ThreadPool pool(1);
    for (const CgAlgorithm algorithm : kAlgorithms)
    {
        const Solution solution = solveByConjugateGradients(algorithm, *denseOperator(a), b, {}, pool, exact);
        EXPECT_EQ(solution.iterations, 0u);
        EXPECT_EQ(solution.reason, StopReason::kConverged);
        EXPECT_EQ(solution.x, exact);
    }
}

// Scaling b by a power of two changes only the exponent of x, even where squares would overflow.
TEST(ConjugateGradients, ScaleBByAPowerOfTwo)
{
    const Matrix a = randomSpd(40, 100, 3);
    const Vector b = wave(40);
    ThreadPool pool(1);
    for (const CgAlgorithm algorithm : kAlgorithms)
    {
        const Solution one = solve(algorithm, a, b);
        for (const int exponent : {-1000, -600, -299, 299, 600, 1000})
        {
            Vector scaled = b, expected = one.x;
            for (double& value : scaled)
                value = std::scalbn(value, exponent);
            for (double& value : expected)
                value = std::scalbn(value, exponent);
            const Solution solution = solve(algorithm, a, scaled);
            EXPECT_EQ(solution.reason, StopReason::kConverged) << exponent;
            EXPECT_EQ(solution.iterations, one.iterations) << exponent;
            EXPECT_EQ(solution.x, expected) << exponent;
        }
        const Solution loose = solve(algorithm, a, b, {.relativeTolerance = 0, .absoluteTolerance = 1e-4});
        EXPECT_LT(loose.iterations, one.iterations);
        for (const int exponent : {-400, 400})
        {
            Vector scaled = b;
            for (double& value : scaled)
                value = std::scalbn(value, exponent);
            const double tolerance = std::scalbn(1e-4, exponent);
            const Solution solution =
                solve(algorithm, a, scaled, {.relativeTolerance = 0, .absoluteTolerance = tolerance});
            EXPECT_EQ(solution.iterations, loose.iterations) << "an absolute tolerance grows with b";
            EXPECT_EQ(solution.reason, StopReason::kConverged);
        }
        const Solution direct = solveByCholesky(a, b, {.relativeTolerance = 0, .absoluteTolerance = 1e-9}, pool);
        EXPECT_EQ(direct.reason, StopReason::kConverged);
        Vector large = b;
        for (double& value : large)
            value = std::scalbn(value, 400);
        const Solution tooStrict = solveByCholesky(a, large, {.relativeTolerance = 0, .absoluteTolerance = 1e-9}, pool);
        EXPECT_EQ(tooStrict.reason, StopReason::kStagnated) << textOf(tooStrict.reason);
        for (const double size : {1e90, 1e-90})
        {
            Vector scaled = b;
            for (double& value : scaled)
                value *= size;
            expectSolved(a, scaled, solve(algorithm, a, scaled));
        }
    }
}

TEST(ConjugateGradients, SayWhyNot)
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const struct
    {
        const char* name;
        Matrix a;
        Vector b;
        StopReason reason;
    } cases[] = {{"indefinite", diagonalMatrix({1, -1}), {1, 1}, StopReason::kNotPositiveDefinite},
                 {"indefinite, later", diagonalMatrix({5, 3, 1, -1}), {1, 1, 1, 1}, StopReason::kNotPositiveDefinite},
                 {"negative", diagonalMatrix({-1, -2}), {1, 1}, StopReason::kNotPositiveDefinite},
                 {"zero", diagonalMatrix({0, 0}), {1, 1}, StopReason::kNotPositiveDefinite},
                 {"NaN in A", diagonalMatrix({1, nan}), {1, 1}, StopReason::kNotFinite},
                 {"inf in A", diagonalMatrix({1, inf}), {1, 1}, StopReason::kNotFinite},
                 {"NaN in A, b = 0", diagonalMatrix({1, nan}), {0, 0}, StopReason::kNotFinite},
                 {"NaN in b", diagonalMatrix({1, 2}), {1, nan}, StopReason::kNotFinite},
                 {"inf in b", diagonalMatrix({1, 2}), {-inf, 1}, StopReason::kNotFinite},
                 {"x too large", diagonalMatrix({1e-300, 1e-300}), {1e300, 1e300}, StopReason::kNotFinite},
                 {"subnormal A", diagonalMatrix({2e-310, 1e-310}), {1, 1}, StopReason::kNotFinite}};
    for (const auto& [name, a, b, reason] : cases)
    {
        SCOPED_TRACE(name);
        ThreadPool pool(1);
        for (const CgAlgorithm algorithm : kAlgorithms)
        {
            const Solution solution = solve(algorithm, a, b);
            EXPECT_EQ(solution.reason, reason) << int(algorithm) << " " << textOf(solution.reason);
            expectFinite(solution);
        }
        const Solution cholesky = solveByCholesky(a, b, {}, pool);
        EXPECT_EQ(cholesky.reason, reason) << textOf(cholesky.reason);
        expectFinite(cholesky);
        expectFinite(solveByCramer(a, b, {}, pool));
    }
}

TEST(ConjugateGradients, ASingularSystemWithoutAnAnswerIsNeverConverged)
{
    const Matrix a = diagonalMatrix({1, 2, 3, 0});
    for (const CgAlgorithm algorithm : kAlgorithms)
    {
        const Solution without = solve(algorithm, a, {1, 1, 1, 1});
        EXPECT_NE(without.reason, StopReason::kConverged);
        expectFinite(without);
        expectSolved(a, {1, 1, 1, 0}, solve(algorithm, a, {1, 1, 1, 0}));
    }
}

TEST(ConjugateGradients, HilbertMatricesAreSolvedOrSaidNotToBe)
{
    for (const std::size_t n : {10, 12, 16})
    {
        Matrix a(n, n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                a(i, j) = 1.0 / double(i + j + 1);
        const Vector b(n, 1.0);
        for (const CgAlgorithm algorithm : kAlgorithms)
            for (const double tolerance : {1e-6, 1e-10, 1e-15})
            {
                SCOPED_TRACE(std::to_string(n) + " " + std::to_string(int(algorithm)));
                const Solution solution = solve(algorithm, a, b, {.relativeTolerance = tolerance});
                expectFinite(solution);
                EXPECT_NEAR(solution.relativeResidual, residualOf(a, b, solution.x), 1e-7);
                if (solution.reason == StopReason::kConverged)
                {
                    EXPECT_LE(solution.relativeResidual, tolerance);
                }
                else
                {
                    EXPECT_GT(solution.relativeResidual, tolerance);
                }
            }
    }
}

TEST(ConjugateGradients, ConvergedMeansItFromSmallToLargeConditions)
{
    for (const double condition : {1e2, 1e4, 1e6, 1e8})
    {
        const Matrix a = randomSpd(120, condition, 11);
        const Vector b = wave(120);
        for (const CgAlgorithm algorithm : kAlgorithms)
        {
            SCOPED_TRACE(std::to_string(condition) + " " + std::to_string(int(algorithm)));
            const Solution solution = solve(algorithm, a, b, {.relativeTolerance = 1e-8, .maxIterations = 20000});
            expectFinite(solution);
            const bool converged = solution.reason == StopReason::kConverged;
            EXPECT_TRUE(converged || condition > 1e6) << textOf(solution.reason);
            EXPECT_TRUE(!converged || residualOf(a, b, solution.x) <= 1.001e-8);
        }
        ThreadPool pool(1);
        expectSolved(a, b, solveByCholesky(a, b, {.relativeTolerance = 1e-8}, pool), 1e-8);
    }
}

// The recurrence's residual goes to 0, but the true one does not: the solver must not report convergence.
TEST(ConjugateGradients, ARecurrenceIsNotBelieved)
{
    const Matrix a = randomSpd(80, 1e6, 2);
    const Vector b = wave(80);
    for (const CgAlgorithm algorithm : kAlgorithms)
    {
        const Solution solution = solve(algorithm, a, b, {.relativeTolerance = 1e-17, .maxIterations = 100000});
        EXPECT_EQ(solution.reason, StopReason::kStagnated) << textOf(solution.reason);
        EXPECT_GT(residualOf(a, b, solution.x), 1e-17);
        expectFinite(solution);
    }
}

TEST(ConjugateGradients, TheDiagonalPreconditionsWhatItIsGoodFor)
{
    Matrix a = randomSpd(200, 10, 4);
    for (std::size_t i = 0; i < 200; ++i)
        for (std::size_t j = 0; j < 200; ++j)
            a(i, j) *= std::pow(10.0, double(i % 5) / 2 + double(j % 5) / 2);
    const Vector b = wave(200);
    for (const CgAlgorithm algorithm : kAlgorithms)
    {
        const Solution plain = solve(algorithm, a, b), jacobi = solve(algorithm, a, b, {.jacobi = true});
        expectSolved(a, b, plain);
        expectSolved(a, b, jacobi);
        EXPECT_LT(3 * jacobi.iterations, plain.iterations);
    }
}

TEST(ConjugateGradients, AbsoluteToleranceEndsItToo)
{
    const Matrix a = randomSpd(50, 100, 1);
    const Vector b = wave(50);
    const Solution solution = solve(CgAlgorithm::kHestenesStiefel, a, b, {.absoluteTolerance = 0.1});
    EXPECT_EQ(solution.reason, StopReason::kConverged);
    EXPECT_LE(solution.residualNorm, 0.1);
    EXPECT_GT(solution.residualNorm, 1e-5);
}

// ---- bit-identical results ----

TEST(ConjugateGradients, GiveTheSameBitsForAnyNumberOfThreads)
{
    const Matrix a = randomSpd(501, 1000, 8);
    const SparseMatrix sparse = poissonMatrix(150, 60);
    const Vector b = wave(501), longer = wave(150 * 60);
    for (const CgAlgorithm algorithm : kAlgorithms)
        for (const auto& make :
             {+[](const Matrix& m) { return denseOperator(m); }, +[](const Matrix& m) { return denseHalfOperator(m); }})
        {
            Vector first, firstSparse;
            for (const int threads : {1, 2, 3})
            {
                ThreadPool pool(threads);
                const Solution solution = solveByConjugateGradients(algorithm, *make(a), b, {}, pool);
                const Solution other = solveByConjugateGradients(algorithm, *sparseOperator(sparse), longer, {}, pool);
                EXPECT_EQ(solution.reason, StopReason::kConverged);
                if (threads == 1) first = solution.x, firstSparse = other.x;
                EXPECT_TRUE(sameBits(solution.x, first)) << threads;
                EXPECT_TRUE(sameBits(other.x, firstSparse)) << threads;
            }
        }
    // Several pieces, whose sums must be added in a fixed order.
    const std::size_t width = 300, height = 130;
    const Vector longest = wave(width * height);
    for (const CgAlgorithm algorithm : kAlgorithms)
    {
        Vector first;
        for (const int threads : {1, 2, 4})
        {
            ThreadPool pool(threads);
            const SolveOptions options = {.relativeTolerance = 0, .maxIterations = 12};
            const Solution solution =
                solveByConjugateGradients(algorithm, *poissonOperator(width, height), longest, options, pool);
            if (threads == 1) first = solution.x;
            EXPECT_TRUE(sameBits(solution.x, first)) << threads;
        }
    }
    ThreadPool one(1), many(5);
    EXPECT_TRUE(sameBits(solveByCholesky(a, b, {}, one).x, solveByCholesky(a, b, {}, many).x));
}

// ---- direct methods ----

TEST(DirectMethods, AgreeWithElimination)
{
    ThreadPool pool(2);
    for (const std::size_t n : {1, 2, 3, 5, 12, 20, 63, 64, 65, 130, 200})
    {
        const Matrix a = randomSpd(n, 100, 9);
        const Vector b = wave(n), expected = eliminated(a, b);
        const Solution cholesky = solveByCholesky(a, b, {}, pool);
        expectSolved(a, b, cholesky);
        for (std::size_t i = 0; i < n; ++i)
            EXPECT_NEAR(cholesky.x[i], expected[i], 1e-10) << n;
        if (n > kMostCramer) continue;
        const Solution cramer = solveByCramer(a, b, {}, pool);
        expectSolved(a, b, cramer);
        for (std::size_t i = 0; i < n; ++i)
            EXPECT_NEAR(cramer.x[i], expected[i], 1e-10) << n;
    }
    // Cramer's rule requires a determinant other than 0, but no definiteness; b = 0 requires neither.
    for (const Vector& diagonal : {Vector{1, 0}, Vector{-1, 0}})
    {
        const Matrix singular = diagonalMatrix(diagonal);
        const Solution cramer = solveByCramer(singular, Vector{1, 1}, {}, pool);
        EXPECT_EQ(cramer.reason, StopReason::kSingular) << textOf(cramer.reason);
        expectFinite(cramer);
        expectSolved(singular, {0, 0}, solveByCramer(singular, Vector{0, 0}, {}, pool));
    }
    Matrix swapped(2, 2, 0.0);
    swapped(0, 1) = swapped(1, 0) = 1;
    EXPECT_EQ(solveByCramer(swapped, Vector{3, 4}, {}, pool).x, (Vector{4, 3})) << "needs a pivot";
    const Matrix indefinite = diagonalMatrix({2, -3});
    EXPECT_EQ(solveByCramer(indefinite, Vector{4, 3}, {}, pool).x, (Vector{2, -1})) << "needs a pivot, not a sign";
}

// A tolerance of 1 takes no power of ten.
TEST(Cg, ProgressEndsAtOneForAnyTolerance)
{
    const Module* cg = findModule("cg");
    ASSERT_TRUE(cg);
    for (const char* tolerance : {"tolerance=1", "tolerance=0.5", "tolerance=1e-10"})
    {
        ParameterValues values(cg->parameters());
        for (const char* assignment : {"random=40", "threads=1", tolerance})
            ASSERT_TRUE(assign(values, assignment));
        Progress progress;
        const Result<JobResult> result = runModule(*cg, values, {progress});
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(progress.fraction(), 1.0) << tolerance;
    }
}

}  // namespace
}  // namespace orogen::compute
