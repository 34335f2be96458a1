// A stop of a multiword run takes effect between bounded pieces of work, counted in launches, copies and limbs,
// independent of other load.
#include <algorithm>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compute/multiword/integer_text.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/multiword.h"
#include "tests/compute/add_vectors.h"
#include "tests/compute/fake_cuda.h"

namespace orogen::test {
namespace {

using namespace compute;

// Fake GPU that requests a stop within the n-th call of a kind.
struct StoppingGpu
{
    FakeCuda fake;
    std::stop_source source;
    int launches = 0, copies = 0;
    std::size_t bytesAfterStop = 0;
    CudaCalls calls = fake.table();

    StoppingGpu(int stopAtLaunch, int stopAtCopy)
    {
        calls.launch = [=, this, launch = calls.launch](const KernelEntry& kernel, const LaunchShape& shape,
                                                        void* arguments, void* stream) {
            if (++launches == stopAtLaunch) source.request_stop();
            return launch(kernel, shape, arguments, stream);
        };
        calls.copy = [=, this, copy = calls.copy](void* to, const void* from, std::size_t bytes,
                                                  CopyDirection direction, void* stream) {
            if (source.stop_requested()) bytesAfterStop += bytes;
            if (++copies == stopAtCopy) source.request_stop();
            return copy(to, from, bytes, direction, stream);
        };
    }

    ExitCode add(AddKernel algorithm, const AddVector& vector, std::uint64_t launchSteps)
    {
        Cuda cuda(calls);
        Limbs sum(vector.x.size());
        AddKernelOptions options;
        options.launchSteps = launchSteps;
        options.paper3Threads = 64;
        options.stop = source.get_token();
        const Result<AddKernelRun> run = addOnCuda(algorithm, {vector.x, vector.y, sum}, 0, options, cuda);
        EXPECT_TRUE(fake.misuse.empty()) << fake.misuse.front();
        return run ? ExitCode::kDone : run.error().code;
    }
};

TEST(MultiwordStops, NoKernelIsLaunchedAfterAStop)
{
    const AddVector vector = chainFrom(9000, 3);
    for (const AddKernel algorithm : kAddKernels)
    {
        StoppingGpu whole(0, 0);
        EXPECT_EQ(whole.add(algorithm, vector, 1), ExitCode::kDone);
        ASSERT_GT(whole.launches, 4) << nameOf(algorithm);
        for (const int at : {1, 2, whole.launches / 2, whole.launches - 1})
        {
            StoppingGpu stopped(at, 0);
            EXPECT_EQ(stopped.add(algorithm, vector, 1), ExitCode::kInterrupted) << nameOf(algorithm) << ", " << at;
            EXPECT_LE(stopped.launches, at + 1) << nameOf(algorithm);  // one launch too short to be cut may follow
        }
    }
}

TEST(MultiwordStops, TransfersEndWithinAPiece)
{
    constexpr std::size_t kPiece = std::size_t(32) << 20, kLimbs = 5 * kPiece / 4 / sizeof(std::uint64_t);
    AddVector vector{"zeros", Limbs(kLimbs), Limbs(kLimbs)};
    StoppingGpu stopped(0, 2);
    EXPECT_EQ(stopped.add(AddKernel::kLookback, vector, 0), ExitCode::kInterrupted);
    EXPECT_EQ(stopped.launches, 0);
    EXPECT_LT(stopped.bytesAfterStop, kPiece);
}

// Counts the limbs that a CPU algorithm writes if it is stopped before it begins.
TEST(MultiwordStops, AlgorithmsOfTheCpuWriteNoMoreThanAPiece)
{
    constexpr std::size_t kLimbs = 3 * kLimbsBetweenLooks;
    constexpr Limb kPoison = 0xbadc0ffee0ddf00d;
    std::stop_source source;
    source.request_stop();
    const Limbs ones(kLimbs, kOnes), zeros(kLimbs, 0);
    for (const CpuAlgorithm algorithm : kCpuAlgorithms)
        for (const int threads : {1, 3})
        {
            Limbs sum(kLimbs, kPoison);
            CpuAdder adder({.algorithm = algorithm, .threads = threads, .limbsPerThread = 1024});
            adder.add({ones, zeros, sum}, source.get_token());
            const auto written = kLimbs - std::size_t(std::count(sum.begin(), sum.end(), kPoison));
            EXPECT_LE(written, std::size_t(threads)) << nameOf(algorithm);
        }
}

TEST(MultiwordStops, TextIsGivenUp)
{
    std::stop_source source;
    source.request_stop();
    const std::string digits(1000, '7');
    for (const Radix radix : {Radix::kHexadecimal, Radix::kDecimal})
    {
        const Result<LimbBuffer> number = parseInteger(digits, radix, "A", source.get_token());
        ASSERT_FALSE(number);
        EXPECT_EQ(number.error().code, ExitCode::kInterrupted);
    }
    const Limbs number(1000, 7);
    EXPECT_LT(integerText(number, false, Radix::kHexadecimal, source.get_token()).size(), 17u);
}

}  // namespace
}  // namespace orogen::test
