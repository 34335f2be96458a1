// The algorithms share their stopping rule and differ in their recurrences alone, so that their times can be compared.
#include "compute/linear_algebra/conjugate_gradients.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "compute/linear_algebra/vector_kernels.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kPiece = 8192;  // elements of the vectors' pieces, whatever the number of threads

template <std::size_t kSums>
using Sums = std::array<double, kSums>;

// Passes over vectors, piece by piece; sums of pieces are added in their order.
class Passes
{
public:
    Passes(std::size_t size, ThreadPool& pool) : size_(size), pool_(pool) {}

    // pass(begin, end) for each piece
    template <class Pass>
    void each(const Pass& pass)
    {
        pool_.forEach(pieces(),
                      [&](std::size_t piece) { pass(piece * kPiece, std::min(size_, (piece + 1) * kPiece)); });
    }

    template <std::size_t kSums, class Pass>
    Sums<kSums> sums(const Pass& pass)
    {
        parts_.resize(pieces() * kSums);
        pool_.forEach(pieces(), [&](std::size_t piece) {
            const Sums<kSums> part = pass(piece * kPiece, std::min(size_, (piece + 1) * kPiece));
            std::ranges::copy(part, parts_.begin() + std::ptrdiff_t(piece * kSums));
        });
        Sums<kSums> sums = {};
        for (std::size_t i = 0; i < parts_.size(); ++i)
            sums[i % kSums] += parts_[i];
        return sums;
    }

    double dot(const std::vector<double>& a, const std::vector<double>& b)
    {
        return sums<1>([&](std::size_t begin, std::size_t end) {
            return Sums<1>{kernels_.dot(a.data() + begin, b.data() + begin, end - begin)};
        })[0];
    }

private:
    std::size_t pieces() const { return (size_ + kPiece - 1) / kPiece; }

    std::size_t size_;
    ThreadPool& pool_;
    std::vector<double> parts_;
    const VectorKernels& kernels_ = vectorKernels();
};

double largest(std::span<const double> values)
{
    double most = 0;
    for (const double value : values)
    {
        if (!std::isfinite(value)) return value;
        most = std::max(most, std::abs(value));
    }
    return most;
}

bool allFinite(std::span<const double> values) { return std::isfinite(largest(values)); }

std::vector<double> scaled(std::span<const double> values, int exponent)
{
    std::vector<double> out(values.begin(), values.end());
    for (double& value : out)
        value = std::scalbn(value, exponent);
    return out;
}

// Where it stands in one solve, all scaled: b's largest element is in [1, 2).
class CgRun
{
public:
    CgRun(const LinearOperator& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
          std::span<const double> start, Solution& solution)
        : a_(a), options_(options), pool_(pool), passes_(b.size(), pool), solution_(solution), size_(b.size()),
          exponent_(std::ilogb(largest(b))), b_(scaled(b, -exponent_)), x_(scaled(start, -exponent_)), r_(size_),
          d_(size_), q_(size_), limit_(options.maxIterations != 0 ? options.maxIterations : 10 * size_)
    {
        x_.resize(size_);
        normB_ = std::sqrt(passes_.dot(b_, b_));
        tolerance_ = std::max(options.relativeTolerance * normB_, std::scalbn(options.absoluteTolerance, -exponent_));
    }

    void run(CgAlgorithm algorithm)
    {
        if (std::optional<StopReason> reason = prepare())
        {
            solution_.reason = *reason;
            return;
        }
        solution_.reason = algorithm == CgAlgorithm::kHestenesStiefel ? iterate(&CgRun::hestenesStiefelStep)
                           : algorithm == CgAlgorithm::kPaper         ? iterate(&CgRun::paperStep)
                                                                      : iterate(&CgRun::oneProductStep);
    }

    std::vector<double> answer() const { return scaled(x_, exponent_); }

private:
    using Step = std::optional<StopReason> (CgRun::*)();
    using Vector = std::vector<double>;

    void multiply(const Vector& x, Vector& y)
    {
        a_.apply(x.data(), y.data(), pool_);
        ++solution_.products;
    }

    std::optional<StopReason> prepare()
    {
        if (preconditioned()) z_.resize(size_);
        if (options_.jacobi)
        {
            inverse_.resize(size_);
            a_.diagonal(inverse_.data());
            for (double& value : inverse_)
            {
                if (!std::isfinite(value)) return StopReason::kNotFinite;
                if (value <= 0) return StopReason::kNotPositiveDefinite;
                value = 1 / value;
            }
        }
        refresh();
        return std::nullopt;
    }

    // r = A x - b from nothing but x; the recurrences begin anew.
    void refresh()
    {
        multiply(x_, r_);
        const double rr = passes_.sums<1>([&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
            {
                r_[i] -= b_[i];
                sum += r_[i] * r_[i];
            }
            return Sums<1>{sum};
        })[0];
        residual_ = std::sqrt(rr);
        precondition();
        fresh_ = true;
    }

    bool preconditioned() const { return options_.jacobi || options_.preconditioner; }
    const Vector& z() const { return preconditioned() ? z_ : r_; }
    void precondition()
    {
        if (options_.preconditioner)
        {
            options_.preconditioner->apply(r_.data(), z_.data(), pool_);
            rz_ = passes_.dot(r_, z_);
            return;
        }
        if (!options_.jacobi)
        {
            rz_ = residual_ * residual_;
            return;
        }
        rz_ = passes_.sums<1>([&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
            {
                z_[i] = inverse_[i] * r_[i];
                sum += r_[i] * z_[i];
            }
            return Sums<1>{sum};
        })[0];
    }

    void record()
    {
        const double relative = residual_ / normB_;
        solution_.history.push_back(relative);
        if (options_.watch) options_.watch(solution_.iterations, relative);
    }

    StopReason iterate(Step step)
    {
        for (;; ++solution_.iterations)
        {
            if (std::optional<StopReason> reason = judge()) return *reason;
            if (std::optional<StopReason> reason = (this->*step)()) return *reason;
        }
    }

    // Whether the residual that was reached, as it is by recurrence or anew, ends it.
    std::optional<StopReason> judge()
    {
        // Far below rounding the recurrences only count on; they are never believed.
        constexpr double kBeyondRounding = 1e-18;
        if (residual_ <= std::max(tolerance_, kBeyondRounding * normB_) && !fresh_)
        {
            refresh();
            if (residual_ > tolerance_ && ++refreshes_ > kMostRefreshes) return recorded(StopReason::kStagnated);
        }
        record();
        if (!std::isfinite(residual_)) return StopReason::kNotFinite;
        if (fresh_ && residual_ <= tolerance_) return StopReason::kConverged;
        if (options_.stop.stop_requested()) return StopReason::kIterationLimit;
        if (residual_ < best_)
        {
            best_ = residual_;
            bestAt_ = solution_.iterations;
        }
        if (solution_.iterations - bestAt_ > 2 * size_ + 50) return StopReason::kStagnated;
        if (solution_.iterations >= limit_) return StopReason::kIterationLimit;
        return std::nullopt;
    }
    StopReason recorded(StopReason reason)
    {
        record();
        return reason;
    }

    // ---- Hestenes and Stiefel: p is d_, A p is q_ ----

    std::optional<StopReason> hestenesStiefelStep()
    {
        const double beta = fresh_ ? 0 : rz_ / lastRz_;
        const Vector& z = this->z();
        passes_.each([&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                d_[i] = beta == 0 ? z[i] : z[i] + beta * d_[i];
        });
        multiply(d_, q_);
        const double curvature = passes_.dot(d_, q_);
        if (!std::isfinite(curvature)) return StopReason::kNotFinite;
        if (curvature <= 0) return StopReason::kNotPositiveDefinite;
        advance(-rz_ / curvature);
        return std::nullopt;
    }

    // x and r move by `length` along d_ and q_ = A d_.
    void advance(double length)
    {
        const double rr = passes_.sums<1>([&](std::size_t begin, std::size_t end) {
            Sums<4> sum = {};  // four at a time: one would wait for its additions
            for (std::size_t i = begin; i < end; ++i)
            {
                x_[i] += length * d_[i];
                r_[i] += length * q_[i];
                sum[i % 4] += r_[i] * r_[i];
            }
            return Sums<1>{(sum[0] + sum[2]) + (sum[1] + sum[3])};
        })[0];
        lastRz_ = rz_;
        residual_ = std::sqrt(rr);
        precondition();
        fresh_ = false;
    }

    // ---- the paper: delta is d_, A delta is q_, A z is az_ ----

    struct Coefficients
    {
        double alpha = 0, beta = 0;
    };

    // Five inner products of r, z, delta, A z and A delta.
    std::optional<StopReason> chooseCoefficients(Coefficients& chosen)
    {
        const Vector& z = this->z();
        const VectorKernels& kernels = vectorKernels();
        const auto [rz, rd, zAd, zAz, dAd] = passes_.sums<5>([&](std::size_t begin, std::size_t end) {
            const auto dot = [&](const Vector& u, const Vector& v) {
                return kernels.dot(u.data() + begin, v.data() + begin, end - begin);
            };
            if (fresh_ && !haveDelta_) return Sums<5>{dot(r_, z), 0, 0, dot(az_, z), 0};
            return Sums<5>{dot(r_, z), dot(r_, d_), dot(az_, d_), dot(az_, z), dot(q_, d_)};
        });
        if (!std::isfinite(rz + rd + zAd + zAz + dAd)) return StopReason::kNotFinite;
        if (zAz <= 0 || (haveDelta_ && dAd < 0)) return StopReason::kNotPositiveDefinite;
        const double product = dAd * zAz, determinant = product - zAd * zAd;
        if (determinant < -1e-8 * product) return StopReason::kNotPositiveDefinite;
        // z and delta as good as parallel: 0/0 in eqs. 8 and 9, and z alone says all.
        if (!haveDelta_ || determinant <= 4 * std::numeric_limits<double>::epsilon() * product)
            chosen = {0, -rz / zAz};
        else
            chosen = {(rz * zAd - rd * zAz) / determinant, (rd * zAd - rz * dAd) / determinant};
        return std::nullopt;
    }

    // v = alpha v + beta w
    void combine(Vector& v, const Vector& w, const Coefficients& by)
    {
        passes_.each([&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                v[i] = by.alpha == 0 ? by.beta * w[i] : by.alpha * v[i] + by.beta * w[i];
        });
    }

    std::optional<StopReason> paperStep()
    {
        az_.resize(size_);
        multiply(z(), az_);
        if (haveDelta_) multiply(d_, q_);
        Coefficients chosen;
        if (std::optional<StopReason> reason = chooseCoefficients(chosen)) return reason;
        combine(d_, z(), chosen);
        passes_.each([&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                x_[i] += d_[i];
        });
        haveDelta_ = true;
        refresh();
        return std::nullopt;
    }

    std::optional<StopReason> oneProductStep()
    {
        az_.resize(size_);
        multiply(z(), az_);
        haveDelta_ = haveDelta_ && !fresh_;
        Coefficients chosen;
        if (std::optional<StopReason> reason = chooseCoefficients(chosen)) return reason;
        combine(d_, z(), chosen);
        combine(q_, az_, chosen);
        haveDelta_ = true;
        advance(1);
        return std::nullopt;
    }

    static constexpr int kMostRefreshes = 3;

    const LinearOperator& a_;
    const SolveOptions& options_;
    ThreadPool& pool_;
    Passes passes_;
    Solution& solution_;
    const std::size_t size_;
    const int exponent_;
    const Vector b_;
    Vector x_, r_, d_, q_, z_, az_, inverse_;
    const std::uint64_t limit_;
    double normB_ = 0, tolerance_ = 0;
    double residual_ = 0, rz_ = 0, lastRz_ = 0;
    bool fresh_ = false;      // r was just made from x
    bool haveDelta_ = false;  // of the paper
    int refreshes_ = 0;       // that found the recurrence's residual untrue
    double best_ = std::numeric_limits<double>::infinity();
    std::uint64_t bestAt_ = 0;
};

}  // namespace

std::string_view textOf(StopReason reason)
{
    constexpr std::array<std::string_view, 5> kTexts = {"converged", "iteration limit", "not positive definite",
                                                        "not finite", "stagnated"};
    return kTexts[std::size_t(reason)];
}

std::string_view textOf(Precision precision) { return precision == Precision::kMixed ? "mixed" : "double"; }

void assess(const LinearOperator& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
            bool judge, Solution& solution)
{
    const int exponent = largest(b) > 0 && allFinite(b) ? std::ilogb(largest(b)) : 0;
    const std::vector<double> right = scaled(b, -exponent), x = scaled(solution.x, -exponent);
    std::vector<double> r(b.size());
    a.apply(x.data(), r.data(), pool);
    ++solution.products;
    Passes passes(b.size(), pool);
    for (std::size_t i = 0; i < r.size(); ++i)
        r[i] -= right[i];
    const double norm = std::sqrt(passes.dot(r, r)), normB = std::sqrt(passes.dot(right, right));
    solution.residualNorm = std::scalbn(norm, exponent);
    solution.relativeResidual = normB == 0 ? 0 : norm / normB;
    const double tolerance =
        std::max(options.relativeTolerance * normB, std::scalbn(options.absoluteTolerance, -exponent));
    if (!std::isfinite(norm))
        solution.reason = StopReason::kNotFinite;
    else if (judge)
        solution.reason = norm <= tolerance ? StopReason::kConverged : StopReason::kStagnated;
}

Solution solveByConjugateGradients(CgAlgorithm algorithm, const LinearOperator& a, std::span<const double> b,
                                   const SolveOptions& options, ThreadPool& pool, std::span<const double> start)
{
    assert(b.size() == a.size() && (start.empty() || start.size() == b.size()));
    Solution solution;
    solution.x.assign(b.size(), 0.0);
    const double most = largest(b);
    if (!std::isfinite(most) || !allFinite(start))
    {
        solution.reason = StopReason::kNotFinite;
        assess(a, b, options, pool, false, solution);
        return solution;
    }
    if (most == 0)  // and so is x, which spares 0/0
    {
        solution.history.push_back(0);
        assess(a, b, options, pool, true, solution);
        return solution;
    }
    CgRun run(a, b, options, pool, start, solution);
    run.run(algorithm);
    std::vector<double> x = run.answer();
    if (allFinite(x))
        solution.x = std::move(x);
    else
        solution.reason = StopReason::kNotFinite;
    std::erase_if(solution.history, [](double value) { return !std::isfinite(value); });
    assess(a, b, options, pool, false, solution);
    return solution;
}

}  // namespace orogen::compute
