// Exact sums on a real GPU: the CPU's bits, and the share of a copy's bandwidth.
#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "compute/exact/cpu_sums.h"
#include "compute/exact/kernels/exact_device.h"
#include "compute/exact/kernels/exact_terms.h"
#include "tests/gpu/figures.h"
#include "tests/gpu/gpu_fixture.h"

namespace orogen::test {
namespace {

using namespace compute;

class GpuExact : public GpuTest
{
protected:
    void expectRight(ExactTerms kind, const std::vector<double>& x, const std::vector<double>& y = {})
    {
        const auto bytes = [](const std::vector<double>& values) { return std::as_bytes(std::span(values)); };
        CpuSum cpu(kind, CpuSumMethod::kBins, 1);
        cpu.add(ValueType::kFloat64, bytes(x), bytes(y));
        Result<ExactKernelRun> run =
            exactSumOnTarget(*target_, kind, std::vector{ValuePiece{ValueType::kFloat64, bytes(x), bytes(y)}});
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(run->total.rounded()),
                  std::bit_cast<std::uint64_t>(cpu.finish().rounded()))
            << int(kind) << ", " << x.size();
    }
};

TEST_F(GpuExact, HasTheCpusBits)
{
    for (const ValuePattern pattern : kValuePatterns)
        for (const std::size_t count : {std::size_t(1), std::size_t(kStepTerms), std::size_t(3'000'017)})
        {
            const std::vector<double> x = makeValues(pattern, count, 1), y = makeValues(pattern, count, 2);
            expectRight(ExactTerms::kValues, x);
            expectRight(ExactTerms::kSquares, x);
            expectRight(ExactTerms::kProducts, x, y);
        }
}

TEST_F(GpuExact, UnusualValues)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity(), kLargest = std::numeric_limits<double>::max();
    expectRight(ExactTerms::kValues, {-0.0, -0.0});
    expectRight(ExactTerms::kValues, {kInfinity, -1});
    expectRight(ExactTerms::kValues, {kLargest, kLargest, -kLargest, 0x1p-1074});
    expectRight(ExactTerms::kProducts, {kLargest, 0x1p-1074, 1}, {kLargest, 0x1p-1074, -1});
}

class GpuExactGoals : public GpuExact
{
protected:
    void measure(ValuePattern pattern, double goal)
    {
        constexpr std::size_t kCount = std::size_t(1) << 27;
        constexpr int kRuns = 4;  // the first loads the kernel
        const std::vector<double> x = makeValues(pattern, kCount, 1);
        double best = 0;
        for (int i = 0; i < kRuns; ++i)
        {
            const Result<ExactKernelRun> run =
                exactSumOnTarget(*target_, ExactTerms::kValues,
                                 std::vector{ValuePiece{ValueType::kFloat64, std::as_bytes(std::span(x))}});
            ASSERT_TRUE(run) << run.error().message;
            if (i > 0) best = i == 1 ? run->kernelMs : std::min(best, run->kernelMs);
        }
        expectRight(ExactTerms::kValues, x);
        const double bytes = 8.0 * double(kCount), copy = copyBytesPerSecond();
        const std::string name = "exact sum, 2^27 doubles, " + std::string(textOf(pattern));
        report({name, "of a copy", Better::kMore, goal, shareOfCopy(bytes, best, copy), 1});
        report({name, "us", Better::kLess, kNoGoal, best * 1e3, bytes / copy * 1e6});
    }
};

TEST_F(GpuExactGoals, ValuesOfOneSize) { measure(ValuePattern::kSigned, 0.5); }
TEST_F(GpuExactGoals, ValuesOfAllExponents) { measure(ValuePattern::kExponents, kNoGoal); }

}  // namespace
}  // namespace orogen::test
