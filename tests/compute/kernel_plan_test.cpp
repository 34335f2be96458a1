// Kernel plans for described GPUs: known occupancies, and waves and bytes counted by hand. The plans of all modules
// must keep memory busy and the GPU full, or state why not.
#include <string>

#include <gtest/gtest.h>

#include "compute/device/kernel_plan.h"
#include "compute/linear_algebra/dev_matrix.h"
#include "compute/linear_algebra/kernels/planned_solves.h"
#include "compute/multiword/kernels/planned_additions.h"
#include "compute/signed_digit/kernels/planned_decimals.h"

namespace orogen::test {
namespace {

using namespace compute;

constexpr KernelEntry kKernel{"planned", nullptr, nullptr};

GpuDescription described(std::string_view name)
{
    for (const GpuDescription& gpu : describedGpus())
        if (gpu.name == name) return gpu;
    ADD_FAILURE() << name;
    return {};
}

// "Calculating Occupancy" in the CUDA C++ Best Practices Guide: 37 registers on compute capability 7.0.
TEST(Occupancy, IsThatOfTheBestPracticesGuide)
{
    const GpuDescription volta{"7.0", 70, 80, 64, 32, 65536, 96 << 10, 9e11, 5e-7};
    EXPECT_EQ(residentBlocks(volta, {37, 0}, 128), 12u);  // 75 %
    EXPECT_EQ(residentBlocks(volta, {37, 0}, 320), 4u);   // 63 %
}

TEST(Occupancy, IsLimitedByWhatRunsOutFirst)
{
    const GpuDescription h200 = described("H200"), ampere = described("RTX 3080"), ada = described("RTX 4060");
    EXPECT_EQ(residentBlocks(h200, {32, 0}, 256), 8u);  // limited by warps
    EXPECT_EQ(residentBlocks(ampere, {32, 0}, 256), 6u);
    EXPECT_EQ(residentBlocks(ampere, {32, 0}, 1024), 1u);
    EXPECT_EQ(residentBlocks(h200, {16, 0}, 32), 32u);  // limited by blocks
    EXPECT_EQ(residentBlocks(ampere, {16, 0}, 32), 16u);
    EXPECT_EQ(residentBlocks(ada, {16, 0}, 32), 24u);
    EXPECT_EQ(residentBlocks(h200, {64, 0}, 256), 4u);  // limited by registers
    EXPECT_EQ(residentBlocks(ampere, {255, 0}, 256), 1u);
    EXPECT_EQ(residentBlocks(ada, {72, 0}, 1024), 0u);
    EXPECT_EQ(residentBlocks(h200, {32, 48 << 10}, 128), 4u);  // limited by shared memory
    EXPECT_EQ(residentBlocks(ampere, {32, 48 << 10}, 128), 2u);
}

TEST(GpuDescriptions, WantBytesInFlight)
{
    EXPECT_NEAR(described("H200").bytesInFlightWanted(), 25'000, 1'000);
    EXPECT_NEAR(described("RTX 3080").bytesInFlightWanted(), 6'000, 300);
    EXPECT_NEAR(described("RTX 4060").bytesInFlightWanted(), 6'000, 300);
}

PlannedLaunch launchOf(unsigned blocks, unsigned threads, double bytesInFlight, std::string note = {})
{
    return {"kernel", "size", kKernel, {{blocks}, {threads}}, 3000, 2000, bytesInFlight, std::move(note)};
}

TEST(KernelPlans, CountWavesAndBytes)
{
    const GpuDescription h200 = described("H200");
    const KernelPlan plan = planOn(h200, {32, 0}, launchOf(132 * 12, 256, 16));
    EXPECT_EQ(plan.residentBlocks, 132u * 8);
    EXPECT_EQ(plan.waves, 2u);
    EXPECT_DOUBLE_EQ(plan.lastWaveIdle, 0.5);
    EXPECT_DOUBLE_EQ(plan.warpsShare, 0.75);
    EXPECT_DOUBLE_EQ(plan.bytesInFlight, 16 * 256 * 8);
    EXPECT_EQ(plan.bytes, 3000);
    EXPECT_EQ(plan.floorBytes, 2000);
    EXPECT_EQ(plan.gpu, "H200");
    const KernelPlan full = planOn(h200, {32, 0}, launchOf(132 * 8, 256, 16));
    EXPECT_EQ(full.waves, 1u);
    EXPECT_EQ(full.lastWaveIdle, 0);
    EXPECT_EQ(full.warpsShare, 1);
}

TEST(KernelPlans, SayWhyOnlyWhereThereIsSomethingToSay)
{
    const GpuDescription h200 = described("H200");
    const auto noteOf = [&](const PlannedLaunch& launch) { return planOn(h200, {32, 0}, launch).note; };
    EXPECT_EQ(noteOf(launchOf(132 * 8, 256, 16, "a reason")), "");
    EXPECT_EQ(noteOf(launchOf(132 * 8, 256, 4, "a reason")), "a reason");
    EXPECT_EQ(noteOf(launchOf(132 * 16, 256, 4)), "");  // a test of the module's plans fails in this case
    EXPECT_EQ(noteOf(launchOf(132 * 12, 256, 16)), "");
    EXPECT_EQ(noteOf(launchOf(132 * 12, 256, 32)), "the last wave still has 32.8 KB in flight");
    EXPECT_EQ(noteOf(launchOf(132 * 8 * 40 + 1, 256, 16)), "41 waves: 2.4 % of all places");
    EXPECT_EQ(noteOf(launchOf(7, 256, 1)), "small: each thread has done after a few loads");  // 1,792 of 3,000 bytes
    EXPECT_EQ(noteOf(launchOf(2, 256, 1)), "");
}

TEST(KernelPlans, NameAKernelThatTheTableLacks)
{
    const Result<std::vector<KernelPlan>> plans =
        planKernels([](const ResidentBlocks&) { return std::vector{launchOf(1, 32, 4)}; });
    ASSERT_FALSE(plans);
    EXPECT_EQ(plans.error().code, ExitCode::kDevice);
    EXPECT_NE(plans.error().message.find("planned is not in kernel_resources.def"), std::string::npos);
}

void expectSound(const PlannedLaunches& launches)
{
    const Result<std::vector<KernelPlan>> plans = planKernels(launches);
    ASSERT_TRUE(plans) << plans.error().message;
    EXPECT_GT(plans->size(), 0u);
    for (const KernelPlan& plan : *plans)
    {
        SCOPED_TRACE(plan.name + ", " + plan.size + ", " + plan.gpu);
        EXPECT_TRUE(needsNoNote(plan) || !plan.note.empty())
            << plan.bytesInFlight << " of " << plan.bytesInFlightWanted << " B in flight, " << plan.lastWaveIdle
            << " of the last of " << plan.waves << " waves idle";
        EXPECT_GE(plan.bytes, plan.floorBytes);
        EXPECT_GT(plan.floorBytes, 0);
        EXPECT_LE(plan.warpsShare, 1);
    }
}

TEST(KernelPlans, OfMultiwordKeepTheGpuBusyOrSayWhyNot) { expectSound(plannedAdditions); }
TEST(KernelPlans, OfSolvesKeepTheGpuBusyOrSayWhyNot) { expectSound(plannedSolves); }
TEST(KernelPlans, OfProductsSayWhatBoundsThem) { expectSound(plannedProducts); }
TEST(KernelPlans, OfSignedDigitKeepTheGpuBusyOrSayWhyNot) { expectSound(plannedDecimals); }

}  // namespace
}  // namespace orogen::test
