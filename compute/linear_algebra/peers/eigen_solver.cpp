// Which of Eigen's tables this processor can run; none where the build has no Eigen.
#if defined(OROGEN_HAVE_EIGEN)
#include "compute/linear_algebra/peers/eigen_solver_includes.h"

#define OROGEN_EIGEN kEigenPortable
#define OROGEN_EIGEN_NAMESPACE EigenPortable
#define OROGEN_EIGEN_SET "portable"
#include "compute/linear_algebra/peers/eigen_solver_body.h"

namespace orogen::compute {

#if defined(__x86_64__)
extern const EigenSolver kEigenAvx2[2], kEigenAvx512[2];
#endif

std::vector<EigenSolver> eigenSolvers()
{
    std::vector<EigenSolver> solvers(std::begin(kEigenPortable), std::end(kEigenPortable));
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool fused = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (fused) solvers.insert(solvers.end(), std::begin(kEigenAvx2), std::end(kEigenAvx2));
    if (fused && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        solvers.insert(solvers.end(), std::begin(kEigenAvx512), std::end(kEigenAvx512));
#endif
    return solvers;
}

}  // namespace orogen::compute
#else
#include "compute/linear_algebra/peers/eigen_solver.h"

namespace orogen::compute {

std::vector<EigenSolver> eigenSolvers() { return {}; }

}  // namespace orogen::compute
#endif
