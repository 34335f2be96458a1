#include "compute/linear_algebra/peers/peer_comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/peers/peer_solvers.h"
#include "core/base/clock.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

class Peers
{
public:
    Peers(const Matrix& a, const LinearOperator& matrix, std::span<const double> b, ThreadPool& pool,
          Progress& progress)
        : a_(a), matrix_(matrix), b_(b), pool_(pool), progress_(progress)
    {
    }

    PeerSolution solveByEigen(double tolerance)
    {
        constexpr std::size_t kVariants = 2;  // per instruction set; the one that reads all of A comes first
        const std::vector<EigenSolver> solvers = eigenSolvers();
        if (solvers.empty()) return {.row = "Eigen", .text = "not built in"};
        const EigenSolver& solver = solvers[solvers.size() - kVariants];
        progress_.enter(fmt::format("Eigen, {}, n = {}", solver.name, b_.size()));
        Solution solution;
        solution.x.resize(b_.size());
        const Clock::time_point start = Clock::now();
        solution.iterations = solver.solve(a_.row(0), b_.size(), b_.data(), solution.x.data(), tolerance);
        const double ms = millisecondsSince(start);
        return {"Eigen", "eigen", ms, true, "Eigen", textOf(solution)};
    }

    PeerSolution solveByLapack(const OpenBlas& blas)
    {
        progress_.enter(fmt::format("LAPACK dposv, n = {}", b_.size()));
        Matrix factor = a_.copy();
        Solution solution;
        solution.x.assign(b_.begin(), b_.end());
        blas.setThreads(pool_.threads());
        const Clock::time_point start = Clock::now();
        const bool done = blas.dposv(factor.row(0), b_.size(), solution.x.data());
        const double ms = millisecondsSince(start);
        if (!done) solution.x.assign(b_.size(), 0);
        return {"LAPACK dposv", "dposv", ms, done, "dposv, " + blas.core(), textOf(solution)};
    }

private:
    std::string textOf(Solution& solution)
    {
        assess(matrix_, b_, {}, pool_, false, solution);
        std::string text = fmt::format("residual {:.1g}", solution.relativeResidual);
        if (solution.iterations > 0) text += fmt::format(", {} steps", solution.iterations);
        return text;
    }

    const Matrix& a_;
    const LinearOperator& matrix_;
    std::span<const double> b_;
    ThreadPool& pool_;
    Progress& progress_;
};

}  // namespace

Result<std::vector<PeerSolution>> solveByPeers(const Matrix& a, const LinearOperator& matrix, std::span<const double> b,
                                               double tolerance, ThreadPool& pool, Progress& progress)
{
    Peers peers(a, matrix, b, pool, progress);
    std::vector<PeerSolution> solutions = {peers.solveByEigen(tolerance)};
    const Result<OpenBlas> blas = OpenBlas::find();
    if (!blas)
    {
        solutions.push_back({.row = "LAPACK dposv", .text = blas.error().message});
        return solutions;
    }
    if (Status status = checkMemory("compare", *matrixBytes(a.rows(), a.columns())); !status) return status.error();
    solutions.push_back(peers.solveByLapack(*blas));
    return solutions;
}

}  // namespace orogen::compute
