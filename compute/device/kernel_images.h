// GPUs that the kernels of a build run on.  Machine code needs its own major version and at least its own minor
// version.  Intermediate code (PTX) runs on any GPU that is not older, because the driver translates it.
#pragma once

#include <string>
#include <string_view>

namespace orogen::compute {

// Returns "no kernel image for sm_61; this program has 7.5 and newer", or an empty string if the kernels run on a GPU
// of that compute capability or if that is unknown.  `architectures` is CMake's CUDA_ARCHITECTURES separated by spaces:
// "75-real" is machine code, "75-virtual" PTX, "75" both; empty: unknown.
std::string kernelRefusal(std::string_view architectures, int major, int minor);

}  // namespace orogen::compute
