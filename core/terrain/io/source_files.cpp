#include "core/terrain/io/source_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"
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

Status checkNoUrl(const std::string& dem)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSchemes = {{
        {"http://", "/vsicurl/http://"},
        {"https://", "/vsicurl/https://"},
        {"ftp://", "/vsicurl/ftp://"},
        {"s3://", "/vsis3/"},
        {"gs://", "/vsigs/"},
    }};
    for (const auto& [scheme, path] : kSchemes)
        if (dem.starts_with(scheme))
            return inputError(
                dem, fmt::format("a URL is read through GDAL, by the name {}{}", path, dem.substr(scheme.size())));
    return Status::ok();
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

namespace {

constexpr std::uint64_t kLargestWorldFile = 1 << 16;  // bytes: six numbers, and trailing text
[[maybe_unused]] constexpr std::uint64_t kLargestPrjFile = 64 << 10;

// Parses six numbers, one per line.
std::optional<std::array<double, 6>> worldNumbers(std::string_view text)
{
    std::array<double, 6> numbers{};
    for (double& found : numbers)
    {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::optional<double> number = leadingNumber(text.substr(0, end));
        if (!number || !std::isfinite(*number)) return std::nullopt;
        found = *number;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return numbers;
}

}  // namespace

std::vector<std::string> worldFileNames(const std::string& path)
{
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos || path.find('/', dot) != std::string::npos || dot + 2 > path.size()) return {};
    const std::string stem = path.substr(0, dot + 1), suffix = path.substr(dot + 1);
    return {stem + suffix.front() + suffix.back() + 'w', stem + suffix + 'w', stem + "wld"};
}

void readWorldFile(const std::string& path, Raster& raster)
{
    for (const std::string& world : worldFileNames(path))
    {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(world, ignored)) continue;
        const Result<std::string> text = readTextFile(world, kLargestWorldFile);
        if (!text)
        {
            raster.warnings.push_back(printable(text.error().message) + ": ignored");
            continue;
        }
        const auto numbers = worldNumbers(*text);
        // The six numbers: pixel width, two rotations, minus the pixel height, centre of the first pixel (x, y).
        if (!numbers || (*numbers)[1] != 0 || (*numbers)[2] != 0 || (*numbers)[0] <= 0 || (*numbers)[3] >= 0)
        {
            raster.warnings.push_back(printable(world) + ": not a world file without rotation: ignored");
            continue;
        }
        Placement placement{false, true, (*numbers)[4], (*numbers)[5], (*numbers)[0], -(*numbers)[3], 1.0};
        placement.guessed = true;
        placement.geographic = looksGeographic(placement);
        raster.warnings.push_back("pixel size from the world file");
        raster.crs = placement.geographic ? "geographic" : "";
        raster.placement = placement;
        return;
    }
}

std::vector<std::string> prjFileNames(const std::string& path)
{
    return {std::filesystem::path(path).replace_extension(".prj").string(), path + ".prj"};
}

void readPrjFile(const std::string& path, Raster& raster)
{
    for (const std::string& name : prjFileNames(path))
    {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(name, ignored)) continue;
#ifdef OROGEN_HAVE_GDAL
        const Result<std::string> text = readTextFile(name, kLargestPrjFile);
        if (!text || !applyWellKnownText(*text, raster))
            raster.warnings.push_back((text ? printable(name) + ": no coordinate system as well-known text"
                                            : printable(text.error().message)) +
                                      ": ignored");
#else
        raster.warnings.push_back(printable(name) + ": a coordinate system is read through GDAL, and this program was "
                                                    "built without it: ignored (--crs sets the system)");
#endif
        return;
    }
}

}  // namespace orogen
