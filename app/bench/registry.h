// All benchmarks, as `orogen bench` offers them.
#pragma once

#include <span>

#include "app/bench/harness/bench.h"

namespace orogen::app::bench {

Bench treeBench();
Bench multiwordBench();
Bench signedDigitBench();
Bench conjugateGradientBench();
Bench exactBench();
Bench renderBench();

inline std::span<const Bench> benches()
{
    static const Bench all[] = {treeBench(),  multiwordBench(), signedDigitBench(), conjugateGradientBench(),
                                exactBench(), renderBench()};
    return all;
}

}  // namespace orogen::app::bench
