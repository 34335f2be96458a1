// Where the samples of a georeferenced raster lie on the Earth.
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

// Degrees.  -180 <= west < 180, west < east <= west + 360.
struct EarthExtent
{
    double west = 0, south = 0, east = 0, north = 0;
};

// Between latitude and longitude and places among the samples: column and row of level 0, (0, 0) the middle of the
// north-western one.  Geographic coordinates, Web Mercator and transverse Mercator (UTM) are computed here, without a
// shift between datums; every other projection by GDAL, with one.  One a thread.
class InsetMap
{
public:
    // Errors, kInput, one line: no georeference; a projection that cannot be read, or not without GDAL; a corner or the
    // middle that lies nowhere on the Earth.
    static Result<InsetMap> of(const Raster& raster, const SourceOverrides& overrides = {});
    Result<InsetMap> another() const;  // for another thread

    // NaN: nowhere on the map, or on the Earth.  0.3 microseconds each, with GDAL a few.
    glm::dvec2 sampleOf(LatLong place) const;
    LatLong placeOf(glm::dvec2 sample) const;
    void samplesOf(std::span<const LatLong> places, std::span<glm::dvec2> out) const;

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    bool simple() const { return own_ && own_->isGeographic(); }  // costs next to nothing
    bool byGdal() const { return gdal_ != nullptr; }
    double metresOfColumn() const { return metres_.x; }  // between samples, at the raster's middle
    double metresOfRow() const { return metres_.y; }

    // Of the outer edges of the raster's pixels.
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
    std::unique_ptr<GdalMap> gdal_;  // where there is no own one
    std::string crs_;                // of that
    MapPoint first_;                 // on the map, of sample (0, 0)
    MapPoint column_, row_;          // from each sample to the next
    double around_ = 0;              // once around the Earth on the map; 0: a map that does not go on
    glm::dvec2 metres_{1.0};
};

}  // namespace orogen
