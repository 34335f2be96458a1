// Kernels of decimal sums and dot products on the host executor: in every schedule, against GMP; and every barrier is
// needed.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "compute/device/kernel_target.h"
#include "compute/signed_digit/decimal_oracle.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "tests/compute/host_schedules.h"
#include "tests/support/random.h"

namespace orogen::test {
namespace {

using namespace compute;

DecimalList randomNumbers(Random& random, std::size_t count, std::uint32_t digits, int spread)
{
    DecimalList list;
    const int kind = random.between(0, 2);
    for (std::size_t i = 0; i < count; ++i)
    {
        Decimal number{std::vector<Digit>(1 + random.below(digits)), random.between(-spread, spread),
                       spread > 0 && random.chance(1, 3)};
        for (Digit& digit : number.digits)
            digit = Digit(kind == 0 ? random.below(10) : kind == 1 ? 9 : 5 + random.below(2));
        list.add(number);
    }
    return list;
}

struct Case
{
    DecimalList x, y;
};

std::vector<Case> cases()
{
    Random random(1);
    std::vector<Case> made;
    const struct
    {
        std::size_t count;
        std::uint32_t digits;
        int spread;
    } shapes[] = {{1, 1, 0}, {2, 3, 0}, {28, 16, 0}, {29, 17, 0}, {3, 300, 0}, {40, 9, 5}, {6, 20, 60}};
    for (const auto& [count, digits, spread] : shapes)
    {
        Case next;
        next.x = randomNumbers(random, count, digits, spread);
        next.y = randomNumbers(random, count, digits, spread);
        made.push_back(std::move(next));
    }
    return made;
}

Result<DecimalKernelRun> runOn(const HostSchedule& schedule, SumAlgorithm algorithm, const Case& numbers, DigitSet set)
{
    const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
    return sumOnTarget(*target, algorithm, alignedRows(numbers.x), {set, {}});
}

Result<DecimalKernelRun> runOn(const HostSchedule& schedule, DotAlgorithm algorithm, const Case& numbers, DigitSet set)
{
    const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
    return dotOnTarget(*target, algorithm, alignedFactors(numbers.x, numbers.y), {set, {}});
}

bool isRight(SumAlgorithm, const Decimal& number, const Case& numbers) { return isSum(number, numbers.x); }
bool isRight(DotAlgorithm, const Decimal& number, const Case& numbers)
{
    return isDotProduct(number, numbers.x, numbers.y);
}

template <class Algorithm>
void expectRight(std::span<const Algorithm> algorithms)
{
    for (const Algorithm algorithm : algorithms)
    {
        if (!inKernels(algorithm)) continue;
        int at = 0;
        for (const HostSchedule& schedule : hostSchedules())
            for (const Case& numbers : cases())
            {
                const Result<DecimalKernelRun> run = runOn(schedule, algorithm, numbers, {++at % 2 == 0 ? 6 : 7});
                ASSERT_TRUE(run) << nameOf(algorithm) << ", " << textOf(schedule) << ": " << run.error().message;
                ASSERT_TRUE(isRight(algorithm, run->number, numbers)) << nameOf(algorithm) << ", " << textOf(schedule);
                ASSERT_GT(run->executor.blocks, 0u);
            }
    }
}

TEST(SignedDigitKernels, SumInEverySchedule) { expectRight<SumAlgorithm>(kSumAlgorithms); }
TEST(SignedDigitKernels, MultiplyInEverySchedule) { expectRight<DotAlgorithm>(kDotAlgorithms); }

// More rows than blocks along them, so that a thread adds several, and its bytes are emptied.
TEST(SignedDigitKernels, SumMoreRowsThanBlocks)
{
    Case nines;
    for (int i = 0; i < 64 * 60; ++i)
        nines.x.add(Decimal{std::vector<Digit>(16, 9), 0, false});
    nines.y = nines.x;
    for (const SumAlgorithm algorithm : {SumAlgorithm::kColumns, SumAlgorithm::kRegrouped})
    {
        const Result<DecimalKernelRun> run = runOn({}, algorithm, nines, {6});
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_TRUE(isSum(run->number, nines.x)) << nameOf(algorithm);
    }
    const Result<DecimalKernelRun> dot = runOn({}, DotAlgorithm::kProduct, nines, {6});
    ASSERT_TRUE(dot) << dot.error().message;
    EXPECT_TRUE(isDotProduct(dot->number, nines.x, nines.y));
}

template <class Algorithm>
bool isSoundInAChild(Algorithm algorithm, const Case& numbers, const HostSchedule& schedule)
{
    const pid_t child = fork();
    if (child == 0)
    {
        const Result<DecimalKernelRun> run = runOn(schedule, algorithm, numbers, {6});
        _exit(run && isRight(algorithm, run->number, numbers) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

template <class Algorithm>
void expectEachBarrierMissed(Algorithm algorithm, std::size_t barriers, std::size_t count, std::uint32_t digits)
{
    Case numbers;
    Random random(3);
    numbers.x = randomNumbers(random, count, digits, 0);
    numbers.y = randomNumbers(random, count, digits, 0);
    const Result<DecimalKernelRun> run = runOn({}, algorithm, numbers, {6});
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->barriers.size(), barriers) << nameOf(algorithm);
    for (const BarrierSite& barrier : run->barriers)
    {
        bool missed = false;
        for (HostSchedule schedule : hostSchedules())
        {
            schedule.skipped = barrier;
            missed = missed || !isSoundInAChild(algorithm, numbers, schedule);
        }
        EXPECT_TRUE(missed) << nameOf(algorithm) << " without the barrier of " << barrier.file << ":" << barrier.line;
    }
}

TEST(SignedDigitKernels, EachBarrierIsMissed)
{
    expectEachBarrierMissed(SumAlgorithm::kFirst, 1, 90, 300);
    expectEachBarrierMissed(SumAlgorithm::kColumns, 0, 90, 300);
    expectEachBarrierMissed(SumAlgorithm::kSecond, 1, 90, 300);
    expectEachBarrierMissed(SumAlgorithm::kRegrouped, 1, 90, 300);
    expectEachBarrierMissed(DotAlgorithm::kPaper, 1, 40, 150);
    expectEachBarrierMissed(DotAlgorithm::kProduct, 2, 9000, 30);  // some blocks have two stretches of rows
}

}  // namespace
}  // namespace orogen::test
