// State of the blocks that the host executor runs.  Included by host_executor.cpp only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "compute/device/fiber.h"
#include "compute/device/host_executor.h"
#include "compute/device/kernel.h"

namespace orogen::compute::executor {

enum class WarpCall : std::uint8_t
{
    kSync,
    kBallot,
    kShuffle,
};

inline constexpr const char* kWarpCallNames[] = {"syncWarp", "a vote", "a shuffle"};

struct Block;

struct Thread : HostThread
{
    Fiber fiber;
    Block* home = nullptr;
    unsigned index = 0;  // in the block
    bool started = false, ended = false;
    const char* waitsFor = nullptr;  // operation that the thread waits in, for the report of a deadlock
    BarrierSite site;                // barrier that the thread waits at
    std::uint64_t answer = 0;        // result of the last warp operation
};

// Operation of a warp (shuffle, ballot, barrier) in progress, with the lanes and operands that have arrived.
struct Meeting
{
    std::uint32_t mask = 0, arrived = 0, votes = 0;
    WarpCall call = WarpCall::kSync;
    std::uint64_t values[kWarpLanes] = {};
    std::uint8_t sources[kWarpLanes] = {};
};

struct Warp
{
    std::uint32_t live = 0;  // lanes that exist and have not exited
    std::vector<Meeting> meetings;
};

// Array in the shared memory of a block.
struct SharedMemory
{
    const void* key;  // identifies the array's declaration in the kernel
    std::size_t bytes;
    std::unique_ptr<std::byte[]> memory;
};

struct Block
{
    unsigned live = 0;     // threads that have not exited
    unsigned arrived = 0;  // threads at the block barrier
    BarrierSite site;      // barrier that the arrived threads wait at
    std::vector<Warp> warps;
    std::unique_ptr<Thread[]> threads;
    std::vector<SharedMemory> shared;
};

// Queue of runnable threads, served in order of arrival or at random.
class ReadyThreads
{
public:
    ReadyThreads(ThreadOrder order, std::uint64_t seed) : order_(order), state_(seed) {}

    bool empty() const { return first_ == threads_.size(); }
    std::size_t size() const { return threads_.size() - first_; }
    void add(Thread* thread) { threads_.push_back(thread); }

    // Removes and returns a thread.  Random order prefers threads of `near`, to switch between blocks less often.
    Thread* take(const Block* near = nullptr)
    {
        if (order_ == ThreadOrder::kRandom) std::swap(threads_[first_], threads_[any(near)]);
        Thread* const thread = threads_[first_++];
        if (first_ >= kCompactAt && first_ * 2 >= threads_.size())
        {
            threads_.erase(threads_.begin(), threads_.begin() + std::ptrdiff_t(first_));
            first_ = 0;
        }
        return thread;
    }

    std::uint64_t random()  // SplitMix64
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

private:
    static constexpr std::size_t kCompactAt = 1024;

    // Returns the index of a random thread, after up to kTriesNear tries for one of the block `near`.
    std::size_t any(const Block* near)
    {
        std::size_t found = first_ + random() % size();
        for (int tries = 0; near && threads_[found]->home != near && tries < kTriesNear; ++tries)
            found = first_ + random() % size();
        return found;
    }

    static constexpr int kTriesNear = 32;

    ThreadOrder order_;
    std::uint64_t state_;
    std::vector<Thread*> threads_;
    std::size_t first_ = 0;
};

}  // namespace orogen::compute::executor
