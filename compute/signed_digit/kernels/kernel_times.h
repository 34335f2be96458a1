// What a run in kernels spent its time on.
#pragma once

namespace orogen::compute {

// In milliseconds: digits into what the kernels take, on this processor; memory of the target; transfers; launches.
struct KernelTimes
{
    double packMs = 0, allocateMs = 0, uploadMs = 0, kernelMs = 0, downloadMs = 0;
};

}  // namespace orogen::compute
