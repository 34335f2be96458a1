#include "core/frames/machine/machine_monitor.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/text.h"

namespace orogen {
namespace {

// Pause after a reading, as a multiple of its duration.  So readings take at most 0.1 ms per frame on average, at 60
// frames per second.
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

namespace {

namespace fs = std::filesystem;

// Returns the first line of a small file of the kernel; empty if it cannot be read.
std::string lineOf(const std::string& file)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return {};
    std::array<char, 128> text;
    const ssize_t bytes = ::read(descriptor, text.data(), text.size());
    ::close(descriptor);
    const std::string_view line(text.data(), std::size_t(std::max<ssize_t>(bytes, 0)));
    return std::string(line.substr(0, line.find('\n')));
}

std::optional<std::uint64_t> numberOf(const std::string& file) { return numberIn<std::uint64_t>(lineOf(file)); }

// Returns the paths of a folder's entries that begin with `start`, sorted; none if it cannot be read.
std::vector<std::string> entriesOf(const std::string& folder, std::string_view start)
{
    std::vector<std::string> paths;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->path().filename().string().starts_with(start)) paths.push_back(entry->path().string());
    std::ranges::sort(paths);
    return paths;
}

void addReadable(std::vector<std::string>& files, const std::string& file)
{
    if (numberOf(file)) files.push_back(file);
}

// Returns the temperature files of the processor's chips; else those of its thermal zones.
std::vector<std::string> temperatureFiles(const std::string& sysfs)
{
    constexpr std::array<std::string_view, 4> kChips = {"coretemp", "k10temp", "zenpower", "cpu_thermal"};
    std::vector<std::string> files;
    for (const std::string& chip : entriesOf(sysfs + "/class/hwmon", "hwmon"))
    {
        if (std::ranges::find(kChips, lineOf(chip + "/name")) == kChips.end()) continue;
        for (const std::string& file : entriesOf(chip, "temp"))
            if (file.ends_with("_input")) addReadable(files, file);
    }
    if (!files.empty()) return files;
    for (const std::string& zone : entriesOf(sysfs + "/class/thermal", "thermal_zone"))
        if (const std::string type = lineOf(zone + "/type"); type == "x86_pkg_temp" || type.starts_with("cpu"))
            addReadable(files, zone + "/temp");
    return files;
}

// Returns the largest of the files' numbers times `unit`; empty if none can be read.
std::optional<double> largestOf(const std::vector<std::string>& files, double unit)
{
    std::optional<std::uint64_t> largest;
    for (const std::string& file : files)
        if (const auto number = numberOf(file)) largest = std::max(largest.value_or(0), *number);
    return largest ? std::optional(unit * double(*largest)) : std::nullopt;
}

}  // namespace

ProcessorSensors::ProcessorSensors(const std::string& sysfs) : temperatures_(temperatureFiles(sysfs))
{
    for (const std::string& processor : entriesOf(sysfs + "/devices/system/cpu", "cpu"))
    {
        if (!std::isdigit(static_cast<unsigned char>(processor.back()))) continue;  // skips cpufreq, cpuidle
        addReadable(clocks_, processor + "/cpufreq/scaling_cur_freq");
        for (const char* count : {"/thermal_throttle/core_throttle_count", "/thermal_throttle/package_throttle_count"})
            if (numberOf(processor + count)) throttles_.push_back({processor + count, {}});
    }
    for (const std::string& zone : entriesOf(sysfs + "/class/powercap", "intel-rapl:"))
    {
        if (!lineOf(zone + "/name").starts_with("package")) continue;  // skips parts of a package
        if (numberOf(zone + "/energy_uj"))
            energies_.push_back({zone + "/energy_uj", numberOf(zone + "/max_energy_range_uj").value_or(0), {}});
    }
}

void ProcessorSensors::read(double seconds, MachineState& state)
{
    state.cpuMhz = largestOf(clocks_, 1e-3);
    state.cpuCelsius = largestOf(temperatures_, 1e-3);
    readPower(seconds, state);
    readThrottle(state);
}

void ProcessorSensors::readPower(double seconds, MachineState& state)
{
    double joules = 0;
    bool known = !energies_.empty();
    for (Energy& energy : energies_)
    {
        const std::optional<std::uint64_t> now = numberOf(energy.file);
        const std::optional<std::uint64_t> before = std::exchange(energy.last, now);
        if (now && before && *now >= *before)
            joules += 1e-6 * double(*now - *before);
        else if (now && before && energy.range >= *before)
            joules += 1e-6 * double(energy.range - *before + *now);
        else
            known = false;
    }
    const double span = seconds - lastSeconds_.value_or(seconds);
    lastSeconds_ = seconds;
    if (known && span > 0) state.cpuWatts = joules / span;
}

void ProcessorSensors::readThrottle(MachineState& state)
{
    if (throttles_.empty()) return;
    state.throttle.reasons = 0u;
    for (Throttle& throttle : throttles_)
    {
        const std::optional<std::uint64_t> now = numberOf(throttle.file);
        if (!now) continue;  // the processor is offline
        if (*now > std::exchange(throttle.last, now).value_or(*now))
            state.throttle.reasons = std::uint32_t(kThrottleCpuThermal);
    }
}

}  // namespace orogen
