// Multiword addition on a real GPU: correctness and bandwidth.  Skipped without a GPU.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/kernels/tiles.h"
#include "tests/compute/add_vectors.h"
#include "tests/gpu/figures.h"
#include "tests/gpu/gpu_fixture.h"

namespace orogen::test {
namespace {

using namespace compute;

class GpuMultiword : public GpuTest
{
protected:
    static void expectRight(AddKernel algorithm, const AddVector& vector, bool carryIn, bool subtract)
    {
        SCOPED_TRACE(std::string(nameOf(algorithm)) + ", " + vector.name + ", " + std::to_string(vector.x.size()) +
                     " limbs");
        AddAnswer found{Limbs(vector.x.size()), false};
        AddKernelOptions options;
        options.untilStill = vector.x.size() > 10'000;
        const Result<AddKernelRun> run =
            addOnCuda(algorithm, {vector.x, vector.y, found.result, carryIn, subtract}, 0, options);
        ASSERT_TRUE(run) << run.error().message;
        found.carryOut = run->carryOut;
        EXPECT_TRUE(found == schoolbook(vector.x, vector.y, carryIn, subtract));
    }

    static void expectRight(const AddVector& vector)
    {
        for (const AddKernel algorithm : kAddKernels)
            for (const bool subtract : {false, true})
                for (const bool carryIn : {false, true})
                    if (!HasFailure()) expectRight(algorithm, vector, carryIn, subtract);
    }
};

TEST_F(GpuMultiword, AddsShortNumbers)
{
    for (const std::size_t n : {1, 15, 16, 17, 31, 32, 33, 63, 64, 65})
    {
        for (const AddVector& vector : plainVectors(n))
            expectRight(vector);
        expectRight(chainFrom(n, n / 2));
        expectRight(chainUntil(n, n / 2));
    }
}

TEST_F(GpuMultiword, AddsNumbersOfManyTiles)
{
    for (const unsigned n : {kTileLimbs - 1, kTileLimbs + 1, 100 * kTileLimbs + 37, 1u << 20})
    {
        for (const AddVector& vector : plainVectors(n))
            expectRight(vector);
        for (const AddVector& vector : groupVectors(n, kTileLimbs))
            expectRight(vector);
        expectRight(chainFrom(n, 5));
        expectRight(chainsOf(n, n));
    }
}

// Repeats tiles that wait for others many times: the host executor cannot reproduce a GPU's memory order.
TEST_F(GpuMultiword, LookBackIsRightEveryTime)
{
    const std::size_t n = 3000 * std::size_t(kTileLimbs);
    const AddVector vector = chainFrom(n, 1);
    const AddAnswer expected = schoolbook(vector.x, vector.y, false, false);
    for (int round = 0; round < 20; ++round)
    {
        AddAnswer found{Limbs(n), false};
        const Result<AddKernelRun> run = addOnCuda(AddKernel::kLookback, {vector.x, vector.y, found.result});
        ASSERT_TRUE(run) << run.error().message;
        found.carryOut = run->carryOut;
        ASSERT_TRUE(found == expected) << "round " << round;
    }
}

TEST_F(GpuMultiword, GpuThatIsNotThere)
{
    const int behind = int(discoverCuda().devices.size());
    EXPECT_FALSE(CudaGpu::open(processCuda(), behind));
    EXPECT_TRUE(CudaGpu::open(processCuda(), 0));
}

// ---- performance -------------------------------------------------------------------------------------------------

constexpr int kRepeats = 7;

class GpuMultiwordBandwidth : public GpuMultiword
{
protected:
    // Bandwidth of the three numbers that an addition reads and writes (GB/s); 0 if its sum is wrong.
    static double bandwidth(AddKernel algorithm, const AddVector& vector, const AddAnswer& expected, bool untilStill)
    {
        AddAnswer found{Limbs(vector.x.size()), false};
        AddKernelOptions options;
        options.repeats = kRepeats;
        options.untilStill = untilStill;
        const Result<AddKernelRun> run = addOnCuda(algorithm, {vector.x, vector.y, found.result}, 0, options);
        if (!run)
        {
            ADD_FAILURE() << run.error().message;
            return 0;
        }
        found.carryOut = run->carryOut;
        EXPECT_TRUE(found == expected) << nameOf(algorithm) << ", " << vector.name;
        return 24e-6 * double(vector.x.size()) / run->ms.kernel;
    }

    void note(const std::string& what, int lengthBits, double gigabytes)
    {
        RecordProperty("gb_per_s_" + what + "_2_" + std::to_string(lengthBits), std::to_string(gigabytes));
        std::printf(" %18.1f", gigabytes);
    }

    // Prints a line of the table; returns the share of the copy's bandwidth that look-back reaches.
    double line(int lengthBits, const AddVector& vector)
    {
        const AddAnswer expected = schoolbook(vector.x, vector.y, false, false);
        const double copy = copyBytesPerSecond() * 1e-9;
        double best = 0;
        std::printf("2^%-3d", lengthBits);
        note("copy", lengthBits, copy);
        for (const AddKernel algorithm : {AddKernel::kLookback, AddKernel::kTwoPass, AddKernel::kRecursive})
        {
            const double reached = bandwidth(algorithm, vector, expected, false);
            note(std::string(nameOf(algorithm)), lengthBits, reached);
            if (algorithm == AddKernel::kLookback) best = reached;
        }
        note("paper-3 until still", lengthBits, bandwidth(AddKernel::kPaper3, vector, expected, true));
        if (lengthBits <= 22) note("paper-3", lengthBits, bandwidth(AddKernel::kPaper3, vector, expected, false));
        std::printf("\n");
        return copy > 0 ? best / copy : 0;
    }

    // Random limbs from a cheap generator.
    static AddVector randomNumbers(std::size_t limbs)
    {
        AddVector vector{"random", Limbs(limbs), Limbs(limbs)};
        std::uint64_t state = 1;
        for (Limbs* number : {&vector.x, &vector.y})
            for (std::uint64_t& limb : *number)
            {
                state = state * 6364136223846793005u + 1442695040888963407u;
                limb = state ^ state >> 29;
            }
        return vector;
    }

    static void heading(const char* what)
    {
        std::printf("%s, GB/s\nbits %18s %18s %18s %18s %18s %18s\n", what, "copy", "lookback", "two-pass", "recursive",
                    "paper-3, still", "paper-3");
    }
};

TEST_F(GpuMultiwordBandwidth, OfRandomNumbers)
{
    heading("random numbers");
    double reached = 0;
    for (const int lengthBits : {20, 22, 24, 26, 28, 30, 32, 33})
        reached = line(lengthBits, randomNumbers(std::size_t(1) << (lengthBits - 6)));
    report({"look-back, 2^33 bits, beside the others", "of a copy", Better::kMore, 0.9, reached, 1});
}

// Every tile looks back to the first.
TEST_F(GpuMultiwordBandwidth, OfACarryThroughAllLimbs)
{
    const int lengthBits = 30;
    const AddVector vector = chainFrom(std::size_t(1) << (lengthBits - 6), 0);
    const AddAnswer expected = schoolbook(vector.x, vector.y, false, false);
    for (const AddKernel algorithm : {AddKernel::kLookback, AddKernel::kTwoPass, AddKernel::kRecursive})
    {
        std::printf("a carry through 2^30 bits, %s, GB/s:", std::string(nameOf(algorithm)).c_str());
        note("chain-" + std::string(nameOf(algorithm)), lengthBits, bandwidth(algorithm, vector, expected, false));
        std::printf("\n");
    }
}

class GpuMultiwordGoals : public GpuMultiwordBandwidth
{
};

TEST_F(GpuMultiwordGoals, LookBackOfLargeNumbers)
{
    const int lengthBits = 33;
    const AddVector vector = randomNumbers(std::size_t(1) << (lengthBits - 6));
    const AddAnswer expected = schoolbook(vector.x, vector.y, false, false);
    const double bytes = 24 * double(vector.x.size()), copy = copyBytesPerSecond();
    report({"copy on the GPU", "GB/s", Better::kMore, kNoGoal, copy * 1e-9});
    const double reached = 1e9 * bandwidth(AddKernel::kLookback, vector, expected, false);
    report({"look-back, 2^33 bits", "of a copy", Better::kMore, 0.9, reached / copy, 1});
    if (reached > 0)
        report({"look-back, 2^33 bits", "us", Better::kLess, kNoGoal, bytes / reached * 1e6, bytes / copy * 1e6});
}

}  // namespace
}  // namespace orogen::test
