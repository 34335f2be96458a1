// Multiword addition as something that is run: from the command line, a script or a panel.
#pragma once

#include "compute/job/job.h"

namespace orogen::compute {

// Parameters: operation, a, b, carry-in, decimal, length, pattern, seed, algorithm, backend, threads, word-bits,
// repetitions; `orogen multiword --help` says what they are.
const Module& multiwordModule();

// What `algorithm` and `backend` come to.  `auto` is where the algorithm can run soonest: the operands lie in the
// memory of the processor, whose additions take less time than bringing them to a GPU; then CUDA, where it is usable;
// then the kernels' source on the processor. Errors: kUsage, an impossible pair; kDevice, CUDA asked for by name and
// not usable.
struct MultiwordPlace
{
    std::string algorithm, backend;  // "cpu", "cuda", "host-kernel"
};
Result<MultiwordPlace> choosePlace(const std::string& algorithm, const std::string& backend);

}  // namespace orogen::compute
