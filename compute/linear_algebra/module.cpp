// Module `cg`: solves systems of linear equations with a matrix that is read or generated, on the CPU or by kernels on
// a GPU or the host executor.  Compares with Eigen and LAPACK on request.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "compute/exact/cpu_sums.h"
#include "compute/job/stepped_module.h"
#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/direct.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "compute/linear_algebra/linear_system.h"
#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/peers/peer_comparison.h"
#include "compute/linear_algebra/several_systems.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/text.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kBytesAnUnknown = 104;  // index of the unknown's row in A, and twelve vectors

// `auto` is resolved when the matrix is known.
Algorithms matrixAlgorithms()
{
    return {.cpu = {"paper", "paper-one-product", "hestenes-stiefel", "symmetric-half", "cholesky", "cramer"},
            .kernels = {"paper", "paper-one-product", "hestenes-stiefel", "symmetric-half", "cramer"},
            .largest = {{"cramer", std::int64_t(kMostCramer)}}};
}

std::vector<Parameter> matrixParameters()
{
    std::vector<Parameter> parameters = {
        Parameter::file("a", "the matrix, Matrix Market: coordinate or array, general or symmetric, real"),
        Parameter::file("b", "the right-hand sides, a column each, likewise; without it A times ones"),
        Parameter::text("poisson", "instead of A: Poisson's equation on a grid of NxM inner points, matrix-free"),
        Parameter::integer("random", 1, kMostUnknowns, "",
                           "instead of A: a dense matrix made here, of so many unknowns"),
        Parameter::file("start", "the first x, a Matrix Market file; without it 0"),
        Parameter::file("out", "x goes there, a Matrix Market file"),
        Parameter::file("residuals", "a line of each step goes there, CSV: recurrence and true residual"),
        Parameter::real("condition", 1, 1e16, "100", "for random: the largest eigenvalue over the smallest"),
        Parameter::integer("seed", 0, std::numeric_limits<std::int64_t>::max(), "1", "seed for random"),
    };
    const Algorithms algorithms = matrixAlgorithms();
    appendPlaceParameters(parameters, {{algorithms}},
                          fmt::format("{}; in kernels all but cholesky; paper: three products an iteration; "
                                      "symmetric-half reads half of A; cramer to n = 20, A of any kind",
                                      fmt::join(algorithms.cpu, ", ")));
    for (Parameter& parameter : std::vector{
             Parameter::choice("preconditioner", {"none", "jacobi", "ssor", "ic0", "chebyshev", "multigrid"}, "none",
                               "jacobi: by the diagonal; ssor, ic0: of a sparse A; chebyshev: of any; multigrid: of a "
                               "grid; all but jacobi on the CPU"),
             Parameter::choice(
                 "dot", {"plain", "exact"}, "plain",
                 "exact: inner products are rounded once from their exact values; the same bits of x on any back end"),
             Parameter::real("relaxation", 0.01, 1.99, "1.5", "of ssor"),
             Parameter::choice("precision", {"double", "mixed"}, "double",
                               "mixed: A and vectors in single precision, refined in double; as good an answer"),
             Parameter::real("tolerance", 0, 1, "1e-10", "bound of the residual, relative to b"),
             Parameter::real("absolute-tolerance", 0, 1e300, "0", "bound of the residual"),
             Parameter::integer("max-iterations", 1, std::numeric_limits<std::int64_t>::max(), "",
                                "iterations at most; without it 10 n"),
             Parameter::flag("compare",
                             "then also solves by Eigen's conjugate gradients and, where OpenBLAS is installed, by "
                             "LAPACK's dposv; for a dense A; cannot be interrupted"),
         })
        parameters.push_back(std::move(parameter));
    return parameters;
}

ModuleDescription matrixDescription()
{
    return {
        .name = "cg",
        .summary = "systems of linear equations, symmetric positive definite ones above all",
        .panel = "Linear",
        .title = "Linear algebra",
        .size = "random",
        .firstSize = "1000",
        .given = {"a", "poisson"},
        .rare = {"start", "out", "residuals", "relaxation", "dot", "absolute-tolerance", "max-iterations", "compare"},
        .operations = {{"solve",
                        "A x = b; exits with 1 where it does not converge",
                        {{"A.mtx",
                          "a",
                          "the matrix, a Matrix Market file; none with --poisson or --random",
                          false,
                          {"poisson", "random"}},
                         {"B.mtx", "b", "the right-hand sides, a column each; without it A times ones"}}}},
        .parameters = matrixParameters()};
}

class CgRun final : public SteppedRun
{
public:
    CgRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context)
        : SteppedRun(module, values, context), pool_(int(values.integer("threads")))
    {
    }

protected:
    Status validate() override
    {
        const int sources = int(values().given("a")) + int(values().given("poisson")) + int(values().given("random"));
        if (sources != 1) return Error{ExitCode::kUsage, "A: expected one of a file, --poisson NxM and --random N"};
        for (const char* name : {"condition", "seed"})
            if (values().given(name) && !values().given("random"))
                return Error{ExitCode::kUsage, fmt::format("{}: expected with --random", name)};
        files_ = {.out = values().text("out"), .residuals = values().text("residuals")};
        for (const char* name : {"a", "b", "start"})
            if (values().given(name)) files_.inputs.push_back(values().text(name));
        return checkFiles(files_);
    }

    Status obtainInput() override
    {
        for (const auto step : {&CgRun::obtainMatrix, &CgRun::prepareMatrix, &CgRun::obtainRightSides,
                                &CgRun::obtainStart, &CgRun::obtainPreconditioner})
        {
            if (Status status = (this->*step)(); !status) return status;
            if (stopped()) return cancelled();
        }
        return Status::ok();
    }

    Status calculate() override
    {
        enterCalculation(fmt::format(", n = {}", system_.size));
        solutions_.clear();
        SolveOptions options = {.relativeTolerance = values().real("tolerance"),
                                .absoluteTolerance = values().real("absolute-tolerance"),
                                .precision = isMixed() ? Precision::kMixed : Precision::kDouble,
                                .jacobi = values().text("preconditioner") == "jacobi",
                                .preconditioner = preconditioner_.value.get(),
                                .trueResiduals = values().given("residuals"),
                                .stop = stop()};
        if (values().given("max-iterations")) options.maxIterations = std::uint64_t(values().integer("max-iterations"));
        // Progress is the reduction of the residual in powers of ten.
        const double decades = std::log10(1 / std::max(options.relativeTolerance, 1e-17));
        if (!isDirect()) context().progress.follow("relative residual", options.relativeTolerance);
        options.watch = [&](std::uint64_t, double residual) {
            context().progress.add(residual);
            if (residual > 0)
                context().progress.set(
                    residual > options.relativeTolerance ? std::clamp(-std::log10(residual) / decades, 0.0, 1.0) : 1.0);
        };
        if (place().inKernels()) return solveInKernels(options);
        if (preconditioner_.unsuited)
        {
            Status status = giveUp(options);
            summarise();
            return status;
        }
        std::optional<ExactDot> dot;
        if (isExact())
            options.dot = [&dot = dot.emplace(pool_.threads())](std::span<const double> x, std::span<const double> y) {
                return dot(x, y);
            };
        const Clock::time_point start = Clock::now();
        solveOnCpu(options);
        addMainTime("solve", millisecondsSince(start));
        summarise();
        return Status::ok();
    }

    // A solve is checked by the residual, recomputed from A, x and b.
    Status check() override
    {
        if (solution_.reason == StopReason::kConverged)
            answer(true, "the residual, recomputed");
        else
            result().exitCode = ExitCode::kNo;
        if (solution_.reason != StopReason::kConverged && system_.isKnownSingular())
            solution_.reason = StopReason::kSingular;
        return Status::ok();
    }

    Status compare() override
    {
        if (!values().flag("compare")) return Status::ok();
        const Result<std::vector<PeerSolution>> peers =
            solveByPeers(system_.dense, *operator_, b_[0], values().real("tolerance"), pool_, context().progress);
        if (!peers) return peers.error();
        for (const PeerSolution& peer : *peers)
        {
            if (!peer.timeName.empty()) addTime(peer.timeName, peer.ms);
            if (peer.solved && solution_.reason == StopReason::kConverged) holdAgainst(peer.name, peer.ms);
            beside_.emplace_back(peer.row, peer.text);
        }
        return Status::ok();
    }

    Status describe() override
    {
        if (Status status = writeFiles(files_, solutions_); !status) return status;
        if (context().wholeResult) describeUnknowns();
        json()["n"] = system_.size;
        json()["iterations"] = solution_.iterations;
        json()["products"] = solution_.products;
        json()["converged"] = solution_.reason == StopReason::kConverged;
        json()["residual_norm"] = solution_.residualNorm;  // null if not finite
        result().value = (json()["relative_residual"] = solution_.relativeResidual).dump();
        json()["history"] = solution_.history;
        if (solutions_.size() > 1) describeColumns();
        if (!solution_.trueHistory.empty()) json()["true_history"] = solution_.trueHistory;
        json()["reason"] = textOf(solution_.reason);
        json()["preconditioner"] = values().text("preconditioner");
        json()["precision"] = values().text("precision");
        if (isMixed())
        {
            json()["refinements"] = solution_.refinements;
            json()["fell_back"] = solution_.fellBack;
        }
        writePlace();
        json()["threads"] = pool_.threads();
        json()["dot"] = values().text("dot");
        addRow("unknowns", std::to_string(system_.size));
        if (solutions_.size() > 1) addRow("right-hand sides", std::to_string(solutions_.size()));
        addRow("ended", std::string(textOf(solution_.reason)));
        if (solution_.reason == StopReason::kIterationLimit)
            if (const std::string remedy = remedyOf(system_, *operator_, values().text("preconditioner"));
                !remedy.empty())
                addRow("try", remedy);
        addRow("iterations", std::to_string(solution_.iterations));
        addRow("products", std::to_string(solution_.products));
        if (isMixed())
            addRow("precision",
                   fmt::format("mixed, {}{}", counted(std::uint64_t(solution_.refinements), "refinement"),
                               solution_.fellBack ? ", then double: single precision is not enough for this A" : ""));
        if (solution_.lanczos.diagonal.size() > 1) describeCondition();
        addRow("relative residual", fmt::format("{:.3g}", std::abs(solution_.relativeResidual)));  // a NaN has no sign
        addRow("residual norm", fmt::format("{:.3g}", std::abs(solution_.residualNorm)));
        for (const auto& [name, text] : beside_)
            addRow(name, text);
        if (result().speedup) addRow("speed-up " + result().speedup->name, significant(result().speedup->factor, 3));
        if (context().readable) result().below = unknownsText();
        return Status::ok();
    }

private:
    // Returns the first unknowns, one per line, with a column for each of the first right-hand sides.
    std::string unknownsText() const
    {
        constexpr std::size_t kMostShown = 20, kMostColumns = 4;
        std::string text;
        for (std::size_t i = 0; i < std::min<std::size_t>(system_.size, kMostShown); ++i)
        {
            text += fmt::format("{:<24}", fmt::format("x {}", i + 1));
            for (std::size_t j = 0; j < std::min(solutions_.size(), kMostColumns); ++j)
                text += fmt::format(" {:<{}}", solutions_[j].x[i], solutions_.size() > 1 ? 23 : 0);
            text.erase(text.find_last_not_of(' ') + 1);
            text += '\n';
        }
        if (system_.size > kMostShown || solutions_.size() > kMostColumns)
            text +=
                fmt::format("and {} more; --json has all\n",
                            system_.size > kMostShown ? system_.size - kMostShown : solutions_.size() - kMostColumns);
        return text;
    }

    void describeUnknowns()
    {
        if (solutions_.size() == 1)
            json()["x"] = solutions_[0].x;
        else
            for (const Solution& of : solutions_)
                json()["x"].push_back(of.x);
    }

    void describeColumns()
    {
        for (const Solution& of : solutions_)
            json()["columns"].push_back({{"iterations", of.iterations},
                                         {"products", of.products},
                                         {"converged", of.reason == StopReason::kConverged},
                                         {"residual_norm", of.residualNorm},
                                         {"relative_residual", of.relativeResidual},
                                         {"reason", textOf(of.reason)}});
    }

    // Reports the approximations of the extreme eigenvalues that the steps have found.
    void describeCondition()
    {
        const auto [least, most] = extremesOfTridiagonal(solution_.lanczos.diagonal, solution_.lanczos.beside);
        json()["eigenvalues"] = {{"smallest", least}, {"largest", most}};
        if (!(least > 0)) return;
        json()["condition_estimate"] = most / least;
        addRow(isPreconditionedBy("none") ? "condition of A, at least" : "condition of M⁻¹A, at least",
               fmt::format("{:.3g}", most / least));
    }

    bool isExact() const { return values().text("dot") == "exact"; }
    bool isMixed() const { return values().text("precision") == "mixed"; }

    // Returns how many times products have read A.  A product for several solves side by side reads A once, except in
    // kernels, by half of A, and in a preconditioner.
    double readsOfMatrix() const
    {
        if (place().inKernels() || place().algorithm == "symmetric-half" || isPreconditionedBy("chebyshev"))
            return double(solution_.products);
        std::uint64_t most = 0;
        for (const Solution& of : solutions_)
            most = std::max(most, of.products);
        return std::max(double(most), double(solution_.products) / double(kMostSideBySide));
    }

    // Returns the work of the products with A alone.  Each reads A, or the half of it that the algorithm reads.
    Work workOfProducts() const
    {
        const bool half = place().algorithm == "symmetric-half";
        const double elements =
            double(system_.dense.rows() > 0 ? system_.dense.elements() : system_.sparse.values.size());
        const double eachBytes = (system_.sparse.values.empty() ? 8 : 12) * elements * (half ? 0.5 : 1);
        const double all = double(solution_.products), single = double(solution_.productsInSingle);
        // A product in single precision reads half the bytes.  There are such products only with one right-hand side.
        return {.bytes = eachBytes * (readsOfMatrix() - single / 2),
                .operations =
                    2 * all * (system_.grid && system_.sparse.values.empty() ? 5 * double(system_.size) : elements),
                .iterations = double(solution_.iterations),
                .floatingPoint = true};
    }

    bool isDirect() const { return place().algorithm == "cramer" || place().algorithm == "cholesky"; }

    // ---- the system ----

    Status obtainMatrix()
    {
        const Clock::time_point start = Clock::now();
        const bool read = values().given("a");
        context().progress.enter(read ? "reading the matrix" : "making the matrix");
        // All solvers but Cramer's rule need a symmetric matrix, and so do those used for comparison.
        const bool general = place().algorithm == "cramer" && !values().flag("compare");
        Result<LinearSystem> system =
            read ? readSystem(values().text("a"), general, stop())
            : values().given("poisson")
                ? poissonSystem(values().text("poisson"))
                : randomSystem(std::uint64_t(values().integer("random")), values().real("condition"),
                               std::uint64_t(values().integer("seed")), stop());
        if (!system) return system.error();
        system_ = std::move(*system);
        addTime(read ? "read" : "generate", millisecondsSince(start));
        return Status::ok();
    }

    Status prepareMatrix()
    {
        // symmetric-half computes twice as much per element of A: slower on GPUs with slow doubles.  With exact inner
        // products all back ends give the same bits, and so take the same algorithm.
        if (place().algorithm == "auto")
            chooseAlgorithm(system_.dense.rows() > 0 && place().backend != Backend::kCuda && !isExact()
                                ? "symmetric-half"
                                : "hestenes-stiefel");
        if (place().algorithm == "cramer" && system_.size > kMostCramer)
            return Error{ExitCode::kUsage,
                         fmt::format("algorithm: cramer: {} unknowns, expected at most {}", system_.size, kMostCramer)};
        if (isDirect() && values().text("preconditioner") != "none")
            return Error{ExitCode::kUsage, fmt::format("preconditioner: {} takes none", place().algorithm)};
        for (const char* name : {"start", "residuals"})
            if (isDirect() && values().given(name))
                return Error{ExitCode::kUsage, fmt::format("{}: {} has no steps", name, place().algorithm)};
        if (isExact() && (isDirect() || isMixed() || (place().inKernels() && place().algorithm == "symmetric-half")))
            return Error{ExitCode::kUsage,
                         "dot: exact takes conjugate gradients in double, in kernels not by half of A"};
        if (isDirect() && isMixed())
            return Error{ExitCode::kUsage, fmt::format("precision: {} works in double", place().algorithm)};
        if (Status status = checkPreconditioner(); !status) return status;
        const bool half = place().algorithm == "symmetric-half";
        if (isDirect() || half)
            if (Status status = system_.makeSparse(); !status) return status;
        if (isDirect() || (half && place().inKernels()))
            if (Status status = system_.makeDense(place().algorithm); !status) return status;
        if (values().flag("compare") && !system_.isDense())
            return Error{ExitCode::kUsage, "compare: found a sparse A, expected a dense A"};
        // The host executor, which runs CUDA kernels on the CPU, gives them a copy of A.  On other back ends a direct
        // solver makes a factor as large as A, and the others need at most half of a dense A a second time.
        const std::size_t dense = system_.dense.elements(), sparse = system_.sparse.values.size();
        const std::size_t copied = place().backend == Backend::kHostKernel ? dense + 2 * sparse
                                   : isDirect()                            ? dense
                                                                           : dense / 2;
        if (Status status = checkMemory("cg", system_.size * kBytesAnUnknown + copied * sizeof(double)); !status)
            return status;
        const Clock::time_point start = Clock::now();
        makeOperator();
        if (half && !place().inKernels() && !isMixed()) addTime("pack", millisecondsSince(start));
        return Status::ok();
    }

    void makeOperator()
    {
        const bool half = place().algorithm == "symmetric-half" && !place().inKernels();
        if (system_.dense.rows() > 0)
            // With mixed precision, the half is packed while it is rounded, as part of the solution's time.
            operator_ = !half       ? denseOperator(system_.dense)
                        : isMixed() ? denseLowerOperator(system_.dense)
                                    : denseHalfOperator(system_.dense);
        else if (!system_.sparse.starts.empty())
            operator_ = half ? sparseHalfOperator(system_.sparse) : sparseOperator(system_.sparse);
        else
            operator_ = poissonOperator(system_.grid->first, system_.grid->second);
    }

    Status obtainRightSides()
    {
        if (!values().given("b"))
        {
            const std::vector<double> ones(system_.size, 1.0);
            b_.assign(1, std::vector<double>(system_.size));
            operator_->apply(ones.data(), b_[0].data(), pool_);
            return Status::ok();
        }
        Result<std::vector<std::vector<double>>> columns = readColumns(values().text("b"), system_.size, stop());
        if (!columns) return columns.error();
        b_ = std::move(*columns);
        if (b_.size() > 1 && isMixed())
            return Error{ExitCode::kUsage,
                         fmt::format("precision: mixed takes one right-hand side, found {}", b_.size())};
        if (b_.size() > 1 && values().flag("compare"))
            return Error{ExitCode::kUsage, fmt::format("compare: expected one right-hand side, found {}", b_.size())};
        return checkMemory("cg", b_.size() * system_.size * kBytesAnUnknown);
    }

    Status obtainStart()
    {
        if (!values().given("start")) return Status::ok();
        Result<std::vector<std::vector<double>>> columns = readColumns(values().text("start"), system_.size, stop());
        if (!columns) return columns.error();
        if (columns->size() != b_.size())
            return Error{ExitCode::kInput, fmt::format("{}: found {} columns, expected {}, as many as right-hand sides",
                                                       values().text("start"), columns->size(), b_.size())};
        starts_ = std::move(*columns);
        return Status::ok();
    }

    std::span<const double> startOf(std::size_t column) const
    {
        return starts_.empty() ? std::span<const double>() : starts_[column];
    }

    // ---- preconditioner ----

    bool isPreconditionedBy(std::string_view name) const { return values().text("preconditioner") == name; }

    Status checkPreconditioner() const
    {
        const std::string& name = values().text("preconditioner");
        const auto refused = [&](std::string_view why) {
            return Error{ExitCode::kUsage, fmt::format("preconditioner: {}: {}", name, why)};
        };
        if (values().given("relaxation") && name != "ssor")
            return Error{ExitCode::kUsage, "relaxation: expected with --preconditioner ssor"};
        if (name == "none" || name == "jacobi") return Status::ok();
        if (place().inKernels()) return refused("kernels take none or jacobi");
        if (isMixed()) return refused("expected --precision double");
        if (system_.dense.rows() > 0 && name != "chebyshev")
            return refused("A is dense, expected jacobi, chebyshev or --algorithm cholesky");
        return Status::ok();
    }

    Status obtainPreconditioner()
    {
        const std::string& name = values().text("preconditioner");
        if (name == "none" || name == "jacobi") return Status::ok();
        context().progress.enter("making the preconditioner");
        const Clock::time_point start = Clock::now();
        Result<MadePreconditioner> made =
            makePreconditioner(name, values().real("relaxation"), system_, *operator_, pool_);
        if (!made) return made.error();
        preconditioner_ = std::move(*made);
        addTime("precondition", millisecondsSince(start));
        return Status::ok();
    }

    // Ends each solve without a step, because A has no preconditioner of the requested kind.
    Status giveUp(const SolveOptions& options)
    {
        for (std::size_t column = 0; column < b_.size(); ++column)
        {
            Solution solution;
            const std::span<const double> start = startOf(column);
            solution.x.assign(start.begin(), start.end());
            solution.x.resize(system_.size);
            solution.reason = *preconditioner_.unsuited;
            assess(*operator_, b_[column], options, pool_, false, solution);
            solutions_.push_back(std::move(solution));
        }
        addMainTime("solve", 0);
        return Status::ok();
    }

    // ---- solution ----

    void solveOnCpu(const SolveOptions& options)
    {
        if (!isDirect() && b_.size() > 1)
            solutions_ = solveSeveral(cgAlgorithm(), *operator_, b_, options, pool_, starts_);
        else if (!isDirect())
            solutions_.push_back(
                solveByConjugateGradients(cgAlgorithm(), *operator_, b_[0], options, pool_, startOf(0)));
        else
            for (const std::vector<double>& b : b_)
                solutions_.push_back(place().algorithm == "cholesky" ? solveByCholesky(system_.dense, b, options, pool_)
                                                                     : solveByCramer(system_.dense, b, options, pool_));
    }

    // Sums up the solutions of all columns: the largest residual, the history of the slowest, and the reason of the
    // first that did not converge.
    void summarise()
    {
        solution_ = {};
        solution_.reason = StopReason::kConverged;
        for (const Solution& of : solutions_)
        {
            if (of.iterations >= solution_.iterations)
            {
                solution_.iterations = of.iterations;
                solution_.history = of.history;
                solution_.trueHistory = of.trueHistory;
            }
            if (of.lanczos.diagonal.size() > solution_.lanczos.diagonal.size()) solution_.lanczos = of.lanczos;
            if (solution_.reason == StopReason::kConverged) solution_.reason = of.reason;
            solution_.products += of.products;
            solution_.productsInSingle += of.productsInSingle;
            solution_.refinements += of.refinements;
            solution_.fellBack = solution_.fellBack || of.fellBack;
            // Not std::max: a residual may be NaN.
            if (!(of.residualNorm <= solution_.residualNorm)) solution_.residualNorm = of.residualNorm;
            if (!(of.relativeResidual <= solution_.relativeResidual)) solution_.relativeResidual = of.relativeResidual;
        }
        if (!isDirect()) countWork(workOfProducts());
    }

    Status solveInKernels(const SolveOptions& options)
    {
        const Result<std::unique_ptr<KernelTarget>> target = openTarget();
        if (!target) return target.error();
        KernelSystem system{.half = place().algorithm == "symmetric-half"};
        if (system_.dense.rows() > 0)
            system.dense = &system_.dense;
        else if (system_.grid)
            system.grid = PoissonGrid{system_.grid->first, system_.grid->second};
        else
            system.sparse = &system_.sparse;
        CgKernelOptions kernels;
        if (place().backend == Backend::kHostKernel)
            kernels.stepsALaunch = 8;  // the host is slow, and progress shows between launches
        CgKernelRun sum;
        for (std::size_t column = 0; column < b_.size(); ++column)
        {
            const auto solve = isExact() ? solveExactlyOnTarget : solveOnTarget;
            Result<CgKernelRun> run = place().algorithm == "cramer"
                                          ? solveByCramerOnTarget(**target, system_.dense, b_[column], options, pool_)
                                          : solve(**target, cgAlgorithm(), system, *operator_, b_[column], options,
                                                  pool_, kernels, startOf(column));
            if (!run) return run.error();
            solutions_.push_back(std::move(run->solution));
            sum.executor += run->executor;
            sum.allocateMs += run->allocateMs;
            sum.uploadMs += run->uploadMs;
            sum.kernelMs += run->kernelMs;
            sum.downloadMs += run->downloadMs;
        }
        // With exact inner products, a solve for b = 0 has the product of assess() alone, and needs no kernel.
        const bool launched =
            isDirect() || std::ranges::any_of(solutions_, [](const Solution& of) { return of.products > 1; });
        if (Status status = countExecutor(sum.executor, launched); !status) return status;
        addTime("allocate", sum.allocateMs);
        addKernelTimes(sum.uploadMs, sum.kernelMs, sum.downloadMs);
        summarise();
        return Status::ok();
    }

    // ---- comparison ----

    // Keeps the comparison if this alternative is the fastest so far.
    void holdAgainst(const std::string& name, double ms)
    {
        const auto own = std::ranges::find(result().times, result().mainTime, &Timing::name);
        if (own == result().times.end() || own->ms <= 0) return;
        std::optional<Speedup>& speedup = result().speedup;
        if (!speedup || ms / own->ms < speedup->factor) speedup = {fmt::format("against {}", name), ms / own->ms};
    }

    CgAlgorithm cgAlgorithm() const
    {
        if (place().algorithm == "paper") return CgAlgorithm::kPaper;
        if (place().algorithm == "paper-one-product") return CgAlgorithm::kPaperOneProduct;
        return CgAlgorithm::kHestenesStiefel;
    }

    ThreadPool pool_;
    LinearSystem system_;
    std::unique_ptr<LinearOperator> operator_;
    std::vector<std::vector<double>> b_, starts_;  // one per column; empty starts_: all solves start from 0
    MadePreconditioner preconditioner_;
    SolveFiles files_;
    std::vector<Solution> solutions_;                          // one per column
    Solution solution_;                                        // summary of all columns; without x
    std::vector<std::pair<std::string, std::string>> beside_;  // comparisons: name and outcome
};

class LinearAlgebraModule final : public SteppedModule
{
public:
    LinearAlgebraModule() : SteppedModule(matrixDescription()) {}

    Algorithms algorithms(const ParameterValues&) const override { return matrixAlgorithms(); }

protected:
    std::unique_ptr<SteppedRun> makeRun(const ParameterValues& values, const RunContext& context) const override
    {
        return std::make_unique<CgRun>(*this, values, context);
    }
};

}  // namespace

const Module& linearAlgebraModule()
{
    static const LinearAlgebraModule module;
    return module;
}

}  // namespace orogen::compute
