// Conjugate gradients and matrices on a real GPU: correctness, the bandwidth of an iteration, and the times of NVIDIA's
// own libraries where the machine has them.  Skipped without a GPU.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dlfcn.h>

#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"
#include "compute/exact/cpu_sums.h"
#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/dev_matrix.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "compute/linear_algebra/matrix.h"
#include "core/base/clock.h"
#include "tests/compute/cg_solves.h"
#include "tests/gpu/figures.h"
#include "tests/gpu/gpu_fixture.h"

namespace orogen::test {
namespace {

using namespace compute;

constexpr const Method &kFull = kMethods[2], &kHalf = kMethods[4];

class GpuCg : public GpuTest
{
protected:
    Result<CgKernelRun> solve(const Method& method, const Matrix& a, const Vector& b, const SolveOptions& options = {},
                              const CgKernelOptions& kernels = {})
    {
        return solveOn(*target_, method, a, b, options, kernels);
    }

    void expectSolved(std::size_t n, bool jacobi)
    {
        const Matrix a = randomSpd(n, 100, n);
        const Vector b(n, 1.0);
        for (const Method& method : kMethods)
        {
            const Result<CgKernelRun> run = solve(method, a, b, {.jacobi = jacobi});
            ASSERT_TRUE(run) << method.name << ", n " << n << ": " << run.error().message;
            EXPECT_EQ(run->solution.reason, StopReason::kConverged) << method.name << ", n " << n;
            EXPECT_LE(run->solution.relativeResidual, 1e-10) << method.name << ", n " << n;
            EXPECT_EQ(run->persistent, method.algorithm == CgAlgorithm::kHestenesStiefel && !method.plain);
        }
    }
};

TEST_F(GpuCg, SolvesSmallSystems)
{
    for (const std::size_t n : {1, 5, 33, 65, 257})
        expectSolved(n, n % 2 == 0);
}

TEST_F(GpuCg, SolvesSystemsOfManyBlocks)
{
    expectSolved(1500, false);
    expectSolved(3001, true);
}

TEST_F(GpuCg, SolvesASparseSystem)
{
    const SparseMatrix a = poissonMatrix(300, 200);
    const Vector b(a.size, 1.0);
    ThreadPool pool(8);
    for (const Method& method : {kMethods[0], kMethods[1], kMethods[2], kMethods[3]})
    {
        const Result<CgKernelRun> run = solveOnTarget(*target_, method.algorithm, {.sparse = &a}, *sparseOperator(a), b,
                                                      {}, pool, {.plain = method.plain});
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->solution.reason, StopReason::kConverged) << method.name;
    }
}

// Repeats grid barriers many times: the host executor cannot reproduce a GPU's memory order.
TEST_F(GpuCg, GivesTheSameBitsForAnyGridEveryTime)
{
    const Matrix a = randomSpd(2000, 1000, 3);
    const Vector b(2000, 1.0);
    for (const Method& method : {kFull, kHalf})
    {
        Vector first;
        for (const unsigned blocks : {~0u, 1u, 7u, 132u, ~0u, ~0u, ~0u})
        {
            const Result<CgKernelRun> run =
                solve(method, a, b, {.relativeTolerance = 0, .maxIterations = 100}, {.mostBlocks = blocks});
            ASSERT_TRUE(run) << run.error().message;
            if (first.empty()) first = run->solution.x;
            EXPECT_EQ(std::memcmp(first.data(), run->solution.x.data(), first.size() * sizeof(double)), 0)
                << method.name << ", at most " << blocks << " blocks";
        }
    }
}

TEST_F(GpuCg, ExactInnerProductsHaveTheBitsOfTheCpu)
{
    const Matrix dense = randomSpd(701, 1e4, 3);
    const SparseMatrix sparse = poissonMatrix(300, 200);
    const auto ofDense = denseOperator(dense), ofSparse = sparseOperator(sparse), ofGrid = poissonOperator(300, 200);
    const std::pair<KernelSystem, const LinearOperator*> systems[] = {{{.dense = &dense}, ofDense.get()},
                                                                      {{.sparse = &sparse}, ofSparse.get()},
                                                                      {{.grid = PoissonGrid{300, 200}}, ofGrid.get()}};
    ThreadPool pool(8);
    ExactDot dot(8);
    for (const auto& [system, a] : systems)
        for (const CgAlgorithm algorithm :
             {CgAlgorithm::kPaper, CgAlgorithm::kPaperOneProduct, CgAlgorithm::kHestenesStiefel})
        {
            const Vector b = wave(a->size());
            const SolveOptions options = {
                .maxIterations = 60, .jacobi = system.sparse != nullptr, .dot = std::ref(dot)};
            const Solution expected = solveByConjugateGradients(algorithm, *a, b, options, pool);
            const Result<CgKernelRun> run = solveExactlyOnTarget(*target_, algorithm, system, *a, b, options, pool);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_TRUE(sameBits(run->solution.x, expected.x)) << int(algorithm);
            EXPECT_EQ(run->solution.history, expected.history) << int(algorithm);
        }
}

TEST_F(GpuCg, CramersRuleHasTheBitsOfTheCpu)
{
    ThreadPool pool(1);
    for (std::size_t size = 1; size <= kMostCramer; ++size)
    {
        Matrix a = randomSpd(size, 4, size);
        a(0, size - 1) += 1;  // not symmetric
        const Result<CgKernelRun> run = solveByCramerOnTarget(*target_, a, wave(size), {}, pool);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_TRUE(sameBits(run->solution.x, solveByCramer(a, wave(size), {}, pool).x)) << size;
    }
}

TEST_F(GpuCg, MultipliesMatrices)
{
    const auto made = [](std::size_t rows, std::size_t columns, double step) {
        Matrix matrix(rows, columns);
        for (std::size_t i = 0; i < matrix.elements(); ++i)
            matrix.values()[i] = std::sin(double(i) * step);
        return matrix;
    };
    for (const auto& [rows, inner, columns] : {std::array<std::size_t, 3>{1, 1, 1}, {33, 300, 65}, {500, 70, 301}})
    {
        const Matrix a = made(rows, inner, 0.7), b = made(inner, columns, 0.3), expected = a * b;
        const DevMatrix left(*target_, a), right(*target_, b);
        for (const ProductKernel kernel : kProductKernels)
        {
            const Result<Matrix> found = product(left, right, kernel).toMatrix();
            ASSERT_TRUE(found) << found.error().message;
            for (std::size_t i = 0; i < expected.elements(); ++i)
                ASSERT_NEAR(found->values()[i], expected.values()[i], 1e-13 * double(inner)) << int(kernel);
        }
        EXPECT_EQ((*(left + left).toMatrix())(0, 0), 2 * a(0, 0));
    }
}

// ---- performance -------------------------------------------------------------------------------------------------

// A library of NVIDIA, if the machine has it: neither the build nor the run needs it.
class Library
{
public:
    Library(const char* what, std::initializer_list<const char*> names)
    {
        for (const char* name : names)
            if (!handle_) handle_ = dlopen(name, RTLD_NOW);
        if (!handle_) std::printf("%s: not on this machine\n", what);
    }
    bool there() const { return handle_ != nullptr; }
    template <class Function>
    Function* function(const char* name) const
    {
        return reinterpret_cast<Function*>(dlsym(handle_, name));
    }

private:
    void* handle_ = nullptr;  // never closed
};

// Column-major, which is equivalent for symmetric matrices.  Norms synchronise, and so all earlier calls have finished.
class Cublas
{
public:
    Cublas()
    {
        if (library_.there()) library_.function<int(void**)>("cublasCreate_v2")(&handle_);
    }
    bool there() const { return handle_ != nullptr; }

    void symmetricProduct(int n, const double* a, const double* x, double* y) const
    {
        using Call =
            int(void*, int, int, const double*, const double*, int, const double*, int, const double*, double*, int);
        const double one = 1, zero = 0;
        library_.function<Call>("cublasDsymv_v2")(handle_, kLower, n, &one, a, n, x, 1, &zero, y, 1);
    }
    void product(int n, const double* a, const double* b, double* c) const
    {
        using Call = int(void*, int, int, int, int, int, const double*, const double*, int, const double*, int,
                         const double*, double*, int);
        const double one = 1, zero = 0;
        library_.function<Call>("cublasDgemm_v2")(handle_, 0, 0, n, n, n, &one, a, n, b, n, &zero, c, n);
    }
    double dot(int n, const double* x, const double* y) const
    {
        double sum = 0;
        library_.function<int(void*, int, const double*, int, const double*, int, double*)>("cublasDdot_v2")(
            handle_, n, x, 1, y, 1, &sum);
        return sum;
    }
    void add(int n, double factor, const double* x, double* y) const
    {
        library_.function<int(void*, int, const double*, const double*, int, double*, int)>("cublasDaxpy_v2")(
            handle_, n, &factor, x, 1, y, 1);
    }
    void scale(int n, double factor, double* x) const
    {
        library_.function<int(void*, int, const double*, double*, int)>("cublasDscal_v2")(handle_, n, &factor, x, 1);
    }

private:
    static constexpr int kLower = 0;
    Library library_{"cuBLAS", {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}};
    void* handle_ = nullptr;
};

class GpuCgSpeed : public GpuCg
{
protected:
    static constexpr std::size_t kUnknowns = 25'000;

    void note(const std::string& what, double value, const char* unit)
    {
        RecordProperty(what, std::to_string(value));
        std::printf("%-34s %10.3f %s\n", what.c_str(), value, unit);
    }

    // Time of an iteration: the difference of a long and a short solve.
    double iterationMs(const Method& method, const Matrix& a, const Vector& b, int repeats = 1)
    {
        constexpr std::uint64_t kShort = 5, kLong = 35;
        double best = 0;
        for (int repeat = 0; repeat < repeats; ++repeat)
        {
            double took[2] = {};
            for (const std::uint64_t iterations : {kShort, kLong})
            {
                const Result<CgKernelRun> run =
                    solve(method, a, b, {.relativeTolerance = 0, .maxIterations = iterations});
                EXPECT_TRUE(run && run->solution.iterations == iterations);
                if (!run) return 0;
                took[iterations == kLong] = run->kernelMs;
            }
            const double each = (took[1] - took[0]) / double(kLong - kShort);
            best = repeat == 0 ? each : std::min(best, each);
        }
        return best;
    }

    TargetMemory placed(std::span<const double> values)
    {
        Result<TargetMemory> memory = target_->allocate(values.size_bytes());
        if (!memory) return {};
        EXPECT_TRUE(target_->upload(memory->as<void>(), values.data(), values.size_bytes()));
        EXPECT_TRUE(target_->finish());
        return std::move(*memory);
    }
};

TEST_F(GpuCgSpeed, OfIterations)
{
    const Matrix a = correlationMatrix(kUnknowns);
    const Vector b(kUnknowns, 1.0);
    const double copy = copyBytesPerSecond() * 1e-9, bytes = 8e-6 * double(kUnknowns) * double(kUnknowns);
    note("copy_gb_per_s", copy, "GB/s");
    const double full = iterationMs(kFull, a, b, 2), half = iterationMs(kHalf, a, b, 2);
    note("full_ms_an_iteration", full, "ms");
    note("half_ms_an_iteration", half, "ms");
    note("full_plain_ms_an_iteration", iterationMs(kMethods[3], a, b), "ms");
    note("paper_one_product_ms_an_iteration", iterationMs(kMethods[1], a, b), "ms");
    note("paper_ms_an_iteration", iterationMs(kMethods[0], a, b), "ms");
    note("full_share_of_copy", bytes / full / copy, "");
    note("full_over_half", full / half, "");
}

// Conjugate gradients as a user of cuBLAS would write them, on the same matrix.
TEST_F(GpuCgSpeed, BesideCublas)
{
    const Cublas cublas;
    if (!cublas.there()) GTEST_SKIP() << "no cuBLAS on this machine";
    const int n = int(kUnknowns);
    const Matrix a = correlationMatrix(kUnknowns);
    const Vector ones(kUnknowns, 1.0), zeros(kUnknowns, 0.0);
    const TargetMemory matrix = placed(a.values()), r = placed(ones), p = placed(ones), q = placed(zeros),
                       x = placed(zeros);
    ASSERT_NE(matrix.as<double>(), nullptr);
    constexpr int kIterations = 20;
    double rr = cublas.dot(n, r.as<double>(), r.as<double>());
    Clock::time_point start;
    for (int i = -2; i < kIterations; ++i)  // two to warm up
    {
        if (i == 0) start = Clock::now();
        cublas.symmetricProduct(n, matrix.as<double>(), p.as<double>(), q.as<double>());
        const double length = rr / cublas.dot(n, p.as<double>(), q.as<double>());
        cublas.add(n, length, p.as<double>(), x.as<double>());
        cublas.add(n, -length, q.as<double>(), r.as<double>());
        const double next = cublas.dot(n, r.as<double>(), r.as<double>());
        cublas.scale(n, next / rr, p.as<double>());
        cublas.add(n, 1, r.as<double>(), p.as<double>());
        rr = next;
    }
    note("cublas_dsymv_ms_an_iteration", millisecondsSince(start) / kIterations, "ms");
    EXPECT_LT(rr, double(n)) << "it goes towards the answer";
}

TEST_F(GpuCgSpeed, BesideCusolver)
{
    const Cublas cublas;  // to synchronise at the end
    const Library library("cuSOLVER", {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"});
    if (!cublas.there() || !library.there()) GTEST_SKIP() << "no cuSOLVER on this machine";
    const int n = int(kUnknowns), lower = 0;
    const Matrix a = correlationMatrix(kUnknowns);
    const Vector b(kUnknowns, 1.0);
    const TargetMemory matrix = placed(a.values()), info = placed(Vector(1));
    void* handle = nullptr;
    int words = 0;
    ASSERT_EQ(library.function<int(void**)>("cusolverDnCreate")(&handle), 0);
    ASSERT_EQ((library.function<int(void*, int, int, double*, int, int*)>("cusolverDnDpotrf_bufferSize")(
                  handle, lower, n, matrix.as<double>(), n, &words)),
              0);
    const Result<TargetMemory> work = target_->allocate(std::size_t(words) * sizeof(double));
    ASSERT_TRUE(work) << work.error().message;
    const Clock::time_point start = Clock::now();
    ASSERT_EQ((library.function<int(void*, int, int, double*, int, double*, int, int*)>("cusolverDnDpotrf")(
                  handle, lower, n, matrix.as<double>(), n, work->as<double>(), words, info.as<int>())),
              0);
    EXPECT_GT(cublas.dot(1, matrix.as<double>(), matrix.as<double>()), 0);
    note("cusolver_dpotrf_ms", millisecondsSince(start), "ms");
    const Result<CgKernelRun> run = solve(kHalf, a, b);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->solution.reason, StopReason::kConverged);
    note("half_solve_ms", run->kernelMs, "ms");
}

TEST_F(GpuCgSpeed, OfProducts)
{
    const Cublas cublas;
    constexpr std::size_t kSize = 4096;
    const double gigaflop = 2e-9 * double(kSize) * double(kSize) * double(kSize);
    const Matrix values(kSize, kSize, 0.5);
    const DevMatrix a(*target_, values), b(*target_, values);
    double ours = 0;
    for (const ProductKernel kernel : {ProductKernel::kPaper, ProductKernel::kByBlocks, ProductKernel::kTiled})
    {
        constexpr const char* kNames[] = {"paper", "by_terms", "by_blocks", "tiled"};
        double best = 0;
        for (int repeat = 0; repeat < (kernel == ProductKernel::kTiled ? 5 : 2); ++repeat)
        {
            ASSERT_TRUE(target_->startClock());
            const DevMatrix c = product(a, b, kernel);
            const Result<double> took = target_->stopClock();
            ASSERT_TRUE(took && c.status());
            best = std::max(best, 1e3 * gigaflop / *took);
        }
        note(std::string(kNames[int(kernel)]) + "_product_gflops", best, "Gflop/s");
        ours = best;
    }
    if (!cublas.there()) GTEST_SKIP() << "no cuBLAS on this machine";
    const TargetMemory left = placed(values.values()), right = placed(values.values()), out = placed(values.values());
    double best = 0;
    for (int repeat = 0; repeat < 5; ++repeat)
    {
        const Clock::time_point start = Clock::now();
        cublas.product(int(kSize), left.as<double>(), right.as<double>(), out.as<double>());
        EXPECT_EQ(cublas.dot(1, out.as<double>(), out.as<double>()), 1024.0 * 1024.0);
        best = std::max(best, 1e3 * gigaflop / millisecondsSince(start));
    }
    note("cublas_product_gflops", best, "Gflop/s");
    note("tiled_share_of_cublas", ours / best, "");
}

class GpuCgGoals : public GpuCgSpeed
{
protected:
    // Time of a solve to 1e-10, the second of two: the first loads the kernels.
    double solveMs(const Method& method, const Matrix& a, const Vector& b, Precision precision)
    {
        double ms = 0;
        for (int i = 0; i < 2; ++i)
        {
            const Result<CgKernelRun> run = solve(method, a, b, {.precision = precision});
            EXPECT_TRUE(run) << run.error().message;
            if (!run) return 0;
            EXPECT_EQ(run->solution.reason, StopReason::kConverged);
            EXPECT_FALSE(run->solution.fellBack);
            ms = run->kernelMs;
        }
        return ms;
    }
};

TEST_F(GpuCgGoals, IterationsOnAllOfALargeMatrix)
{
    const Matrix a = correlationMatrix(kUnknowns);
    const Vector b(kUnknowns, 1.0);
    const double bytes = 8 * double(kUnknowns) * double(kUnknowns), copy = copyBytesPerSecond();
    const double full = iterationMs(kFull, a, b, 2);
    report({"CG, n = 25,000", "of a copy", Better::kMore, 0.9, shareOfCopy(bytes, full, copy), 1});
    report({"CG, n = 25,000", "ms an iteration", Better::kLess, kNoGoal, full, bytes / copy * 1e3});
    const double inDouble = solveMs(kFull, a, b, Precision::kDouble), mixed = solveMs(kFull, a, b, Precision::kMixed);
    if (mixed > 0) report({"mixed precision, n = 25,000", "times double", Better::kMore, 1.7, inDouble / mixed, 2});
    report({"CG half, n = 25,000", "ms an iteration", Better::kLess, kNoGoal, iterationMs(kHalf, a, b),
            bytes / 2 / copy * 1e3});
}

TEST_F(GpuCgGoals, IterationsOnASparseMatrix)
{
    const SparseMatrix a = poissonMatrix(1000, 1000);
    const Vector b(a.size, 1.0);
    ThreadPool pool(8);
    const KernelSystem systems[] = {{.sparse = &a}, {.grid = PoissonGrid{1000, 1000}}};
    for (const KernelSystem& system : systems)
    {
        double took[2] = {};
        for (const std::uint64_t iterations : {20u, 220u, 20u, 220u})  // the first two load the kernels
        {
            const Result<CgKernelRun> run =
                solveOnTarget(*target_, CgAlgorithm::kHestenesStiefel, system, *sparseOperator(a), b,
                              {.relativeTolerance = 0, .maxIterations = iterations}, pool);
            ASSERT_TRUE(run) << run.error().message;
            took[iterations == 220] = run->kernelMs;
        }
        // x, r, p and q, some twice; for a matrix also its 5e6 entries.
        const double bytes = 8.0 * double(a.size) * 10 + (system.sparse ? 12.0 * 5 * double(a.size) : 0);
        report({system.sparse ? "sparse CG, n = 1e6" : "CG on a grid, n = 1e6", "us an iteration", Better::kLess, 80,
                (took[1] - took[0]) / 200 * 1e3, bytes / copyBytesPerSecond() * 1e6});
    }
}

// Exact inner products take the host's part in each step, whose latency is most of the goal.
TEST_F(GpuCgGoals, ExactIterationsOnAGrid)
{
    const PoissonGrid grid{1000, 1000};
    const std::unique_ptr<LinearOperator> a = poissonOperator(grid.width, grid.height);
    const Vector b(a->size(), 1.0);
    ThreadPool pool(8);
    double took[2] = {};
    for (const std::uint64_t iterations : {20u, 220u, 20u, 220u})  // the first two load the kernels
    {
        const Clock::time_point start = Clock::now();
        const Result<CgKernelRun> run =
            solveExactlyOnTarget(*target_, CgAlgorithm::kHestenesStiefel, {.grid = grid}, *a, b,
                                 {.relativeTolerance = 0, .maxIterations = iterations}, pool);
        ASSERT_TRUE(run) << run.error().message;
        took[iterations == 220] = millisecondsSince(start);
    }
    const double bytes = 8.0 * double(a->size()) * 14;  // 2 for A p, 3 for each of p, x and r, 2 + 1 for inner products
    report({"CG, exact inner products, n = 1e6", "us an iteration", Better::kLess, 500, (took[1] - took[0]) / 200 * 1e3,
            bytes / copyBytesPerSecond() * 1e6});
}

// Floor: 20 eliminated columns one after another, each a search for the pivot and a division, about 200 cycles of
// 1.8 GHz (H200).
TEST_F(GpuCgGoals, CramersRule)
{
    constexpr double kFloorUs = 20 * 200 / 1.8e3;
    const Matrix a = randomSpd(kMostCramer, 4, 1);
    ThreadPool pool(1);
    double best = 0;
    for (int i = 0; i < 6; ++i)  // the first loads the kernel
    {
        const Result<CgKernelRun> run = solveByCramerOnTarget(*target_, a, wave(kMostCramer), {}, pool);
        ASSERT_TRUE(run) << run.error().message;
        if (i > 0) best = i == 1 ? run->kernelMs : std::min(best, run->kernelMs);
    }
    report({"Cramer's rule, n = 20", "us", Better::kLess, 50, best * 1e3, kFloorUs});
}

TEST_F(GpuCgGoals, Products)
{
    constexpr std::size_t kSize = 8192;
    const double flop = 2.0 * double(kSize) * double(kSize) * double(kSize);
    const Matrix values(kSize, kSize, 0.5);
    const DevMatrix a(*target_, values), b(*target_, values);
    double best = 0;
    for (int repeat = 0; repeat < 3; ++repeat)
    {
        ASSERT_TRUE(target_->startClock());
        const DevMatrix c = product(a, b, ProductKernel::kTiled);
        const Result<double> took = target_->stopClock();
        ASSERT_TRUE(took && c.status());
        if (repeat > 0) best = std::max(best, flop / *took * 1e-9);
    }
    const bool isHopper = target_->gpu()->major == 9 && target_->gpu()->multiprocessors > 100;
    report({"product 8192^3, tiled", "Tflop/s", Better::kMore, kNoGoal, best, isHopper ? 67 : kNoGoal});
}

}  // namespace
}  // namespace orogen::test
