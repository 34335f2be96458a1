// Paper 003 (Ustyuzhanin et al. 2024) measured again on CPU and GPU: sums and products of matrices (figures 2 and 4),
// Cramer's rule and conjugate gradients (7 and 8). The paper blames allocation for growing times, so allocation is
// timed separately.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "app/bench/figures/figure.h"
#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/dev_matrix.h"
#include "compute/linear_algebra/direct.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "compute/linear_algebra/matrix.h"
#include "core/base/clock.h"

namespace orogen::app::bench {
namespace {

using namespace compute;

constexpr double kTolerance = 1e-10;  // largest relative residual

// Operands of all lines of a figure at one matrix size n.
struct SystemToSolve
{
    std::size_t size = 0;
    Matrix a, b;                // b: empty for equations
    std::vector<double> right;  // right-hand side: A times a vector of ones; empty for sums and products
};

using SolverLine = SweepLine<SystemToSolve>;

template <class Work>
double msOf(const Work& work)
{
    const Clock::time_point start = Clock::now();
    work();
    return millisecondsSince(start);
}

Error wrong(const char* what, const SystemToSolve& problem)
{
    return {ExitCode::kNo, fmt::format("{}: a wrong result at n = {}", what, problem.size)};
}

// ---- sums ----

bool isSum(const SystemToSolve& problem, const Matrix& sum)
{
    for (std::size_t i = 0; i < sum.elements(); ++i)
        if (sum.values()[i] != problem.a.values()[i] + problem.b.values()[i]) return false;
    return true;
}

Result<double> sumInPlace(const SystemToSolve& problem)
{
    Matrix sum = problem.a.copy();
    const double ms = msOf([&] { sum = std::move(sum) + problem.b; });
    return isSum(problem, sum) ? Result<double>(ms) : wrong("sum", problem);
}

Result<double> sumIntoNew(const SystemToSolve& problem)
{
    Matrix sum;
    const double ms = msOf([&] { sum = problem.a + problem.b; });
    return isSum(problem, sum) ? Result<double>(ms) : wrong("sum", problem);
}

Result<double> allocate(const SystemToSolve& problem)
{
    Matrix matrix;
    return msOf([&] { matrix = Matrix(problem.size, problem.size, 0.0); });
}

// Runs `make` with A and B copied to kernelTarget(), and returns the matrix made. Stores the time of `make`, by the
// target's clock, in `ms`.
template <class Make>
Result<Matrix> onCuda(const SystemToSolve& problem, double& ms, const Make& make)
{
    Result<std::unique_ptr<KernelTarget>> target = kernelTarget();
    if (!target) return target.error();
    DevMatrix a(**target, problem.a), b(**target, problem.b);
    if (const Status status = (*target)->startClock(); !status) return status.error();
    const DevMatrix made = make(std::move(a), b);
    const Result<double> clock = (*target)->stopClock();
    if (!clock) return clock.error();
    ms = *clock;
    return made.toMatrix();
}

template <class Make>
Result<double> sumOnCuda(const SystemToSolve& problem, const Make& make)
{
    double ms = 0;
    const Result<Matrix> sum = onCuda(problem, ms, make);
    if (!sum) return sum.error();
    return isSum(problem, *sum) ? Result<double>(ms) : wrong("sum on the GPU", problem);
}

Result<double> sumInPlaceOnCuda(const SystemToSolve& problem)
{
    return sumOnCuda(problem, [](DevMatrix a, const DevMatrix& b) { return std::move(a) + b; });
}

// Includes the allocation in the time, like the operator that the paper's figure 2 measures.
Result<double> sumIntoNewOnCuda(const SystemToSolve& problem)
{
    return sumOnCuda(problem, [](const DevMatrix& a, const DevMatrix& b) { return a + b; });
}

Result<double> allocateOnCuda(const SystemToSolve& problem)
{
    Result<std::unique_ptr<KernelTarget>> target = kernelTarget();
    if (!target) return target.error();
    Status status = (*target)->finish();
    DevMatrix matrix;
    const double ms = msOf([&] {
        matrix = DevMatrix(**target, problem.size, problem.size, 0.0);
        if (status) status = matrix.status();
        if (status) status = (*target)->finish();
    });
    if (!status) return status.error();
    return ms;
}

// ---- products ----

// Returns whether (A B) v equals A (B v), up to rounding, for a v without zeros.
bool isProduct(const SystemToSolve& problem, const Matrix& product)
{
    const std::size_t n = problem.size;
    const auto times = [n](const Matrix& m, const std::vector<double>& v) {
        std::vector<double> w(n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j)
                w[i] += m(i, j) * v[j];
        return w;
    };
    std::vector<double> v(n);
    for (std::size_t i = 0; i < n; ++i)
        v[i] = 1 + double(i % 7);
    const std::vector<double> once = times(product, v), twice = times(problem.a, times(problem.b, v));
    for (std::size_t i = 0; i < n; ++i)
        if (!(std::abs(once[i] - twice[i]) <= 1e-11 * std::abs(twice[i]))) return false;
    return true;
}

Result<double> productOnCpu(const SystemToSolve& problem)
{
    Matrix product;
    const double ms = msOf([&] { product = problem.a * problem.b; });
    return isProduct(problem, product) ? Result<double>(ms) : wrong("product", problem);
}

SolverLine productOnCuda(const char* name, ProductKernel kernel)
{
    return {.name = fmt::format("{}, {}", name, kernelBackend()),
            .growth = 3,
            .inKernels = true,
            .run = [kernel](const SystemToSolve& problem) -> Result<double> {
                double ms = 0;
                const Result<Matrix> made = onCuda(
                    problem, ms, [kernel](const DevMatrix& a, const DevMatrix& b) { return product(a, b, kernel); });
                if (!made) return made.error();
                return isProduct(problem, *made) ? Result<double>(ms) : wrong("product on the GPU", problem);
            }};
}

// ---- solving ----

const SolveOptions kSolve = {.relativeTolerance = kTolerance};

Result<double> judged(const Solution& solution, double ms, const std::string& name, const SystemToSolve& problem)
{
    if (solution.reason == StopReason::kConverged && solution.relativeResidual <= kTolerance) return ms;
    return wrong(name.c_str(), problem);
}

SolverLine cramer()
{
    return {.name = "Cramer's rule, cpu",
            .growth = 4,
            .run =
                [](const SystemToSolve& problem) {
                    ThreadPool pool(1);
                    Solution solution;
                    const double ms = msOf([&] { solution = solveByCramer(problem.a, problem.right, kSolve, pool); });
                    return judged(solution, ms, "Cramer's rule", problem);
                },
            .largest = kMostCramer};
}

SolverLine onCpu(const std::string& name, CgAlgorithm algorithm, bool half)
{
    return {.name = name + ", cpu", .growth = 2.2, .run = [=](const SystemToSolve& problem) {
                ThreadPool pool(1);
                const std::unique_ptr<LinearOperator> a =
                    half ? denseHalfOperator(problem.a) : denseOperator(problem.a);
                Solution solution;
                const double ms =
                    msOf([&] { solution = solveByConjugateGradients(algorithm, *a, problem.right, kSolve, pool); });
                return judged(solution, ms, name, problem);
            }};
}

SolverLine onGpu(const std::string& name, CgAlgorithm algorithm, bool half)
{
    return {.name = fmt::format("{}, {}", name, kernelBackend()),
            .growth = 2.2,
            .inKernels = true,
            .run = [=](const SystemToSolve& problem) -> Result<double> {
                Result<std::unique_ptr<KernelTarget>> target = kernelTarget();
                if (!target) return target.error();
                ThreadPool pool(1);
                // The time includes the work on the CPU, as in the paper, but not the upload of A.
                const Clock::time_point start = Clock::now();
                const Result<CgKernelRun> run = solveOnTarget(**target, algorithm, {.dense = &problem.a, .half = half},
                                                              *denseOperator(problem.a), problem.right, kSolve, pool);
                const double ms = millisecondsSince(start);
                if (!run) return run.error();
                return judged(run->solution, ms - run->uploadMs, name, problem);
            }};
}

// ---- the figures ----

SystemToSolve pairOfMatrices(std::size_t size)
{
    SystemToSolve problem{size, correlationMatrix(size), Matrix(size, size), {}};
    for (std::size_t i = 0; i < problem.b.elements(); ++i)
        problem.b.values()[i] = double(1 + i * 7 % 11);
    return problem;
}

SystemToSolve equations(std::size_t size)
{
    SystemToSolve problem{size, correlationMatrix(size), {}, std::vector<double>(size)};
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            problem.right[i] += problem.a(i, j);
    return problem;
}

Sweep<SystemToSolve> sweepOf(std::vector<SolverLine> lines, std::vector<std::uint64_t> sizes, std::uint64_t matrices,
                             SystemToSolve (*make)(std::size_t size), std::vector<std::string> notes)
{
    return {.xName = "n",
            .lines = std::move(lines),
            .sizes = std::move(sizes),
            .nameOf = [](std::uint64_t size) { return fmt::format("n = {}", size); },
            .bytesOf = [matrices](std::uint64_t size) { return matrices * *matrixBytes(size, size); },
            .make = make,
            .notes = std::move(notes)};
}

std::vector<std::uint64_t> powersOfTwo(std::uint64_t first, std::uint64_t last)
{
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t size = first; size <= last; size *= 2)
        sizes.push_back(size);
    return sizes;
}

Result<FigureData> measureSum(const FigureOptions& options)
{
    const Sweep<SystemToSolve> sweep =
        sweepOf({{.name = "sum in place, cpu", .growth = 2, .run = sumInPlace},
                 {.name = "sum into new memory, cpu", .growth = 2, .run = sumIntoNew},
                 {.name = "allocation alone, cpu", .growth = 2, .run = allocate},
                 {.name = fmt::format("sum in place, {}", kernelBackend()),
                  .growth = 2,
                  .inKernels = true,
                  .run = sumInPlaceOnCuda},
                 {.name = fmt::format("sum into new memory, {}", kernelBackend()),
                  .growth = 2,
                  .inKernels = true,
                  .run = sumIntoNewOnCuda},
                 {.name = fmt::format("allocation alone, {}", kernelBackend()),
                  .growth = 2,
                  .inKernels = true,
                  .run = allocateOnCuda}},
                powersOfTwo(32, 8192), 3, pairOfMatrices,
                {"allocation: until every element is 0, after a check of the available memory; transfers "
                 "are not included"});
    return measured(sweep, options);
}

Result<FigureData> measureProduct(const FigureOptions& options)
{
    const Sweep<SystemToSolve> sweep =
        sweepOf({{.name = "product, cpu", .growth = 3, .run = productOnCpu},
                 productOnCuda("the paper's kernel", ProductKernel::kPaper),
                 productOnCuda("a thread a term", ProductKernel::kByTerms),
                 productOnCuda("a block an element", ProductKernel::kByBlocks),
                 productOnCuda("tiles", ProductKernel::kTiled)},
                powersOfTwo(32, 4096), 3, pairOfMatrices, {"transfers are not included"});
    return measured(sweep, options);
}

const char* const kStopping =
    "conjugate gradients to 1e-10 of b, where the paper takes n steps; transfers are not included";

Result<FigureData> measureSolvers(const FigureOptions& options)
{
    const Sweep<SystemToSolve> sweep = sweepOf(
        {cramer(), onCpu("paper", CgAlgorithm::kPaper, false),
         onCpu("paper-one-product", CgAlgorithm::kPaperOneProduct, false),
         onCpu("symmetric-half", CgAlgorithm::kHestenesStiefel, true), onGpu("paper", CgAlgorithm::kPaper, false)},
        {2, 3, 4, 6, 8, 10, 12, 16, 20, 32, 64, 128, 256, 512, 1024, 2048, 4096}, 2, equations,
        {kStopping, "A_ij = exp(-|i - j| / 50) + delta_ij; Cramer's rule to n = 20; one thread"});
    return measured(sweep, options);
}

Result<FigureData> measureOnGpu(const FigureOptions& options)
{
    std::vector<std::uint64_t> sizes = powersOfTwo(32, 16384);
    sizes.push_back(25'000);  // largest n of the paper
    const Sweep<SystemToSolve> sweep = sweepOf({onGpu("paper", CgAlgorithm::kPaper, false),
                                                onGpu("paper-one-product", CgAlgorithm::kPaperOneProduct, false),
                                                onGpu("hestenes-stiefel", CgAlgorithm::kHestenesStiefel, false),
                                                onGpu("symmetric-half", CgAlgorithm::kHestenesStiefel, true)},
                                               sizes, 2, equations, {kStopping});
    return measured(sweep, options);
}

// Counts the iterations of conjugate gradients. In floating point they may exceed n, the bound that the paper proves.
Result<FigureData> measureSteps(const FigureOptions& options)
{
    constexpr double kConditions[] = {1e2, 1e4, 1e6};
    constexpr std::size_t kMostSize = 256;
    FigureData data{"n",
                    {},
                    {},
                    {"steps to 1e-10 of b = A times ones; an empty point: not converged after 10 n steps, or kept "
                     "from it by rounding"}};
    for (const double condition : kConditions)
        data.names.push_back(fmt::format("paper, condition {:g}", condition));
    data.names.emplace_back("n (printed)");
    ThreadPool pool(1);
    for (std::size_t size = 8; size <= kMostSize; size *= 2)
    {
        FigureRow row{double(size), {}};
        for (const double condition : kConditions)
        {
            const std::string next = fmt::format("n = {}, condition {:g}", size, condition);
            if (!options.goesOn(double(size) / kMostSize, next)) return stoppedError();
            const Matrix a = randomSpd(size, condition, 1);
            const std::vector<double> ones(size, 1.0);
            std::vector<double> right(size);
            denseOperator(a)->apply(ones.data(), right.data(), pool);
            const Solution solution =
                solveByConjugateGradients(CgAlgorithm::kPaper, *denseOperator(a), right, kSolve, pool);
            const bool there = solution.reason == StopReason::kConverged;
            row.values.push_back(there ? std::optional(double(solution.iterations)) : std::nullopt);
        }
        row.values.emplace_back(double(size));
        data.rows.push_back(std::move(row));
    }
    return data;
}

}  // namespace

std::span<const Figure> linearAlgebraFigures()
{
    static const std::vector<Figure> figures = {
        {"linear-algebra-sum",
         "paper 003, figure 2: time of a sum of matrices against n, with the allocation apart",
         {"Paper 003, figure 2: sum of two n x n matrices", "n", "time (ms)", true, true, {}},
         measureSum,
         kWholePlot,
         true},
        {"linear-algebra-product",
         "paper 003, figure 4: time of a product of matrices against n",
         {"Paper 003, figure 4: product of two n x n matrices", "n", "time (ms)", true, true, {}},
         measureProduct,
         kWholePlot,
         true},
        {"linear-algebra-solve",
         "paper 003, figure 7: Cramer's rule and conjugate gradients, on the CPU and a GPU",
         {"Paper 003, figure 7: n equations", "n", "time (ms)", true, true, {}},
         measureSolvers,
         kWholePlot,
         true},
        {"linear-algebra-solve-gpu",
         "paper 003, figure 8: conjugate gradients on a GPU",
         {"Paper 003, figure 8: n equations on a GPU", "n", "time (ms)", true, true, {}},
         measureOnGpu,
         kWholePlot,
         true},
        {"linear-algebra-steps",
         "paper 003, \"at most n steps\": steps of its conjugate gradients against n, counted",
         {"Paper 003: steps until the residual is 1e-10 of b", "n", "steps", true, true, {}},
         measureSteps},
    };
    return figures;
}

}  // namespace orogen::app::bench
