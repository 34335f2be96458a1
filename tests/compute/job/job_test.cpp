// Modules, their parameters, and jobs on threads.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "compute/job/module.h"
#include "tests/support/assign.h"

namespace orogen::compute {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

const std::vector<Parameter> kParameters = {
    Parameter::integer("count", 1, 64, "16", "how many"),
    Parameter::real("tolerance", 0, 1, "1e-10", "when to stop"),
    Parameter::choice("backend", {"cpu", "cuda", "auto"}, "auto", "where"),
    Parameter::text("a", "an operand"),
    Parameter::file("file", "of numbers"),
    Parameter::flag("carry-in", "one more"),
};

// Module that runs until it is cancelled, and counts.
class WaitingModule : public Module
{
public:
    const ModuleDescription& description() const override
    {
        static const ModuleDescription described = {.name = "waiting", .parameters = kParameters};
        return described;
    }
    std::string device(const ParameterValues& values) const override { return values.text("backend"); }
    Result<JobResult> run(const ParameterValues& values, const RunContext& context) const override
    {
        ++running;
        context.progress.enter("waiting");
        if (values.text("a") == "throw") throw std::bad_alloc();
        if (values.text("a") == "fail") return Error{ExitCode::kInput, "no number"};
        while (!finish && !context.stop.stop_requested())
        {
            context.progress.set(0.5);
            std::this_thread::sleep_for(1ms);
        }
        if (!finish) return Error{ExitCode::kInterrupted, "cancelled"};
        JobResult result;
        result.json["sum"] = context.wholeResult ? "whole" : "some";
        return result;
    }
    mutable std::atomic<int> running{0};
    std::atomic<bool> finish{false};
};

// Waits until done(); returns false if that hangs.
template <class Done>
bool eventually(Done done)
{
    for (const Clock::time_point end = Clock::now() + 900s; Clock::now() < end; std::this_thread::sleep_for(100us))
        if (done()) return true;
    return done();
}

// ---- parameters ----

TEST(ParameterValues, StartWithTheStandardValues)
{
    const ParameterValues values(kParameters);
    EXPECT_EQ(values.integer("count"), 16);
    EXPECT_EQ(values.real("tolerance"), 1e-10);
    EXPECT_EQ(values.text("backend"), "auto");
    EXPECT_EQ(values.text("a"), "");
    EXPECT_FALSE(values.flag("carry-in"));
    for (const Parameter& parameter : kParameters)
        EXPECT_FALSE(values.given(parameter.name));
}

TEST(ParameterValues, TakeWhatIsInRange)
{
    ParameterValues values(kParameters);
    EXPECT_TRUE(values.set("count", "64"));
    EXPECT_TRUE(values.set("tolerance", "0.25"));
    EXPECT_TRUE(assign(values, "backend=cuda"));
    EXPECT_TRUE(assign(values, "a=@x=y"));
    EXPECT_TRUE(assign(values, "carry-in"));
    EXPECT_EQ(values.integer("count"), 64);
    EXPECT_EQ(values.real("tolerance"), 0.25);
    EXPECT_EQ(values.text("backend"), "cuda");
    EXPECT_EQ(values.text("a"), "@x=y");
    EXPECT_TRUE(values.flag("carry-in"));
    EXPECT_TRUE(values.given("a"));
    EXPECT_FALSE(values.given("file"));
}

TEST(ParameterValues, RefuseTheRestAndNameTheRange)
{
    const struct
    {
        const char *assignment, *names;
    } cases[] = {{"count=0", "1 to 64"},       {"count=65", "1 to 64"},
                 {"count=", "1 to 64"},        {"count= 1", "1 to 64"},
                 {"count=1.5", "1 to 64"},     {"count=99999999999999999999", "1 to 64"},
                 {"count=seven", "1 to 64"},   {"tolerance=nan", "0 to 1"},
                 {"tolerance=-1", "0 to 1"},   {"tolerance=1e", "0 to 1"},
                 {"backend=gpu", "cpu, cuda"}, {"backend=", "cuda or auto"},
                 {"carry-in=2", "true"},       {"carry=true", "a, file or carry-in"},
                 {"=1", "no such parameter"},  {"", "no such parameter"}};
    for (const auto& [assignment, names] : cases)
    {
        ParameterValues values(kParameters);
        const Status status = assign(values, assignment);
        ASSERT_FALSE(status) << assignment;
        EXPECT_EQ(status.error().code, ExitCode::kUsage);
        EXPECT_NE(status.error().message.find(names), std::string::npos) << status.error().message;
        EXPECT_EQ(values.integer("count"), 16) << "a refused value changes nothing";
    }
}

// ---- jobs ----

TEST(Job, RunsOnAThreadOfItsOwnAndIsPolled)
{
    WaitingModule module;
    JobDevices devices;
    const auto job = startJob(module, ParameterValues(kParameters), {.wholeResult = true, .devices = &devices});
    ASSERT_TRUE(job);
    EXPECT_EQ((*job)->state(), JobState::kRunning);
    EXPECT_TRUE((*job)->running());
    EXPECT_TRUE(eventually([&] { return (*job)->progress().fraction() == 0.5; }));
    EXPECT_EQ((*job)->progress().phase(), "waiting");
    module.finish = true;
    ASSERT_TRUE(eventually([&] { return (*job)->state() == JobState::kDone; }));
    ASSERT_TRUE((*job)->outcome());
    EXPECT_EQ(((*job)->outcome()->json)["sum"], "whole");
    const auto elapsed = (*job)->elapsed();
    std::this_thread::sleep_for(2ms);
    EXPECT_EQ((*job)->elapsed(), elapsed) << "it stands still once the job is done";
}

TEST(Job, FailureIsAValue)
{
    WaitingModule module;
    JobDevices devices;
    for (const auto& [operand, code] : {std::pair{"fail", ExitCode::kInput}, std::pair{"throw", ExitCode::kLimit}})
    {
        ParameterValues values(kParameters);
        ASSERT_TRUE(values.set("a", operand));
        const auto job = startJob(module, values, {.devices = &devices});
        ASSERT_TRUE(job);
        ASSERT_TRUE(eventually([&] { return (*job)->state() == JobState::kFailed; })) << operand;
        ASSERT_FALSE((*job)->outcome());
        EXPECT_EQ((*job)->outcome().error().code, code);
    }
}

TEST(Job, IsCancelledWithin100Milliseconds)
{
    WaitingModule module;
    JobDevices devices;
    const auto job = startJob(module, ParameterValues(kParameters), {.devices = &devices});
    ASSERT_TRUE(job);
    ASSERT_TRUE(eventually([&] { return module.running == 1; }));
    (*job)->cancel();
    EXPECT_TRUE(eventually([&] { return (*job)->state() == JobState::kCancelled; }));
    ASSERT_FALSE((*job)->outcome());
    EXPECT_EQ((*job)->outcome().error().code, ExitCode::kInterrupted);
}

TEST(Job, EndsWithItsOwner)
{
    WaitingModule module;
    JobDevices devices;
    auto job = startJob(module, ParameterValues(kParameters), {.devices = &devices});
    ASSERT_TRUE(job);
    job->reset();
    EXPECT_TRUE(devices.take("auto")) << "the device is free again";
}

TEST(Job, OneAtATimeOnADevice)
{
    WaitingModule module;
    JobDevices devices;
    ParameterValues onCuda(kParameters);
    ASSERT_TRUE(onCuda.set("backend", "cuda"));
    auto first = startJob(module, ParameterValues(kParameters), {.devices = &devices});
    ASSERT_TRUE(first);
    const auto refused = startJob(module, ParameterValues(kParameters), {.devices = &devices});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kLimit);
    EXPECT_NE(refused.error().message.find("auto"), std::string::npos) << refused.error().message;
    const auto other = startJob(module, onCuda, {.devices = &devices});
    EXPECT_TRUE(other) << "another device is free";
    module.finish = true;
    ASSERT_TRUE(eventually([&] { return (*first)->state() == JobState::kDone; }));
    EXPECT_TRUE(startJob(module, ParameterValues(kParameters), {.devices = &devices})) << "free once the first is done";
}

// Module that knows its device only after CUDA has been discovered.
class LateModule : public WaitingModule
{
public:
    std::string device(const ParameterValues& values) const override
    {
        const bool first = askedBy_ == std::thread::id() || askedBy_ == std::this_thread::get_id();
        askedBy_ = std::this_thread::get_id();
        return first ? "" : WaitingModule::device(values);
    }

private:
    mutable std::thread::id askedBy_;  // first the starting thread, then the job's
};

TEST(Job, TakesADeviceThatOnlyTheDriverKnowsOnItsOwnThread)
{
    LateModule late;
    WaitingModule other;
    JobDevices devices;
    auto first = startJob(late, ParameterValues(kParameters), {.devices = &devices});
    ASSERT_TRUE(first);
    ASSERT_TRUE(eventually([&] { return late.running == 1; }));
    EXPECT_FALSE(startJob(other, ParameterValues(kParameters), {.devices = &devices})) << "it has the device";
    late.finish = true;
    ASSERT_TRUE(eventually([&] { return (*first)->state() == JobState::kDone; }));

    const auto has = startJob(other, ParameterValues(kParameters), {.devices = &devices});
    ASSERT_TRUE(has) << "it was given back";
    LateModule later;
    const auto refused = startJob(later, ParameterValues(kParameters), {.devices = &devices});
    ASSERT_TRUE(refused);
    ASSERT_TRUE(eventually([&] { return (*refused)->state() == JobState::kFailed; }));
    EXPECT_EQ((*refused)->outcome().error().code, ExitCode::kLimit);
    EXPECT_EQ((*refused)->outcome().error().message, "waiting: auto is running another job");
}

TEST(Job, ManyStartedCancelledAndDropped)
{
    WaitingModule module;
    JobDevices devices;
    for (int i = 0; i < 200; ++i)
    {
        auto job = startJob(module, ParameterValues(kParameters), {.wholeResult = i % 2 == 0, .devices = &devices});
        ASSERT_TRUE(job) << i;
        if (i % 3 == 0) (*job)->cancel();
        (void)(*job)->progress().phase();
        (void)(*job)->elapsed();
        if (i % 5 == 0) (*job)->cancel();
    }
    EXPECT_GE(module.running, 0);
}

TEST(Job, RunModuleTurnsMemoryThatRunsOutIntoAnError)
{
    WaitingModule module;
    Progress progress;
    ParameterValues values(kParameters);
    ASSERT_TRUE(values.set("a", "throw"));
    const Result<JobResult> outcome = runModule(module, values, {progress, {}});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ExitCode::kLimit);
}

TEST(Progress, ItsCurveHasTheNewestValueLastAndTheOthersEvenlySpread)
{
    Progress progress;
    EXPECT_TRUE(progress.curve().name.empty());
    progress.follow("residual", 1e-3);
    for (std::uint64_t step = 0; step < 5'000; ++step)
    {
        progress.add(double(step));
        const Curve curve = progress.curve();
        ASSERT_EQ(curve.steps, step + 1);
        ASSERT_EQ(curve.values.back(), double(step));
        ASSERT_LE(curve.values.size(), Progress::kMostPoints);
        ASSERT_EQ(curve.values.front(), 0);
        ASSERT_GE(curve.values.size(), std::min<std::size_t>(step + 1, Progress::kMostPoints / 2));
        for (std::size_t i = 2; i + 1 < curve.values.size(); ++i)
            ASSERT_EQ(curve.values[i] - curve.values[i - 1], curve.values[1]) << step;
    }
    progress.follow("residual", 1e-3);
    EXPECT_TRUE(progress.curve().values.empty());
    EXPECT_EQ(progress.curve().goal, 1e-3);
}

}  // namespace
}  // namespace orogen::compute
