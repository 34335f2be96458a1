// Conjugate gradients in single precision on a target, inside a refinement that computes the residual in double there.
#pragma once

#include <memory>

#include "compute/linear_algebra/kernels/cg_launches.h"

namespace orogen::compute {

// Goals for the residual in single precision between recomputations, and when to give up (see mixed_precision.cpp).
class RefinementGoals
{
public:
    RefinementGoals(double residual, double tolerance) : tolerance_(tolerance) { replaced(residual); }

    double goal() const { return goal_; }  // for the residual in single precision
    double gain() const { return mostGain_; }
    // Records a recomputed residual; returns false if it fell too little to justify another refinement.
    bool replaced(double residual);

private:
    static constexpr double kMostGain = 4e-6, kLeastGain = 0.25;

    const double tolerance_;
    double last_ = 0, goal_ = 0, mostGain_ = kMostGain;
};

// Iterations in single precision.  A, x and r of `whole` are in double; the correction found here is added to its x.
class SingleIterations
{
public:
    SingleIterations(CgMemory& memory, CgAlgorithm algorithm, const KernelSystem& system,
                     const CgKernelOptions& options);

    // `scale`: power of two that A is multiplied by; `inverse`: of the scaled diagonal, or empty.
    Status place(const TargetMatrix<double>& matrix, double scale, std::span<const double> inverse);
    // Uses r of `whole`, just recomputed, as the residual here.
    Status takeDown(const CgLaunches<double>& whole);
    // Adds the correction to x of `whole`; giveBack() restores the previous x.
    Status takeUp(CgLaunches<double>& whole);
    Status giveBack(CgLaunches<double>& whole);
    CgLaunches<float>& launches() { return *launches_; }

private:
    CgMemory& memory_;
    const CgAlgorithm algorithm_;
    const CgKernelOptions& options_;
    TargetMatrix<float> matrix_;
    std::unique_ptr<CgLaunches<float>> launches_;
    TargetMemory before_;  // previous x of the whole
    double scale_ = 1;
};

}  // namespace orogen::compute
