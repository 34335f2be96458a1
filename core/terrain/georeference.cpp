#include "core/terrain/georeference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/terrain/reading.h"

namespace orogen {
namespace {

enum Key : std::uint16_t
{
    kModelType = 1024,   // 1 projected, 2 geographic
    kRasterType = 1025,  // 1 pixel is area, 2 pixel is point
    kCitation = 1026,
    kGeographicCrs = 2048,
    kGeographicCitation = 2049,
    kAngularUnits = 2054,
    kProjectedCrs = 3072,
    kProjectedCitation = 3073,
    kLinearUnits = 3076,
    kLinearUnitSize = 3077,
    kVerticalUnits = 4099,
};
constexpr std::uint16_t kUserDefined = 32767;
constexpr std::uint16_t kDoubleParams = 34736, kAsciiParams = 34737;

class GeoKeys
{
public:
    explicit GeoKeys(const GeoTags& tags) : tags_(tags) {}

    std::optional<std::uint16_t> code(Key key) const
    {
        const std::uint16_t* entry = find(key);
        if (!entry || entry[1] != 0) return std::nullopt;
        return entry[3];
    }
    std::optional<double> number(Key key) const
    {
        const std::uint16_t* entry = find(key);
        if (!entry || entry[1] != kDoubleParams || entry[3] >= tags_.doubles.size()) return std::nullopt;
        return tags_.doubles[entry[3]];
    }
    std::string text(Key key) const
    {
        const std::uint16_t* entry = find(key);
        if (!entry || entry[1] != kAsciiParams || entry[3] >= tags_.ascii.size()) return {};
        std::string value = tags_.ascii.substr(entry[3], entry[2]);
        value.erase(std::min(value.find('|'), value.size()));
        return oneLine(value.c_str());
    }

private:
    // {key, location, count, value} in the directory; null if it is not there.
    const std::uint16_t* find(Key key) const
    {
        const std::vector<std::uint16_t>& d = tags_.directory;
        for (std::size_t i = 4; i + 4 <= d.size() && i / 4 <= d[3]; i += 4)
            if (d[i] == key) return &d[i];
        return nullptr;
    }

    const GeoTags& tags_;
};

std::optional<double> metresOfUnit(std::uint16_t code)
{
    switch (code)
    {
    case 9001:
        return 1.0;
    case 9002:
        return 0.3048;
    case 9003:
        return 1200.0 / 3937.0;  // US survey foot
    default:
        return std::nullopt;
    }
}

// Many writers name a UTM zone in words only: "WGS_84_UTM_zone_11N", "WGS 84 / UTM zone 11N".
std::string epsgOfCitation(const std::string& citation)
{
    std::string words;
    for (const char c : citation)
        if (std::isalnum(static_cast<unsigned char>(c))) words += char(std::tolower(static_cast<unsigned char>(c)));
    const std::size_t at = words.find("utmzone");
    const std::size_t datum = words.find("wgs84");
    if (at == std::string::npos || datum == std::string::npos) return {};
    int zone = 0;
    std::size_t i = at + 7;
    for (; i < words.size() && i < at + 9 && std::isdigit(static_cast<unsigned char>(words[i])); ++i)
        zone = zone * 10 + (words[i] - '0');
    if (zone < 1 || zone > 60 || i >= words.size() || (words[i] != 'n' && words[i] != 's')) return {};
    return fmt::format("EPSG:{}", (words[i] == 'n' ? 32600 : 32700) + zone);
}

std::string crsName(const GeoKeys& keys, bool geographic)
{
    const std::optional<std::uint16_t> code = keys.code(geographic ? kGeographicCrs : kProjectedCrs);
    if (code && *code >= 1024 && *code != kUserDefined) return fmt::format("EPSG:{}", *code);
    for (const Key key : {geographic ? kGeographicCitation : kProjectedCitation, kCitation})
        if (const std::string text = keys.text(key); !text.empty())
        {
            const std::string epsg = geographic ? std::string() : epsgOfCitation(text);
            return epsg.empty() ? text : epsg;
        }
    return geographic ? "geographic" : "projected";
}

// The affine map of the file: x = a column + b row + c, y = d column + e row + f.
struct Affine
{
    double a, b, c, d, e, f;
};

std::optional<Affine> affineOf(const GeoTags& tags)
{
    if (tags.transformation.size() >= 8)
    {
        const std::vector<double>& t = tags.transformation;
        return Affine{t[0], t[1], t[3], t[4], t[5], t[7]};
    }
    if (tags.pixelScale.size() < 2) return std::nullopt;
    const double sx = tags.pixelScale[0], sy = tags.pixelScale[1];
    Affine map{sx, 0, 0, 0, -sy, 0};
    if (tags.tiePoints.size() >= 6)
    {
        map.c = tags.tiePoints[3] - map.a * tags.tiePoints[0];
        map.f = tags.tiePoints[4] - map.e * tags.tiePoints[1];
    }
    return map;
}

// Rotation and mirrored axes are taken out; what is left are two positive steps.
Placement placementOf(const Affine& map, bool pixelIsPoint, int width, int height, Georeference& result)
{
    Placement placement;
    placement.stepEast = std::hypot(map.a, map.d);
    placement.stepSouth = std::hypot(map.b, map.e);
    result.eastLeft = map.a < 0;
    result.southUp = map.e > 0;
    if (map.b != 0 || map.d != 0)
        result.warnings.push_back("the raster is rotated or sheared against its coordinate system: its rows are taken "
                                  "as east, its columns as south");
    const double half = pixelIsPoint ? 0.0 : 0.5;
    const double column = (result.eastLeft ? width - 1 : 0) + half;
    const double row = (result.southUp ? height - 1 : 0) + half;
    placement.x = map.a * column + map.b * row + map.c;
    placement.y = map.d * column + map.e * row + map.f;
    return placement;
}

// No model type: degrees are small and lie on the globe.
bool looksGeographic(const Placement& placement)
{
    return placement.stepEast < 0.5 && placement.stepSouth < 0.5 && std::fabs(placement.x) <= 360 &&
           std::fabs(placement.y) <= 90;
}

double linearUnit(const GeoKeys& keys, Georeference& result)
{
    const std::optional<std::uint16_t> code = keys.code(kLinearUnits);
    if (!code) return 1.0;
    if (const std::optional<double> unit = metresOfUnit(*code)) return *unit;
    const std::optional<double> size = keys.number(kLinearUnitSize);
    if (*code == kUserDefined && size && std::isfinite(*size) && *size > 0) return *size;
    result.warnings.push_back(fmt::format("linear unit {} is not known: read as metres", *code));
    return 1.0;
}

double verticalUnit(const GeoKeys& keys, Georeference& result)
{
    const std::optional<std::uint16_t> code = keys.code(kVerticalUnits);
    if (!code || *code == 9001) return 1.0;
    const std::optional<double> unit = metresOfUnit(*code);
    result.warnings.push_back(
        unit ? fmt::format("heights in {} were converted to metres", *code == 9002 ? "feet" : "US survey feet")
             : fmt::format("vertical unit {} is not known: read as metres", *code));
    return unit.value_or(1.0);
}

double degreesUnit(const GeoKeys& keys, Georeference& result)
{
    const std::optional<std::uint16_t> code = keys.code(kAngularUnits);
    if (!code || *code == 9102) return 1.0;
    if (*code == 9101) return 180.0 / std::numbers::pi;
    result.warnings.push_back(fmt::format("angular unit {} is not known: read as degrees", *code));
    return 1.0;
}

bool isGeographic(const GeoKeys& keys, const Placement& placement, Georeference& result)
{
    const std::optional<std::uint16_t> model = keys.code(kModelType);
    if (model == 1) return false;
    if (model == 2) return true;
    const bool degrees = looksGeographic(placement);
    result.warnings.push_back(
        fmt::format("the file does not say whether its coordinates are degrees or metres: read as {}",
                    degrees ? "degrees" : "metres"));
    return degrees;
}

}  // namespace

MetresPerDegree metresPerDegree(double latitude)
{
    constexpr double kMajor = 6'378'137.0, kFlattening = 1.0 / 298.257223563;
    constexpr double kE2 = kFlattening * (2.0 - kFlattening);
    const double phi = latitude * std::numbers::pi / 180.0;
    const double w2 = 1.0 - kE2 * std::sin(phi) * std::sin(phi);
    const double degree = std::numbers::pi / 180.0;
    return {.east = degree * kMajor * std::cos(phi) / std::sqrt(w2),
            .north = degree * kMajor * (1.0 - kE2) / (w2 * std::sqrt(w2))};
}

Result<PixelMetres> pixelMetres(const std::string& name, const Placement& placement, int height, double unit)
{
    PixelMetres result{placement.stepEast * unit, placement.stepSouth * unit, {}};
    if (placement.geographic)
    {
        const double south = placement.y - placement.stepSouth * (height - 1);
        const double latitude = (placement.y + south) / 2;
        if (!(std::fabs(latitude) < 89.9))
            return inputError(name, fmt::format("latitude of the centre is {:g}, expected -89.9 to 89.9", latitude));
        const MetresPerDegree degree = metresPerDegree(latitude);
        result = {placement.stepEast * degree.east, placement.stepSouth * degree.north, {}};
        const double atNorth = metresPerDegree(std::min(placement.y, 90.0)).east;
        const double atSouth = metresPerDegree(std::max(south, -90.0)).east;
        const double off = std::max(std::fabs(atNorth - degree.east), std::fabs(atSouth - degree.east)) / degree.east;
        if (off > 0.01)
            result.warnings.push_back(fmt::format("geographic raster drawn as a plane: pixels are {:.1f} m wide at its "
                                                  "centre, but {:.1f} m in the north and {:.1f} m in the south",
                                                  result.width, placement.stepEast * atNorth,
                                                  placement.stepEast * atSouth));
    }
    const auto plausible = [](double size) { return size >= 1e-3 && size <= 1e6; };
    if (!plausible(result.width) || !plausible(result.height))
        return inputError(
            name, fmt::format("pixel size of {:g} x {:g} m, expected 0.001 to 1000000", result.width, result.height));
    return result;
}

Result<Georeference> georeference(const std::string& name, const GeoTags& tags, int width, int height)
{
    const GeoKeys keys(tags);
    Georeference result;
    result.heightUnit = verticalUnit(keys, result);
    const std::optional<Affine> map = affineOf(tags);
    if (!map)
    {
        result.warnings.push_back(fmt::format("no pixel size in the file: {:g} m a pixel assumed", kUnknownPixel));
        return result;
    }
    const bool positioned = tags.tiePoints.size() >= 6 || !tags.transformation.empty();
    Placement placement = placementOf(*map, keys.code(kRasterType) == 2, width, height, result);
    placement.geographic = isGeographic(keys, placement, result);
    if (placement.geographic)
    {
        const double unit = degreesUnit(keys, result);
        placement.x *= unit, placement.y *= unit, placement.stepEast *= unit, placement.stepSouth *= unit;
        if (!positioned) result.warnings.push_back("no position in the file: the pixel size is that on the equator");
    }
    const double unit = placement.geographic ? 1.0 : linearUnit(keys, result);
    const Result<PixelMetres> pixel = pixelMetres(name, placement, height, unit);
    if (!pixel) return pixel.error();
    result.pixelWidth = pixel->width;
    result.pixelHeight = pixel->height;
    result.warnings.insert(result.warnings.end(), pixel->warnings.begin(), pixel->warnings.end());
    if (!std::isfinite(placement.x) || !std::isfinite(placement.y)) return inputError(name, "tie point is not finite");
    const bool unnamed = tags.directory.empty();
    result.crs = unnamed && !placement.geographic ? std::string() : crsName(keys, placement.geographic);
    if (positioned) result.placement = placement;
    return result;
}

}  // namespace orogen
