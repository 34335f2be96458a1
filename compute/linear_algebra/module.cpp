#include "compute/linear_algebra/module.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "compute/device/discovery.h"
#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/direct.h"
#include "compute/linear_algebra/families.h"
#include "compute/linear_algebra/kernels/cg_device.h"
#include "compute/linear_algebra/matrix_market.h"
#include "compute/linear_algebra/peers/eigen_solver.h"
#include "compute/linear_algebra/peers/openblas_solver.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kMostUnknowns = std::numeric_limits<std::int32_t>::max();

std::vector<Parameter> describe()
{
    const auto threads = std::int64_t(std::max(1u, std::thread::hardware_concurrency()));
    return {
        Parameter::file("a", "the matrix, Matrix Market: coordinate or array, general or symmetric, real"),
        Parameter::file("b", "the right-hand side, likewise; without it A times ones"),
        Parameter::text("poisson", "instead of A: Poisson's equation on a grid of NxM inner points, matrix-free"),
        Parameter::integer("random", 1, kMostUnknowns, "",
                           "instead of A: a dense matrix made here, of so many unknowns"),
        Parameter::real("condition", 1, 1e16, "100", "of random: its largest eigenvalue over its smallest"),
        Parameter::integer("seed", 0, std::numeric_limits<std::int64_t>::max(), "1", "of random"),
        Parameter::choice(
            "algorithm",
            {"auto", "paper", "paper-one-product", "hestenes-stiefel", "symmetric-half", "cholesky", "cramer"}, "auto",
            "paper: three products an iteration; symmetric-half reads half of A; cramer to n = 12; in kernels all but "
            "cholesky and cramer"),
        Parameter::choice("backend", {"auto", "cuda", "cpu", "host-kernel"}, "auto",
                          "host-kernel: the CUDA kernels' own source, on the CPU"),
        Parameter::choice("preconditioner", {"none", "jacobi"}, "none", "jacobi: by the diagonal"),
        Parameter::real("tolerance", 0, 1, "1e-10", "of the residual, relative to b"),
        Parameter::real("absolute-tolerance", 0, 1e300, "0", "of the residual"),
        Parameter::integer("max-iterations", 1, std::numeric_limits<std::int64_t>::max(), "", "at most; 10 n"),
        Parameter::integer("threads", 1, 1024, std::to_string(threads), "of the CPU, at most"),
        Parameter::flag("compare", "afterwards the same by Eigen's conjugate gradients, and by LAPACK's dposv where "
                                   "OpenBLAS is here; of a dense A, and not to be stopped meanwhile"),
    };
}

const Error kCancelled = {ExitCode::kInterrupted, "cg: cancelled"};

// "NxM", each at least 1.
std::optional<std::pair<std::uint64_t, std::uint64_t>> gridOf(std::string_view text)
{
    std::pair<std::uint64_t, std::uint64_t> grid;
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) return std::nullopt;
    const auto parse = [](std::string_view digits, std::uint64_t& value) {
        const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return code == std::errc() && end == digits.data() + digits.size() && value > 0;
    };
    if (!parse(text.substr(0, cross), grid.first) || !parse(text.substr(cross + 1), grid.second)) return std::nullopt;
    return grid;
}

class Run
{
public:
    Run(const ParameterValues& values, const RunContext& context)
        : values_(values), context_(context), pool_(int(values.integer("threads")))
    {
    }

    Result<JobResult> run()
    {
        using Step = Status (Run::*)();
        for (const Step step :
             {&Run::choosePlace, &Run::obtainMatrix, &Run::choose, &Run::obtainRightSide, &Run::solve, &Run::compare})
        {
            if (Status status = (this->*step)(); !status) return status.error();
            if (context_.stop.stop_requested()) return kCancelled;
        }
        return describe();
    }

private:
    Status choosePlace()
    {
        const int sources = int(values_.given("a")) + int(values_.given("poisson")) + int(values_.given("random"));
        if (sources != 1) return Error{ExitCode::kUsage, "A: expected one of a file, --poisson NxM and --random N"};
        algorithm_ = values_.text("algorithm");
        backend_ = values_.text("backend") == "auto" ? "cpu" : values_.text("backend");
        if (isDirect() && inKernels())
            return Error{ExitCode::kUsage,
                         fmt::format("algorithm: {}: there is none on the back end {}, expected paper, "
                                     "paper-one-product, hestenes-stiefel or symmetric-half",
                                     algorithm_, backend_)};
        if (backend_ != "cuda") return Status::ok();
        const CudaReport cuda = discoverCuda();
        if (cuda.available) return Status::ok();
        return Error{ExitCode::kDevice, fmt::format("backend: cuda is not usable: {}", cuda.reason)};
    }
    bool isDirect() const { return algorithm_ == "cramer" || algorithm_ == "cholesky"; }
    bool inKernels() const { return backend_ != "cpu"; }

    // ---- the system ----

    Status obtainMatrix()
    {
        const Clock::time_point start = Clock::now();
        const bool read = values_.given("a");
        Status status = read ? readMatrix() : values_.given("poisson") ? makePoisson() : makeRandom();
        times_.push_back({read ? "read" : "generate", millisecondsSince(start)});
        return status;
    }

    Status readMatrix()
    {
        context_.progress.enter("reading the matrix");
        Result<MatrixMarket> file = readMatrixMarket(values_.text("a"));
        if (!file) return file.error();
        if (Status status = checkSymmetric(*file); !status) return status;
        size_ = file->rows;
        if (!file->coordinate)
        {
            dense_ = std::move(file->dense);
            return Status::ok();
        }
        if (Status status = checkMemory(file->name, size_ * 16 + file->entries.size() * 12); !status) return status;
        sparse_ = sparseOf(*file);
        return Status::ok();
    }

    Status makePoisson()
    {
        const std::string& text = values_.text("poisson");
        grid_ = gridOf(text);
        if (!grid_) return Error{ExitCode::kUsage, fmt::format("poisson: {}: expected NxM, as 100x100", text)};
        if (grid_->first > std::uint64_t(kMostUnknowns) / grid_->second)
            return Error{ExitCode::kUsage, fmt::format("poisson: {}: expected at most {} points", text, kMostUnknowns)};
        size_ = grid_->first * grid_->second;
        return Status::ok();
    }

    Status makeRandom()
    {
        context_.progress.enter("making the matrix");
        size_ = std::uint64_t(values_.integer("random"));
        if (Status status = checkDense("random"); !status) return status;
        dense_ = randomSpd(size_, values_.real("condition"), std::uint64_t(values_.integer("seed")), context_.stop);
        return Status::ok();
    }

    Status checkDense(const std::string& what) const
    {
        // The matrix, and a half of it or its factor.
        return checkMemory(fmt::format("{}: a dense matrix of {} x {}", what, size_, size_),
                           2 * *matrixBytes(size_, size_));
    }

    Status choose()
    {
        if (algorithm_ == "auto") algorithm_ = dense_.rows() > 0 ? "symmetric-half" : "hestenes-stiefel";
        if (algorithm_ == "cramer" && size_ > kMostCramer)
            return Error{ExitCode::kUsage,
                         fmt::format("algorithm: cramer: {} unknowns, expected at most {}", size_, kMostCramer)};
        if (isDirect() && values_.text("preconditioner") != "none")
            return Error{ExitCode::kUsage, fmt::format("preconditioner: {} takes none", algorithm_)};
        const bool half = algorithm_ == "symmetric-half";
        if (grid_ && (isDirect() || half || inKernels()))
        {
            if (Status status = checkMemory("poisson", size_ * 100); !status) return status;
            sparse_ = poissonMatrix(grid_->first, grid_->second);
        }
        if ((isDirect() || (half && inKernels())) && dense_.rows() == 0)
        {
            if (Status status = checkDense(algorithm_); !status) return status;
            dense_ = denseOf(sparse_);
            sparse_ = {};
        }
        // On the host executor the kernels have a copy of A.
        const std::size_t copied =
            backend_ == "host-kernel" ? dense_.elements() + 2 * sparse_.values.size() : dense_.elements() / 2;
        const Status status = checkMemory("cg", (size_ * 10 + copied) * sizeof(double));
        if (status) makeOperator();
        return status;
    }

    void makeOperator()
    {
        const bool half = algorithm_ == "symmetric-half" && !inKernels();
        if (dense_.rows() > 0)
            operator_ = half ? denseHalfOperator(dense_) : denseOperator(dense_);
        else if (!sparse_.starts.empty())
            operator_ = half ? sparseHalfOperator(sparse_) : sparseOperator(sparse_);
        else
            operator_ = poissonOperator(grid_->first, grid_->second);
    }

    Status obtainRightSide()
    {
        if (!values_.given("b"))
        {
            const std::vector<double> ones(size_, 1.0);
            b_.resize(size_);
            operator_->apply(ones.data(), b_.data(), pool_);
            return Status::ok();
        }
        const Result<MatrixMarket> file = readMatrixMarket(values_.text("b"));
        if (!file) return file.error();
        Result<std::vector<double>> vector = vectorOf(*file, size_);
        if (!vector) return vector.error();
        b_ = std::move(*vector);
        return Status::ok();
    }

    // ---- its solution ----

    Status solve()
    {
        context_.progress.enter(fmt::format("{}, {}, n = {}", algorithm_, backend_, size_));
        SolveOptions options = {.relativeTolerance = values_.real("tolerance"),
                                .absoluteTolerance = values_.real("absolute-tolerance"),
                                .jacobi = values_.text("preconditioner") == "jacobi",
                                .stop = context_.stop};
        if (values_.given("max-iterations")) options.maxIterations = std::uint64_t(values_.integer("max-iterations"));
        // As far as the residual has come, in powers of ten.
        const double decades = -std::log10(std::max(options.relativeTolerance, 1e-17));
        if (!isDirect()) context_.progress.follow("relative residual", options.relativeTolerance);
        options.watch = [&](std::uint64_t, double residual) {
            context_.progress.add(residual);
            if (residual > 0) context_.progress.set(std::clamp(-std::log10(residual) / decades, 0.0, 1.0));
        };
        if (inKernels()) return solveInKernels(options);
        const Clock::time_point start = Clock::now();
        if (algorithm_ == "cholesky")
            solution_ = solveByCholesky(dense_, b_, options, pool_);
        else if (algorithm_ == "cramer")
            solution_ = solveByCramer(dense_, b_, options, pool_);
        else
            solution_ = solveByConjugateGradients(cgAlgorithm(), *operator_, b_, options, pool_);
        times_.push_back({"solve", millisecondsSince(start)});
        return Status::ok();
    }

    Status solveInKernels(const SolveOptions& options)
    {
        const bool cuda = backend_ == "cuda";
        HostSchedule schedule;
        schedule.stop = context_.stop;
        const Result<std::unique_ptr<KernelTarget>> target =
            cuda ? makeCudaTarget(processCuda(), 0) : Result<std::unique_ptr<KernelTarget>>(makeHostTarget(schedule));
        if (!target) return target.error();
        KernelSystem system{.half = algorithm_ == "symmetric-half"};
        if (dense_.rows() > 0)
            system.dense = &dense_;
        else
            system.sparse = &sparse_;
        CgKernelOptions kernels;
        if (!cuda) kernels.stepsALaunch = 8;  // the host's are slow, and progress is seen between launches
        Result<CgKernelRun> run =
            solveOnTarget(**target, cgAlgorithm(), system, *operator_, b_, options, pool_, kernels);
        if (!run) return context_.stop.stop_requested() ? kCancelled : run.error();
        const ExecutorCounts& counts = run->executor;
        if (!cuda && counts.blocks == 0) return Error{ExitCode::kDevice, "host-kernel: the executor ran no block"};
        if (!cuda) executor_ = {{"blocks", counts.blocks}, {"threads", counts.threads}, {"switches", counts.switches}};
        solution_ = std::move(run->solution);
        for (const auto& [name, ms] : {std::pair{"allocate", run->allocateMs}, std::pair{"upload", run->uploadMs},
                                       std::pair{"kernel", run->kernelMs}, std::pair{"download", run->downloadMs}})
            times_.push_back({name, ms});
        return Status::ok();
    }

    // ---- beside it ----

    Status compare()
    {
        if (!values_.flag("compare")) return Status::ok();
        if (dense_.rows() == 0) return Error{ExitCode::kUsage, "compare: expected a dense A"};
        compareWithEigen();
        const Result<OpenBlas> blas = OpenBlas::find();
        if (!blas)
        {
            beside_.emplace_back("LAPACK dposv", blas.error().message);
            return Status::ok();
        }
        if (Status status = checkMemory("compare", *matrixBytes(size_, size_)); !status) return status;
        compareWithLapack(*blas);
        return Status::ok();
    }

    void compareWithEigen()
    {
        constexpr std::size_t kVariants = 2;  // of an instruction set, the one that reads all of A first
        const std::vector<EigenSolver> solvers = eigenSolvers();
        const EigenSolver& solver = solvers[solvers.size() - kVariants];
        context_.progress.enter(fmt::format("Eigen, {}, n = {}", solver.name, size_));
        Solution solution;
        solution.x.resize(size_);
        const Clock::time_point start = Clock::now();
        solution.iterations =
            solver.solve(dense_.row(0), size_, b_.data(), solution.x.data(), values_.real("tolerance"));
        times_.push_back({"eigen", millisecondsSince(start)});
        tellOf("Eigen", solution);
    }

    void compareWithLapack(const OpenBlas& blas)
    {
        context_.progress.enter(fmt::format("LAPACK dposv, n = {}", size_));
        Matrix factor = dense_.copy();
        Solution solution;
        solution.x = b_;
        blas.setThreads(pool_.threads());
        const Clock::time_point start = Clock::now();
        const bool done = blas.dposv(factor.row(0), size_, solution.x.data());
        times_.push_back({"dposv", millisecondsSince(start)});
        if (!done) solution.x.assign(size_, 0);
        tellOf("dposv, " + blas.core(), solution);
    }

    void tellOf(const std::string& name, Solution& solution)
    {
        assess(*operator_, b_, {}, pool_, false, solution);
        std::string text = fmt::format("residual {:.1g}", solution.relativeResidual);
        if (solution.iterations > 0) text += fmt::format(", {} steps", solution.iterations);
        beside_.emplace_back(name, text);
    }

    CgAlgorithm cgAlgorithm() const
    {
        if (algorithm_ == "paper") return CgAlgorithm::kPaper;
        if (algorithm_ == "paper-one-product") return CgAlgorithm::kPaperOneProduct;
        return CgAlgorithm::kHestenesStiefel;
    }

    // ---- what came of it ----

    Result<JobResult> describe()
    {
        JobResult result;
        nlohmann::ordered_json& json = result.json;
        result.mainKey = "relative_residual";
        if (context_.wholeResult) json["x"] = solution_.x;
        json["n"] = size_;
        json["iterations"] = solution_.iterations;
        json["products"] = solution_.products;
        json["converged"] = solution_.reason == StopReason::kConverged;
        json["residual_norm"] = solution_.residualNorm;  // null where it is not finite
        json["relative_residual"] = solution_.relativeResidual;
        json["history"] = solution_.history;
        json["reason"] = textOf(solution_.reason);
        json["preconditioner"] = values_.text("preconditioner");
        json["algorithm"] = algorithm_;
        if (!executor_.is_null()) json["executor"] = executor_;
        json["backend"] = backend_;
        json["threads"] = pool_.threads();
        double total = 0;
        for (const Timing& time : times_)
        {
            json["time_ms"][time.name] = time.ms;
            total += time.ms;
        }
        json["time_ms"]["total"] = total;
        result.times = times_;
        if (solution_.reason == StopReason::kConverged) result.check = CheckAnswer::kEqual;
        result.oracle = "the residual, recomputed";
        fillTable(result);
        return result;
    }

    void fillTable(JobResult& result) const
    {
        auto& table = result.table;
        table.emplace_back("unknowns", std::to_string(size_));
        table.emplace_back("ended", textOf(solution_.reason));
        table.emplace_back("iterations", std::to_string(solution_.iterations));
        table.emplace_back("products", std::to_string(solution_.products));
        table.emplace_back("relative residual", fmt::format("{:.3g}", solution_.relativeResidual));
        table.emplace_back("residual norm", fmt::format("{:.3g}", solution_.residualNorm));
        table.emplace_back("ran", fmt::format("{}, {}", algorithm_, backend_));
        for (const auto& row : beside_)
            table.push_back(row);
        for (const auto& [name, count] : executor_.items())
            table.emplace_back("executor, " + name, count.dump());
    }

    static double millisecondsSince(Clock::time_point start)
    {
        return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    }

    const ParameterValues& values_;
    const RunContext& context_;
    ThreadPool pool_;
    std::uint64_t size_ = 0;
    Matrix dense_;  // one of these three
    SparseMatrix sparse_;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> grid_;
    std::unique_ptr<LinearOperator> operator_;
    std::string algorithm_, backend_;
    nlohmann::ordered_json executor_;  // null where there is none
    std::vector<double> b_;
    Solution solution_;
    std::vector<Timing> times_;
    std::vector<std::pair<std::string, std::string>> beside_;  // who, and what came of it
};

class LinearAlgebraModule final : public Module
{
public:
    std::string_view name() const override { return "cg"; }
    std::span<const Parameter> parameters() const override
    {
        static const std::vector<Parameter> parameters = orogen::compute::describe();
        return parameters;
    }
    std::string device(const ParameterValues& values) const override
    {
        return values.text("backend") == "cuda" ? "cuda:0" : "cpu";
    }
    Result<JobResult> run(const ParameterValues& values, const RunContext& context) const override
    {
        return Run(values, context).run();
    }
};

}  // namespace

const Module& linearAlgebraModule()
{
    static const LinearAlgebraModule module;
    return module;
}

}  // namespace orogen::compute
