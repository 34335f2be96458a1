// Vectors of conjugate gradients on a target (a GPU or the host executor), in one precision, with launches of
// iterations.  The caller decides when a solve ends.
#pragma once

#include <span>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/kernels/cg_steps.h"
#include "compute/linear_algebra/kernels/target_matrix.h"

namespace orogen::compute {

// Result of some iterations.
struct CgSteps
{
    CgEnd end = CgEnd::kGoOn;
    double rr = 0;                         // (r, r)
    std::span<const double> history = {};  // (r, r) after each iteration; valid until the next call
};

template <class T>
class CgLaunches
{
public:
    CgLaunches(CgMemory& memory, CgAlgorithm algorithm, TargetMatrix<T>& matrix, const CgKernelOptions& options);

    // Allocates the vectors; x and b are 0.  `inverse`: the inverse of the diagonal; empty without a preconditioner.
    Status place(std::span<const T> inverse);
    Status placeX(std::span<const T> x) { return memory_.upload(x_.template as<void>(), x.data(), x.size_bytes()); }
    Status placeB(std::span<const T> b) { return memory_.upload(b_.template as<void>(), b.data(), b.size_bytes()); }

    // Computes r = A x - b from x alone.  Directions then start again, except those of kPaper.  Returns (r, r).
    Result<double> refresh();
    // Takes over a residual r that another kernel has stored, with its partial sums (squares and weights of CgVectors).
    // Keeps the direction, except in the first call.  Returns (r, r).
    Result<double> takeReplaced();
    // Runs at most `most` iterations, or fewer to bound the time.  Ends early if (r, r) <= `enough` or for another
    // reason to end (CgEnd).
    Result<CgSteps> iterate(std::uint64_t most, double enough);

    bool persistent() const { return persistent_; }
    std::uint64_t products() const { return products_; }
    CgVectors<T> vectors() const;
    T* rightSide() const { return b_.template as<T>(); }
    std::uint64_t size() const { return size_; }

private:
    // Maximum number of iterations per call of iterate().  The target keeps (r, r) after each of them.
    static constexpr std::uint64_t kMostSteps = 1024;

    bool preconditioned() const { return inverse_.bytes() > 0; }
    bool isPaper() const { return algorithm_ != CgAlgorithm::kHestenesStiefel; }
    T* z() const { return preconditioned() ? z_.template as<T>() : r_.template as<T>(); }
    T* d() const { return d_.template as<T>(); }
    T* q() const { return q_.template as<T>(); }
    CgState* state() const { return state_.template as<CgState>(); }
    double* sums() const { return sums_.template as<double>(); }
    std::uint64_t pieces() const { return piecesOf(size_, kPieceStep).count(); }
    LaunchShape overPieces(unsigned y = 1) const { return stridingShape(pieces(), options_.mostBlocks, y); }

    Status choosePersistent();
    Status takeSums(CgResidual residual, double enough, std::uint64_t step = 0);
    Result<CgState> takeState();
    Result<double> takeResidual(CgResidual residual);
    Status multiply(const T* x, T* y, const CgState* state);
    Status innerProducts(std::span<const std::pair<const T*, const T*>> factors);
    Status combine(T* v, const T* w, const double* ofV, const double* ofW);
    Status takeSteps(std::uint64_t steps, double enough);
    Status persistentSteps(std::uint64_t steps, double enough);
    Status singleStep();
    Status plainStep();
    Status paperStep();
    Status oneProductStep();
    Status chooseCoefficients();
    Status advance(const double* length);

    CgMemory& memory_;
    const CgAlgorithm algorithm_;
    TargetMatrix<T>& matrix_;
    const CgKernelOptions& options_;
    const std::uint64_t size_;
    LaunchPacer pacer_;
    TargetMemory b_, x_, r_, z_, d_, next_, q_, az_, inverse_;  // z_, az_, inverse_: only if needed
    TargetMemory sums_, history_, state_, coefficients_;
    unsigned resident_ = 1;  // maximum number of blocks of a persistent launch
    bool persistent_ = false;
    bool haveDelta_ = false;  // d_ holds paper 003's delta (cg_vectors.h)
    bool begun_ = false;      // takeReplaced() has been called
    std::uint64_t done_ = 0, products_ = 0;
    std::vector<double> taken_;  // history of the last iterate()
};

}  // namespace orogen::compute
