// Times work of the GPU that nothing else runs beside.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/bench/harness/bench.h"
#include "app/gl/objects.h"

namespace orogen::app::bench {

// With the context current.  A section is waited for before and after: by the CPU's clock it holds all that the driver
// does, between the GPU's two time stamps what the GPU does alone.
class GpuClock
{
public:
    GpuClock();

    void time(const std::function<void()>& section);
    void addTo(Json& row) const;  // "time_ms", "gpu_ms" (null: no time stamps), "spread", "rounds"; after one section
    Timing byCpu() const { return timingOf(cpu_); }
    std::optional<Timing> byGpu() const;

private:
    Query begin_, end_;
    bool stamps_ = false;
    std::vector<double> cpu_, gpu_;  // milliseconds
};

}  // namespace orogen::app::bench
