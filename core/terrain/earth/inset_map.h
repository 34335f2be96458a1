// Mapping between the samples of a georeferenced raster and the Earth.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "core/base/status.h"
#include "core/terrain/io/gdal_map.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/projection.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Extent in degrees: -180 <= west < 180, west < east <= west + 360.
struct EarthExtent
{
    double west = 0, south = 0, east = 0, north = 0;
};

// Conversion between latitude and longitude and sample positions: column and row of level 0, (0, 0) at the centre of
// the north-western one. Geographic coordinates, Web Mercator and transverse Mercator (UTM) are computed here, without
// a datum shift; all other projections by GDAL, with one. Not thread-safe.
class InsetMap
{
public:
    // Creates a map. Errors, kInput, one line: no georeference; a projection that is invalid, or needs GDAL in a
    // program without it; a corner or the centre that is not on the Earth.
    static Result<InsetMap> of(const Raster& raster, const SourceOverrides& overrides = {});
    Result<InsetMap> another() const;  // a copy for another thread

    // Convert positions; NaN outside the map or the Earth. Take 0.3 microseconds each, with GDAL a few.
    glm::dvec2 sampleOf(LatLong place) const;
    LatLong placeOf(glm::dvec2 sample) const;
    void samplesOf(std::span<const LatLong> places, std::span<glm::dvec2> out) const;

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    bool simple() const { return own_ && own_->isGeographic(); }  // no projection to compute
    bool byGdal() const { return gdal_ != nullptr; }
    double metresOfColumn() const { return metres_.x; }  // between samples at the raster's centre
    double metresOfRow() const { return metres_.y; }

    // Returns the extent of the outer edges of the raster's pixels.
    EarthExtent extent() const;

private:
    InsetMap() = default;
    Status place(const Raster& raster);
    Status choose(const Raster& raster, const SourceOverrides& overrides);
    Status checkCorners() const;
    void measure();
    bool covers(LatLong place) const;
    glm::dvec2 fromMap(MapPoint point) const;

    std::string name_;
    int columns_ = 0, rows_ = 0;
    std::optional<MapProjection> own_;
    std::unique_ptr<GdalMap> gdal_;  // null if own_ is set
    std::string crs_;                // for gdal_
    MapPoint first_;                 // map coordinates of sample (0, 0)
    MapPoint column_, row_;          // step between samples
    double around_ = 0;              // circumference of the Earth in map units; 0: the map does not wrap
    glm::dvec2 metres_{1.0};
};

}  // namespace orogen
