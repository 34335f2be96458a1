// Threads for short passes on a machine that may be busy.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/base/executor.h"

namespace orogen {

// A pool of threads that claim pieces, four for each of them.  A thread that the machine keeps from running claims none
// and is not waited for, so that a pass takes no longer than on one thread, but for a piece; ThreadExecutor, whose
// threads all have to come, then takes what the scheduler takes.
class ClaimingExecutor final : public Executor
{
public:
    explicit ClaimingExecutor(int threads);  // >= 1; the calling thread is one of them
    ~ClaimingExecutor() override;

    void run(std::uint32_t count, const Body& body) override;

private:
    void work(std::uint32_t pass);
    void loop();

    const int threads_;
    const int looks_;  // before a thread sleeps
    // Of this pass; read by who has claimed a piece of it.
    const Body* body_ = nullptr;
    std::uint32_t count_ = 0, pieces_ = 0;
    std::atomic<std::uint64_t> claims_{0};  // the pass, and below it how many pieces are left; publishes what is above
    std::atomic<std::uint32_t> done_{0};    // pieces
    std::atomic<std::uint32_t> pass_{0};
    std::atomic<bool> stopping_{false};
    std::vector<std::thread> pool_;
};

}  // namespace orogen
