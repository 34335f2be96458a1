#include "compute/linear_algebra/peers/peer_comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/peers/peer_solvers.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/text.h"

namespace orogen::compute {
namespace {

class Peers
{
public:
    Peers(const Matrix& a, const LinearOperator& matrix, std::span<const double> b, double tolerance, ThreadPool& pool,
          Progress& progress)
        : a_(a), matrix_(matrix), b_(b), tolerance_(tolerance), pool_(pool), progress_(progress)
    {
    }

    PeerSolution solveByEigen()
    {
        constexpr std::size_t kVariants = 2;  // per instruction set; the one that reads all of A comes first
        const std::vector<EigenSolver> solvers = eigenSolvers();
        if (solvers.empty()) return {.row = "Eigen", .text = "not built in"};
        const EigenSolver& solver = solvers[solvers.size() - kVariants];
        progress_.enter(fmt::format("Eigen, {}, n = {}", solver.name, b_.size()));
        Solution solution;
        solution.x.resize(b_.size());
        const Clock::time_point start = Clock::now();
        solution.iterations = solver.solve(a_.row(0), b_.size(), b_.data(), solution.x.data(), tolerance_);
        const double ms = millisecondsSince(start);
        return {"Eigen", "eigen", ms, isSolved(solution), "Eigen", textOf(solution)};
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
        const bool solved = isSolved(solution) && done;
        return {"LAPACK dposv", "dposv", ms, solved, "dposv, " + blas.core(), textOf(solution)};
    }

private:
    // Sets the solution's residual.  Returns whether it is within the tolerance.
    bool isSolved(Solution& solution)
    {
        assess(matrix_, b_, {.relativeTolerance = tolerance_}, pool_, true, solution);
        return solution.reason == StopReason::kConverged;
    }

    static std::string textOf(const Solution& solution)
    {
        std::string text = fmt::format("residual {:.1g}", solution.relativeResidual);
        if (solution.iterations > 0) text += ", " + counted(std::uint64_t(solution.iterations), "step");
        return text;
    }

    const Matrix& a_;
    const LinearOperator& matrix_;
    std::span<const double> b_;
    double tolerance_;
    ThreadPool& pool_;
    Progress& progress_;
};

}  // namespace

Result<std::vector<PeerSolution>> solveByPeers(const Matrix& a, const LinearOperator& matrix, std::span<const double> b,
                                               double tolerance, ThreadPool& pool, Progress& progress)
{
    Peers peers(a, matrix, b, tolerance, pool, progress);
    std::vector<PeerSolution> solutions = {peers.solveByEigen()};
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
