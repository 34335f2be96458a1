// The tables themselves; limb_kernels.cpp knows which of them this processor can run.
#pragma once

#include "compute/multiword/limb_kernels.h"

namespace orogen::compute {

extern const LimbKernels kPortableKernels;
#if defined(__x86_64__)
extern const LimbKernels kAvx2Kernels, kAvx512Kernels;
#endif

}  // namespace orogen::compute
