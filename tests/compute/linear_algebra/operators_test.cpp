// Products for solvers: kernels of every instruction set, and products by all forms of a matrix.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/operators.h"
#include "compute/linear_algebra/vector_kernels.h"
#include "tests/compute/cg_solves.h"

namespace orogen::test {
namespace {

TEST(VectorKernels, GiveTheSameBitsOnEveryInstructionSet)
{
    const VectorKernels& portable = *vectorKernels("portable");
    const Matrix a = randomSpd(53, 10, 1);
    const Vector x = wave(53);
    for (const char* name : {"avx2", "avx512"})
    {
        const VectorKernels* kernels = vectorKernels(name);
        if (!kernels) continue;
        for (std::size_t n = 0; n <= 53; ++n)
        {
            EXPECT_EQ(kernels->dot(x.data(), a.row(3), n), portable.dot(x.data(), a.row(3), n));
            EXPECT_EQ(kernels->sum(a.row(0), 10 * n), portable.sum(a.row(0), 10 * n));
        }
        Vector y(53), z(53);
        kernels->rowProducts(a.row(0), 53, 53, x.data(), y.data(), 0, 53);
        portable.rowProducts(a.row(0), 53, 53, x.data(), z.data(), 0, 53);
        EXPECT_TRUE(sameBits(y, z)) << name;
        for (std::size_t rows = 1; rows <= kStripRowsOf<double>; ++rows)
        {
            kernels->stripProducts(a.row(0), 32, 24, rows, x.data(), y.data());
            portable.stripProducts(a.row(0), 32, 24, rows, x.data(), z.data());
            EXPECT_TRUE(sameBits(y, z)) << name;
        }
        Matrix c(4, 16, 1.0), d(4, 16, 1.0);
        kernels->subtractTile(c.row(0), 16, a.row(0), 53, a.row(5), 53, 20);
        portable.subtractTile(d.row(0), 16, a.row(0), 53, a.row(5), 53, 20);
        EXPECT_TRUE(std::ranges::equal(c.values(), d.values())) << name;
    }
}

TEST(Operators, AllGiveTheProduct)
{
    for (const std::size_t n : {1, 2, 3, 4, 5, 7, 8, 9, 30, 255, 256, 257, 300})
    {
        const Matrix a = randomSpd(n, 20, 6);
        const Vector x = wave(n);
        ThreadPool pool(2);
        for (const auto& op : {denseOperator(a), denseHalfOperator(a), denseLowerOperator(a)})
        {
            Vector y(n, 99), d(n);
            op->apply(x.data(), y.data(), pool);
            op->diagonal(d.data());
            for (std::size_t i = 0; i < n; ++i)
            {
                long double sum = 0;
                for (std::size_t j = 0; j < n; ++j)
                    sum += static_cast<long double>(a(i, j)) * x[j];
                EXPECT_NEAR(y[i], double(sum), 1e-13) << n;
                EXPECT_EQ(d[i], a(i, i));
            }
        }
    }
}

TEST(Operators, TheHalvesReadNothingAboveTheDiagonal)
{
    const Matrix whole = randomSpd(37, 20, 6);
    Matrix half = whole.copy();
    for (std::size_t i = 0; i < 37; ++i)
        for (std::size_t j = i + 1; j < 37; ++j)
            half(i, j) = std::numeric_limits<double>::quiet_NaN();
    const Vector x = wave(37);
    ThreadPool pool(1);
    for (const auto& make : {denseHalfOperator, denseLowerOperator})
    {
        Vector y(37), z(37);
        make(whole)->apply(x.data(), y.data(), pool);
        make(half)->apply(x.data(), z.data(), pool);
        EXPECT_TRUE(sameBits(y, z));
    }
}

TEST(Operators, PoissonIsTheSameWithAndWithoutItsMatrix)
{
    for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{1, 1}, {1, 5}, {6, 1}, {7, 40}})
    {
        const SparseMatrix matrix = poissonMatrix(width, height);
        const Vector x = wave(width * height);
        ThreadPool pool(2);
        Vector free(x.size()), full(x.size()), half(x.size()), dense(x.size());
        poissonOperator(width, height)->apply(x.data(), free.data(), pool);
        sparseOperator(matrix)->apply(x.data(), full.data(), pool);
        sparseHalfOperator(matrix)->apply(x.data(), half.data(), pool);
        const Matrix a = denseOf(matrix);
        denseOperator(a)->apply(x.data(), dense.data(), pool);
        for (std::size_t i = 0; i < x.size(); ++i)
        {
            EXPECT_NEAR(free[i], full[i], 1e-14);
            EXPECT_NEAR(half[i], full[i], 1e-14);
            EXPECT_NEAR(dense[i], full[i], 1e-14);
        }
        EXPECT_EQ(a(0, 0), 4);
    }
}

}  // namespace
}  // namespace orogen::test
