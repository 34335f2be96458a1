#include "core/terrain/raster/projection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "core/base/text.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

constexpr Ellipsoid kAiry{6'377'563.396, 299.3249646}, kAiryModified{6'377'340.189, 299.3249646};
constexpr Ellipsoid kAustralian{6'378'160.0, 298.25}, kBessel{6'377'397.155, 299.1528128};
constexpr Ellipsoid kCgcs{6'378'137.0, 298.257222101}, kClarke1866{6'378'206.4, 294.978698213898};
constexpr Ellipsoid kGrs67{6'378'160.0, 298.25}, kIag75{6'378'140.0, 298.257};
constexpr Ellipsoid kInternational{6'378'388.0, 297.0}, kKrassowsky{6'378'245.0, 298.3};
constexpr Ellipsoid kWgs72{6'378'135.0, 298.26};

// Consecutive EPSG codes of adjacent transverse Mercator zones.
struct Zones
{
    int first, last;  // codes
    Ellipsoid ellipsoid;
    double longitude, longitudeStep;  // first code's central meridian, and the step to the next (degrees)
    double scale;
    double falseEast, falseEastStep, falseNorth;  // metres
    double latitude = 0;                          // latitude of the origin (degrees)
};

constexpr double kUtm = 0.9996, kEast = 500'000.0, kSouth = 10'000'000.0, kMillion = 1'000'000.0;

constexpr Zones utm(int first, int last, Ellipsoid ellipsoid, int zone, bool south = false)
{
    return {first, last, ellipsoid, 6.0 * zone - 183.0, 6.0, kUtm, kEast, 0, south ? kSouth : 0.0};
}

// Returns Gauss-Krueger strips, whose number precedes the easting.
constexpr Zones strips(int first, int last, Ellipsoid ellipsoid, double longitude, double step, int number)
{
    return {first, last, ellipsoid, longitude, step, 1.0, number * kMillion + kEast, kMillion, 0};
}

constexpr Zones grid(int code, Ellipsoid ellipsoid, double latitude, double longitude, double scale, double east,
                     double north)
{
    return {code, code, ellipsoid, longitude, 0, scale, east, 0, north, latitude};
}

constexpr auto kZones = std::to_array<Zones>({
    // UTM
    utm(32601, 32660, kWgs84, 1),
    utm(32701, 32760, kWgs84, 1, true),
    utm(32201, 32260, kWgs72, 1),
    utm(32301, 32360, kWgs72, 1, true),
    utm(26901, 26923, kGrs80, 1),
    utm(26701, 26722, kClarke1866, 1),
    utm(25828, 25837, kGrs80, 28),
    utm(3040, 3049, kGrs80, 28),
    utm(23028, 23038, kInternational, 28),
    utm(6330, 6348, kGrs80, 1),
    utm(3708, 3726, kGrs80, 1),
    utm(3740, 3749, kGrs80, 10),
    utm(2955, 2955, kGrs80, 11),
    utm(2956, 2956, kGrs80, 12),
    utm(2957, 2957, kGrs80, 13),
    utm(2958, 2962, kGrs80, 17),
    utm(3154, 3157, kGrs80, 7),
    utm(22207, 22222, kGrs80, 7),
    utm(22307, 22322, kGrs80, 7),
    utm(22407, 22422, kGrs80, 7),
    utm(22607, 22622, kGrs80, 7),
    utm(22707, 22722, kGrs80, 7),
    utm(31965, 31976, kGrs80, 11),
    utm(31977, 31985, kGrs80, 17, true),
    utm(29168, 29172, kGrs67, 18),
    utm(29187, 29195, kGrs67, 17, true),
    utm(28348, 28358, kGrs80, 48, true),
    utm(7846, 7859, kGrs80, 46, true),
    utm(20249, 20258, kAustralian, 49, true),
    utm(20349, 20356, kAustralian, 49, true),
    utm(3178, 3189, kGrs80, 18),
    utm(3097, 3101, kGrs80, 51),
    utm(6688, 6692, kGrs80, 51),
    utm(6366, 6371, kGrs80, 11),
    utm(4484, 4489, kGrs80, 11),
    // Gauss-Krueger
    strips(31466, 31469, kBessel, 6, 3, 2),
    strips(5676, 5679, kBessel, 6, 3, 2),
    strips(28404, 28430, kKrassowsky, 21, 6, 4),
    strips(20004, 20030, kKrassowsky, 21, 6, 4),
    strips(21413, 21423, kKrassowsky, 75, 6, 13),
    strips(2327, 2337, kIag75, 75, 6, 13),
    strips(2349, 2369, kIag75, 75, 3, 25),
    strips(4491, 4501, kCgcs, 75, 6, 13),
    strips(4513, 4533, kCgcs, 75, 3, 25),
    {4502, 4512, kCgcs, 75, 6, 1.0, kEast, 0, 0},
    {4534, 4554, kCgcs, 75, 3, 1.0, kEast, 0, 0},
    {2338, 2348, kIag75, 75, 6, 1.0, kEast, 0, 0},
    {2370, 2390, kIag75, 75, 3, 1.0, kEast, 0, 0},
    {5343, 5349, kWgs84, -72, 3, 1.0, 1.5 * kMillion, kMillion, 0, -90.0},
    {5253, 5259, kGrs80, 27, 3, 1.0, kEast, 0, 0},
    {3126, 3138, kGrs80, 19, 1, 1.0, kEast, 0, 0},
    {3873, 3885, kGrs80, 19, 1, 1.0, 19 * kMillion + kEast, kMillion, 0},
    {5105, 5130, kGrs80, 5.5, 1, 1.0, 100'000.0, 0, kMillion, 58.0},
    {2176, 2179, kGrs80, 15, 3, 0.999923, 5 * kMillion + kEast, kMillion, 0},
    {5185, 5188, kGrs80, 125, 2, 1.0, 200'000.0, 0, 600'000.0, 38.0},
    {3007, 3011, kGrs80, 12, 1.5, 1.0, 150'000.0, 0, 0},
    {31257, 31259, kBessel, 10 + 1 / 3.0, 3, 1.0, 150'000.0, 300'000.0, -5 * kMillion},
    {31254, 31256, kBessel, 10 + 1 / 3.0, 3, 1.0, 0, 0, -5 * kMillion},
    // One country each
    grid(27700, kAiry, 49, -2, 0.9996012717, 400'000, -100'000),                                // Great Britain
    grid(2157, kGrs80, 53.5, -8, 0.99982, 600'000, 750'000),                                    // Ireland
    grid(29902, kAiryModified, 53.5, -8, 1.000035, 200'000, 250'000),                           // Ireland, TM65
    grid(29903, kAiryModified, 53.5, -8, 1.000035, 200'000, 250'000),                           // Ireland, TM75
    grid(2193, kGrs80, 0, 173, 0.9996, 1'600'000, 10'000'000),                                  // New Zealand
    grid(3006, kGrs80, 0, 15, 0.9996, 500'000, 0),                                              // Sweden
    grid(3067, kGrs80, 0, 27, 0.9996, 500'000, 0),                                              // Finland
    grid(2180, kGrs80, 0, 19, 0.9993, 500'000, -5'300'000),                                     // Poland
    grid(3346, kGrs80, 0, 24, 0.9998, 500'000, 0),                                              // Lithuania
    grid(3059, kGrs80, 0, 24, 0.9996, 500'000, -6'000'000),                                     // Latvia
    grid(3794, kGrs80, 0, 15, 0.9999, 500'000, -5'000'000),                                     // Slovenia
    grid(3765, kGrs80, 0, 16.5, 0.9999, 500'000, 0),                                            // Croatia
    grid(3763, kGrs80, 39 + 40 / 60.0 + 5.73 / 3600, -8 - 7 / 60.0 - 59.19 / 3600, 1.0, 0, 0),  // Portugal
    grid(2169, kInternational, 49 + 50 / 60.0, 6 + 10 / 60.0, 1.0, 80'000, 100'000),            // Luxembourg
    grid(2326, kInternational, 22 + 18 / 60.0 + 43.68 / 3600, 114 + 10 / 60.0 + 42.8 / 3600, 1.0, 836'694.05,
         819'069.8),                                                                  // Hong Kong
    grid(3414, kWgs84, 1 + 22 / 60.0, 103 + 50 / 60.0, 1.0, 28'001.642, 38'744.572),  // Singapore
    grid(3826, kGrs80, 0, 121, 0.9999, 250'000, 0),                                   // Taiwan
    grid(5179, kGrs80, 38, 127.5, 0.9996, 1'000'000, 2'000'000),                      // Korea
    grid(2039, kGrs80, 31 + 44 / 60.0 + 3.817 / 3600, 35 + 12 / 60.0 + 16.261 / 3600, 1.0000067, 219'529.584,
         626'907.39),  // Israel
});

constexpr auto kGeographic = std::to_array<int>(
    {4121, 4141, 4148, 4149, 4150, 4152, 4166, 4167, 4171, 4172, 4190, 4202, 4203, 4214, 4222, 4230,
     4231, 4258, 4267, 4269, 4275, 4277, 4283, 4284, 4289, 4299, 4301, 4312, 4313, 4314, 4322, 4326,
     4490, 4555, 4610, 4612, 4617, 4618, 4619, 4659, 4674, 4686, 4737, 4740, 4755, 4759, 4765, 4979,
     5252, 5340, 5381, 5451, 5527, 6318, 6319, 6668, 7683, 7844, 8449, 8818, 9000, 9057, 9755, 9777});

constexpr auto kWebMercator = std::to_array<int>({3857, 3785, 900913, 102100, 102113});

bool contains(const auto& codes, int code) { return std::ranges::find(codes, code) != codes.end(); }

struct CodedEllipsoid
{
    int code;
    Ellipsoid ellipsoid;
};
constexpr auto kEllipsoids = std::to_array<CodedEllipsoid>({{7001, kAiry},
                                                            {7002, kAiryModified},
                                                            {7003, kAustralian},
                                                            {7004, kBessel},
                                                            {7008, kClarke1866},
                                                            {7019, kGrs80},
                                                            {7022, kInternational},
                                                            {7024, kKrassowsky},
                                                            {7030, kWgs84},
                                                            {7043, kWgs72},
                                                            {7049, kIag75},
                                                            {7050, kGrs67},
                                                            {1024, kCgcs}});
constexpr auto kOfGeographic = std::to_array<CodedEllipsoid>(
    {{4326, kWgs84},         {4269, kGrs80},      {4258, kGrs80},      {4267, kClarke1866}, {4322, kWgs72},
     {4230, kInternational}, {4277, kAiry},       {4283, kGrs80},      {7844, kGrs80},      {4167, kGrs80},
     {4152, kGrs80},         {4617, kGrs80},      {4759, kGrs80},      {6318, kGrs80},      {4674, kGrs80},
     {4171, kGrs80},         {4612, kGrs80},      {6668, kGrs80},      {4314, kBessel},     {4312, kBessel},
     {4490, kCgcs},          {4284, kKrassowsky}, {4214, kKrassowsky}, {4610, kIag75},      {4202, kAustralian},
     {4203, kAustralian},    {4619, kGrs80}});

std::optional<Ellipsoid> ellipsoidIn(const auto& table, int code)
{
    const auto found = std::ranges::find(table, code, &CodedEllipsoid::code);
    return found == table.end() ? std::nullopt : std::optional(found->ellipsoid);
}

}  // namespace

std::optional<Ellipsoid> ellipsoidOfEpsg(int code) { return ellipsoidIn(kEllipsoids, code); }
std::optional<Ellipsoid> ellipsoidOfGeographic(int code) { return ellipsoidIn(kOfGeographic, code); }

std::optional<MapProjection> MapProjection::ofEpsg(int code)
{
    if (contains(kGeographic, code)) return geographic();
    if (contains(kWebMercator, code)) return webMercator();
    const auto zones =
        std::ranges::find_if(kZones, [code](const Zones& z) { return code >= z.first && code <= z.last; });
    if (zones == kZones.end()) return std::nullopt;
    const int number = code - zones->first;
    return transverseMercator({zones->ellipsoid, zones->latitude, zones->longitude + number * zones->longitudeStep,
                               zones->scale, zones->falseEast + number * zones->falseEastStep, zones->falseNorth});
}

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kFarthest = 80.0;  // degrees from a central meridian
constexpr double kWebRadius = 6'378'137.0;

double normalised(double longitude) { return longitude - 360.0 * std::floor((longitude + 180.0) / 360.0); }

bool isPlace(LatLong place) { return std::fabs(place.latitude) <= 90.0 && std::isfinite(place.longitude); }

// Returns tan of the conformal latitude from tan of the geographic one: Karney (7) to (9).
double conformal(double tau, double e)
{
    const double sigma = std::sinh(e * std::atanh(e * tau / std::hypot(1.0, tau)));
    return tau * std::hypot(1.0, sigma) - sigma * std::hypot(1.0, tau);
}

// Inverse of conformal(), by Newton's method: Karney (19) to (21).
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
    double xi, eta;  // as in Karney: northing and easting over the radius
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
    // A metre of Web Mercator is 1 / R radians of longitude, and cos(latitude) / R of latitude.
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
