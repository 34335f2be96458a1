// Background tasks: results, cancellation, and lack of memory or threads.
#include "core/base/background_task.h"

#include <latch>
#include <new>

#include <gtest/gtest.h>

#include "tests/support/without_threads.h"

namespace orogen {
namespace {

using Task = BackgroundTask<int>;

std::unique_ptr<Task> started(Task::Work work)
{
    Result<std::unique_ptr<Task>> task = Task::start("forty-two", std::move(work));
    EXPECT_TRUE(task) << task.error().message;
    return std::move(*task);
}

Result<int> untilStopped(const TaskContext& context)
{
    std::latch stopped(1);
    const std::stop_callback count(context.stop, [&stopped] { stopped.count_down(); });
    stopped.wait();
    return Error{ExitCode::kInterrupted, "stopped"};
}

TEST(BackgroundTask, LeavesItsResult)
{
    const std::unique_ptr<Task> task = started([](const TaskContext& context) -> Result<int> {
        context.progress.enter("counting", 0.5);
        return 42;
    });
    task->wait();
    EXPECT_EQ(task->state(), TaskState::kDone);
    EXPECT_EQ(task->progress().phase(), "counting");
    EXPECT_EQ(task->progress().fraction(), 0.5);
    EXPECT_EQ(*task->outcome(), 42);
    EXPECT_EQ(*task->take(), 42);
    EXPECT_GT(task->elapsed().count(), 0);
    EXPECT_EQ(task->elapsed(), task->elapsed());  // stopped
}

TEST(BackgroundTask, IsDoneWhereItGotDoneAlthoughItWasAskedToStop)
{
    const std::unique_ptr<Task> task = started([](const TaskContext& context) -> Result<int> {
        (void)untilStopped(context);
        return 1;
    });
    task->cancel();
    EXPECT_EQ(*task->take(), 1);
    EXPECT_EQ(task->state(), TaskState::kDone);
}

TEST(BackgroundTask, IsCancelledWhereItStoppedAsAskedAndFailedWhereItDidNot)
{
    const std::unique_ptr<Task> cancelled = started(untilStopped);
    EXPECT_TRUE(cancelled->running());
    cancelled->cancel();
    EXPECT_EQ(cancelled->take().error().message, "stopped");
    EXPECT_EQ(cancelled->state(), TaskState::kCancelled);

    const std::unique_ptr<Task> failed = started([](const TaskContext&) -> Result<int> {
        return Error{ExitCode::kInput, "no"};
    });
    EXPECT_EQ(failed->take().error().message, "no");
    EXPECT_EQ(failed->state(), TaskState::kFailed);
}

TEST(BackgroundTask, IsStoppedAndWaitedForAtTheEndOfItsLife)
{
    std::atomic<bool> ended{false};
    started([&ended](const TaskContext& context) -> Result<int> {
        Result<int> result = untilStopped(context);
        ended = true;
        return result;
    }).reset();
    EXPECT_TRUE(ended);
}

TEST(BackgroundTask, WithoutMemoryItFails)
{
    const std::unique_ptr<Task> task = started([](const TaskContext&) -> Result<int> { throw std::bad_alloc(); });
    const Result<int> result = task->take();
    EXPECT_EQ(task->state(), TaskState::kFailed);
    EXPECT_EQ(result.error().code, ExitCode::kLimit);
    EXPECT_EQ(result.error().message, "forty-two: does not fit in memory");
}

TEST(BackgroundTask, WithoutAThreadThereIsAnErrorThatSaysSo)
{
    const test::WithoutThreads none;
    const Result<std::unique_ptr<Task>> task =
        Task::start("forty-two", [](const TaskContext&) -> Result<int> { return 42; });
    ASSERT_FALSE(task);
    EXPECT_EQ(task.error().code, ExitCode::kLimit);
    EXPECT_TRUE(task.error().message.starts_with("forty-two: no thread can be started: ")) << task.error().message;
    EXPECT_EQ(task.error().message.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace orogen
