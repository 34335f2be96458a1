// Planned launches of multiword addition equal the actual ones, and each keeps enough memory accesses in flight.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "compute/multiword/kernels/add_method.h"
#include "compute/multiword/kernels/planned_additions.h"

namespace orogen::test {
namespace {

using namespace compute;

constexpr unsigned kResident = 264;

// Target that only records the requested kernels; its memory addresses are plain numbers.
class NotedTarget final : public KernelTarget
{
public:
    std::multimap<std::string, LaunchShape> launches;

    Result<TargetMemory> allocate(std::size_t bytes) override
    {
        next_ += (bytes + 255) / 256 * 256;
        return TargetMemory(*this, reinterpret_cast<void*>(next_), bytes);
    }
    Status fill(const TargetMemory&, int) override { return Status::ok(); }
    Status upload(void*, const void*, std::size_t) override { return Status::ok(); }
    Status download(void*, const void*, std::size_t) override { return Status::ok(); }
    Status copy(void*, const void*, std::size_t) override { return Status::ok(); }
    Result<unsigned> residentBlocks(const KernelEntry&, unsigned) override { return kResident; }
    Status startClock() override { return Status::ok(); }
    Result<double> stopClock() override { return 1.0; }
    Status finish() override { return Status::ok(); }

private:
    Status launchEntry(const KernelEntry& kernel, const LaunchShape& shape, void*) override
    {
        launches.emplace(kernel.name, shape);
        return Status::ok();
    }
    void release(void*, std::size_t) override {}

    std::uintptr_t next_ = 256;
};

std::multimap<std::string, LaunchShape> launchesFor(AddKernel algorithm, std::uint64_t limbs)
{
    NotedTarget target;
    const auto method = makeAddMethod(algorithm, {.launchSteps = ~std::uint64_t(0)});
    EXPECT_TRUE(method->allocate(target, limbs));
    EXPECT_TRUE(method->run(target, {nullptr, nullptr, nullptr, limbs, 0, 0}, nullptr, {}));
    return target.launches;
}

std::vector<PlannedLaunch> plan()
{
    return plannedAdditions([](const KernelEntry&, unsigned) { return kResident; });
}

TEST(PlannedAdditions, AreTheLaunchesThatAreMade)
{
    for (const AddKernel algorithm : kAddKernels)
        for (const int lengthBits : {24, 30, 33})
        {
            std::multimap<std::string, LaunchShape> planned;
            for (const PlannedLaunch& launch : plan())
                if (launch.size == "2^" + std::to_string(lengthBits) + " bits" &&
                    launch.name.substr(0, launch.name.find(':')) == nameOf(algorithm))
                    planned.emplace(launch.kernel.name, launch.shape);
            if (planned.empty()) continue;  // paper-3 at 2^33 bits
            const std::multimap<std::string, LaunchShape> made =
                launchesFor(algorithm, std::uint64_t(1) << (lengthBits - 6));
            ASSERT_EQ(planned.size(), made.size()) << nameOf(algorithm);
            for (auto a = planned.cbegin(), b = made.cbegin(); a != planned.end(); ++a, ++b)
            {
                EXPECT_EQ(a->first, b->first);
                EXPECT_EQ(a->second.grid, b->second.grid) << a->first;
                EXPECT_EQ(a->second.block, b->second.block) << a->first;
                EXPECT_EQ(a->second.cooperative, b->second.cooperative) << a->first;
            }
        }
}

// About 25 KB per multiprocessor hide the memory latency of an H200, which holds 2,048 threads. Registers limit
// lookback and two-pass to 1,280 of them.
TEST(PlannedAdditions, OfLongNumbersAskForEnoughAtOnce)
{
    for (const PlannedLaunch& launch : plan())
    {
        const bool small = launch.shape.grid.x < 132 || launch.name.find("iterations") != std::string::npos;
        EXPECT_GE(small ? 20'000 : launch.bytesInFlight * 1280, 20'000) << launch.name << ", " << launch.size;
        EXPECT_GE(launch.bytes, launch.floorBytes) << launch.name;
        EXPECT_GT(launch.floorBytes, 0) << launch.name;
    }
}

TEST(PlannedAdditions, OfLookbackMoveHardlyMoreThanTheNumbers)
{
    for (const PlannedLaunch& launch : plan())
    {
        const bool isLookback = launch.name == "lookback";
        EXPECT_LE(isLookback ? launch.bytes : 0, 1.005 * launch.floorBytes) << launch.size;
    }
}

}  // namespace
}  // namespace orogen::test
