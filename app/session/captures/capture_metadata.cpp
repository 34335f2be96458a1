#include "app/session/captures/capture_metadata.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "app/base/installation.h"
#include "compute/device/cuda.h"
#include "core/base/sha256.h"
#include "core/terrain/io/source_files.h"

namespace orogen::app {
namespace {

// Returns the arguments with which this process was started.
std::vector<std::string> commandLine()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::vector<std::string> arguments;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\0', at), text.size());
        arguments.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return arguments;
}

std::string cudaVersion(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

void describeCuda(ReportMetadata& metadata)
{
    const compute::CudaReport cuda = compute::discoverCuda();
    if (cuda.driverVersion > 0) metadata.cudaDriver = cudaVersion(cuda.driverVersion);
    if (cuda.runtimeVersion > 0) metadata.cudaRuntime = cudaVersion(cuda.runtimeVersion);
    if (!cuda.devices.empty()) metadata.cudaDevice = cuda.devices.front().name;
}

Result<std::string> folderHash(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->is_regular_file()) files.push_back(entry->path());
    if (error) return Error{ExitCode::kInput, fmt::format("{}: {}", folder.string(), error.message())};
    std::ranges::sort(files);
    std::string lines;
    for (const std::filesystem::path& file : files)
    {
        const Result<std::string> hash = sha256OfFile(file.string());
        if (!hash) return hash.error();
        lines += fmt::format("{}  {}\n", *hash, file.filename().string());
    }
    return sha256(lines);
}

}  // namespace

ReportMetadata describeSession(const Context& context, std::uint64_t shadersHash, bool timersOffered)
{
    ReportMetadata metadata;
    describeMachine(metadata);
    metadata.version = versionNumber();
    const std::string commit = versionCommit();
    if (commit != "unknown")
    {
        metadata.dirty = commit.ends_with("-dirty");
        metadata.commit = commit.substr(0, commit.find('-'));
    }
    metadata.buildType = OROGEN_BUILD_TYPE;
    metadata.compiler = OROGEN_COMPILER;
    metadata.commandLine = commandLine();

    const ContextInfo& info = context.info();
    metadata.glVendor = info.vendor;
    metadata.glRenderer = info.renderer;
    metadata.glVersion = info.version;
    metadata.glslHeader = info.glsl460 ? "#version 460 core" : "#version 450 core + GL_ARB_shader_draw_parameters";
    metadata.contextPath = info.path;
    metadata.gpuTimer = !timersOffered ? GpuTimer::kNone : info.software ? GpuTimer::kSoftware : GpuTimer::kHardware;
    metadata.headless = !context.window();
    if (const Window* window = context.window())
    {
        metadata.scale = double(window->contentScale());
        metadata.vsync = false;  // a capture never limits the frame rate
    }
    metadata.shadersHash = fmt::format("{:016x}", shadersHash);
    describeCuda(metadata);
    return metadata;
}

void setPath(ReportMetadata& metadata, const CameraPath& path, const std::string& name)
{
    metadata.pathName = !path.name.empty() ? path.name : name;
    metadata.pathHash = hashOf(path);
}

Result<std::string> heightmapHash(const std::string& dem, bool synthetic)
{
    if (synthetic) return sha256(dem);
    std::error_code error;
    return std::filesystem::is_directory(dem, error) ? folderHash(dem) : sha256OfFile(dem);
}

Result<std::string> tiledHash(const Raster& raster, const HeightField& overview)
{
    if (raster.synthetic) return heightmapHash(raster.name, true);
    const std::optional<std::uint64_t> bytes = sourceBytes(raster.name);
    if (bytes && *bytes <= kMostHashedBytes) return heightmapHash(raster.name, false);
    std::string text = fmt::format("{} {} {} {} {} {} {}\n", raster.width, raster.height, raster.pixelWidth,
                                   raster.pixelHeight, raster.crs, overview.scale, overview.offset);
    text.append(reinterpret_cast<const char*>(overview.codes.data()), 2 * overview.codes.size());
    return sha256(text);
}

}  // namespace orogen::app
