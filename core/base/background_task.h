// Work on a thread of its own, for programs that go on meanwhile: it says where it is, can be asked to stop, and leaves
// a result or an error.
//
//   Result<std::unique_ptr<BackgroundTask<Terrain>>> task = BackgroundTask<Terrain>::start(
//       "dem.tif", [](const TaskContext& context) -> Result<Terrain> { ... });
//   ...                                            each frame: (*task)->progress(), (*task)->running()
//   Result<Terrain> terrain = (*task)->take();     once it is over
//
// Nothing here waits but wait(), take() and the destructor, which asks the work to stop.
#pragma once

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/status.h"

namespace orogen {

// What a task brings down step by step, as a residual.
struct ConvergenceCurve
{
    std::string name;            // empty: the task has none
    double goal = 0;             // to come down to; 0: none
    std::uint64_t steps = 0;     // so far; values are spread over them evenly
    std::vector<double> values;  // at most TaskProgress::kMostPoints, the newest last
};

// Where a task is.  One thread writes, any reads.
class TaskProgress
{
public:
    void set(double fraction) { fraction_.store(fraction, std::memory_order_relaxed); }  // 0 ... 1
    void enter(std::string phase);                                                       // and starts anew at 0
    void enter(std::string phase, double fraction);                                      // and goes on from there
    void follow(std::string name, double goal);                                          // begins a curve
    void add(double value);                                                              // to it, one a step
    double fraction() const { return fraction_.load(std::memory_order_relaxed); }
    std::string phase() const;
    ConvergenceCurve curve() const;

    static constexpr std::size_t kMostPoints = 400;  // more than a panel is wide

private:
    std::atomic<double> fraction_{0};
    mutable std::mutex mutex_;
    std::string phase_;
    ConvergenceCurve curve_;    // each stride_-th value
    std::uint64_t stride_ = 1;  // doubles when there are too many
    double newest_ = 0;
};

struct TaskContext
{
    TaskProgress& progress;
    std::stop_token stop;  // looked at every 50 ms at least; after it, an error (kInterrupted)
};

enum class TaskState
{
    kRunning,
    kDone,
    kFailed,
    kCancelled,  // it was asked to stop, and did not get done
};

// The thread of a BackgroundTask, whatever its result.
class TaskThread
{
public:
    TaskThread() = default;
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    // Once.  `work`: whether it got done.  Error kLimit: no thread can be started; `name` says for what.
    Status start(const std::string& name, std::function<bool(const TaskContext& context)> work);

    TaskState state() const { return state_.load(std::memory_order_acquire); }
    void requestStop() { thread_.request_stop(); }
    void wait() const { state_.wait(TaskState::kRunning, std::memory_order_acquire); }
    const TaskProgress& progress() const { return progress_; }
    std::chrono::nanoseconds elapsed() const;  // so far or in all

private:
    using Clock = std::chrono::steady_clock;

    void run(const std::function<bool(const TaskContext&)>& work, const std::stop_token& stop);

    const Clock::time_point start_ = Clock::now();
    std::atomic<Clock::duration::rep> ran_{0};  // 0: still runs
    TaskProgress progress_;
    std::atomic<TaskState> state_{TaskState::kRunning};
    std::jthread thread_;  // last: it uses all of the above, and is asked to stop and waited for first
};

template <class T>
class BackgroundTask
{
public:
    using Work = std::function<Result<T>(const TaskContext& context)>;

    // `work` throws nothing but std::bad_alloc, which becomes its error (kLimit).  `name`: of what is worked on, for
    // messages.  Error kLimit: no thread can be started.
    static Result<std::unique_ptr<BackgroundTask>> start(std::string name, Work work)
    {
        std::unique_ptr<BackgroundTask> task(new BackgroundTask(std::move(name)));
        BackgroundTask* made = task.get();
        Status started = made->thread_.start(made->name_, [made, work = std::move(work)](const TaskContext& context) {
            return made->run(work, context);
        });
        if (!started) return started.error();
        return task;
    }

    const std::string& name() const { return name_; }
    TaskState state() const { return thread_.state(); }
    bool running() const { return state() == TaskState::kRunning; }
    void cancel() { thread_.requestStop(); }
    void wait() const { thread_.wait(); }
    const TaskProgress& progress() const { return thread_.progress(); }
    std::chrono::nanoseconds elapsed() const { return thread_.elapsed(); }

    // What came of it; once it is not running any more.
    const Result<T>& outcome() const
    {
        assert(!running());
        return *outcome_;
    }

    // The same, given away; once.  Waits for the end.
    Result<T> take()
    {
        wait();
        return std::move(*outcome_);
    }

private:
    explicit BackgroundTask(std::string name) : name_(std::move(name)) {}

    bool run(const Work& work, const TaskContext& context)
    {
        try
        {
            outcome_.emplace(work(context));
        }
        catch (const std::bad_alloc&)
        {
            outcome_.emplace(Error{ExitCode::kLimit, name_ + ": does not fit in memory"});
        }
        return bool(*outcome_);
    }

    const std::string name_;
    std::optional<Result<T>> outcome_;  // of the thread, until the state says otherwise
    TaskThread thread_;                 // last: it uses the above
};

}  // namespace orogen
