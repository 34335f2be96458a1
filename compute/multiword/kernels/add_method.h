// An addition algorithm as a sequence of kernel launches on a target, with its scratch memory.
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

    // Allocates scratch memory for numbers of `limbs` limbs. Called before the first addition.
    virtual Status allocate(KernelTarget& target, std::uint64_t limbs) = 0;
    // Enqueues one addition, in launches of bounded time (kernel_target.h). `control` is all zero before the first
    // addition and then keeps what the previous one left. May be called repeatedly, but not after an error.
    virtual Status run(KernelTarget& target, const Summands& sum, AddControl* control, const std::stop_token& stop) = 0;

    // Returns the steps of the last addition, whose counts are `operations`.  Two kernels count as one synchronisation
    // if the second needs all results of the first.  The launches of one split kernel count as none.
    virtual AdditionSteps steps(const AddOperations& operations) const = 0;
};

// Returns the method of `algorithm`. Methods use untilStill, paper3Threads and launchSteps of `options`.
std::unique_ptr<AddMethod> makeAddMethod(AddKernel algorithm, const AddKernelOptions& options);

}  // namespace orogen::compute
