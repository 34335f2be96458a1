// Kernels of decimal sums and dot products on the host executor: in every schedule, against GMP; and every barrier is
// necessary.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "compute/device/kernel_target.h"
#include "compute/signed_digit/comparisons.h"
#include "compute/signed_digit/kernels/products.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "tests/compute/fake_cuda.h"
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

Result<DecimalKernelRun> runOn(KernelTarget& target, SumAlgorithm algorithm, const Case& numbers,
                               const DecimalKernelOptions& options)
{
    return sumOnTarget(target, algorithm, alignedRows(numbers.x), options);
}

Result<DecimalKernelRun> runOn(KernelTarget& target, DotAlgorithm algorithm, const Case& numbers,
                               const DecimalKernelOptions& options)
{
    return dotOnTarget(target, algorithm, alignedFactors(numbers.x, numbers.y), options);
}

template <class Algorithm>
Result<DecimalKernelRun> runOn(const HostSchedule& schedule, Algorithm algorithm, const Case& numbers,
                               const DecimalKernelOptions& options)
{
    const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
    return runOn(*target, algorithm, numbers, options);
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
        int at = 0;
        for (const HostSchedule& schedule : hostSchedules())
            for (const Case& numbers : cases())
            {
                const Result<DecimalKernelRun> run = runOn(schedule, algorithm, numbers, {{++at % 2 == 0 ? 6 : 7}});
                ASSERT_TRUE(run) << nameOf(algorithm) << ", " << textOf(schedule) << ": " << run.error().message;
                ASSERT_TRUE(isRight(algorithm, run->number, numbers)) << nameOf(algorithm) << ", " << textOf(schedule);
                ASSERT_GT(run->executor.blocks, 0u);
            }
    }
}

TEST(SignedDigitKernels, SumInEverySchedule) { expectRight<SumAlgorithm>(kSumKernels); }
TEST(SignedDigitKernels, MultiplyInEverySchedule) { expectRight<DotAlgorithm>(kDotKernels); }

Case nines(std::size_t count, std::size_t digits)
{
    Case made;
    for (std::size_t i = 0; i < count; ++i)
        made.x.add(Decimal{std::vector<Digit>(digits, 9), 0, false});
    made.y = made.x;
    return made;
}

// Places nines at the limits: row bytes, rows per launch, digits of a column's sum, vector width, a block's columns.
TEST(SignedDigitKernels, NinesAtEveryEdge)
{
    const struct
    {
        std::size_t count, digits;
    } shapes[] = {{1, 1},     {2, 9},     {28, 10},  {29, 15},  {111, 16}, {112, 17},  {16, 50},    {17, 63},
                  {7281, 64}, {7282, 65}, {65, 900}, {5, 1003}, {3, 4095}, {30, 4097}, {260, 1004}, {64, 32}};
    for (const auto& [count, digits] : shapes)
    {
        const Case numbers = nines(count, digits);
        const std::string what = std::to_string(count) + " of " + std::to_string(digits) + ", ";
        for (const SumAlgorithm algorithm : kSumKernels)
        {
            const bool rowPerColumn = algorithm == SumAlgorithm::kSecond || algorithm == SumAlgorithm::kPaperThreads;
            if ((rowPerColumn && digits > 300) || (algorithm == SumAlgorithm::kFirst && count > 300)) continue;
            const Result<DecimalKernelRun> run = runOn(HostSchedule(), algorithm, numbers, {});
            ASSERT_TRUE(run) << what << run.error().message;
            EXPECT_TRUE(isSum(run->number, numbers.x)) << what << nameOf(algorithm);
        }
        for (const DotAlgorithm algorithm : kDotKernels)
        {
            if (digits > (algorithm == DotAlgorithm::kProduct ? 900 : 64) || count > 300) continue;
            const Result<DecimalKernelRun> run = runOn(HostSchedule(), algorithm, numbers, {});
            ASSERT_TRUE(run) << what << run.error().message;
            EXPECT_TRUE(isDotProduct(run->number, numbers.x, numbers.y)) << what << nameOf(algorithm);
        }
    }
}

DecimalList listOf(const std::vector<std::string>& texts)
{
    DecimalList list;
    for (const std::string& text : texts)
        list.add(*parseDecimal(text, "test"));
    return list;
}

// Cases where the printed rule leaves the digits -6 ... 6, chains at the threshold, zero, signs, and magnitudes far
// apart.
TEST(SignedDigitKernels, SumsWhereTheRuleIsTight)
{
    const std::vector<std::string> vectors[] = {
        {"556", "179", "979"}, {"36", "31"},         {std::string(300, '6'), std::string(300, '6')},
        {"566666", "66"},      {"777777", "666667"}, {std::string(200, '9'), "1"},
        {"0", "0.00"},         {"-1", "1"},          {"1000000", "-999999"},
        {"1e300", "1e-300"},   {"-5", "2", "-1e5"},  {"6e20", "-6", "66", "-666e3"}};
    for (const SumAlgorithm algorithm : kSumKernels)
        for (const std::vector<std::string>& texts : vectors)
            for (const int largest : {6, 7})
            {
                const Case numbers = {listOf(texts), {}};
                const Result<DecimalKernelRun> run = runOn(HostSchedule(), algorithm, numbers, {{largest}, {}, 0});
                ASSERT_TRUE(run) << run.error().message;
                EXPECT_TRUE(isSum(run->number, numbers.x)) << nameOf(algorithm) << ", " << texts[0];
            }
}

TEST(SignedDigitKernels, DotProductOfThePaperForEveryBeta)
{
    for (const DotAlgorithm algorithm : kDotKernels)
        for (int beta = 0; beta <= 295; beta += 59)
        {
            const std::string power = "e" + std::to_string(beta);
            const Case numbers = {listOf({"1e7", "1223", "1e6", "1e5", "3", "-1e2"}),
                                  listOf({"1" + power, "2", "-10" + power, "1" + power, "2111", "1000" + power})};
            const Result<DecimalKernelRun> run = runOn(HostSchedule(), algorithm, numbers, {});
            ASSERT_TRUE(run) << run.error().message;
            EXPECT_EQ(decimalText(run->number), "8779") << nameOf(algorithm) << ", beta = " << beta;
        }
}

// One warp, with more rows of nines than 31 bits hold, so that sums are flushed on the way.
TEST(SignedDigitKernels, EmptyProductsBeforeTheyOverflow)
{
    constexpr std::uint64_t kSteps = 3500, kGroups = kVectorsOfStep * kSteps, kRows = kRowsInVector * kGroups;
    static_assert(99 * 99 * kRows > 0x7fffffff);
    const std::unique_ptr<KernelTarget> target = makeHostTarget({});
    const std::vector<std::uint8_t> nines(kRows, 99);
    const Result<TargetMemory> factor = target->allocate(kRows), sums = target->allocate(2 * sizeof(std::uint64_t));
    ASSERT_TRUE(factor && sums);
    ASSERT_TRUE(target->upload(factor->as<void>(), nines.data(), kRows));
    ASSERT_TRUE(target->fill(*sums, 0));
    const ProductsArguments arguments = {
        factor->as<std::uint32_t>(), factor->as<std::uint32_t>(), kGroups, 1, 1, 1, 1, kSteps, 0, kSteps, 0, 0,
        sums->as<std::uint64_t>()};
    ASSERT_TRUE(target->launch(multiplyTilesKernel(), {{1}, {kWarpLanes}}, arguments));
    std::uint64_t sum = 0;
    ASSERT_TRUE(target->download(&sum, sums->as<void>(), sizeof(sum)));
    EXPECT_EQ(sum, 99 * 99 * kRows);
}

template <class Algorithm>
void expectSameInAnyCuts(Algorithm algorithm, std::size_t count, std::uint32_t digits)
{
    Random random(5);
    Case numbers;
    numbers.x = randomNumbers(random, count, digits, 0);
    numbers.y = randomNumbers(random, count, digits, 0);
    Decimal whole;
    std::uint64_t blocks = 0;
    for (const std::uint64_t most : {0, 3, 1})
    {
        const Result<DecimalKernelRun> run =
            runOn(HostSchedule{ThreadOrder::kForward, 1, 3, {}}, algorithm, numbers, {{}, {}, most});
        ASSERT_TRUE(run) << nameOf(algorithm) << ": " << run.error().message;
        if (most == 0) whole = run->number;
        EXPECT_EQ(run->number, whole) << nameOf(algorithm) << ", " << most << " steps a launch";
        EXPECT_GE(run->executor.blocks, blocks + (most > 0)) << nameOf(algorithm) << ", " << most << " steps a launch";
        blocks = run->executor.blocks;
    }
    EXPECT_TRUE(isRight(algorithm, whole, numbers)) << nameOf(algorithm);
}

// Cuts of the launches do not matter, for digits in one block and in several overlapping ones.
TEST(SignedDigitKernels, AnyCutsLeaveTheSameDigits)
{
    expectSameInAnyCuts(SumAlgorithm::kFirst, 150, 40);
    expectSameInAnyCuts(SumAlgorithm::kFirst, 20, 2100);
    expectSameInAnyCuts(SumAlgorithm::kSecond, 150, 40);
    expectSameInAnyCuts(SumAlgorithm::kPaperThreads, 150, 40);
    expectSameInAnyCuts(SumAlgorithm::kRegrouped, 1500, 1100);
    expectSameInAnyCuts(SumAlgorithm::kColumns, 4000, 40);
    expectSameInAnyCuts(DotAlgorithm::kPaper, 60, 40);
    expectSameInAnyCuts(DotAlgorithm::kPaperThreads, 20, 40);
    expectSameInAnyCuts(DotAlgorithm::kProduct, 1100, 70);
}

// More rows than a block's halo has places, with digits that propagate transfers everywhere.
TEST(SignedDigitKernels, BlocksThatOverlapAgree)
{
    Random random(7);
    Case numbers;
    for (int i = 0; i < 600; ++i)
    {
        Decimal number{std::vector<Digit>(1500), 0, false};
        for (Digit& digit : number.digits)
            digit = Digit(random.below(10));
        numbers.x.add(number);
    }
    const Result<DecimalKernelRun> run = runOn(HostSchedule(), SumAlgorithm::kFirst, numbers, {});
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_TRUE(isSum(run->number, numbers.x));
    EXPECT_EQ(run->operations.additions, 599u);
}

DigitOperations onCpu(SumAlgorithm algorithm, const Case& numbers)
{
    const std::vector<DigitRows> rows = alignedRows(numbers.x);
    CpuDecimals sum(algorithm == SumAlgorithm::kPaperThreads ? SumAlgorithm::kSecond : algorithm, rows);
    sum.run();
    return sum.operations();
}

DigitOperations onCpu(DotAlgorithm algorithm, const Case& numbers)
{
    const std::vector<FactorRows> rows = alignedFactors(numbers.x, numbers.y);
    CpuDecimals dot(algorithm == DotAlgorithm::kPaperThreads ? DotAlgorithm::kPaper : algorithm, rows);
    dot.run();
    return dot.operations();
}

template <class Algorithm>
void expectOperationsOfTheCpu(std::span<const Algorithm> algorithms)
{
    for (const Algorithm algorithm : algorithms)
        for (const Case& numbers : cases())
        {
            const Result<DecimalKernelRun> run = runOn(HostSchedule(), algorithm, numbers, {});
            ASSERT_TRUE(run) << nameOf(algorithm) << ": " << run.error().message;
            EXPECT_EQ(run->operations.additions, onCpu(algorithm, numbers).additions) << nameOf(algorithm);
            EXPECT_EQ(run->operations.synchronisations, onCpu(algorithm, numbers).synchronisations)
                << nameOf(algorithm);
        }
}

TEST(SignedDigitKernels, CountWhatTheCpuCounts)
{
    expectOperationsOfTheCpu<SumAlgorithm>(kSumKernels);
    expectOperationsOfTheCpu<DotAlgorithm>(kDotKernels);
}

// Two numbers of d digits have 2 d - 1 columns of partial products.
TEST(SignedDigitKernels, CountTheColumnsOfPartialProducts)
{
    for (const std::size_t digits : {1, 3, 10})
    {
        const Result<DecimalKernelRun> run = runOn(HostSchedule(), DotAlgorithm::kPaper, nines(4, digits), {});
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->operations.additions, 2 * digits - 2);
    }
}

template <class Algorithm>
void expectStopBetweenLaunches(std::span<const Algorithm> algorithms, const Case& numbers)
{
    for (const Algorithm algorithm : algorithms)
    {
        std::stop_source source;
        FakeCuda fake;
        CudaCalls calls = fake.table();
        int launches = 0;
        calls.launch = [&launches, &source, launch = calls.launch](const KernelEntry& kernel, const LaunchShape& shape,
                                                                   void* arguments, void* stream) {
            if (++launches == 5) source.request_stop();
            return launch(kernel, shape, arguments, stream);
        };
        Cuda cuda(calls);
        const Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(cuda, 0);
        ASSERT_TRUE(target) << target.error().message;
        const Result<DecimalKernelRun> run =
            runOn(**target, algorithm, numbers, {.stop = source.get_token(), .mostSteps = 1});
        ASSERT_FALSE(run) << nameOf(algorithm);
        EXPECT_EQ(run.error().code, ExitCode::kInterrupted) << run.error().message;
        EXPECT_LE(launches, 6) << nameOf(algorithm);  // a step of partial products takes two launches
    }
}

TEST(SignedDigitKernels, AStopIsSeenBetweenLaunches)
{
    const Case numbers = nines(3000, 60);
    expectStopBetweenLaunches<SumAlgorithm>(kSumKernels, numbers);
    expectStopBetweenLaunches<DotAlgorithm>(kDotKernels, numbers);
}

template <class Algorithm>
bool isSoundInAChild(Algorithm algorithm, const Case& numbers, const HostSchedule& schedule)
{
    const pid_t child = fork();
    if (child == 0)
    {
        const Result<DecimalKernelRun> run = runOn(schedule, algorithm, numbers, {});
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
    const Result<DecimalKernelRun> run = runOn({}, algorithm, numbers, {});
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
    constexpr std::size_t kColumns = 2, kRow = 1, kTiles = 1;  // barriers in the sources
    expectEachBarrierMissed(SumAlgorithm::kFirst, kRow, 90, 300);
    expectEachBarrierMissed(SumAlgorithm::kColumns, kColumns, 90, 9000);  // two stretches of columns per block
    expectEachBarrierMissed(SumAlgorithm::kSecond, kColumns + kRow, 90, 300);
    expectEachBarrierMissed(SumAlgorithm::kPaperThreads, kRow, 90, 300);
    expectEachBarrierMissed(SumAlgorithm::kRegrouped, kColumns + kRow, 90, 300);
    expectEachBarrierMissed(DotAlgorithm::kPaper, kRow, 40, 150);
    expectEachBarrierMissed(DotAlgorithm::kPaperThreads, kRow, 40, 150);
    expectEachBarrierMissed(DotAlgorithm::kProduct, kTiles, 600, 150);  // two tiles per block
}

}  // namespace
}  // namespace orogen::test
