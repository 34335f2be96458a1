// The device layer: what is launched through the table of CUDA calls, and what happens when one of them fails.
#include <type_traits>

#include <gtest/gtest.h>

#include "compute/device/discovery.h"
#include "compute/device/kernel_target.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "tests/compute/add_vectors.h"
#include "tests/compute/fake_cuda.h"

namespace orogen::test {
namespace {

using namespace compute;

constexpr CudaCode kHarmless[] = {cuda_code::kInvalidValue, cuda_code::kOutOfMemory, cuda_code::kOutOfResources};
constexpr CudaCode kSticky[] = {cuda_code::kNoDriver,       cuda_code::kNoDevice,      3,
                                cuda_code::kIllegalAddress, cuda_code::kLaunchFailure, cuda_code::kUnknown};

struct Attempt
{
    bool done = false, right = false;
    Error error;
};

Attempt add(AddKernel algorithm, const AddVector& vector, Cuda& cuda, int gpu = 0)
{
    AddAnswer found{Limbs(vector.x.size()), false};
    const Result<AddKernelRun> run = addOnCuda(algorithm, {vector.x, vector.y, found.result, true}, gpu, {}, cuda);
    if (!run) return {false, false, run.error()};
    found.carryOut = run->carryOut;
    return {true, found == schoolbook(vector.x, vector.y, true, false), {}};
}

TEST(CudaDevice, AdditionsRunThroughTheTable)
{
    for (const AddKernel algorithm : kAddKernels)
    {
        FakeCuda fake;
        {
            Cuda cuda(fake.table());
            const Attempt attempt = add(algorithm, chainsOf(5000, 3), cuda, 1);
            EXPECT_TRUE(attempt.done) << attempt.error.message;
            EXPECT_TRUE(attempt.right) << nameOf(algorithm);
        }
        EXPECT_EQ(fake.misuse, std::vector<std::string>{});
        EXPECT_EQ(fake.live(), 0u);
        EXPECT_EQ(fake.device, 1);
    }
}

TEST(CudaDevice, LongNumbersTravelInPieces)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    for (const std::size_t limbs : {(1u << 19) - 1, 1u << 19, (1u << 19) + 1, 3u << 19, (3u << 19) + 5})
        EXPECT_TRUE(add(AddKernel::kLookback, chainsOf(limbs, limbs), cuda).right) << limbs;
    EXPECT_EQ(fake.misuse, std::vector<std::string>{});
}

TEST(CudaDevice, OperandsMayBeTheResult)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    const AddVector vector = chainsOf(3000, 5);
    const AddAnswer expected = schoolbook(vector.x, vector.y, false, true);
    const AddAnswer twice = schoolbook(vector.x, vector.x, false, false);
    for (const AddKernel algorithm : kAddKernels)
    {
        Limbs x = vector.x, y = vector.y, both = vector.x;
        ASSERT_TRUE(addOnCuda(algorithm, {x, vector.y, x, false, true}, 0, {}, cuda));
        ASSERT_TRUE(addOnCuda(algorithm, {vector.x, y, y, false, true}, 0, {}, cuda));
        ASSERT_TRUE(addOnCuda(algorithm, {both, both, both}, 0, {}, cuda));
        EXPECT_EQ(x, expected.result);
        EXPECT_EQ(y, expected.result);
        EXPECT_EQ(both, twice.result);
    }
}

TEST(CudaDevice, RepeatedRunsGiveTheSameSum)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    const AddVector vector = chainFrom(5000, 3);
    AddKernelOptions options;
    options.repeats = 3;
    for (const AddKernel algorithm : kAddKernels)
    {
        AddAnswer found{Limbs(5000), false};
        const Result<AddKernelRun> run = addOnCuda(algorithm, {vector.x, vector.y, found.result}, 0, options, cuda);
        ASSERT_TRUE(run);
        found.carryOut = run->carryOut;
        EXPECT_TRUE(found == schoolbook(vector.x, vector.y, false, false)) << nameOf(algorithm);
        EXPECT_EQ(run->ms.kernel, 0.5);
        EXPECT_EQ(run->executor.blocks, 0u);  // the fake's executor is no business of the result
    }
}

std::uint64_t callsOf(AddKernel algorithm, const AddVector& vector)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    EXPECT_TRUE(add(algorithm, vector, cuda).right);
    return fake.made;
}

TEST(CudaDevice, AfterAHarmlessErrorNothingIsLostAndCudaGoesOn)
{
    const AddVector vector = chainsOf(300, 9);
    for (const AddKernel algorithm : kAddKernels)
        for (std::uint64_t k = 1, calls = callsOf(algorithm, vector); k <= calls; ++k)
            for (const CudaCode code : kHarmless)
            {
                SCOPED_TRACE(std::string(nameOf(algorithm)) + ", call " + std::to_string(k) + " of " +
                             std::to_string(calls) + ", code " + std::to_string(code));
                FakeCuda fake;
                fake.failAt = k, fake.failWith = code;
                Cuda cuda(fake.table());
                const Attempt first = add(algorithm, vector, cuda);
                EXPECT_EQ(first.done, first.right);
                // A release that fails, at the end, leaves one thing behind; every other failure is an error.
                EXPECT_EQ(fake.live(), first.done ? 1u : 0u);
                EXPECT_TRUE(cuda.usable());
                if (!first.done)
                {
                    EXPECT_EQ(first.error.code, code == cuda_code::kOutOfMemory ? ExitCode::kLimit : ExitCode::kDevice);
                    EXPECT_NE(first.error.message.find("(CUDA error " + std::to_string(code) + ")"), std::string::npos);
                }
                EXPECT_TRUE(add(algorithm, vector, cuda).right);
                EXPECT_EQ(fake.misuse, std::vector<std::string>{});
                if (HasFailure()) return;
            }
}

TEST(CudaDevice, AfterAStickyErrorCudaIsNotCalledAgain)
{
    const AddVector vector = chainsOf(300, 9);
    for (const AddKernel algorithm : kAddKernels)
        for (std::uint64_t k = 1, calls = callsOf(algorithm, vector); k <= calls; ++k)
            for (const CudaCode code : kSticky)
            {
                SCOPED_TRACE(std::string(nameOf(algorithm)) + ", call " + std::to_string(k) + " of " +
                             std::to_string(calls) + ", code " + std::to_string(code));
                FakeCuda fake;
                fake.failAt = k, fake.failWith = code;
                Cuda cuda(fake.table());
                const Attempt first = add(algorithm, vector, cuda);
                EXPECT_EQ(first.done, first.right);
                EXPECT_EQ(fake.made, k);
                const Attempt second = add(algorithm, vector, cuda);
                const CudaReport report = discoverCuda(cuda);
                EXPECT_EQ(fake.made, k);
                EXPECT_FALSE(second.done);
                EXPECT_EQ(second.error.code, ExitCode::kDevice);
                ASSERT_FALSE(cuda.usable());
                EXPECT_EQ(second.error.message, cuda.usable().error().message);
                EXPECT_EQ(second.error.message.rfind("cuda", 0), 0u) << second.error.message;
                EXPECT_FALSE(report.available);
                EXPECT_EQ(report.reason, second.error.message);
                if (HasFailure()) return;
            }
}

TEST(CudaDevice, MemoryThatDoesNotSufficeIsNamed)
{
    FakeCuda fake;
    fake.memoryLimit = 100'000;
    Cuda cuda(fake.table());
    const Attempt large = add(AddKernel::kLookback, chainsOf(10'000, 1), cuda);
    EXPECT_FALSE(large.done);
    EXPECT_EQ(large.error.code, ExitCode::kLimit);
    EXPECT_NE(large.error.message.find("80000 bytes: cudaMalloc"), std::string::npos) << large.error.message;
    EXPECT_EQ(fake.live(), 0u);
    EXPECT_TRUE(add(AddKernel::kLookback, chainsOf(1'000, 1), cuda).right);
}

// A cooperative launch has no more blocks than the GPU holds at once: the fake one holds 2.
TEST(CudaDevice, GridBarriersFitTheDevice)
{
    FakeCuda fake;
    fake.multiprocessors = 2, fake.blocksOfEach = 1;
    Cuda cuda(fake.table());
    const Attempt attempt = add(AddKernel::kPaper3, chainsOf(3000, 2), cuda);
    EXPECT_TRUE(attempt.right) << attempt.error.message;
    fake.blocksOfEach = 0;
    EXPECT_EQ(add(AddKernel::kPaper3, chainsOf(3000, 2), cuda).error.code, ExitCode::kLimit);
}

TEST(CudaDevice, GpuThatIsNotThere)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    for (const int gpu : {-1, 2, 100})
    {
        const Result<CudaGpu> opened = CudaGpu::open(cuda, gpu);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, ExitCode::kDevice);
        EXPECT_NE(opened.error().message.find("CUDA lists 2"), std::string::npos) << opened.error().message;
    }
    EXPECT_TRUE(CudaGpu::open(cuda, 1));
}

TEST(CudaDevice, DiscoveryListsDevicesOrSaysWhyNot)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    const CudaReport report = discoverCuda(cuda);
    EXPECT_TRUE(report.available && report.built);
    EXPECT_EQ(report.devices.size(), 2u);
    EXPECT_EQ(report.devices.at(1).index, 1);
    EXPECT_EQ(report.reason, "");
    EXPECT_EQ(report.runtimeVersion, 13000);

    FakeCuda none;
    none.devices = 0;
    Cuda without(none.table());
    EXPECT_FALSE(discoverCuda(without).available);
    EXPECT_EQ(discoverCuda(without).reason, "cudaGetDeviceCount: fake error 100 (CUDA error 100)");
}

// CUDA itself says that the driver is too old.
TEST(CudaDevice, ADriverThatIsNotThereIsNamed)
{
    FakeCuda fake;
    CudaCalls calls = fake.table();
    calls.driverVersion = [](int* version) { return *version = 0, cuda_code::kDone; };
    calls.deviceCount = [](int*) { return cuda_code::kNoDriver; };
    Cuda cuda(std::move(calls));
    const CudaReport report = discoverCuda(cuda);
    EXPECT_FALSE(report.available);
    EXPECT_NE(report.reason.find("there is no NVIDIA driver"), std::string::npos) << report.reason;
    EXPECT_EQ(report.runtimeVersion, 13000);
}

TEST(CudaDevice, BuildWithoutCudaAnswersWithTheReason)
{
    Cuda cuda{CudaCalls{}};
    EXPECT_FALSE(discoverCuda(cuda).built);
    EXPECT_EQ(discoverCuda(cuda).reason, "built without CUDA");
    const Attempt attempt = add(AddKernel::kTwoPass, chainsOf(10, 1), cuda);
    EXPECT_FALSE(attempt.done);
    EXPECT_EQ(attempt.error.code, ExitCode::kDevice);
    EXPECT_EQ(attempt.error.message, "built without CUDA");
}

// The CUDA that this program was really built with.
TEST(CudaDevice, MachineWithoutAGpuIsAnErrorWithAReason)
{
    const CudaReport report = discoverCuda();
    if (report.available) GTEST_SKIP() << "there is a GPU: " << report.devices.front().name;
    EXPECT_NE(report.reason, "");
    const Attempt attempt = add(AddKernel::kLookback, chainsOf(10, 1), processCuda());
    EXPECT_FALSE(attempt.done);
    EXPECT_EQ(attempt.error.code, ExitCode::kDevice);
    EXPECT_EQ(attempt.error.message, report.reason);
}

template <class Owner>
constexpr bool isMoveOnly = std::is_nothrow_move_constructible_v<Owner>&& std::is_nothrow_move_assignable_v<Owner> &&
                            !std::is_copy_constructible_v<Owner> && !std::is_copy_assignable_v<Owner>;
static_assert(isMoveOnly<CudaMemory> && isMoveOnly<PinnedMemory> && isMoveOnly<CudaStream> && isMoveOnly<CudaEvent>);
static_assert(isMoveOnly<TargetMemory>);

TEST(CudaDevice, OwnersReleaseOnce)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    const Result<CudaGpu> gpu = CudaGpu::open(cuda, 0);
    ASSERT_TRUE(gpu);
    {
        CudaMemory memory = std::move(*gpu->allocate(100)), other = std::move(*gpu->allocate(50));
        PinnedMemory pinned = std::move(*gpu->allocatePinned(10));
        CudaStream stream = std::move(*gpu->createStream());
        CudaEvent event = std::move(*gpu->createEvent());
        EXPECT_EQ(fake.live(), 5u);
        CudaMemory moved = std::move(memory);
        EXPECT_EQ(memory.get(), nullptr);
        other = std::move(moved);
        EXPECT_NE(other.get(), nullptr);
    }
    EXPECT_EQ(fake.live(), 0u);
    EXPECT_EQ(fake.misuse, std::vector<std::string>{});
}

}  // namespace
}  // namespace orogen::test
