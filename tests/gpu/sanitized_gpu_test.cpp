// Inputs for compute-sanitizer: every kernel once or twice, in sizes that take seconds, with numbers of several tiles,
// rows of several blocks and products that are no multiple of a tile.
#include <vector>

#include "compute/exact/cpu_sums.h"
#include "compute/exact/kernels/exact_device.h"
#include "compute/exact/kernels/exact_terms.h"
#include "compute/linear_algebra/dev_matrix.h"
#include "compute/linear_algebra/kernels/target_solvers.h"
#include "compute/linear_algebra/matrix.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/kernels/tiles.h"
#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "core/base/thread_pool.h"
#include "tests/compute/add_vectors.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/support/kernel_words_expected.h"

namespace orogen::test {
namespace {

using namespace compute;

class GpuSanitized : public GpuTest
{
};

TEST_F(GpuSanitized, AdditionOfSeveralTiles)
{
    for (const AddVector& vector : {chainFrom(5 * kTileLimbs + 3, 1), chainsOf(33, 2)})
        for (const AddKernel algorithm : kAddKernels)
        {
            AddAnswer found{Limbs(vector.x.size()), false};
            const Result<AddKernelRun> run =
                addOnCuda(algorithm, {vector.x, vector.y, found.result}, 0, {.untilStill = true});
            ASSERT_TRUE(run) << run.error().message;
            found.carryOut = run->carryOut;
            EXPECT_TRUE(found == schoolbook(vector.x, vector.y, false, false)) << nameOf(algorithm);
        }
}

TEST_F(GpuSanitized, DecimalsOfSeveralBlocks)
{
    const DecimalList x = makeDecimals({.count = 300, .digits = 70, .spread = 2, .seed = 1}),
                      y = makeDecimals({.count = 300, .digits = 70, .spread = 2, .seed = 2});
    for (const SumAlgorithm algorithm : kSumKernels)
    {
        const Result<DecimalKernelRun> run = sumOnTarget(*target_, algorithm, alignedRows(x));
        ASSERT_TRUE(run) << nameOf(algorithm) << ": " << run.error().message;
        EXPECT_TRUE(isSum(run->number, x)) << nameOf(algorithm);
    }
    for (const DotAlgorithm algorithm : kDotKernels)
    {
        const Result<DecimalKernelRun> run = dotOnTarget(*target_, algorithm, alignedFactors(x, y));
        ASSERT_TRUE(run) << nameOf(algorithm) << ": " << run.error().message;
        EXPECT_TRUE(isDotProduct(run->number, x, y)) << nameOf(algorithm);
    }
}

TEST_F(GpuSanitized, ExactSumsOfSeveralBlocks)
{
    const std::vector<double> x = makeValues(ValuePattern::kExponents, 3 * kStepTerms + 1, 1);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(x));
    for (const ExactTerms kind : {ExactTerms::kValues, ExactTerms::kProducts})
    {
        const bool two = kind == ExactTerms::kProducts;
        const ValuePiece piece{ValueType::kFloat64, bytes, two ? bytes : std::span<const std::byte>()};
        Result<ExactKernelRun> run = exactSumOnTarget(*target_, kind, std::vector{piece});
        ASSERT_TRUE(run) << run.error().message;
        CpuSum cpu(kind, CpuSumMethod::kBins, 1);
        cpu.add(piece.type, piece.x, piece.y);
        EXPECT_EQ(run->total.rounded(), cpu.finish().rounded());
    }
}

TEST_F(GpuSanitized, SolvesOfEveryKind)
{
    const Matrix a = randomSpd(130, 50, 1);
    const SparseMatrix grid = poissonMatrix(20, 15);
    const std::vector<double> b(a.rows(), 1.0), onGrid(grid.size, 1.0);
    ThreadPool pool(2);
    for (const CgAlgorithm algorithm :
         {CgAlgorithm::kPaper, CgAlgorithm::kPaperOneProduct, CgAlgorithm::kHestenesStiefel})
        for (const bool half : {false, true})
        {
            if (half && algorithm != CgAlgorithm::kHestenesStiefel) continue;
            const auto run =
                solveOnTarget(*target_, algorithm, {.dense = &a, .half = half}, *denseOperator(a), b, {}, pool);
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(run->solution.reason, StopReason::kConverged);
        }
    const KernelSystem systems[] = {{.sparse = &grid}, {.grid = PoissonGrid{20, 15}}};
    for (const KernelSystem& system : systems)
    {
        const auto run =
            solveOnTarget(*target_, CgAlgorithm::kHestenesStiefel, system, *sparseOperator(grid), onGrid, {}, pool);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->solution.reason, StopReason::kConverged);
    }
}

TEST_F(GpuSanitized, ProductsByEveryKernel)
{
    const Matrix left(70, 45, 0.5), right(45, 67, 2.0);
    const DevMatrix a(*target_, left), b(*target_, right);
    for (const ProductKernel kernel : kProductKernels)
    {
        const Result<Matrix> found = product(a, b, kernel).toMatrix();
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_EQ((*found)(69, 66), 45.0) << int(kernel);
    }
}

TEST_F(GpuSanitized, WordsOfKernels) { expectKernelWords(*target_, 2, 7); }

}  // namespace
}  // namespace orogen::test
