// Sums and dot products of decimals on a real GPU: correctness, and the share of a copy's bandwidth.
#include <algorithm>
#include <vector>

#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/fourier.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "tests/gpu/figures.h"
#include "tests/gpu/gpu_fixture.h"

namespace orogen::test {
namespace {

using namespace compute;

class GpuSignedDigit : public GpuTest
{
protected:
    void expectRight(const DecimalList& x, const DecimalList& y)
    {
        const auto rows = alignedRows(x);
        for (const SumAlgorithm algorithm : kSumKernels)
        {
            const Result<DecimalKernelRun> run = sumOnTarget(*target_, algorithm, rows);
            ASSERT_TRUE(run) << nameOf(algorithm) << ": " << run.error().message;
            EXPECT_TRUE(isSum(run->number, x)) << nameOf(algorithm) << ", " << x.size() << " numbers";
        }
        const auto factors = alignedFactors(x, y);
        for (const DotAlgorithm algorithm : kDotKernels)
        {
            const Result<DecimalKernelRun> run = dotOnTarget(*target_, algorithm, factors);
            ASSERT_TRUE(run) << nameOf(algorithm) << ": " << run.error().message;
            EXPECT_TRUE(isDotProduct(run->number, x, y)) << nameOf(algorithm) << ", " << x.size() << " pairs";
        }
    }

    static DecimalList nines(std::size_t count, std::size_t digits)
    {
        DecimalList list;
        for (std::size_t i = 0; i < count; ++i)
            list.add(Decimal{std::vector<Digit>(digits, 9), 0, false});
        return list;
    }
};

TEST_F(GpuSignedDigit, SmallSumsAndProducts)
{
    for (const std::uint32_t count : {1u, 2u, 28u, 29u, 111u, 112u})
        for (const std::uint32_t digits : {1u, 9u, 50u, 64u, 65u})
            expectRight(makeDecimals({.count = count, .digits = digits, .spread = 3, .seed = count + digits}),
                        makeDecimals({.count = count, .digits = digits, .spread = 3, .seed = count * digits + 7}));
}

// Counts where 28 rows fill a byte, and where sums of products fill 32 bits.
TEST_F(GpuSignedDigit, NinesAtTheEdges)
{
    for (const std::size_t count : {27u, 28u, 29u, 7281u, 7282u})
        expectRight(nines(count, 10), nines(count, 10));
    expectRight(nines(40'000, 50), nines(40'000, 50));
}

TEST_F(GpuSignedDigit, ManyBlocks)
{
    expectRight(makeDecimals({.count = 20'000, .digits = 300, .spread = 0, .seed = 5}),
                makeDecimals({.count = 20'000, .digits = 300, .spread = 0, .seed = 6}));
}

TEST_F(GpuSignedDigit, TransformsHaveTheDigitsOfTheCpu)
{
    for (const std::uint32_t count : {1u, 5u, 64u})
        for (const bool inverse : {false, true})
        {
            const DecimalList real = makeDecimals({.count = count, .digits = 20, .spread = 4, .seed = count}),
                              imaginary = makeDecimals({.count = count, .digits = 20, .spread = 4, .seed = count + 1});
            const FourierOptions options = {.inverse = inverse, .imaginary = count == 5 ? &imaginary : nullptr};
            const Result<FourierResult> run = fourierTransformOnTarget(*target_, real, options);
            ASSERT_TRUE(run) << run.error().message;
            const FourierResult expected = fourierTransform(real, options);
            EXPECT_TRUE(run->spectrum == expected.spectrum) << count;
            EXPECT_TRUE(run->back == expected.back) << count;
        }
}

class GpuSignedDigitGoals : public GpuSignedDigit
{
protected:
    static constexpr int kRuns = 4;  // the first loads the kernels

    template <class Once>
    static double shortest(Once once)
    {
        double best = 0;
        for (int i = 0; i < kRuns; ++i)
        {
            const Result<DecimalKernelRun> run = once();
            EXPECT_TRUE(run) << run.error().message;
            if (!run) return 0;
            if (i > 0) best = i == 1 ? run->kernelMs : std::min(best, run->kernelMs);
        }
        return best;
    }

    void columnSums(std::uint32_t count, std::uint32_t digits)
    {
        const DecimalList numbers = makeDecimals({.count = count, .digits = digits, .spread = 0, .seed = 1});
        const auto rows = alignedRows(numbers);
        const double ms = shortest([&] { return sumOnTarget(*target_, SumAlgorithm::kColumns, rows); });
        const double bytes = double(count) * double(digits), copy = copyBytesPerSecond();
        const std::string name = "column sums, " + std::to_string(count) + " x " + std::to_string(digits);
        report({name, "of a copy", Better::kMore, 0.5, shareOfCopy(bytes, ms, copy), 1});
        report({name, "us", Better::kLess, kNoGoal, ms * 1e3, bytes / copy * 1e6});
    }
};

TEST_F(GpuSignedDigitGoals, ColumnSumsOfManyShortNumbers) { columnSums(1'000'000, 50); }
TEST_F(GpuSignedDigitGoals, ColumnSumsOfLongNumbers) { columnSums(200'000, 900); }

TEST_F(GpuSignedDigitGoals, DotProducts)
{
    constexpr std::uint32_t kCount = 1'000'000, kDigits = 50;
    const DecimalList x = makeDecimals({.count = kCount, .digits = kDigits, .spread = 0, .seed = 1}),
                      y = makeDecimals({.count = kCount, .digits = kDigits, .spread = 0, .seed = 2});
    const auto factors = alignedFactors(x, y);
    const double ms = shortest([&] { return dotOnTarget(*target_, DotAlgorithm::kProduct, factors); });
    const double bytes = double(kCount) * double(kDigits), copy = copyBytesPerSecond();  // two digits per byte
    report({"dot product, 1e6 x 50", "of a copy", Better::kMore, 0.5, shareOfCopy(bytes, ms, copy), 1});
    report({"dot product, 1e6 x 50", "us", Better::kLess, kNoGoal, ms * 1e3, bytes / copy * 1e6});
}

// Both transforms of n coordinates take n^2 products of D and d digits each, two digits per byte.  Floor: one
// multiply-add of four such bytes per lane and cycle, 128 lanes of 132 multiprocessors at 1.8 GHz (H200).
TEST_F(GpuSignedDigitGoals, Transform)
{
    constexpr std::uint32_t kCount = 256, kDigits = 20, kTwiddleDigits = 50;
    const FourierOptions options = {.twiddleDigits = int(kTwiddleDigits)};
    const DecimalList coordinates = makeDecimals({.count = kCount, .digits = kDigits, .spread = 0, .seed = 1});
    double best = 0;
    for (int i = 0; i < kRuns; ++i)
    {
        const Result<FourierResult> run = fourierTransformOnTarget(*target_, coordinates, options);
        ASSERT_TRUE(run) << run.error().message;
        if (i > 0) best = i == 1 ? run->times.kernelMs : std::min(best, run->times.kernelMs);
    }
    // The first transform has real factors of 20 digits, the second complex ones of 50; both twice, by cosine and sine.
    constexpr double kProducts = 2.0 * kCount * kCount * (kTwiddleDigits / 2) * (kDigits / 2 + 2 * 25);
    report({"transform, n = 256, D = 50", "us", Better::kLess, 5'000, best * 1e3, kProducts / 4 / (128 * 132 * 1.8e3)});
}

}  // namespace
}  // namespace orogen::test
