// Solutions of a system by Eigen and LAPACK, for comparison.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compute/job/module.h"
#include "compute/linear_algebra/operators.h"

namespace orogen::compute {

struct PeerSolution
{
    std::string name = {};      // as in messages: "Eigen", "LAPACK dposv"
    std::string timeName = {};  // "eigen", "dposv"; empty: the solver did not run
    double ms = 0;
    bool solved = false;              // the recomputed residual is within the tolerance
    std::string row = {}, text = {};  // for people: what ran, and its residual or why it did not run
};

// Solves A x = b by Eigen and LAPACK, as far as these are available.  Cannot be interrupted.  Error kLimit: no memory
// for LAPACK's factor.
Result<std::vector<PeerSolution>> solveByPeers(const Matrix& a, const LinearOperator& matrix, std::span<const double> b,
                                               double tolerance, ThreadPool& pool, Progress& progress);

}  // namespace orogen::compute
