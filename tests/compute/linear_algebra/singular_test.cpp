// Exact test of singularity, against matrices built from factors.
#include "compute/linear_algebra/direct.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace orogen::compute {
namespace {

Matrix matrixOf(std::size_t n, const std::vector<double>& values)
{
    Matrix a(n, n);
    std::ranges::copy(values, a.values().begin());
    return a;
}

TEST(Singular, IsSaidOfKnownMatrices)
{
    EXPECT_TRUE(isSingular(matrixOf(1, {0})));
    EXPECT_TRUE(isSingular(matrixOf(2, {1, 2, 2, 4})));
    EXPECT_TRUE(isSingular(matrixOf(2, {0, 1, 0, 5})));
    EXPECT_TRUE(isSingular(matrixOf(3, {1, 2, 3, 4, 5, 6, 7, 8, 9})));
    EXPECT_FALSE(isSingular(matrixOf(1, {5e-324})));
    EXPECT_FALSE(isSingular(matrixOf(2, {0, 1, 1, 0})));
    EXPECT_FALSE(isSingular(matrixOf(2, {1, 2, 2, std::nextafter(4.0, 5.0)})));
    EXPECT_FALSE(isSingular(matrixOf(2, {1e308, 1, 1, 1e-308}))) << "the product is not 1 exactly";
    const double largest = std::numeric_limits<double>::max(), least = 5e-324;
    EXPECT_FALSE(isSingular(matrixOf(2, {largest, least, least, largest})));
    EXPECT_TRUE(isSingular(matrixOf(2, {std::scalbn(1.0, 1000), 1, 1, std::scalbn(1.0, -1000)})));
    const double prime = std::scalbn(1.0, 61) - std::scalbn(1.0, 9);  // the double nearest to 2^61 - 1
    EXPECT_FALSE(isSingular(matrixOf(1, {prime})));
    // 2^61 - 1 = 2305843009213693951 = 2^30 * 2147483648 - 1, so the determinant is 0 modulo the prime, but not 0.
    EXPECT_FALSE(isSingular(matrixOf(2, {std::scalbn(1.0, 30), 1, 1, std::scalbn(1.0, 31)})));
}

// The last row is a combination of others with small integer factors; then one of its elements is changed by one bit.
TEST(Singular, IsExactForAnySizeAndMagnitude)
{
    test::Random random(3);
    for (int i = 0; i < 200; ++i)
    {
        const std::size_t n = 2 + random.below(19);
        Matrix a(n, n, 0.0);
        for (std::size_t row = 0; row + 1 < n; ++row)
            for (std::size_t column = 0; column < n; ++column)
                a(row, column) = std::scalbn(double(random.between(-9999, 9999)), random.between(0, 20));
        for (std::size_t row = 0; row + 1 < n; ++row)
        {
            const double factor = random.between(-3, 3);
            for (std::size_t column = 0; column < n; ++column)
                a(n - 1, column) += factor * a(row, column);
        }
        const int power = random.between(-900, 900);
        for (double& value : a.values())
            value = std::scalbn(value, power);
        ASSERT_TRUE(isSingular(a)) << i;
        a(n - 1, 0) += std::scalbn(1.0, power);
        EXPECT_FALSE(isSingular(a)) << i;
    }
}

}  // namespace
}  // namespace orogen::compute
