// Repeated runs of common steps, and the statistics of their times.
#include <algorithm>

#include <gtest/gtest.h>

#include "compute/device/copy_bandwidth.h"
#include "compute/job/module.h"
#include "compute/job/stepped_module.h"
#include "tests/support/assign.h"

namespace orogen::compute {
namespace {

// Module that reports scripted times (milliseconds) without a clock.
class ScriptedModule : public SteppedModule
{
public:
    explicit ScriptedModule(std::vector<double> ms, bool repeatsItself = false)
        : SteppedModule(describe()), ms_(std::move(ms)), repeatsItself_(repeatsItself)
    {
    }
    Algorithms algorithms(const ParameterValues&) const override { return describeAlgorithms(); }
    mutable std::size_t calls = 0;
    Work work = {};

private:
    class Run final : public SteppedRun
    {
    public:
        Run(const ScriptedModule& module, const ParameterValues& values, const RunContext& context)
            : SteppedRun(module, values, context), module_(module)
        {
        }

    protected:
        Status obtainInput() override
        {
            addTime("read", 7);
            return Status::ok();
        }
        Status calculate() override
        {
            countOperations("calls", module_.calls + 1);
            countWork(module_.work);
            addTime("upload", 10 - double(module_.calls));
            if (module_.repeatsItself_)
            {
                const Result<double> shortest = shortestOf([&]() -> Result<double> { return module_.next(); });
                if (!shortest) return shortest.error();
                addMainTime("kernel", *shortest);
            }
            else
                addMainTime("kernel", module_.next());
            return Status::ok();
        }
        Status check() override
        {
            answer(true, "nobody");
            return Status::ok();
        }
        Status describe() override
        {
            json()["calls"] = module_.calls;
            return Status::ok();
        }

    private:
        const ScriptedModule& module_;
    };

    static Algorithms describeAlgorithms()
    {
        return {.cpu = {"slow", "quick"}, .kernels = {"quick"}, .standardOnCpu = "slow", .standardInKernels = "quick"};
    }
    static ModuleDescription describe()
    {
        std::vector<Parameter> parameters;
        appendPlaceParameters(parameters, {{describeAlgorithms()}}, "either");
        return {.name = "scripted", .parameters = parameters};
    }
    double next() const { return ms_[calls++ % ms_.size()]; }
    std::unique_ptr<SteppedRun> makeRun(const ParameterValues& values, const RunContext& context) const override
    {
        return std::make_unique<Run>(*this, values, context);
    }

    const std::vector<double> ms_;
    const bool repeatsItself_;
};

JobResult resultOf(const ScriptedModule& module, const std::vector<std::string>& assignments, bool measureCopy = false)
{
    ParameterValues values(module.parameters());
    for (const std::string& assignment : assignments)
        EXPECT_TRUE(assign(values, assignment)) << assignment;
    Progress progress;
    Result<JobResult> result = module.run(values, {.progress = progress, .measureCopy = measureCopy});
    EXPECT_TRUE(result);
    return result ? *result : JobResult();
}

const Timing& timeOf(const JobResult& result, std::string_view name)
{
    return *std::ranges::find(result.times, name, &Timing::name);
}

TEST(Repetitions, AreAParameterOfEveryModuleOfTheCommonSteps)
{
    const ScriptedModule module({1});
    EXPECT_EQ(module.parameters().back().name, "repetitions");
}

TEST(Repetitions, OneIsTimedAsItIs)
{
    const ScriptedModule module({5});
    const JobResult result = resultOf(module, {});
    EXPECT_EQ(module.calls, 1u);
    EXPECT_EQ(timeOf(result, "kernel").ms, 5);
    EXPECT_EQ(timeOf(result, "kernel").warmUpMs, 0);
    EXPECT_FALSE(result.json.contains("time_samples_ms"));
    EXPECT_FALSE(result.json.contains("warm_up_ms"));
}

TEST(Repetitions, FollowAWarmUpThatDoesNotCount)
{
    for (const bool repeatsItself : {false, true})
    {
        const ScriptedModule module({1, 30, 20, 40}, repeatsItself);
        const JobResult result = resultOf(module, {"repetitions=3"});
        EXPECT_EQ(module.calls, 4u);
        const Timing& kernel = timeOf(result, "kernel");
        EXPECT_EQ(kernel.samples, (std::vector<double>{30, 20, 40})) << repeatsItself;
        EXPECT_EQ(kernel.ms, 20) << "the shortest of those that count";
        EXPECT_EQ(kernel.warmUpMs, 1);
        EXPECT_EQ(result.json.at("time_samples_ms").at("kernel"), kernel.samples);
        EXPECT_EQ(result.json.at("warm_up_ms").at("kernel"), 1);
        EXPECT_EQ(result.json.at("rates").at("median_ms"), 30);
    }
}

TEST(Repetitions, OfTheWholeCalculationLeaveItsPartsOnceAndTheirShortestTimes)
{
    const ScriptedModule module({5});
    const JobResult result = resultOf(module, {"repetitions=2"});
    ASSERT_EQ(result.times.size(), 3u);
    EXPECT_EQ(result.times[0].name, "read");
    EXPECT_EQ(timeOf(result, "upload").ms, 8) << "of 10, 9 and 8";
    int rows = 0;
    for (const auto& [what, value] : result.table)
        rows += what == "operations, calls";
    EXPECT_EQ(rows, 1);
}

TEST(Variants, AreThoseOfTheBackEndThatIsAskedFor)
{
    const ScriptedModule module({1});
    const auto variants = [&](const char* assignment) {
        ParameterValues values(module.parameters());
        EXPECT_TRUE(assign(values, assignment));
        return module.variants(values);
    };
    EXPECT_EQ(variants("backend=cpu"), (std::vector<Variant>{{"slow", "cpu"}, {"quick", "cpu"}}));
    EXPECT_EQ(variants("backend=host-kernel"), (std::vector<Variant>{{"quick", "host-kernel"}}));
    EXPECT_EQ(variants("backend=auto"), (std::vector<Variant>{{"slow", "cpu"}, {"quick", "cpu"}, {"quick", "cuda"}}));
    EXPECT_EQ(variants("gpu=1"), (std::vector<Variant>{{"quick", "cuda"}}));
}

TEST(Quantiles, LieBetweenTheValuesInProportion)
{
    const std::vector<double> values = {4, 1, 3, 2};
    EXPECT_EQ(quantileOf(values, 0), 1);
    EXPECT_EQ(quantileOf(values, 0.5), 2.5);
    EXPECT_EQ(quantileOf(values, 0.25), 1.75);
    EXPECT_EQ(quantileOf(values, 1), 4);
    EXPECT_EQ(quantileOf({}, 0.5), 0);
    EXPECT_EQ(quantileOf({{7.0}}, 0.75), 7);
}

TEST(Figures, AreRatesOfTheMedian)
{
    ScriptedModule module({99, 1, 4, 2});
    module.work = {.bytes = 6e6, .operations = 4e6, .iterations = 8, .floatingPoint = true};
    const JobResult result = resultOf(module, {"repetitions=3"});
    const auto figures = figuresOf(result);
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->samples, 3u);
    EXPECT_EQ(figures->medianMs, 2);
    EXPECT_EQ(figures->shortestMs, 1);
    EXPECT_EQ(figures->longestMs, 4);
    EXPECT_DOUBLE_EQ(*figures->gbPerS, 3);
    EXPECT_DOUBLE_EQ(*figures->gopPerS, 2);
    EXPECT_DOUBLE_EQ(*figures->msPerIteration, 0.25);
    EXPECT_EQ(result.json.at("rates").at("gflop_per_s"), *figures->gopPerS);
    EXPECT_FALSE(result.json.at("rates").contains("gop_per_s"));
}

TEST(Figures, EndToEndIsTheMainTimeWithTheWayToTheDeviceAndBack)
{
    const ScriptedModule module({5});
    const auto figures = figuresOf(resultOf(module, {}));
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->medianMs, 5);
    EXPECT_EQ(figures->endToEndMs, 15) << "with the upload, without reading";
}

TEST(Figures, ThereAreNoneWithoutAMainTime)
{
    JobResult result;
    result.times = {{"read", 3}};
    EXPECT_FALSE(figuresOf(result));
}

TEST(CopyBandwidth, IsMeasuredWhereItIsAskedForAndWorkMovesMemory)
{
    ScriptedModule module({2});
    EXPECT_EQ(resultOf(module, {}, true).copyBytesPerSecond, 0) << "it does not say what it moves";
    module.work = {.bytes = 1e6};
    EXPECT_EQ(resultOf(module, {}).copyBytesPerSecond, 0) << "nobody asked";
    const JobResult result = resultOf(module, {}, true);
    EXPECT_GT(result.copyBytesPerSecond, 1e6);
    EXPECT_EQ(result.copyBytesPerSecond, cpuCopyBandwidth()) << "once in a process";
    const auto figures = figuresOf(result);
    ASSERT_TRUE(figures && figures->copyShare);
    EXPECT_DOUBLE_EQ(*figures->copyShare, 1e6 / 0.002 / result.copyBytesPerSecond);
}

}  // namespace
}  // namespace orogen::compute
