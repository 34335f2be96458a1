#include "core/terrain/raster/projection.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/text.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
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
    // A metre of this map is 1 / R radians of longitude, and cos(latitude) / R of latitude.
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
