// Recurrences of conjugate gradients, in single or double precision, over vectors on the CPU or on a target (a GPU or
// the host executor).  The algorithms differ in their recurrences alone, so that their times can be compared.  A step
// updates the residual r by recurrence, except that kPaper recomputes r from x in every step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/kernels/cg_vectors.h"
#include "compute/linear_algebra/vector_kernels.h"

namespace orogen::compute {

// Decisions of conjugate gradients that solvers on the CPU and on targets (a GPU or the host executor) share: how a
// system is scaled, when a solve ends, and which residual single precision must reach before a refinement.

double largest(std::span<const double> values);  // the largest magnitude, or the first value that is not finite
int exponentOf(std::span<const double> values);  // binary exponent of largest(); 0 if that is 0 or not finite
// Returns the binary exponent of the largest element of A's diagonal, clamped to -1000 ... 1000.
int exponentOf(const LinearOperator& a);
std::vector<double> scaled(std::span<const double> values, int exponent);  // returns the values times 2^exponent

// Returns why an iteration could not be made; empty if the iteration was made.
inline std::optional<StopReason> reasonOf(CgEnd end)
{
    if (end == CgEnd::kNotFinite) return StopReason::kNotFinite;
    return end == CgEnd::kNotPositive ? std::optional(StopReason::kNotPositiveDefinite) : std::nullopt;
}

// Computes the inverse of A's diagonal.  Returns the reason to stop if an element is not finite or not positive.
template <class Real>
std::optional<StopReason> invertDiagonal(const OperatorOf<Real>& a, std::vector<Real>& inverse)
{
    std::optional<StopReason> unsuited;
    inverse.resize(a.size());
    a.diagonal(inverse.data());
    for (Real& value : inverse)
    {
        if (!unsuited && !std::isfinite(value)) unsuited = StopReason::kNotFinite;
        if (!unsuited && value <= 0) unsuited = StopReason::kNotPositiveDefinite;
        value = 1 / value;
    }
    return unsuited;
}

// System A x = b with b and x scaled by 2^-exponent, against overflow of intermediate values.
struct ScaledSystem
{
    ScaledSystem(std::span<const double> right, std::span<const double> x)
        : exponent(exponentOf(right)), b(scaled(right, -exponent)), start(scaled(x, -exponent))
    {
    }
    void setNorm(double norm, const SolveOptions& options)
    {
        normB = norm;
        tolerance = std::max(options.relativeTolerance * norm, std::scalbn(options.absoluteTolerance, -exponent));
    }

    int exponent;
    std::vector<double> b, start;  // start: empty means 0
    double normB = 0, tolerance = 0;
};

// Decides when a solve ends.  The caller computes residuals, recursive or from x ("true"), of the scaled system.
class CgEnding
{
public:
    CgEnding(const SolveOptions& options, const ScaledSystem& system, Solution& solution)
        : options_(options), solution_(solution), size_(system.b.size()), normB_(system.normB),
          tolerance_(system.tolerance), limit_(options.maxIterations != 0 ? options.maxIterations : 10 * size_)
    {
    }

    double tolerance() const { return tolerance_; }
    std::uint64_t left() const { return limit_ - solution_.iterations; }  // iterations left
    // Returns the bound for the recursively updated residual below which the true residual is computed from x.  The
    // bound is at least 1e-18 ||b||: below that, recursive residuals keep shrinking although x no longer improves.
    double enough(double goal) const { return std::max(goal, 1e-18 * normB_); }
    double enough() const { return enough(tolerance_); }

    // Records the residual of an iteration, and beside it the true residual if one is given.
    void record(double residual, std::optional<double> trueResidual = {})
    {
        const double relative = normB_ == 0 ? 0 : residual / normB_;
        if (std::isfinite(relative))
        {
            solution_.history.push_back(relative);
            if (trueResidual) solution_.trueHistory.push_back(normB_ == 0 ? 0 : *trueResidual / normB_);
        }
        if (options_.watch) options_.watch(solution_.iterations, relative);
        if (!(residual < best_)) return;
        best_ = residual;
        bestAt_ = solution_.iterations;
    }

    // Returns the reason to end, if any, given the residual recomputed from x after the recursive one was small enough.
    std::optional<StopReason> recomputed(double residual)
    {
        constexpr int kMostRefreshes = 3;
        if (residual > tolerance_ && ++refreshes_ > kMostRefreshes) return StopReason::kStagnated;
        return std::nullopt;
    }

    // Returns the reason to end after this residual was recorded, if there is one.
    std::optional<StopReason> judge(double residual, bool isTrue) const
    {
        if (!std::isfinite(residual)) return StopReason::kNotFinite;
        if (isTrue && residual <= tolerance_) return StopReason::kConverged;
        if (options_.stop.stop_requested()) return StopReason::kIterationLimit;
        if (solution_.iterations - bestAt_ > 2 * size_ + 50) return StopReason::kStagnated;
        if (solution_.iterations >= limit_) return StopReason::kIterationLimit;
        return std::nullopt;
    }

    // Returns whether the caller's stop or iteration limit was reached.  The default limit does not count, because
    // fallBack() extends it.
    bool isLimited() const
    {
        return options_.stop.stop_requested() ||
               (options_.maxIterations != 0 && solution_.iterations >= options_.maxIterations);
    }
    // Starts again in double precision.  The iterations so far count towards the limit only if the caller has set one.
    void fallBack()
    {
        solution_.fellBack = true;
        if (options_.maxIterations == 0) limit_ = solution_.iterations + 10 * size_;
        best_ = std::numeric_limits<double>::infinity();
        bestAt_ = solution_.iterations;
        refreshes_ = 0;
    }
    void tighten() { tolerance_ *= 0.75; }  // for a solve whose final check found the residual above the tolerance

private:
    const SolveOptions& options_;
    Solution& solution_;
    const std::uint64_t size_;
    const double normB_;
    double tolerance_;
    std::uint64_t limit_;
    int refreshes_ = 0;  // how often a recomputed residual was above the tolerance
    double best_ = std::numeric_limits<double>::infinity();
    std::uint64_t bestAt_ = 0;
};

// Function that makes the steps of a solve.  It sets system.start to the x that the steps reach, and the solution's
// reason.  It returns whether it has also set the residual of that x.
using SolveSteps = std::function<bool(ScaledSystem& system, CgEnding& ending, Solution& solution)>;

// Solves A x = b from `start` (empty means 0) by `steps` on the scaled system.  Calls no steps if b is 0 (x is then 0)
// or if b or `start` is not finite.
Solution solveScaled(const LinearOperator& a, std::span<const double> b, const SolveOptions& options, ThreadPool& pool,
                     std::span<const double> start, const SolveSteps& steps);

// Goals for the residual in single precision between recomputations, and when to give up.
class RefinementGoals
{
public:
    explicit RefinementGoals(double tolerance) : tolerance_(tolerance) {}

    double goal() const { return goal_; }
    double last() const { return last_; }  // the recomputed residual of start() or replaced()
    // Returns whether a refinement that ends with this residual justifies another one.
    bool isWorthIt(double residual) const { return residual <= 0.25 * last_; }

    // Divides the reduction from a recomputed residual to the tolerance into equal factors, none below mostGain_.
    void start(double residual)
    {
        last_ = residual;
        const double wanted = std::max(tolerance_ / residual, 1e-300);
        const double steps = std::ceil(std::log(wanted) / std::log(mostGain_));
        goal_ = steps <= 1 ? tolerance_ : residual * std::pow(wanted, 1 / steps);
    }
    // Records the residual recomputed after the goal was reached; returns isWorthIt().
    bool replaced(double residual)
    {
        const bool worthIt = isWorthIt(residual);
        // A missed goal shows the limit of single precision.
        if (residual > 2 * goal_) mostGain_ = std::max(mostGain_, residual / last_);
        start(residual);
        return worthIt;
    }

private:
    const double tolerance_;
    double last_ = 0, goal_ = 0;
    double mostGain_ = 4e-6;  // smallest factor by which single precision can really reduce a residual
};

constexpr std::size_t kPiece = 8192;  // elements per piece of a vector, for any number of threads

template <std::size_t kSums>
using Sums = std::array<double, kSums>;

// Passes over vectors, piece by piece.  Sums of pieces are added in the order of the pieces, for reproducible results.
template <class Real>
class Passes
{
public:
    Passes(std::size_t size, ThreadPool& pool) : size_(size), pool_(pool) {}

    // Calls pass(begin, end) for each piece.
    template <class Pass>
    void each(const Pass& pass)
    {
        pool_.forEach(pieces(),
                      [&](std::size_t piece) { pass(piece * kPiece, std::min(size_, (piece + 1) * kPiece)); });
    }

    // Returns the sums over all pieces of the values that pass(begin, end) returns.
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

    double dot(const std::vector<Real>& a, const std::vector<Real>& b)
    {
        return sums<1>([&](std::size_t begin, std::size_t end) {
            return Sums<1>{dotOf(a.data() + begin, b.data() + begin, end - begin)};
        })[0];
    }

    double dotOf(const Real* a, const Real* b, std::size_t count) const
    {
        if constexpr (std::is_same_v<Real, float>)
            return double(kernels_.dotSingle(a, b, count));
        else
            return kernels_.dot(a, b, count);
    }

private:
    std::size_t pieces() const { return (size_ + kPiece - 1) / kPiece; }

    std::size_t size_;
    ThreadPool& pool_;
    std::vector<double> parts_;
    const VectorKernels& kernels_ = vectorKernels();
};

// Operations on a system's matrix and vectors on the CPU.  Real is the type of elements.  Sums are doubles, except that
// a dot product in single precision sums each piece of its vectors in single precision.
template <class Real>
class CpuVectors
{
public:
    using Element = Real;
    using Vector = std::vector<Real>;

    CpuVectors(const OperatorOf<Real>& a, const SolveOptions& options, ThreadPool& pool)
        : a_(a), options_(options), pool_(pool), passes_(a.size(), pool)
    {
        if constexpr (std::is_same_v<Real, double>) inner_ = options.dot;
    }

    Vector zeros() const { return Vector(a_.size()); }
    static bool isEmpty(const Vector& v) { return v.empty(); }

    void multiply(const Vector& x, Vector& y) { a_.apply(x.data(), y.data(), pool_); }

    // Subtracts b from r.  Returns (r, r).
    double subtract(Vector& r, const Vector& b)
    {
        const double rr = passes_.template sums<1>([&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
            {
                r[i] -= b[i];
                sum += double(r[i]) * double(r[i]);
            }
            return Sums<1>{sum};
        })[0];
        return inner_ ? dot(r, r) : rr;
    }

    // Moves x and r by `length` along d and q = A d.  Returns (r, r).
    double advance(Real length, const Vector& d, const Vector& q, Vector& x, Vector& r)
    {
        const double rr = passes_.template sums<1>([&](std::size_t begin, std::size_t end) {
            Sums<4> sum = {};  // four independent sums: a single one would wait for each addition
            for (std::size_t i = begin; i < end; ++i)
            {
                x[i] += length * d[i];
                r[i] += length * q[i];
                sum[i % 4] += double(r[i]) * double(r[i]);
            }
            return Sums<1>{(sum[0] + sum[2]) + (sum[1] + sum[3])};
        })[0];
        return inner_ ? dot(r, r) : rr;
    }

    // Computes v = ofV v + ofW w.
    void combine(Vector& v, const Vector& w, Real ofV, Real ofW)
    {
        passes_.each([&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                v[i] = ofV == 0 ? ofW * w[i] : ofV * v[i] + ofW * w[i];
        });
    }

    // Prepares the preconditioner by the diagonal.  Returns a reason to stop if the diagonal cannot be inverted.
    std::optional<StopReason> prepareJacobi() { return invertDiagonal(a_, inverse_); }

    // Computes z from r.  Returns (r, z).
    double precondition(const Vector& r, Vector& z)
    {
        if (options_.preconditioner)
        {
            if constexpr (std::is_same_v<Real, double>)  // preconditioners take doubles only
                options_.preconditioner->apply(r.data(), z.data(), pool_);
            return dot(r, z);
        }
        const double rz = passes_.template sums<1>([&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
            {
                z[i] = inverse_[i] * r[i];
                sum += double(r[i]) * double(z[i]);
            }
            return Sums<1>{sum};
        })[0];
        return inner_ ? dot(r, z) : rz;
    }

    double dot(const Vector& u, const Vector& v)
    {
        if constexpr (std::is_same_v<Real, double>)
            if (inner_) return inner_(u, v);
        return passes_.dot(u, v);
    }

    // Computes (r, z) and (A z, z).  With `haveDelta` (d is delta, q = A d) also computes (r, d), (A z, d) and (q, d).
    // Delta is the change of x in an iteration of paper 003 (assets/docs/understand/papers.md).
    CgProducts products(const Vector& r, const Vector& z, const Vector& az, const Vector& d, const Vector& q,
                        bool haveDelta)
    {
        if (inner_ && !haveDelta) return {dot(r, z), dot(az, z), 0, 0, 0};
        if (inner_) return {dot(r, z), dot(az, z), dot(r, d), dot(az, d), dot(q, d)};
        const Sums<5> sums = passes_.template sums<5>([&](std::size_t begin, std::size_t end) {
            const auto of = [&](const Vector& u, const Vector& v) {
                return passes_.dotOf(u.data() + begin, v.data() + begin, end - begin);
            };
            if (!haveDelta) return Sums<5>{of(r, z), of(az, z), 0, 0, 0};
            return Sums<5>{of(r, z), of(az, z), of(r, d), of(az, d), of(q, d)};
        });
        return {sums[0], sums[1], sums[2], sums[3], sums[4]};
    }

private:
    const OperatorOf<Real>& a_;
    const SolveOptions& options_;
    ThreadPool& pool_;
    Passes<Real> passes_;
    Vector inverse_;                                                                 // inverse diagonal
    std::function<double(std::span<const double>, std::span<const double>)> inner_;  // SolveOptions::dot
};

// State of a solve of a system that the caller has scaled (ScaledSystem).  Vectors are on the CPU (CpuVectors) or on a
// target (ExactTargetVectors).
template <class Vectors>
class CgRecurrences
{
public:
    using Vector = typename Vectors::Vector;
    using Real = typename Vectors::Element;

    CgRecurrences(Vectors& vectors, Vector b, Vector x, const SolveOptions& options, CgEnding& ending,
                  Solution& solution)
        : vectors_(vectors), options_(options), ending_(ending), solution_(solution), b_(std::move(b)),
          x_(std::move(x)), r_(vectors.zeros()), d_(vectors.zeros()), q_(vectors.zeros())
    {
        if (vectors.isEmpty(x_)) x_ = vectors.zeros();
    }
    virtual ~CgRecurrences() = default;

    void run(CgAlgorithm algorithm)
    {
        if (options_.jacobi || options_.preconditioner) z_ = vectors_.zeros();
        if (algorithm != CgAlgorithm::kHestenesStiefel) az_ = vectors_.zeros();
        if (options_.jacobi)
            if (const std::optional<StopReason> unsuited = vectors_.prepareJacobi())
            {
                solution_.reason = *unsuited;
                return;
            }
        begin();
        solution_.reason = algorithm == CgAlgorithm::kHestenesStiefel ? iterate(&CgRecurrences::hestenesStiefelStep)
                           : algorithm == CgAlgorithm::kPaper         ? iterate(&CgRecurrences::paperStep)
                                                                      : iterate(&CgRecurrences::oneProductStep);
    }

    const Vector& x() const { return x_; }

    // Returns the matrix of Lanczos of the longest run of steps without a restart of the directions.
    LanczosMatrix takeLanczos() { return std::move(run_.diagonal.size() > longest_.diagonal.size() ? run_ : longest_); }

protected:
    // Computes the residual for the first step.
    virtual void begin() { refresh(); }

    // Recomputes from x a recursive residual that has reached the goal.  Returns the reason if the solve ends there.
    virtual std::optional<StopReason> renew()
    {
        refresh();
        return ending_.recomputed(residual_);
    }
    // Returns whether a failed step can be repeated with a recomputed residual and without earlier directions.
    virtual bool recovers(StopReason) { return false; }
    virtual double goal() const { return ending_.tolerance(); }

    // Returns the norm of A x - b, computed from x.  Solution::products does not count this product.
    virtual double trueResidual()
    {
        if (vectors_.isEmpty(scratch_)) scratch_ = vectors_.zeros();
        vectors_.multiply(x_, scratch_);
        return std::sqrt(vectors_.subtract(scratch_, b_));
    }

    // Returns whether refresh() computes the full residual of the system itself.
    virtual bool refreshIsTrue() const { return true; }

    Vectors& vectors_;
    const SolveOptions& options_;
    CgEnding& ending_;
    Solution& solution_;
    Vector b_, x_, r_;
    double residual_ = 0;
    bool fresh_ = false;   // r was just computed from x
    bool isTrue_ = false;  // residual_ was computed from x, and is that of the system, not of a correction

    void precondition()
    {
        if (options_.preconditioner) solution_.products += options_.preconditioner->products();
        rz_ = vectors_.isEmpty(z_) ? residual_ * residual_ : vectors_.precondition(r_, z_);
    }

private:
    using Step = std::optional<StopReason> (CgRecurrences::*)();

    void multiply(const Vector& x, Vector& y)
    {
        vectors_.multiply(x, y);
        ++solution_.products;
        if constexpr (std::is_same_v<Real, float>) ++solution_.productsInSingle;
    }

    // Computes r = A x - b from x alone.  Directions then start again, except those of paperStep().
    void refresh()
    {
        multiply(x_, r_);
        residual_ = std::sqrt(vectors_.subtract(r_, b_));
        precondition();
        fresh_ = true;
        isTrue_ = refreshIsTrue();
    }

    const Vector& z() const { return vectors_.isEmpty(z_) ? r_ : z_; }

    StopReason iterate(Step step)
    {
        for (;;)
        {
            if (std::optional<StopReason> reason = judge()) return *reason;
            const std::optional<StopReason> reason = (this->*step)();
            if (!reason)
                ++solution_.iterations;
            else if (recovers(*reason))
                haveDelta_ = false;
            else
                return *reason;
        }
    }

    // Returns the reason to stop, if any, for the current residual, recursive or recomputed.
    std::optional<StopReason> judge()
    {
        std::optional<StopReason> reason;
        if (residual_ <= ending_.enough(goal()) && !isTrue_) reason = renew();
        ending_.record(residual_, options_.trueResiduals ? std::optional(trueResidual()) : std::nullopt);
        return reason ? reason : ending_.judge(residual_, isTrue_);
    }

    // ---- Hestenes and Stiefel: p is d_, A p is q_ ----

    std::optional<StopReason> hestenesStiefelStep()
    {
        const auto beta = Real(fresh_ ? 0 : rz_ / lastRz_);
        vectors_.combine(d_, z(), beta, 1);
        multiply(d_, q_);
        const double curvature = vectors_.dot(d_, q_);
        const std::optional<StopReason> reason = reasonOf(OROGEN_TARGET::endOfCurvature(curvature));
        if (reason) return reason;
        const double alpha = rz_ / curvature;
        recordStep(alpha, double(beta));
        advance(-alpha);
        return std::nullopt;
    }

    // Moves x and r by `by` along d_ and q_ = A d_.
    void advance(double by)
    {
        lastRz_ = rz_;
        residual_ = std::sqrt(vectors_.advance(Real(by), d_, q_, x_, r_));
        precondition();
        fresh_ = isTrue_ = false;
    }

    // ---- paper 003: delta, the change of x, is d_; A delta is q_; A z is az_ ----

    // Chooses alpha and beta by inner products of r, z, delta, A z and A delta.
    std::optional<StopReason> chooseCoefficients(CgCoefficients& chosen)
    {
        const CgProducts products = vectors_.products(r_, z(), az_, d_, q_, haveDelta_);
        const CgEnd end = OROGEN_TARGET::chooseCoefficients(products, haveDelta_, kCgRounding<Real>, chosen);
        // delta is ofZ times the direction p of Hestenes and Stiefel.  Their alpha is therefore -ofZ, and their beta is
        // ofD times the last alpha, divided by this alpha.
        if (end == CgEnd::kGoOn) recordStep(-chosen.ofZ, haveDelta_ ? chosen.ofD * lastAlpha_ / -chosen.ofZ : 0);
        return reasonOf(end);
    }

    // Adds a row to the matrix of Lanczos; beta is 0 in the first step of a run.
    void recordStep(double alpha, double beta)
    {
        if (!(beta > 0))
        {
            if (run_.diagonal.size() > longest_.diagonal.size()) std::swap(run_, longest_);
            run_ = {};
        }
        else
            run_.beside.push_back(std::sqrt(beta) / lastAlpha_);
        run_.diagonal.push_back(1 / alpha + (beta > 0 ? beta / lastAlpha_ : 0));
        lastAlpha_ = alpha;
    }

    std::optional<StopReason> paperStep()
    {
        multiply(z(), az_);
        if (haveDelta_) multiply(d_, q_);
        CgCoefficients chosen = {};
        if (std::optional<StopReason> reason = chooseCoefficients(chosen)) return reason;
        vectors_.combine(d_, z(), Real(chosen.ofD), Real(chosen.ofZ));
        vectors_.combine(x_, d_, 1, 1);
        haveDelta_ = true;
        refresh();
        return std::nullopt;
    }

    std::optional<StopReason> oneProductStep()
    {
        multiply(z(), az_);
        haveDelta_ = haveDelta_ && !fresh_;
        CgCoefficients chosen = {};
        if (std::optional<StopReason> reason = chooseCoefficients(chosen)) return reason;
        vectors_.combine(d_, z(), Real(chosen.ofD), Real(chosen.ofZ));
        vectors_.combine(q_, az_, Real(chosen.ofD), Real(chosen.ofZ));
        haveDelta_ = true;
        advance(1);
        return std::nullopt;
    }

    Vector d_, q_, z_, az_, scratch_;  // z_: empty where z is r; az_: of the paper's algorithms
    double rz_ = 0, lastRz_ = 0;
    bool haveDelta_ = false;  // d_ holds paper 003's delta
    LanczosMatrix run_, longest_;
    double lastAlpha_ = 0;
};

}  // namespace orogen::compute
