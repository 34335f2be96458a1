#include "core/terrain/io/hgt_reader.h"

#include <array>
#include <cctype>
#include <cstddef>

#include <fmt/format.h>

#include "core/terrain/io/reading.h"

namespace orogen {
namespace {

constexpr std::array<int, 2> kSides = {1201, 3601};

int sideOf(std::uint64_t bytes)
{
    for (const int side : kSides)
        if (bytes == 2u * std::uint64_t(side) * std::uint64_t(side)) return side;
    return 0;
}

// Reads a letter of `signs` (positive, negative) and `digits` digits at `at`; empty if something else stands there.
std::optional<int> signedDegrees(const std::string& text, std::size_t at, const char* signs, std::size_t digits)
{
    if (text.size() < at + 1 + digits) return std::nullopt;
    const int letter = std::toupper(static_cast<unsigned char>(text[at]));
    if (letter != signs[0] && letter != signs[1]) return std::nullopt;
    int value = 0;
    for (std::size_t i = at + 1; i <= at + digits; ++i)
    {
        if (!std::isdigit(static_cast<unsigned char>(text[i]))) return std::nullopt;
        value = 10 * value + (text[i] - '0');
    }
    return letter == signs[0] ? value : -value;
}

}  // namespace

std::optional<HgtPosition> hgtPosition(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    const std::optional<int> latitude = signedDegrees(name, 0, "NS", 2);
    const std::optional<int> longitude = signedDegrees(name, 3, "EW", 3);
    if (!latitude || !longitude || name.size() < 8 || name[7] != '.') return std::nullopt;
    if (*latitude < -90 || *latitude > 89 || *longitude < -180 || *longitude > 180) return std::nullopt;
    return HgtPosition{*latitude, *longitude};
}

Result<Raster> readHgtHeader(const ByteSource& source)
{
    const int side = sideOf(source.size());
    if (side == 0)
        return inputError(
            source.name(),
            fmt::format("{} bytes, expected 2884802 (1201 x 1201) or 25934402 (3601 x 3601)", source.size()));
    Raster raster;
    raster.name = source.name();
    raster.format = "HGT";
    raster.crs = "EPSG:4326";
    raster.width = raster.height = side;
    const double step = 1.0 / (side - 1);
    raster.placement = Placement{true, false, 0, 0, step, step, 1.0};
    if (const std::optional<HgtPosition> position = hgtPosition(raster.name))
        raster.placement =
            Placement{true, true, double(position->longitude), double(position->latitude + 1), step, step, 1.0};
    else
        raster.warnings.push_back("the name is not like N34W119.hgt, which would tell its position");
    return raster;
}

Result<Raster> readHgt(const ByteSource& source, const LoadProgress& progress)
{
    Result<Raster> raster = readHgtHeader(source);
    if (!raster) return raster;
    const std::uint64_t side = std::uint64_t(raster->width);
    if (Status status = allocateHeights(*raster, side, side); !status) return status.error();
    SampleRule rule;
    rule.bigEndian = true;
    rule.nodata = -32768;
    if (Status status = readPlainSamples(source, rule, progress, *raster); !status) return status.error();
    finishRaster(*raster, source.name());
    return raster;
}

}  // namespace orogen
