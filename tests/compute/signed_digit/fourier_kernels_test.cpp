// Transform by kernels: digits equal those of the CPU in every schedule and with any cuts of the launches.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compute/device/kernel_target.h"
#include "compute/signed_digit/fourier.h"
#include "tests/compute/host_schedules.h"
#include "tests/support/random.h"

namespace orogen::test {
namespace {

using namespace compute;

// Returns coordinates of either sign, some of them zero, with exponents -spread ... spread.
DecimalList randomCoordinates(std::size_t n, int spread, std::uint64_t seed)
{
    Random random(seed);
    DecimalList list;
    for (std::size_t i = 0; i < n; ++i)
        list.add(
            *parseDecimal(fmt::format("{}e{}", random.between(-999, 999), random.between(-spread, spread)), "test"));
    return list;
}

bool sameDigits(const FourierResult& a, const FourierResult& b) { return a.back == b.back && a.spectrum == b.spectrum; }

// Sizes around 16 (rows of a vector) and 64 (rows of a step), with odd and even numbers of digits.
TEST(SignedDigitFourierKernels, HaveTheProcessorsDigitsInEverySchedule)
{
    std::uint64_t seed = 0;
    for (const HostSchedule& schedule : hostSchedules())
        for (const auto& [n, digits, spread] :
             {std::tuple{1, 5, 0}, {2, 20, 3}, {7, 31, 2}, {16, 10, 1}, {33, 20, 0}, {18, 12, 30}})
        {
            const DecimalList coordinates = randomCoordinates(std::size_t(n), spread, ++seed);
            const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
            const Result<FourierResult> found =
                fourierTransformOnTarget(*target, coordinates, {.twiddleDigits = digits});
            ASSERT_TRUE(found) << textOf(schedule) << ": " << found.error().message;
            EXPECT_TRUE(sameDigits(*found, fourierTransform(coordinates, {.twiddleDigits = digits})))
                << n << " coordinates, " << digits << " digits, " << textOf(schedule);
            EXPECT_LE(found->signedDigitPercent, found->boundPercent);
        }
}

TEST(SignedDigitFourierKernels, ComplexTransformsHaveTheProcessorsDigits)
{
    std::uint64_t seed = 100;
    for (const HostSchedule& schedule : hostSchedules())
        for (const auto& [n, inverse] : {std::tuple{1, true}, {7, false}, {7, true}, {18, true}})
        {
            const DecimalList real = randomCoordinates(std::size_t(n), 2, ++seed);
            const DecimalList imaginary = randomCoordinates(std::size_t(n), 3, ++seed);
            const FourierOptions options = {.twiddleDigits = 20, .inverse = inverse, .imaginary = &imaginary};
            const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
            const Result<FourierResult> found = fourierTransformOnTarget(*target, real, options);
            ASSERT_TRUE(found) << textOf(schedule) << ": " << found.error().message;
            EXPECT_TRUE(sameDigits(*found, fourierTransform(real, options))) << n << ", " << textOf(schedule);
        }
}

TEST(SignedDigitFourierKernels, AnyCutsLeaveTheSameDigits)
{
    const DecimalList coordinates = randomCoordinates(34, 2, 99);
    const FourierResult expected = fourierTransform(coordinates);
    std::uint64_t blocks = 0;
    for (const std::uint64_t most : {0, 30, 7})
    {
        const std::unique_ptr<KernelTarget> target = makeHostTarget({});
        const Result<FourierResult> found = fourierTransformOnTarget(*target, coordinates, {.mostSteps = most});
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_TRUE(sameDigits(*found, expected)) << most << " steps a launch";
        EXPECT_GT(target->hostLaunches().counts.blocks, blocks) << most << " steps a launch";
        blocks = target->hostLaunches().counts.blocks;
    }
}

TEST(SignedDigitFourierKernels, StopBetweenLaunches)
{
    std::stop_source source;
    source.request_stop();
    const std::unique_ptr<KernelTarget> target = makeHostTarget({});
    const Result<FourierResult> found =
        fourierTransformOnTarget(*target, randomCoordinates(20, 2, 1), {.stop = source.get_token()});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ExitCode::kInterrupted);
    EXPECT_EQ(target->hostLaunches().counts.blocks, 0u);
}

// Stops at each check: in the twiddle factors, in either direction, and in the comparison of single and double
// precision.
TEST(SignedDigitFourier, StopsAtEveryLook)
{
    const DecimalList coordinates = randomCoordinates(6, 2, 1);
    int looks = 0;
    fourierTransform(coordinates, {.progress = [&](double) { return ++looks > 0; }});
    EXPECT_GT(looks, 6 * 10);
    for (int last = 1; last < looks; ++last)
    {
        int made = 0;
        const FourierResult found = fourierTransform(coordinates, {.progress = [&](double) { return ++made < last; }});
        EXPECT_TRUE(found.stopped) << "look " << last;
        EXPECT_LE(made, last + 8) << "look " << last;
    }
}

}  // namespace
}  // namespace orogen::test
