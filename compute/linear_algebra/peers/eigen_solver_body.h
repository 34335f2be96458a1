// Bodies of Eigen's solvers in peer_solvers.h, included by one file per instruction set.  Standard headers used by
// Eigen come before the target header, because their inline functions must run on any processor.  Parameters are
// macros:
//
//   OROGEN_EIGEN            the table to define
//   OROGEN_EIGEN_SET        name of the instruction set
//   OROGEN_EIGEN_TARGET     its "core/base/target_NAME.h"; without it, the code runs on any processor
//   OROGEN_EIGEN_NAMESPACE  replaces the namespace Eigen: the linker must not share Eigen's inline functions between
//                           instruction sets
#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <limits>
#include <list>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "compute/linear_algebra/peers/peer_solvers.h"
#include "core/base/cpu.h"

#if defined(OROGEN_EIGEN_TARGET)
#include OROGEN_EIGEN_TARGET
#endif
#define Eigen OROGEN_EIGEN_NAMESPACE

#include <Eigen/Dense>
#include <Eigen/IterativeLinearSolvers>

namespace orogen::compute {
namespace {

// Solves A x = b by conjugate gradients and returns the iterations.  kHalves: Lower | Upper reads all of A, Lower one
// half.
template <int kHalves>
std::uint64_t solve(const double* a, std::size_t size, const double* b, double* x, double tolerance)
{
    const auto n = Eigen::Index(size);
    const Eigen::Map<const Eigen::MatrixXd> matrix(a, n, n);
    Eigen::ConjugateGradient<Eigen::MatrixXd, kHalves, Eigen::IdentityPreconditioner> solver;
    solver.setTolerance(tolerance);
    solver.setMaxIterations(10 * n);
    solver.compute(matrix);
    Eigen::Map<Eigen::VectorXd>(x, n) = solver.solve(Eigen::Map<const Eigen::VectorXd>(b, n));
    return std::uint64_t(solver.iterations());
}

std::uint64_t solveSparse(const EigenSparse& a, const double* b, double* x, double tolerance)
{
    using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
    const auto n = Eigen::Index(a.starts.size()) - 1;
    const Eigen::Map<const Sparse> matrix(n, n, Eigen::Index(a.values.size()), a.starts.data(), a.columns.data(),
                                          a.values.data());
    Eigen::ConjugateGradient<Sparse, Eigen::Lower | Eigen::Upper,
                             Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<int>>>
        solver;
    solver.setTolerance(tolerance);
    solver.setMaxIterations(10 * n);
    solver.compute(matrix);
    Eigen::Map<Eigen::VectorXd>(x, n) = solver.solve(Eigen::Map<const Eigen::VectorXd>(b, n));
    return std::uint64_t(solver.iterations());
}

}  // namespace

const EigenSolvers OROGEN_EIGEN = {OROGEN_EIGEN_SET,
                                   {{"Lower|Upper, " OROGEN_EIGEN_SET, solve<Eigen::Lower | Eigen::Upper>},
                                    {"Lower, " OROGEN_EIGEN_SET, solve<Eigen::Lower>}},
                                   solveSparse};

}  // namespace orogen::compute

#if defined(OROGEN_EIGEN_TARGET)
#pragma GCC pop_options
#endif
