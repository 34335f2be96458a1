#include "compute/linear_algebra/preconditioners.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"

namespace orogen::compute {
namespace {

// Strictly lower triangle by rows, and the inverse of the diagonal.
struct LowerTriangle
{
    std::vector<std::uint64_t> starts = {0};
    std::vector<std::uint32_t> columns = {};
    std::vector<double> values = {}, inverse = {};

    std::size_t size() const { return inverse.size(); }

    // Replaces y by the solution x of L x = y, where L includes the diagonal.
    void solve(double* y) const
    {
        for (std::size_t i = 0; i < size(); ++i)
        {
            double sum = y[i];
            for (std::uint64_t k = starts[i]; k < starts[i + 1]; ++k)
                sum -= values[k] * y[columns[k]];
            y[i] = sum * inverse[i];
        }
    }
    // Replaces y by the solution x of L^T x = y.
    void solveTransposed(double* y) const
    {
        for (std::size_t i = size(); i-- > 0;)
        {
            const double value = y[i] *= inverse[i];
            for (std::uint64_t k = starts[i]; k < starts[i + 1]; ++k)
                y[columns[k]] -= values[k] * value;
        }
    }
};

// Copies the strictly lower triangle and inverts the diagonal.  Returns the reason if A is unsuited.
std::optional<StopReason> copyLower(const SparseMatrix& a, LowerTriangle& lower)
{
    lower.inverse.assign(a.size, 0.0);
    for (std::size_t i = 0; i < a.size; ++i)
    {
        for (std::uint64_t k = a.starts[i]; k < a.starts[i + 1] && a.columns[k] <= i; ++k)
        {
            if (!std::isfinite(a.values[k])) return StopReason::kNotFinite;
            if (a.columns[k] == i)
            {
                if (!(a.values[k] > 0)) return StopReason::kNotPositiveDefinite;
                lower.inverse[i] = 1 / a.values[k];
                continue;
            }
            lower.columns.push_back(a.columns[k]);
            lower.values.push_back(a.values[k]);
        }
        lower.starts.push_back(lower.values.size());
        if (!(lower.inverse[i] > 0)) return StopReason::kNotPositiveDefinite;
        if (!std::isfinite(lower.inverse[i])) return StopReason::kNotFinite;
    }
    return std::nullopt;
}

class Ssor final : public Preconditioner
{
public:
    Ssor(LowerTriangle lower, double relaxation) : lower_(std::move(lower)), factor_((2 - relaxation) / relaxation)
    {
        diagonal_.reserve(lower_.size());
        for (double& inverse : lower_.inverse)
        {
            diagonal_.push_back(factor_ / inverse);  // (2 - w) D/w, for A's diagonal D and the relaxation w
            inverse *= relaxation;
        }
    }
    void apply(const double* r, double* z, ThreadPool&) const override
    {
        std::copy_n(r, lower_.size(), z);
        lower_.solve(z);
        for (std::size_t i = 0; i < lower_.size(); ++i)
            z[i] *= diagonal_[i];
        lower_.solveTransposed(z);
    }

private:
    LowerTriangle lower_;
    const double factor_;
    std::vector<double> diagonal_;
};

class IncompleteCholesky final : public Preconditioner
{
public:
    IncompleteCholesky(LowerTriangle factor, std::vector<double> scale)
        : factor_(std::move(factor)), scale_(std::move(scale))
    {
    }
    void apply(const double* r, double* z, ThreadPool&) const override
    {
        for (std::size_t i = 0; i < scale_.size(); ++i)
            z[i] = r[i] * scale_[i];
        factor_.solve(z);
        factor_.solveTransposed(z);
        for (std::size_t i = 0; i < scale_.size(); ++i)
            z[i] *= scale_[i];
    }

private:
    LowerTriangle factor_;
    std::vector<double> scale_;  // 1 / sqrt of A's diagonal
};

// Factors a matrix with unit diagonal, of which `factor` holds the strictly lower triangle, plus `shift` on the
// diagonal.  Returns false for a pivot that is not above 1e-10.
bool factorise(LowerTriangle& factor, double shift)
{
    std::vector<double> row(factor.size(), 0.0);  // the row's elements so far, 0 elsewhere
    for (std::size_t i = 0; i < factor.size(); ++i)
    {
        const std::uint64_t begin = factor.starts[i], end = factor.starts[i + 1];
        double pivot = 1 + shift;
        for (std::uint64_t k = begin; k < end; ++k)
        {
            const std::size_t j = factor.columns[k];
            double sum = factor.values[k];
            for (std::uint64_t m = factor.starts[j]; m < factor.starts[j + 1]; ++m)
                sum -= row[factor.columns[m]] * factor.values[m];
            sum *= factor.inverse[j];
            factor.values[k] = row[j] = sum;
            pivot -= sum * sum;
        }
        for (std::uint64_t k = begin; k < end; ++k)
            row[factor.columns[k]] = 0;
        constexpr double kLeastPivot = 1e-10;
        if (!(pivot > kLeastPivot)) return false;
        factor.inverse[i] = 1 / std::sqrt(pivot);
    }
    return true;
}

// ---- Chebyshev ----

constexpr int kChebyshevDegree = 5;
constexpr double kChebyshevRange = 30;  // ratio of the largest eigenvalue to the interval's lower end

// Returns a number that is usually an upper bound of the eigenvalues of D^-1/2 A D^-1/2, by up to 16 steps of the
// method of Lanczos; NaN if a value is not finite.  D is A's diagonal.
double largestEigenvalue(const LinearOperator& a, const std::vector<double>& inverse, ThreadPool& pool)
{
    constexpr std::size_t kSteps = 16;
    const std::size_t n = a.size();
    std::vector<double> last(n, 0.0), v(n), w(n), root(n);
    double norm = 0;
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < n; ++i)
    {
        root[i] = std::sqrt(inverse[i]);
        state = state * 6364136223846793005u + 1442695040888963407u;
        v[i] = double(std::int64_t(state) >> 11) * 0x1p-52;
        norm += v[i] * v[i];
    }
    std::vector<double> diagonal, beside;
    double beta = std::sqrt(norm);
    for (std::size_t step = 0; step < std::min(kSteps, n) && beta > 1e-12; ++step)
    {
        for (std::size_t i = 0; i < n; ++i)
            v[i] /= beta;
        std::vector<double> scaledV(n);
        for (std::size_t i = 0; i < n; ++i)
            scaledV[i] = root[i] * v[i];
        a.apply(scaledV.data(), w.data(), pool);
        double alpha = 0;
        for (std::size_t i = 0; i < n; ++i)
            alpha += v[i] * (w[i] *= root[i]);
        double rest = 0;
        for (std::size_t i = 0; i < n; ++i)
        {
            w[i] -= alpha * v[i] + (step > 0 ? beta * last[i] : 0);
            rest += w[i] * w[i];
        }
        diagonal.push_back(alpha);
        beta = std::sqrt(rest);
        beside.push_back(beta);
        last = std::exchange(v, w);
    }
    if (!std::isfinite(beta)) return std::numeric_limits<double>::quiet_NaN();
    if (diagonal.empty()) return 0;
    // The residual of the largest Ritz value bounds the value's distance to an eigenvalue.  The residual is at most the
    // last beta; a tenth of that usually suffices.
    return extremesOfTridiagonal(diagonal, beside).second + 0.1 * beside.back();
}

class Chebyshev final : public Preconditioner
{
public:
    Chebyshev(const LinearOperator& a, std::vector<double> inverse, double largest)
        : a_(a), inverse_(std::move(inverse)), center_((largest + largest / kChebyshevRange) / 2),
          radius_((largest - largest / kChebyshevRange) / 2), direction_(a.size()), residual_(a.size())
    {
    }
    std::uint64_t products() const override { return kChebyshevDegree - 1; }
    void apply(const double* r, double* z, ThreadPool& pool) const override
    {
        const double sigma = center_ / radius_;
        double rho = 1 / sigma;
        forAll(pool, [&](std::size_t i) { z[i] = direction_[i] = inverse_[i] * r[i] / center_; });
        for (int step = 1; step < kChebyshevDegree; ++step)
        {
            a_.apply(z, residual_.data(), pool);
            const double next = 1 / (2 * sigma - rho), ofLast = next * rho, ofResidual = 2 * next / radius_;
            forAll(pool, [&](std::size_t i) {
                direction_[i] = ofLast * direction_[i] + ofResidual * inverse_[i] * (r[i] - residual_[i]);
                z[i] += direction_[i];
            });
            rho = next;
        }
    }

private:
    template <class Each>
    void forAll(ThreadPool& pool, const Each& each) const
    {
        constexpr std::size_t kPieceOfVectors = 8192;
        pool.forEach((inverse_.size() + kPieceOfVectors - 1) / kPieceOfVectors, [&](std::size_t piece) {
            const std::size_t end = std::min(inverse_.size(), (piece + 1) * kPieceOfVectors);
            for (std::size_t i = piece * kPieceOfVectors; i < end; ++i)
                each(i);
        });
    }

    const LinearOperator& a_;
    const std::vector<double> inverse_;  // inverse of A's diagonal
    const double center_, radius_;       // middle and half length of the interval where the polynomial is small
    mutable std::vector<double> direction_, residual_;
};

}  // namespace

MadePreconditioner makeSsor(const SparseMatrix& a, double relaxation)
{
    LowerTriangle lower;
    if (const auto unsuited = copyLower(a, lower)) return {.unsuited = unsuited};
    return {.value = std::make_unique<Ssor>(std::move(lower), relaxation)};
}

MadePreconditioner makeIncompleteCholesky(const SparseMatrix& a)
{
    LowerTriangle lower;
    if (const auto unsuited = copyLower(a, lower)) return {.unsuited = unsuited};
    std::vector<double> scale(a.size);
    for (std::size_t i = 0; i < a.size; ++i)
        scale[i] = std::sqrt(lower.inverse[i]);
    for (std::size_t i = 0; i < a.size; ++i)
        for (std::uint64_t k = lower.starts[i]; k < lower.starts[i + 1]; ++k)
            lower.values[k] *= scale[i] * scale[lower.columns[k]];
    for (double shift = 0; shift < 1e6; shift = shift == 0 ? 1e-3 : 2 * shift)
    {
        LowerTriangle factor = lower;
        if (factorise(factor, shift))
            return {.value = std::make_unique<IncompleteCholesky>(std::move(factor), std::move(scale))};
    }
    return {.unsuited = StopReason::kNotPositiveDefinite};
}

MadePreconditioner makeChebyshev(const LinearOperator& a, ThreadPool& pool)
{
    std::vector<double> inverse(a.size());
    a.diagonal(inverse.data());
    for (double& value : inverse)
    {
        if (!std::isfinite(value)) return {.unsuited = StopReason::kNotFinite};
        if (value <= 0) return {.unsuited = StopReason::kNotPositiveDefinite};
        value = 1 / value;
    }
    const double largest = largestEigenvalue(a, inverse, pool);
    if (!std::isfinite(largest)) return {.unsuited = StopReason::kNotFinite};
    if (!(largest > 0)) return {.unsuited = StopReason::kNotPositiveDefinite};
    return {.value = std::make_unique<Chebyshev>(a, std::move(inverse), largest)};
}

}  // namespace orogen::compute
