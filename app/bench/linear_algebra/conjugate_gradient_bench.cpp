// Compares solvers with Eigen's conjugate gradients and LAPACK's dposv. The equations have dense matrices A_ij =
// exp(-|i - j| / 50) + delta_ij, or are Poisson's equation on a grid (poisson_bench.h). Iterations end at a relative
// residual of 1e-10. Also compares A x with reading all of A, and sums and products of matrices with OpenBLAS.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/bench/harness/bench.h"
#include "app/bench/linear_algebra/poisson_bench.h"
#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/dev_matrix.h"
#include "compute/linear_algebra/direct.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/peers/peer_solvers.h"
#include "compute/linear_algebra/vector_kernels.h"
#include "core/base/clock.h"

namespace orogen::app::bench {
namespace {

using namespace compute;
using Vector = std::vector<double>;

constexpr double kTolerance = 1e-10;
// Limits of the checks, with room for rounding. kMostResidual: solvers stop by a recurrence for the residual, which
// differs a little from residualOf(). kMostApart: largest accepted value of apart().
constexpr double kMostResidual = 1.01 * kTolerance, kMostApart = 1e-12;
constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";
constexpr std::uint64_t kMatrixSizes[] = {1000, 2000, 4000}, kQuickSizes[] = {400};
constexpr std::uint64_t kProductSize = 2000, kQuickProductSize = 200;
constexpr std::size_t kSide = 1000, kQuickSide = 100;  // side of the grid of Poisson's equation

// Sets kCoreVariable, which selects OpenBLAS's kernels, unless the user has set it or OpenBLAS's own choice is best.
// OpenBLAS reads the variable only while it is being loaded. If GDAL has loaded OpenBLAS already, restarts the program.
// If the restart fails, the bench uses the core that OpenBLAS chose, and reports that core.
void askForBestOpenBlas()
{
    const std::string best = OpenBlas::bestCore();
    if (best.empty() || std::getenv(kCoreVariable)) return;
    setenv(kCoreVariable, best.c_str(), 1);
    if (!OpenBlas::isLoaded()) return;
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string words(std::istreambuf_iterator<char>(file), {});
    std::vector<char*> arguments;
    for (std::size_t at = 0; at < words.size(); at = words.find('\0', at) + 1)
    {
        arguments.push_back(words.data() + at);
        if (words.find('\0', at) == std::string::npos) return;
    }
    arguments.push_back(nullptr);
    execv("/proc/self/exe", arguments.data());
}

struct System
{
    explicit System(std::uint64_t size) : a(correlationMatrix(size)), b(size)
    {
        std::mt19937_64 random(size);
        Vector x(size);
        for (double& value : x)
            value = double(std::int64_t(random()) >> 11) * 0x1p-52;
        b = times(x);
    }

    // Returns A x, each element rounded once from a sum in extended precision, which shares no code with the solvers.
    Vector times(const Vector& x) const
    {
        Vector product(b.size());
        for (std::size_t i = 0; i < b.size(); ++i)
        {
            long double sum = 0;
            for (std::size_t j = 0; j < b.size(); ++j)
                sum += static_cast<long double>(a(i, j)) * x[j];
            product[i] = double(sum);
        }
        return product;
    }

    // Returns ||A x - b|| / ||b||.
    double residualOf(const Vector& x) const
    {
        const Vector product = times(x);
        double rr = 0, bb = 0;
        for (std::size_t i = 0; i < b.size(); ++i)
        {
            const double r = product[i] - b[i];
            rr += r * r;
            bb += b[i] * b[i];
        }
        return std::sqrt(rr / bb);
    }

    Matrix a;
    Vector b;
};

// Returns the largest difference of elements, relative to the largest absolute value in `a` and `b`.
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

// ---- solvers ----

struct Answer
{
    Vector x;
    std::uint64_t iterations = 0, products = 0;  // products: multiplications by A; 0 if not counted
    std::uint64_t refinements = 0;               // mixed precision only
};

struct Solver
{
    std::string name;
    std::function<void(Answer& answer)> prepare;  // not timed
    std::function<void(Answer& answer)> solve;
    int threads = 1;
    double prepareMs = 0;  // one-time work: packing half of A, see denseHalfOperator()

    // Returns a contender without a check. The residual is computed after all sections, since its computation loads A
    // into the caches.
    Contender contender(Answer& answer) const
    {
        Contender contender;
        if (prepare) contender.prepare = [this, &answer] { prepare(answer); };
        contender.section = repeated([this, &answer] { solve(answer); });
        return contender;
    }
};

void keep(Solution solution, Answer& answer)
{
    answer = {std::move(solution.x), std::uint64_t(solution.iterations), std::uint64_t(solution.products),
              solution.refinements};
}

Solver ours(const char* name, CgAlgorithm algorithm, const LinearOperator& a, const System& system, ThreadPool& pool)
{
    const auto solve = [=, &a, &system, &pool](Answer& answer) {
        keep(solveByConjugateGradients(algorithm, a, system.b, {.relativeTolerance = kTolerance}, pool), answer);
    };
    return {.name = name, .prepare = {}, .solve = solve, .threads = pool.threads()};
}

// Returns the solver in mixed precision. Its time includes rounding A to single precision and packing the lower half.
Solver oursMixed(const LinearOperator& a, const System& system, ThreadPool& pool)
{
    const auto solve = [&](Answer& answer) {
        keep(solveByConjugateGradients(CgAlgorithm::kHestenesStiefel, a, system.b,
                                       {.relativeTolerance = kTolerance, .precision = Precision::kMixed}, pool),
             answer);
    };
    return {.name = "symmetric-half, mixed", .prepare = {}, .solve = solve, .threads = pool.threads()};
}

Solver cholesky(const System& system, ThreadPool& pool)
{
    const auto solve = [&](Answer& answer) { keep(solveByCholesky(system.a, system.b, {}, pool), answer); };
    return {.name = "cholesky", .prepare = {}, .solve = solve, .threads = pool.threads()};
}

Solver eigen(const EigenSolver& solver, const System& system)
{
    return {.name = fmt::format("Eigen, {}", solver.name),
            .prepare = [&](Answer& answer) { answer.x.assign(system.b.size(), 0); },
            .solve =
                [&](Answer& answer) {
                    answer.iterations =
                        solver.solve(system.a.row(0), answer.x.size(), system.b.data(), answer.x.data(), kTolerance);
                }};
}

// Returns the solver of LAPACK. dposv overwrites A by the factor, so `prepare` copies A before the clock starts.
Solver dposv(const OpenBlas& blas, const System& system, Matrix& factor, int threads)
{
    return {.name = "LAPACK dposv",
            .prepare =
                [&, threads](Answer& answer) {
                    std::ranges::copy(system.a.values(), factor.values().begin());
                    answer.x = system.b;
                    blas.setThreads(threads);
                },
            .solve =
                [&](Answer& answer) {
                    if (!blas.dposv(factor.row(0), answer.x.size(), answer.x.data()))
                        answer.x.assign(answer.x.size(), 0);
                },
            .threads = threads};
}

// ---- rows ----

struct Row
{
    std::string operation;  // "solve"; "multiply": A x; "sum", "product": of matrices
    std::uint64_t size = 0;
    std::string algorithm = {}, baseline = {};
    std::string backend = "cpu";
    int threads = 1, baselineThreads = 1;
    double prepareMs = 0;  // one-time work outside the compared times; on a GPU, allocation and transfers
    double bytes = 0;      // bytes that A x reads; 0 for other operations

    std::string name() const { return fmt::format("{} n = {}, {}", operation, size, algorithm); }
};

Json jsonOf(const Row& row, const Timing& timing, const Timing& baseline)
{
    Json json = {{"operation", row.operation}, {"n", row.size},          {"algorithm", row.algorithm},
                 {"backend", row.backend},     {"threads", row.threads}, {"baseline", row.baseline}};
    json["baseline_threads"] = row.baselineThreads;
    json["time_ms"] = {{"prepare", row.prepareMs}};
    addPair(json, timing, baseline, "baseline");
    for (const char* key : {"iterations", "baseline_iterations", "products"})
        json[key] = 0;
    if (row.bytes > 0) json["gigabytes_per_second"] = 1e-6 * row.bytes / timing.minimumMs;
    return json;
}

// Returns the row of a comparison. `error`: difference from the expected result, see apart().
Json comparedJson(const Row& row, const std::vector<Timing>& timings, double error)
{
    Json json = jsonOf(row, timings[0], timings[1]);
    json["difference"] = error;
    json["check"] = error <= kMostApart;
    return json;
}

Json solvedJson(const Row& row, const std::vector<Timing>& timings, const System& system, const Answer& answer,
                const Answer& baseline)
{
    Json json = jsonOf(row, timings[0], timings[1]);
    json["iterations"] = answer.iterations;
    json["baseline_iterations"] = baseline.iterations;
    json["products"] = answer.products;
    if (answer.refinements > 0) json["refinements"] = answer.refinements;
    const double error = system.residualOf(answer.x), baselineError = system.residualOf(baseline.x);
    json["relative_residual"] = error;
    json["baseline_relative_residual"] = baselineError;
    json["check"] = std::max(error, baselineError) <= kMostResidual;
    return json;
}

// ---- cases ----

// State shared by all cases.
struct Lab
{
    ThreadPool pools[2];
    std::vector<EigenSolver> eigenSolvers = compute::eigenSolvers();
    std::optional<OpenBlas> blas;
    bool quick, manyThreads, cuda = false;

    explicit Lab(const BenchOptions& options)
        : pools{ThreadPool(1), ThreadPool(options.threads)}, quick(options.quick), manyThreads(options.threads > 1)
    {
    }
    TrialOptions trials(double batchMs = 0) const
    {
        return {.leastRounds = 3, .mostRounds = 41, .seconds = quick ? 0.1 : 2, .batchMs = batchMs};
    }
};
constexpr double kBatchMs = 2;  // TrialOptions::batchMs for products with A; a solution is long enough for one run

// One system and its solvers.
class SystemCase
{
public:
    SystemCase(BenchRun& run, Lab& lab, std::uint64_t size) : run_(run), lab_(lab), system_(size) {}

    Status measure()
    {
        std::optional<Solver> peer;
        if (!lab_.eigenSolvers.empty())
        {
            const Result<const EigenSolver*> best = fastestEigen();
            if (!best) return best.error();
            run_.head()["eigen"] = (*best)->name;
            peer = eigen(**best, system_);
        }
        for (ThreadPool& pool : std::span(lab_.pools, lab_.manyThreads ? 2 : 1))
            if (Status status = addPool(peer, pool); !status) return status;
        return lab_.cuda && peer ? addCuda(*peer) : Status::ok();
    }

private:
    // Returns the fastest variant of Eigen (template arguments and instruction sets). The first pass drops variants
    // that take more than 1.5 times as long as the best.
    Result<const EigenSolver*> fastestEigen()
    {
        constexpr double kFar = 1.5;
        std::vector<const EigenSolver*> solvers;
        for (const EigenSolver& solver : lab_.eigenSolvers)
            solvers.push_back(&solver);
        for (const int rounds : {1, 2})
        {
            Answer answer;
            std::vector<Solver> all;
            for (const EigenSolver* solver : solvers)
                all.push_back(eigen(*solver, system_));
            std::vector<Contender> contenders;
            for (const Solver& solver : all)
                contenders.push_back(solver.contender(answer));
            const Result<std::vector<Timing>> timings =
                run_.time(fmt::format("solve n = {}, which Eigen", system_.b.size()), std::move(contenders),
                          {.warmUpRounds = 0, .leastRounds = rounds, .mostRounds = rounds});
            if (!timings) return timings.error();
            const double best = std::ranges::min(*timings, {}, &Timing::minimumMs).minimumMs;
            std::vector<const EigenSolver*> left;
            for (std::size_t i = 0; i < solvers.size(); ++i)
                if ((*timings)[i].minimumMs <= (rounds == 1 ? kFar * best : best)) left.push_back(solvers[i]);
            solvers = std::move(left);
        }
        return solvers.front();
    }

    Status addPool(const std::optional<Solver>& peer, ThreadPool& pool)
    {
        const std::unique_ptr<LinearOperator> dense = denseOperator(system_.a);
        const Clock::time_point start = Clock::now();
        const std::unique_ptr<LinearOperator> half = denseHalfOperator(system_.a);
        const double packingMs = millisecondsSince(start);
        const Solver paper = ours("paper", CgAlgorithm::kPaper, *dense, system_, pool);
        const Solver oneProduct = ours("paper-one-product", CgAlgorithm::kPaperOneProduct, *dense, system_, pool);
        const Solver textbook = ours("hestenes-stiefel", CgAlgorithm::kHestenesStiefel, *dense, system_, pool);
        Solver halved = ours("symmetric-half", CgAlgorithm::kHestenesStiefel, *half, system_, pool);
        halved.prepareMs = packingMs;
        const std::unique_ptr<LinearOperator> lower = denseLowerOperator(system_.a);
        const Solver mixed = oursMixed(*lower, system_, pool);
        const Solver* const eigen = peer ? &*peer : nullptr;
        using Pair = std::pair<const Solver*, const Solver*>;
        for (const auto& [solver, baseline] : {Pair(&paper, eigen), Pair(&oneProduct, &paper), Pair(&textbook, eigen),
                                               Pair(&halved, eigen), Pair(&mixed, eigen)})
            if (baseline)
                if (Status status = addSolve(*solver, *baseline); !status) return status;
        if (lab_.blas)
        {
            Matrix factor(system_.b.size(), system_.b.size());
            const Solver lapack = dposv(*lab_.blas, system_, factor, pool.threads());
            for (const Solver* solver : std::initializer_list<const Solver*>{&halved, &mixed})
                if (Status status = addSolve(*solver, lapack); !status) return status;
            if (Status status = addSolve(cholesky(system_, pool), lapack); !status) return status;
        }
        return addMultiplications(*dense, *half, pool);
    }

    Status addSolve(const Solver& solver, const Solver& baseline)
    {
        Row row{.operation = "solve", .size = system_.b.size(), .algorithm = solver.name, .baseline = baseline.name};
        row.threads = solver.threads;
        row.baselineThreads = baseline.threads;
        row.prepareMs = solver.prepareMs;
        Answer answer, other;
        const Result<std::vector<Timing>> timings =
            run_.time(row.name(), {solver.contender(answer), baseline.contender(other)}, lab_.trials());
        if (!timings) return timings.error();
        run_.add(solvedJson(row, *timings, system_, answer, other));
        return Status::ok();
    }

    // Compares A x with just reading the whole matrix, and A x from one stored half of A with A x from all of A.
    Status addMultiplications(const LinearOperator& dense, const LinearOperator& half, ThreadPool& pool)
    {
        const std::size_t n = system_.b.size();
        Vector y(n), z(n);
        const auto multiply = [&](const LinearOperator& a, Vector& to) {
            return Contender{.section = repeated([&] { a.apply(system_.b.data(), to.data(), pool); })};
        };
        const Contender all = multiply(dense, y), read{.section = repeated([&] { readAll(pool); })};
        Row row{.operation = "multiply", .size = n, .algorithm = "all of A", .baseline = "reading A"};
        row.threads = row.baselineThreads = pool.threads();
        row.bytes = double(*matrixBytes(n, n));
        const Vector expected = system_.times(system_.b);
        if (Status status = addMultiply(row, all, read, y, expected); !status) return status;
        row.algorithm = "half of A";
        row.baseline = "all of A";
        row.bytes /= 2;
        return addMultiply(row, multiply(half, z), all, z, y);
    }

    // Times `ours` against `baseline`, and compares `y`, the result of `ours`, with `expected`.
    Status addMultiply(const Row& row, const Contender& ours, const Contender& baseline, const Vector& y,
                       const Vector& expected)
    {
        const Result<std::vector<Timing>> timings = run_.time(row.name(), {ours, baseline}, lab_.trials(kBatchMs));
        if (!timings) return timings.error();
        run_.add(comparedJson(row, *timings, apart(y, expected)));
        return Status::ok();
    }

    void readAll(ThreadPool& pool)
    {
        constexpr std::size_t kPiece = std::size_t(1) << 15;
        const std::size_t count = system_.a.elements(), pieces = (count + kPiece - 1) / kPiece;
        sums_.resize(pieces);
        pool.forEach(pieces, [&](std::size_t piece) {
            sums_[piece] = kernels_.sum(system_.a.row(0) + piece * kPiece, std::min(kPiece, count - piece * kPiece));
        });
    }

    // Reports transfers and kernels separately, against Eigen on the CPU.
    Status addCuda(const Solver& peer)
    {
        for (const auto& [name, algorithm, half] :
             {std::tuple{"paper", CgAlgorithm::kPaper, false},
              std::tuple{"paper-one-product", CgAlgorithm::kPaperOneProduct, false},
              std::tuple{"hestenes-stiefel", CgAlgorithm::kHestenesStiefel, false},
              std::tuple{"symmetric-half", CgAlgorithm::kHestenesStiefel, true}})
            if (Status status = addCudaRow(name, algorithm, {.dense = &system_.a, .half = half}, peer); !status)
                return status;
        return Status::ok();
    }

    Status addCudaRow(const char* name, CgAlgorithm algorithm, const KernelSystem& onGpu, const Solver& peer)
    {
        Row row{.operation = "solve", .size = system_.b.size(), .algorithm = name, .baseline = peer.name};
        row.backend = "cuda";
        const std::unique_ptr<LinearOperator> dense = denseOperator(system_.a);
        Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(processCuda(), 0);
        Answer answer, other;
        const auto onCuda = [&]() -> Result<double> {  // returns the kernels' time
            if (!target) return target.error();
            Result<CgKernelRun> run = solveOnTarget(**target, algorithm, onGpu, *dense, system_.b,
                                                    {.relativeTolerance = kTolerance}, lab_.pools[0]);
            if (!run) return run.error();
            keep(std::move(run->solution), answer);
            row.prepareMs = run->allocateMs + run->uploadMs + run->downloadMs;
            return run->kernelMs;
        };
        const Result<std::vector<Timing>> timings =
            run_.time(row.name(), {{.section = onCuda}, peer.contender(other)}, lab_.trials());
        if (timings)
            run_.add(solvedJson(row, *timings, system_, answer, other));
        else if (timings.error().code == ExitCode::kInterrupted)
            return timings.error();
        else
            run_.leaveOut(fmt::format("{}, cuda: {}", row.name(), timings.error().message));
        return Status::ok();
    }

    BenchRun& run_;
    Lab& lab_;
    const System system_;
    Vector sums_;
    const VectorKernels& kernels_ = vectorKernels();
};

// Compares sums and products of matrices with OpenBLAS, on one thread.
Status measureMatrices(BenchRun& run, const Lab& lab, std::uint64_t size)
{
    const OpenBlas& blas = *lab.blas;
    const Matrix a = correlationMatrix(size), b = randomSpd(size, 100, 1);
    blas.setThreads(1);
    Matrix ours = a.copy(), theirs = a.copy();
    const auto time = [&](const char* operation, const char* algorithm, const char* baseline, auto one, auto other,
                          auto forTheCheck) -> Status {
        const Row row{.operation = operation, .size = size, .algorithm = algorithm, .baseline = baseline};
        const Result<std::vector<Timing>> timings =
            run.time(row.name(), {{.section = repeated(one)}, {.section = repeated(other)}}, lab.trials());
        if (!timings) return timings.error();
        forTheCheck();
        run.add(comparedJson(row, *timings, apart(ours.values(), theirs.values())));
        return Status::ok();
    };
    const Status sums = time(
        "sum", "a = std::move(a) + b", "OpenBLAS daxpy", [&] { ours = std::move(ours) + b; },
        [&] { blas.daxpy(b.elements(), b.row(0), theirs.row(0)); },
        [&] {
            ours = a + b;
            std::ranges::copy(a.values(), theirs.values().begin());
            blas.daxpy(b.elements(), b.row(0), theirs.row(0));
        });
    if (!sums) return sums;
    return time(
        "product", "a * b", "OpenBLAS dgemm", [&] { ours = a * b; },
        [&] { blas.dgemm(a.row(0), b.row(0), theirs.row(0), size); }, [] {});
}

std::string stepsText(const Json& row)
{
    const std::uint64_t steps = row.at("iterations").get<std::uint64_t>();
    return steps > 0 ? fmt::format("{}/{}", steps, row.at("baseline_iterations").get<std::uint64_t>()) : "";
}

std::string errorText(const Json& row)
{
    return fmt::format("{:.1e}", row.at(row.contains("difference") ? "difference" : "relative_residual").get<double>());
}

std::vector<Column> solverColumns()
{
    return {wordColumn("", "/operation"),
            integerColumn("n", "/n"),
            wordColumn("algorithm", "/algorithm"),
            wordColumn("on", "/backend"),
            integerColumn("threads", "/threads"),
            numberColumn("prepare", "/time_ms/prepare", 2),
            numberColumn("ms", "/time_ms/minimum", 3),
            percentColumn("spread", "/spread"),
            numberColumn("GB/s", "/gigabytes_per_second", 1),
            wordColumn("baseline", "/baseline"),
            numberColumn("ms", "/time_ms/baseline_minimum", 3),
            percentColumn("spread", "/baseline_spread"),
            numberColumn("ratio", "/ratio", 2),
            {"steps", stepsText},
            {"error", errorText},
            checkColumn()};
}

Plan solverPlan(const BenchOptions& options)
{
    Plan plan;
    const auto lab = std::make_shared<Lab>(options);
    const CudaReport cuda = discoverCuda();
    lab->cuda = cuda.available;
    if (!cuda.available) plan.leftOut.push_back("cuda: no CUDA device: " + cuda.reason);
    const Result<OpenBlas> blas = OpenBlas::find();
    if (blas)
        lab->blas = *blas;
    else
        plan.leftOut.push_back("dposv, dgemm: " + blas.error().message);
    if (lab->eigenSolvers.empty()) plan.leftOut.push_back("Eigen: not built in");
    plan.head = {{"algorithm", "cg"},
                 {"backend", "cpu"},
                 {"tolerance", kTolerance},
                 {"instruction_set", vectorKernels().name},
                 {"eigen", nullptr},  // name of the fastest variant of Eigen at the last size; SystemCase sets it
                 {"openblas_core", lab->blas ? Json(lab->blas->core()) : Json(nullptr)}};
    plan.legend =
        "A_ij = exp(-|i - j| / 50) + delta_ij; grid: Poisson's equation. Ratio: how many times as fast as the "
        "baseline, of the minima of "
        "interleaved trials; spread: median\nabove minimum; error: the residual, recomputed, or how far the results "
        "are apart.";
    plan.tables = {{.columns = solverColumns()}};
    plan.totalIsOfSections = true;
    const auto add = [&](std::uint64_t size, std::function<Status(BenchRun&)> measure) {
        plan.cases.push_back({fmt::format("n = {}", size), 4 * *matrixBytes(size, size), std::move(measure)});
    };
    for (const std::uint64_t size : options.quick ? std::span<const std::uint64_t>(kQuickSizes) : kMatrixSizes)
        add(size, [lab, size](BenchRun& run) { return SystemCase(run, *lab, size).measure(); });
    const std::uint64_t size = options.quick ? kQuickProductSize : kProductSize;
    if (lab->blas) add(size, [lab, size](BenchRun& run) { return measureMatrices(run, *lab, size); });
    const std::size_t side = options.quick ? kQuickSide : kSide;
    plan.cases.push_back({fmt::format("grid {} x {}", side, side), 500 * side * side,
                          [side](BenchRun& run) { return measurePoisson(run, side, kTolerance); }});
    return plan;
}

}  // namespace

Bench conjugateGradientBench()
{
    Bench bench{"cg", "conjugate gradients and Cholesky, against Eigen, LAPACK and the paper's own",
                "a small matrix, in a few seconds", solverPlan};
    bench.beforeAll = askForBestOpenBlas;
    return bench;
}

}  // namespace orogen::app::bench
