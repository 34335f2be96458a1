#include "core/terrain/raster/projection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/base/text.h"
#ifdef OROGEN_HAVE_GDAL
#include "core/terrain/raster/gdal_functions.h"
#endif
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

constexpr auto kWebMercator = std::to_array<int>({3857, 3785, 900913, 102100, 102113});

struct CodedEllipsoid
{
    int code;
    Ellipsoid ellipsoid;
};
constexpr auto kEllipsoids = std::to_array<CodedEllipsoid>({{7001, {6'377'563.396, 299.3249646}},     // Airy
                                                            {7002, {6'377'340.189, 299.3249646}},     // Airy, modified
                                                            {7003, {6'378'160.0, 298.25}},            // Australian
                                                            {7004, {6'377'397.155, 299.1528128}},     // Bessel
                                                            {7008, {6'378'206.4, 294.978698213898}},  // Clarke 1866
                                                            {7019, kGrs80},
                                                            {7022, {6'378'388.0, 297.0}},  // International
                                                            {7024, {6'378'245.0, 298.3}},  // Krassowsky
                                                            {7030, kWgs84},
                                                            {7043, {6'378'135.0, 298.26}},   // WGS 72
                                                            {7049, {6'378'140.0, 298.257}},  // IAG 1975
                                                            {7050, {6'378'160.0, 298.25}},   // GRS 1967, modified
                                                            {1024, kGrs80}});                // CGCS2000

// The systems below are known without GDAL, which takes long to load.
constexpr std::optional<Ellipsoid> datumOf(int geographic)
{
    return geographic == 4326                         ? std::optional(kWgs84)
           : geographic == 4269 || geographic == 4258 ? std::optional(kGrs80)
                                                      : std::nullopt;
}

// UTM zones with consecutive codes.
struct Zones
{
    int first, last, zone;
    Ellipsoid ellipsoid;
    double falseNorth;
};
constexpr auto kZones = std::to_array<Zones>({{32601, 32660, 1, kWgs84, 0},
                                              {32701, 32760, 1, kWgs84, 10'000'000},
                                              {26901, 26923, 1, kGrs80, 0},
                                              {25828, 25837, 28, kGrs80, 0}});

#ifdef OROGEN_HAVE_GDAL

struct CrsCloser
{
    void operator()(void* crs) const { OSRDestroySpatialReference(crs); }
};
using Crs = std::unique_ptr<void, CrsCloser>;

// Returns a system of the EPSG registry, which PROJ has; null for others.
Crs systemOf(int code)
{
    if (!loadGdal()) return nullptr;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    Crs crs(OSRNewSpatialReference(nullptr));
    if (OSRImportFromEPSG(crs.get(), code) != OGRERR_NONE) crs.reset();
    CPLPopErrorHandler();
    return crs;
}

#endif  // OROGEN_HAVE_GDAL

}  // namespace

std::optional<Ellipsoid> ellipsoidOfEpsg(int code)
{
    const auto found = std::ranges::find(kEllipsoids, code, &CodedEllipsoid::code);
    return found == kEllipsoids.end() ? std::nullopt : std::optional(found->ellipsoid);
}

std::optional<Ellipsoid> ellipsoidOfGeographic(int code)
{
    if (const std::optional<Ellipsoid> known = datumOf(code)) return known;
#ifdef OROGEN_HAVE_GDAL
    if (const Crs crs = systemOf(code); crs && OSRIsGeographic(crs.get()))
        return Ellipsoid{OSRGetSemiMajor(crs.get(), nullptr), OSRGetInvFlattening(crs.get(), nullptr)};
#endif
    return std::nullopt;
}

std::optional<MapProjection> MapProjection::ofEpsg(int code)
{
    if (std::ranges::find(kWebMercator, code) != kWebMercator.end()) return webMercator();
    if (datumOf(code)) return geographic();
    const auto zones =
        std::ranges::find_if(kZones, [code](const Zones& z) { return code >= z.first && code <= z.last; });
    if (zones != kZones.end())
    {
        const int zone = zones->zone + code - zones->first;
        return transverseMercator({zones->ellipsoid, 0, 6.0 * zone - 183.0, 0.9996, 500'000.0, zones->falseNorth});
    }
#ifdef OROGEN_HAVE_GDAL
    const Crs crs = systemOf(code);
    if (crs && (!OSRIsProjected(crs.get()) || OSRGetLinearUnits(crs.get(), nullptr) == 1.0)) return ofSystem(crs.get());
#endif
    return std::nullopt;
}

#ifdef OROGEN_HAVE_GDAL

std::optional<MapProjection> MapProjection::ofSystem(void* crs)
{
    if (!OSRIsGeographic(crs) && !OSRIsProjected(crs)) return std::nullopt;  // others would make PROJ print errors
    const double greenwich = OSRGetPrimeMeridian(crs, nullptr);
    if (OSRIsGeographic(crs))
        return greenwich == 0 && std::fabs(OSRGetAngularUnits(crs, nullptr) * 180 / std::numbers::pi - 1) < 1e-9
                   ? std::optional(geographic())
                   : std::nullopt;
    const char* const method = OSRGetAttrValue(crs, "PROJECTION", 0);
    if (greenwich != 0 || !method || std::string_view(method) != SRS_PT_TRANSVERSE_MERCATOR) return std::nullopt;
    const auto number = [crs](const char* name, double otherwise) {
        return OSRGetNormProjParm(crs, name, otherwise, nullptr);  // degrees, metres
    };
    const TransverseMercator map{
        .ellipsoid = {OSRGetSemiMajor(crs, nullptr), OSRGetInvFlattening(crs, nullptr)},
        .latitude = number(SRS_PP_LATITUDE_OF_ORIGIN, 0),
        .longitude = number(SRS_PP_CENTRAL_MERIDIAN, 0),
        .scale = number(SRS_PP_SCALE_FACTOR, 1),
        .falseEast = number(SRS_PP_FALSE_EASTING, 0),
        .falseNorth = number(SRS_PP_FALSE_NORTHING, 0),
    };
    const bool plausible = map.ellipsoid.major > 6e6 && map.ellipsoid.major < 7e6 && std::fabs(map.latitude) <= 90 &&
                           std::fabs(map.longitude) <= 360 && map.scale > 0.9 && map.scale < 1.1;
    return plausible ? std::optional(transverseMercator(map)) : std::nullopt;
}

#endif  // OROGEN_HAVE_GDAL

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kFarthest = 80.0;  // limit on the distance from a central meridian (degrees)
constexpr double kWebRadius = 6'378'137.0;

double normalised(double longitude) { return longitude - 360.0 * std::floor((longitude + 180.0) / 360.0); }

bool isPlace(LatLong place) { return std::fabs(place.latitude) <= 90.0 && std::isfinite(place.longitude); }

// Returns tan of the conformal latitude from tan of the geographic one: Karney (7) to (9).
double conformal(double tau, double e)
{
    const double sigma = std::sinh(e * std::atanh(e * tau / std::hypot(1.0, tau)));
    return tau * std::hypot(1.0, sigma) - sigma * std::hypot(1.0, tau);
}

// Inverts conformal() by Newton's method: Karney (19) to (21).
double geographicTangent(double conformalTangent, double e)
{
    const double e2 = e * e;
    double tau = conformalTangent / std::sqrt(1.0 - e2);
    for (int i = 0; i < 6; ++i)
    {
        const double guess = conformal(tau, e);
        const double step = (conformalTangent - guess) / std::hypot(1.0, guess) * (1.0 + (1.0 - e2) * tau * tau) /
                            ((1.0 - e2) * std::hypot(1.0, tau));
        tau += step;
        if (!(std::fabs(step) > 1e-15 * std::max(1.0, std::fabs(tau)))) break;
    }
    return tau;
}

double polynomial(double n, std::initializer_list<double> coefficients)
{
    double value = 0;
    for (auto c = std::rbegin(coefficients); c != std::rend(coefficients); ++c)
        value = value * n + *c;
    return value;
}

// Returns the series from the conformal sphere to the map: Karney (35).
std::array<double, 6> forwardSeries(double n)
{
    const double n2 = n * n, n3 = n2 * n;
    return {n * polynomial(n, {1 / 2., -2 / 3., 5 / 16., 41 / 180., -127 / 288., 7891 / 37800.}),
            n2 * polynomial(n, {13 / 48., -3 / 5., 557 / 1440., 281 / 630., -1983433 / 1935360.}),
            n3 * polynomial(n, {61 / 240., -103 / 140., 15061 / 26880., 167603 / 181440.}),
            n2 * n2 * polynomial(n, {49561 / 161280., -179 / 168., 6601661 / 7257600.}),
            n3 * n2 * polynomial(n, {34729 / 80640., -3418889 / 1995840.}),
            n3 * n3 * 212378941 / 319334400.};
}

// Returns the series from the map to the conformal sphere: Karney (36).
std::array<double, 6> inverseSeries(double n)
{
    const double n2 = n * n, n3 = n2 * n;
    return {n * polynomial(n, {1 / 2., -2 / 3., 37 / 96., -1 / 360., -81 / 512., 96199 / 604800.}),
            n2 * polynomial(n, {1 / 48., 1 / 15., -437 / 1440., 46 / 105., -1118711 / 3870720.}),
            n3 * polynomial(n, {17 / 480., -37 / 840., -209 / 4480., 5569 / 90720.}),
            n2 * n2 * polynomial(n, {4397 / 161280., -11 / 504., -830251 / 7257600.}),
            n3 * n2 * polynomial(n, {4583 / 161280., -108847 / 3991680.}),
            n3 * n3 * 20648693 / 638668800.};
}

struct MapAngles
{
    double xi, eta;  // as in Karney: northing and easting, divided by the radius
};

// Applies a series: `sign` 1 with the forward series, -1 with the inverse one; Karney (11) and (15).
MapAngles withSeries(MapAngles from, const std::array<double, 6>& series, double sign)
{
    MapAngles to = from;
    for (int j = 0; j < 6; ++j)
    {
        const double k = 2.0 * (j + 1), c = sign * series[std::size_t(j)];
        to.xi += c * std::sin(k * from.xi) * std::cosh(k * from.eta);
        to.eta += c * std::cos(k * from.xi) * std::sinh(k * from.eta);
    }
    return to;
}

}  // namespace

MapPoint MapProjection::forward(const KruegerSeries& series, double latitude, double longitude)
{
    const double lambda = longitude * kDegree;
    // tan(90 degrees) is large but finite in floating point; the following formulas treat it as the pole.
    const double tau = conformal(std::tan(latitude * kDegree), series.eccentricity);
    const MapAngles sphere{std::atan2(tau, std::cos(lambda)),
                           std::asinh(std::sin(lambda) / std::hypot(tau, std::cos(lambda)))};
    const MapAngles map = withSeries(sphere, series.forward, 1.0);
    return {series.falseEast + series.radius * map.eta, series.falseNorth + series.radius * map.xi};
}

MapProjection MapProjection::transverseMercator(const TransverseMercator& parameters)
{
    const double f = parameters.ellipsoid.inverseFlattening > 0 ? 1.0 / parameters.ellipsoid.inverseFlattening : 0.0;
    const double n = f / (2.0 - f), n2 = n * n;
    KruegerSeries series;
    series.eccentricity = std::sqrt(f * (2.0 - f));
    series.radius = parameters.scale * parameters.ellipsoid.major / (1.0 + n) *
                    (1.0 + n2 / 4.0 + n2 * n2 / 64.0 + n2 * n2 * n2 / 256.0);
    series.longitude = parameters.longitude;
    series.forward = forwardSeries(n);
    series.inverse = inverseSeries(n);
    const double north = forward(series, parameters.latitude, 0.0).y;
    series.falseEast = parameters.falseEast;
    series.falseNorth = parameters.falseNorth - north;
    return MapProjection(series);
}

std::optional<MapProjection> MapProjection::ofCrs(std::string_view crs)
{
    if (!crs.starts_with("EPSG:")) return std::nullopt;
    const std::optional<int> code = numberIn<int>(crs.substr(5));
    return code ? ofEpsg(*code) : std::nullopt;
}

std::optional<MapPoint> MapProjection::forward(LatLong place) const
{
    if (!isPlace(place)) return std::nullopt;
    if (isGeographic()) return MapPoint{place.longitude, place.latitude};
    if (isWebMercator())
    {
        if (!(std::fabs(place.latitude) < 89.99)) return std::nullopt;
        return MapPoint{kWebRadius * kDegree * normalised(place.longitude),
                        kWebRadius * std::asinh(std::tan(place.latitude * kDegree))};
    }
    const KruegerSeries& series = std::get<KruegerSeries>(map_);
    const double longitude = normalised(place.longitude - series.longitude);
    if (std::fabs(longitude) > kFarthest) return std::nullopt;
    return forward(series, place.latitude, longitude);
}

std::optional<LatLong> MapProjection::inverse(MapPoint point) const
{
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) return std::nullopt;
    if (isGeographic())
        return isPlace({point.y, point.x}) ? std::optional<LatLong>({point.y, normalised(point.x)}) : std::nullopt;
    if (isWebMercator())
    {
        const LatLong place{std::atan(std::sinh(point.y / kWebRadius)) / kDegree, point.x / kWebRadius / kDegree};
        if (std::fabs(place.longitude) > 360.0 || !(std::fabs(place.latitude) < 89.99)) return std::nullopt;
        return LatLong{place.latitude, normalised(place.longitude)};
    }
    const KruegerSeries& series = std::get<KruegerSeries>(map_);
    const MapAngles map{(point.y - series.falseNorth) / series.radius, (point.x - series.falseEast) / series.radius};
    if (!(std::fabs(map.xi) <= std::numbers::pi / 2 + 1e-9) || !(std::fabs(map.eta) < 2.5)) return std::nullopt;
    const MapAngles sphere = withSeries(map, series.inverse, -1.0);
    const double tau = std::sin(sphere.xi) / std::hypot(std::sinh(sphere.eta), std::cos(sphere.xi));
    const double longitude = std::atan2(std::sinh(sphere.eta), std::cos(sphere.xi)) / kDegree;
    if (!(std::fabs(longitude) <= kFarthest)) return std::nullopt;
    return LatLong{std::atan(geographicTangent(tau, series.eccentricity)) / kDegree,
                   normalised(series.longitude + longitude)};
}

GroundScale MapProjection::groundScale(LatLong place) const
{
    const MetresPerDegree degree = metresPerDegree(place.latitude);
    if (isGeographic()) return {degree.east, degree.north};
    if (!isWebMercator()) return {};
    // A metre of Web Mercator is 1 / kWebRadius radians of longitude, and cos(latitude) / kWebRadius of latitude.
    const double radian = 1.0 / (kDegree * kWebRadius);
    return {degree.east * radian, degree.north * std::cos(place.latitude * kDegree) * radian};
}

std::optional<TerrainGeography> TerrainGeography::of(const Raster& raster)
{
    if (!raster.placement || !raster.placement->positioned) return std::nullopt;
    const Placement& placement = *raster.placement;
    const std::optional<MapProjection> projection =
        placement.geographic ? MapProjection::geographic() : raster.projection;
    if (!projection || raster.pixelWidth <= 0 || raster.pixelHeight <= 0) return std::nullopt;
    const double unit = placement.geographic ? 1.0 : placement.unit;
    const MapPoint column = placement.column(), row = placement.row();
    const double columns = (raster.width - 1) / 2.0, rows = (raster.height - 1) / 2.0;
    TerrainGeography geography(*projection);
    geography.centre_ = {unit * (placement.x + columns * column.x + rows * row.x),
                         unit * (placement.y + columns * column.y + rows * row.y)};
    geography.ofEast_ = {unit * column.x / raster.pixelWidth, unit * column.y / raster.pixelWidth};
    geography.ofNorth_ = {-unit * row.x / raster.pixelHeight, -unit * row.y / raster.pixelHeight};
    return geography;
}

std::optional<LatLong> TerrainGeography::place(double east, double north) const
{
    return projection_.inverse(
        {centre_.x + east * ofEast_.x + north * ofNorth_.x, centre_.y + east * ofEast_.y + north * ofNorth_.y});
}

std::optional<TerrainGeography::Metres> TerrainGeography::metres(LatLong place) const
{
    const std::optional<MapPoint> point = projection_.forward(place);
    if (!point) return std::nullopt;
    double x = point->x - centre_.x;
    const double y = point->y - centre_.y;
    // Take the shorter way around the globe.
    const double turn = projection_.isGeographic()    ? 360.0
                        : projection_.isWebMercator() ? 360.0 * kDegree * kWebRadius
                                                      : 0.0;
    if (turn > 0) x -= turn * std::round(x / turn);
    const double determinant = ofEast_.x * ofNorth_.y - ofEast_.y * ofNorth_.x;
    if (determinant == 0) return std::nullopt;
    return Metres{(x * ofNorth_.y - y * ofNorth_.x) / determinant, (y * ofEast_.x - x * ofEast_.y) / determinant};
}

}  // namespace orogen
