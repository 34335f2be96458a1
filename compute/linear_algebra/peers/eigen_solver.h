// Eigen's conjugate gradients for comparison, compiled for each instruction set like our own.  Eigen is optional:
// without it in the build (OROGEN_HAVE_EIGEN) there is no solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orogen::compute {

// Solver without a preconditioner, on one thread: Eigen uses no more for dense matrices.
struct EigenSolver
{
    const char* name;  // its template argument, and the instruction set
    // Solves from x = 0.  Returns the number of iterations.
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

std::vector<EigenSolver> eigenSolvers();  // all that this processor can run; empty: not built in

}  // namespace orogen::compute
