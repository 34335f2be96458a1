// The threads of a grid are fibers, switched where they wait for each other.  A schedule can therefore be chosen and
// repeated, and a deadlock is detected instead of hanging.
#include "compute/device/host_executor.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compute/device/host_block.h"

namespace orogen::compute {

constinit thread_local const HostThread* hostThread = nullptr;

ExecutorCounts& ExecutorCounts::operator+=(const ExecutorCounts& other)
{
    blocks += other.blocks;
    threads += other.threads;
    switches += other.switches;
    return *this;
}

namespace {

using namespace executor;

constexpr unsigned char kSharedPoison = 0xa5;  // initial content of shared memory
constexpr std::size_t kGuardBytes = 64;        // guard after each piece of shared memory
constexpr unsigned char kSharedGuard = 0x5a;
// Yields without progress, per runnable thread, after which spinning is reported as endless.
constexpr std::uint64_t kSpinLimit = 1000;
// Number of switches between two polls of the stop token.  Small, since a thread may run for a millisecond per switch.
constexpr std::uint64_t kSwitchesBetweenLooks = 8;

class Machine
{
public:
    Machine(const KernelEntry& kernel, const LaunchShape& shape, const void* arguments, const HostSchedule& schedule,
            std::span<const MemoryRange> memories);

    Result<HostLaunch> run();

    void syncBlock(const BarrierSite& site);
    void syncGrid(const BarrierSite& site);
    std::uint64_t meet(WarpCall call, std::uint32_t mask, std::uint64_t value, unsigned source,
                       const BarrierSite& site);
    void* shared(const void* key, std::size_t bytes);
    void yield();
    void preempt();
    void progress() { idleTurns_ = 0; }
    MemoryModel* memory() { return unwinding_ ? nullptr : memory_.get(); }

private:
    // Exception that ends an unfinished thread, so that its destructors run.
    struct Unwound
    {
    };

    static void enter();
    void work(Thread& thread);
    void leave(Thread& thread);
    void unwind();

    void admit();
    void orderBlocks();
    std::unique_ptr<Block> makeBlock(unsigned number, unsigned slot);
    void prepareThread(Block& block, unsigned index, const Dim3& place, unsigned slot);
    void retire();
    void checkShared(const Block& block);

    void wait(const char* what, const BarrierSite& site);
    void goOn(Thread& from, const Block* near = nullptr);
    void turnTo(Thread& thread);
    Fiber& next(const Block* near);
    bool isStopped();
    void resume(Thread& thread);
    void release(Block& block, const Thread& last);
    void queueUp();
    void note(const BarrierSite& site);
    bool isSkipped(const BarrierSite& site) const { return schedule_.skipped.line != 0 && site == schedule_.skipped; }
    Meeting& meeting(Warp& warp, WarpCall call, std::uint32_t mask);
    void answer(Block& block, Thread& last, const Meeting& meeting);

    std::string place(const Thread& thread) const;
    void report(std::string what);
    [[noreturn]] void fail(const std::string& what);
    std::string deadlock() const;

    const KernelEntry& kernel_;
    const LaunchShape& shape_;
    const void* arguments_;
    const HostSchedule& schedule_;
    const unsigned blockThreads_;
    const unsigned gridBlocks_;

    Fiber main_;
    Thread* current_ = nullptr;
    ReadyThreads ready_;
    std::vector<std::unique_ptr<Block>> slots_;  // resident blocks; null: free for the next block
    std::vector<unsigned> blockOrder_;
    unsigned admitted_ = 0, retired_ = 0;
    bool blockEnded_ = false, stopped_ = false, unwinding_ = false;
    std::uint64_t gridArrived_ = 0;
    BarrierSite gridSite_;
    std::uint64_t idleTurns_ = 0;          // yields since the last progress
    std::unique_ptr<MemoryModel> memory_;  // null: stores are visible at once
    HostLaunch result_;
    std::string error_;
};

thread_local Machine* machine = nullptr;
thread_local StackPool stackPool;

std::string text(const Dim3& place) { return fmt::format("({}, {}, {})", place.x, place.y, place.z); }

std::string text(const BarrierSite& site)
{
    const std::string_view file = site.file;
    return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), site.line);
}

Dim3 placeOf(unsigned number, const Dim3& extent)
{
    return {number % extent.x, number / extent.x % extent.y, number / extent.x / extent.y};
}

Machine::Machine(const KernelEntry& kernel, const LaunchShape& shape, const void* arguments,
                 const HostSchedule& schedule, std::span<const MemoryRange> memories)
    : kernel_(kernel), shape_(shape), arguments_(arguments), schedule_(schedule),
      blockThreads_(unsigned(shape.block.count())), gridBlocks_(unsigned(shape.grid.count())),
      ready_(schedule.order, schedule.seed),
      slots_(std::min<std::size_t>(std::max(schedule.residentBlocks, 1u), shape.grid.count()))
{
    if (schedule.memory) memory_ = schedule.memory(memories, schedule.seed);
}

Result<HostLaunch> Machine::run()
{
    if (shape_.cooperative && gridBlocks_ > slots_.size())
        return Error{ExitCode::kDevice, fmt::format("kernel {}: a cooperative launch of {} blocks, but only {} can be "
                                                    "resident at once",
                                                    kernel_.name, gridBlocks_, slots_.size())};
    if (!stackPool.reserve(slots_.size() * blockThreads_))
        return Error{ExitCode::kLimit, fmt::format("kernel {}: no memory for the stacks of {} threads", kernel_.name,
                                                   slots_.size() * blockThreads_)};
    orderBlocks();
    while (retired_ < gridBlocks_ && error_.empty() && !isStopped())
    {
        admit();
        if (ready_.empty())
            report(deadlock());
        else
        {
            turnTo(*ready_.take());
            Fiber::change(main_, current_->fiber);
            retire();
        }
    }
    unwind();
    if (memory_) memory_->settle();
    if (!error_.empty()) return Error{ExitCode::kDevice, error_};
    if (stopped_) return Error{ExitCode::kInterrupted, fmt::format("kernel {}: stopped", kernel_.name)};
    result_.counts.blocks = gridBlocks_;
    result_.counts.threads = std::uint64_t(gridBlocks_) * blockThreads_;
    return std::move(result_);
}

void Machine::orderBlocks()
{
    blockOrder_.resize(gridBlocks_);
    std::iota(blockOrder_.begin(), blockOrder_.end(), 0u);
    if (schedule_.order == ThreadOrder::kReverse) std::ranges::reverse(blockOrder_);
    if (schedule_.order == ThreadOrder::kRandom)
        for (std::size_t i = blockOrder_.size(); i > 1; --i)
            std::swap(blockOrder_[i - 1], blockOrder_[ready_.random() % i]);
}

void Machine::admit()
{
    if (admitted_ - retired_ == slots_.size()) return;
    for (unsigned slot = 0; slot < slots_.size() && admitted_ < gridBlocks_; ++slot)
        if (!slots_[slot]) slots_[slot] = makeBlock(blockOrder_[admitted_++], slot);
}

std::unique_ptr<Block> Machine::makeBlock(unsigned number, unsigned slot)
{
    auto block = std::make_unique<Block>();
    block->live = blockThreads_;
    if (memory_) memory_->add(block.get());
    block->warps.resize((blockThreads_ + kWarpLanes - 1) / kWarpLanes);
    block->threads = std::make_unique<Thread[]>(blockThreads_);
    const Dim3 place = placeOf(number, shape_.grid);
    for (unsigned i = 0; i < blockThreads_; ++i)
        prepareThread(*block, i, place, slot);
    for (unsigned i = 0; i < blockThreads_; ++i)
        ready_.add(&block->threads[schedule_.order == ThreadOrder::kReverse ? blockThreads_ - 1 - i : i]);
    return block;
}

void Machine::prepareThread(Block& block, unsigned index, const Dim3& place, unsigned slot)
{
    Thread& thread = block.threads[index];
    static_cast<HostThread&>(thread) = {placeOf(index, shape_.block), place, shape_.block, shape_.grid,
                                        index % kWarpLanes};
    thread.home = &block;
    thread.index = index;
    block.warps[index / kWarpLanes].live |= 1u << thread.lane;
    const std::size_t colour = index % 32 * 128;  // spreads stacks over cache lines, as in StackPool::kStackBytes
    thread.fiber.prepare(stackPool.stack(std::size_t(slot) * blockThreads_ + index), StackPool::kStackBytes - colour,
                         &Machine::enter);
}

void Machine::retire()
{
    if (!blockEnded_) return;
    blockEnded_ = false;
    current_ = nullptr;
    for (std::unique_ptr<Block>& block : slots_)
        if (block && block->live == 0)
        {
            checkShared(*block);
            if (memory_) memory_->retire(block.get());
            block.reset();
            ++retired_;
        }
}

void Machine::checkShared(const Block& block)
{
    for (const SharedMemory& piece : block.shared)
        for (std::size_t i = 0; i < kGuardBytes; ++i)
            if (piece.memory[piece.bytes + i] != std::byte(kSharedGuard))
                return report(fmt::format("block {}: a write behind its shared memory of {} bytes",
                                          text(block.threads[0].block), piece.bytes));
}

void Machine::enter()
{
    Machine& self = *machine;
    Thread& thread = *self.current_;
    Fiber::arrived(thread.fiber);
    self.work(thread);
    Fiber::finish(thread.fiber, self.next(thread.home));
}

void Machine::work(Thread& thread)
{
    thread.started = true;
    try
    {
        kernel_.body(arguments_);
        leave(thread);
    }
    catch (const Unwound&)
    {
    }
    thread.ended = true;
}

void Machine::leave(Thread& thread)
{
    Block& block = *thread.home;
    Warp& warp = block.warps[thread.index / kWarpLanes];
    if (block.arrived > 0)
        fail(fmt::format("leaves while {} threads wait at the barrier of {}", block.arrived, text(block.site)));
    if (gridArrived_ > 0)
        fail(fmt::format("leaves while {} threads wait at the grid barrier of {}", gridArrived_, text(gridSite_)));
    for (const Meeting& meeting : warp.meetings)
        if (meeting.mask >> thread.lane & 1u)
            fail(fmt::format("leaves while lanes of its warp wait for it in {}", kWarpCallNames[int(meeting.call)]));
    warp.live &= ~(1u << thread.lane);
    blockEnded_ = --block.live == 0;
    progress();
}

// Ends the unfinished threads of a stopped or failed launch.
void Machine::unwind()
{
    unwinding_ = true;
    for (const std::unique_ptr<Block>& block : slots_)
        for (unsigned i = 0; block && i < blockThreads_; ++i)
            if (Thread& thread = block->threads[i]; thread.started && !thread.ended)
            {
                turnTo(thread);
                Fiber::change(main_, thread.fiber);
            }
}

// Returns whether the launch is stopped; polls the stop token now and then.  A stopped launch never continues.
bool Machine::isStopped()
{
    if (!stopped_ && result_.counts.switches % kSwitchesBetweenLooks == 0) stopped_ = schedule_.stop.stop_requested();
    return stopped_;
}

void Machine::turnTo(Thread& thread)
{
    result_.counts.switches += &thread != current_;
    if (memory_ && !unwinding_) memory_->show(thread.home);
    current_ = &thread;
    hostThread = &thread;
}

// Returns where to continue when a thread waits or has ended: another thread, or the fiber that launched.  Prefers
// threads of the block `near`, because a memory model makes changing blocks expensive.
Fiber& Machine::next(const Block* near)
{
    if (unwinding_ || blockEnded_ || ready_.empty() || isStopped()) return main_;
    turnTo(*ready_.take(memory_ ? near : nullptr));
    return current_->fiber;
}

// Suspends the running thread `from` so that another one runs.  Returns when `from` is scheduled again.
void Machine::goOn(Thread& from, const Block* near)
{
    Fiber& to = next(near);
    if (current_ == &from && &to != &main_) return;
    Fiber::change(from.fiber, to);
    if (unwinding_) throw Unwound();
}

void Machine::wait(const char* what, const BarrierSite& site)
{
    Thread& self = *current_;
    self.waitsFor = what;
    self.site = site;
    goOn(self, self.home);
    self.waitsFor = nullptr;
}

void Machine::resume(Thread& thread)
{
    progress();
    ready_.add(&thread);
}

// Makes all threads of a block runnable except `last`, which is running.
void Machine::release(Block& block, const Thread& last)
{
    for (unsigned i = 0; i < blockThreads_; ++i)
    {
        Thread& thread = block.threads[schedule_.order == ThreadOrder::kReverse ? blockThreads_ - 1 - i : i];
        if (&thread != &last) resume(thread);
    }
}

// Puts the running thread back into the queue, so that others run first.  In forward order the running
// thread continues at once.
void Machine::queueUp()
{
    if (schedule_.order == ThreadOrder::kForward) return;
    ready_.add(current_);
    goOn(*current_);
}

void Machine::note(const BarrierSite& site)
{
    if (std::ranges::find(result_.barriers, site) == result_.barriers.end()) result_.barriers.push_back(site);
}

void Machine::syncBlock(const BarrierSite& site)
{
    if (unwinding_ || isSkipped(site)) return;
    Thread& self = *current_;
    Block& block = *self.home;
    if (block.live != blockThreads_)
        fail(fmt::format("comes to the barrier of {}, and {} threads of its block have left already", text(site),
                         blockThreads_ - block.live));
    if (block.arrived > 0 && block.site != site)
        fail(fmt::format("comes to the barrier of {}, and others of its block wait at that of {}", text(site),
                         text(block.site)));
    block.site = site;
    if (++block.arrived < blockThreads_) return wait("the barrier", site);
    block.arrived = 0;
    note(site);
    release(block, self);
    queueUp();
}

void Machine::syncGrid(const BarrierSite& site)
{
    if (unwinding_ || isSkipped(site)) return;
    if (!shape_.cooperative)
        fail(fmt::format("comes to the grid barrier of {} in a launch that is not cooperative", text(site)));
    if (admitted_ != gridBlocks_ || retired_ > 0)
        fail(fmt::format("comes to the grid barrier of {}, and {} blocks have left already", text(site), retired_));
    Thread& self = *current_;
    if (gridArrived_ > 0 && gridSite_ != site)
        fail(
            fmt::format("comes to the grid barrier of {}, and others wait at that of {}", text(site), text(gridSite_)));
    gridSite_ = site;
    if (++gridArrived_ < std::uint64_t(gridBlocks_) * blockThreads_) return wait("the grid barrier", site);
    gridArrived_ = 0;
    if (memory_) memory_->meet();
    note(site);
    for (const std::unique_ptr<Block>& block : slots_)
        release(*block, self);
    queueUp();
}

// Returns the operation that this lane takes part in: one in which others of its mask wait, or a new one.  Lanes may
// wait with different masks, but not for each other.
Meeting& Machine::meeting(Warp& warp, WarpCall call, std::uint32_t mask)
{
    const std::uint32_t own = 1u << current_->lane;
    for (Meeting& meeting : warp.meetings)
    {
        if (meeting.mask != mask && (meeting.mask & own) && (meeting.arrived & mask))
            fail(fmt::format("gives the mask {:#010x}, and others of its warp wait with {:#010x}", mask, meeting.mask));
        if (meeting.mask != mask) continue;
        if (meeting.call != call)
            fail(fmt::format("comes to {}, and others of its mask wait in {}", kWarpCallNames[int(call)],
                             kWarpCallNames[int(meeting.call)]));
        return meeting;
    }
    Meeting& fresh = warp.meetings.emplace_back();
    fresh.mask = mask;
    fresh.call = call;
    return fresh;
}

std::uint64_t Machine::meet(WarpCall call, std::uint32_t mask, std::uint64_t value, unsigned source,
                            const BarrierSite& site)
{
    if (unwinding_) return 0;
    Thread& self = *current_;
    Warp& warp = self.home->warps[self.index / kWarpLanes];
    const std::uint32_t own = 1u << self.lane;
    if (!(mask & own)) fail(fmt::format("is lane {}, which its own mask {:#010x} leaves out", self.lane, mask));
    if (mask & ~warp.live)
        fail(fmt::format("gives the mask {:#010x}, and only {:#010x} of its warp are there", mask, warp.live));
    if (call == WarpCall::kShuffle && !(mask >> source & 1u))
        fail(fmt::format("shuffles from lane {}, which the mask {:#010x} leaves out", source, mask));
    Meeting& joined = meeting(warp, call, mask);
    joined.arrived |= own;
    joined.votes |= value != 0 ? own : 0;
    joined.values[self.lane] = value;
    joined.sources[self.lane] = std::uint8_t(source);
    if (joined.arrived != mask)
    {
        wait(kWarpCallNames[int(call)], site);
        return self.answer;
    }
    const Meeting complete = joined;
    joined = warp.meetings.back();
    warp.meetings.pop_back();
    answer(*self.home, self, complete);
    return self.answer;
}

void Machine::answer(Block& block, Thread& last, const Meeting& meeting)
{
    const unsigned warpStart = last.index - last.lane;
    for (std::uint32_t lanes = meeting.mask; lanes != 0; lanes &= lanes - 1)
    {
        const unsigned lane = unsigned(std::countr_zero(lanes));
        Thread& thread = block.threads[warpStart + lane];
        thread.answer =
            meeting.call == WarpCall::kShuffle ? meeting.values[meeting.sources[lane]] : std::uint64_t(meeting.votes);
        if (&thread != &last) resume(thread);
    }
}

void* Machine::shared(const void* key, std::size_t bytes)
{
    Block& block = *current_->home;
    for (const SharedMemory& piece : block.shared)
        if (piece.key == key) return piece.memory.get();
    auto memory = std::make_unique<std::byte[]>(bytes + kGuardBytes);
    std::memset(memory.get(), kSharedPoison, bytes);
    std::memset(memory.get() + bytes, kSharedGuard, kGuardBytes);
    block.shared.push_back({key, bytes, std::move(memory)});
    return block.shared.back().memory.get();
}

void Machine::yield()
{
    if (unwinding_) return;
    Thread& self = *current_;
    if (++idleTurns_ > kSpinLimit * (ready_.size() + 1)) fail("spins, and no thread makes progress");
    ready_.add(&self);
    self.waitsFor = "a change by another thread";
    goOn(self);
    self.waitsFor = nullptr;
}

void Machine::preempt()
{
    if (!unwinding_ && schedule_.order == ThreadOrder::kRandom && ready_.random() % 4 == 0) queueUp();
}

std::string Machine::place(const Thread& thread) const
{
    return fmt::format("block {} thread {}", text(thread.block), text(thread.thread));
}

void Machine::report(std::string what)
{
    if (error_.empty()) error_ = fmt::format("kernel {}: {}", kernel_.name, what);
}

void Machine::fail(const std::string& what)
{
    report(place(*current_) + " " + what);
    unwinding_ = true;
    throw Unwound();
}

std::string Machine::deadlock() const
{
    const Thread* first = nullptr;
    std::size_t waiting = 0;
    for (const std::unique_ptr<Block>& block : slots_)
        for (unsigned i = 0; block && i < blockThreads_; ++i)
            if (const Thread& thread = block->threads[i]; !thread.ended)
            {
                ++waiting;
                if (!first) first = &thread;
            }
    return fmt::format("deadlock: {} threads wait and none can go on; {} waits for {}{}", waiting, place(*first),
                       first->waitsFor, first->site.line ? " of " + text(first->site) : "");
}

}  // namespace

Result<HostLaunch> launchOnHost(const KernelEntry& kernel, const LaunchShape& shape, const void* arguments,
                                const HostSchedule& schedule, std::span<const MemoryRange> memories)
{
    constexpr std::uint64_t kMostThreads = 1024;
    if (shape.block.count() < 1 || shape.block.count() > kMostThreads || shape.grid.count() < 1 ||
        shape.grid.count() > std::numeric_limits<std::int32_t>::max())
        return Error{ExitCode::kDevice, fmt::format("kernel {}: a launch of {} blocks of {} threads", kernel.name,
                                                    shape.grid.count(), shape.block.count())};
    assert(!machine && "a kernel launches another");
    Machine launch(kernel, shape, arguments, schedule, memories);
    machine = &launch;
    Result<HostLaunch> result = launch.run();
    machine = nullptr;
    hostThread = nullptr;
    return result;
}

void hostSyncBlock(const BarrierSite& site) { machine->syncBlock(site); }
void hostSyncGrid(const BarrierSite& site) { machine->syncGrid(site); }
void hostSyncWarp(std::uint32_t mask, const BarrierSite& site) { machine->meet(WarpCall::kSync, mask, 0, 0, site); }
std::uint32_t hostBallot(std::uint32_t mask, bool predicate)
{
    return std::uint32_t(machine->meet(WarpCall::kBallot, mask, predicate, 0, {}));
}
std::uint64_t hostShuffle(std::uint32_t mask, std::uint64_t value, unsigned lane)
{
    return machine->meet(WarpCall::kShuffle, mask, value, lane, {});
}
void* hostShared(const void* key, std::size_t bytes) { return machine->shared(key, bytes); }
void hostYield() { machine->yield(); }
void hostPreempt() { machine->preempt(); }
void hostProgress() { machine->progress(); }
void hostBeginAtomic(const void* at, std::size_t bytes)
{
    machine->preempt();
    if (MemoryModel* const memory = machine->memory()) memory->beginAtomic(at, bytes);
}
void hostEndAtomic(const void* at, std::size_t bytes)
{
    if (MemoryModel* const memory = machine->memory()) memory->endAtomic(at, bytes);
    machine->progress();
}
void hostAcquire()
{
    if (MemoryModel* const memory = machine->memory()) memory->acquire();
}
void hostRelease()
{
    if (MemoryModel* const memory = machine->memory()) memory->release();
}

}  // namespace orogen::compute
