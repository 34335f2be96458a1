#include "core/terrain/imagery/picture_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat2x2.hpp>
#include <glm/matrix.hpp>

#include "core/base/text.h"
#include "core/terrain/io/gdal_map.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

// ---- on the Earth ----

class EarthPicture final : public PictureMap
{
public:
    explicit EarthPicture(InsetMap map) : map_(std::move(map)), area_(map_)
    {
        const EarthExtent extent = map_.extent();
        around_ = extent.east - extent.west > 359.9;
        everywhere_ = around_ && extent.north > 89 && extent.south < -89;
    }
    Result<std::unique_ptr<PictureMap>> another() const override
    {
        Result<InsetMap> map = map_.another();
        if (!map) return map.error();
        return std::unique_ptr<PictureMap>(new EarthPicture(std::move(*map), *this));
    }
    void pixelsOf(const TexelPlaces& places, std::span<glm::dvec2> out) const override
    {
        map_.samplesOf(places.earth, out);
    }
    bool meets(const FaceBox& box) const override { return everywhere_ || area_.meets(box, 0.0); }
    bool around() const override { return around_; }
    bool everywhere() const override { return everywhere_; }
    glm::dvec2 pixelMetres() const override { return {map_.metresOfColumn(), map_.metresOfRow()}; }

private:
    EarthPicture(InsetMap map, const EarthPicture& like)
        : map_(std::move(map)), area_(like.area_), around_(like.around_), everywhere_(like.everywhere_)
    {
    }
    InsetMap map_;
    InsetArea area_;
    bool around_ = false, everywhere_ = false;
};

// ---- on a plane ----

// Affine map from a column and a row to map coordinates.
struct Grid
{
    glm::dmat2 turn{1.0};
    glm::dvec2 first{0.0};  // coordinates of cell (0, 0)

    // Returns the map of a placement, in degrees if it is geographic. `unit`: factor of a projected map's coordinates:
    // metres per unit, or 1 to keep the map's own unit.
    static Grid of(const Placement& placement, double unit)
    {
        const MapPoint column = placement.column(), row = placement.row();
        const double scale = placement.geographic ? 1.0 : unit;
        return {scale * glm::dmat2(column.x, column.y, row.x, row.y), scale * glm::dvec2(placement.x, placement.y)};
    }
};

std::string nameOf(const std::string& crs, const Placement& placement)
{
    return !crs.empty() ? printable(crs) : placement.geographic ? "degrees" : "an unknown coordinate system";
}

bool sameSystem(const Raster& picture, const Raster& terrain)
{
    if (picture.placement->geographic != terrain.placement->geographic) return false;
    return picture.crs == terrain.crs || picture.crs.empty() || terrain.crs.empty();
}

// Returns the coordinate system as text for GDAL; empty if the system is unknown.
std::string systemOf(const Raster& raster)
{
    if (raster.crs.starts_with("EPSG:") || raster.crs.starts_with("ESRI:")) return raster.crs;
    const std::string wkt = wktOfFile(raster.name);
    return !wkt.empty() ? wkt : raster.placement->geographic ? "EPSG:4326" : "";
}

class PlanePicture final : public PictureMap
{
public:
    explicit PlanePicture(const Raster& terrain)
        : metres_(terrain.pixelWidth, terrain.pixelHeight), last_(terrain.width - 1, terrain.height - 1)
    {
    }

    void stretch(const Raster& picture, bool terrainLiesNowhere)
    {
        size_ = {picture.width, picture.height};
        stretched_ = true;
        from_ = {glm::dmat2(size_.x / last_.x, 0, 0, size_.y / last_.y), glm::dvec2(-0.5)};
        warnings_.push_back(
            fmt::format("{}: {}: stretched over the terrain", printable(picture.name),
                        terrainLiesNowhere ? "the terrain says no position" : "no georeference and no world file"));
        findBox({});
    }

    Status place(const Raster& picture, const Raster& terrain)
    {
        size_ = {picture.width, picture.height};
        const std::string fromName = nameOf(picture.crs, *picture.placement);
        const std::string toName = nameOf(terrain.crs, *terrain.placement);
        const bool same = sameSystem(picture, terrain);
        if (same && picture.crs.empty() != terrain.crs.empty())
            warnings_.push_back(fmt::format("{}: taken to be in {}, as {} is", printable(picture.name),
                                            nameOf(picture.crs + terrain.crs, *terrain.placement),
                                            picture.crs.empty() ? "the terrain" : "the picture"));
        if (!same)
        {
            name_ = picture.name, terrainSystem_ = systemOf(terrain), pictureSystem_ = systemOf(picture);
            Result<std::unique_ptr<GdalMap>> systems = GdalMap::between(name_, terrainSystem_, pictureSystem_);
            if (!systems)
                return inputError(picture.name,
                                  fmt::format("in {}, expected {}, as the terrain is, or a system that GDAL converts "
                                              "to it: {}",
                                              fromName, toName, systems.error().message));
            systems_ = std::move(*systems);
            warnings_.push_back(
                fmt::format("{}: reprojected from {} to {}", printable(picture.name), fromName, toName));
        }
        from_ = Grid::of(*terrain.placement, same ? terrain.placement->unit : 1.0);
        const Grid to = Grid::of(*picture.placement, same ? picture.placement->unit : 1.0);
        backToPixels_ = glm::inverse(to.turn);
        toPixels_ = -(backToPixels_ * to.first);
        findBox(to);
        return Status::ok();
    }

    Result<std::unique_ptr<PictureMap>> another() const override
    {
        auto copy = std::make_unique<PlanePicture>(*this);
        if (systems_)
        {
            Result<std::unique_ptr<GdalMap>> systems = GdalMap::between(name_, terrainSystem_, pictureSystem_);
            if (!systems) return systems.error();
            copy->systems_ = std::move(*systems);
        }
        return std::unique_ptr<PictureMap>(std::move(copy));
    }

    void pixelsOf(const TexelPlaces& places, std::span<glm::dvec2> out) const override
    {
        const auto onMap = [this](glm::dvec2 place) { return from_.turn * (place / metres_) + from_.first; };
        std::vector<MapPoint> points(out.size());
        for (std::size_t i = 0; i < out.size(); ++i)
        {
            const glm::dvec2 at = onMap(places.plane[i]);
            points[i] = {at.x, at.y};
        }
        if (systems_) systems_->convert(points, false);
        for (std::size_t i = 0; i < out.size(); ++i)
        {
            out[i] = backToPixels_ * glm::dvec2(points[i].x, points[i].y) + toPixels_;
            if (stretched_) out[i] = glm::clamp(out[i], glm::dvec2(0), size_ - 1.0);
        }
    }

    bool meets(const FaceBox& box) const override { return FaceBox{0, low_, high_}.meets(box); }
    glm::dvec2 pixelMetres() const override { return pixelMetres_; }
    std::vector<std::string> warnings() const override { return warnings_; }

    bool onTerrain() const
    {
        const glm::dvec2 extent = last_ * metres_;
        return low_.x < extent.x && low_.y < extent.y && high_.x > 0 && high_.y > 0 && pixelMetres_.x > 0 &&
               pixelMetres_.y > 0;
    }

private:
    // Finds the picture's box in TexelPlaces::plane, and the size of its pixels. `to`: the picture's own grid.
    void findBox(const Grid& to)
    {
        constexpr int kSteps = 32;  // intervals along a side; a side is curved in another coordinate system
        std::vector<MapPoint> points;
        for (int y = 0; y <= kSteps; ++y)
            for (int x = 0; x <= kSteps; ++x)
            {
                const glm::dvec2 at = to.turn * (size_ * glm::dvec2(x, y) / double(kSteps) - 0.5) + to.first;
                points.push_back({at.x, at.y});
            }
        if (systems_) systems_->convert(points, true);
        const glm::dmat2 inverse = glm::inverse(from_.turn);
        for (const MapPoint& point : points)
            if (const glm::dvec2 place = metres_ * (inverse * (glm::dvec2(point.x, point.y) - from_.first));
                std::isfinite(place.x + place.y))
                low_ = glm::min(low_, place), high_ = glm::max(high_, place);
        const glm::dvec2 margin = (high_ - low_) / double(kSteps * kSteps);  // for the curvature between the points
        low_ -= margin, high_ += margin;
        // The size of a pixel is measured in the middle of the part of the picture that lies on the terrain.
        const glm::dvec2 middle = (glm::max(low_, glm::dvec2(0)) + glm::min(high_, last_ * metres_)) / 2.0;
        TexelPlaces around;
        around.plane = {middle - 0.5 * metres_, middle + glm::dvec2(0.5, -0.5) * metres_,
                        middle + glm::dvec2(-0.5, 0.5) * metres_};
        glm::dvec2 pixels[3];
        pixelsOf(around, pixels);
        const glm::dmat2 samples = glm::inverse(glm::dmat2(pixels[1] - pixels[0], pixels[2] - pixels[0]));
        pixelMetres_ = {glm::length(samples[0] * metres_), glm::length(samples[1] * metres_)};
    }

    glm::dvec2 metres_, last_;  // the terrain's metres between samples; column and row of its last sample
    glm::dvec2 size_{1.0};      // pixels
    Grid from_;                 // from the terrain's samples to map coordinates
    glm::dmat2 backToPixels_{1.0};
    glm::dvec2 toPixels_{0.0};
    bool stretched_ = false;  // no position; the outermost pixels continue to the terrain's edges
    std::string name_, terrainSystem_, pictureSystem_;
    std::shared_ptr<GdalMap> systems_;  // from the terrain's map to the picture's; null: both have the same system
    glm::dvec2 low_{1e300}, high_{-1e300}, pixelMetres_{0.0};  // the picture's box, and its pixels' size (metres)
    std::vector<std::string> warnings_;
};

}  // namespace

Result<std::unique_ptr<PictureMap>> PictureMap::onEarth(const Raster& picture)
{
    Result<InsetMap> map = InsetMap::of(picture, {}, true);
    if (!map) return map.error();
    return std::unique_ptr<PictureMap>(std::make_unique<EarthPicture>(std::move(*map)));
}

Result<std::unique_ptr<PictureMap>> PictureMap::onPlane(const Raster& picture, const Raster& terrain)
{
    auto map = std::make_unique<PlanePicture>(terrain);
    const bool here = picture.placement && picture.placement->positioned;
    const bool there = terrain.placement && terrain.placement->positioned;
    if (!here || !there)
        map->stretch(picture, here);
    else if (Status s = map->place(picture, terrain); !s)
        return s.error();
    if (!map->onTerrain())
        return inputError(picture.name, fmt::format("lies outside the terrain {}", printable(terrain.name)));
    return std::unique_ptr<PictureMap>(std::move(map));
}

}  // namespace orogen
