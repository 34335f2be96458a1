#include "core/terrain/raster/georeference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {

bool looksGeographic(const Placement& placement)
{
    return placement.stepEast < 0.5 && placement.stepSouth < 0.5 && std::fabs(placement.x) <= 360 &&
           std::fabs(placement.y) <= 90;
}

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
        return printable(value.c_str());
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

std::optional<AffineMap> mapOf(const GeoTags& tags)
{
    AffineMap map{};
    if (tags.transformation.size() >= 8)
    {
        const std::vector<double>& t = tags.transformation;
        return AffineMap{t[0], t[1], t[3], t[4], t[5], t[7]};
    }
    if (tags.pixelScale.size() < 2) return std::nullopt;
    map.a = tags.pixelScale[0];
    map.e = -tags.pixelScale[1];
    if (tags.tiePoints.size() >= 6)
    {
        map.c = tags.tiePoints[3] - map.a * tags.tiePoints[0];
        map.f = tags.tiePoints[4] - map.e * tags.tiePoints[1];
    }
    return map;
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

namespace {

// One size for the whole raster is an approximation; from 1 % on it is worth a word.
void warnAboutWidths(const Placement& placement, double south, double centreEast, Raster& raster)
{
    const double atNorth = metresPerDegree(std::min(placement.y, 90.0)).east;
    const double atSouth = metresPerDegree(std::max(south, -90.0)).east;
    if (std::max(std::fabs(atNorth - centreEast), std::fabs(atSouth - centreEast)) < 0.01 * centreEast) return;
    raster.warnings.push_back(
        fmt::format("geographic raster drawn as a plane: pixels are {:.1f} m wide at its centre, but "
                    "{:.1f} m in the north and {:.1f} m in the south",
                    placement.stepEast * centreEast, placement.stepEast * atNorth, placement.stepEast * atSouth));
}

Status setFromDegrees(const Placement& placement, Raster& raster)
{
    const double south = placement.y - placement.stepSouth * (raster.height - 1);
    const double latitude = placement.positioned ? (placement.y + south) / 2 : 0.0;
    if (!(std::fabs(latitude) < 89.9))
        return inputError(raster.name, fmt::format("latitude of the centre is {:g}, expected -89.9 to 89.9", latitude));
    const MetresPerDegree degree = metresPerDegree(latitude);
    raster.pixelWidth = placement.stepEast * degree.east;
    raster.pixelHeight = placement.stepSouth * degree.north;
    if (placement.positioned)
        warnAboutWidths(placement, south, degree.east, raster);
    else
        raster.warnings.push_back("degrees without a position: the pixel size is that on the equator");
    return Status::ok();
}

}  // namespace

Status setPixelSize(Raster& raster)
{
    if (!raster.projection) raster.projection = MapProjection::ofCrs(raster.crs);
    if (!raster.placement)
    {
        raster.pixelWidth = raster.pixelHeight = kUnknownPixel;
        raster.warnings.push_back(fmt::format("no pixel size: {:g} m assumed", kUnknownPixel));
        return Status::ok();
    }
    const Placement& placement = *raster.placement;
    raster.pixelWidth = placement.stepEast * placement.unit;
    raster.pixelHeight = placement.stepSouth * placement.unit;
    if (placement.geographic)
        if (Status status = setFromDegrees(placement, raster); !status) return status;
    const auto plausible = [](double size) { return size >= 1e-3 && size <= 1e6; };
    if (plausible(raster.pixelWidth) && plausible(raster.pixelHeight)) return Status::ok();
    return inputError(raster.name, fmt::format("pixel size of {:g} x {:g} m, expected 0.001 to 1000000",
                                               raster.pixelWidth, raster.pixelHeight));
}

void placeByMap(const AffineMap& map, int width, int height, Georeference& result)
{
    Placement placement;
    placement.stepEast = std::hypot(map.a, map.d);
    placement.stepSouth = std::hypot(map.b, map.e);
    result.eastLeft = map.a < 0;
    result.southUp = map.e > 0;
    if (map.b != 0 || map.d != 0)
        result.warnings.push_back("the raster is rotated or sheared against its coordinate system: its rows are taken "
                                  "as east, its columns as south");
    const auto direction = [](double x, double y, double length) {
        return length > 0 ? MapPoint{x / length, y / length} : MapPoint{};
    };
    const double east = result.eastLeft ? -1.0 : 1.0, south = result.southUp ? -1.0 : 1.0;
    placement.eastward = direction(east * map.a, east * map.d, placement.stepEast);
    placement.southward = direction(south * map.b, south * map.e, placement.stepSouth);
    const double column = (result.eastLeft ? width - 1 : 0) + 0.5;
    const double row = (result.southUp ? height - 1 : 0) + 0.5;
    placement.x = map.a * column + map.b * row + map.c;
    placement.y = map.d * column + map.e * row + map.f;
    result.placement = placement;
}

void unmirror(Raster& raster, const Georeference& from)
{
    const auto rowAt = [&](int y) { return raster.heights.begin() + std::ptrdiff_t(y) * raster.width; };
    if (from.southUp)
        for (int y = 0; y < raster.height / 2; ++y)
            std::swap_ranges(rowAt(y), rowAt(y + 1), rowAt(raster.height - 1 - y));
    if (from.eastLeft)
        for (int y = 0; y < raster.height; ++y)
            std::reverse(rowAt(y), rowAt(y + 1));
}

Result<Georeference> georeference(const std::string& name, const GeoTags& tags, int width, int height)
{
    const GeoKeys keys(tags);
    Georeference result;
    result.heightUnit = verticalUnit(keys, result);
    std::optional<AffineMap> map = mapOf(tags);
    if (!map) return result;
    if (keys.code(kRasterType) == 2)  // the map is that of the pixels' middles
        map->c -= (map->a + map->b) / 2, map->f -= (map->d + map->e) / 2;
    placeByMap(*map, width, height, result);
    Placement& placement = *result.placement;
    placement.positioned = tags.tiePoints.size() >= 6 || !tags.transformation.empty();
    placement.geographic = isGeographic(keys, placement, result);
    if (placement.geographic)
    {
        const double degrees = degreesUnit(keys, result);
        for (double* value : {&placement.x, &placement.y, &placement.stepEast, &placement.stepSouth})
            *value *= degrees;
    }
    else
        placement.unit = linearUnit(keys, result);
    if (!std::isfinite(placement.x) || !std::isfinite(placement.y))
        return inputError(name, "tags 33922 and 34264: a position that is not finite");
    if (!tags.directory.empty() || placement.geographic) result.crs = crsName(keys, placement.geographic);
    return result;
}

}  // namespace orogen
