// Kernel language: bodies of kernels compile with nvcc for a GPU and with any C++20 compiler for the host executor.
//
// A kernel's header contains its arguments (a trivially copyable structure), its body in namespace
// orogen::compute::OROGEN_TARGET, and at its end OROGEN_KERNEL(name, Arguments, threads).  `threads` is the maximum
// block size.  OROGEN_KERNEL_RESIDENT(name, Arguments, threads, blocks) makes the compiler limit registers so that
// `blocks` blocks fit on a multiprocessor; OROGEN_KERNEL leaves the limit to the compiler.  OROGEN_DEVICE marks
// functions that a body calls, OROGEN_UNROLL loops to unroll.  A .cu file includes kernels' headers and nothing else.
//
// Rules for a body that behaves equally on the host executor and on a GPU:
//   - shared memory only through OROGEN_SHARED(type, name, count), at the top of a function that every thread enters;
//   - blocks exchange data only through the atomics, storeRelease and loadAcquire, or across a grid barrier;
//   - a loop that waits for another thread calls spinPause();
//   - no destructor synchronises with other threads: a failed or stopped launch ends its threads where they are.
//
// Indices are threadIndex(), blockIndex(), blockSize(), gridSize(), laneIndex(); a warp has 32 lanes, counted along x,
// then y, then z.  Both targets offer, with CUDA's meaning:
//   syncBlock() syncGrid() syncWarp(mask)
//   ballot(mask, predicate) anyLane(mask, predicate) allLanes(mask, predicate)
//   shuffle(mask, value, lane) shuffleUp/shuffleDown(mask, value, distance) shuffleXor(mask, value, lanes)
//   fetchAdd fetchOr fetchMax exchange compareExchange (std::uint32_t, std::uint64_t; fetchAdd also float, double)
//   loadAcquire storeRelease (std::uint32_t) fence() spinPause()
//   lowestBit(bits), for bits != 0; countBits(bits)
//   loadRelaxed storeRelaxed (std::uint32_t, std::uint64_t, float, double): atomic, without ordering
//   fusedMultiplyAdd(a, b, c): a * b + c, rounded once (float, double).  Compilers contract nothing else, so that equal
//     scalar arithmetic gives equal bits on a GPU and on the host.
//   dotBytes(a, b, sum): sum + the products of the four bytes of a and b, modulo 2^32; std::uint32_t: bytes 0 to 255,
//     std::int32_t: bytes -128 to 127
//   loadPair(from) storePair(to, pair): two limbs (64-bit words) in one access of 16 bytes, aligned to 16
//   loadVector16(from) storeVector16(to, vector): Vector16<T> in one access of 16 bytes, aligned to 16, for data used
//     once.  loadVector16Kept(from): for data that this thread or others read again.
//   the matrix instructions of kernel_matrix.h
#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/device/launch.h"

namespace orogen::compute {

constexpr unsigned kWarpLanes = 32;
constexpr std::uint32_t kAllLanes = ~std::uint32_t(0);

// Two limbs (64-bit words).
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
