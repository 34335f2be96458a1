// Algorithm 3 as printed gives wrong sums. Corrected in four places it does not, and each correction is necessary.
#include <vector>

#include <gtest/gtest.h>

#include "tests/compute/host_schedules.h"
#include "tests/compute/multiword/printed_algorithm3.h"

namespace orogen::test {
namespace {

using namespace compute;

constexpr unsigned kBlocks = 3, kThreads = 8, kGroups = kBlocks * kThreads, kWords = 16 * kGroups;
const KernelEntry kPrinted{
    "printed", [](const void* given) { printedAlgorithm3(*static_cast<const PrintedArguments*>(given)); }, nullptr};

// Carry generated in word `at` that propagates through ones to the top; at the end, ones without a carry.
struct Chain
{
    std::vector<std::uint16_t> x, y;

    explicit Chain(unsigned at) : x(kWords, 0xffff), y(kWords, 0)
    {
        if (at == kWords) return;
        std::fill_n(x.begin(), at, std::uint16_t(0));
        x[at] = y[at] = 0x8000;
    }
};

bool isRight(const Chain& chain, const Mended& mended, const HostSchedule& schedule)
{
    std::vector<std::uint16_t> z(kWords);
    std::vector<std::uint32_t> c(kGroups + 1, 1);
    const PrintedArguments arguments = {chain.x.data(), chain.y.data(), z.data(), c.data(), kGroups, mended};
    const Result<HostLaunch> done = launchOnHost(kPrinted, {{kBlocks}, {kThreads}, true}, &arguments, schedule);
    EXPECT_TRUE(done) << done.error().message;
    std::uint32_t carry = 0;
    for (unsigned i = 0; i < kWords; ++i)
    {
        carry += std::uint32_t(chain.x[i]) + chain.y[i];
        if (z[i] != (carry & 0xffff)) return false;
        carry >>= 16;
    }
    return c[kGroups] == carry;
}

// Returns the number of wrong sums over all chains and schedules.
int wrongSums(const Mended& mended)
{
    int wrong = 0;
    for (const auto order : {ThreadOrder::kForward, ThreadOrder::kReverse, ThreadOrder::kRandom})
        for (std::uint64_t seed = 1; seed <= (order == ThreadOrder::kRandom ? 8 : 1); ++seed)
            for (unsigned at = 0; at <= kWords; ++at)
                wrong += !isRight(Chain(at), mended, {order, seed, HostSchedule::kAllBlocks, {}});
    return wrong;
}

constexpr Mended kAll = {true, true, true, true};

TEST(PrintedAlgorithm3, AsPrintedIsWrong) { EXPECT_GT(wrongSums({}), 0); }

TEST(PrintedAlgorithm3, WithAllFourMendedIsRight) { EXPECT_EQ(wrongSums(kAll), 0); }

TEST(PrintedAlgorithm3, ProcessorThatZeroesItsCarryLosesIt)
{
    Mended mended = kAll;
    mended.ownCarry = false;
    EXPECT_GT(wrongSums(mended), 0);
}

TEST(PrintedAlgorithm3, NeedsABarrierBeforeTheLoop)
{
    // A carry read too late is found an iteration later, but the previous content of C (here 1) is never corrected.
    Mended mended = kAll;
    mended.barrierBefore = false;
    EXPECT_GT(wrongSums(mended), 0);
}

TEST(PrintedAlgorithm3, NeedsABarrierAfterStep19)
{
    Mended mended = kAll;
    mended.barrierAfter = false;
    EXPECT_GT(wrongSums(mended), 0);
}

TEST(PrintedAlgorithm3, NeedsKIterations)
{
    Mended mended = kAll;
    mended.iterations = false;
    EXPECT_GT(wrongSums(mended), 0);
    // The last iteration carries out of the top group a carry generated in the lowest.
    const HostSchedule schedule = {ThreadOrder::kForward, 1, HostSchedule::kAllBlocks, {}};
    EXPECT_FALSE(isRight(Chain(0), mended, schedule));
    EXPECT_TRUE(isRight(Chain(0), kAll, schedule));
}

}  // namespace
}  // namespace orogen::test
