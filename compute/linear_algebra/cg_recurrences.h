// Recurrences of conjugate gradients, in single or double precision, over vectors on the CPU or on a target (a GPU or
// the host executor).  The algorithms differ in their recurrences alone, so that their times can be compared.  A step
// updates the residual r by recurrence; refresh() recomputes it from x.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/linear_algebra/cg_ending.h"
#include "compute/linear_algebra/kernels/cg_vectors.h"
#include "compute/linear_algebra/vector_kernels.h"

namespace orogen::compute {

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

// A system and its vectors on the CPU.  Real is the type of elements, double that of sums.
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

// State of a solve, scaled so that b's largest element is in [1, 2).  Vectors are on the CPU (CpuVectors) or on a
// target (ExactTargetVectors); scalars are doubles here.
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

    // Returns the matrix of Lanczos of the longest run of steps between recomputed residuals.
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
    bool isTrue_ = false;  // residual_ is that of the system itself, not of a correction

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

    // Computes r = A x - b from x alone; the recurrences start again.
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

    // Chooses alpha and beta by five inner products of r, z, delta, A z and A delta.
    std::optional<StopReason> chooseCoefficients(CgCoefficients& chosen)
    {
        const CgProducts products = vectors_.products(r_, z(), az_, d_, q_, haveDelta_);
        const CgEnd end = OROGEN_TARGET::chooseCoefficients(products, haveDelta_, kCgRounding<Real>, chosen);
        // delta is ofZ times the direction d of Hestenes and Stiefel.  Their alpha is therefore -ofZ, and their beta is
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
