// Preconditioners, against their definitions in dense arithmetic, and the eigenvalues that the steps find.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/grid_multigrid.h"
#include "compute/linear_algebra/preconditioners.h"
#include "tests/compute/cg_solves.h"

namespace orogen::compute {
namespace {

using test::residualOf;
using test::sameBits;
using test::Vector;
using test::wave;

// Sparse, symmetric, diagonally dominant unless `weak` lowers the diagonal.
SparseMatrix scattered(std::size_t size, double weak = 0)
{
    Matrix dense(size, size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
        for (const std::size_t j : {(3 * i + 1) % size, (7 * i + 5) % size, i / 2})
            if (j != i) dense(i, j) = dense(j, i) = std::sin(double(i + 2 * j + 1));
    SparseMatrix a{.size = size, .starts = {0}};
    for (std::size_t i = 0; i < size; ++i)
    {
        double sum = 0;
        for (std::size_t j = 0; j < size; ++j)
            sum += std::abs(dense(i, j));
        dense(i, i) = (1 - weak) * sum + 0.1 * double(1 + i % 5);
        for (std::size_t j = 0; j < size; ++j)
            if (dense(i, j) != 0)
            {
                a.columns.push_back(std::uint32_t(j));
                a.values.push_back(dense(i, j));
            }
        a.starts.push_back(a.values.size());
    }
    return a;
}

SparseMatrix sparseOfDense(const Matrix& dense)
{
    SparseMatrix a{.size = dense.rows(), .starts = {0}};
    for (std::size_t i = 0; i < a.size; ++i)
    {
        for (std::size_t j = 0; j < a.size; ++j)
            if (dense(i, j) != 0)
            {
                a.columns.push_back(std::uint32_t(j));
                a.values.push_back(dense(i, j));
            }
        a.starts.push_back(a.values.size());
    }
    return a;
}

// The matrix that apply() multiplies by, column by column.
Matrix appliedMatrix(const Preconditioner& preconditioner, std::size_t size)
{
    ThreadPool pool(1);
    Matrix m(size, size, 0.0);
    for (std::size_t j = 0; j < size; ++j)
    {
        Vector unit(size, 0.0), column(size);
        unit[j] = 1;
        preconditioner.apply(unit.data(), column.data(), pool);
        for (std::size_t i = 0; i < size; ++i)
            m(i, j) = column[i];
    }
    return m;
}

Matrix productOf(const Matrix& a, const Matrix& b)
{
    Matrix c(a.rows(), b.columns(), 0.0);
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t k = 0; k < a.columns(); ++k)
            for (std::size_t j = 0; j < b.columns(); ++j)
                c(i, j) += a(i, k) * b(k, j);
    return c;
}

Matrix transposed(const Matrix& a)
{
    Matrix t(a.columns(), a.rows(), 0.0);
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < a.columns(); ++j)
            t(j, i) = a(i, j);
    return t;
}

// Inverse by Gauss and Jordan without pivots.
Matrix inverseOf(const Matrix& a)
{
    const std::size_t n = a.rows();
    Matrix left = a.copy(), right(n, n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        right(i, i) = 1;
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
        {
            const double factor = i == k ? (left(k, k) - 1) / left(k, k) : left(i, k) / left(k, k);
            for (std::size_t j = 0; j < n; ++j)
            {
                left(i, j) -= factor * left(k, j);
                right(i, j) -= factor * right(k, j);
            }
        }
    return right;
}

struct Named
{
    std::string name;
    std::unique_ptr<LinearOperator> a;  // for those that keep it
    MadePreconditioner made;
};

std::vector<Named> allOf(const SparseMatrix& a, ThreadPool& pool)
{
    std::vector<Named> all;
    all.push_back({"ssor", sparseOperator(a), makeSsor(a, 1.5)});
    all.push_back({"ic0", sparseOperator(a), makeIncompleteCholesky(a)});
    std::unique_ptr<LinearOperator> kept = sparseOperator(a);
    MadePreconditioner chebyshev = makeChebyshev(*kept, pool);
    all.push_back({"chebyshev", std::move(kept), std::move(chebyshev)});
    if (std::optional<GridStencil> stencil = stencilOf(a))
        all.push_back(
            {"multigrid", sparseOperator(a), {.value = std::make_unique<GridMultigrid>(std::move(*stencil))}});
    return all;
}

TEST(Preconditioners, AreSymmetricAndPositiveDefinite)
{
    ThreadPool pool(1);
    const SparseMatrix systems[] = {scattered(1),        scattered(2),         scattered(3),
                                    scattered(40),       scattered(40, 0.3),   poissonMatrix(9, 7),
                                    poissonMatrix(1, 1), poissonMatrix(12, 1), poissonMatrix(1, 13)};
    for (const SparseMatrix& a : systems)
        for (const Named& named : allOf(a, pool))
        {
            SCOPED_TRACE(named.name + " n " + std::to_string(a.size));
            ASSERT_TRUE(named.made.value);
            const Matrix m = appliedMatrix(*named.made.value, a.size);
            double most = 0;
            for (const double value : m.values())
                most = std::max(most, std::abs(value));
            const double rounding = named.name == "multigrid" ? 1e-6 : 1e-14;
            for (std::size_t i = 0; i < a.size; ++i)
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_NEAR(m(i, j), m(j, i), rounding * most);
            // All pivots of an elimination are positive.
            Matrix rest = m.copy();
            for (std::size_t k = 0; k < a.size; ++k)
            {
                ASSERT_GT(rest(k, k), 0);
                for (std::size_t i = k + 1; i < a.size; ++i)
                    for (std::size_t j = a.size; j-- > k;)
                        rest(i, j) -= rest(i, k) / rest(k, k) * rest(k, j);
            }
        }
}

TEST(Preconditioners, SsorIsItsDefinition)
{
    for (const double w : {0.3, 1.0, 1.5, 1.9})
    {
        const SparseMatrix sparse = scattered(12);
        const Matrix a = denseOf(sparse);
        Matrix lower(12, 12, 0.0), inverse(12, 12, 0.0);
        for (std::size_t i = 0; i < 12; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                lower(i, j) = i == j ? a(i, i) / w : a(i, j);
        for (std::size_t i = 0; i < 12; ++i)
            inverse(i, i) = w / a(i, i) / (2 - w);
        const Matrix m = productOf(productOf(lower, inverse), transposed(lower));
        const Matrix one = productOf(m, appliedMatrix(*makeSsor(sparse, w).value, 12));
        for (std::size_t i = 0; i < 12; ++i)
            for (std::size_t j = 0; j < 12; ++j)
                EXPECT_NEAR(one(i, j), i == j ? 1 : 0, 1e-12);
    }
}

// The product of the factors has A's elements wherever A has one.
TEST(Preconditioners, Ic0IsAWhereAIsNotZero)
{
    for (const SparseMatrix& sparse : {scattered(12), scattered(30), poissonMatrix(5, 6), poissonMatrix(20, 1)})
    {
        const Matrix a = denseOf(sparse),
                     m = inverseOf(appliedMatrix(*makeIncompleteCholesky(sparse).value, sparse.size));
        bool fill = false;
        for (std::size_t i = 0; i < sparse.size; ++i)
            for (std::size_t j = 0; j < sparse.size; ++j)
            {
                if (a(i, j) != 0)
                {
                    EXPECT_NEAR(m(i, j), a(i, j), 1e-11);
                }
                fill = fill || (a(i, j) == 0 && std::abs(m(i, j)) > 1e-9);
            }
        EXPECT_EQ(fill, sparse.size != 20) << "a tridiagonal matrix is factored exactly";
    }
}

// Kershaw's matrix (J. Comp. Physics 26, 1978) is positive definite, and IC(0) meets a negative pivot.
TEST(Preconditioners, Ic0ShiftsWhereAPivotIsNotPositive)
{
    Matrix a(4, 4, 0.0);
    for (std::size_t i = 0; i < 4; ++i)
    {
        a(i, i) = 3;
        a(i, (i + 1) % 4) = a((i + 1) % 4, i) = i == 3 ? 2 : -2;
    }
    const SparseMatrix sparse = sparseOfDense(a);
    const MadePreconditioner made = makeIncompleteCholesky(sparse);
    ASSERT_TRUE(made.value);
    ThreadPool pool(1);
    const Vector b = wave(4);
    const Solution solution = solveByConjugateGradients(CgAlgorithm::kHestenesStiefel, *sparseOperator(sparse), b,
                                                        {.preconditioner = made.value.get()}, pool);
    EXPECT_EQ(solution.reason, StopReason::kConverged);
    EXPECT_LE(residualOf(a, b, solution.x), 1e-10);
}

TEST(Preconditioners, SayWhyAMatrixHasNone)
{
    ThreadPool pool(1);
    SparseMatrix negative = scattered(5), none = scattered(5), empty = scattered(5), subnormal = scattered(5);
    for (std::size_t k = negative.starts[2]; k < negative.starts[3]; ++k)
        if (negative.columns[k] == 2)
        {
            negative.values[k] = -1;
            none.values[k] = std::nan("");
            empty.values[k] = 0;
            subnormal.values[k] = 1e-310;  // its inverse is beyond the doubles
        }
    for (const auto& [a, reason] : {std::pair(&negative, StopReason::kNotPositiveDefinite),
                                    {&none, StopReason::kNotFinite},
                                    {&empty, StopReason::kNotPositiveDefinite},
                                    {&subnormal, StopReason::kNotFinite}})
    {
        const std::unique_ptr<LinearOperator> kept = sparseOperator(*a);
        for (const MadePreconditioner& made : {makeSsor(*a, 1), makeIncompleteCholesky(*a)})
        {
            EXPECT_FALSE(made.value);
            EXPECT_EQ(made.unsuited, reason);
        }
        EXPECT_EQ(makeChebyshev(*kept, pool).unsuited, reason);
        EXPECT_FALSE(stencilOf(*a));
    }
}

TEST(Preconditioners, SolveInFewerStepsAndTheSameForAnyThreads)
{
    ThreadPool one(1), three(3);
    for (const SparseMatrix& a : {scattered(300, 0.02), poissonMatrix(40, 23)})
    {
        const Vector b = wave(a.size);
        const std::unique_ptr<LinearOperator> sparse = sparseOperator(a);
        for (const CgAlgorithm algorithm :
             {CgAlgorithm::kPaper, CgAlgorithm::kPaperOneProduct, CgAlgorithm::kHestenesStiefel})
        {
            const Solution plain = solveByConjugateGradients(algorithm, *sparse, b, {}, one);
            for (const Named& named : allOf(a, one))
            {
                SCOPED_TRACE(named.name);
                const SolveOptions options = {.preconditioner = named.made.value.get()};
                const Solution solution = solveByConjugateGradients(algorithm, *sparse, b, options, one);
                EXPECT_EQ(solution.reason, StopReason::kConverged);
                EXPECT_LE(residualOf(denseOf(a), b, solution.x), 1.01e-10);
                EXPECT_LT(solution.iterations, plain.iterations);
                EXPECT_TRUE(sameBits(solution.x, solveByConjugateGradients(algorithm, *sparse, b, options, three).x));
                EXPECT_EQ(solution.products > 4 * solution.iterations, named.name == "chebyshev");
            }
        }
    }
}

TEST(GridMultigrid, TakesAboutAsManyStepsForAnySize)
{
    ThreadPool pool(2);
    for (const auto& [width, height] : {std::pair(31, 31), {64, 64}, {255, 257}, {512, 512}, {1000, 3}, {1, 2000}})
    {
        const GridMultigrid multigrid(poissonStencil(width, height));
        const Vector b = wave(std::size_t(width) * std::size_t(height));
        const Solution solution = solveByConjugateGradients(CgAlgorithm::kHestenesStiefel,
                                                            *poissonOperator(std::size_t(width), std::size_t(height)),
                                                            b, {.preconditioner = &multigrid}, pool);
        EXPECT_EQ(solution.reason, StopReason::kConverged);
        EXPECT_LE(solution.iterations, 40u) << width << " x " << height;
    }
}

TEST(GridMultigrid, FindsTheGridOfAMatrix)
{
    ThreadPool pool(1);
    for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>(9, 7), {1, 1}, {20, 1}, {2, 9}, {40, 30}})
    {
        std::optional<GridStencil> found = stencilOf(poissonMatrix(width, height));
        ASSERT_TRUE(found);
        const GridMultigrid read(std::move(*found)), made(poissonStencil(int(width), int(height)));
        const Vector r = wave(width * height);
        Vector z(r.size()), expected(r.size());
        read.apply(r.data(), z.data(), pool);
        made.apply(r.data(), expected.data(), pool);
        EXPECT_TRUE(sameBits(z, expected)) << width << " x " << height;
    }
    // Not a grid: a neighbour around the corner, a positive one, a diagonal too small, rows that are not whole.
    const auto changed = [](const std::function<void(Matrix&)>& change) {
        Matrix a = denseOf(poissonMatrix(4, 3));
        change(a);
        return stencilOf(sparseOfDense(a)).has_value();
    };
    EXPECT_TRUE(changed([](Matrix&) {}));
    EXPECT_TRUE(changed([](Matrix& a) { a(5, 5) = 9; })) << "a coefficient may vary";
    EXPECT_FALSE(changed([](Matrix& a) { a(3, 4) = a(4, 3) = -1; }));
    EXPECT_FALSE(changed([](Matrix& a) { a(0, 1) = a(1, 0) = 1; }));
    EXPECT_FALSE(changed([](Matrix& a) { a(5, 5) = 3.9; }));
    EXPECT_FALSE(changed([](Matrix& a) { a(0, 5) = a(5, 0) = -0.5; }));
    EXPECT_FALSE(changed([](Matrix& a) { a(0, 2) = a(2, 0) = -0.5; }));
}

// Elements beyond the range of single precision.
TEST(GridMultigrid, FitsMatricesOfAnySize)
{
    ThreadPool pool(1);
    const SparseMatrix a = poissonMatrix(23, 19);
    const GridMultigrid plain(*stencilOf(a));
    for (const double factor : {0x1p-900, 0x1p-140, 0x1p60, 0x1p126, 0x1p130, 0x1p1000})
    {
        SparseMatrix scaled = a;
        Vector r = wave(a.size), expected(r.size()), z(r.size());
        plain.apply(r.data(), expected.data(), pool);
        for (double& value : scaled.values)
            value *= factor;
        for (double& value : r)
            value *= factor;
        std::optional<GridStencil> stencil = stencilOf(scaled);
        ASSERT_TRUE(stencil) << factor;
        GridMultigrid(std::move(*stencil)).apply(r.data(), z.data(), pool);
        EXPECT_TRUE(sameBits(z, expected)) << factor;
    }
}

// ---- eigenvalues ----

TEST(Tridiagonal, HasItsKnownExtremes)
{
    for (const std::size_t n : {1, 2, 3, 10, 500})
    {
        const Vector diagonal(n, 2.0), beside(n, -1.0);
        const double step = std::acos(-1.0) / double(n + 1);
        const auto [least, most] = extremesOfTridiagonal(diagonal, beside);
        EXPECT_NEAR(least, 2 - 2 * std::cos(step), 1e-13);
        EXPECT_NEAR(most, 2 + 2 * std::cos(step), 1e-13);
    }
    const auto [low, high] = extremesOfTridiagonal(Vector{-3, 0, 1e9}, Vector{0, 0});
    EXPECT_NEAR(low, -3, 1e-5);
    EXPECT_NEAR(high, 1e9, 1e-3);
}

TEST(ConditionEstimate, FindsTheExtremeEigenvalues)
{
    for (const double condition : {1.0, 30.0, 1e4})
        for (const CgAlgorithm algorithm :
             {CgAlgorithm::kPaper, CgAlgorithm::kPaperOneProduct, CgAlgorithm::kHestenesStiefel})
        {
            const Matrix a = randomSpd(60, condition, 2);
            ThreadPool pool(1);
            const Solution solution =
                solveByConjugateGradients(algorithm, *denseOperator(a), wave(60), {.relativeTolerance = 1e-9}, pool);
            ASSERT_FALSE(solution.lanczos.diagonal.empty());
            const auto [least, most] = extremesOfTridiagonal(solution.lanczos.diagonal, solution.lanczos.beside);
            EXPECT_NEAR(most / least / condition, 1, 1e-3) << condition;
        }
}

}  // namespace
}  // namespace orogen::compute
