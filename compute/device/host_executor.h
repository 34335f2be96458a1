// Runs kernels on the host, thread by thread: every thread of a kernel is a fiber with its own stack, and one operating
// system thread switches between them where they wait for each other.  It is a checker first: whatever a kernel does
// wrong by the rules of the programming model is reported with the place, in every order of its threads.
//
// What is checked: deadlock; threads of a block that meet at different barriers; a thread that leaves while others wait
// for it; masks that do not name the calling lane, name a lane that has left, or differ between lanes; a shuffle from a
// lane outside the mask; writes behind shared memory; a grid barrier in a launch that is not cooperative.  Shared
// memory starts poisoned.  On request plain stores are seen late and in another order by other blocks (weak_memory.h).
// Not checked: lockstep assumptions, speed.
//
// A switch takes some 20 ns on x86-64 with 256 threads a block (measured on a busy machine: 12 to 28, and twice that
// with 4096 threads at once, whose stacks no longer fit the cache); elsewhere it is ucontext's, which is slower.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "compute/device/launch.h"
#include "core/base/status.h"

namespace orogen::compute {

// Where a barrier stands in the source.
struct BarrierSite
{
    const char* file = "";
    int line = 0;  // 0: none

    friend bool operator==(const BarrierSite& a, const BarrierSite& b)
    {
        return a.line == b.line && (a.file == b.file || std::string_view(a.file) == b.file);
    }
};

// In what order threads get their turn, and blocks become resident: GPUs promise none.
enum class ThreadOrder
{
    kForward,
    kReverse,
    kRandom,  // repeatable by its seed; also switches at atomics and at acquire and release
};

struct HostSchedule
{
    static constexpr unsigned kAllBlocks = ~0u;

    ThreadOrder order = ThreadOrder::kForward;
    std::uint64_t seed = 1;
    unsigned residentBlocks = 8;  // at once, >= 1; the others wait until one of these has ended
    BarrierSite skipped;          // a barrier that is left out: tests plant this defect, for every barrier
    std::stop_token stop = {};    // ends the launch, with kInterrupted, between two switches
    bool weakMemory = false;      // plain stores to the launch's memories are seen late by other blocks; by `seed`
};

// What was run; all 0 where the executor was not used.
struct ExecutorCounts
{
    std::uint64_t blocks = 0, threads = 0, switches = 0;

    ExecutorCounts& operator+=(const ExecutorCounts& other);
};

struct HostLaunch
{
    ExecutorCounts counts;
    std::vector<BarrierSite> barriers;  // block and grid barriers that were met, each once
};

// Memory that the blocks of a launch share.
struct MemoryRange
{
    void* data;
    std::size_t bytes;
};

// Runs every thread of the launch.  `memories`: where stores may be seen late, aligned to 8.  The error says what the
// kernel did wrong, in which block and thread and where. Launches on different threads are independent; a kernel does
// not launch another.
Result<HostLaunch> launchOnHost(const KernelEntry& kernel, const LaunchShape& shape, const void* arguments,
                                const HostSchedule& schedule = {}, std::span<const MemoryRange> memories = {});

// ---- for kernel_host.h: what the running thread of a kernel asks for ------------------------------------------------

struct HostThread
{
    Dim3 thread, block, blockSize, gridSize;
    unsigned lane = 0;
};

extern constinit thread_local const HostThread* hostThread;

void hostSyncBlock(const BarrierSite& site);
void hostSyncGrid(const BarrierSite& site);
void hostSyncWarp(std::uint32_t mask, const BarrierSite& site);
std::uint32_t hostBallot(std::uint32_t mask, bool predicate);
std::uint64_t hostShuffle(std::uint32_t mask, std::uint64_t value, unsigned lane);
void* hostShared(const void* key, std::size_t bytes);  // the block's memory of that key, the same for all its threads
void hostYield();                                      // waits for a change by another thread
void hostPreempt();                                    // another thread may run here (random order)
void hostProgress();                                   // something changed that another thread may wait for
void hostBeginAtomic(const void* at, std::size_t bytes);  // another thread may run before it, none until its end
void hostEndAtomic(const void* at, std::size_t bytes);    // it wrote, and another thread may wait for that
void hostAcquire();
void hostRelease();

}  // namespace orogen::compute
