// Module `matrix`: sums and products of two matrices that are read or generated, on the CPU or in kernels, compared
// with OpenBLAS on request.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <ranges>

#include <fmt/format.h>

#include "compute/exact/cpu_sums.h"
#include "compute/job/stepped_module.h"
#include "compute/linear_algebra/dev_matrix.h"
#include "compute/linear_algebra/linear_system.h"
#include "compute/linear_algebra/matrix_market.h"
#include "compute/linear_algebra/operators.h"
#include "compute/linear_algebra/peers/peer_solvers.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/text.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kMostShown = 10'000;  // JSON has the elements of a result only up to this number of them

Algorithms describeAlgorithms(const std::string& operation)
{
    if (operation == "sum")
        return {.operation = operation,
                .cpu = {"elements"},
                .kernels = {"elements"},
                .standardOnCpu = "elements",
                .standardInKernels = "elements"};
    Algorithms algorithms{
        .operation = operation, .cpu = {"blocks"}, .standardOnCpu = "blocks", .standardInKernels = "tensor"};
    for (const ProductKernel kernel : kProductKernels)
        algorithms.kernels.emplace_back(textOf(kernel));
    return algorithms;
}

std::vector<Parameter> describeParameters()
{
    constexpr const char* kMatrix = "Matrix Market: coordinate or array, general or symmetric, real";
    std::vector<Parameter> parameters = {
        Parameter::choice("operation", {"sum", "product"}, "product", "what is made of A and B"),
        Parameter::file("a", fmt::format("the first matrix, {}", kMatrix)),
        Parameter::file("b", "the second one, likewise"),
        Parameter::integer("random", 1, 1'000'000, "",
                           "instead of A and B: two matrices made here, N x N, from -1 to 1"),
        Parameter::integer("seed", 0, std::numeric_limits<std::int64_t>::max(), "1", "seed for random"),
        Parameter::file("out", "the result goes there, a Matrix Market file"),
    };
    const Algorithms sum = describeAlgorithms("sum"), product = describeAlgorithms("product");
    appendPlaceParameters(parameters, std::vector{sum, product},
                          fmt::format("sum: {}; product on the CPU: {}; in kernels: {} (paper: a thread an element; "
                                      "tensor: by matrix instructions)",
                                      fmt::join(sum.cpu, ", "), fmt::join(product.cpu, ", "),
                                      fmt::join(product.kernels, ", ")));
    parameters.push_back(Parameter::flag("compare",
                                         "then also computes it by OpenBLAS (daxpy; dgemm, for square matrices) where "
                                         "that is installed; cannot be interrupted"));
    return parameters;
}

ModuleDescription describeModule()
{
    const std::vector<Operand> operands = {{"A.mtx", "a", "a Matrix Market file"}, {"B.mtx", "b", "another"}};
    return {.name = "matrix",
            .summary = "sums and products of dense matrices",
            .panel = "Matrix",
            .title = "Matrices",
            .size = "random",
            .firstSize = "500",
            .given = {"a", "b"},
            .rare = {"out", "compare"},
            .operations = {{"sum", "A + B", operands}, {"product", "A B", operands}},
            .parameters = describeParameters()};
}

// Returns a matrix with random elements in [-1, 1), equal on all machines.
Matrix randomMatrix(std::size_t size, std::uint64_t seed)
{
    Matrix matrix(size, size);
    std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    for (double& value : matrix.values())
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        value = double(std::int64_t(state) >> 11) * 0x1p-52;
    }
    return matrix;
}

// Computes y = a x; with `absolute`, from the absolute values of the elements of a and x.
std::vector<double> times(const Matrix& a, const std::vector<double>& x, bool absolute)
{
    std::vector<double> y(a.rows());
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t j = 0; j < a.columns(); ++j)
            y[i] += absolute ? std::abs(a(i, j)) * std::abs(x[j]) : a(i, j) * x[j];
    return y;
}

class MatrixRun final : public SteppedRun
{
public:
    MatrixRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context)
        : SteppedRun(module, values, context), isProduct_(values.text("operation") == "product")
    {
    }

protected:
    Status validate() override
    {
        const bool files = values().given("a") && values().given("b"), made = values().given("random");
        const bool some = values().given("a") || values().given("b");
        if (made ? some : !files) return Error{ExitCode::kUsage, "A and B: expected two files, or --random N"};
        if (!made && values().given("seed")) return Error{ExitCode::kUsage, "seed: expected with random"};
        return checkFiles({.out = values().text("out"), .inputs = {values().text("a"), values().text("b")}});
    }

    Status obtainInput() override
    {
        const Clock::time_point start = Clock::now();
        const bool made = values().given("random");
        if (Status status = made ? makeBoth() : readBoth(); !status) return status;
        addTime(made ? "generate" : "read", millisecondsSince(start));
        if (stopped()) return cancelled();
        const bool fits =
            isProduct_ ? a_.columns() == b_.rows() : a_.rows() == b_.rows() && a_.columns() == b_.columns();
        if (!fits)
            return Error{ExitCode::kInput,
                         fmt::format("{}: {} x {} and {} x {}, expected {}", values().text("operation"), a_.rows(),
                                     a_.columns(), b_.rows(), b_.columns(),
                                     isProduct_ ? "as many columns as the second has rows" : "the same shape twice")};
        if (values().flag("compare") && isProduct_ && (a_.rows() != a_.columns() || b_.rows() != b_.columns()))
            return Error{ExitCode::kUsage, fmt::format("compare: found {} x {} and {} x {}, expected square matrices",
                                                       a_.rows(), a_.columns(), b_.rows(), b_.columns())};
        const std::optional<std::uint64_t> bytes = matrixBytes(a_.rows(), b_.columns());
        if (!bytes) return Error{ExitCode::kLimit, "the result: more bytes than 64 bits can count"};
        const std::uint64_t operands = a_.values().size_bytes() + b_.values().size_bytes();
        std::uint64_t needed = place().backend == Backend::kHostKernel ? operands + 2 * *bytes : *bytes;
        if (values().flag("compare") && OpenBlas::find()) needed = std::max(needed, 2 * *bytes);  // also OpenBLAS's
        return checkMemory("matrix", needed);
    }

    Status calculate() override
    {
        enterCalculation(fmt::format(", {} x {} and {} x {}", a_.rows(), a_.columns(), b_.rows(), b_.columns()));
        countMatrices();
        if (place().inKernels()) return calculateInKernels();
        found_ = Matrix(a_.rows(), b_.columns());
        const Clock::time_point start = Clock::now();
        const Status status = isProduct_ ? productInto(found_, a_, b_, stop()) : sumInto(found_, a_, b_);
        addMainTime(isProduct_ ? "multiply" : "add", millisecondsSince(start));
        return status;
    }

    // Checks a sum by a second addition.  Checks a product C with a vector x: C x must equal A (B x) up to rounding.
    Status check() override
    {
        if (!isProduct_)
        {
            bool equal = true;
            for (std::size_t i = 0; i < found_.elements(); ++i)
            {
                const double expected = a_.values()[i] + b_.values()[i], found = found_.values()[i];
                equal = equal && (expected == found || (std::isnan(expected) && std::isnan(found)));
            }
            answer(equal, "the processor's additions");
            return Status::ok();
        }
        std::vector<double> x(b_.columns());
        for (std::size_t j = 0; j < x.size(); ++j)
            x[j] = (j * j + j / 3) % 5 < 2 ? 1 : -1.0 / double(1 + j % 7);
        const std::vector<double> found = times(found_, x, false), expected = times(a_, times(b_, x, false), false),
                                  size = times(a_, times(b_, x, true), true);
        const double rounding = double(a_.columns() + b_.columns() + 2) * 2 * std::numeric_limits<double>::epsilon();
        bool equal = true;
        for (std::size_t i = 0; i < found.size(); ++i)
            equal = equal && (std::abs(found[i] - expected[i]) <= rounding * size[i] || !std::isfinite(size[i]));
        answer(equal, "a vector, multiplied by the product and by B and A in turn");
        return Status::ok();
    }

    Status compare() override
    {
        if (!values().flag("compare")) return Status::ok();
        const Result<OpenBlas> blas = OpenBlas::find();
        if (!blas)
        {
            addRow("OpenBLAS", blas.error().message);
            return Status::ok();
        }
        if (Status status = checkMemory("compare", *matrixBytes(a_.rows(), b_.columns())); !status)
        {
            addRow("OpenBLAS", status.error().message);
            return Status::ok();
        }
        blas->setThreads(int(values().integer("threads")));
        Matrix other(a_.rows(), b_.columns());
        std::ranges::copy(std::as_const(a_).values(), other.values().begin());
        const Clock::time_point start = Clock::now();
        if (isProduct_)
            blas->dgemm(a_.row(0), b_.row(0), other.row(0), a_.rows());
        else
            blas->daxpy(b_.elements(), b_.row(0), other.row(0));
        const double ms = millisecondsSince(start);
        addTime("openblas", ms);
        const auto own = std::ranges::find(result().times, result().mainTime, &Timing::name);
        if (own != result().times.end() && own->ms > 0)
            result().speedup = {fmt::format("against OpenBLAS, {}", blas->core()), ms / own->ms};
        return Status::ok();
    }

    Status describe() override
    {
        CpuSum squares(ExactTerms::kSquares, CpuSumMethod::kWindows, int(values().integer("threads")));
        squares.add(ValueType::kFloat64, std::as_bytes(found_.values()));
        const double norm = std::abs(squares.finish().root());  // abs: a NaN may have a sign
        json()["operation"] = values().text("operation");
        json()["rows"] = found_.rows();
        json()["columns"] = found_.columns();
        if (isProduct_) json()["inner"] = a_.columns();
        json()["norm"] = norm;  // null if not finite
        result().value = fmt::format("{}", norm);
        if (context().readable) result().above = result().value + "\n\n";
        if (context().wholeResult && found_.elements() <= kMostShown)
            for (std::size_t i = 0; i < found_.rows(); ++i)
                json()["elements"].push_back(std::vector<double>(found_.row(i), found_.row(i) + found_.columns()));
        addRow("result", fmt::format("{} x {}", found_.rows(), found_.columns()));
        addRow("Frobenius norm", result().value);
        if (result().speedup) addRow("speed-up " + result().speedup->name, significant(result().speedup->factor, 3));
        return values().given("out") ? writeMatrixMarket(found_, values().text("out")) : Status::ok();
    }

private:
    Status makeBoth()
    {
        context().progress.enter("making the matrices");
        const auto size = std::uint64_t(values().integer("random"));
        const auto seed = std::uint64_t(values().integer("seed"));
        if (Status status =
                checkMemory(fmt::format("random: three matrices of {} x {}", size, size), 3 * *matrixBytes(size, size));
            !status)
            return status;
        a_ = randomMatrix(size, 2 * seed);
        b_ = randomMatrix(size, 2 * seed + 1);
        return Status::ok();
    }

    Status readBoth()
    {
        for (const auto& [name, matrix] : {std::pair{"a", &a_}, std::pair{"b", &b_}})
        {
            context().progress.enter(fmt::format("reading {}", name));
            Result<MatrixMarket> file = readMatrixMarket(values().text(name), stop());
            if (!file) return file.error();
            if (!file->coordinate)
            {
                *matrix = std::move(file->dense);
                continue;
            }
            Result<Matrix> dense = Matrix::allocate(file->rows, file->columns);
            if (!dense) return dense.error();
            std::ranges::fill(dense->values(), 0.0);
            for (const MatrixEntry& entry : file->entries)
                (*dense)(entry.row, entry.column) = entry.value;
            *matrix = std::move(*dense);
        }
        return Status::ok();
    }

    void countMatrices()
    {
        const double elements = double(a_.elements() + b_.elements()) + double(a_.rows()) * double(b_.columns());
        SteppedRun::countWork(
            Work{.bytes = 8 * elements,
                 .operations = isProduct_ ? 2 * double(a_.elements()) * double(b_.columns()) : double(a_.elements()),
                 .iterations = 0,
                 .floatingPoint = true});
    }

    // Measures allocation, transfers and the kernel separately.
    Status calculateInKernels()
    {
        const Result<std::unique_ptr<KernelTarget>> opened = openTarget();
        if (!opened) return opened.error();
        KernelTarget& target = **opened;
        const Clock::time_point allocation = Clock::now();
        DevMatrix a(target, a_.rows(), a_.columns()), b(target, b_.rows(), b_.columns()),
            out(target, a_.rows(), b_.columns());
        for (const DevMatrix* matrix : {&a, &b, &out})
            if (!matrix->status()) return matrix->status();
        addTime("allocate", millisecondsSince(allocation));
        const Clock::time_point upload = Clock::now();
        for (const Status& status : {a.assign(a_), b.assign(b_), target.finish()})
            if (!status) return status;
        const double uploadMs = millisecondsSince(upload);
        const Clock::time_point kernel = Clock::now();
        const auto named = std::ranges::find(kProductKernels, place().algorithm,
                                             [](ProductKernel product) { return std::string(textOf(product)); });
        if (Status status = isProduct_ ? out.assignProduct(a, b, *named, stop()) : out.assignSum(a, b, stop()); !status)
            return status;
        if (Status status = target.finish(); !status) return status;
        const double kernelMs = millisecondsSince(kernel);
        const Clock::time_point download = Clock::now();
        Result<Matrix> made = out.toMatrix();
        if (!made) return made.error();
        addKernelTimes(uploadMs, kernelMs, millisecondsSince(download));
        found_ = std::move(*made);
        return countExecutor(target.hostLaunches().counts, found_.elements() > 0);
    }

    const bool isProduct_;
    Matrix a_, b_, found_;
};

class MatrixModule final : public SteppedModule
{
public:
    MatrixModule() : SteppedModule(describeModule()) {}
    Algorithms algorithms(const ParameterValues& values) const override
    {
        return describeAlgorithms(values.text("operation"));
    }

protected:
    std::unique_ptr<SteppedRun> makeRun(const ParameterValues& values, const RunContext& context) const override
    {
        return std::make_unique<MatrixRun>(*this, values, context);
    }
};

}  // namespace

const Module& matrixModule()
{
    static const MatrixModule module;
    return module;
}

}  // namespace orogen::compute
