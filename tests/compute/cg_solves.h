// Test systems for conjugate gradients by kernels, and functions to solve them.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "compute/linear_algebra/matrix.h"

namespace orogen::test {

using namespace compute;

using Vector = std::vector<double>;

// Solver configuration.
struct Method
{
    const char* name;
    CgAlgorithm algorithm;
    bool half, plain;
};

constexpr Method kMethods[] = {{"paper", CgAlgorithm::kPaper, false, false},
                               {"paper-one-product", CgAlgorithm::kPaperOneProduct, false, false},
                               {"persistent", CgAlgorithm::kHestenesStiefel, false, false},
                               {"plain", CgAlgorithm::kHestenesStiefel, false, true},
                               {"persistent, half", CgAlgorithm::kHestenesStiefel, true, false},
                               {"plain, half", CgAlgorithm::kHestenesStiefel, true, true}};

inline Vector wave(std::size_t size)
{
    Vector b(size);
    for (std::size_t i = 0; i < size; ++i)
        b[i] = std::sin(1.0 + double(i) * 0.7);
    return b;
}

inline Matrix diagonalMatrix(const Vector& values)
{
    Matrix a(values.size(), values.size(), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i)
        a(i, i) = values[i];
    return a;
}

// Returns ||A x - b|| / ||b||, in long doubles.
inline double residualOf(const Matrix& a, const Vector& b, const Vector& x)
{
    long double rr = 0, bb = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
    {
        long double r = -static_cast<long double>(b[i]);
        for (std::size_t j = 0; j < b.size(); ++j)
            r += static_cast<long double>(a(i, j)) * x[j];
        rr += r * r;
        bb += static_cast<long double>(b[i]) * b[i];
    }
    return double(bb == 0 ? sqrtl(rr) : sqrtl(rr / bb));
}

inline Result<CgKernelRun> solveOn(KernelTarget& target, const Method& method, const Matrix& a, const Vector& b,
                                   const SolveOptions& options = {}, CgKernelOptions kernels = {})
{
    ThreadPool pool(1);
    kernels.plain = method.plain;
    const KernelSystem system = {.dense = &a, .half = method.half};
    return solveOnTarget(target, method.algorithm, system, *denseOperator(a), b, options, pool, kernels);
}

inline Result<CgKernelRun> solveOn(const HostSchedule& schedule, const Method& method, const Matrix& a, const Vector& b,
                                   const SolveOptions& options = {}, const CgKernelOptions& kernels = {})
{
    const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
    return solveOn(*target, method, a, b, options, kernels);
}

inline bool sameBits(const Vector& a, const Vector& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace orogen::test
