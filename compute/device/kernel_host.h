// kernel.h on the host executor.  Not included but from there.
#pragma once

#include <bit>
#include <cstring>
#include <type_traits>

#include "compute/device/host_executor.h"

#define OROGEN_TARGET onHost
#define OROGEN_DEVICE
#define OROGEN_UNROLL
#define OROGEN_SHARED(Type, name, count)                                                                               \
    static const char name##Key = 0;                                                                                   \
    Type* const name = static_cast<Type*>(::orogen::compute::hostShared(&name##Key, sizeof(Type) * (count)))
#ifdef OROGEN_HAVE_CUDA
#define OROGEN_CUDA_FUNCTION(name) const void* name##OnCuda();
#else
#define OROGEN_CUDA_FUNCTION(name)                                                                                     \
    inline const void* name##OnCuda() { return nullptr; }
#endif
#define OROGEN_KERNEL(name, Arguments, threads)                                                                        \
    OROGEN_CUDA_FUNCTION(name)                                                                                         \
    inline Kernel<Arguments> name##Kernel()                                                                            \
    {                                                                                                                  \
        static_assert(std::is_trivially_copyable_v<Arguments> && (threads) <= 1024);                                   \
        return {{#name, [](const void* arguments) { OROGEN_TARGET::name(*static_cast<const Arguments*>(arguments)); }, \
                 name##OnCuda()}};                                                                                     \
    }

namespace orogen::compute::onHost {

inline Dim3 threadIndex() { return hostThread->thread; }
inline Dim3 blockIndex() { return hostThread->block; }
inline Dim3 blockSize() { return hostThread->blockSize; }
inline Dim3 gridSize() { return hostThread->gridSize; }
inline unsigned laneIndex() { return hostThread->lane; }

// The default arguments are the place of the call.
inline void syncBlock(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { hostSyncBlock({file, line}); }
inline void syncGrid(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { hostSyncGrid({file, line}); }
inline void syncWarp(std::uint32_t mask = kAllLanes, const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    hostSyncWarp(mask, {file, line});
}

inline std::uint32_t ballot(std::uint32_t mask, bool predicate) { return hostBallot(mask, predicate); }
inline bool anyLane(std::uint32_t mask, bool predicate) { return hostBallot(mask, predicate) != 0; }
inline bool allLanes(std::uint32_t mask, bool predicate) { return hostBallot(mask, predicate) == mask; }

template <class T>
T shuffle(std::uint32_t mask, T value, unsigned lane)
{
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = hostShuffle(mask, bits, lane % kWarpLanes);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}
template <class T>
T shuffleUp(std::uint32_t mask, T value, unsigned distance)
{
    const unsigned lane = laneIndex();
    return shuffle(mask, value, lane >= distance ? lane - distance : lane);
}
template <class T>
T shuffleDown(std::uint32_t mask, T value, unsigned distance)
{
    const unsigned lane = laneIndex();
    return shuffle(mask, value, lane + distance < kWarpLanes ? lane + distance : lane);
}
template <class T>
T shuffleXor(std::uint32_t mask, T value, unsigned lanes)
{
    return shuffle(mask, value, laneIndex() ^ lanes);
}

// Replaces *word by what `change` makes of it, and returns what it was.
template <class Word, class Change>
Word replaceAtomically(Word* word, Change change)
{
    hostPreempt();
    const Word before = *word;
    *word = change(before);
    hostProgress();
    return before;
}
template <class Word>
Word fetchAdd(Word* word, std::type_identity_t<Word> value)
{
    return replaceAtomically(word, [=](Word before) { return Word(before + value); });
}
template <class Word>
Word fetchOr(Word* word, std::type_identity_t<Word> value)
{
    return replaceAtomically(word, [=](Word before) { return Word(before | value); });
}
template <class Word>
Word fetchMax(Word* word, std::type_identity_t<Word> value)
{
    return replaceAtomically(word, [=](Word before) { return before < value ? value : before; });
}
template <class Word>
Word exchange(Word* word, std::type_identity_t<Word> value)
{
    return replaceAtomically(word, [=](Word) { return value; });
}
// A failed exchange is a form of waiting, not progress.
template <class Word>
Word compareExchange(Word* word, std::type_identity_t<Word> expected, std::type_identity_t<Word> value)
{
    hostPreempt();
    const Word before = *word;
    if (before != expected) return before;
    *word = value;
    hostProgress();
    return before;
}

inline std::uint32_t loadAcquire(const std::uint32_t* from)
{
    hostPreempt();
    return *from;
}
inline void storeRelease(std::uint32_t* to, std::uint32_t value)
{
    hostPreempt();
    *to = value;
    hostProgress();
    hostPreempt();
}
inline void fence() {}
inline void spinPause() { hostYield(); }

inline unsigned lowestBit(std::uint32_t bits) { return unsigned(std::countr_zero(bits)); }
inline unsigned countBits(std::uint32_t bits) { return unsigned(std::popcount(bits)); }

inline LimbPair loadPair(const std::uint64_t* from) { return {from[0], from[1]}; }
inline void storePair(std::uint64_t* to, LimbPair pair)
{
    to[0] = pair.low;
    to[1] = pair.high;
}

}  // namespace orogen::compute::onHost
