// Kernels and their launches, on a GPU or thread by thread on the host (host_executor.h).
#pragma once

#include <cstdint>

namespace orogen::compute {

struct Dim3
{
    unsigned x = 1, y = 1, z = 1;

    constexpr std::uint64_t count() const { return std::uint64_t(x) * y * z; }
    friend bool operator==(const Dim3&, const Dim3&) = default;
};

struct LaunchShape
{
    Dim3 grid, block;
    bool cooperative = false;  // the kernel has grid barriers, so all its blocks must be resident at once
};

// Kernel for a GPU and for the host.  It takes one argument, a trivially copyable structure.
struct KernelEntry
{
    const char* name = "";
    void (*body)(const void* arguments) = nullptr;  // runs one thread on the host
    const void* device = nullptr;                   // CUDA's function; nullptr in a build without CUDA
};

// Kernel with the type of its argument.
template <class Arguments>
struct Kernel : KernelEntry
{
};

}  // namespace orogen::compute
