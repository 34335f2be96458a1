#include "core/terrain/earth/earth_inset.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
constexpr double kFlat = kEarthEquatorRadius / kEarthPoleRadius;
constexpr double kMostLongitude = 720.0;  // degrees: sources may count past the date line, but not twice around
constexpr double kBackAgain = 0.5;        // round-trip tolerance (samples); allows the error of a pixel beyond a pole
constexpr double kWebAround = 2.0 * std::numbers::pi * 6'378'137.0;  // circumference in Web Mercator (metres)

bool isPlace(LatLong place) { return std::isfinite(place.latitude) && std::isfinite(place.longitude); }

}  // namespace

void addPlaces(int face, std::span<const double> columns, std::span<const double> rows, std::vector<LatLong>& places)
{
    struct Meridian
    {
        double longitude, fromAxis;
    };
    const auto meridianOf = [](const glm::dvec3& w) {
        return Meridian{glm::degrees(std::atan2(w.y, w.x)), std::sqrt(w.x * w.x + w.y * w.y)};
    };
    const FaceAxes axes = axesOf(face);
    std::vector<glm::dvec3> across, down;
    for (const double x : columns)
        across.push_back(warpedCube({face, {x, rows[0]}}));
    for (const double y : rows)
        down.push_back(warpedCube({face, {columns[0], y}}));
    // An axis of each face around the equator is the Earth's axis: all places of a row, or of a column, share their
    // meridian.
    const bool shared = axes.normal != 2, byColumn = axes.y == 2;
    std::vector<Meridian> meridians;
    if (shared) std::ranges::transform(byColumn ? across : down, std::back_inserter(meridians), meridianOf);
    for (std::size_t row = 0; row < down.size(); ++row)
        for (std::size_t column = 0; column < across.size(); ++column)
        {
            glm::dvec3 w = across[column];
            w[axes.y] = down[row][axes.y];
            const Meridian meridian = shared ? meridians[byColumn ? column : row] : meridianOf(w);
            places.push_back({glm::degrees(std::atan2(w.z * kFlat, meridian.fromAxis)), meridian.longitude});
        }
}

LatLong placeOfDirection(const glm::dvec3& n)
{
    return {glm::degrees(std::atan2(n.z * kFlat, std::hypot(n.x, n.y))), glm::degrees(std::atan2(n.y, n.x))};
}

Result<InsetMap> InsetMap::of(const Raster& raster, const SourceOverrides& overrides, bool picture)
{
    InsetMap map;
    map.name_ = raster.name;
    map.columns_ = raster.width;
    map.rows_ = raster.height;
    if (!raster.placement || !raster.placement->positioned)
        return inputError(raster.name, fmt::format("lies nowhere on Earth: it has no georeference{}",
                                                   picture ? "" : "; open it alone to see it on the plane"));
    if (const Status status = map.choose(raster, overrides, picture); !status) return status.error();
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
Status InsetMap::choose(const Raster& raster, const SourceOverrides& overrides, bool picture)
{
    own_ = raster.placement->geographic ? MapProjection::geographic() : raster.projection;
    if (own_) return Status::ok();
    crs_ = raster.crs;
    if (overrides.crs.empty() && !crs_.starts_with("EPSG:"))
        if (const std::string wkt = wktOfFile(raster.name); !wkt.empty()) crs_ = wkt;
    // "projected" is the CRS name of a GeoTIFF that does not name its system.
    if (crs_.empty() || crs_ == "projected" || crs_.starts_with("LOCAL_CS"))
        return inputError(raster.name,
                          fmt::format("lies nowhere on Earth: coordinates in metres without a coordinate system{}",
                                      picture ? "" : " (--crs sets it); open it alone to see it on the plane"));
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
        // Some projections accept any coordinates and map them to other places, so the round trip is checked.
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

std::optional<double> InsetMap::period() const
{
    if (around_ <= 0 || column_.x <= 0 || column_.y != 0 || row_.x != 0) return std::nullopt;
    const double columns = around_ / column_.x;
    return columns <= columns_ + 0.01 ? std::optional(columns) : std::nullopt;
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
    constexpr int kSteps = 32;  // intervals along a side, because parallels are curved in a projection
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
    if (south || north || period()) return {-180, extent.south, 180, extent.north};
    const double west = wrappedLongitude(middle + extent.west);
    return {west, extent.south, west + (extent.east - extent.west), extent.north};
}

namespace {

// Lattice units beyond a face's edges in which boxes are kept: twice the apron of the coarsest tile (8 samples of 128).
constexpr double kBeyondFace = double(kCubeSide) / 8;
constexpr double kLeastStretch = 0.65;  // lower bound of the size of a lattice unit over metresOfCubeUnit()

double unitsOf(double metres) { return metres / (kLeastStretch * metresOfCubeUnit()); }

// Returns the size of a lattice unit at a place of a face (metres), in the direction where it is longer.
double metresOfUnit(const FacePlace& place)
{
    constexpr double kApart = 1024.0;
    const auto apart = [&](glm::dvec2 by) {
        return glm::distance(onEllipsoid(scaledDirection(FacePlace{place.face, place.at - by})),
                             onEllipsoid(scaledDirection(FacePlace{place.face, place.at + by})));
    };
    return std::max(apart({kApart, 0}), apart({0, kApart})) / (2 * kApart);
}

}  // namespace

bool isAboutPlanes(const std::string& warning)
{
    return warning.find("drawn as a plane") != std::string::npos || warning.starts_with("Web Mercator: pixels of") ||
           warning.find("latitude and longitude are not known") != std::string::npos || warning == kRowsTakenAsEast;
}

Result<std::shared_ptr<const EarthInset>> EarthInset::open(const InsetRequest& request, const LoadProgress& progress,
                                                           TerrainTiles tiles)
{
    Result<OpenedTerrain> terrain = openTerrain(request.name, request.overrides, tiles, progress);
    if (!terrain) return terrain.error();
    Result<InsetMap> map = InsetMap::of(terrain->raster, request.overrides);
    if (!map) return map.error();
    const std::shared_ptr<EarthInset> inset(new EarthInset(std::move(*terrain), std::move(*map)));
    inset->describe(request.overrides);
    inset->placeHeights(request.heights);
    return std::shared_ptr<const EarthInset>(inset);
}

void EarthInset::describe(const SourceOverrides& overrides)
{
    const Raster& raster = terrain_.raster;
    about_.name = raster.name;
    about_.extent = map_.extent();
    about_.spacing = std::sqrt(map_.metresOfColumn() * map_.metresOfRow());
    const std::string crs = overrides.crs.empty() ? raster.crs : overrides.crs;
    about_.note = crs.empty() ? "degrees" : crs;
    if (map_.byGdal()) about_.note += " by GDAL";
    for (const std::string& warning : raster.warnings)
        if (!isAboutPlanes(warning)) about_.warnings.push_back(warning);
    const LatLong middle = map_.placeOf({(map_.columns() - 1) / 2.0, (map_.rows() - 1) / 2.0});
    latticeSpacing_ = about_.spacing / metresOfUnit(facePlaceOf(scaledDirectionOf(middle.latitude, middle.longitude)));
}

// The Earth is drawn in heights above the geoid, so that the sea lies at 0: other heights are converted.
void EarthInset::placeHeights(HeightDatum unstated)
{
    Raster& raster = terrain_.raster;
    const bool aboveEllipsoid = raster.aboveEllipsoid.value_or(unstated == HeightDatum::kEllipsoid);
    about_.heights = raster.aboveEllipsoid ? "stated by the file" : "not stated, see earth.heights";
    about_.heights = fmt::format("above the {} ({})", aboveEllipsoid ? "ellipsoid" : "geoid", about_.heights);
    if (!aboveEllipsoid) return;
    geoid_ = GeoidUnder::of(map_);
    if (geoid_)
    {
        about_.heights += ", converted to the geoid EGM96";
        raster.minHeight -= geoid_->highest(), raster.maxHeight -= geoid_->lowest();
        return;
    }
    about_.warnings.push_back("heights count from the ellipsoid, and GDAL finds no geoid EGM96 (Debian: proj-data): "
                              "they are drawn as they are, up to 106 m off");
}

std::optional<GeoidUnder> GeoidUnder::of(const InsetMap& map)
{
    GeoidUnder geoid;
    geoid.period_ = map.period().value_or(0.0);
    const double columns = geoid.period_ > 0 ? geoid.period_ : map.columns() - 1, rows = map.rows() - 1;
    const double cell = 0.25 * metresPerDegree(0).east;  // spacing of the samples of EGM96, in metres
    const auto steps = [cell](double samples, double metres) {
        return std::clamp(int(std::ceil(samples * metres / cell)), 1, 1440);
    };
    const int across = steps(columns, map.metresOfColumn()), down = steps(rows, map.metresOfRow());
    geoid.columns_ = across + 1, geoid.rows_ = down + 1;
    geoid.step_ = glm::dvec2(std::max(columns, 1.0) / across, std::max(rows, 1.0) / down);
    std::vector<LatLong> places;
    for (int row = 0; row <= down; ++row)
        for (int column = 0; column <= across; ++column)
        {
            const LatLong place = map.placeOf(glm::dvec2(column, row) * geoid.step_);
            // Corners of some projections lie off the Earth, where the raster has no data either.
            places.push_back(isPlace(place) ? LatLong{place.latitude, wrappedLongitude(place.longitude)} : LatLong{});
        }
    const std::optional<std::vector<double>> heights = geoidHeights(places);
    if (!heights) return std::nullopt;
    geoid.heights_.assign(heights->begin(), heights->end());
    return geoid;
}

float GeoidUnder::at(glm::dvec2 sample) const
{
    if (period_ > 0) sample.x -= period_ * std::floor(sample.x / period_);
    const glm::dvec2 last(columns_ - 1, rows_ - 1);
    const glm::dvec2 at = glm::clamp(sample / step_, glm::dvec2(0.0), last);
    const glm::dvec2 low = glm::min(glm::floor(at), last - 1.0), part = at - low;
    const auto height = [&](int column, int row) {
        return double(
            heights_[std::size_t(int(low.y) + row) * std::size_t(columns_) + std::size_t(int(low.x) + column)]);
    };
    return float((height(0, 0) * (1 - part.x) + height(1, 0) * part.x) * (1 - part.y) +
                 (height(0, 1) * (1 - part.x) + height(1, 1) * part.x) * part.y);
}

// Makes boxes around a grid of places, widened by 0.6 diagonals of the grid's cells to cover the cells, too.
InsetArea::InsetArea(const InsetMap& map)
{
    constexpr int kSteps = 48;
    const auto directionAt = [&map](int i, int j) {
        const LatLong place =
            map.placeOf({double(map.columns() - 1) * i / kSteps, double(map.rows() - 1) * j / kSteps});
        return scaledDirectionOf(place.latitude, place.longitude);
    };
    std::vector<glm::dvec3> row, next;
    for (int j = 0; j <= kSteps; ++j)
    {
        row.swap(next);
        next.clear();
        for (int i = 0; i <= kSteps; ++i)
            next.push_back(directionAt(i, j));
        for (int i = 0; i < kSteps && j > 0; ++i)
        {
            const glm::dvec3 corners[] = {row[std::size_t(i)], row[std::size_t(i) + 1], next[std::size_t(i)],
                                          next[std::size_t(i) + 1]};
            const double one = glm::distance(corners[0], corners[3]), other = glm::distance(corners[1], corners[2]);
            if (!std::isfinite(one + other)) continue;
            for (const glm::dvec3& corner : corners)
                for (int face = 0; face < kCubeFaces; ++face)
                    extend(face, corner, 0.6 * unitsOf(std::max(one, other) * kEarthEquatorRadius));
        }
    }
}

void InsetArea::extend(int face, const glm::dvec3& direction, double units)
{
    if (direction[face / 2] * (face % 2 == 0 ? -1.0 : 1.0) < 0.3) return;  // far beyond the face's edges
    const glm::dvec2 at = facePlaceOn(direction, face).at;
    const FaceBox box{face, at - units, at + units};
    const double side = kCubeSide;
    if (!box.meets({face, glm::dvec2(-kBeyondFace), glm::dvec2(side + kBeyondFace)})) return;
    const auto known = std::ranges::find(boxes_, face, &FaceBox::face);
    if (known == boxes_.end())
        boxes_.push_back(box);
    else
        known->low = glm::min(known->low, box.low), known->high = glm::max(known->high, box.high);
}

bool InsetArea::meets(const FaceBox& box, double metres) const
{
    const double units = unitsOf(metres);
    return std::ranges::any_of(boxes_, [&](const FaceBox& own) { return own.widened(units).meets(box); });
}

bool InsetArea::meets(const InsetArea& other, double metres) const
{
    return std::ranges::any_of(other.boxes_, [&](const FaceBox& box) { return meets(box, metres); });
}

Result<std::unique_ptr<InsetReader>> InsetReader::open(std::shared_ptr<const EarthInset> inset)
{
    Result<InsetMap> map = inset->map().another();
    if (!map) return map.error();
    std::unique_ptr<InsetReader> reader(new InsetReader(std::move(inset), std::move(*map)));
    return reader;
}

Status InsetReader::load(glm::dvec2 low, glm::dvec2 high, double metres)
{
    if (!inset_->tiles())
    {
        const Raster& raster = inset_->raster();
        width_ = raster.width, height_ = raster.height;
        heights_ = raster.heights.data();
        return Status::ok();
    }
    if (!tiles_)
    {
        Result<std::unique_ptr<TileReader>> tiles = inset_->tiles()->openReader();
        if (!tiles) return tiles.error();
        tiles_ = std::move(*tiles);
    }
    const int coarsest = inset_->tiles()->grid().levels() - 1;
    int level = 0;
    while (level < coarsest && inset_->spacing() * std::ldexp(1.0, level + 1) <= metres)
        ++level;
    step_ = std::ldexp(1.0, level);
    const auto begin = [&](double at) { return std::max(int(std::floor(at / step_)) - kMargin, 0); };
    const auto end = [&](double at, int side) {
        return std::min(int(std::ceil(at / step_)) + kMargin + 1, TileGrid::samplesOf(side, level));
    };
    row_ = begin(low.y);
    height_ = std::max(end(high.y, map_.rows()) - row_, 1);
    heights_ = nullptr;
    if (around())
    {
        column_ = columnOf(low.x).first - kMargin;
        width_ = std::min(columnOf(high.x).first + kMargin + 2 - column_, columnsAround());
        return loadAround(level);
    }
    column_ = begin(low.x);
    width_ = std::max(end(high.x, map_.columns()) - column_, 1);
    buffer_.resize(std::size_t(width_) * std::size_t(height_));
    heights_ = buffer_.data();
    return tiles_->read({level, column_, row_, width_, height_}, buffer_);
}

// Loads columns that may lie in two revolutions: each revolution's part is read by itself.
Status InsetReader::loadAround(int level)
{
    const int columns = columnsAround();
    buffer_.resize(std::size_t(width_) * std::size_t(height_));
    std::vector<float> part;
    for (int done = 0; done < width_;)
    {
        const int from = ((column_ + done) % columns + columns) % columns,
                  count = std::min(columns - from, width_ - done);
        part.resize(std::size_t(count) * std::size_t(height_));
        if (Status status = tiles_->read({level, from, row_, count, height_}, part); !status) return status;
        for (int row = 0; row < height_; ++row)
            std::copy_n(part.begin() + std::ptrdiff_t(row) * count, count,
                        buffer_.begin() + std::ptrdiff_t(row) * width_ + done);
        done += count;
    }
    heights_ = buffer_.data();
    return Status::ok();
}

bool InsetReader::covers(glm::dvec2 sample) const
{
    if (!around())
        return sample.x >= 0 && sample.y >= 0 && sample.x <= map_.columns() - 1 && sample.y <= map_.rows() - 1;
    return sample.y >= -0.51 && sample.y <= map_.rows() - 0.49;
}

glm::dvec2 InsetReader::nearest(glm::dvec2 sample) const
{
    const double y = std::clamp(sample.y, 0.0, double(map_.rows() - 1));
    return {around() ? sample.x : std::clamp(sample.x, 0.0, double(map_.columns() - 1)), y};
}

// The last column of a coarse level may be nearer to the first one than to the one before.
std::pair<int, double> InsetReader::columnOf(double sample) const
{
    if (!around())
    {
        const double x = sample / step_, left = std::floor(x);
        return {int(left), x - left};
    }
    const double turns = std::floor(sample / period_), within = sample - turns * period_;
    const int column = std::min(int(within / step_), columnsAround() - 1);
    const double left = column * step_, right = std::min(left + step_, period_);
    return {int(turns) * columnsAround() + column, (within - left) / (right - left)};
}

double InsetReader::sampleAt(int column) const
{
    if (!around()) return column * step_;
    const int turns = int(std::floor(double(column) / columnsAround()));
    return turns * period_ + (column - turns * columnsAround()) * step_;
}

float InsetReader::at(int column, int row) const
{
    int c = column - column_;
    if (around()) c = (c % columnsAround() + columnsAround()) % columnsAround();
    c = std::clamp(c, 0, width_ - 1);
    const int r = std::clamp(row - row_, 0, height_ - 1);
    return heights_[std::size_t(r) * std::size_t(width_) + std::size_t(c)];
}

float InsetReader::heightAt(glm::dvec2 sample) const
{
    const auto [column, s] = columnOf(sample.x);
    const double y = std::clamp(sample.y, 0.0, double(map_.rows() - 1)) / step_, upper = std::floor(y), t = y - upper;
    double height = 0;
    for (int i = 0; i < 4; ++i)
    {
        const double weight = (i % 2 ? s : 1.0 - s) * (i / 2 ? t : 1.0 - t);
        if (weight > 0) height += weight * double(at(column + i % 2, int(upper) + i / 2));
    }
    return float(height) - inset_->aboveGeoid(sample);
}

std::optional<glm::dvec2> InsetReader::nearestKnown(glm::dvec2 sample) const
{
    const auto [column, part] = columnOf(sample.x);
    const double x = column + part, y = sample.y / step_;
    const int c = int(std::lround(x)), r = int(std::lround(y));
    // Size of a column and of a row, relative to the shorter of them.
    const glm::dvec2 metres(map_.metresOfColumn(), map_.metresOfRow()), size = metres / std::min(metres.x, metres.y);
    double best = double(kSearch) * kSearch;
    std::optional<glm::dvec2> found;
    const int west = around() ? c - kSearch : std::max(c - kSearch, column_);
    const int east = around() ? c + kSearch : std::min(c + kSearch, column_ + width_ - 1);
    for (int j = std::max(r - kSearch, row_); j <= std::min(r + kSearch, row_ + height_ - 1); ++j)
        for (int i = west; i <= east; ++i)
        {
            const double across = (i - x) * size.x, down = (j - y) * size.y, square = across * across + down * down;
            if (square >= best || std::isnan(at(i, j))) continue;
            best = square;
            found = glm::dvec2(sampleAt(i), j * step_);
        }
    return found ? std::optional(nearest(*found)) : std::nullopt;
}

double InsetReader::metresBetween(glm::dvec2 a, glm::dvec2 b) const
{
    return std::hypot((a.x - b.x) * map_.metresOfColumn(), (a.y - b.y) * map_.metresOfRow());
}

}  // namespace orogen
