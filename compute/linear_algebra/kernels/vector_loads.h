// Access to two adjacent elements of a vector at once, and the mapping from arguments to kernels in host code.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

template <class T>
struct alignas(2 * sizeof(T)) Pair
{
    T first, second;
};

namespace OROGEN_TARGET {

template <class T>
OROGEN_DEVICE inline Pair<T> loadPairAt(const T* from)
{
    return *reinterpret_cast<const Pair<T>*>(from);
}
template <class T>
OROGEN_DEVICE inline void storePairAt(T* to, T first, T second)
{
    *reinterpret_cast<Pair<T>*>(to) = {first, second};
}

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute

// In host code, kernelOf(&arguments) returns the kernel that takes arguments of this type.
#ifdef __CUDACC__
#define OROGEN_KERNEL_OF(name, Arguments)
#else
#define OROGEN_KERNEL_OF(name, Arguments)                                                                              \
    inline Kernel<Arguments> kernelOf(const Arguments*) { return name##Kernel(); }
#endif
