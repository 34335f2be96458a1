// Memory as blocks of a GPU may see it: what one stores plainly, others see late and in another order, and what one has
// read before it may read again although it has changed, until the one releases and the other acquires.  That is what
// the memory model of PTX allows between blocks ("Memory Consistency Model", morally strong operations at GPU scope).
//
// The memories hold what the block that runs sees.  Beside them stands what is public; a block differs from it by what
// it has stored and not yet published (pending), and by what others have published and it has not yet seen (stale).
// Pending stores become public one by one at random when blocks change, all of them at a release; stale words are seen
// at random, too, all of them at an acquire.  Atomics work on what is public and order nothing else.
//
// Coarser than a GPU: the threads of a block see each other's stores at once, and a release or an acquire by one of
// them counts for all (barriers of blocks are tested by leaving them out); a store of the value that was there already
// is none.  Costs a look at all of the memory whenever blocks change: for memories of some 100 KB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/device/host_executor.h"

namespace orogen::compute::executor {

// Bytes of the 8-byte word of that number: those where the mask is ff.
struct WordBytes
{
    std::size_t word;
    std::uint64_t value, mask;
};
using WordList = std::vector<WordBytes>;  // ascending, each word once

// What one block sees otherwise than the public.
struct MemoryView
{
    WordList pending, stale;
};

class WeakMemory
{
public:
    // The memories are aligned to 8 bytes and outlive this.  Views are the caller's and stay where they are.
    WeakMemory(std::span<const MemoryRange> memories, std::uint64_t seed);

    void add(MemoryView& view) { views_.push_back(&view); }
    void retire(MemoryView& view);  // the block has ended; its stores stay pending
    void show(MemoryView* view);    // that block runs now; nullptr: none
    void settle();                  // the kernel has ended

    // By the block that runs.
    void acquire();
    void release();
    void meet();  // a grid barrier, by all blocks
    void beginAtomic(const void* at, std::size_t bytes);
    void endAtomic(const void* at, std::size_t bytes);  // that wrote

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
    std::vector<std::uint64_t> public_, shown_;  // shown_: what the memories held when they were looked at last
    std::vector<MemoryView*> views_;
    MemoryView ended_;  // pending stores of blocks that have ended
    MemoryView* running_ = nullptr;
    std::uint64_t state_;
};

}  // namespace orogen::compute::executor
