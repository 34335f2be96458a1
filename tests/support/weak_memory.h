// Simulation of weakly ordered memory between blocks of a GPU.  Other blocks see plain stores late and reordered, and
// may read an old value again after a change, until the writer releases and the reader acquires.  The memory model of
// PTX allows this between blocks ("Memory Consistency Model", morally strong operations at GPU scope).
//
// The memories hold the view of the running block; a copy holds the public state.  A block's view differs from it by
// its own stores not yet published (pending) and by published stores of others that it has not yet seen (stale).  When
// blocks change, single pending stores are published and single stale words updated, at random.  A release publishes
// all pending stores; an acquire updates all stale words.  Atomics work on the public state and order nothing else.
// A schedule uses it by `schedule.memory = weakMemory`.
//
// Simplifications: the threads of a block see each other's stores at once, and a release or an acquire by one of them
// counts for all (tests check block barriers by omitting them).  A store of the value already there is not noticed.
// Each change of blocks compares all of the memory, which limits its size to some 100 KB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "compute/device/host_executor.h"

namespace orogen::test {

// Bytes of the 8-byte word number `word`; those where `mask` is ff are valid.
struct WordBytes
{
    std::size_t word;
    std::uint64_t value, mask;
};
using WordList = std::vector<WordBytes>;  // ascending, each word once

// Differences between the view of one block and the public state.
struct MemoryView
{
    const void* block = nullptr;
    WordList pending = {}, stale = {};
};

class WeakMemory final : public compute::MemoryModel
{
public:
    WeakMemory(std::span<const compute::MemoryRange> memories, std::uint64_t seed);

    void add(const void* block) override { views_.push_back({block}); }
    void retire(const void* block) override;  // its stores stay pending
    void show(const void* block) override;
    void settle() override;
    void acquire() override;
    void release() override;
    void meet() override;
    void beginAtomic(const void* at, std::size_t bytes) override;
    void endAtomic(const void* at, std::size_t bytes) override;

private:
    struct Range
    {
        std::byte* data;
        std::size_t bytes, firstWord;
    };
    struct Place
    {
        std::size_t word = 0;
        std::uint64_t mask = 0;  // 0: in none of the memories
    };

    const Range& rangeOf(std::size_t word) const;
    Place placeOf(const void* at, std::size_t bytes) const;
    std::uint64_t load(std::size_t word) const;
    void put(std::size_t word, std::uint64_t value, std::uint64_t mask);

    void collect();
    void collect(const Range& range, WordList& fresh);
    void publish(MemoryView& own, const WordList& stores);
    void settle(MemoryView& view);
    void trickle(MemoryView& view);
    void hide(const WordList& words);
    void apply(const WordList& words);
    void makeStale(const MemoryView* own, const WordList& old);
    bool chance(unsigned oneIn) { return random() % oneIn == 0; }
    std::uint64_t random();

    std::vector<Range> ranges_;
    std::vector<std::uint64_t> public_, shown_;  // shown_: content of the memories at the last comparison
    std::list<MemoryView> views_;                // in the order of add()
    MemoryView ended_;                           // pending stores of blocks that have ended
    MemoryView* running_ = nullptr;
    std::uint64_t state_;
};

std::unique_ptr<compute::MemoryModel> weakMemory(std::span<const compute::MemoryRange> memories, std::uint64_t seed);

}  // namespace orogen::test
