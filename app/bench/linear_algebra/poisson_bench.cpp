#include "app/bench/linear_algebra/poisson_bench.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/grid_multigrid.h"
#include "compute/linear_algebra/operators.h"
#include "compute/linear_algebra/peers/peer_solvers.h"
#include "compute/linear_algebra/preconditioners.h"

namespace orogen::app::bench {
namespace {

using namespace compute;

// A solver and its last result.
struct GridSolver
{
    std::string name;
    std::function<std::uint64_t(std::vector<double>& x)> solve;  // returns the iterations
    std::vector<double> x = {};
    std::uint64_t iterations = 0;
};

// Returns ||A x - b|| / ||b||, computed with the stencil.
double gridResidual(std::size_t side, const std::vector<double>& b, const std::vector<double>& x)
{
    double rr = 0, bb = 0;
    for (std::size_t v = 0; v < side; ++v)
        for (std::size_t u = 0; u < side; ++u)
        {
            const std::size_t i = v * side + u;
            double sum = 4 * x[i] - b[i];
            if (u > 0) sum -= x[i - 1];
            if (u + 1 < side) sum -= x[i + 1];
            if (v > 0) sum -= x[i - side];
            if (v + 1 < side) sum -= x[i + side];
            rr += sum * sum;
            bb += b[i] * b[i];
        }
    return std::sqrt(rr / bb);
}

EigenSparse eigenSparse(const SparseMatrix& a)
{
    return {.starts = {a.starts.begin(), a.starts.end()},
            .columns = {a.columns.begin(), a.columns.end()},
            .values = a.values};
}

Json rowOf(const GridSolver& solver, const GridSolver& baseline, const Timing& timing, const Timing& other,
           std::size_t side, const std::vector<double>& b, double tolerance)
{
    Json json = {
        {"operation", "grid"}, {"n", b.size()}, {"algorithm", solver.name}, {"backend", "cpu"}, {"threads", 1}};
    json["baseline"] = baseline.name;
    json["baseline_threads"] = 1;
    json["time_ms"] = {{"prepare", 0.0}};
    addPair(json, timing, other, "baseline");
    json["iterations"] = solver.iterations;
    json["baseline_iterations"] = baseline.iterations;
    json["relative_residual"] = gridResidual(side, b, solver.x);
    json["baseline_relative_residual"] = gridResidual(side, b, baseline.x);
    // Solvers stop by a recurrence for the residual, which the true residual may exceed a little.
    const double most = 1.01 * tolerance;
    json["check"] =
        json["relative_residual"].get<double>() <= most && json["baseline_relative_residual"].get<double>() <= most;
    return json;
}

}  // namespace

Status measurePoisson(BenchRun& run, std::size_t side, double tolerance)
{
    ThreadPool pool(1);
    std::mt19937_64 random(side);
    std::vector<double> b(side * side);
    for (double& value : b)
        value = double(std::int64_t(random()) >> 11) * 0x1p-52;
    const std::unique_ptr<LinearOperator> a = poissonOperator(side, side);
    const SparseMatrix sparse = poissonMatrix(side, side);
    const EigenSparse forEigen = eigenSparse(sparse);
    const auto ours = [&](SolveOptions options) {
        options.relativeTolerance = tolerance;
        return solveByConjugateGradients(CgAlgorithm::kHestenesStiefel, *a, b, options, pool);
    };
    const auto keep = [](Solution solution, std::vector<double>& x) {
        x = std::move(solution.x);
        return solution.iterations;
    };
    // Timed sections include setting up the preconditioner.
    std::vector<GridSolver> solvers = {
        {"multigrid",
         [&](std::vector<double>& x) {
             const GridMultigrid multigrid(poissonStencil(int(side), int(side)));
             return keep(ours({.preconditioner = &multigrid}), x);
         }},
        {"jacobi", [&](std::vector<double>& x) { return keep(ours({.jacobi = true}), x); }},
        {"ic0", [&](std::vector<double>& x) {
             const MadePreconditioner made = makeIncompleteCholesky(sparse);
             return keep(ours({.preconditioner = made.value.get()}), x);
         }}};
    const EigenSolvers* const eigen = bestEigenSolvers();
    if (eigen)
        solvers.push_back({fmt::format("Eigen, IncompleteCholesky, {}", eigen->name), [&](std::vector<double>& x) {
                               x.assign(b.size(), 0.0);
                               return eigen->solveSparse(forEigen, b.data(), x.data(), tolerance);
                           }});
    std::vector<Contender> contenders;
    for (GridSolver& solver : solvers)
        contenders.push_back({.section = repeated([&solver] { solver.iterations = solver.solve(solver.x); })});
    // A section takes much longer than filling the caches, so a warm-up would change little.
    const Result<std::vector<Timing>> timings =
        run.time(fmt::format("grid {} x {}", side, side), std::move(contenders),
                 {.warmUpRounds = 0, .leastRounds = 2, .mostRounds = 9, .seconds = 2});
    if (!timings) return timings.error();
    const auto add = [&](std::size_t solver, std::size_t baseline) {
        run.add(
            rowOf(solvers[solver], solvers[baseline], (*timings)[solver], (*timings)[baseline], side, b, tolerance));
    };
    add(0, 1);
    if (!eigen) return Status::ok();
    add(0, 3);
    add(2, 3);
    return Status::ok();
}

}  // namespace orogen::app::bench
