// Device layer: launches through the table of CUDA calls, and the failure of each call.
#include <type_traits>

#include <gtest/gtest.h>

#include "compute/device/copy_bandwidth.h"
#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"
#include "compute/device/staging.h"
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

// Runs one addition in launches of fixed length, so that the sequence of CUDA calls is reproducible.
Attempt add(AddKernel algorithm, const AddVector& vector, Cuda& cuda, int gpu = 0)
{
    AddAnswer found{Limbs(vector.x.size()), false};
    const Result<AddKernelRun> run =
        addOnCuda(algorithm, {vector.x, vector.y, found.result, true}, gpu, {.launchSteps = 64}, cuda);
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
        EXPECT_EQ(run->executor.blocks, 0u);  // the result does not contain the fake's executor
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
    const AddVector vector = chainsOf(60, 9);
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
                // A failed release at the end leaks one object but gives no error; every other failed call is an error.
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
    const AddVector vector = chainsOf(60, 9);
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

// A cooperative launch has no more blocks than are resident at once: 2 on the fake.
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

CudaDevice gpuOf(int index, const std::string& name, int capability, const std::string& uuid = "")
{
    return {.index = index,
            .name = name,
            .major = capability / 10,
            .minor = capability % 10,
            .memoryBytes = 1 << 30,
            .multiprocessors = 2,
            .uuid = uuid};
}

TEST(KernelImages, RunWhereTheirMachineCodeOrPtxDoes)
{
    const struct
    {
        const char* architectures;
        int capability;
        const char* refusal;
    } cases[] = {
        {"75-virtual 90-real", 61, "no kernel image for sm_61; this program has 7.5 and newer"},
        {"75-virtual 90-real", 75, ""},
        {"75-virtual 90-real", 120, ""},
        {"75-real 80-real 86-real 89-real 90", 70, "no kernel image for sm_70; this program has 7.5 and newer"},
        {"75-real 80-real 86-real 89-real 90", 87, ""},
        {"75-real 80-real 86-real 89-real 90", 103, ""},
        {"86-real", 86, ""},
        {"86-real", 89, ""},
        {"86-real", 80, "no kernel image for sm_80; this program has 8.6"},
        {"75-real 86-real", 90, "no kernel image for sm_90; this program has 7.5, 8.6"},
        {"75-real 90", 86, "no kernel image for sm_86; this program has 7.5, 9.0 and newer"},
        {"90a-real 75-real", 100, "no kernel image for sm_100; this program has 7.5, 9.0"},
        {"", 35, ""},
        {"native", 35, ""},
    };
    for (const auto& [architectures, capability, refusal] : cases)
        EXPECT_EQ(kernelRefusal(architectures, capability / 10, capability % 10), refusal) << architectures;
}

TEST(CudaDevice, OneThatTheKernelsDoNotRunOnIsRefusedByNameBeforeAnyLaunch)
{
    FakeCuda fake;
    fake.described = {gpuOf(0, "GTX 1080", 61), gpuOf(1, "GTX 1070", 61)};
    {
        Cuda cuda(fake.table());
        const CudaReport report = discoverCuda(cuda);
        EXPECT_FALSE(report.available);
        EXPECT_EQ(report.reason, "GTX 1080: no kernel image for sm_61; this program has 7.5 and newer");
        EXPECT_EQ(report.devices.size(), 2u);
        const Attempt attempt = add(AddKernel::kLookback, chainsOf(10, 1), cuda, 1);
        EXPECT_EQ(attempt.error.code, ExitCode::kDevice);
        EXPECT_EQ(attempt.error.message, "GPU 1, GTX 1070: no kernel image for sm_61; this program has 7.5 and newer");
        EXPECT_TRUE(cuda.usable());
    }
    EXPECT_EQ(fake.device, -1) << "it was never made current";
    fake.described[1] = gpuOf(1, "RTX 3080", 86);
    Cuda cuda(fake.table());
    EXPECT_TRUE(discoverCuda(cuda).available);
    EXPECT_TRUE(CudaGpu::open(cuda, 1));
}

TEST(CudaDevice, TheOneOfOpenGlIsPreferredByUuidElseByName)
{
    FakeCuda fake;
    fake.devices = 4;
    fake.described = {gpuOf(0, "GTX 1080", 61, "GPU-a"), gpuOf(1, "RTX 3080", 86, "GPU-b"),
                      gpuOf(2, "RTX 3080 Ti", 86, "GPU-c"), gpuOf(3, "RTX 3080", 86, "GPU-d")};
    Cuda cuda(fake.table());
    const auto preferredFor = [&](const GpuIdentity& gpu) {
        setPreferredGpu(gpu);
        const CudaReport report = discoverCuda(cuda);
        EXPECT_EQ(report.devices.front().index, preferredCudaDevice(report));
        EXPECT_EQ(report.devices.size(), 4u);
        return preferredCudaDevice(report);
    };
    EXPECT_EQ(preferredFor({}), 1) << "the first that kernels run on";
    EXPECT_EQ(preferredFor({"GPU-d", "NVIDIA RTX 3080/PCIe/SSE2"}), 3);
    EXPECT_EQ(preferredFor({"", "NVIDIA RTX 3080 Ti/PCIe/SSE2"}), 2);
    EXPECT_EQ(preferredFor({"GPU-a", "NVIDIA GTX 1080/PCIe/SSE2"}), 1) << "no kernel runs on it";
    EXPECT_EQ(preferredFor({"GPU-elsewhere", "llvmpipe"}), 1);
    setPreferredGpu({});
}

TEST(CudaDevice, UuidsAreWrittenAsTheDriversToolsDo)
{
    const unsigned char bytes[16] = {0x5f, 0xd4, 0xf0, 0x87, 0x86, 0xf3, 0x7a, 0x43,
                                     0xb7, 0x11, 0x47, 0x71, 0x31, 0x3a, 0xfc, 0x50};
    EXPECT_EQ(uuidText(bytes), "GPU-5fd4f087-86f3-7a43-b711-4771313afc50");
}

TEST(CudaDevice, WhatIsKnownAsksNoDriver)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    EXPECT_EQ(knownCuda(cuda), nullptr);
    EXPECT_EQ(fake.made, 0u);
    discoverCuda(cuda);
    const std::uint64_t made = fake.made;
    ASSERT_NE(knownCuda(cuda), nullptr);
    EXPECT_EQ(knownCuda(cuda)->devices.size(), 2u);
    EXPECT_EQ(fake.made, made);
    fake.failAt = made + 1, fake.failWith = cuda_code::kIllegalAddress;
    discoverCuda(cuda);
    EXPECT_FALSE(knownCuda(cuda)->available) << "after a sticky error nothing is";
    Cuda without{CudaCalls{}};
    ASSERT_NE(knownCuda(without), nullptr);
    EXPECT_EQ(knownCuda(without)->reason, "built without CUDA");
}

// ---- a target's transfers and its memory ----

TEST(CudaTarget, TransfersOfAnyLengthArriveWhole)
{
    constexpr std::size_t kPiece = Staging::kPieceBytes;
    FakeCuda fake;
    {
        Cuda cuda(fake.table());
        const auto target = makeCudaTarget(cuda, 0);
        ASSERT_TRUE(target);
        for (const std::size_t bytes : {std::size_t(0), std::size_t(1), kPiece - 1, kPiece, kPiece + 1,
                                        Staging::kPieces * kPiece + 3, (2 * Staging::kPieces + 1) * kPiece - 5})
        {
            std::vector<std::uint32_t> sent(bytes / 4 + 1), found(sent.size());
            for (std::size_t i = 0; i < sent.size(); ++i)
                sent[i] = std::uint32_t(i * 2654435761u + bytes);
            const std::vector<std::uint32_t> expected = sent;
            const auto memory = (*target)->allocate(bytes + 1);
            ASSERT_TRUE(memory);
            ASSERT_TRUE((*target)->upload(memory->as<void>(), sent.data(), bytes));
            std::ranges::fill(sent, 0u);  // the data may change once upload returns
            ASSERT_TRUE((*target)->download(found.data(), memory->as<void>(), bytes));
            EXPECT_EQ(std::memcmp(found.data(), expected.data(), bytes), 0) << bytes;
        }
    }
    EXPECT_EQ(fake.misuse, std::vector<std::string>{});
    EXPECT_EQ(fake.live(), 0u);
}

TEST(CudaTarget, SmallTransfersNeedOnePiece)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    const auto target = makeCudaTarget(cuda, 0);
    const std::size_t before = fake.live();
    const auto memory = (*target)->allocate(64);
    std::uint64_t words[8] = {};
    ASSERT_TRUE((*target)->upload(memory->as<void>(), words, sizeof(words)));
    ASSERT_TRUE((*target)->download(words, memory->as<void>(), sizeof(words)));
    EXPECT_EQ(fake.live(), before + 3) << "the memory, a pinned piece, its event";
}

TEST(CudaTarget, ATransferEndsAtAStop)
{
    FakeCuda fake;
    Cuda cuda(fake.table());
    std::stop_source stop;
    const auto target = makeCudaTarget(cuda, 0, stop.get_token());
    ASSERT_TRUE(target);
    std::vector<char> bytes(3 * Staging::kPieceBytes);
    const auto memory = (*target)->allocate(bytes.size());
    ASSERT_TRUE((*target)->upload(memory->as<void>(), bytes.data(), bytes.size()));
    stop.request_stop();
    EXPECT_EQ((*target)->upload(memory->as<void>(), bytes.data(), bytes.size()).error().code, ExitCode::kInterrupted);
    EXPECT_EQ((*target)->download(bytes.data(), memory->as<void>(), bytes.size()).error().code, ExitCode::kInterrupted);
}

TEST(CudaTarget, SaysItsGpuAndWhatMemoryIsFree)
{
    FakeCuda fake;
    fake.memoryLimit = 1000;
    Cuda cuda(fake.table());
    const auto target = makeCudaTarget(cuda, 1);
    ASSERT_TRUE((*target)->gpu());
    EXPECT_EQ((*target)->gpu()->index, 1);
    EXPECT_EQ(*(*target)->freeMemory(), 1000u);
    const auto memory = (*target)->allocate(600);
    EXPECT_EQ(*(*target)->freeMemory(), 400u);
    EXPECT_EQ(makeHostTarget({})->gpu(), nullptr);
    EXPECT_GT(*makeHostTarget({})->freeMemory(), 0u);
}

// The fake's clock always reports half a millisecond, for four copies.
TEST(CudaTarget, CopyBandwidthIsMeasuredOnceAGpuThatHasRoomForBothBlocks)
{
    FakeCuda fake;
    fake.memoryLimit = 2 * kCopiedBytes - 1;
    fake.described = {gpuOf(0, "first", 90, "GPU-first"), gpuOf(1, "other", 90, "GPU-other")};
    Cuda cuda(fake.table());
    const auto target = makeCudaTarget(cuda, 0);
    const Result<double> without = copyBandwidth(**target);
    ASSERT_FALSE(without) << "smaller blocks fit into the cache: " << *without;
    EXPECT_EQ(without.error().code, ExitCode::kLimit);
    fake.memoryLimit = 2 * kCopiedBytes;
    const Result<double> found = copyBandwidth(**target);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_DOUBLE_EQ(*found, 2 * 4 * double(kCopiedBytes) / 0.5e-3);
    const std::uint64_t made = fake.made;
    EXPECT_EQ(*copyBandwidth(**target), *found);
    EXPECT_EQ(fake.made, made);
    EXPECT_EQ(*(*target)->freeMemory(), fake.memoryLimit);
    EXPECT_EQ(fake.misuse, std::vector<std::string>{});
}

// Expects the message for a driver that is older than the CUDA runtime.
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

// Uses the CUDA runtime of this build.
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
