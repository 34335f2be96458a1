// The vocabulary of kernels: their bodies compile with nvcc for a GPU and with any C++20 compiler for the host
// executor.
//
// A kernel's header holds its arguments (a trivially copyable structure), its body in namespace
// orogen::compute::OROGEN_TARGET, and at its end OROGEN_KERNEL(name, Arguments, threads), threads being the most that a
// block of it may have.  OROGEN_KERNEL_RESIDENT(name, Arguments, threads, blocks) promises registers for so many blocks
// on a multiprocessor: a limit for the compiler, which otherwise sets its own, and spills.  Its .cu file includes that
// header and nothing else.  Rules for a body, so that the host executor means the same as a GPU:
//   - shared memory only through OROGEN_SHARED(type, name, count), at the top of a function that every thread enters;
//   - what crosses blocks goes through the atomics, or through storeRelease and loadAcquire, or over a grid barrier;
//   - a loop that waits for another thread calls spinPause();
//   - no destructor that meets other threads: a launch that fails or is stopped ends its threads where they stand.
//
// Indices are threadIndex(), blockIndex(), blockSize(), gridSize(), laneIndex(); a warp has 32 lanes, counted along x,
// then y, then z.  Both targets offer, with CUDA's meaning:
//   syncBlock() syncGrid() syncWarp(mask)
//   ballot(mask, predicate) anyLane(mask, predicate) allLanes(mask, predicate)
//   shuffle(mask, value, lane) shuffleUp/shuffleDown(mask, value, distance) shuffleXor(mask, value, lanes)
//   fetchAdd fetchOr fetchMax exchange compareExchange (of std::uint32_t and std::uint64_t; fetchAdd of float, double)
//   loadAcquire storeRelease (of std::uint32_t) fence() spinPause()
//   lowestBit(bits) countBits(bits)
//   loadRelaxed storeRelaxed (of std::uint32_t, std::uint64_t, float, double): atomic, but nothing is ordered by them
//   fusedMultiplyAdd(a, b, c): a * b + c, rounded once (float, double).  Anywhere else nothing is contracted, on no
//     target: what a kernel computes on a GPU and on the host has the same bits.
//   dotBytes(a, b, sum): sum + the products of the four bytes of a and b, modulo 2^32; std::uint32_t: bytes 0 to 255,
//     std::int32_t: bytes -128 to 127
//   loadPair(from) storePair(to, pair): two limbs in one access of 16 bytes, which `from` must be aligned to
//   loadVector16(from) storeVector16(to, vector): Vector16<T>, 16 bytes in one access, which must be aligned to 16; for
//     what is read or written once.  loadVector16Kept(from): for what other threads read, too, or this one again.
//   the matrix instructions of kernel_matrix.h
#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/device/launch.h"

namespace orogen::compute {

constexpr unsigned kWarpLanes = 32;
constexpr std::uint32_t kAllLanes = ~std::uint32_t(0);

struct alignas(16) LimbPair
{
    std::uint64_t low, high;
};

template <class T>
struct alignas(16) Vector16
{
    static_assert(16 % sizeof(T) == 0);
    T values[16 / sizeof(T)];
};
using Bytes16 = Vector16<std::uint32_t>;  // for dotBytes

}  // namespace orogen::compute

#ifdef __CUDACC__
#include "compute/device/kernel_cuda.h"
#else
#include "compute/device/kernel_host.h"
#endif
#include "compute/device/kernel_matrix.h"
