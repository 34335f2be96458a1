// Plans of decimal sums and dot products on a large and on a small GPU.
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "compute/signed_digit/kernels/planned_decimals.h"

namespace orogen::test {
namespace {

using namespace compute;

// Returns a GPU whose multiprocessors each hold 1,024 threads of any kernel.
ResidentBlocks gpuOf(unsigned multiprocessors)
{
    return [=](const KernelEntry&, unsigned threads) { return multiprocessors * (1024 / threads); };
}

double idleOfLastWave(const PlannedLaunch& launch, unsigned resident)
{
    const double waves = double(launch.shape.grid.count()) / resident;
    return std::ceil(waves) - waves;
}

TEST(SignedDigitPlan, FillsTheGpuOrSaysWhyNot)
{
    for (const unsigned multiprocessors : {24u, 68u, 132u})
        for (const PlannedLaunch& launch : plannedDecimals(gpuOf(multiprocessors)))
        {
            const std::string what =
                launch.name + ", " + launch.size + ", " + std::to_string(multiprocessors) + " multiprocessors";
            const unsigned threads = unsigned(launch.shape.block.count());
            EXPECT_GE(launch.bytes, launch.floorBytes) << what;
            EXPECT_GT(launch.floorBytes, 0) << what;
            if (!launch.note.empty()) continue;
            EXPECT_LE(idleOfLastWave(launch, gpuOf(multiprocessors)(launch.kernel, threads)), 0.1) << what;
            EXPECT_GE(launch.bytesInFlight * 1024, 25'000) << what;
            EXPECT_LE(launch.bytes, 1.02 * launch.floorBytes) << what;
        }
}

TEST(SignedDigitPlan, HasEveryKernelOfEveryAlgorithm)
{
    std::set<std::string> kernels, names;
    for (const PlannedLaunch& launch : plannedDecimals(gpuOf(132)))
    {
        kernels.insert(launch.kernel.name);
        names.insert(launch.name.substr(0, launch.name.find(':')));
    }
    EXPECT_EQ(kernels, (std::set<std::string>{"addPartialProducts", "addRows", "formPartialProducts", "gatherTurns",
                                              "multiplyTiles", "sumColumnsByThreads", "sumDigitColumns"}));
    EXPECT_EQ(names, (std::set<std::string>{"columns", "dft product", "first", "paper", "paper-threads", "product",
                                            "regrouped", "second"}));
}

}  // namespace
}  // namespace orogen::test
