#include "core/terrain/io/source_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include <zlib.h>

#include <fmt/format.h>

#include "core/base/sha256.h"
#include "core/base/text_file.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/sidecar_files.h"
#include "core/terrain/raster/raster_making.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen {
namespace {

std::uint32_t checksum(std::uint32_t before, std::span<const std::byte> bytes)
{
    return std::uint32_t(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Result<FileState> stateOf(const std::string& path)
{
#ifdef OROGEN_HAVE_GDAL
    if (isGdalPath(path) && hasGdal()) return gdalFileState(path);
#endif
    struct stat found = {};
    if (::stat(path.c_str(), &found) != 0) return inputError(path, std::strerror(errno));
    return FileState{std::uint64_t(found.st_size),
                     fmt::format("{}.{:09}", std::int64_t(found.st_mtim.tv_sec), found.st_mtim.tv_nsec)};
}

Result<std::uint32_t> checksumOfFile(const std::string& path)
{
    Result<InputFile> file = InputFile::open(path);
    if (!file) return file.error();
    std::uint32_t sum = 0;
    for (std::vector<char> piece(std::size_t(1) << 20);;)
    {
        const Result<std::size_t> count = file->read(piece);
        if (!count) return count.error();
        if (*count == 0) return sum;
        sum = checksum(sum, std::as_bytes(std::span(piece).first(*count)));
    }
}

}  // namespace

bool isTileTemplate(const std::string& name)
{
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    return (name.starts_with("http://") || name.starts_with("https://")) && has("{z}") && has("{x}") &&
           (has("{y}") || has("{-y}"));
}
bool isWebService(const std::string& name)
{
    return name.starts_with("WMS:") || name.starts_with("WMTS:") || isTileTemplate(name);
}
bool isGdalPath(const std::string& name) { return name.starts_with("/vsi") || isWebService(name); }

std::vector<std::string> sourceFiles(const std::string& dem)
{
    if (isSyntheticName(dem)) return {};
    std::vector<std::string> files = {dem};
    for (std::string& world : worldFileNames(dem))
        files.push_back(std::move(world));
    for (std::string& prj : prjFileNames(dem))
        files.push_back(std::move(prj));
    return files;
}

std::optional<std::uint64_t> sourceBytes(const std::string& dem)
{
    std::error_code error;
    if (!std::filesystem::is_directory(dem, error))
    {
        const std::uintmax_t size = std::filesystem::file_size(dem, error);
        return error ? std::nullopt : std::optional(std::uint64_t(size));
    }
    std::uint64_t bytes = 0;
    for (std::filesystem::directory_iterator entry(dem, error), end; !error && entry != end; entry.increment(error))
        if (std::error_code none; entry->is_regular_file(none)) bytes += std::uint64_t(entry->file_size(none));
    return error ? std::nullopt : std::optional(bytes);
}

Status checkThere(const std::string& dem)
{
    const bool elsewhere = isGdalPath(dem) || dem.find("://") != std::string::npos || isSyntheticName(dem);
    if (struct stat found = {}; elsewhere || ::stat(dem.c_str(), &found) == 0 || errno != ENOENT) return Status::ok();
    return inputError(dem, fmt::format("{}, expected an elevation file or a folder of tiles (orogen view --help lists "
                                       "other names)",
                                       std::strerror(ENOENT)));
}

Result<std::string> filesVersion(const std::vector<std::string>& files)
{
    std::vector<FileState> states;
    std::uint64_t bytes = 0;
    bool near = true;
    for (const std::string& file : files)
    {
        Result<FileState> state = stateOf(file);
        if (!state) return state.error();
        bytes += state->bytes;
        near = near && !isGdalPath(file);
        states.push_back(std::move(*state));
    }
    const bool byContent = near && bytes <= kComparedBytes;
    Sha256 all;
    for (std::size_t i = 0; i < files.size(); ++i)
    {
        if (byContent)
        {
            const Result<std::uint32_t> sum = checksumOfFile(files[i]);
            if (!sum) return sum.error();
            states[i].changed = fmt::format("{:08x}", *sum);
        }
        const std::string name = std::filesystem::path(files[i]).filename().string();
        all.add(fmt::format("{} {} {}\n", files.size() > 1 ? name : "", states[i].bytes, states[i].changed));
    }
    return fmt::format("{} {}", byContent ? "content" : "times", hex(all.finish()));
}

std::string heightsVersion(std::span<const float> heights)
{
    return fmt::format("heights {:08x}", checksum(0, std::as_bytes(heights)));
}

}  // namespace orogen
