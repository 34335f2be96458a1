#include "core/terrain/earth/earth_inset.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/planet/ellipsoid.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {
namespace {

// A face's samples extend beyond its edges by the apron of a tile: 8 samples of the coarsest level.
constexpr double kBeyondFace = double(kCubeSide) / 8;
constexpr double kLeastStretch = 0.65;  // least size of a lattice unit, in metresOfCubeUnit()

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
           warning.find("latitude and longitude are not known") != std::string::npos;
}

Result<std::shared_ptr<const EarthInset>> EarthInset::open(const InsetRequest& request, const LoadProgress& progress)
{
    Result<OpenedTerrain> terrain = openTerrain(request.name, request.overrides, TerrainTiles::kAuto, progress);
    if (!terrain) return terrain.error();
    Result<InsetMap> map = InsetMap::of(terrain->raster, request.overrides);
    if (!map) return map.error();
    const std::shared_ptr<EarthInset> inset(new EarthInset(std::move(*terrain), std::move(*map)));
    inset->describe(request.overrides);
    inset->findSpacing();
    inset->findBoxes();
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
}

void EarthInset::findSpacing()
{
    const LatLong middle = map_.placeOf({(map_.columns() - 1) / 2.0, (map_.rows() - 1) / 2.0});
    const FacePlace place = facePlaceOf(scaledDirectionOf(middle.latitude, middle.longitude));
    latticeSpacing_ = about_.spacing / metresOfUnit(place);
}

// Makes boxes around a grid of places, each widened by the distance to its neighbours.
void EarthInset::findBoxes()
{
    constexpr int kSteps = 48;
    const auto directionAt = [this](int i, int j) {
        const LatLong place =
            map_.placeOf({double(map_.columns() - 1) * i / kSteps, double(map_.rows() - 1) * j / kSteps});
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

void EarthInset::extend(int face, const glm::dvec3& direction, double units)
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

bool EarthInset::meets(const FaceBox& box, double metres) const
{
    const double units = unitsOf(metres);
    return std::ranges::any_of(boxes_, [&](const FaceBox& own) { return own.widened(units).meets(box); });
}

Result<std::unique_ptr<InsetReader>> InsetReader::open(std::shared_ptr<const EarthInset> inset)
{
    Result<InsetMap> map = inset->map().another();
    if (!map) return map.error();
    std::unique_ptr<InsetReader> reader(new InsetReader(std::move(inset), std::move(*map)));
    return reader;
}

int InsetReader::levelFor(double metres) const
{
    const int coarsest = inset_->tiles()->grid().levels() - 1;
    int level = 0;
    while (level < coarsest && inset_->spacing() * std::ldexp(1.0, level + 1) <= metres)
        ++level;
    return level;
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
    const int level = levelFor(metres);
    step_ = std::ldexp(1.0, level);
    const auto begin = [&](double at) { return std::max(int(std::floor(at / step_)) - kMargin, 0); };
    const auto end = [&](double at, int side) {
        return std::min(int(std::ceil(at / step_)) + kMargin + 1, TileGrid::samplesOf(side, level));
    };
    column_ = begin(low.x), row_ = begin(low.y);
    width_ = std::max(end(high.x, map_.columns()) - column_, 1);
    height_ = std::max(end(high.y, map_.rows()) - row_, 1);
    buffer_.resize(std::size_t(width_) * std::size_t(height_));
    heights_ = buffer_.data();
    return tiles_->read({level, column_, row_, width_, height_}, buffer_);
}

bool InsetReader::covers(glm::dvec2 sample) const
{
    return sample.x >= 0 && sample.y >= 0 && sample.x <= map_.columns() - 1 && sample.y <= map_.rows() - 1;
}

glm::dvec2 InsetReader::nearest(glm::dvec2 sample) const
{
    return glm::clamp(sample, glm::dvec2(0.0), glm::dvec2(map_.columns() - 1, map_.rows() - 1));
}

float InsetReader::at(int column, int row) const
{
    const int c = std::clamp(column, 0, width_ - 1), r = std::clamp(row, 0, height_ - 1);
    return heights_[std::size_t(r) * std::size_t(width_) + std::size_t(c)];
}

float InsetReader::heightAt(glm::dvec2 sample) const
{
    const double x = sample.x / step_ - column_, y = sample.y / step_ - row_;
    const double left = std::floor(x), upper = std::floor(y);
    const int c = int(left), r = int(upper);
    const double s = x - left, t = y - upper;
    double height = 0;
    for (int i = 0; i < 4; ++i)
    {
        const double weight = (i % 2 ? s : 1.0 - s) * (i / 2 ? t : 1.0 - t);
        if (weight > 0) height += weight * double(at(c + i % 2, r + i / 2));
    }
    return float(height);
}

std::optional<glm::dvec2> InsetReader::nearestKnown(glm::dvec2 sample) const
{
    const double x = sample.x / step_ - column_, y = sample.y / step_ - row_;
    const int c = int(std::lround(x)), r = int(std::lround(y));
    double best = double(kSearch) * kSearch;
    std::optional<glm::dvec2> found;
    for (int j = std::max(r - kSearch, 0); j <= std::min(r + kSearch, height_ - 1); ++j)
        for (int i = std::max(c - kSearch, 0); i <= std::min(c + kSearch, width_ - 1); ++i)
        {
            const double square = (i - x) * (i - x) + (j - y) * (j - y);
            if (square >= best || std::isnan(at(i, j))) continue;
            best = square;
            found = glm::dvec2(i + column_, j + row_) * step_;
        }
    return found ? std::optional(nearest(*found)) : std::nullopt;
}

double InsetReader::metresBetween(glm::dvec2 a, glm::dvec2 b) const
{
    return std::hypot((a.x - b.x) * map_.metresOfColumn(), (a.y - b.y) * map_.metresOfRow());
}

}  // namespace orogen
