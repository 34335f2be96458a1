// Module `cg`: systems of linear equations with a matrix that is read or generated, compared with Eigen and LAPACK on
// request.  They are solved on the CPU, or by CUDA kernels on a GPU or, run by a host executor, on the CPU.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "compute/job/stepped_module.h"
#include "compute/linear_algebra/direct.h"
#include "compute/linear_algebra/grid_multigrid.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/matrix_market.h"
#include "compute/linear_algebra/peers/peer_comparison.h"
#include "compute/linear_algebra/preconditioners.h"
#include "compute/linear_algebra/solve_files.h"
#include "compute/linear_algebra/tridiagonal.h"
#include "core/base/json.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

constexpr std::int64_t kMostUnknowns = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kBytesAnUnknown = 104;  // start of the unknown's row in A, and a dozen vectors

// `auto` is resolved when the matrix is known.
Algorithms describeAlgorithms()
{
    return {.cpu = {"paper", "paper-one-product", "hestenes-stiefel", "symmetric-half", "cholesky", "cramer"},
            .kernels = {"paper", "paper-one-product", "hestenes-stiefel", "symmetric-half", "cramer"},
            .largest = {{"cramer", std::int64_t(kMostCramer)}}};
}

std::vector<Parameter> describeParameters()
{
    std::vector<Parameter> parameters = {
        Parameter::file("a", "the matrix, Matrix Market: coordinate or array, general or symmetric, real"),
        Parameter::file("b", "the right-hand side, likewise; without it A times ones"),
        Parameter::text("poisson", "instead of A: Poisson's equation on a grid of NxM inner points, matrix-free"),
        Parameter::integer("random", 1, kMostUnknowns, "",
                           "instead of A: a dense matrix made here, of so many unknowns"),
        Parameter::file("start", "the first x, a Matrix Market file; without it 0"),
        Parameter::file("out", "x goes there, a Matrix Market file"),
        Parameter::file("residuals", "a line of each step goes there, CSV: recurrence and true residual"),
        Parameter::real("condition", 1, 1e16, "100", "for random: the largest eigenvalue over the smallest"),
        Parameter::integer("seed", 0, std::numeric_limits<std::int64_t>::max(), "1", "seed for random"),
    };
    appendPlaceParameters(
        parameters, {{describeAlgorithms()}},
        "paper: three products an iteration; symmetric-half reads half of A; cramer to n = 20, A of any "
        "kind; in kernels all but cholesky");
    for (Parameter& parameter : std::vector{
             Parameter::choice("preconditioner", {"none", "jacobi", "ssor", "ic0", "chebyshev", "multigrid"}, "none",
                               "jacobi: by the diagonal; ssor, ic0: of a sparse A; chebyshev: of any; multigrid: of a "
                               "grid; all but jacobi on the CPU"),
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

ModuleDescription describeModule()
{
    return {.name = "cg",
            .summary = "systems of linear equations, symmetric positive definite ones above all",
            .panel = "Linear",
            .title = "Linear algebra",
            .size = "random",
            .firstSize = "1000",
            .given = {"a", "poisson"},
            .rare = {"start", "out", "residuals", "relaxation", "absolute-tolerance", "max-iterations", "compare"},
            .operations = {{"solve",
                            "A x = b; exits with 1 where it does not converge",
                            {{"A.mtx", "a", "the matrix, a Matrix Market file"},
                             {"B.mtx", "b", "the right-hand side; without it A times ones"}}}},
            .parameters = describeParameters()};
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
        files_ = {.out = values().text("out"), .residuals = values().text("residuals")};
        for (const char* name : {"a", "b", "start"})
            if (values().given(name)) files_.inputs.push_back(values().text(name));
        return checkFiles(files_);
    }

    Status obtainInput() override
    {
        for (const auto step : {&CgRun::obtainMatrix, &CgRun::prepareMatrix, &CgRun::obtainRightSide,
                                &CgRun::obtainStart, &CgRun::obtainPreconditioner})
        {
            if (Status status = (this->*step)(); !status) return status;
            if (stopped()) return cancelled();
        }
        return Status::ok();
    }

    Status calculate() override
    {
        enterCalculation(fmt::format(", n = {}", size_));
        SolveOptions options = {.relativeTolerance = values().real("tolerance"),
                                .absoluteTolerance = values().real("absolute-tolerance"),
                                .precision = isMixed() ? Precision::kMixed : Precision::kDouble,
                                .jacobi = values().text("preconditioner") == "jacobi",
                                .preconditioner = preconditioner_.value.get(),
                                .trueResiduals = values().given("residuals"),
                                .stop = stop()};
        if (values().given("max-iterations")) options.maxIterations = std::uint64_t(values().integer("max-iterations"));
        // Progress is the reduction of the residual in powers of ten.
        const double decades = -std::log10(std::max(options.relativeTolerance, 1e-17));
        if (!isDirect()) context().progress.follow("relative residual", options.relativeTolerance);
        options.watch = [&](std::uint64_t, double residual) {
            context().progress.add(residual);
            if (residual > 0) context().progress.set(std::clamp(-std::log10(residual) / decades, 0.0, 1.0));
        };
        if (place().inKernels()) return solveInKernels(options);
        if (preconditioner_.unsuited) return giveUp(options);
        const Clock::time_point start = Clock::now();
        if (place().algorithm == "cholesky")
            solution_ = solveByCholesky(dense_, b_, options, pool_);
        else if (place().algorithm == "cramer")
            solution_ = solveByCramer(dense_, b_, options, pool_);
        else
            solution_ = solveByConjugateGradients(cgAlgorithm(), *operator_, b_, options, pool_, start_);
        addMainTime("solve", millisecondsSince(start));
        if (!isDirect()) countWork(workOfProducts());
        return Status::ok();
    }

    // A solve is checked by the residual, recomputed from A, x and b.
    Status check() override
    {
        if (solution_.reason == StopReason::kConverged)
            answer(true, "the residual, recomputed");
        else
            result().exitCode = ExitCode::kNo;
        if (solution_.reason != StopReason::kConverged && isKnownSingular()) solution_.reason = StopReason::kSingular;
        return Status::ok();
    }

    Status compare() override
    {
        if (!values().flag("compare")) return Status::ok();
        if (dense_.rows() == 0) return Error{ExitCode::kUsage, "compare: expected a dense A"};
        const Result<std::vector<PeerSolution>> peers =
            solveByPeers(dense_, *operator_, b_, values().real("tolerance"), pool_, context().progress);
        if (!peers) return peers.error();
        for (const PeerSolution& peer : *peers)
        {
            if (!peer.timeName.empty()) addTime(peer.timeName, peer.ms);
            if (peer.solved) holdAgainst(peer.name, peer.ms);
            beside_.emplace_back(peer.row, peer.text);
        }
        return Status::ok();
    }

    Status describe() override
    {
        if (Status status = writeFiles(files_, {&solution_, 1}); !status) return status;
        if (context().wholeResult) json()["x"] = solution_.x;
        json()["n"] = size_;
        json()["iterations"] = solution_.iterations;
        json()["products"] = solution_.products;
        json()["converged"] = solution_.reason == StopReason::kConverged;
        json()["residual_norm"] = solution_.residualNorm;  // null if not finite
        result().value = (json()["relative_residual"] = solution_.relativeResidual).dump();
        json()["history"] = solution_.history;
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
        addRow("unknowns", std::to_string(size_));
        addRow("ended", std::string(textOf(solution_.reason)));
        if (const std::string remedy = remedyText(); !remedy.empty()) addRow("try", remedy);
        addRow("iterations", std::to_string(solution_.iterations));
        addRow("products", std::to_string(solution_.products));
        if (isMixed())
            addRow("precision",
                   fmt::format("mixed, {} refinements{}", solution_.refinements,
                               solution_.fellBack ? ", then double: single precision is not enough for this A" : ""));
        if (solution_.lanczos.diagonal.size() > 1) describeCondition();
        addRow("relative residual", fmt::format("{:.3g}", solution_.relativeResidual));
        addRow("residual norm", fmt::format("{:.3g}", solution_.residualNorm));
        for (const auto& [name, text] : beside_)
            addRow(name, text);
        if (result().speedup)
            addRow("speed-up " + result().speedup->name, fmt::format("{:.3g}", result().speedup->factor));
        if (context().readable) result().below = unknownsText();
        return Status::ok();
    }

private:
    // Returns the first unknowns, one a line.
    std::string unknownsText() const
    {
        constexpr std::size_t kMostShown = 20;
        const std::vector<double>& x = solution_.x;
        std::string text;
        for (std::size_t i = 0; i < std::min(x.size(), kMostShown); ++i)
            text += fmt::format("{:<24} {}\n", fmt::format("x {}", i + 1), x[i]);
        if (x.size() > kMostShown) text += fmt::format("and {} more; --json has all\n", x.size() - kMostShown);
        return text;
    }

    // Reports the extreme eigenvalues that the steps have found.
    void describeCondition()
    {
        const auto [least, most] = extremesOfTridiagonal(solution_.lanczos.diagonal, solution_.lanczos.beside);
        json()["eigenvalues"] = {{"smallest", least}, {"largest", most}};
        if (!(least > 0)) return;
        json()["condition_estimate"] = most / least;
        addRow(isPreconditionedBy("none") ? "condition of A, at least" : "condition of M⁻¹A, at least",
               fmt::format("{:.3g}", most / least));
    }

    bool isMixed() const { return values().text("precision") == "mixed"; }

    // Returns whether A is known to be singular, which says more than why a solver gave up.  Decided for small matrices
    // only: certainty takes n^3 products of long integers.
    bool isKnownSingular() const
    {
        constexpr std::uint64_t kMostExact = 64;
        if (size_ > kMostExact || (dense_.rows() == 0 && sparse_.values.empty())) return false;
        const Matrix a = dense_.rows() > 0 ? dense_.copy() : denseOf(sparse_);
        return std::ranges::all_of(a.values(), [](double value) { return std::isfinite(value); }) && isSingular(a);
    }

    // Returns the option that may help when iterations ran out; empty: none is known.
    std::string remedyText() const
    {
        constexpr double kStrongly = 100;  // ratio from which the diagonal indicates a badly conditioned A
        const std::string& used = values().text("preconditioner");
        if (solution_.reason != StopReason::kIterationLimit || used == "multigrid") return {};
        if (grid_) return "--preconditioner multigrid: A is a grid";
        std::vector<double> diagonal(size_);
        operator_->diagonal(diagonal.data());
        const auto [least, most] = std::ranges::minmax(diagonal);
        if (!(least > 0)) return {};
        if (used == "none" && most >= kStrongly * least)
            return fmt::format("--preconditioner jacobi: A's diagonal is positive and varies by {:.2g}", most / least);
        if (dense_.rows() == 0 && used != "ic0")
            return "--preconditioner ic0: A is sparse and its diagonal is positive";
        return {};
    }

    // Returns the work of the products with A alone.  Each reads A, or the half of it that the algorithm reads.
    Work workOfProducts() const
    {
        const bool half = place().algorithm == "symmetric-half";
        const double elements = double(dense_.rows() > 0 ? dense_.elements() : sparse_.values.size());
        const double eachBytes = (sparse_.values.empty() ? 8 : 12) * elements * (half ? 0.5 : 1);
        const double all = double(solution_.products), single = double(solution_.productsInSingle);
        return {.bytes = eachBytes * (all - single / 2),
                .operations = 2 * all * (grid_ && sparse_.values.empty() ? 5 * double(size_) : elements),
                .iterations = double(solution_.iterations),
                .floatingPoint = true};
    }

    bool isDirect() const { return place().algorithm == "cramer" || place().algorithm == "cholesky"; }

    // ---- the system ----

    Status obtainMatrix()
    {
        const Clock::time_point start = Clock::now();
        const bool read = values().given("a");
        Status status = read ? readMatrix() : values().given("poisson") ? makePoisson() : makeRandom();
        addTime(read ? "read" : "generate", millisecondsSince(start));
        return status;
    }

    Status readMatrix()
    {
        context().progress.enter("reading the matrix");
        Result<MatrixMarket> file = readMatrixMarket(values().text("a"), stop());
        if (!file) return file.error();
        // All solvers but Cramer's rule need a symmetric matrix, and so do those used for comparison.
        const bool any = place().algorithm == "cramer" && !values().flag("compare");
        if (Status status = any ? checkSquare(*file) : checkSymmetric(*file); !status) return status;
        size_ = file->rows;
        if (!file->coordinate)
        {
            dense_ = std::move(file->dense);
            return Status::ok();
        }
        // A header can claim any number of rows without having elements.  A large matrix with empty rows is singular
        // and not worth memory and time; small singular ones are allowed.
        constexpr std::size_t kMostRowsOfNothing = std::size_t(1) << 20;
        if (size_ > kMostRowsOfNothing + file->entries.size())
            return Error{ExitCode::kInput,
                         fmt::format("{}: found {} rows and {} entries, expected an entry in each row", file->name,
                                     file->rows, file->entries.size())};
        if (Status status = checkMemory(file->name, size_ * kBytesAnUnknown + file->entries.size() * 12); !status)
            return status;
        sparse_ = sparseOf(*file);
        return Status::ok();
    }

    Status makePoisson()
    {
        const std::string& text = values().text("poisson");
        grid_ = gridOf(text);
        if (!grid_) return Error{ExitCode::kUsage, fmt::format("poisson: {}: expected NxM, as 100x100", text)};
        if (grid_->first > std::uint64_t(kMostUnknowns) / grid_->second)
            return Error{ExitCode::kUsage, fmt::format("poisson: {}: expected at most {} points", text, kMostUnknowns)};
        size_ = grid_->first * grid_->second;
        return Status::ok();
    }

    Status makeGridMatrix()
    {
        if (Status status = checkMemory("poisson", size_ * 100); !status) return status;
        sparse_ = poissonMatrix(grid_->first, grid_->second);
        return Status::ok();
    }

    Status makeRandom()
    {
        context().progress.enter("making the matrix");
        size_ = std::uint64_t(values().integer("random"));
        if (Status status = checkDense("random"); !status) return status;
        dense_ = randomSpd(size_, values().real("condition"), std::uint64_t(values().integer("seed")), stop());
        return Status::ok();
    }

    Status checkDense(const std::string& what) const
    {
        // The matrix, and its half or its factor.
        return checkMemory(fmt::format("{}: a dense matrix of {} x {}", what, size_, size_),
                           2 * *matrixBytes(size_, size_));
    }

    Status prepareMatrix()
    {
        // symmetric-half reads half of A but computes twice as much per element: slower on GPUs with slow doubles.
        if (place().algorithm == "auto")
            chooseAlgorithm(dense_.rows() > 0 && place().backend != Backend::kCuda ? "symmetric-half"
                                                                                   : "hestenes-stiefel");
        if (place().algorithm == "cramer" && size_ > kMostCramer)
            return Error{ExitCode::kUsage,
                         fmt::format("algorithm: cramer: {} unknowns, expected at most {}", size_, kMostCramer)};
        if (isDirect() && values().text("preconditioner") != "none")
            return Error{ExitCode::kUsage, fmt::format("preconditioner: {} takes none", place().algorithm)};
        for (const char* name : {"start", "residuals"})
            if (isDirect() && values().given(name))
                return Error{ExitCode::kUsage, fmt::format("{}: {} has no steps", name, place().algorithm)};
        if (isDirect() && isMixed())
            return Error{ExitCode::kUsage, fmt::format("precision: {} works in double", place().algorithm)};
        if (Status status = checkPreconditioner(); !status) return status;
        const bool half = place().algorithm == "symmetric-half";
        if (grid_ && (isDirect() || half))
            if (Status status = makeGridMatrix(); !status) return status;
        if ((isDirect() || (half && place().inKernels())) && dense_.rows() == 0)
        {
            if (Status status = checkDense(place().algorithm); !status) return status;
            dense_ = denseOf(sparse_);
            sparse_ = {};
        }
        // The host executor, which runs CUDA kernels on the CPU, gives them a copy of A.
        const std::size_t copied = place().backend == Backend::kHostKernel
                                       ? dense_.elements() + 2 * sparse_.values.size()
                                       : dense_.elements() / 2;
        const Status status = checkMemory("cg", size_ * kBytesAnUnknown + copied * sizeof(double));
        if (!status) return status;
        const Clock::time_point start = Clock::now();
        makeOperator();
        if (half && !place().inKernels() && !isMixed()) addTime("pack", millisecondsSince(start));
        return status;
    }

    void makeOperator()
    {
        const bool half = place().algorithm == "symmetric-half" && !place().inKernels();
        if (dense_.rows() > 0)
            // With mixed precision, the half is packed while it is rounded, as part of the solution's time.
            operator_ = !half       ? denseOperator(dense_)
                        : isMixed() ? denseLowerOperator(dense_)
                                    : denseHalfOperator(dense_);
        else if (!sparse_.starts.empty())
            operator_ = half ? sparseHalfOperator(sparse_) : sparseOperator(sparse_);
        else
            operator_ = poissonOperator(grid_->first, grid_->second);
    }

    Status obtainRightSide()
    {
        if (!values().given("b"))
        {
            const std::vector<double> ones(size_, 1.0);
            b_.resize(size_);
            operator_->apply(ones.data(), b_.data(), pool_);
            return Status::ok();
        }
        const Result<MatrixMarket> file = readMatrixMarket(values().text("b"), stop());
        if (!file) return file.error();
        Result<std::vector<double>> vector = vectorOf(*file, size_);
        if (!vector) return vector.error();
        b_ = std::move(*vector);
        return Status::ok();
    }

    Status obtainStart()
    {
        if (!values().given("start")) return Status::ok();
        const Result<MatrixMarket> file = readMatrixMarket(values().text("start"), stop());
        if (!file) return file.error();
        Result<std::vector<double>> vector = vectorOf(*file, size_);
        if (!vector) return vector.error();
        start_ = std::move(*vector);
        return Status::ok();
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
        if (dense_.rows() > 0 && name != "chebyshev")
            return refused("A is dense, expected jacobi, chebyshev or --algorithm cholesky");
        return Status::ok();
    }

    Status obtainPreconditioner()
    {
        context().progress.enter("making the preconditioner");
        const Clock::time_point start = Clock::now();
        if (isPreconditionedBy("ssor") || isPreconditionedBy("ic0"))
        {
            SparseMatrix made;
            const bool grid = sparse_.starts.empty();
            // The factor has half of A's elements.
            if (Status status = checkMemory("preconditioner", grid ? size_ * 150 : sparse_.values.size() * 12); !status)
                return status;
            if (grid) made = poissonMatrix(grid_->first, grid_->second);
            const SparseMatrix& a = grid ? made : sparse_;
            preconditioner_ =
                isPreconditionedBy("ic0") ? makeIncompleteCholesky(a) : makeSsor(a, values().real("relaxation"));
        }
        else if (isPreconditionedBy("chebyshev"))
            preconditioner_ = makeChebyshev(*operator_, pool_);
        else if (isPreconditionedBy("multigrid"))
        {
            if (Status status = checkMemory("preconditioner", size_ * 60); !status) return status;
            std::optional<GridStencil> stencil =
                grid_ ? poissonStencil(int(grid_->first), int(grid_->second)) : stencilOf(sparse_);
            if (!stencil)
                return Error{ExitCode::kInput,
                             fmt::format("{}: found a matrix that is no five-point stencil on a grid, expected one for "
                                         "--preconditioner multigrid",
                                         values().text("a"))};
            preconditioner_.value = std::make_unique<GridMultigrid>(std::move(*stencil));
        }
        else
            return Status::ok();
        addTime("precondition", millisecondsSince(start));
        return Status::ok();
    }

    // Ends without a step: A has no such preconditioner.
    Status giveUp(const SolveOptions& options)
    {
        solution_.x = start_.empty() ? std::vector<double>(size_, 0.0) : start_;
        solution_.reason = *preconditioner_.unsuited;
        assess(*operator_, b_, options, pool_, false, solution_);
        addMainTime("solve", 0);
        return Status::ok();
    }

    // ---- solution ----

    Status solveInKernels(const SolveOptions& options)
    {
        const Result<std::unique_ptr<KernelTarget>> target = openTarget();
        if (!target) return target.error();
        KernelSystem system{.half = place().algorithm == "symmetric-half"};
        if (dense_.rows() > 0)
            system.dense = &dense_;
        else if (grid_)
            system.grid = PoissonGrid{grid_->first, grid_->second};
        else
            system.sparse = &sparse_;
        CgKernelOptions kernels;
        if (place().backend == Backend::kHostKernel)
            kernels.stepsALaunch = 8;  // the host is slow, and progress shows between launches
        Result<CgKernelRun> run =
            place().algorithm == "cramer"
                ? solveByCramerOnTarget(**target, dense_, b_, options, pool_)
                : solveOnTarget(**target, cgAlgorithm(), system, *operator_, b_, options, pool_, kernels, start_);
        if (!run) return run.error();
        if (Status status = countExecutor(run->executor); !status) return status;
        solution_ = std::move(run->solution);
        addTime("allocate", run->allocateMs);
        addKernelTimes(run->uploadMs, run->kernelMs, run->downloadMs);
        if (!isDirect()) countWork(workOfProducts());
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
    std::uint64_t size_ = 0;
    Matrix dense_;  // A is in this, sparse_ or grid_
    SparseMatrix sparse_;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> grid_;
    std::unique_ptr<LinearOperator> operator_;
    std::vector<double> b_, start_;  // start_: empty means 0
    MadePreconditioner preconditioner_;
    SolveFiles files_;
    Solution solution_;
    std::vector<std::pair<std::string, std::string>> beside_;  // comparisons: name and outcome
};

class LinearAlgebraModule final : public SteppedModule
{
public:
    LinearAlgebraModule() : SteppedModule(describeModule()) {}

    Algorithms algorithms(const ParameterValues&) const override { return describeAlgorithms(); }

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
