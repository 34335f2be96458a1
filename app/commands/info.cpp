#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/commands/command.h"
#include "app/system_report.h"
#include "app/version.h"

namespace orogen::app {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions
{
    bool json = false;
};

Json orNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json openGlJson(const OpenGlReport& report)
{
    return {{"available", report.available},
            {"version", orNull(report.info.version)},
            {"renderer", orNull(report.info.renderer)},
            {"path", orNull(report.info.path)},
            {"reason", orNull(report.reason)}};
}

Json eglJson(const SystemReport& report)
{
    Json devices = Json::array();
    for (const EglDevice& device : report.eglDevices)
        devices.push_back({{"index", device.index},
                           {"name", orNull(device.name)},
                           {"software", device.software},
                           {"cuda_device", device.cudaDevice < 0 ? Json(nullptr) : Json(device.cudaDevice)}});
    return {{"devices", std::move(devices)}, {"reason", orNull(report.eglReason)}};
}

Json cudaJson(const compute::CudaReport& report)
{
    Json devices = Json::array();
    for (const compute::CudaDevice& device : report.devices)
        devices.push_back({{"index", device.index},
                           {"name", device.name},
                           {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                           {"memory_bytes", device.memoryBytes},
                           {"multiprocessors", device.multiprocessors}});
    return {{"built", report.built},
            {"available", report.available},
            {"reason", orNull(report.reason)},
            {"devices", std::move(devices)}};
}

std::string systemJson(const SystemReport& report)
{
    const Json json = {
        {"version", versionNumber()},
        {"commit", versionCommit()},
        {"opengl", openGlJson(report.opengl)},
        {"egl", eglJson(report)},
        {"cuda", cudaJson(report.cuda)},
        {"cpu", {{"model", report.cpu.model}, {"threads", report.cpu.threads}, {"simd", report.cpu.simd}}}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string eglText(const EglDevice& device)
{
    std::string text = fmt::format("EGL     device {}: {}", device.index, device.software ? "software" : "hardware");
    if (!device.name.empty()) text += ", " + device.name;
    if (device.cudaDevice >= 0) text += fmt::format(", CUDA device {}", device.cudaDevice);
    return text + "\n";
}

std::string cudaText(const compute::CudaReport& report)
{
    if (!report.available) return fmt::format("CUDA    not available: {}\n", report.reason);
    std::string text;
    for (const compute::CudaDevice& device : report.devices)
        text += fmt::format("CUDA    device {}: {}, compute capability {}.{}, {:.1f} GiB\n", device.index, device.name,
                            device.major, device.minor, double(device.memoryBytes) / (1 << 30));
    return text;
}

std::string systemText(const SystemReport& report)
{
    std::string text = versionText() + "\n";
    const OpenGlReport& gl = report.opengl;
    if (gl.available)
        text += fmt::format("OpenGL  {}\n        {} ({})\n", gl.info.version, gl.info.renderer, gl.info.path);
    else
        text += "OpenGL  not available\n";
    if (!gl.reason.empty()) text += fmt::format("        {}\n", gl.reason);
    for (const EglDevice& device : report.eglDevices)
        text += eglText(device);
    if (!report.eglReason.empty()) text += fmt::format("EGL     {}\n", report.eglReason);
    text += cudaText(report.cuda);
    return text + fmt::format("CPU     {}, {} threads, {}\n", report.cpu.model, report.cpu.threads, report.cpu.simd);
}

Result<ExitCode> runInfo(const InfoOptions& options)
{
    const SystemReport report = systemReport();
    print(options.json ? systemJson(report) : systemText(report));
    return ExitCode::kDone;
}

}  // namespace

void addInfoCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("info", "what this machine offers");
    const auto options = std::make_shared<InfoOptions>();
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runInfo(*options); }; });
}

}  // namespace orogen::app
