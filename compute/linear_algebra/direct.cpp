// Cholesky works in blocks whose rows stay in the L1 cache.  Cramer's rule eliminates separately for each determinant,
// and keeps determinants as mantissa and exponent.
#include "compute/linear_algebra/direct.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "compute/linear_algebra/singular.h"
#include "compute/linear_algebra/vector_kernels.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kBlock = 64;  // columns of a panel, whose rows stay in the L1 cache
static_assert(kBlock % kTileColumns == 0 && kBlock % kTileRows == 0);

std::size_t roundedUp(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

// Lower half in a matrix of whole tiles, extended past n by the unit matrix, so that no tile needs edge handling.
class CholeskyFactor
{
public:
    CholeskyFactor(const Matrix& a, ThreadPool& pool) : size_(a.rows()), padded_(roundedUp(size_, kBlock)), pool_(pool)
    {
        l_ = Matrix(padded_, padded_, 0.0);
        for (std::size_t i = 0; i < size_; ++i)
            std::copy_n(a.row(i), i + 1, l_.row(i));
        for (std::size_t i = size_; i < padded_; ++i)
            l_(i, i) = 1;
    }

    // Factorises A.  Returns nullopt on success, else the reason for failure.
    std::optional<StopReason> factor(const std::stop_token& stop)
    {
        panel_ = DoubleBuffer(kBlock * padded_);
        for (std::size_t k = 0; k < padded_; k += kBlock)
        {
            if (stop.stop_requested()) return StopReason::kIterationLimit;
            if (std::optional<StopReason> reason = factorDiagonal(k)) return reason;
            solvePanel(k);
            subtractPanel(k);
        }
        return std::nullopt;
    }

    // Computes x = (L L^T)^-1 b.
    void solve(const double* b, double* x) const
    {
        std::vector<double> y(b, b + size_);
        for (std::size_t i = 0; i < size_; ++i)
            y[i] = (y[i] - kernels_.dot(l_.row(i), y.data(), i)) / l_(i, i);
        for (std::size_t i = size_; i-- > 0;)
        {
            y[i] /= l_(i, i);
            for (std::size_t j = 0; j < i; ++j)
                y[j] -= l_(i, j) * y[i];
        }
        std::ranges::copy(y, x);
    }

private:
    std::optional<StopReason> factorDiagonal(std::size_t k)
    {
        for (std::size_t i = k; i < k + kBlock; ++i)
            for (std::size_t j = k; j <= i; ++j)
            {
                const double rest = l_(i, j) - kernels_.dot(l_.row(i) + k, l_.row(j) + k, j - k);
                if (!std::isfinite(rest)) return StopReason::kNotFinite;
                if (i == j && rest <= 0) return StopReason::kNotPositiveDefinite;
                l_(i, j) = i == j ? std::sqrt(rest) : rest / l_(j, j);
            }
        return std::nullopt;
    }

    // Computes the rows below the diagonal block, and stores their transpose for subtractPanel().
    void solvePanel(std::size_t k)
    {
        const std::size_t first = k + kBlock;
        pool_.forEach((padded_ - first) / kBlock, [&](std::size_t piece) {
            for (std::size_t i = first + piece * kBlock; i < first + (piece + 1) * kBlock; ++i)
                for (std::size_t j = k; j < first; ++j)
                {
                    const double rest = l_(i, j) - kernels_.dot(l_.row(i) + k, l_.row(j) + k, j - k);
                    l_(i, j) = rest / l_(j, j);
                    panel_.data()[(j - k) * padded_ + i] = l_(i, j);
                }
        });
    }

    // Subtracts panel times panel transposed from the remaining lower half.
    void subtractPanel(std::size_t k)
    {
        const std::size_t first = k + kBlock, bands = (padded_ - first) / kBlock;
        pool_.forEach(bands, [&](std::size_t piece) {
            // Alternates long and short rows, so that equal shares are equal work.
            const std::size_t band = piece % 2 == 0 ? piece / 2 : bands - 1 - piece / 2;
            for (std::size_t j = first; j <= first + band * kBlock + kBlock - kTileColumns; j += kTileColumns)
                for (std::size_t i = first + band * kBlock; i < first + (band + 1) * kBlock; i += kTileRows)
                    kernels_.subtractTile(l_.row(i) + j, padded_, l_.row(i) + k, padded_, panel_.data() + j, padded_,
                                          kBlock);
        });
    }

    std::size_t size_, padded_;
    ThreadPool& pool_;
    Matrix l_;
    DoubleBuffer panel_;  // kBlock rows: the panel, transposed
    const VectorKernels& kernels_ = vectorKernels();
};

// Returns the solution x if it is finite, else zeros, with its residual and the reason.
Solution concluded(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
                   std::optional<StopReason> reason, std::vector<double> x)
{
    Solution solution;
    const bool finite = std::ranges::all_of(x, [](double value) { return std::isfinite(value); });
    if (!reason && !finite) reason = StopReason::kNotFinite;
    solution.x = reason ? std::vector<double>(b.size(), 0.0) : std::move(x);
    if (reason) solution.reason = *reason;
    assess(*denseOperator(a), b, options, pool, !reason, solution);
    return solution;
}

Pivots pivotsOf(Matrix m)
{
    Pivots pivots;
    const std::size_t n = m.rows();
    for (std::size_t k = 0; k < n; ++k)
    {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(m(i, k)) > std::abs(m(pivot, k))) pivot = i;
        if (pivot != k)
        {
            std::swap_ranges(m.row(k), m.row(k) + n, m.row(pivot));
            pivots.negative = !pivots.negative;
        }
        pivots.values.push_back(m(k, k));
        for (std::size_t i = k + 1; i < n; ++i)
        {
            const double factor = m(i, k) / m(k, k);
            for (std::size_t j = k; j < n; ++j)
                m(i, j) -= factor * m(k, j);
        }
    }
    return pivots;
}

// Determinant as mantissa and exponent of 2, so that it neither overflows nor underflows.
struct Determinant
{
    double mantissa = 1;
    std::int64_t exponent = 0;
};

Determinant determinantOf(const Pivots& pivots)
{
    Determinant result{pivots.negative ? -1.0 : 1.0};
    for (const double pivot : pivots.values)
    {
        if (pivot == 0) return {0, 0};
        int ofPivot = 0, ofProduct = 0;
        result.mantissa = std::frexp(result.mantissa * std::frexp(pivot, &ofPivot), &ofProduct);
        result.exponent += ofPivot + ofProduct;
    }
    return result;
}

Matrix withColumn(const Matrix& a, std::size_t column, std::span<const double> b)
{
    Matrix replaced = a.copy();
    for (std::size_t i = 0; i < b.size(); ++i)
        replaced(i, column) = b[i];
    return replaced;
}

}  // namespace

Solution solveByCholesky(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool)
{
    assert(a.rows() == a.columns() && a.rows() == b.size());
    CholeskyFactor factor(a, pool);
    std::vector<double> x(b.size());
    if (std::optional<StopReason> reason = factor.factor(options.stop))
        return concluded(a, b, options, pool, reason, std::move(x));
    factor.solve(b.data(), x.data());
    const std::unique_ptr<LinearOperator> whole = denseOperator(a);
    std::vector<double> r(b.size()), correction(b.size());
    for (int step = 0; step < 2; ++step)
    {
        whole->apply(x.data(), r.data(), pool);
        for (std::size_t i = 0; i < r.size(); ++i)
            r[i] = b[i] - r[i];
        factor.solve(r.data(), correction.data());
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] += correction[i];
    }
    return concluded(a, b, options, pool, std::nullopt, std::move(x));
}

Solution solveByCramer(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool)
{
    return solveByCramer(a, b, options, pool, [&](std::size_t which) {
        return pivotsOf(which == 0 ? a.copy() : withColumn(a, which - 1, b));
    });
}

Solution solveByCramer(const Matrix& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
                       const std::function<Pivots(std::size_t which)>& pivotsOf)
{
    assert(a.rows() == a.columns() && a.rows() == b.size() && b.size() <= kMostCramer);
    const auto finite = [](double value) { return std::isfinite(value); };
    std::vector<double> x(b.size());
    if (!std::ranges::all_of(a.values(), finite) || !std::ranges::all_of(b, finite))
        return concluded(a, b, options, pool, StopReason::kNotFinite, std::move(x));
    const Determinant whole = determinantOf(pivotsOf(0));
    const bool zero = std::ranges::all_of(b, [](double value) { return value == 0; });  // then x is 0 for any A
    if (whole.mantissa == 0 || isSingular(a))
        return concluded(a, b, options, pool, zero ? std::nullopt : std::optional(StopReason::kSingular), std::move(x));
    for (std::size_t column = 0; column < b.size(); ++column)
    {
        const Determinant one = determinantOf(pivotsOf(column + 1));
        x[column] = std::scalbn(one.mantissa / whole.mantissa, int(one.exponent - whole.exponent));
    }
    return concluded(a, b, options, pool, std::nullopt, std::move(x));
}

}  // namespace orogen::compute
