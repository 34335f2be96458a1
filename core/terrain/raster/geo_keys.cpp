#include "core/terrain/raster/geo_keys.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/base/terminal_text.h"

namespace orogen {
namespace {

constexpr std::uint16_t kUserDefined = 32767;
constexpr std::uint16_t kDoubleParams = 34736, kAsciiParams = 34737;

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

}  // namespace

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

std::string crsName(const GeoKeys& keys, bool geographic)
{
    const std::optional<std::uint16_t> code = keys.code(geographic ? kGeographicCrs : kProjectedCrs);
    if (code && *code >= 1024 && *code != kUserDefined) return fmt::format("EPSG:{}", *code);
    for (const GeoKey key : {geographic ? kGeographicCitation : kProjectedCitation, kCitation})
        if (const std::string text = keys.text(key); !text.empty())
        {
            const std::string epsg = geographic ? std::string() : epsgOfCitation(text);
            return epsg.empty() ? text : epsg;
        }
    return geographic ? "geographic" : "projected";
}

std::optional<double> angularUnit(const GeoKeys& keys)
{
    constexpr double kRadian = 180.0 / std::numbers::pi, kGrad = 0.9;
    switch (keys.code(kAngularUnits).value_or(9102))
    {
    case 9101:
        return kRadian;
    case 9102:
    case 9122:  // supplier's choice: decimal in files
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

}  // namespace orogen
