#include "app/bench/linear_algebra/benchmark.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "compute/device/discovery.h"
#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/direct.h"
#include "compute/linear_algebra/families.h"
#include "compute/linear_algebra/kernels/cg_device.h"
#include "compute/linear_algebra/peers/eigen_solver.h"
#include "compute/linear_algebra/peers/openblas_solver.h"
#include "compute/linear_algebra/vector_kernels.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;
using Row = CgBenchRow;
using Vector = std::vector<double>;

constexpr std::uint64_t kSizes[] = {1000, 2000, 4000}, kQuickSizes[] = {400};
constexpr std::uint64_t kProductSize = 2000, kQuickProductSize = 200;

double msOf(const std::function<void()>& work)
{
    const Clock::time_point start = Clock::now();
    work();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Does it once and returns the ms that count, without what it has to prepare.
using TimedRun = std::function<double()>;

SideTiming sideOf(Vector ms)
{
    std::ranges::sort(ms);
    return {ms.front(), ms[ms.size() / 2]};
}

// As timePair, of runs long enough to be a measurement each.
PairTiming timeRuns(const TimedRun& a, const TimedRun& b, const PairTimingOptions& options)
{
    constexpr int kLeastRounds = 3;
    PairTiming timing;
    Vector ofA, ofB;
    const Clock::time_point start = Clock::now();
    const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    a(), b();  // for the caches, and memory that was not touched yet
    while (timing.rounds < options.rounds && (timing.rounds < kLeastRounds || spent() < options.seconds))
    {
        ofA.push_back(a());
        ofB.push_back(b());
        ++timing.rounds;
        if (options.goOn && !options.goOn())
        {
            timing.stopped = true;
            break;
        }
    }
    timing.a = sideOf(std::move(ofA));
    timing.b = sideOf(std::move(ofB));
    return timing;
}

struct System
{
    explicit System(std::uint64_t size) : a(correlationMatrix(size)), b(size)
    {
        std::mt19937_64 random(size);
        Vector x(size);
        for (double& value : x)
            value = double(std::int64_t(random()) >> 11) * 0x1p-52;
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j)
                b[i] += a(i, j) * x[j];
    }

    // ||A x - b|| / ||b||
    double residualOf(const Vector& x) const
    {
        double rr = 0, bb = 0;
        for (std::size_t i = 0; i < b.size(); ++i)
        {
            double r = -b[i];
            for (std::size_t j = 0; j < b.size(); ++j)
                r += a(i, j) * x[j];
            rr += r * r;
            bb += b[i] * b[i];
        }
        return std::sqrt(rr / bb);
    }

    Matrix a;
    Vector b;
};

// Relative to the largest element of either.
double apart(std::span<const double> a, std::span<const double> b)
{
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        most = std::max(most, std::abs(a[i] - b[i]));
        largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
    }
    return largest > 0 ? most / largest : most;
}

// One way to solve the system: times itself, and leaves x.
struct Solver
{
    std::string name;
    std::function<double(Vector& x, std::uint64_t& iterations, std::uint64_t& products)> solve;
    int threads = 1;
    double prepareMs = 0;
};

Solver ours(const char* name, CgAlgorithm algorithm, const LinearOperator& a, const System& system, ThreadPool& pool)
{
    return {name,
            [=, &a, &system, &pool](Vector& x, std::uint64_t& iterations, std::uint64_t& products) {
                Solution solution;
                const SolveOptions options = {.relativeTolerance = kBenchTolerance};
                const double ms =
                    msOf([&] { solution = solveByConjugateGradients(algorithm, a, system.b, options, pool); });
                x = std::move(solution.x);
                iterations = solution.iterations;
                products = solution.products;
                return ms;
            },
            pool.threads()};
}

Solver cholesky(const System& system, ThreadPool& pool)
{
    return {"cholesky",
            [&](Vector& x, std::uint64_t&, std::uint64_t&) {
                Solution solution;
                const double ms = msOf([&] { solution = solveByCholesky(system.a, system.b, {}, pool); });
                x = std::move(solution.x);
                return ms;
            },
            pool.threads()};
}

Solver eigen(const EigenSolver& solver, const System& system)
{
    return {fmt::format("Eigen, {}", solver.name), [&](Vector& x, std::uint64_t& iterations, std::uint64_t&) {
                x.assign(system.b.size(), 0);
                return msOf([&] {
                    iterations = solver.solve(system.a.row(0), x.size(), system.b.data(), x.data(), kBenchTolerance);
                });
            }};
}

// Its factor takes the place of A: a copy before the clock starts.
Solver dposv(const OpenBlas& blas, const System& system, Matrix& factor, int threads)
{
    return {"LAPACK dposv",
            [&, threads](Vector& x, std::uint64_t&, std::uint64_t&) {
                std::ranges::copy(system.a.values(), factor.values().begin());
                x = system.b;
                blas.setThreads(threads);
                return msOf([&] {
                    if (!blas.dposv(factor.row(0), x.size(), x.data())) x.assign(x.size(), 0);
                });
            },
            threads};
}

class Bench
{
public:
    explicit Bench(const CgBenchOptions& options)
        : options_(options), pools_{ThreadPool(1), ThreadPool(options.threads)}, eigenSolvers_(eigenSolvers())
    {
        const CudaReport cuda = discoverCuda();
        cuda_ = cuda.available;
        if (!cuda_) bench_.leftOut.push_back("cuda: no CUDA device: " + cuda.reason);
        const Result<OpenBlas> found = OpenBlas::find();
        if (found)
        {
            blas_ = *found;
            bench_.openBlasCore = blas_->core();
        }
        else
            bench_.leftOut.push_back("dposv, dgemm: " + found.error().message);
        timing_.seconds = options.quick ? 0.1 : 2;
        timing_.goOn = [this] { return goOn(); };
    }

    CgBench run()
    {
        for (const std::uint64_t size : options_.quick ? std::span<const std::uint64_t>(kQuickSizes) : kSizes)
            if (!bench_.stopped && fits(size, 4)) addSystem(size);
        const std::uint64_t size = options_.quick ? kQuickProductSize : kProductSize;
        if (!bench_.stopped && blas_ && fits(size, 4)) addMatrices(size);
        return std::move(bench_);
    }

private:
    bool fits(std::uint64_t size, std::uint64_t matrices)
    {
        const Status fit = checkMemory(fmt::format("n = {}", size), matrices * *matrixBytes(size, size));
        if (!fit) bench_.leftOut.push_back(fit.error().message);
        return bool(fit);
    }

    int rowsInAll() const
    {
        const int solves = blas_ ? 6 : 4, pools = options_.threads > 1 ? 2 : 1, gpu = cuda_ ? 4 : 0;
        const int sizes = int(options_.quick ? std::size(kQuickSizes) : std::size(kSizes));
        return sizes * (pools * (solves + 2) + gpu) + (blas_ ? 2 : 0);
    }

    // False: stopped.
    bool goOn()
    {
        if (!bench_.stopped && options_.progress && !options_.progress(int(bench_.rows.size()), rowsInAll(), next_))
            bench_.stopped = true;
        return !bench_.stopped;
    }
    bool begin(const Row& row)
    {
        next_ = fmt::format("{} n = {}, {}", row.operation, row.size, row.algorithm);
        return goOn();
    }

    void addSystem(std::uint64_t size)
    {
        const System system(size);
        const EigenSolver& best = fastestEigen(system);
        bench_.eigen = best.name;
        for (ThreadPool& pool : std::span(pools_, options_.threads > 1 ? 2 : 1))
            addPool(system, best, pool);
        if (cuda_) addCuda(system, best);
    }

    // Eigen's template arguments and instruction sets in turn, each in its best time; those that are far behind once.
    const EigenSolver& fastestEigen(const System& system)
    {
        constexpr int kTurns = 3;
        constexpr double kFar = 1.5;
        next_ = fmt::format("solve n = {}, which Eigen", system.b.size());
        Vector best(eigenSolvers_.size(), 1e300), x(system.b.size());
        for (int turn = 0; turn < kTurns; ++turn)
            for (std::size_t i = 0; i < best.size(); ++i)
            {
                if (!goOn()) return eigenSolvers_[0];
                if (turn > 0 && best[i] > kFar * std::ranges::min(best)) continue;
                const double ms = msOf([&] {
                    eigenSolvers_[i].solve(system.a.row(0), x.size(), system.b.data(), x.data(), kBenchTolerance);
                });
                best[i] = std::min(best[i], ms);
            }
        return eigenSolvers_[std::size_t(std::ranges::min_element(best) - best.begin())];
    }

    void addPool(const System& system, const EigenSolver& bestEigen, ThreadPool& pool)
    {
        const std::unique_ptr<LinearOperator> dense = denseOperator(system.a);
        std::unique_ptr<LinearOperator> half;
        const double packMs = msOf([&] { half = denseHalfOperator(system.a); });
        const Solver paper = ours("paper", CgAlgorithm::kPaper, *dense, system, pool);
        const Solver peer = eigen(bestEigen, system);
        Solver halved = ours("symmetric-half", CgAlgorithm::kHestenesStiefel, *half, system, pool);
        halved.prepareMs = packMs;
        addSolve(system, paper, peer);
        addSolve(system, ours("paper-one-product", CgAlgorithm::kPaperOneProduct, *dense, system, pool), paper);
        addSolve(system, ours("hestenes-stiefel", CgAlgorithm::kHestenesStiefel, *dense, system, pool), peer);
        addSolve(system, halved, peer);
        if (blas_)
        {
            Matrix factor(system.b.size(), system.b.size());
            const Solver lapack = dposv(*blas_, system, factor, pool.threads());
            addSolve(system, halved, lapack);
            addSolve(system, cholesky(system, pool), lapack);
        }
        addMultiply(system, *dense, *half, pool);
    }

    void addSolve(const System& system, const Solver& solver, const Solver& baseline)
    {
        Row row{.operation = "solve", .size = system.b.size(), .algorithm = solver.name, .baseline = baseline.name};
        row.threads = solver.threads;
        row.baselineThreads = baseline.threads;
        row.prepareMs = solver.prepareMs;
        if (!begin(row)) return;
        Vector x, y;
        std::uint64_t none = 0;
        row.timing = timeRuns([&] { return solver.solve(x, row.iterations, row.products); },
                              [&] { return baseline.solve(y, row.baselineIterations, none); }, timing_);
        if (row.timing.stopped) return;
        row.error = system.residualOf(x);
        row.baselineError = system.residualOf(y);
        row.equal = std::max(row.error, row.baselineError) <= kMostResidual;
        bench_.rows.push_back(row);
    }

    // A x, of which the whole matrix is read, against no more than to read it; and of a half of A against that.
    void addMultiply(const System& system, const LinearOperator& dense, const LinearOperator& half, ThreadPool& pool)
    {
        const std::size_t n = system.b.size();
        const double all = double(*matrixBytes(n, n));
        Vector y(n), z(n);
        const auto multiply = [&](const LinearOperator& a, Vector& to) {
            return repeated([&] { a.apply(system.b.data(), to.data(), pool); });
        };
        Row row{.operation = "multiply", .size = n, .algorithm = "all of A", .baseline = "reading A"};
        row.threads = row.baselineThreads = pool.threads();
        row.bytes = all;
        const auto read = repeated([&] { readAll(system.a, pool); });
        addMultiply(row, multiply(dense, y), read, y, y);
        row.algorithm = "half of A";
        row.baseline = "all of A";
        row.bytes = all / 2;
        addMultiply(row, multiply(half, z), multiply(dense, y), z, y);
    }
    void addMultiply(Row row, const TimedBody& ours, const TimedBody& baseline, const Vector& y, const Vector& z)
    {
        if (!begin(row)) return;
        row.timing = timePair(ours, baseline, timing_);
        if (row.timing.stopped) return;
        row.error = apart(y, z);
        row.equal = row.error <= kMostApart;
        bench_.rows.push_back(row);
    }

    template <class Body>
    static TimedBody repeated(Body body)
    {
        return [body](std::int64_t times) {
            for (; times > 0; --times)
                body();
        };
    }

    void readAll(const Matrix& a, ThreadPool& pool)
    {
        constexpr std::size_t kPiece = std::size_t(1) << 15;
        const std::size_t count = a.elements(), pieces = (count + kPiece - 1) / kPiece;
        sums_.resize(pieces);
        pool.forEach(pieces, [&](std::size_t piece) {
            sums_[piece] = kernels_.sum(a.row(0) + piece * kPiece, std::min(kPiece, count - piece * kPiece));
        });
    }

    // OpenBLAS is the ceiling here: its product is what a processor can do.
    void addMatrices(std::uint64_t size)
    {
        const Matrix a = correlationMatrix(size), b = randomSpd(size, 100, 1);
        blas_->setThreads(1);
        Matrix ours = a.copy(), theirs = a.copy();
        Row row{.operation = "sum", .size = size, .algorithm = "a = std::move(a) + b", .baseline = "OpenBLAS daxpy"};
        addMatrixRow(
            row, [&] { ours = std::move(ours) + b; }, [&] { blas_->daxpy(b.elements(), b.row(0), theirs.row(0)); },
            [&] {
                ours = a + b;
                std::ranges::copy(a.values(), theirs.values().begin());
                blas_->daxpy(b.elements(), b.row(0), theirs.row(0));
            },
            ours, theirs);
        row = {.operation = "product", .size = size, .algorithm = "a * b", .baseline = "OpenBLAS dgemm"};
        addMatrixRow(
            row, [&] { ours = a * b; }, [&] { blas_->dgemm(a.row(0), b.row(0), theirs.row(0), size); }, [] {}, ours,
            theirs);
    }
    void addMatrixRow(Row row, const std::function<void()>& a, const std::function<void()>& b,
                      const std::function<void()>& forTheCheck, const Matrix& ours, const Matrix& theirs)
    {
        if (!begin(row)) return;
        row.timing = timeRuns([&] { return msOf(a); }, [&] { return msOf(b); }, timing_);
        if (row.timing.stopped) return;
        forTheCheck();
        row.error = apart(ours.values(), theirs.values());
        row.equal = row.error <= kMostApart;
        bench_.rows.push_back(row);
    }

    // Transfers and kernels apart, against Eigen on the processor.
    void addCuda(const System& system, const EigenSolver& bestEigen)
    {
        const std::unique_ptr<LinearOperator> dense = denseOperator(system.a);
        const Solver peer = eigen(bestEigen, system);
        for (const auto& [name, algorithm, half] :
             {std::tuple{"paper", CgAlgorithm::kPaper, false},
              std::tuple{"paper-one-product", CgAlgorithm::kPaperOneProduct, false},
              std::tuple{"hestenes-stiefel", CgAlgorithm::kHestenesStiefel, false},
              std::tuple{"symmetric-half", CgAlgorithm::kHestenesStiefel, true}})
            addCudaRow(system, name, algorithm, {.dense = &system.a, .half = half}, *dense, peer);
    }

    void addCudaRow(const System& system, const char* name, CgAlgorithm algorithm, const KernelSystem& onGpu,
                    const LinearOperator& dense, const Solver& peer)
    {
        Row row{.operation = "solve", .size = system.b.size(), .algorithm = name, .baseline = peer.name};
        row.backend = "cuda";
        if (!begin(row)) return;
        Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(processCuda(), 0);
        std::optional<Error> failed;
        Vector x, y;
        std::uint64_t none = 0;
        const auto onCuda = [&] {
            const SolveOptions options = {.relativeTolerance = kBenchTolerance};
            Result<CgKernelRun> run =
                target ? solveOnTarget(**target, algorithm, onGpu, dense, system.b, options, pools_[0])
                       : Result<CgKernelRun>(target.error());
            if (!run)
            {
                failed = run.error();
                return 0.0;
            }
            x = std::move(run->solution.x);
            row.iterations = run->solution.iterations;
            row.products = run->solution.products;
            row.prepareMs = run->allocateMs + run->uploadMs + run->downloadMs;
            return run->kernelMs;
        };
        row.timing = timeRuns(
            onCuda, [&] { return peer.solve(y, row.baselineIterations, none); }, timing_);
        if (failed) bench_.leftOut.push_back(fmt::format("{}, cuda: {}", next_, failed->message));
        if (failed || row.timing.stopped) return;
        row.error = system.residualOf(x);
        row.baselineError = system.residualOf(y);
        row.equal = std::max(row.error, row.baselineError) <= kMostResidual;
        bench_.rows.push_back(row);
    }

    // Each judges by a recurrence or by sums in another order than residualOf().
    static constexpr double kMostResidual = 1.01 * kBenchTolerance, kMostApart = 1e-12;

    const CgBenchOptions& options_;
    ThreadPool pools_[2];
    const std::vector<EigenSolver> eigenSolvers_;
    std::optional<OpenBlas> blas_;
    PairTimingOptions timing_;
    std::string next_;
    bool cuda_ = false;
    Vector sums_;
    const VectorKernels& kernels_ = vectorKernels();
    CgBench bench_;
};

}  // namespace

CgBench benchCg(const CgBenchOptions& options) { return Bench(options).run(); }

}  // namespace orogen::compute
