// Recurrences of conjugate gradients, in either precision.  The algorithms differ in these alone, so that their times
// can be compared.  A step updates the residual r by recurrence; refresh() recomputes it from x.
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

// State of a solve, scaled so that b's largest element is in [1, 2).  Vectors are of Real, scalars of double.
template <class Real>
class CgRecurrences
{
public:
    using Vector = std::vector<Real>;

    CgRecurrences(const OperatorOf<Real>& a, Vector b, Vector x, const SolveOptions& options, ThreadPool& pool,
                  CgEnding& ending, Solution& solution)
        : a_(a), options_(options), pool_(pool), passes_(b.size(), pool), ending_(ending), solution_(solution),
          size_(b.size()), b_(std::move(b)), x_(std::move(x)), r_(size_), d_(size_), q_(size_)
    {
        x_.resize(size_);
    }
    virtual ~CgRecurrences() = default;

    void run(CgAlgorithm algorithm)
    {
        if (options_.jacobi || options_.preconditioner) z_.resize(size_);
        if (const auto unsuited = options_.jacobi ? invertDiagonal(a_, inverse_) : std::nullopt)
        {
            solution_.reason = *unsuited;
            return;
        }
        if constexpr (std::is_same_v<Real, double>) inner_ = options_.dot;
        begin();
        solution_.reason = algorithm == CgAlgorithm::kHestenesStiefel ? iterate(&CgRecurrences::hestenesStiefelStep)
                           : algorithm == CgAlgorithm::kPaper         ? iterate(&CgRecurrences::paperStep)
                                                                      : iterate(&CgRecurrences::oneProductStep);
    }

    const Vector& x() const { return x_; }

    // Returns the longest of the runs of steps between recomputed residuals.
    LanczosMatrix takeLanczos() { return std::move(run_.diagonal.size() > longest_.diagonal.size() ? run_ : longest_); }

protected:
    // Computes the residual for the first step.
    virtual void begin() { refresh(); }

    // Recomputes a recursive residual that has reached the goal; returns the reason if the solve ends there.
    virtual std::optional<StopReason> renew()
    {
        refresh();
        return ending_.recomputed(residual_);
    }
    // Returns whether a failed step can be repeated with a recomputed residual and without earlier directions.
    virtual bool recovers(StopReason) { return false; }
    virtual double goal() const { return ending_.tolerance(); }

    // Computes the norm of A x - b from x, which `products` does not count.
    virtual double trueResidual()
    {
        Vector r(size_);
        a_.apply(x_.data(), r.data(), pool_);
        for (std::size_t i = 0; i < size_; ++i)
            r[i] -= b_[i];
        return std::sqrt(passes_.dot(r, r));
    }

    // Returns whether refresh() computes the full residual of the system itself.
    virtual bool refreshIsTrue() const { return true; }

    const OperatorOf<Real>& a_;
    const SolveOptions& options_;
    ThreadPool& pool_;
    Passes<Real> passes_;
    CgEnding& ending_;
    Solution& solution_;
    const std::size_t size_;
    Vector b_, x_, r_;
    double residual_ = 0;
    bool fresh_ = false;   // r was just computed from x
    bool isTrue_ = false;  // residual_ is that of the system itself, not of a correction

    void precondition()
    {
        if (options_.preconditioner)
        {
            if constexpr (std::is_same_v<Real, double>)  // preconditioners take doubles only
                options_.preconditioner->apply(r_.data(), z_.data(), pool_);
            solution_.products += options_.preconditioner->products();
            rz_ = dot(r_, z_);
            return;
        }
        if (!options_.jacobi)
        {
            rz_ = residual_ * residual_;
            return;
        }
        rz_ = passes_.template sums<1>([&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
            {
                z_[i] = inverse_[i] * r_[i];
                sum += double(r_[i]) * double(z_[i]);
            }
            return Sums<1>{sum};
        })[0];
        if (inner_) rz_ = dot(r_, z_);
    }

    double dot(const Vector& a, const Vector& b)
    {
        if constexpr (std::is_same_v<Real, double>)
            if (inner_) return inner_(a, b);
        return passes_.dot(a, b);
    }

private:
    using Step = std::optional<StopReason> (CgRecurrences::*)();

    void multiply(const Vector& x, Vector& y)
    {
        a_.apply(x.data(), y.data(), pool_);
        ++solution_.products;
        if constexpr (std::is_same_v<Real, float>) ++solution_.productsInSingle;
    }

    // Computes r = A x - b from x alone; the recurrences start again.
    void refresh()
    {
        multiply(x_, r_);
        const double rr = passes_.template sums<1>([&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i)
            {
                r_[i] -= b_[i];
                sum += double(r_[i]) * double(r_[i]);
            }
            return Sums<1>{sum};
        })[0];
        residual_ = std::sqrt(inner_ ? dot(r_, r_) : rr);
        precondition();
        fresh_ = true;
        isTrue_ = refreshIsTrue();
    }

    const Vector& z() const { return z_.empty() ? r_ : z_; }

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
        const Vector& z = this->z();
        const auto beta = Real(fresh_ ? 0 : rz_ / lastRz_);
        passes_.each([&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                d_[i] = beta == 0 ? z[i] : z[i] + beta * d_[i];
        });
        multiply(d_, q_);
        const double curvature = dot(d_, q_);
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
        const auto length = Real(by);
        const double rr = passes_.template sums<1>([&](std::size_t begin, std::size_t end) {
            Sums<4> sum = {};  // four independent sums: a single one would wait for each addition
            for (std::size_t i = begin; i < end; ++i)
            {
                x_[i] += length * d_[i];
                r_[i] += length * q_[i];
                sum[i % 4] += double(r_[i]) * double(r_[i]);
            }
            return Sums<1>{(sum[0] + sum[2]) + (sum[1] + sum[3])};
        })[0];
        lastRz_ = rz_;
        residual_ = std::sqrt(inner_ ? dot(r_, r_) : rr);
        precondition();
        fresh_ = isTrue_ = false;
    }

    // ---- paper 003: delta is d_, A delta is q_, A z is az_ ----

    // Chooses alpha and beta by five inner products of r, z, delta, A z and A delta.
    std::optional<StopReason> chooseCoefficients(CgCoefficients& chosen)
    {
        const Vector& z = this->z();
        const auto [rz, zAz, rd, zAd, dAd] = inner_ ? innerProducts(z) : fusedProducts(z);
        const CgEnd end =
            OROGEN_TARGET::chooseCoefficients({rz, zAz, rd, zAd, dAd}, haveDelta_, kCgRounding<Real>, chosen);
        // delta = alpha d of Hestenes and Stiefel, so that alpha is -ofZ and beta their ratio to the last step's.
        if (end == CgEnd::kGoOn) recordStep(-chosen.ofZ, haveDelta_ ? chosen.ofD * lastAlpha_ / -chosen.ofZ : 0);
        return reasonOf(end);
    }

    Sums<5> fusedProducts(const Vector& z)
    {
        return passes_.template sums<5>([&](std::size_t begin, std::size_t end) {
            const auto dot = [&](const Vector& u, const Vector& v) {
                return passes_.dotOf(u.data() + begin, v.data() + begin, end - begin);
            };
            if (!haveDelta_) return Sums<5>{dot(r_, z), dot(az_, z), 0, 0, 0};
            return Sums<5>{dot(r_, z), dot(az_, z), dot(r_, d_), dot(az_, d_), dot(q_, d_)};
        });
    }

    Sums<5> innerProducts(const Vector& z)
    {
        if (!haveDelta_) return {dot(r_, z), dot(az_, z), 0, 0, 0};
        return {dot(r_, z), dot(az_, z), dot(r_, d_), dot(az_, d_), dot(q_, d_)};
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

    // Computes v = alpha v + beta w.
    void combine(Vector& v, const Vector& w, const CgCoefficients& by)
    {
        const auto alpha = Real(by.ofD), beta = Real(by.ofZ);
        passes_.each([&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                v[i] = alpha == 0 ? beta * w[i] : alpha * v[i] + beta * w[i];
        });
    }

    std::optional<StopReason> paperStep()
    {
        az_.resize(size_);
        multiply(z(), az_);
        if (haveDelta_) multiply(d_, q_);
        CgCoefficients chosen = {};
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
        CgCoefficients chosen = {};
        if (std::optional<StopReason> reason = chooseCoefficients(chosen)) return reason;
        combine(d_, z(), chosen);
        combine(q_, az_, chosen);
        haveDelta_ = true;
        advance(1);
        return std::nullopt;
    }

    Vector d_, q_, z_, az_, inverse_;  // z_: empty where z is r
    double rz_ = 0, lastRz_ = 0;
    bool haveDelta_ = false;  // d_ holds the paper's delta
    LanczosMatrix run_, longest_;
    double lastAlpha_ = 0;
    std::function<double(std::span<const double>, std::span<const double>)> inner_;  // SolveOptions::dot
};

}  // namespace orogen::compute
