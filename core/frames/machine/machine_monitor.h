// Reads the machine's state beside a measurement: processor by sysfs, NVIDIA GPUs by NVML, which is loaded at run time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

// Sources of the readings; tests substitute their own.
struct MachineSources
{
    std::string sysfs = "/sys";
    std::string nvml = "libnvidia-ml.so.1";  // library name as for dlopen(); empty: no GPU readings
    std::string renderer = {};               // GL_RENDERER, by which one of several GPUs is chosen
};

// Processor sensors of the kernel.  Finds the files once; reading takes some 10 µs per file.
class ProcessorSensors
{
public:
    explicit ProcessorSensors(const std::string& sysfs);

    // Fills in the processor's values.  `seconds`: time of any steady clock.  Power is a mean since the previous call.
    void read(double seconds, MachineState& state);

private:
    struct Energy  // a package's counter (µJ)
    {
        std::string file;
        std::uint64_t range = 0;            // largest value of the counter, which then continues at 0
        std::optional<std::uint64_t> last;  // previous reading
    };
    struct Throttle  // a processor's count of thermal throttling events
    {
        std::string file;
        std::optional<std::uint64_t> last;  // previous reading that succeeded
    };
    void readPower(double seconds, MachineState& state);
    void readThrottle(MachineState& state);

    std::vector<std::string> clocks_, temperatures_;  // files with clocks in kHz; with 1/1,000 °C
    std::vector<Energy> energies_;
    std::vector<Throttle> throttles_;
    std::optional<double> lastSeconds_;
};

// One GPU through NVML.  Reads nothing without the library or a GPU; leaves out values whose function is missing.
class GpuSensors
{
public:
    GpuSensors(const std::string& library, const std::string& renderer);  // starts NVML: some 10 to 100 ms
    ~GpuSensors();
    GpuSensors(const GpuSensors&) = delete;
    GpuSensors& operator=(const GpuSensors&) = delete;

    bool found() const { return device_ != nullptr; }
    void read(MachineState& state) const;  // fills in the GPU's values; adds the GPU's reasons to `throttle`

private:
    struct Calls;
    void* choose(const std::string& renderer) const;

    void* library_ = nullptr;
    std::unique_ptr<Calls> calls_;
    void* device_ = nullptr;  // nvmlDevice_t
};

// Reads the state every kPeriod on a separate thread, or less often if a reading takes longer than 0.6 ms.
class MachineMonitor
{
public:
    static constexpr std::chrono::milliseconds kPeriod{100};

    // If no thread can be started, all readings stay empty.
    explicit MachineMonitor(MachineSources sources);
    ~MachineMonitor() = default;

    // Returns the newest reading, empty until the first one.  Never waits: while a reading is being stored, returns the
    // previous one.  Takes about 0.1 µs.  Call it from one thread only.
    MachineState newest();

private:
    void run(const MachineSources& sources, const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    MachineState newest_;
    MachineState taken_;   // reading that newest() last returned
    std::jthread thread_;  // declared last: stopped and joined before the members that it uses are destroyed
};

}  // namespace orogen
