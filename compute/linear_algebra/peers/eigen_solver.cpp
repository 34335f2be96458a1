// Lists the Eigen solvers that this processor can run; none if the build has no Eigen.
#if defined(OROGEN_HAVE_EIGEN)
#define OROGEN_EIGEN kPortableEigenSolvers
#define OROGEN_EIGEN_NAMESPACE EigenPortable
#define OROGEN_EIGEN_SET "portable"
#include "compute/linear_algebra/peers/eigen_solver_body.h"

namespace orogen::compute {

namespace {

const KernelSets<EigenSolvers>& eigenSets()
{
    static const KernelSets<EigenSolvers> sets = {
#if defined(__x86_64__)
        {&kAvx512EigenSolvers, InstructionSet::kAvx512},
        {&kAvx2EigenSolvers, InstructionSet::kAvx2},
#endif
        {&kPortableEigenSolvers, InstructionSet::kPortable}
    };
    return sets;
}

}  // namespace

const EigenSolvers* bestEigenSolvers() { return &eigenSets().best(); }

std::vector<EigenSolver> eigenSolvers()
{
    std::vector<EigenSolver> solvers;
    for (const EigenSolvers* set : eigenSets().available())
        solvers.insert(solvers.begin(), std::begin(set->solvers), std::end(set->solvers));
    return solvers;
}

}  // namespace orogen::compute
#else
#include "compute/linear_algebra/peers/peer_solvers.h"

namespace orogen::compute {

const EigenSolvers* bestEigenSolvers() { return nullptr; }
std::vector<EigenSolver> eigenSolvers() { return {}; }

}  // namespace orogen::compute
#endif
