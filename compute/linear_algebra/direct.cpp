// Cholesky works in blocks whose rows stay in the L1 cache.  Cramer's rule eliminates separately for each determinant,
// and keeps determinants as mantissa and exponent.
#include "compute/linear_algebra/direct.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include <gmp.h>

#include "compute/linear_algebra/vector_kernels.h"

namespace orogen::compute {

// ---- exact test for singular matrices ----
//
// Floating-point elimination is inconclusive: rounding makes a determinant of 0 small, or a small one 0.  Elements are
// integers times powers of two, so that the determinant modulo a prime is exact: if it is not 0, the matrix is regular.
// If it is 0, which happens by chance for 1 of 2^61 matrices, elimination of integers decides.

namespace {

constexpr int kMatrixMantissaBits = 53;

// Parts of a double, which is mantissa * 2^exponent.
struct Parts
{
    std::int64_t mantissa = 0;
    int exponent = 0;
};

Parts partsOf(double value)
{
    Parts parts;
    parts.mantissa = std::int64_t(std::scalbn(std::frexp(value, &parts.exponent), kMatrixMantissaBits));
    parts.exponent -= kMatrixMantissaBits;
    return parts;
}

// ---- modulo 2^61 - 1, where 2^61 is 1 ----

constexpr int kPrimeBits = 61;
constexpr std::uint64_t kPrime = (std::uint64_t(1) << kPrimeBits) - 1;

std::uint64_t multiplied(std::uint64_t a, std::uint64_t b)
{
    __extension__ using DoubleWord = unsigned __int128;
    const DoubleWord product = DoubleWord(a) * b;
    const std::uint64_t sum = (std::uint64_t(product) & kPrime) + std::uint64_t(product >> kPrimeBits);
    return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t inverse(std::uint64_t a)  // a^(kPrime - 2), by Fermat
{
    std::uint64_t result = 1;
    for (std::uint64_t power = kPrime - 2; power > 0; power >>= 1, a = multiplied(a, a))
        if (power & 1) result = multiplied(result, a);
    return result;
}

std::uint64_t primeResidueOf(double value)
{
    const Parts parts = partsOf(value);
    const int shift = (parts.exponent % kPrimeBits + kPrimeBits) % kPrimeBits;
    const std::uint64_t size = multiplied(std::uint64_t(std::abs(parts.mantissa)), std::uint64_t(1) << shift);
    return parts.mantissa < 0 && size > 0 ? kPrime - size : size;
}

bool isRegularModuloPrime(const Matrix& a)
{
    const std::size_t n = a.rows();
    std::vector<std::vector<std::uint64_t>> m(n, std::vector<std::uint64_t>(n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            m[i][j] = primeResidueOf(a(i, j));
    for (std::size_t k = 0; k < n; ++k)
    {
        std::size_t pivot = k;
        while (pivot < n && m[pivot][k] == 0)
            ++pivot;
        if (pivot == n) return false;
        std::swap(m[k], m[pivot]);
        const std::uint64_t reciprocal = inverse(m[k][k]);
        for (std::size_t i = k + 1; i < n; ++i)
        {
            const std::uint64_t factor = kPrime - multiplied(m[i][k], reciprocal);
            for (std::size_t j = k + 1; j < n; ++j)
            {
                const std::uint64_t sum = m[i][j] + multiplied(factor, m[k][j]);
                m[i][j] = sum >= kPrime ? sum - kPrime : sum;
            }
        }
    }
    return true;
}

// ---- integers ----

class Integers
{
public:
    // Multiplies each row by a power of two of its own, which does not change whether the determinant is 0.
    explicit Integers(const Matrix& a) : size_(a.rows()), values_(a.elements())
    {
        for (std::size_t i = 0; i < size_; ++i)
        {
            int least = 0;
            bool any = false;
            for (std::size_t j = 0; j < size_; ++j)
                if (const Parts parts = partsOf(a(i, j)); parts.mantissa != 0)
                {
                    least = any ? std::min(least, parts.exponent) : parts.exponent;
                    any = true;
                }
            for (std::size_t j = 0; j < size_; ++j)
            {
                const Parts parts = partsOf(a(i, j));
                mpz_init_set_si(at(i, j), parts.mantissa);
                if (parts.mantissa != 0) mpz_mul_2exp(at(i, j), at(i, j), mp_bitcnt_t(parts.exponent - least));
            }
        }
    }
    ~Integers()
    {
        for (__mpz_struct& value : values_)
            mpz_clear(&value);
    }
    Integers(const Integers&) = delete;
    Integers& operator=(const Integers&) = delete;

    mpz_ptr at(std::size_t i, std::size_t j) { return &values_[elementIndex(i, j, size_)]; }
    void swapRows(std::size_t a, std::size_t b)
    {
        for (std::size_t j = 0; j < size_; ++j)
            mpz_swap(at(a, j), at(b, j));
    }

private:
    std::size_t size_;
    std::vector<__mpz_struct> values_;
};

// Applies Bareiss's elimination: every element stays a minor of A, so that each division is exact.
bool isSingularInIntegers(const Matrix& a)
{
    const std::size_t n = a.rows();
    Integers m(a);
    for (std::size_t k = 0; k < n; ++k)
    {
        std::size_t pivot = k;
        while (pivot < n && mpz_sgn(m.at(pivot, k)) == 0)
            ++pivot;
        if (pivot == n) return true;
        if (pivot != k) m.swapRows(k, pivot);
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = k + 1; j < n; ++j)
            {
                mpz_mul(m.at(i, j), m.at(i, j), m.at(k, k));
                mpz_submul(m.at(i, j), m.at(i, k), m.at(k, j));
                if (k > 0) mpz_divexact(m.at(i, j), m.at(i, j), m.at(k - 1, k - 1));
            }
    }
    return false;
}

}  // namespace

bool isSingular(const Matrix& a)
{
    assert(a.rows() == a.columns());
    return !isRegularModuloPrime(a) && isSingularInIntegers(a);
}

// ---- solvers ----

namespace {

constexpr std::size_t kBlock = 64;  // columns of a panel, whose rows stay in the L1 cache
static_assert(kBlock % kTileColumns == 0 && kBlock % kTileRows == 0);

std::size_t roundedUp(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

// Factor L in the lower half of a matrix of whole tiles.  The unit matrix extends A past n, so that no tile needs edge
// handling.
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
            // Alternates short and long bands of rows, so that threads with equally many bands do about equal work.
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

// Returns the solution with its residual and reason: x, or zeros if there is a `reason` for failure or x is not finite.
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
        Matrix replaced = a.copy();
        for (std::size_t i = 0; which > 0 && i < b.size(); ++i)
            replaced(i, which - 1) = b[i];
        return pivotsOf(std::move(replaced));
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
