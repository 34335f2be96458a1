// What `orogen bench MODULE --plan` prints: what each kernel of a module would occupy of described GPUs.
#pragma once

#include "app/bench/harness/bench.h"
#include "compute/device/kernel_plan.h"

namespace orogen::app::bench {

// A row a kernel, size and GPU, and what is known of each GPU.  Errors: those of planKernels.
Result<BenchReport> planReport(const compute::PlannedLaunches& launches);

}  // namespace orogen::app::bench
