// All benchmarks, a line each: `orogen bench` offers what is in the list.
#pragma once

#include <span>

#include "app/bench/harness/bench.h"

namespace orogen::app::bench {

std::span<const Bench> benches();

Bench treeBench();
Bench multiwordBench();
Bench signedDigitBench();
Bench conjugateGradientBench();
Bench renderBench();

}  // namespace orogen::app::bench
