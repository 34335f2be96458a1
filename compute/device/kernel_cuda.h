// The kernel language on a GPU.  Included only by kernel.h.
#pragma once

#include <cooperative_groups.h>

#define OROGEN_TARGET onCuda
#define OROGEN_DEVICE __device__
#define OROGEN_UNROLL _Pragma("unroll")
#define OROGEN_SHARED(Type, name, count) __shared__ Type name[count]
#define OROGEN_KERNEL(name, Arguments, threads) OROGEN_CUDA_KERNEL(name, Arguments, (threads))
#define OROGEN_KERNEL_RESIDENT(name, Arguments, threads, blocks) OROGEN_CUDA_KERNEL(name, Arguments, (threads, blocks))
#define OROGEN_CUDA_KERNEL(name, Arguments, bounds)                                                                    \
    static __global__ void __launch_bounds__ bounds name##Global(const __grid_constant__ Arguments arguments)          \
    {                                                                                                                  \
        OROGEN_TARGET::name(arguments);                                                                                \
    }                                                                                                                  \
    const void* name##OnCuda() { return reinterpret_cast<const void*>(&name##Global); }

namespace orogen::compute::onCuda {

__device__ inline Dim3 threadIndex() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
__device__ inline Dim3 blockIndex() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
__device__ inline Dim3 blockSize() { return {blockDim.x, blockDim.y, blockDim.z}; }
__device__ inline Dim3 gridSize() { return {gridDim.x, gridDim.y, gridDim.z}; }
__device__ inline unsigned laneIndex()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % kWarpLanes;
}

__device__ inline void syncBlock() { __syncthreads(); }
__device__ inline void syncGrid() { cooperative_groups::this_grid().sync(); }
__device__ inline void syncWarp(std::uint32_t mask = kAllLanes) { __syncwarp(mask); }

__device__ inline std::uint32_t ballot(std::uint32_t mask, bool predicate) { return __ballot_sync(mask, predicate); }
__device__ inline bool anyLane(std::uint32_t mask, bool predicate) { return __any_sync(mask, predicate) != 0; }
__device__ inline bool allLanes(std::uint32_t mask, bool predicate) { return __all_sync(mask, predicate) != 0; }

template <class T>
__device__ T shuffle(std::uint32_t mask, T value, unsigned lane)
{
    return __shfl_sync(mask, value, int(lane));
}
template <class T>
__device__ T shuffleUp(std::uint32_t mask, T value, unsigned distance)
{
    return __shfl_up_sync(mask, value, distance);
}
template <class T>
__device__ T shuffleDown(std::uint32_t mask, T value, unsigned distance)
{
    return __shfl_down_sync(mask, value, distance);
}
template <class T>
__device__ T shuffleXor(std::uint32_t mask, T value, unsigned lanes)
{
    return __shfl_xor_sync(mask, value, int(lanes));
}

// CUDA's 64-bit atomics accept only unsigned long long, a type other than std::uint64_t.
__device__ inline unsigned* atomicWord(std::uint32_t* word) { return word; }
__device__ inline unsigned long long* atomicWord(std::uint64_t* word)
{
    return reinterpret_cast<unsigned long long*>(word);
}

template <class Word>
__device__ Word fetchAdd(Word* word, Word value)
{
    return Word(atomicAdd(atomicWord(word), value));
}
__device__ inline float fetchAdd(float* word, float value) { return atomicAdd(word, value); }
__device__ inline double fetchAdd(double* word, double value) { return atomicAdd(word, value); }
template <class Word>
__device__ Word fetchOr(Word* word, Word value)
{
    return Word(atomicOr(atomicWord(word), value));
}
template <class Word>
__device__ Word fetchMax(Word* word, Word value)
{
    return Word(atomicMax(atomicWord(word), value));
}
template <class Word>
__device__ Word exchange(Word* word, Word value)
{
    return Word(atomicExch(atomicWord(word), value));
}
template <class Word>
__device__ Word compareExchange(Word* word, Word expected, Word value)
{
    return Word(atomicCAS(atomicWord(word), expected, value));
}

// A pointer to global memory has the same value as a generic pointer, so the PTX below needs no conversion.
__device__ inline std::uint32_t loadAcquire(const std::uint32_t* from)
{
    std::uint32_t value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}
__device__ inline void storeRelease(std::uint32_t* to, std::uint32_t value)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(to), "r"(value) : "memory");
}

__device__ inline std::uint32_t loadRelaxed(const std::uint32_t* from)
{
    std::uint32_t value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}
__device__ inline std::uint64_t loadRelaxed(const std::uint64_t* from)
{
    std::uint64_t value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
    return value;
}
__device__ inline float loadRelaxed(const float* from)
{
    return __uint_as_float(loadRelaxed(reinterpret_cast<const std::uint32_t*>(from)));
}
__device__ inline double loadRelaxed(const double* from)
{
    return __longlong_as_double(static_cast<long long>(loadRelaxed(reinterpret_cast<const std::uint64_t*>(from))));
}
__device__ inline void storeRelaxed(std::uint32_t* to, std::uint32_t value)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(to), "r"(value) : "memory");
}
__device__ inline void storeRelaxed(std::uint64_t* to, std::uint64_t value)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(to), "l"(value) : "memory");
}
__device__ inline void storeRelaxed(float* to, float value)
{
    storeRelaxed(reinterpret_cast<std::uint32_t*>(to), __float_as_uint(value));
}
__device__ inline void storeRelaxed(double* to, double value)
{
    storeRelaxed(reinterpret_cast<std::uint64_t*>(to), static_cast<std::uint64_t>(__double_as_longlong(value)));
}
__device__ inline void fence() { __threadfence(); }
__device__ inline void spinPause() { __nanosleep(32); }

__device__ inline unsigned lowestBit(std::uint32_t bits) { return unsigned(__ffs(int(bits)) - 1); }
__device__ inline unsigned countBits(std::uint32_t bits) { return unsigned(__popc(bits)); }

__device__ inline float fusedMultiplyAdd(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ inline double fusedMultiplyAdd(double a, double b, double c) { return __fma_rn(a, b, c); }

__device__ inline std::uint32_t dotBytes(std::uint32_t a, std::uint32_t b, std::uint32_t sum)
{
    return __dp4a(a, b, sum);
}
__device__ inline std::int32_t dotBytes(std::int32_t a, std::int32_t b, std::int32_t sum) { return __dp4a(a, b, sum); }

// Streaming accesses: their data is read or written once and need not stay in the cache.  loadVector16Kept()
// is an ordinary load.
__device__ inline LimbPair loadPair(const std::uint64_t* from)
{
    const ulonglong2 pair = __ldcs(reinterpret_cast<const ulonglong2*>(from));
    return {pair.x, pair.y};
}
__device__ inline void storePair(std::uint64_t* to, LimbPair pair)
{
    __stcs(reinterpret_cast<ulonglong2*>(to), make_ulonglong2(pair.low, pair.high));
}

template <class T>
__device__ Vector16<T> vectorOf(uint4 words)
{
    Vector16<T> vector;
    memcpy(&vector, &words, sizeof(vector));
    return vector;
}
template <class T>
__device__ Vector16<T> loadVector16(const T* from)
{
    return vectorOf<T>(__ldcs(reinterpret_cast<const uint4*>(from)));
}
template <class T>
__device__ Vector16<T> loadVector16Kept(const T* from)
{
    return vectorOf<T>(*reinterpret_cast<const uint4*>(from));
}
template <class T>
__device__ void storeVector16(T* to, const Vector16<T>& vector)
{
    uint4 words;
    memcpy(&words, &vector, sizeof(words));
    __stcs(reinterpret_cast<uint4*>(to), words);
}

}  // namespace orogen::compute::onCuda
