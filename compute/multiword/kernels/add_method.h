// An algorithm of addition as launches on a target: what it needs beside the numbers, and in what order its kernels
// run.
#pragma once

#include <memory>
#include <stop_token>

#include "compute/device/kernel_target.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/kernels/summands.h"

namespace orogen::compute {

class AddMethod
{
public:
    virtual ~AddMethod() = default;

    // Memory for numbers of `limbs` limbs, before the first addition.
    virtual Status allocate(KernelTarget& target, std::uint64_t limbs) = 0;
    // Asks for one addition, in launches of bounded time (launch_slices.h); `control` is what the addition before has
    // left, and all zero before the first.  Any number of times, one after the other; not after an error.
    virtual Status run(KernelTarget& target, const Summands& sum, AddControl* control, const std::stop_token& stop) = 0;
};

std::unique_ptr<AddMethod> makeAddMethod(AddKernel algorithm, const AddKernelOptions& options);

}  // namespace orogen::compute
