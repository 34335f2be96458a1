// Eigen's conjugate gradients, for comparison: compiled for each instruction set, as ours are.  Eigen is no part of
// what the program needs: where the build did not find it (OROGEN_HAVE_EIGEN), there is no solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orogen::compute {

// Without a preconditioner, on one thread: Eigen has no more for dense matrices.
struct EigenSolver
{
    const char* name;  // its template argument, and the instruction set
    // From x = 0 on.  Returns the iterations.
    std::uint64_t (*solve)(const double* a, std::size_t size, const double* b, double* x, double tolerance);
};

struct EigenSolvers
{
    const char* name;  // the instruction set
    EigenSolver solvers[2];
};

extern const EigenSolvers kPortableEigenSolvers;
#if defined(__x86_64__)
extern const EigenSolvers kAvx2EigenSolvers, kAvx512EigenSolvers;
#endif

std::vector<EigenSolver> eigenSolvers();  // all that this processor can run; none: not built in

}  // namespace orogen::compute
