// Conjugate gradients in single precision on a target, inside a refinement whose residual is made in double there.
#pragma once

#include <memory>

#include "compute/linear_algebra/kernels/cg_launches.h"

namespace orogen::compute {

// How far single precision goes before the residual is made anew, and when it has to give up; as in mixed_precision.cpp
// of the CPU.
class RefinementGoals
{
public:
    RefinementGoals(double residual, double tolerance) : tolerance_(tolerance) { replaced(residual); }

    double goal() const { return goal_; }  // for the residual of single precision
    double gain() const { return mostGain_; }
    // The residual is now this one; false: it fell too little for another refinement to be worth it.
    bool replaced(double residual);

private:
    static constexpr double kMostGain = 4e-6, kLeastGain = 0.25;

    const double tolerance_;
    double last_ = 0, goal_ = 0, mostGain_ = kMostGain;
};

// A, x and r of `whole` are in double; x, found in single precision, is added there.
class SingleIterations
{
public:
    SingleIterations(CgMemory& memory, CgAlgorithm algorithm, const KernelSystem& system,
                     const CgKernelOptions& options);

    // `scale`: the power of two that A is multiplied by; `inverse`: of the scaled diagonal, or empty.
    Status place(const TargetMatrix<double>& matrix, double scale, std::span<const double> inverse);
    // r of `whole`, which was just made, becomes the residual here.
    Status takeDown(const CgLaunches<double>& whole);
    // x of `whole` takes up what was found here; what it was before is kept until giveBack.
    Status takeUp(CgLaunches<double>& whole);
    Status giveBack(CgLaunches<double>& whole);
    CgLaunches<float>& launches() { return *launches_; }

private:
    CgMemory& memory_;
    const CgAlgorithm algorithm_;
    const CgKernelOptions& options_;
    TargetMatrix<float> matrix_;
    std::unique_ptr<CgLaunches<float>> launches_;
    TargetMemory before_;  // x of the whole
    double scale_ = 1;
};

}  // namespace orogen::compute
