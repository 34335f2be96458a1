#include "core/frames/machine/machine_monitor.h"

#include <array>
#include <utility>

#include <dlfcn.h>

namespace orogen {

namespace {

// Constants of nvml.h, whose ABI is stable.
constexpr int kSuccess = 0;
constexpr int kClockGraphics = 0, kClockMemory = 2;
constexpr int kSensorGpu = 0;
constexpr unsigned kNameBytes = 96;
constexpr std::array<std::pair<unsigned long long, std::uint32_t>, 5> kReasons = {{
    {0x04, kThrottleGpuPowerCap},
    {0x08, kThrottleGpuSlowdown},
    {0x20, kThrottleGpuThermal},  // by the driver
    {0x40, kThrottleGpuThermal},  // by the hardware
    {0x80, kThrottleGpuPowerBrake},
}};

template <class Function>
void load(void* library, const char* name, Function*& to)
{
    to = reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

struct GpuSensors::Calls
{
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*handle)(unsigned, void**) = nullptr;
    int (*name)(void*, char*, unsigned) = nullptr;
    int (*clock)(void*, int, unsigned*) = nullptr;
    int (*temperature)(void*, int, unsigned*) = nullptr;
    int (*power)(void*, unsigned*) = nullptr;
    int (*reasons)(void*, unsigned long long*) = nullptr;

    explicit Calls(void* library)
    {
        load(library, "nvmlInit_v2", init);
        load(library, "nvmlShutdown", shutdown);
        load(library, "nvmlDeviceGetCount_v2", count);
        load(library, "nvmlDeviceGetHandleByIndex_v2", handle);
        load(library, "nvmlDeviceGetName", name);
        load(library, "nvmlDeviceGetClockInfo", clock);
        load(library, "nvmlDeviceGetTemperature", temperature);
        load(library, "nvmlDeviceGetPowerUsage", power);
        load(library, "nvmlDeviceGetCurrentClocksEventReasons", reasons);
        // Name in drivers before 535.
        if (!reasons) load(library, "nvmlDeviceGetCurrentClocksThrottleReasons", reasons);
    }
    bool complete() const { return init && shutdown && count && handle; }
};

GpuSensors::GpuSensors(const std::string& library, const std::string& renderer)
{
    if (library.empty()) return;
    library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) return;
    auto calls = std::make_unique<Calls>(library_);
    if (!calls->complete() || calls->init() != kSuccess) return;
    calls_ = std::move(calls);
    device_ = choose(renderer);
}

GpuSensors::~GpuSensors()
{
    if (calls_) calls_->shutdown();
    if (library_) dlclose(library_);
}

// Returns the first GPU whose name the renderer contains ("NVIDIA H100/PCIe/SSE2"), else the first; null without any.
void* GpuSensors::choose(const std::string& renderer) const
{
    unsigned count = 0;
    if (calls_->count(&count) != kSuccess) return nullptr;
    void* first = nullptr;
    for (unsigned index = 0; index < count; ++index)
    {
        void* device = nullptr;
        if (calls_->handle(index, &device) != kSuccess) continue;
        if (!first) first = device;
        std::array<char, kNameBytes> name{};
        if (calls_->name && calls_->name(device, name.data(), kNameBytes - 1) == kSuccess && name[0] != '\0' &&
            renderer.find(name.data()) != std::string::npos)
            return device;
    }
    return first;
}

void GpuSensors::read(MachineState& state) const
{
    if (!device_) return;
    unsigned value = 0;
    if (calls_->clock && calls_->clock(device_, kClockGraphics, &value) == kSuccess) state.gpuMhz = value;
    if (calls_->clock && calls_->clock(device_, kClockMemory, &value) == kSuccess) state.gpuMemoryMhz = value;
    if (calls_->temperature && calls_->temperature(device_, kSensorGpu, &value) == kSuccess) state.gpuCelsius = value;
    if (calls_->power && calls_->power(device_, &value) == kSuccess) state.gpuWatts = 1e-3 * value;
    unsigned long long reasons = 0;
    if (!calls_->reasons || calls_->reasons(device_, &reasons) != kSuccess) return;
    std::uint32_t found = state.throttle.reasons.value_or(0);
    for (const auto& [bit, reason] : kReasons)
        if ((reasons & bit) != 0) found |= reason;
    state.throttle.reasons = found;
}

}  // namespace orogen
