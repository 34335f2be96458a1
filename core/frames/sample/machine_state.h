// State of the machine during a frame, as columns of run-NN.csv: clocks, temperatures, power, reasons for lower clocks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orogen {

// Bits of Throttle::reasons.
enum ThrottleReason : std::uint32_t
{
    kThrottleCpuThermal = 1u << 0,     // a processor or its package reached its temperature limit
    kThrottleGpuPowerCap = 1u << 1,    // power limit
    kThrottleGpuSlowdown = 1u << 2,    // hardware cut clocks to half or less, because of heat or power
    kThrottleGpuThermal = 1u << 3,     // temperature limit
    kThrottleGpuPowerBrake = 1u << 4,  // request of the power supply
};
inline constexpr std::array<std::string_view, 5> kThrottleNames = {"cpu_thermal", "gpu_power_cap", "gpu_slowdown",
                                                                   "gpu_thermal", "gpu_power_brake"};
inline constexpr std::string_view kNoThrottle = "none";

struct Throttle
{
    std::optional<std::uint32_t> reasons;  // bits of ThrottleReason; empty: unknown

    bool throttled() const { return reasons.value_or(0) != 0; }
    bool operator==(const Throttle&) const = default;
};
std::string textOf(const Throttle& throttle);  // "gpu_power_cap|gpu_thermal", "none"; empty if unknown

// Newest reading.  Empty: unknown.
struct MachineState
{
    std::optional<double> cpuMhz;                // fastest processor
    std::optional<double> cpuCelsius, cpuWatts;  // hottest sensor; sum over all packages
    std::optional<double> gpuMhz, gpuMemoryMhz, gpuCelsius, gpuWatts;
    Throttle throttle;

    bool operator==(const MachineState&) const = default;
};

struct MachineColumn
{
    std::string_view column;  // in run-NN.csv and in `statistics.machine` of report.json
    std::optional<double> MachineState::*cell;
    std::string_view label, unit;  // on the page
};
inline constexpr std::array kMachineColumns = {
    MachineColumn{"cpu_mhz", &MachineState::cpuMhz, "Processor clock", "MHz"},
    MachineColumn{"cpu_c", &MachineState::cpuCelsius, "Processor temperature", "°C"},
    MachineColumn{"cpu_w", &MachineState::cpuWatts, "Processor power", "W"},
    MachineColumn{"gpu_mhz", &MachineState::gpuMhz, "GPU clock", "MHz"},
    MachineColumn{"gpu_memory_mhz", &MachineState::gpuMemoryMhz, "GPU memory clock", "MHz"},
    MachineColumn{"gpu_c", &MachineState::gpuCelsius, "GPU temperature", "°C"},
    MachineColumn{"gpu_w", &MachineState::gpuWatts, "GPU power", "W"},
};

}  // namespace orogen
