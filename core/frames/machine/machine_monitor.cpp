#include "core/frames/machine/machine_monitor.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace orogen {

namespace {

// Pause after a reading, as a multiple of its duration.  So readings take at most 0.1 ms per frame at 60 frames per
// second.
constexpr int kRestPerWork = 166;

}  // namespace

MachineMonitor::MachineMonitor(MachineSources sources)
{
    try
    {
        thread_ =
            std::jthread([this, sources = std::move(sources)](const std::stop_token& stop) { run(sources, stop); });
    }
    catch (const std::system_error&)  // no thread: the state stays unknown
    {
    }
}

MachineState MachineMonitor::newest()
{
    if (const std::unique_lock lock(mutex_, std::try_to_lock); lock) taken_ = newest_;
    return taken_;
}

void MachineMonitor::run(const MachineSources& sources, const std::stop_token& stop)
{
    ProcessorSensors processor(sources.sysfs);
    const GpuSensors gpu(sources.nvml, sources.renderer);
    while (!stop.stop_requested())
    {
        MachineState state;
        const auto now = std::chrono::steady_clock::now();
        processor.read(std::chrono::duration<double>(now.time_since_epoch()).count(), state);
        gpu.read(state);
        const auto took = std::chrono::steady_clock::now() - now;
        std::unique_lock lock(mutex_);
        newest_ = state;
        wake_.wait_for(lock, stop, std::max<std::chrono::nanoseconds>(kPeriod, kRestPerWork * took),
                       [] { return false; });
    }
}

}  // namespace orogen
