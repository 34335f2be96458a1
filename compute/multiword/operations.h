// Operations `multiply` and `divide` of the module `multiword`, and batches of additions or subtractions.
#pragma once

#include <memory>

#include "compute/job/stepped_module.h"

namespace orogen::compute {

Algorithms multiplyAlgorithms();
Algorithms divideAlgorithms();

std::unique_ptr<SteppedRun> makeProductRun(const SteppedModule& module, const ParameterValues& values,
                                           const RunContext& context);
// Returns a run that adds or subtracts `count` generated pairs of `length` bits, or the pairs in the file `pairs`.
std::unique_ptr<SteppedRun> makeBatchRun(const SteppedModule& module, const ParameterValues& values,
                                         const RunContext& context);

}  // namespace orogen::compute
