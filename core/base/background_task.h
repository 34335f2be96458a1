// Work on a thread of its own that reports progress, can be asked to stop, and yields a result or an error.
//
//   Result<std::unique_ptr<BackgroundTask<Terrain>>> task = BackgroundTask<Terrain>::start(
//       "dem.tif", [](const TaskContext& context) -> Result<Terrain> { ... });
//   ...                                            each frame: (*task)->progress(), (*task)->running()
//   Result<Terrain> terrain = (*task)->take();     after the end
//
// Only wait(), take() and the destructor block; the destructor first asks the work to stop.
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

// Residuals or other values of an iteration, for a plot of its convergence.
struct ConvergenceCurve
{
    std::string name;            // empty: no curve
    double goal = 0;             // target value; 0: none
    std::uint64_t steps = 0;     // number of steps so far; all values but the newest are evenly spaced
    std::vector<double> values;  // at most TaskProgress::kMostPoints, newest last
};

// Progress of a task.  One thread writes, any thread reads.
class TaskProgress
{
public:
    void set(double fraction) { fraction_.store(fraction, std::memory_order_relaxed); }  // 0 ... 1
    void enter(std::string phase);                                                       // starts a phase at fraction 0
    void enter(std::string phase, double fraction);                                      // starts a phase at `fraction`
    void follow(std::string name, double goal);                                          // starts a curve
    void add(double value);                                                              // appends one step's value
    double fraction() const { return fraction_.load(std::memory_order_relaxed); }
    std::string phase() const;
    ConvergenceCurve curve() const;

    static constexpr std::size_t kMostPoints = 400;  // enough for a plot in a panel

private:
    std::atomic<double> fraction_{0};
    mutable std::mutex mutex_;
    std::string phase_;
    ConvergenceCurve curve_;    // every stride_-th value
    std::uint64_t stride_ = 1;  // doubles when the curve is full
    double newest_ = 0;
};

struct TaskContext
{
    TaskProgress& progress;
    std::stop_token stop;  // work polls it at least every 50 ms; once set, work returns an error (kInterrupted)
};

enum class TaskState
{
    kRunning,
    kDone,
    kFailed,
    kCancelled,  // failed after a stop was requested; work that succeeds in spite of the request is kDone
};

// Thread of a BackgroundTask, independent of the result type.
class TaskThread
{
public:
    TaskThread() = default;
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    // Call once.  `work` returns whether it succeeded.  Error kLimit: no thread can be started; `name` appears in the
    // message.
    Status start(const std::string& name, std::function<bool(const TaskContext& context)> work);

    TaskState state() const { return state_.load(std::memory_order_acquire); }
    void requestStop() { thread_.request_stop(); }
    void wait() const { state_.wait(TaskState::kRunning, std::memory_order_acquire); }
    const TaskProgress& progress() const { return progress_; }
    std::chrono::nanoseconds elapsed() const;  // until now, or in total after the end

private:
    using Clock = std::chrono::steady_clock;

    void run(const std::function<bool(const TaskContext&)>& work, const std::stop_token& stop);

    const Clock::time_point start_ = Clock::now();
    std::atomic<Clock::duration::rep> ran_{0};  // 0: still running
    TaskProgress progress_;
    std::atomic<TaskState> state_{TaskState::kRunning};
    std::jthread thread_;  // declared last: stopped and joined before the members that it uses are destroyed
};

template <class T>
class BackgroundTask
{
public:
    using Work = std::function<Result<T>(const TaskContext& context)>;

    // `work` throws only std::bad_alloc, which becomes its error (kLimit).  `name`: the subject of the work, for
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

    // Returns the result or error.  Call only after the end.
    const Result<T>& outcome() const
    {
        assert(!running());
        return *outcome_;
    }

    // Waits for the end and moves the result out.  Call once.
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
    std::optional<Result<T>> outcome_;  // written by the thread while the state is kRunning
    TaskThread thread_;                 // declared last: its thread uses the members above
};

}  // namespace orogen
