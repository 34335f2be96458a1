// Stands in for NVIDIA's NVML in tests: two GPUs whose readings come from the environment.
//
//   OROGEN_TEST_NVML="CLOCK MEMORY_CLOCK TEMPERATURE MILLIWATTS REASONS", of the second GPU; the first reads 1 2 3 4 0
//   OROGEN_TEST_NVML_NAME="NAME" of the second GPU ("Test GPU Two")
//
// It has the older name of the function for reasons, so that the fallback is tested.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kSuccess = 0, kInvalid = 2;
bool started = false;
std::array<int, 2> devices = {0, 1};

std::array<unsigned long long, 5> readings(const void* device)
{
    std::array<unsigned long long, 5> values = {1, 2, 3, 4, 0};
    const char* text = std::getenv("OROGEN_TEST_NVML");
    if (device == &devices[1] && text)
        for (char* end = nullptr; unsigned long long& value : values)
        {
            value = std::strtoull(end ? end : text, &end, 0);
        }
    return values;
}

int give(const void* device, std::size_t which, unsigned* to)
{
    if (!started) return kInvalid;
    *to = unsigned(readings(device)[which]);
    return kSuccess;
}

}  // namespace

extern "C" {
int nvmlInit_v2()
{
    started = true;
    return kSuccess;
}
int nvmlShutdown()
{
    started = false;
    return kSuccess;
}
int nvmlDeviceGetCount_v2(unsigned* count)
{
    *count = unsigned(devices.size());
    return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device)
{
    *device = &devices[index];
    return kSuccess;
}
int nvmlDeviceGetName(void* device, char* name, unsigned bytes)
{
    const char* second = std::getenv("OROGEN_TEST_NVML_NAME");
    std::snprintf(name, bytes, "%s", device == &devices[0] ? "Test GPU One" : second ? second : "Test GPU Two");
    return kSuccess;
}
int nvmlDeviceGetClockInfo(void* device, int type, unsigned* megahertz)
{
    return give(device, type == 2 ? 1 : 0, megahertz);
}
int nvmlDeviceGetTemperature(void* device, int, unsigned* celsius) { return give(device, 2, celsius); }
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) { return give(device, 3, milliwatts); }
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons)
{
    if (!started) return kInvalid;
    *reasons = readings(device)[4];
    return kSuccess;
}
}
