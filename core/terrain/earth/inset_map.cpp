#include "core/terrain/earth/inset_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "core/base/terminal_text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
constexpr double kMostLongitude = 720.0;  // degrees: sources may count past the date line, but not twice around
constexpr double kBackAgain = 0.5;        // round-trip tolerance (samples); allows the error of a pixel beyond a pole
constexpr double kWebAround = 2.0 * std::numbers::pi * 6'378'137.0;  // circumference in Web Mercator (metres)

bool isPlace(LatLong place) { return std::isfinite(place.latitude) && std::isfinite(place.longitude); }

}  // namespace

Result<InsetMap> InsetMap::of(const Raster& raster, const SourceOverrides& overrides)
{
    InsetMap map;
    map.name_ = raster.name;
    map.columns_ = raster.width;
    map.rows_ = raster.height;
    if (!raster.placement || !raster.placement->positioned)
        return inputError(raster.name, "lies nowhere on Earth: it has no georeference; open it alone to see it on the "
                                       "plane");
    if (const Status status = map.choose(raster, overrides); !status) return status.error();
    if (const Status status = map.place(raster); !status) return status.error();
    if (const Status status = map.checkCorners(); !status) return status.error();
    map.measure();
    return map;
}

Result<InsetMap> InsetMap::another() const
{
    InsetMap map;
    map.name_ = name_, map.crs_ = crs_, map.own_ = own_;
    map.columns_ = columns_, map.rows_ = rows_;
    map.first_ = first_, map.column_ = column_, map.row_ = row_;
    map.around_ = around_, map.metres_ = metres_;
    if (own_) return map;
    Result<std::unique_ptr<GdalMap>> gdal = GdalMap::open(name_, crs_);
    if (!gdal) return gdal.error();
    map.gdal_ = std::move(*gdal);
    return map;
}

// Chooses the projection: the built-in one if available, otherwise GDAL's.
Status InsetMap::choose(const Raster& raster, const SourceOverrides& overrides)
{
    own_ = raster.placement->geographic ? MapProjection::geographic() : raster.projection;
    if (own_) return Status::ok();
    crs_ = raster.crs;
    if (overrides.crs.empty() && !crs_.starts_with("EPSG:"))
        if (const std::string wkt = wktOfFile(raster.name); !wkt.empty()) crs_ = wkt;
    // "projected" is the CRS name of a GeoTIFF that does not name its system.
    if (crs_.empty() || crs_ == "projected" || crs_.starts_with("LOCAL_CS"))
        return inputError(raster.name, "lies nowhere on Earth: coordinates in metres without a coordinate system "
                                       "(--crs sets it); open it alone to see it on the plane");
    Result<std::unique_ptr<GdalMap>> gdal = GdalMap::open(raster.name, crs_);
    if (!gdal) return gdal.error();
    gdal_ = std::move(*gdal);
    return Status::ok();
}

Status InsetMap::place(const Raster& raster)
{
    const Placement& at = *raster.placement;
    const double unit = own_ && !at.geographic ? at.unit : 1.0;  // GDAL uses the map's own unit
    const MapPoint column = at.column(), row = at.row();
    first_ = {unit * at.x, unit * at.y};
    column_ = {unit * column.x, unit * column.y};
    row_ = {unit * row.x, unit * row.y};
    around_ = !own_ ? 0.0 : own_->isGeographic() ? 360.0 : own_->isWebMercator() ? kWebAround : 0.0;
    if (column_.x * row_.y == column_.y * row_.x)
        return inputError(name_, "columns and rows that run in one direction, expected a raster");
    // One pixel less than the width: the centres of the first and last columns may be on the same meridian.
    if (around_ > 0 && at.stepEast * unit * (columns_ - 1) > around_ * (1 + 1e-6))
        return inputError(name_, fmt::format("{} columns reach more than once around the Earth", columns_));
    return Status::ok();
}

Status InsetMap::checkCorners() const
{
    const double right = columns_ - 1, lower = rows_ - 1;
    for (const glm::dvec2 sample : {glm::dvec2(0, 0), glm::dvec2(right, 0), glm::dvec2(0, lower),
                                    glm::dvec2(right, lower), glm::dvec2(right / 2, lower / 2)})
    {
        const LatLong place = placeOf(sample);
        // Some projections accept any coordinates and map them to other places, so check the round trip.
        if (isPlace(place) && glm::distance(sampleOf(place), sample) < kBackAgain) continue;
        return inputError(name_,
                          fmt::format("column {:g}, row {:g} lies at {:.10g}, {:.10g} in {}, which is nowhere on "
                                      "Earth",
                                      sample.x, sample.y, first_.x + sample.x * column_.x + sample.y * row_.x,
                                      first_.y + sample.x * column_.y + sample.y * row_.y,
                                      own_ && own_->isGeographic() ? "degrees" : "its coordinate system"));
    }
    return Status::ok();
}

void InsetMap::measure()
{
    const glm::dvec2 middle((columns_ - 1) / 2.0, (rows_ - 1) / 2.0);
    const auto position = [this](glm::dvec2 sample) {
        const LatLong place = placeOf(sample);
        return earthFixed({place.latitude, place.longitude, 0.0});
    };
    metres_.x = glm::distance(position(middle - glm::dvec2(0.5, 0)), position(middle + glm::dvec2(0.5, 0)));
    metres_.y = glm::distance(position(middle - glm::dvec2(0, 0.5)), position(middle + glm::dvec2(0, 0.5)));
}

glm::dvec2 InsetMap::fromMap(MapPoint point) const
{
    double x = point.x - first_.x;
    const double y = point.y - first_.y;
    if (around_ > 0)  // use the revolution nearest to the raster's centre
    {
        const double middle = ((columns_ - 1) * column_.x + (rows_ - 1) * row_.x) / 2;
        x -= around_ * std::round((x - middle) / around_);
    }
    const double determinant = column_.x * row_.y - column_.y * row_.x;
    return {(x * row_.y - y * row_.x) / determinant, (y * column_.x - x * column_.y) / determinant};
}

glm::dvec2 InsetMap::sampleOf(LatLong place) const
{
    if (!own_)
    {
        MapPoint point;
        gdal_->forward({&place, 1}, {&point, 1});
        return fromMap(point);
    }
    const std::optional<MapPoint> point = own_->forward(place);
    return point ? fromMap(*point) : glm::dvec2(kNowhere);
}

void InsetMap::samplesOf(std::span<const LatLong> places, std::span<glm::dvec2> out) const
{
    if (own_)
    {
        std::ranges::transform(places, out.begin(), [this](LatLong place) { return sampleOf(place); });
        return;
    }
    std::vector<MapPoint> points(places.size());
    gdal_->forward(places, points);
    std::ranges::transform(points, out.begin(), [this](MapPoint point) { return fromMap(point); });
}

LatLong InsetMap::placeOf(glm::dvec2 sample) const
{
    MapPoint point{first_.x + sample.x * column_.x + sample.y * row_.x,
                   first_.y + sample.x * column_.y + sample.y * row_.y};
    LatLong place{kNowhere, kNowhere};
    if (simple())
    {
        if (std::fabs(point.x) > kMostLongitude) return place;
        // The edge of a pixel on a pole lies half a pixel beyond it.
        if (std::fabs(point.y) <= 90.0 + std::fabs(row_.y)) point.y = std::clamp(point.y, -90.0, 90.0);
    }
    if (!own_)
        gdal_->inverse({&point, 1}, {&place, 1});
    else if (const std::optional<LatLong> found = own_->inverse(point))
        place = *found;
    return place;
}

bool InsetMap::covers(LatLong place) const
{
    const glm::dvec2 sample = sampleOf(place);
    return sample.x >= -0.5 && sample.x <= columns_ - 0.5 && sample.y >= -0.5 && sample.y <= rows_ - 0.5;
}

EarthExtent InsetMap::extent() const
{
    constexpr int kSteps = 32;  // along a side, because a parallel is curved in a projection
    const double middle = placeOf({(columns_ - 1) / 2.0, (rows_ - 1) / 2.0}).longitude;
    EarthExtent extent{180.0, 90.0, -180.0, -90.0};  // longitudes relative to the centre
    for (int j = 0; j <= kSteps; ++j)
        for (int i = 0; i <= kSteps; ++i)
        {
            const LatLong place = placeOf({double(columns_) * i / kSteps - 0.5, double(rows_) * j / kSteps - 0.5});
            if (!isPlace(place)) continue;
            const double east = wrappedLongitude(place.longitude - middle);
            extent.west = std::min(extent.west, east), extent.east = std::max(extent.east, east);
            extent.south = std::min(extent.south, place.latitude);
            extent.north = std::max(extent.north, place.latitude);
        }
    const bool south = covers({-90, 0}), north = covers({90, 0});
    if (south) extent.south = -90;
    if (north) extent.north = 90;
    const bool allAround = south || north || (own_ && own_->isGeographic() && columns_ * column_.x >= 360.0 - 1e-9);
    if (allAround) return {-180, extent.south, 180, extent.north};
    const double west = wrappedLongitude(middle + extent.west);
    return {west, extent.south, west + (extent.east - extent.west), extent.north};
}

}  // namespace orogen
