// Operation `show` of the module `signed-digit`: the signed digits of a number, and an addition step by step.
#pragma once

#include <memory>

#include "compute/job/stepped_module.h"

namespace orogen::compute {

std::unique_ptr<SteppedRun> makeShowRun(const SteppedModule& module, const ParameterValues& values,
                                        const RunContext& context);

}  // namespace orogen::compute
