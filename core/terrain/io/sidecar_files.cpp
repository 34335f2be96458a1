#include "core/terrain/io/sidecar_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {
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
