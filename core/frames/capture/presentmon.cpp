#include "core/frames/capture/presentmon.h"

#include <iterator>

#include <fmt/format.h>

namespace orogen {
namespace {

constexpr const char* kNotMeasured = "NA";

std::string cell(const std::optional<double>& value)
{
    return value ? fmt::format("{:.{}f}", *value, kTimeDecimals) : kNotMeasured;
}

}  // namespace

std::string presentmonLog(const ReportMetadata& metadata, std::span<const FrameSample> rows)
{
    std::string log = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,"
                      "msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,"
                      "msUntilDisplayed,msBetweenDisplayChange,msUntilRenderStart,msGPUActive\n";
    const char* sync = !metadata.vsync ? kNotMeasured : *metadata.vsync ? "1" : "0";
    for (const FrameSample& row : rows)
    {
        if (!row.measured() || !row.intervalMs || *row.intervalMs <= 0) continue;
        // PresentMon reports runtimes other than Direct3D as "Other".
        fmt::format_to(std::back_inserter(log), "orogen,0,0x0,Other,{},NA,0,{:.7f},{},{:.{}f},NA,NA,NA,NA,NA,NA,{}\n",
                       sync, row.tMs / 1000, cell(row.swapMs), *row.intervalMs, kTimeDecimals, cell(row.gpuMs));
    }
    return log;
}

}  // namespace orogen
