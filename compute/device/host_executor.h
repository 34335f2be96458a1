// Runs kernels on the host: every thread of a kernel is a fiber with its own stack; one operating system thread
// switches between fibers where they wait for each other.  The main purpose is checking: violations of the programming
// model are reported with their place.  The order of threads can be chosen, and a run repeated.
//
// Checked: deadlock; endless spinning; threads of a block that meet at different barriers; a thread that exits while
// others wait for it; masks that omit the calling lane, name an exited lane, or differ between lanes; a shuffle from a
// lane outside the mask; writes past shared memory; a grid barrier in a launch that is not cooperative.  Shared memory
// starts filled with a pattern.  Not modelled: lanes of a warp in lockstep, speed.
//
// A switch takes about 20 ns on x86-64 with 256 threads per block (measured on a busy machine: 12 to 28; twice that
// with 4096 threads at once, whose stacks exceed the cache).  Other processors use ucontext, which is slower.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "compute/device/launch.h"
#include "core/base/status.h"

namespace orogen::compute {

// Source location of a barrier.
struct BarrierSite
{
    const char* file = "";
    int line = 0;  // 0: none

    friend bool operator==(const BarrierSite& a, const BarrierSite& b)
    {
        return a.line == b.line && (a.file == b.file || std::string_view(a.file) == b.file);
    }
};

// Order in which threads run and blocks become resident.  GPUs guarantee no order.
enum class ThreadOrder
{
    kForward,
    kReverse,
    kRandom,  // repeatable by its seed; also switches at atomics, acquire and release
};

// Memory that the blocks of a launch share, aligned to 8 bytes.
struct MemoryRange
{
    void* data;
    std::size_t bytes;
};

// Model of weak memory: decides when a block sees the plain stores of others.  Without one, blocks see stores at once.
class MemoryModel
{
public:
    virtual ~MemoryModel() = default;
    virtual void add(const void* block) = 0;     // a block becomes resident
    virtual void retire(const void* block) = 0;  // a block has ended
    virtual void show(const void* block) = 0;    // switches to that block; nullptr: none
    virtual void settle() = 0;                   // makes all stores visible at the end of the kernel

    // Called by the running block.
    virtual void acquire() = 0;
    virtual void release() = 0;
    virtual void meet() = 0;  // grid barrier of all blocks
    virtual void beginAtomic(const void* at, std::size_t bytes) = 0;
    virtual void endAtomic(const void* at, std::size_t bytes) = 0;  // after an atomic that wrote
};
using MakeMemoryModel = std::unique_ptr<MemoryModel> (*)(std::span<const MemoryRange> memories, std::uint64_t seed);

struct HostSchedule
{
    static constexpr unsigned kAllBlocks = ~0u;

    ThreadOrder order = ThreadOrder::kForward;
    std::uint64_t seed = 1;
    unsigned residentBlocks = 8;  // at once, >= 1; other blocks wait until one of these has ended
    BarrierSite skipped;          // barrier that is left out: tests check that each omission is detected
    std::stop_token stop = {};    // ends the launch with kInterrupted between two switches
    MakeMemoryModel memory = {};  // model of the launch's memories; nullptr: none
};

// Totals of the launches; all 0 if the executor was not used.
struct ExecutorCounts
{
    std::uint64_t blocks = 0, threads = 0, switches = 0;

    ExecutorCounts& operator+=(const ExecutorCounts& other);
};

struct HostLaunch
{
    ExecutorCounts counts;
    std::vector<BarrierSite> barriers;  // block and grid barriers completed, each listed once
};

// Runs every thread of the launch.  `memories`: memory that the memory model covers.  Errors: kDevice for a shape that
// cannot run, or for a violation, with its place in the message; kLimit (memory for stacks); kInterrupted after a stop.
// Launches on different threads are independent.  A kernel must not launch another one.
Result<HostLaunch> launchOnHost(const KernelEntry& kernel, const LaunchShape& shape, const void* arguments,
                                const HostSchedule& schedule = {}, std::span<const MemoryRange> memories = {});

// ---- for kernel_host.h: calls by the running thread of a kernel -----------------------------------------------------

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
void* hostShared(const void* key, std::size_t bytes);     // the block's array for that key, shared by its threads
void hostYield();                                         // waits for a change by another thread
void hostPreempt();                                       // may run another thread (random order)
void hostProgress();                                      // reports a change that another thread may wait for
void hostBeginAtomic(const void* at, std::size_t bytes);  // may run another thread before the atomic, not within
void hostEndAtomic(const void* at, std::size_t bytes);    // after a write, for which another thread may wait
void hostAcquire();
void hostRelease();

}  // namespace orogen::compute
