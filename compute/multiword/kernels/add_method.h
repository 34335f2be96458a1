// An algorithm of addition as launches on a target: what it needs beside the numbers, and in what order its kernels
// run.
#pragma once

#include <memory>

#include "compute/device/kernel_target.h"
#include "compute/multiword/kernels/multiword_device.h"
#include "compute/multiword/kernels/summands.h"

namespace orogen::compute {

class AddMethod
{
public:
    virtual ~AddMethod() = default;

    // Memory for numbers of `limbs` limbs, before the first run.
    virtual Status allocate(KernelTarget& target, std::uint64_t limbs) = 0;
    // Asks for one addition; `control` is all zero.  Any number of times, one after the other.
    virtual Status run(KernelTarget& target, const Summands& sum, AddControl* control) = 0;
};

std::unique_ptr<AddMethod> makeAddMethod(AddKernel algorithm, const AddKernelOptions& options);

}  // namespace orogen::compute
