// Lists the Eigen solvers that this processor can run; none if the build has no Eigen.
#if defined(OROGEN_HAVE_EIGEN)
#define OROGEN_EIGEN kPortableEigenSolvers
#define OROGEN_EIGEN_NAMESPACE EigenPortable
#define OROGEN_EIGEN_SET "portable"
#include "compute/linear_algebra/peers/eigen_solver_body.h"

namespace orogen::compute {

std::vector<EigenSolver> eigenSolvers()
{
    static const KernelSets<EigenSolvers> sets = {
#if defined(__x86_64__)
        {&kAvx512EigenSolvers, InstructionSet::kAvx512},
        {&kAvx2EigenSolvers, InstructionSet::kAvx2},
#endif
        {&kPortableEigenSolvers, InstructionSet::kPortable}
    };
    std::vector<EigenSolver> solvers;
    for (const EigenSolvers* set : sets.available())
        solvers.insert(solvers.begin(), std::begin(set->solvers), std::end(set->solvers));
    return solvers;
}

}  // namespace orogen::compute
#else
#include "compute/linear_algebra/peers/peer_solvers.h"

namespace orogen::compute {

std::vector<EigenSolver> eigenSolvers() { return {}; }

}  // namespace orogen::compute
#endif
