// Who runs the loops of the tree: one thread or several.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace orogen {

// Runs a body over disjoint ranges [begin, end) that together cover [0, count), in any order and on any threads, and
// returns when all are done.  What the bodies wrote is visible to the caller and to the next call.
class Executor
{
public:
    using Body = std::function<void(std::uint32_t begin, std::uint32_t end)>;

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    virtual void run(std::uint32_t count, const Body& body) = 0;
};

class SerialExecutor final : public Executor
{
public:
    void run(std::uint32_t count, const Body& body) override;
};

// A pool of threads that take fixed stripes, so that every one of them works in every pass, however short.  Between
// passes a thread looks for the next one for some 50 microseconds before it sleeps: passes of a frame follow each other
// faster than a sleeping thread wakes.
class ThreadExecutor final : public Executor
{
public:
    // The calling thread is one of `threads`, >= 1.  A stripe is `grain` indices, >= 1, or fewer, so that there is one
    // for each thread.
    explicit ThreadExecutor(int threads, std::uint32_t grain = 1024);
    ~ThreadExecutor() override;

    void run(std::uint32_t count, const Body& body) override;

private:
    void work(int thread) const;
    void loop(int thread);

    const int threads_;
    const std::uint32_t grain_;
    const int looks_;  // before a thread sleeps
    const Body* body_ = nullptr;
    std::uint32_t count_ = 0;
    bool stopping_ = false;
    std::atomic<unsigned> pass_{0};  // publishes what is above
    std::atomic<int> busy_{0};
    std::vector<std::thread> pool_;
};

}  // namespace orogen
