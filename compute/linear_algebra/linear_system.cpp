#include "compute/linear_algebra/linear_system.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "compute/linear_algebra/direct.h"
#include "compute/linear_algebra/grid_multigrid.h"
#include "compute/linear_algebra/matrix_market.h"
#include "core/base/atomic_file.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

Status checkDenseSize(const std::string& what, std::uint64_t size)
{
    // Solvers need the matrix and at most a second one: its half or its factor.
    return checkMemory(fmt::format("{}: a dense matrix of {} x {}", what, size, size), 2 * *matrixBytes(size, size));
}

}  // namespace

Status LinearSystem::makeSparse()
{
    if (!grid || !sparse.starts.empty()) return Status::ok();
    if (Status status = checkMemory("poisson", size * 100); !status) return status;
    sparse = poissonMatrix(grid->first, grid->second);
    return Status::ok();
}

Status LinearSystem::makeDense(const std::string& what)
{
    if (isDense()) return Status::ok();
    if (Status status = makeSparse(); !status) return status;
    if (Status status = checkDenseSize(what, size); !status) return status;
    dense = denseOf(sparse);
    sparse = {};
    return Status::ok();
}

bool LinearSystem::isKnownSingular() const
{
    constexpr std::uint64_t kMostExact = 64;
    if (size > kMostExact || (!isDense() && sparse.values.empty())) return false;
    const Matrix a = isDense() ? dense.copy() : denseOf(sparse);
    return std::ranges::all_of(a.values(), [](double value) { return std::isfinite(value); }) && isSingular(a);
}

Result<LinearSystem> readSystem(const std::string& path, bool general, const std::stop_token& stop)
{
    Result<MatrixMarket> file = readMatrixMarket(path, stop);
    if (!file) return file.error();
    // A header can claim any number of rows without having elements.  A large matrix with empty rows is singular
    // and not worth memory and time; small singular ones are allowed.
    constexpr std::size_t kMostRowsOfNothing = std::size_t(1) << 20;
    constexpr std::uint64_t kBytesAnUnknown = 104;  // index of the unknown's row in A, and twelve vectors
    if (file->coordinate && file->rows > kMostRowsOfNothing + file->entries.size())
        return Error{ExitCode::kInput, fmt::format("{}: found {} rows and {} entries, expected an entry in each row",
                                                   file->name, file->rows, file->entries.size())};
    if (Status status = general ? checkSquare(*file) : checkSymmetric(*file); !status) return status.error();
    LinearSystem system{.name = path, .size = file->rows};
    if (!file->coordinate)
    {
        system.dense = std::move(file->dense);
        return system;
    }
    if (Status status = checkMemory(file->name, system.size * kBytesAnUnknown + file->entries.size() * 12); !status)
        return status.error();
    system.sparse = sparseOf(*file);
    return system;
}

Result<LinearSystem> poissonSystem(const std::string& grid)
{
    LinearSystem system{.name = grid, .grid = gridOf(grid)};
    if (!system.grid) return Error{ExitCode::kUsage, fmt::format("poisson: {}: expected NxM, as 100x100", grid)};
    if (system.grid->first > std::uint64_t(kMostUnknowns) / system.grid->second)
        return Error{ExitCode::kUsage, fmt::format("poisson: {}: expected at most {} points", grid, kMostUnknowns)};
    system.size = system.grid->first * system.grid->second;
    return system;
}

Result<LinearSystem> randomSystem(std::uint64_t size, double condition, std::uint64_t seed, const std::stop_token& stop)
{
    LinearSystem system{.name = "random", .size = size};
    if (Status status = checkDenseSize("random", size); !status) return status.error();
    system.dense = randomSpd(size, condition, seed, stop);
    return system;
}

Result<std::vector<std::vector<double>>> readColumns(const std::string& path, std::size_t rows,
                                                     const std::stop_token& stop)
{
    const Result<MatrixMarket> file = readMatrixMarket(path, stop);
    if (!file) return file.error();
    if (file->rows != rows)
        return Error{ExitCode::kInput,
                     fmt::format("{}: found {} x {}, expected {} rows", file->name, file->rows, file->columns, rows)};
    if (Status status = checkMemory(path, 8 * std::uint64_t(rows) * file->columns); !status) return status.error();
    std::vector<std::vector<double>> columns(file->columns, std::vector<double>(rows, 0.0));
    for (const MatrixEntry& entry : file->entries)
        columns[entry.column][entry.row] = entry.value;
    for (std::size_t i = 0; i < file->dense.rows(); ++i)
        for (std::size_t j = 0; j < file->dense.columns(); ++j)
            columns[j][i] = file->dense(i, j);
    return columns;
}

Result<MadePreconditioner> makePreconditioner(const std::string& name, double relaxation, const LinearSystem& system,
                                              const LinearOperator& matrix, ThreadPool& pool)
{
    if (name == "chebyshev") return makeChebyshev(matrix, pool);
    if (name == "ssor" || name == "ic0")
    {
        SparseMatrix made;
        const bool grid = system.sparse.starts.empty();
        // Two copies of A's lower half (incomplete Cholesky keeps A while it factors), and the matrix of a grid itself.
        const std::uint64_t bytes = grid ? system.size * 150 : system.sparse.values.size() * 12;
        if (Status status = checkMemory("preconditioner", bytes); !status) return status.error();
        if (grid) made = poissonMatrix(system.grid->first, system.grid->second);
        const SparseMatrix& a = grid ? made : system.sparse;
        return name == "ic0" ? makeIncompleteCholesky(a) : makeSsor(a, relaxation);
    }
    MadePreconditioner preconditioner;
    if (name != "multigrid") return preconditioner;
    if (Status status = checkMemory("preconditioner", system.size * 60); !status) return status.error();
    std::optional<GridStencil> stencil =
        system.grid ? poissonStencil(int(system.grid->first), int(system.grid->second)) : stencilOf(system.sparse);
    if (!stencil)
        return Error{ExitCode::kInput,
                     fmt::format("{}: found a matrix that is no five-point stencil on a grid, expected one for "
                                 "--preconditioner multigrid",
                                 system.name)};
    preconditioner.value = std::make_unique<GridMultigrid>(std::move(*stencil));
    return preconditioner;
}

std::string remedyOf(const LinearSystem& system, const LinearOperator& matrix, const std::string& used)
{
    // Ratio of the largest to the smallest diagonal element from which A is probably ill-conditioned.
    constexpr double kStrongly = 100;
    if (used == "multigrid") return {};
    if (system.grid) return "--preconditioner multigrid: A is a grid";
    std::vector<double> diagonal(system.size);
    matrix.diagonal(diagonal.data());
    const auto [least, most] = std::ranges::minmax(diagonal);
    if (!(least > 0)) return {};
    if (used == "none" && most >= kStrongly * least)
        return fmt::format("--preconditioner jacobi: A's diagonal is positive and varies by {:.2g}", most / least);
    if (!system.isDense() && used != "ic0") return "--preconditioner ic0: A is sparse and its diagonal is positive";
    return {};
}

namespace {

Matrix matrixOf(std::span<const Solution> solutions)
{
    Matrix x(solutions.front().x.size(), solutions.size(), 0.0);
    for (std::size_t j = 0; j < solutions.size(); ++j)
        for (std::size_t i = 0; i < x.rows(); ++i)
            x(i, j) = solutions[j].x[i];
    return x;
}

std::string residualsText(std::span<const Solution> solutions)
{
    std::string text = solutions.size() > 1 ? "column,step,recurrence,true\n" : "step,recurrence,true\n";
    for (std::size_t j = 0; j < solutions.size(); ++j)
        for (std::size_t i = 0; i < solutions[j].history.size(); ++i)
        {
            if (solutions.size() > 1) fmt::format_to(std::back_inserter(text), "{},", j + 1);
            fmt::format_to(std::back_inserter(text), "{},{},", i, solutions[j].history[i]);
            if (i < solutions[j].trueHistory.size())
                fmt::format_to(std::back_inserter(text), "{}", solutions[j].trueHistory[i]);
            text += '\n';
        }
    return text;
}

}  // namespace

Status checkFiles(const SolveFiles& files)
{
    for (const std::string& path : {files.out, files.residuals})
    {
        if (path.empty()) continue;
        if (Status status = checkOutputFile(path, files.inputs, Existing::kReplace); !status) return status;
        // Creates and removes the temporary file, which fails in a folder that is missing or not writable.
        if (const Result<AtomicFile> file = AtomicFile::create(path); !file) return file.error();
    }
    if (files.out.empty() || files.residuals.empty() || !nameOneFile(files.out, files.residuals)) return Status::ok();
    return Error{ExitCode::kUsage, files.out + ": expected different files for out and residuals"};
}

Status writeFiles(const SolveFiles& files, std::span<const Solution> solutions)
{
    if (!files.out.empty())
        if (Status status = writeMatrixMarket(matrixOf(solutions), files.out); !status) return status;
    return files.residuals.empty() ? Status::ok() : writeFileAtomically(files.residuals, residualsText(solutions));
}

}  // namespace orogen::compute
