#include "compute/linear_algebra/kernels/cg_refinement.h"

#include <cmath>

#include "compute/linear_algebra/kernels/cg_mixed.h"

namespace orogen::compute {

bool RefinementGoals::replaced(double residual)
{
    const bool worthIt = last_ == 0 || residual <= kLeastGain * last_;
    // The reduction reached is the limit of single precision.
    if (last_ > 0 && residual > 2 * goal_) mostGain_ = std::max(mostGain_, residual / last_);
    last_ = residual;
    // Divides the remaining reduction into equal steps within that limit.
    const double wanted = std::max(tolerance_ / residual, 1e-300);
    const double steps = std::ceil(std::log(wanted) / std::log(mostGain_));
    goal_ = steps <= 1 ? tolerance_ : residual * std::pow(wanted, 1 / steps);
    return worthIt;
}

SingleIterations::SingleIterations(CgMemory& memory, CgAlgorithm algorithm, const KernelSystem& system,
                                   const CgKernelOptions& options)
    : memory_(memory), algorithm_(algorithm), options_(options), matrix_(system, memory)
{
}

Status SingleIterations::place(const TargetMatrix<double>& matrix, double scale, std::span<const double> inverse)
{
    scale_ = scale;
    if (Status status = matrix_.placeNarrowed(matrix, scale); !status) return status;
    launches_ = std::make_unique<CgLaunches<float>>(memory_, algorithm_, matrix_, options_);
    const std::vector<float> narrowed(inverse.begin(), inverse.end());
    if (Status status = launches_->place(narrowed); !status) return status;
    return memory_.allocate(before_, padded(matrix_.size()) * sizeof(double));
}

Status SingleIterations::takeDown(const CgLaunches<double>& whole)
{
    const CgVectors<float> vectors = launches_->vectors();
    const std::uint64_t pieces = piecesOf(vectors.size, kPieceStep).count();
    return memory_.launch(stridingShape(pieces, options_.mostBlocks),
                          TakeDownArguments{whole.vectors().r, launches_->rightSide(), vectors});
}

Status SingleIterations::takeUp(CgLaunches<double>& whole)
{
    const std::uint64_t size = whole.size();
    double* const x = whole.vectors().x;
    if (Status status = memory_.copy(before_.as<void>(), x, size * sizeof(double)); !status) return status;
    return memory_.launch(stridingShape(piecesOf(size, kPieceStep).count(), options_.mostBlocks),
                          TakeUpArguments{x, launches_->vectors().x, size, scale_});
}

Status SingleIterations::giveBack(CgLaunches<double>& whole)
{
    return memory_.copy(whole.vectors().x, before_.as<void>(), whole.size() * sizeof(double));
}

}  // namespace orogen::compute
