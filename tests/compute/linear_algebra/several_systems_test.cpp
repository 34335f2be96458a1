// Several right-hand sides against solves of each alone, and exact inner products against exact integers.
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gmp.h>
#include <gtest/gtest.h>

#include "compute/exact/cpu_sums.h"
#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/preconditioners.h"
#include "compute/linear_algebra/several_systems.h"
#include "tests/compute/cg_solves.h"
#include "tests/compute/host_schedules.h"

namespace orogen::compute {
namespace {

using test::sameBits;
using test::Vector;
using test::wave;

std::vector<Vector> columnsOf(std::size_t size, std::size_t count)
{
    std::vector<Vector> columns;
    for (std::size_t j = 0; j < count; ++j)
    {
        columns.push_back(wave(size));
        for (std::size_t i = 0; i < size; ++i)
            columns[j][i] = j == 1 ? 0 : columns[j][i] + double(j * i % 7) * std::pow(10.0, double(j));
    }
    return columns;
}

// Counts the products and how many vectors each had.
class CountingOperator final : public LinearOperator
{
public:
    explicit CountingOperator(const LinearOperator& a) : a_(a) {}
    std::size_t size() const override { return a_.size(); }
    void diagonal(double* d) const override { a_.diagonal(d); }
    void apply(const double* x, double* y, ThreadPool& pool) const override { a_.apply(x, y, pool); }
    void applyAll(std::span<const double* const> x, std::span<double* const> y, ThreadPool& pool) const override
    {
        if (++calls == failing) throw std::runtime_error("a product failed");
        vectors += x.size();
        a_.applyAll(x, y, pool);
    }
    mutable std::uint64_t calls = 0, vectors = 0;
    std::uint64_t failing = 0;  // number of the product that throws, from 1; 0: none

private:
    const LinearOperator& a_;
};

TEST(SeveralRightSides, HaveTheBitsOfEachAlone)
{
    const Matrix dense = randomSpd(70, 1e3, 5);
    const SparseMatrix grid = poissonMatrix(13, 9);
    const std::unique_ptr<LinearOperator> all[] = {denseOperator(dense), denseHalfOperator(dense), sparseOperator(grid),
                                                   sparseHalfOperator(grid), poissonOperator(13, 9)};
    for (const std::unique_ptr<LinearOperator>& a : all)
        for (const std::size_t count : {1, 2, 5, 40})
            for (const int threads : {1, 3})
            {
                const std::vector<Vector> b = columnsOf(a->size(), count), starts = columnsOf(a->size(), count);
                ThreadPool pool(threads);
                const MadePreconditioner chebyshev = makeChebyshev(*a, pool);
                for (const bool preconditioned : {false, true})
                {
                    SolveOptions options;
                    if (preconditioned) options.preconditioner = chebyshev.value.get();
                    std::uint64_t watched = 0;
                    options.watch = [&](std::uint64_t, double) { ++watched; };
                    const CgAlgorithm algorithm =
                        preconditioned ? CgAlgorithm::kHestenesStiefel : CgAlgorithm::kPaperOneProduct;
                    const CountingOperator counted(*a);
                    const std::vector<Solution> found =
                        solveSeveral(algorithm, counted, b, options, pool,
                                     preconditioned ? std::span<const Vector>(starts) : std::span<const Vector>());
                    ASSERT_EQ(found.size(), count);
                    EXPECT_GT(watched, 0u);
                    options.watch = {};
                    for (std::size_t j = 0; j < count; ++j)
                    {
                        const Solution alone = solveByConjugateGradients(
                            algorithm, *a, b[j], options, pool,
                            preconditioned ? std::span<const double>(starts[j]) : std::span<const double>());
                        EXPECT_TRUE(sameBits(found[j].x, alone.x)) << count << " " << j;
                        EXPECT_EQ(found[j].iterations, alone.iterations);
                        EXPECT_EQ(found[j].reason, alone.reason);
                    }
                    EXPECT_GE(counted.vectors, counted.calls);
                    // A is read once for all.
                    EXPECT_TRUE(count != 5 || double(counted.vectors) > 2.5 * double(counted.calls));
                }
            }
}

TEST(SeveralRightSides, AreStopped)
{
    std::stop_source source;
    source.request_stop();
    ThreadPool pool(2);
    for (const Solution& solution : solveSeveral(CgAlgorithm::kHestenesStiefel, *poissonOperator(20, 20),
                                                 columnsOf(400, 6), {.stop = source.get_token()}, pool))
        EXPECT_LE(solution.iterations, 1u);
}

TEST(SeveralRightSides, AllEndWhenAProductFails)
{
    const std::unique_ptr<LinearOperator> a = poissonOperator(20, 20);
    CountingOperator counted(*a);
    counted.failing = 3;
    ThreadPool pool(2);
    EXPECT_THROW((void)solveSeveral(CgAlgorithm::kHestenesStiefel, counted, columnsOf(400, 6), {}, pool),
                 std::runtime_error);
    EXPECT_EQ(counted.calls, 3u);
}

// ---- exact inner products ----

// The exact value of a sum of products, rounded once: an integer in units of 2^-2148, and its quotient by halves.
double roundedDot(const Vector& x, const Vector& y)
{
    mpz_t sum, term, other;
    mpz_inits(sum, term, other, nullptr);
    const auto set = [](mpz_t to, double value) {
        int exponent = 0;
        const double mantissa = std::frexp(value, &exponent);
        mpz_set_d(to, std::ldexp(mantissa, 53));
        mpz_mul_2exp(to, to, unsigned(exponent - 53 + 1074 + 53));  // units of 2^-1127
    };
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        set(term, x[i]);
        set(other, y[i]);
        mpz_addmul(sum, term, other);
    }
    // Keeps 55 bits and a sticky one; the unit is 2^-2254.
    const bool negative = mpz_sgn(sum) < 0;
    mpz_abs(sum, sum);
    const std::size_t bits = mpz_sgn(sum) == 0 ? 0 : mpz_sizeinbase(sum, 2);
    long shift = bits > 62 ? long(bits - 62) : 0;
    const bool sticky = shift > 0 && mpz_scan1(sum, 0) < std::size_t(shift);
    mpz_tdiv_q_2exp(sum, sum, unsigned(shift));
    const std::uint64_t top = mpz_get_ui(sum) | std::uint64_t(sticky);
    mpz_clears(sum, term, other, nullptr);
    const double value = std::ldexp(double(static_cast<long double>(top)), int(shift) - 2254);
    return negative ? -value : value;
}

TEST(ExactDot, IsRoundedOnceForAnyThreads)
{
    std::uint64_t state = 7;
    const auto next = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
    for (const std::size_t size : {1, 2, 100, 70'000})
    {
        Vector x(size), y(size);
        for (std::size_t i = 0; i < size; ++i)
        {
            x[i] = std::ldexp(double(std::int64_t(next())), int(next() >> 58) - 90);
            y[i] =
                i % 2 == 1 && size > 2 ? -y[i - 1] : std::ldexp(double(std::int64_t(next())), int(next() >> 58) - 90);
            if (i % 4 == 3) x[i] = x[i - 1];  // half of the terms cancel
        }
        const double expected = roundedDot(x, y);
        for (const int threads : {1, 2, 5})
        {
            ExactDot dot(threads);
            EXPECT_EQ(dot(x, y), expected) << size;
            EXPECT_EQ(dot(x, y), expected) << "the second time";
        }
    }
    ExactDot dot(2);
    EXPECT_EQ(dot(Vector{1e300, 1, -1e300}, Vector{1e8, 0x1p-60, 1e8}), 0x1p-60);
    EXPECT_TRUE(std::isnan(dot(Vector{1, std::nan("")}, Vector{1, 1})));
    EXPECT_EQ(dot(Vector{1e300}, Vector{1e300}), std::numeric_limits<double>::infinity());
    EXPECT_EQ(dot(Vector{}, Vector{}), 0);
}

TEST(ExactDot, SolvesWithTheSameBitsForAnyThreads)
{
    const Matrix a = randomSpd(60, 1e4, 8);
    const Vector b = wave(60);
    for (const CgAlgorithm algorithm :
         {CgAlgorithm::kPaper, CgAlgorithm::kPaperOneProduct, CgAlgorithm::kHestenesStiefel})
        for (const bool jacobi : {false, true})
        {
            std::vector<Solution> found;
            for (const int threads : {1, 2, 4})
            {
                ThreadPool pool(threads);
                ExactDot dot(threads);
                std::uint64_t calls = 0;
                const SolveOptions options = {.jacobi = jacobi,
                                              .dot = [&](std::span<const double> u, std::span<const double> v) {
                                                  ++calls;
                                                  return dot(u, v);
                                              }};
                found.push_back(solveByConjugateGradients(algorithm, *denseOperator(a), b, options, pool));
                EXPECT_EQ(found.back().reason, StopReason::kConverged);
                EXPECT_GE(calls, 2 * found.back().iterations);
                EXPECT_TRUE(sameBits(found.back().x, found.front().x));
            }
            // No sum in floating point is left: dots that are 0 stop every algorithm at once.
            ThreadPool pool(1);
            const SolveOptions none = {.jacobi = jacobi,
                                       .dot = [](std::span<const double>, std::span<const double>) { return 0.0; }};
            EXPECT_LE(solveByConjugateGradients(algorithm, *denseOperator(a), b, none, pool).iterations, 1u);
        }
}

// A system for both of the solvers that are compared.
struct TestSystem
{
    const char* name;
    KernelSystem system;
    const LinearOperator& a;
};

// One order of A p, exact inner products, and no contraction: nothing is left that schedules or grids could change.
TEST(ExactDot, KernelsHaveTheBitsOfTheCpu)
{
    const Matrix small = randomSpd(9, 10, 9), dense = randomSpd(67, 1e4, 8), one = randomSpd(1, 1, 1);
    const SparseMatrix sparse = poissonMatrix(23, 14);
    const auto ofSmall = denseOperator(small), ofDense = denseOperator(dense), ofOne = denseOperator(one),
               ofSparse = sparseOperator(sparse), ofGrid = poissonOperator(31, 11);
    const TestSystem systems[] = {{"dense", {.dense = &dense}, *ofDense},
                                  {"small", {.dense = &small}, *ofSmall},
                                  {"1 x 1", {.dense = &one}, *ofOne},
                                  {"sparse", {.sparse = &sparse}, *ofSparse},
                                  {"grid", {.grid = PoissonGrid{31, 11}}, *ofGrid}};
    ThreadPool pool(2);
    ExactDot dot(2);
    std::size_t turn = 0;
    for (const TestSystem& of : systems)
        for (const CgAlgorithm algorithm :
             {CgAlgorithm::kPaper, CgAlgorithm::kPaperOneProduct, CgAlgorithm::kHestenesStiefel})
            for (const bool jacobi : {false, true})
            {
                SCOPED_TRACE(std::string(of.name) + ", " + std::to_string(int(algorithm)));
                const Vector b = wave(of.a.size()), start(of.a.size(), jacobi ? 0.25 : 0.0);
                const SolveOptions options = {
                    .maxIterations = 12, .jacobi = jacobi, .dot = std::ref(dot), .trueResiduals = true};
                const Solution expected = solveByConjugateGradients(algorithm, of.a, b, options, pool, start);
                // Each solve takes two of the nine schedules in turn, in grids of different sizes.
                for (const unsigned blocks : {1u, 3u})
                {
                    const std::unique_ptr<KernelTarget> target = makeHostTarget(test::hostSchedules()[turn++ % 9]);
                    const Result<CgKernelRun> run = solveExactlyOnTarget(*target, algorithm, of.system, of.a, b,
                                                                         options, pool, {.mostBlocks = blocks}, start);
                    ASSERT_TRUE(run) << run.error().message;
                    EXPECT_GT(run->executor.blocks, 0u);
                    const Solution& found = run->solution;
                    EXPECT_TRUE(sameBits(found.x, expected.x));
                    EXPECT_EQ(found.history, expected.history);
                    EXPECT_EQ(found.trueHistory, expected.trueHistory);
                    EXPECT_EQ(found.residualNorm, expected.residualNorm);
                    EXPECT_EQ(found.lanczos.diagonal, expected.lanczos.diagonal);
                    EXPECT_EQ(found.products, expected.products);
                    EXPECT_EQ(found.reason, expected.reason);
                }
            }
}

// Stops end a solve between steps; errors of the target and unsuited systems are told as by the other solvers.
TEST(ExactDot, KernelsEndForTheReasonsOfTheCpu)
{
    Matrix indefinite = randomSpd(6, 4, 6);
    indefinite(2, 2) = -3;
    Matrix infinite = randomSpd(6, 4, 6);
    infinite(3, 3) = std::numeric_limits<double>::infinity();
    ThreadPool pool(1);
    ExactDot dot(1);
    std::stop_source stopped;
    stopped.request_stop();
    for (const Matrix* a : {&indefinite, &infinite})
        for (const bool jacobi : {false, true})
            for (const Vector& b : {wave(6), Vector(6), Vector(6, 1e300)})
            {
                const std::unique_ptr<KernelTarget> target = makeHostTarget({});
                SolveOptions options = {.jacobi = jacobi, .dot = std::ref(dot)};
                const std::unique_ptr<LinearOperator> of = denseOperator(*a);
                const Solution expected =
                    solveByConjugateGradients(CgAlgorithm::kHestenesStiefel, *of, b, options, pool);
                const Result<CgKernelRun> run =
                    solveExactlyOnTarget(*target, CgAlgorithm::kHestenesStiefel, {.dense = a}, *of, b, options, pool);
                ASSERT_TRUE(run) << run.error().message;
                EXPECT_EQ(run->solution.reason, expected.reason);
                EXPECT_TRUE(sameBits(run->solution.x, expected.x));
                options.stop = stopped.get_token();
                const Result<CgKernelRun> none =
                    solveExactlyOnTarget(*target, CgAlgorithm::kHestenesStiefel, {.dense = a}, *of, b, options, pool);
                ASSERT_FALSE(none);
                EXPECT_EQ(none.error().code, ExitCode::kInterrupted);
            }
}

}  // namespace
}  // namespace orogen::compute
