// Systems of linear equations that the command `cg solve` reads or makes, their preconditioners by name, and the files
// that are written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/operators.h"
#include "compute/linear_algebra/preconditioners.h"
#include "core/base/status.h"

namespace orogen::compute {

inline constexpr std::int64_t kMostUnknowns = 0x7fffffff;

// System of equations.  Its matrix A is in `dense` or `sparse`, or is that of Poisson's equation on `grid` (width and
// height in inner points).
struct LinearSystem
{
    std::string name = {};  // the name of A in messages
    std::uint64_t size = 0;
    Matrix dense = {};
    SparseMatrix sparse = {};
    std::optional<std::pair<std::uint64_t, std::uint64_t>> grid = {};

    bool isDense() const { return dense.rows() > 0; }

    // makeSparse() builds the sparse matrix of a grid; a dense or sparse A stays.  makeDense() builds the dense matrix
    // of any A, which replaces the sparse one; `what` starts messages about the dense matrix.  Error: kLimit.
    Status makeSparse();
    Status makeDense(const std::string& what);

    // Returns whether A is known to be singular, which tells users more than the reason why a solver stopped.  Tests
    // only finite matrices of at most 64 rows, because certainty takes n^3 products of long integers.  Returns false
    // for others, and for a grid whose matrix was not built.
    bool isKnownSingular() const;
};

// Reads A from a Matrix Market file.  `general`: A need not be symmetric.  Errors: kInput, kLimit, kInterrupted.
Result<LinearSystem> readSystem(const std::string& path, bool general, const std::stop_token& stop);
// Makes Poisson's equation on a grid, given as "NxM".  Error kUsage: the text has another form, or the grid has
// more than kMostUnknowns points.
Result<LinearSystem> poissonSystem(const std::string& grid);
// Makes a dense matrix by randomSpd().  Error kLimit.
Result<LinearSystem> randomSystem(std::uint64_t size, double condition, std::uint64_t seed,
                                  const std::stop_token& stop);

// Reads the columns of a matrix with `rows` rows.  Errors: kInput, kLimit, kInterrupted.
Result<std::vector<std::vector<double>>> readColumns(const std::string& path, std::size_t rows,
                                                     const std::stop_token& stop);

// Makes the preconditioner "ssor" (with its `relaxation`), "ic0", "chebyshev" or "multigrid"; returns an empty one for
// other names.  `matrix` and the system must outlive the preconditioner.  Errors: kInput if A has no five-point stencil
// for multigrid; kLimit.
Result<MadePreconditioner> makePreconditioner(const std::string& name, double relaxation, const LinearSystem& system,
                                              const LinearOperator& matrix, ThreadPool& pool);

// Returns the option that may help if iterations with the preconditioner `used` ran out, and why; empty: none is known.
std::string remedyOf(const LinearSystem& system, const LinearOperator& matrix, const std::string& used);

// Files that the commands `cg solve` and `matrix` write: the result, and the residuals of the solver's steps.

struct SolveFiles
{
    std::string out = {}, residuals = {};  // empty: not written
    std::vector<std::string> inputs = {};  // files that must not be replaced
};

// Checks the paths of the files before any work; existing files stay as they are.  Errors: those of checkOutputFile()
// and AtomicFile::create() (core/base/atomic_file.h); kUsage if both paths name the same file.
Status checkFiles(const SolveFiles& files);

// Writes the files atomically.  Error: kOutput.
Status writeFiles(const SolveFiles& files, std::span<const Solution> solutions);

}  // namespace orogen::compute
