// Which GPUs the kernels of a build run on: machine code runs on its own major version from its own minor version on,
// intermediate code (PTX) on everything that is not older, because the driver translates it.
#pragma once

#include <string>
#include <string_view>

namespace orogen::compute {

// `architectures` as CMake's CUDA_ARCHITECTURES, separated by spaces: "75-real" is machine code, "75-virtual" PTX, "75"
// both; empty: not known.  Empty answer: they run on a GPU of that compute capability, or it is not known.  Else
// "no kernel image for sm_61; this program has 7.5 and newer".
std::string kernelRefusal(std::string_view architectures, int major, int minor);

}  // namespace orogen::compute
