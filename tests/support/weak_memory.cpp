// Finds a block's stores by comparing memory with its content before.  So compiled kernels are tested unchanged.
#include "tests/support/weak_memory.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace orogen::test {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kWordsAtOnce = 32;  // compared per call
constexpr unsigned kPublished = 16;       // chance 1 in 16 that a pending store is published when blocks change
constexpr unsigned kMissed = 2;           // chance 1 in 2 that another block misses a change
constexpr unsigned kSeen = 4;             // chance 1 in 4 that a stale word is updated when its block runs again

std::uint64_t joined(std::uint64_t below, std::uint64_t above, std::uint64_t mask)
{
    return (below & ~mask) | (above & mask);
}

// Returns a mask that is ff in every byte of `difference` that is not 0.
std::uint64_t bytesOf(std::uint64_t difference)
{
    std::uint64_t mask = 0;
    for (unsigned shift = 0; shift < 64; shift += 8)
        if (difference >> shift & 0xff) mask |= std::uint64_t(0xff) << shift;
    return mask;
}

// Merges two lists; bytes in both have the value of `above`.
WordList merged(const WordList& below, const WordList& above)
{
    WordList both;
    both.reserve(below.size() + above.size());
    auto low = below.begin();
    for (const WordBytes& high : above)
    {
        for (; low != below.end() && low->word < high.word; ++low)
            both.push_back(*low);
        if (low != below.end() && low->word == high.word)
        {
            both.push_back({high.word, joined(low->value, high.value, high.mask), low->mask | high.mask});
            ++low;
        }
        else
            both.push_back(high);
    }
    both.insert(both.end(), low, below.end());
    return both;
}

// Removes from `list` the bytes that are in `gone`.
void remove(WordList& list, const WordList& gone)
{
    auto at = gone.begin();
    for (WordBytes& bytes : list)
    {
        while (at != gone.end() && at->word < bytes.word)
            ++at;
        if (at != gone.end() && at->word == bytes.word) bytes.mask &= ~at->mask;
    }
    std::erase_if(list, [](const WordBytes& bytes) { return bytes.mask == 0; });
}

// Removes the bytes of the mask from `list`, and returns which of them it held.
std::uint64_t take(WordList& list, std::size_t word, std::uint64_t mask)
{
    const auto at = std::ranges::lower_bound(list, word, {}, &WordBytes::word);
    if (at == list.end() || at->word != word) return 0;
    const std::uint64_t found = at->mask & mask;
    at->mask &= ~mask;
    if (at->mask == 0) list.erase(at);
    return found;
}

}  // namespace

WeakMemory::WeakMemory(std::span<const compute::MemoryRange> memories, std::uint64_t seed) : state_(~seed)
{
    std::size_t words = 0;
    for (const compute::MemoryRange& memory : memories)
    {
        assert(std::uintptr_t(memory.data) % kWord == 0);
        ranges_.push_back({static_cast<std::byte*>(memory.data), memory.bytes, words});
        words += (memory.bytes + kWord - 1) / kWord;
    }
    shown_.resize(words);
    for (const Range& range : ranges_)
        if (range.bytes > 0) std::memcpy(&shown_[range.firstWord], range.data, range.bytes);
    public_ = shown_;
}

const WeakMemory::Range& WeakMemory::rangeOf(std::size_t word) const
{
    return *(std::ranges::upper_bound(ranges_, word, {}, &Range::firstWord) - 1);
}

// An atomic lies within one aligned word of 8 bytes.
WeakMemory::Place WeakMemory::placeOf(const void* at, std::size_t bytes) const
{
    for (const Range& range : ranges_)
    {
        const std::size_t offset = std::size_t(static_cast<const std::byte*>(at) - range.data);
        if (at < range.data || offset >= range.bytes) continue;
        const std::uint64_t mask = bytes >= kWord ? ~std::uint64_t(0) : (std::uint64_t(1) << 8 * bytes) - 1;
        return {range.firstWord + offset / kWord, mask << 8 * (offset % kWord)};
    }
    return {};
}

std::uint64_t WeakMemory::load(std::size_t word) const
{
    const Range& range = rangeOf(word);
    const std::size_t offset = (word - range.firstWord) * kWord;
    std::uint64_t value = 0;
    std::memcpy(&value, range.data + offset, std::min(kWord, range.bytes - offset));
    return value;
}

// Writes these bytes into the memory that the running block sees.
void WeakMemory::put(std::size_t word, std::uint64_t value, std::uint64_t mask)
{
    const Range& range = rangeOf(word);
    const std::size_t offset = (word - range.firstWord) * kWord;
    const std::uint64_t whole = joined(load(word), value, mask);
    std::memcpy(range.data + offset, &whole, std::min(kWord, range.bytes - offset));
    shown_[word] = joined(shown_[word], value, mask);
}

void WeakMemory::collect(const Range& range, WordList& fresh)
{
    const std::size_t words = (range.bytes + kWord - 1) / kWord;
    for (std::size_t first = 0; first < words; first += kWordsAtOnce)
    {
        const std::size_t bytes = std::min(kWordsAtOnce * kWord, range.bytes - first * kWord);
        if (std::memcmp(range.data + first * kWord, &shown_[range.firstWord + first], bytes) == 0) continue;
        for (std::size_t i = first; i < std::min(first + kWordsAtOnce, words); ++i)
        {
            const std::size_t word = range.firstWord + i;
            const std::uint64_t value = load(word), mask = bytesOf(value ^ shown_[word]);
            if (mask == 0) continue;
            fresh.push_back({word, value & mask, mask});
            shown_[word] = value;
        }
    }
}

// Adds the running block's stores since the last call to its pending ones.
void WeakMemory::collect()
{
    if (!running_) return;
    WordList fresh;
    for (const Range& range : ranges_)
        collect(range, fresh);
    if (!fresh.empty()) running_->pending = merged(running_->pending, fresh);
}

// Lets other blocks, at random, continue to see the old values.
void WeakMemory::makeStale(const MemoryView* own, const WordList& old)
{
    for (MemoryView& view : views_)
    {
        if (&view == own) continue;
        WordList missed;
        std::ranges::copy_if(old, std::back_inserter(missed), [&](const WordBytes&) { return chance(kMissed); });
        if (!missed.empty()) view.stale = merged(missed, view.stale);
    }
}

void WeakMemory::publish(MemoryView& own, const WordList& stores)
{
    if (stores.empty()) return;
    WordList old;
    for (const WordBytes& store : stores)
    {
        old.push_back({store.word, public_[store.word] & store.mask, store.mask});
        public_[store.word] = joined(public_[store.word], store.value, store.mask);
        if (!running_) put(store.word, store.value, store.mask);
    }
    remove(own.stale, stores);
    makeStale(&own, old);
}

// Publishes all stores and forgets stale words, at the end of a kernel or at a grid barrier.
void WeakMemory::settle(MemoryView& view)
{
    for (const WordBytes& store : view.pending)
    {
        public_[store.word] = joined(public_[store.word], store.value, store.mask);
        put(store.word, store.value, store.mask);
    }
    view.pending.clear();
    view.stale.clear();
}

void WeakMemory::trickle(MemoryView& view)
{
    WordList published;
    std::ranges::copy_if(view.pending, std::back_inserter(published),
                         [&](const WordBytes&) { return chance(kPublished); });
    remove(view.pending, published);
    publish(view, published);
}

void WeakMemory::hide(const WordList& words)
{
    for (const WordBytes& bytes : words)
        put(bytes.word, public_[bytes.word], bytes.mask);
}

void WeakMemory::apply(const WordList& words)
{
    for (const WordBytes& bytes : words)
        put(bytes.word, bytes.value, bytes.mask);
}

void WeakMemory::show(const void* block)
{
    if (block == (running_ ? running_->block : nullptr)) return;
    if (running_)
    {
        collect();
        trickle(*running_);
        hide(running_->stale);
        hide(running_->pending);
        running_ = nullptr;
    }
    trickle(ended_);
    if (!block) return;
    MemoryView* const view = &*std::ranges::find(views_, block, &MemoryView::block);
    std::erase_if(view->stale, [&](const WordBytes&) { return chance(kSeen); });
    apply(view->stale);
    apply(view->pending);
    running_ = view;
}

void WeakMemory::retire(const void* block)
{
    const auto view = std::ranges::find(views_, block, &MemoryView::block);
    if (running_ == &*view) show(nullptr);
    ended_.pending = merged(ended_.pending, view->pending);
    views_.erase(view);
}

void WeakMemory::acquire()
{
    if (running_->stale.empty()) return;
    collect();
    hide(running_->stale);
    apply(running_->pending);
    running_->stale.clear();
}

void WeakMemory::release()
{
    collect();
    publish(*running_, std::exchange(running_->pending, {}));
}

void WeakMemory::meet()
{
    const void* const last = running_->block;
    settle();
    show(last);
}

void WeakMemory::settle()
{
    show(nullptr);
    settle(ended_);
    for (MemoryView& view : views_)
        settle(view);
}

// Publishes the block's own plain stores to the word first: all blocks agree on one order per word.
void WeakMemory::beginAtomic(const void* at, std::size_t bytes)
{
    const auto [word, mask] = placeOf(at, bytes);
    if (mask == 0) return;
    const std::uint64_t seen = load(word);
    const std::uint64_t own = take(running_->pending, word, mask) | (bytesOf(seen ^ shown_[word]) & mask);
    take(running_->stale, word, mask);
    public_[word] = joined(public_[word], seen, own);
    put(word, public_[word], mask);
}

void WeakMemory::endAtomic(const void* at, std::size_t bytes)
{
    const auto [word, mask] = placeOf(at, bytes);
    if (mask == 0) return;
    const std::uint64_t old = public_[word];
    public_[word] = joined(old, load(word), mask);
    put(word, public_[word], mask);
    if (public_[word] != old) makeStale(running_, {{word, old & mask, mask}});
}

std::unique_ptr<compute::MemoryModel> weakMemory(std::span<const compute::MemoryRange> memories, std::uint64_t seed)
{
    return std::make_unique<WeakMemory>(memories, seed);
}

std::uint64_t WeakMemory::random()  // SplitMix64
{
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

}  // namespace orogen::test
