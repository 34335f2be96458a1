// Kernels of exact sums on the host executor: in every schedule, against the CPU's bits; and every barrier is
// necessary.
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include "compute/device/kernel_target.h"
#include "compute/exact/kernels/exact_device.h"
#include "compute/exact/kernels/exact_terms.h"
#include "tests/compute/fake_cuda.h"
#include "tests/compute/host_schedules.h"
#include "tests/support/weak_memory.h"

namespace orogen::test {
namespace {

using namespace compute;

struct Terms
{
    ExactTerms kind = ExactTerms::kValues;
    ValueType type = ValueType::kFloat64;
    Bytes x, y = {};

    ValuePiece piece() const { return {type, x, y}; }
};

template <class T>
Bytes bytesOfValues(const std::vector<T>& values)
{
    const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

Terms made(ExactTerms kind, ValuePattern pattern, std::size_t count)
{
    Terms terms{kind, ValueType::kFloat64, bytesOfValues(makeValues(pattern, count, 1))};
    if (kind == ExactTerms::kProducts) terms.y = bytesOfValues(makeValues(pattern, count, 2));
    return terms;
}

double finished(ExactTotal total, ExactTerms kind)
{
    return kind == ExactTerms::kSquares ? total.root() : total.rounded();
}

double onCpu(const Terms& terms)
{
    CpuSum sum(terms.kind, CpuSumMethod::kBins, 1);
    sum.add(terms.type, terms.x, terms.y);
    return finished(sum.finish(), terms.kind);
}

Result<ExactKernelRun> runOn(const HostSchedule& schedule, const Terms& terms, const ExactKernelOptions& options = {})
{
    const std::unique_ptr<KernelTarget> target = makeHostTarget(schedule);
    return exactSumOnTarget(*target, terms.kind, std::vector{terms.piece()}, options);
}

bool isRight(const Result<ExactKernelRun>& run, const Terms& terms, double expected)
{
    const double found = run ? finished(run->total, terms.kind) : 0;
    return run && (std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(expected) ||
                   (std::isnan(found) && std::isnan(expected)));
}

void expectRight(const Terms& terms, const std::vector<HostSchedule>& schedules, const ExactKernelOptions& options = {})
{
    const double expected = onCpu(terms);
    for (const HostSchedule& schedule : schedules)
    {
        const Result<ExactKernelRun> run = runOn(schedule, terms, options);
        ASSERT_TRUE(run) << textOf(schedule) << ": " << run.error().message;
        EXPECT_TRUE(isRight(run, terms, expected))
            << textOf(schedule) << ' ' << finished(run->total, terms.kind) << ' ' << expected;
        EXPECT_EQ(run->total.count(), terms.piece().count());
        EXPECT_GT(run->executor.blocks, 0u);
    }
}

constexpr ExactTerms kAllTerms[] = {ExactTerms::kValues, ExactTerms::kSquares, ExactTerms::kProducts};

TEST(ExactKernels, HaveTheCpusBitsInEverySchedule)
{
    for (const ExactTerms kind : kAllTerms)
        for (const ValuePattern pattern : kValuePatterns)
            expectRight(made(kind, pattern, 2 * kStepTerms + 37), hostSchedules());
}

TEST(ExactKernels, AnyCountsCutsAndWindows)
{
    const HostSchedule schedule;
    for (const ExactTerms kind : kAllTerms)
        for (const std::size_t count :
             {std::size_t(1), std::size_t(kStepTerms - 1), std::size_t(kStepTerms), std::size_t(kStepTerms + 1)})
            expectRight(made(kind, ValuePattern::kCancelling, count), {schedule});
    for (const int unit : {-900, -200, -47, 0, 100, 900})
        for (const ExactTerms kind : kAllTerms)
            expectRight(made(kind, ValuePattern::kSigned, kStepTerms), {schedule}, {.unit = unit});
    for (const std::uint64_t most : {1, 3})
        expectRight(made(ExactTerms::kValues, ValuePattern::kExponents, 5 * kStepTerms), {schedule},
                    {.mostSteps = most});
    // more steps than a thread's integers take
    expectRight(made(ExactTerms::kValues, ValuePattern::kUniform, (kStepsOfFlush + 2) * kStepTerms),
                {HostSchedule{ThreadOrder::kForward, 1, 1, {}}});
}

TEST(ExactKernels, UnusualValues)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity(), kLargest = std::numeric_limits<double>::max(),
                     kSmallest = 0x1p-1074;
    const HostSchedule schedule;
    const std::vector<double> lists[] = {{-0.0},
                                         {-0.0, -0.0},
                                         {0.0, -0.0},
                                         {kInfinity, 1},
                                         {-kInfinity},
                                         {kInfinity, -kInfinity},
                                         {NAN, 1},
                                         {kLargest, kLargest},
                                         {kLargest, kLargest, -kLargest},
                                         {kSmallest, kSmallest},
                                         {1, 0x1p-53, kSmallest},
                                         {1e300, 1e-300, -1e300},
                                         {1, -1}};
    for (const auto& list : lists)
        for (const auto& other : lists)
        {
            expectRight({ExactTerms::kValues, ValueType::kFloat64, bytesOfValues(list)}, {schedule});
            if (other.size() == list.size())
                expectRight({ExactTerms::kProducts, ValueType::kFloat64, bytesOfValues(list), bytesOfValues(other)},
                            {schedule});
        }
}

TEST(ExactKernels, OtherTypes)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max(), kLeast = -kMost - 1;
    const HostSchedule schedule;
    const std::vector<std::int64_t> integers = {kMost, kLeast, -1, 5, kMost, 1 << 20, 0, kLeast, kLeast};
    const std::vector<float> singles = {1.5f, -0x1p-149f, 3e38f, 0.1f};
    const std::vector<std::uint16_t> halves = {0x3c00, 0x0001, 0xfbff, 0x8000};
    for (const ExactTerms kind : kAllTerms)
    {
        const bool two = kind == ExactTerms::kProducts;
        expectRight({kind, ValueType::kInt64, bytesOfValues(integers), two ? bytesOfValues(integers) : Bytes()},
                    {schedule});
        expectRight({kind, ValueType::kFloat32, bytesOfValues(singles), two ? bytesOfValues(singles) : Bytes()},
                    {schedule});
        expectRight({kind, ValueType::kFloat16, bytesOfValues(halves), two ? bytesOfValues(halves) : Bytes()},
                    {schedule});
    }
}

TEST(ExactKernels, TheMemoryOfPackedValuesIsKnownBefore)
{
    const Bytes some(kStepTerms * sizeof(std::int64_t));
    const auto times = [&](ExactTerms kind, ValueType type) {
        const ValuePiece piece = {type, some, kind == ExactTerms::kProducts ? some : std::span<const std::byte>()};
        return double(packedBytes(kind, std::vector{piece})) / double(piece.x.size() + piece.y.size());
    };
    for (const ExactTerms kind : {ExactTerms::kValues, ExactTerms::kProducts})
        for (const ValueType type : {ValueType::kFloat64, ValueType::kFloat32, ValueType::kFloat16})
            EXPECT_EQ(times(kind, type), 8.0 / double(bytesOf(type)));
    for (const ValueType type : {ValueType::kFloat64, ValueType::kFloat32, ValueType::kFloat16})
        EXPECT_EQ(times(ExactTerms::kSquares, type), 16.0 / double(bytesOf(type)));
    EXPECT_EQ(times(ExactTerms::kValues, ValueType::kInt64), 2);
    EXPECT_EQ(times(ExactTerms::kProducts, ValueType::kInt64), 4);
    EXPECT_EQ(times(ExactTerms::kSquares, ValueType::kInt64), 8);
    EXPECT_EQ(packedBytes(ExactTerms::kValues, std::vector{ValuePiece{ValueType::kFloat64, std::span(some).first(8)}}),
              kStepTerms * sizeof(double));
}

TEST(ExactKernels, WeakMemoryChangesNothing)
{
    for (const ExactTerms kind : {ExactTerms::kValues, ExactTerms::kProducts})
    {
        std::vector<HostSchedule> schedules;
        for (HostSchedule schedule : hostSchedules(2))
        {
            if (schedule.residentBlocks == 1) continue;
            schedule.memory = weakMemory;
            schedules.push_back(schedule);
        }
        expectRight(made(kind, ValuePattern::kExponents, 3 * kStepTerms), schedules);
    }
}

TEST(ExactKernels, EachBarrierIsMissed)
{
    const Terms terms = made(ExactTerms::kValues, ValuePattern::kExponents, 3 * kStepTerms);
    const double expected = onCpu(terms);
    const Result<ExactKernelRun> whole = runOn({}, terms);
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->barriers.size(), 2u);
    for (const BarrierSite& barrier : whole->barriers)
    {
        bool missed = false;
        for (HostSchedule schedule : hostSchedules())
        {
            schedule.skipped = barrier;
            const pid_t child = fork();
            if (child == 0) _exit(isRight(runOn(schedule, terms), terms, expected) ? 0 : 1);
            int status = 0;
            waitpid(child, &status, 0);
            missed = missed || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
        }
        EXPECT_TRUE(missed) << "without the barrier of " << barrier.file << ":" << barrier.line;
    }
}

TEST(ExactKernels, AStopIsSeenBetweenLaunches)
{
    std::stop_source source;
    FakeCuda fake;
    CudaCalls calls = fake.table();
    int launches = 0;
    calls.launch = [&](const KernelEntry& kernel, const LaunchShape& shape, void* arguments, void* stream) {
        if (++launches == 3) source.request_stop();
        return fake.table().launch(kernel, shape, arguments, stream);
    };
    Cuda cuda(calls);
    const Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(cuda, 0);
    ASSERT_TRUE(target) << target.error().message;
    const Terms terms = made(ExactTerms::kValues, ValuePattern::kSigned, 9 * kStepTerms);
    const Result<ExactKernelRun> run = exactSumOnTarget(**target, terms.kind, std::vector{terms.piece()},
                                                        {.stop = source.get_token(), .mostSteps = 1});
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ExitCode::kInterrupted);
    EXPECT_EQ(launches, 3);
}

}  // namespace
}  // namespace orogen::test
