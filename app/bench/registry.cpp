#include "app/bench/registry.h"

namespace orogen::app::bench {

std::span<const Bench> benches()
{
    static const Bench all[] = {treeBench(), multiwordBench(), signedDigitBench(), conjugateGradientBench(),
                                renderBench()};
    return all;
}

}  // namespace orogen::app::bench
