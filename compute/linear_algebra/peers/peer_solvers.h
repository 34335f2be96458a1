// Solvers of two other libraries for comparison.  The program runs without them: Eigen is optional in the build
// (OROGEN_HAVE_EIGEN), and OpenBLAS is loaded on first use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"

namespace orogen::compute {

// ---- Eigen's conjugate gradients, compiled for each instruction set like our own ----

// Solver without a preconditioner.  Runs on one thread, because Eigen uses no more for dense matrices.
struct EigenSolver
{
    const char* name;  // which halves of A it reads, and the instruction set
    // Solves from x = 0 until the residual is at most `tolerance` times b.  Returns the number of iterations.
    std::uint64_t (*solve)(const double* a, std::size_t size, const double* b, double* x, double tolerance);
};

// Sparse matrix, both halves, by rows, with the indices that Eigen takes.
struct EigenSparse
{
    std::vector<int> starts = {}, columns = {};
    std::vector<double> values = {};
};

struct EigenSolvers
{
    const char* name;  // the instruction set
    EigenSolver solvers[2];
    // Solves from x = 0 by conjugate gradients with Eigen's IncompleteCholesky, natural ordering; includes the
    // factorisation.  Returns the number of iterations.
    std::uint64_t (*solveSparse)(const EigenSparse& a, const double* b, double* x, double tolerance);
};

extern const EigenSolvers kPortableEigenSolvers;
#if defined(__x86_64__)
extern const EigenSolvers kAvx2EigenSolvers, kAvx512EigenSolvers;
#endif

const EigenSolvers* bestEigenSolvers();   // for this processor; null: not built in
std::vector<EigenSolver> eigenSolvers();  // all that this processor can run; empty: not built in

// ---- OpenBLAS ----

// Functions of OpenBLAS; they run on the number of threads set last.
class OpenBlas
{
public:
    // Error kDevice: OpenBLAS is missing or has no LAPACK.
    static Result<OpenBlas> find();

    // Returns the value of the environment variable OPENBLAS_CORETYPE that selects OpenBLAS's best code on this
    // processor, such as "SkylakeX".  Debian's version would choose code for older processors.  Returns an empty text
    // if OpenBLAS's own choice is best.  The variable has an effect only until OpenBLAS is loaded.
    static std::string bestCore();
    static bool isLoaded();

    std::string core() const;  // "SkylakeX", "Haswell"
    void setThreads(int threads) const;

    // Replaces x by A^-1 x, and A by its factor.  Returns false if A is not positive definite.
    bool dposv(double* a, std::size_t size, double* x) const;
    void dgemm(const double* a, const double* b, double* c, std::size_t size) const;  // c = a b, by rows
    void daxpy(std::size_t count, const double* x, double* y) const;                  // y += x

private:
    using Pose = void (*)(const char*, const int*, const int*, double*, const int*, double*, const int*, int*);
    using Multiply = void (*)(const char*, const char*, const int*, const int*, const int*, const double*,
                              const double*, const int*, const double*, const int*, const double*, double*, const int*);
    using Add = void (*)(const int*, const double*, const double*, const int*, double*, const int*);

    Pose dposv_ = nullptr;
    Multiply dgemm_ = nullptr;
    Add daxpy_ = nullptr;
    void (*setThreads_)(int) = nullptr;
    char* (*core_)() = nullptr;
};

}  // namespace orogen::compute
