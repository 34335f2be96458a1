// The kernel language on the host executor.  Included only by kernel.h.
#pragma once

#include <bit>
#include <cassert>
#include <cmath>
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
#define OROGEN_KERNEL_RESIDENT(name, Arguments, threads, blocks) OROGEN_KERNEL(name, Arguments, threads)
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

// __builtin_FILE() and __builtin_LINE() as default arguments give the location of the caller.
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

// Replaces *word by change(*word) atomically, and returns the previous value.
template <class Word, class Change>
Word replaceAtomically(Word* word, Change change)
{
    hostBeginAtomic(word, sizeof(Word));
    const Word before = *word;
    *word = change(before);
    hostEndAtomic(word, sizeof(Word));
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
// A failed exchange skips hostEndAtomic(), which would report progress: the executor thus finds an endless wait.
template <class Word>
Word compareExchange(Word* word, std::type_identity_t<Word> expected, std::type_identity_t<Word> value)
{
    hostBeginAtomic(word, sizeof(Word));
    const Word before = *word;
    if (before != expected) return before;
    *word = value;
    hostEndAtomic(word, sizeof(Word));
    return before;
}

template <class T>
T loadRelaxed(const T* from)
{
    static_assert(std::is_arithmetic_v<T> && sizeof(T) >= 4);
    hostBeginAtomic(from, sizeof(T));
    return *from;
}
template <class T>
void storeRelaxed(T* to, std::type_identity_t<T> value)
{
    static_assert(std::is_arithmetic_v<T> && sizeof(T) >= 4);
    hostBeginAtomic(to, sizeof(T));
    *to = value;
    hostEndAtomic(to, sizeof(T));
}
inline std::uint32_t loadAcquire(const std::uint32_t* from)
{
    const std::uint32_t value = loadRelaxed(from);
    hostAcquire();
    return value;
}
inline void storeRelease(std::uint32_t* to, std::uint32_t value)
{
    hostPreempt();
    hostRelease();
    storeRelaxed(to, value);
    hostPreempt();
}
inline void fence()
{
    hostPreempt();
    hostRelease();
    hostAcquire();
    hostPreempt();
}
inline void spinPause() { hostYield(); }

inline unsigned lowestBit(std::uint32_t bits) { return unsigned(std::countr_zero(bits)); }
inline unsigned countBits(std::uint32_t bits) { return unsigned(std::popcount(bits)); }

inline LimbPair loadPair(const std::uint64_t* from) { return {from[0], from[1]}; }
inline void storePair(std::uint64_t* to, LimbPair pair)
{
    to[0] = pair.low;
    to[1] = pair.high;
}

inline float fusedMultiplyAdd(float a, float b, float c) { return std::fma(a, b, c); }
inline double fusedMultiplyAdd(double a, double b, double c) { return std::fma(a, b, c); }

inline std::uint32_t dotBytes(std::uint32_t a, std::uint32_t b, std::uint32_t sum)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        sum += (a >> shift & 255) * (b >> shift & 255);
    return sum;
}
inline std::int32_t dotBytes(std::int32_t a, std::int32_t b, std::int32_t sum)
{
    std::uint32_t total = std::uint32_t(sum);
    for (unsigned shift = 0; shift < 32; shift += 8)
        total += std::uint32_t(std::int8_t(a >> shift) * std::int8_t(b >> shift));
    return std::int32_t(total);
}

// Asserts the alignment, because on a GPU a misaligned access ends the launch.
template <class T>
void checkAligned(const T* at)
{
    assert(std::uintptr_t(at) % 16 == 0 && "an access of 16 bytes that is not aligned to them");
    static_cast<void>(at);
}
template <class T>
Vector16<T> loadVector16(const T* from)
{
    checkAligned(from);
    Vector16<T> vector;
    std::memcpy(&vector, from, sizeof(vector));
    return vector;
}
template <class T>
Vector16<T> loadVector16Kept(const T* from)
{
    return loadVector16(from);
}
template <class T>
void storeVector16(T* to, const Vector16<T>& vector)
{
    checkAligned(to);
    std::memcpy(to, &vector, sizeof(vector));
}

// Shares a value of every lane with the whole warp.  All lanes must call this function.  Returns the 32 values by
// lane, valid until the next call.
template <class T>
const T* shownToWarp(const T& value)
{
    OROGEN_SHARED(T, given, 1024);
    const Dim3 at = threadIndex(), extent = blockSize();
    const unsigned thread = at.x + extent.x * (at.y + extent.y * at.z);
    T* const warp = given + (thread - laneIndex());
    syncWarp();
    warp[laneIndex()] = value;
    syncWarp();
    return warp;
}

}  // namespace orogen::compute::onHost
