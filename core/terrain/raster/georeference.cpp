#include "core/terrain/raster/georeference.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Many writers name a UTM zone only in text: "WGS_84_UTM_zone_11N", "NAD83 / UTM zone 11N".
std::string epsgOfCitation(const std::string& citation)
{
    std::string words;
    for (const char c : citation)
        if (std::isalnum(static_cast<unsigned char>(c))) words += char(std::tolower(static_cast<unsigned char>(c)));
    const std::size_t at = words.find("utmzone");
    if (at == std::string::npos) return {};
    int zone = 0;
    std::size_t i = at + 7;
    for (; i < words.size() && i < at + 9 && std::isdigit(static_cast<unsigned char>(words[i])); ++i)
        zone = zone * 10 + (words[i] - '0');
    if (zone < 1 || zone > 60 || i >= words.size() || (words[i] != 'n' && words[i] != 's')) return {};
    const bool south = words[i] == 's';
    const auto says = [&words](const char* datum) { return words.find(datum) != std::string::npos; };
    if (says("wgs84") || says("wgs1984")) return fmt::format("EPSG:{}", (south ? 32700 : 32600) + zone);
    const bool plain83 =
        (says("nad83") || says("nad1983")) && !says("csrs") && !says("harn") && !says("2011") && !says("nsrs");
    if (plain83 && !south && zone <= 23) return fmt::format("EPSG:{}", 26900 + zone);
    if ((says("etrs89") || says("etrs1989")) && !south && zone >= 28 && zone <= 37)
        return fmt::format("EPSG:{}", 25800 + zone);
    return {};
}

bool looksGeographic(const Placement& placement)
{
    return placement.stepEast < 0.5 && placement.stepSouth < 0.5 && std::fabs(placement.x) <= 360 &&
           std::fabs(placement.y) <= 90;
}

namespace {

constexpr std::uint16_t kUserDefined = 32767;
constexpr std::uint16_t kDoubleParams = 34736, kAsciiParams = 34737;

class GeoKeys
{
public:
    explicit GeoKeys(const GeoTags& tags) : tags_(tags) {}

    std::optional<std::uint16_t> code(GeoKey key) const;
    std::optional<double> number(GeoKey key) const;  // finite
    std::string text(GeoKey key) const;              // printable; empty if absent

private:
    // Returns a pointer to {key, location, count, value} in the directory; null if the key is absent.
    const std::uint16_t* find(GeoKey key) const;

    const GeoTags& tags_;
};

const std::uint16_t* GeoKeys::find(GeoKey key) const
{
    const std::vector<std::uint16_t>& d = tags_.directory;
    for (std::size_t i = 4; i + 4 <= d.size() && i / 4 <= d[3]; i += 4)
        if (d[i] == key) return &d[i];
    return nullptr;
}

std::optional<std::uint16_t> GeoKeys::code(GeoKey key) const
{
    const std::uint16_t* entry = find(key);
    if (!entry || entry[1] != 0) return std::nullopt;
    return entry[3];
}

std::optional<double> GeoKeys::number(GeoKey key) const
{
    const std::uint16_t* entry = find(key);
    if (!entry || entry[1] != kDoubleParams || entry[3] >= tags_.doubles.size()) return std::nullopt;
    const double value = tags_.doubles[entry[3]];
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string GeoKeys::text(GeoKey key) const
{
    const std::uint16_t* entry = find(key);
    if (!entry || entry[1] != kAsciiParams || entry[3] >= tags_.ascii.size()) return {};
    std::string value = tags_.ascii.substr(entry[3], entry[2]);
    value.erase(std::min(value.find('|'), value.size()));
    return printable(value.c_str());
}

std::optional<Ellipsoid> spelledEllipsoid(const GeoKeys& keys)
{
    const std::optional<double> major = keys.number(kMajorAxis), minor = keys.number(kMinorAxis);
    const std::optional<double> flattening = keys.number(kInverseFlattening);
    if (major && *major > 6e6 && *major < 7e6)
    {
        if (flattening && (*flattening == 0 || *flattening > 100)) return Ellipsoid{*major, *flattening};
        if (minor && *minor > 0.98 * *major && *minor <= *major)
            return Ellipsoid{*major, *minor == *major ? 0.0 : *major / (*major - *minor)};
    }
    if (const std::optional<std::uint16_t> code = keys.code(kEllipsoidKey); code && *code != kUserDefined)
        return ellipsoidOfEpsg(*code);
    if (const std::optional<std::uint16_t> code = keys.code(kGeographicCrs); code && *code != kUserDefined)
        return ellipsoidOfGeographic(*code);
    return std::nullopt;
}

// Returns the name of a projection's method; empty: another one, or none.
std::string_view methodName(const GeoKeys& keys)
{
    const int zone = keys.code(kProjectionCode).value_or(0) / 100;
    if (zone == 160 || zone == 161) return "UTM";
    switch (keys.code(kMethod).value_or(0))
    {
    case 1:
        return "Transverse Mercator";
    case 3:
    case 9815:
        return "Oblique Mercator";
    case 7:
        return "Mercator";
    case 8:
    case 9:
        return "Lambert Conformal Conic";
    case 10:
        return "Lambert Azimuthal Equal Area";
    case 11:
        return "Albers Equal Area";
    case 15:
        return "Polar Stereographic";
    case 16:
        return "Oblique Stereographic";
    }
    return {};
}

// Returns "EPSG:32611", the text of a citation, "unnamed (Albers Equal Area)", or "geographic" or "projected".
std::string crsName(const GeoKeys& keys, bool geographic)
{
    const std::optional<std::uint16_t> code = keys.code(geographic ? kGeographicCrs : kProjectedCrs);
    if (code && *code >= 1024 && *code != kUserDefined) return fmt::format("EPSG:{}", *code);
    for (const GeoKey key : {geographic ? kGeographicCitation : kProjectedCitation, kCitation})
        if (const std::string text = keys.text(key); !text.empty() && text != "unknown")  // as PROJ calls unnamed ones
        {
            const std::string epsg = geographic ? std::string() : epsgOfCitation(text);
            return epsg.empty() ? text : epsg;
        }
    if (geographic) return "geographic";
    const std::string_view method = methodName(keys);
    return method.empty() ? "projected" : fmt::format("unnamed ({})", method);
}

// Returns the angular unit (degrees); empty if the keys name an unknown one.
std::optional<double> angularUnit(const GeoKeys& keys)
{
    constexpr double kRadian = 180.0 / std::numbers::pi, kGrad = 0.9;
    switch (keys.code(kAngularUnits).value_or(9102))
    {
    case 9101:
        return kRadian;
    case 9102:
    case 9122:  // EPSG: the format is the supplier's choice, in practice decimal degrees
        return 1.0;
    case 9103:
        return 1.0 / 60;
    case 9104:
        return 1.0 / 3600;
    case 9105:
    case 9106:
        return kGrad;
    case 9109:
        return 1e-6 * kRadian;
    case 9112:
        return kGrad / 100;
    case 9113:
        return kGrad / 10'000;
    case 9114:  // mil: 6400 in a circle
        return 360.0 / 6400;
    case kUserDefined:
        if (const std::optional<double> size = keys.number(kAngularUnitSize); size && *size > 0 && *size <= 1)
            return *size * kRadian;
    }
    return std::nullopt;
}

// Returns the transverse Mercator projection given by its parameters instead of a code. `linearUnit`: metres per unit
// of its lengths. Empty if it is another projection, or parameters are missing.
std::optional<MapProjection> spelledProjection(const GeoKeys& keys, double linearUnit)
{
    const std::optional<Ellipsoid> ellipsoid = spelledEllipsoid(keys);
    if (!ellipsoid) return std::nullopt;
    TransverseMercator map{.ellipsoid = *ellipsoid};
    const int code = keys.code(kProjectionCode).value_or(0), zone = code % 100;
    if ((code / 100 == 160 || code / 100 == 161) && zone >= 1 && zone <= 60)
    {
        map.longitude = 6.0 * zone - 183.0;
        map.scale = 0.9996;
        map.falseEast = 500'000.0;
        map.falseNorth = code / 100 == 161 ? 10'000'000.0 : 0.0;
        return MapProjection::transverseMercator(map);
    }
    const std::optional<double> longitude = keys.number(kOriginLongitude);
    const double degrees = angularUnit(keys).value_or(1.0);
    if (keys.code(kMethod) != 1 || !longitude || std::fabs(*longitude * degrees) > 360) return std::nullopt;
    map.longitude = *longitude * degrees;
    map.latitude = keys.number(kOriginLatitude).value_or(0.0) * degrees;
    map.scale = keys.number(kScaleAtOrigin).value_or(1.0);
    map.falseEast = keys.number(kFalseEasting).value_or(0.0) * linearUnit;
    map.falseNorth = keys.number(kFalseNorthing).value_or(0.0) * linearUnit;
    const bool plausible = std::fabs(map.latitude) <= 90 && map.scale > 0.9 && map.scale < 1.1;
    return plausible ? std::optional(MapProjection::transverseMercator(map)) : std::nullopt;
}

// Returns the unit of the vertical keys. Warns of a unit that is not known, and of depths.
std::optional<HeightUnit> verticalUnit(const GeoKeys& keys, std::vector<std::string>& warnings)
{
    const int crs = keys.code(kVerticalCrs).value_or(0);
    if (countsDownwards(crs))
        warnings.push_back(fmt::format("EPSG:{} counts depths downwards: they are read as heights", crs));
    if (const std::optional<std::uint16_t> code = keys.code(kVerticalUnits); code && *code != kUserDefined)
    {
        const std::optional<HeightUnit> unit = heightUnitOfEpsg(*code);
        if (!unit)
            warnings.push_back(fmt::format("vertical unit {} is not known: read as metres (--unit sets it)", *code));
        return unit;
    }
    return heightUnitOfVerticalCrs(crs);
}

// Returns whether tag 34264 has its first two rows. A shorter one is ignored.
bool hasTransformation(const GeoTags& tags) { return tags.transformation.size() >= 8; }

std::optional<AffineMap> mapOf(const GeoTags& tags)
{
    AffineMap map{};
    if (hasTransformation(tags))
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
    if (const std::optional<HeightUnit> unit = heightUnitOfEpsg(*code)) return metresOf(*unit);
    const std::optional<double> size = keys.number(kLinearUnitSize);
    if (*code == 32767 && size && *size > 0) return *size;  // user-defined
    result.warnings.push_back(fmt::format("linear unit {} is not known: read as metres", *code));
    return 1.0;
}

double degreesUnit(const GeoKeys& keys, Georeference& result)
{
    const std::optional<double> unit = angularUnit(keys);
    if (!unit)
        result.warnings.push_back(
            fmt::format("angular unit {} is not known: read as degrees", keys.code(kAngularUnits).value_or(0)));
    return unit.value_or(1.0);
}

bool isGeographic(const GeoKeys& keys, Placement& placement)
{
    const std::optional<std::uint16_t> model = keys.code(kModelType);
    placement.guessed = model != 1 && model != 2;
    return placement.guessed ? looksGeographic(placement) : model == 2;
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

// Warns if a single pixel size for the whole raster is wrong by 1 % or more at its northern or southern edge. `width`
// gives a pixel's width (metres) at a latitude.
void warnAboutWidths(const char* what, double north, double south, double centre, Raster& raster,
                     const std::function<double(double)>& width)
{
    const double atNorth = width(std::min(north, 90.0)), atSouth = width(std::max(south, -90.0));
    if (std::max(std::fabs(atNorth - centre), std::fabs(atSouth - centre)) < 0.01 * centre) return;
    raster.warnings.push_back(fmt::format("{} raster drawn as a plane: pixels are {:.1f} m wide at its centre, but "
                                          "{:.1f} m in the north and {:.1f} m in the south",
                                          what, centre, atNorth, atSouth));
}

// Returns whether degrees are impossible: the position is off the globe, or the raster is larger than the globe.
bool cannotBeDegrees(const Raster& raster, const Placement& placement)
{
    return std::fabs(placement.x) > 360 || std::fabs(placement.y) > 90 ||
           placement.stepEast * (raster.width - 1) > 360 || placement.stepSouth * (raster.height - 1) > 180;
}

Status setFromDegrees(const Placement& placement, Raster& raster)
{
    const double south = placement.y - placement.stepSouth * (raster.height - 1);
    const double middle =
        placement.upright()
            ? (placement.y + south) / 2
            : placement.y + ((raster.width - 1) * placement.column().y + (raster.height - 1) * placement.row().y) / 2;
    const double latitude = placement.positioned ? middle : 0.0;
    if (!(std::fabs(latitude) < 89.9))
        return inputError(raster.name, fmt::format("latitude of the centre is {:g}, expected -89.9 to 89.9", latitude));
    const MetresPerDegree degree = metresPerDegree(latitude);
    raster.pixelWidth = placement.stepEast * degree.east;
    raster.pixelHeight = placement.stepSouth * degree.north;
    if (placement.positioned)
        warnAboutWidths("geographic", placement.y, south, raster.pixelWidth, raster,
                        [&](double at) { return placement.stepEast * metresPerDegree(at).east; });
    else
        raster.warnings.push_back("degrees without a position: the pixel size is that on the equator");
    return Status::ok();
}

// Scales the pixel size: a metre of Web Mercator is a metre on the ground only on the equator.
Status setFromWebMercator(const Placement& placement, Raster& raster)
{
    if (!placement.positioned)
    {
        raster.warnings.push_back("Web Mercator without a position: the pixel size is that on the equator");
        return Status::ok();
    }
    const auto latitudeAt = [&](double row) {
        const std::optional<LatLong> place =
            raster.projection->inverse({0.0, placement.unit * (placement.y - row * placement.stepSouth)});
        return place ? place->latitude : std::numeric_limits<double>::quiet_NaN();
    };
    const double latitude = latitudeAt((raster.height - 1) / 2.0);
    if (!(std::fabs(latitude) < 89.9)) return inputError(raster.name, "Web Mercator: the centre lies beyond a pole");
    const GroundScale scale = raster.projection->groundScale({latitude, 0.0});
    const double onTheMap = raster.pixelWidth;
    raster.pixelWidth *= scale.east;
    raster.pixelHeight *= scale.north;
    raster.warnings.push_back(fmt::format("Web Mercator: pixels of {:.6g} m on the map are {:.6g} x {:.6g} m on the "
                                          "ground at the centre's latitude, {:.4f} degrees",
                                          onTheMap, raster.pixelWidth, raster.pixelHeight, latitude));
    const double north = latitudeAt(0), south = latitudeAt(raster.height - 1);
    if (std::isfinite(north) && std::isfinite(south))
        warnAboutWidths("Web Mercator", north, south, raster.pixelWidth, raster, [&](double at) {
            return onTheMap * raster.projection->groundScale({at, 0.0}).east;
        });
    return Status::ok();
}

}  // namespace

Status setPixelSize(Raster& raster, bool picture)
{
    if (!raster.projection) raster.projection = MapProjection::ofCrs(raster.crs);
    if (!raster.placement)
    {
        raster.pixelWidth = raster.pixelHeight = kUnknownPixel;
        raster.warnings.push_back(fmt::format("no pixel size: {:g} m assumed (--pixel-size sets it)", kUnknownPixel));
        return Status::ok();
    }
    const Placement& placement = *raster.placement;
    if (placement.guessed && !cannotBeDegrees(raster, placement))
        raster.warnings.push_back(fmt::format("the file does not say whether its coordinates are degrees or metres: "
                                              "read as {}{}",
                                              placement.geographic ? "degrees" : "metres",
                                              picture ? "" : " (--crs sets it)"));
    raster.pixelWidth = placement.stepEast * placement.unit;
    raster.pixelHeight = placement.stepSouth * placement.unit;
    Status status;
    if (placement.geographic)
        status = setFromDegrees(placement, raster);
    else if (raster.projection && raster.projection->isWebMercator())
        status = setFromWebMercator(placement, raster);
    if (!status) return status;
    const auto plausible = [](double size) { return size >= 1e-3 && size <= 1e6; };
    if (plausible(raster.pixelWidth) && plausible(raster.pixelHeight)) return Status::ok();
    return inputError(raster.name, fmt::format("pixel size of {:g} x {:g} m, expected 0.001 to 1000000",
                                               raster.pixelWidth, raster.pixelHeight));
}

std::optional<MapExtent> mapExtent(const Raster& raster)
{
    if (!raster.placement || !raster.placement->positioned) return std::nullopt;
    const Placement& placement = *raster.placement;
    const MapPoint column = placement.column(), row = placement.row();
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    MapExtent extent{kInfinite, kInfinite, -kInfinite, -kInfinite};
    for (const double i : {-0.5, raster.width - 0.5})
        for (const double j : {-0.5, raster.height - 0.5})
        {
            const double x = placement.x + i * column.x + j * row.x, y = placement.y + i * column.y + j * row.y;
            extent = {std::min(extent.west, x), std::min(extent.south, y), std::max(extent.east, x),
                      std::max(extent.north, y)};
        }
    return extent;
}

void placeByMap(const AffineMap& map, int width, int height, Georeference& result)
{
    Placement placement;
    placement.stepEast = std::hypot(map.a, map.d);
    placement.stepSouth = std::hypot(map.b, map.e);
    result.eastLeft = map.a < 0;
    result.southUp = map.e > 0;
    if (map.b != 0 || map.d != 0) result.warnings.emplace_back(kRowsTakenAsEast);
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
    result.heightUnit = verticalUnit(keys, result.warnings);
    result.aboveEllipsoid = aboveEllipsoid(keys.code(kVerticalCrs).value_or(0), keys.code(kGeographicCrs).value_or(0));
    std::optional<AffineMap> map = mapOf(tags);
    if (!map && tags.tiePoints.size() >= 12)
        result.warnings.push_back(
            fmt::format("{} ground control points (tag 33922) are not used, expected a pixel size "
                        "(tag 33550): gdalwarp makes a placed raster of them",
                        tags.tiePoints.size() / 6));
    if (!map) return result;
    if (keys.code(kRasterType) == 2)  // the map refers to pixel centres
        map->c -= (map->a + map->b) / 2, map->f -= (map->d + map->e) / 2;
    placeByMap(*map, width, height, result);
    Placement& placement = *result.placement;
    placement.positioned = tags.tiePoints.size() >= 6 || hasTransformation(tags);
    placement.geographic = isGeographic(keys, placement);
    if (placement.geographic)
    {
        const double degrees = degreesUnit(keys, result);
        for (double* value : {&placement.x, &placement.y, &placement.stepEast, &placement.stepSouth})
            *value *= degrees;
    }
    else
    {
        placement.unit = linearUnit(keys, result);
        result.projection = spelledProjection(keys, placement.unit);
    }
    if (!std::isfinite(placement.x) || !std::isfinite(placement.y))
        return inputError(name, "tags 33922 and 34264: a position that is not finite");
    if (!tags.directory.empty() || placement.geographic) result.crs = crsName(keys, placement.geographic);
    return result;
}

}  // namespace orogen
