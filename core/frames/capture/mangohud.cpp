#include "core/frames/capture/mangohud.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace orogen {
namespace {

// Replaces separators: these logs have no quoting, readers split at every comma.
std::string cell(const std::optional<std::string>& text)
{
    std::string plain = text.value_or("");
    std::ranges::replace_if(
        plain, [](unsigned char c) { return c == ',' || c == '"' || c < 0x20 || c == 0x7f; }, ' ');
    return plain;
}

}  // namespace

std::string mangohudLog(const ReportMetadata& metadata, std::span<const FrameSample> rows)
{
    std::string log = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n";
    log += fmt::format("Linux,{},{},,{},{},{}\n", cell(metadata.cpu), cell(metadata.glRenderer), cell(metadata.kernel),
                       cell(metadata.glVersion), cell(metadata.governor));
    log += "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,"
           "gpu_power,ram_used,swap_used,process_rss,cpu_mhz,elapsed\n";
    double elapsedMs = 0;
    for (const FrameSample& row : rows)
    {
        if (!row.measured() || !row.intervalMs || *row.intervalMs <= 0) continue;
        elapsedMs += *row.intervalMs;
        const std::string vram = row.vramKib ? fmt::format("{:.4f}", double(*row.vramKib) / 1024 / 1024) : "";
        fmt::format_to(std::back_inserter(log), "{:.4f},{:.4f},,,,,,,,{},,,,,,{}\n", 1000 / *row.intervalMs,
                       *row.intervalMs, vram, std::llround(elapsedMs * 1e6));
    }
    return log;
}

}  // namespace orogen
