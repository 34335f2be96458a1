// Inset: an elevation model placed on the Earth, over coarser data. Also the mapping between its samples and the Earth.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <glm/vec2.hpp>

#include "core/base/status.h"
#include "core/planet/cube_lattice.h"
#include "core/settings.h"
#include "core/terrain/io/gdal_map.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/projection.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/sources/open_source.h"

namespace orogen {

// Extent in degrees: -180 <= west < 180, west < east <= west + 360.
struct EarthExtent
{
    double west = 0, south = 0, east = 0, north = 0;
};

// Returns the place of a scaled direction (core/planet/cube_lattice.h), without computing earth-fixed coordinates.
LatLong placeOfDirection(const glm::dvec3& scaledDirection);

// Appends the places of a grid on a face, row by row. They equal the results of placeOfDirection() except for rounding.
// Coordinates are lattice units. Where two faces meet, both give places with the same bits. Takes about 30 ns per
// place.
void addPlaces(int face, std::span<const double> columns, std::span<const double> rows, std::vector<LatLong>& places);

// Conversion between latitude and longitude and sample positions: column and row of level 0, (0, 0) at the centre of
// the north-western sample. Geographic coordinates, Web Mercator and transverse Mercator (UTM) are computed here,
// without a datum shift; all other projections by GDAL, with one. Not thread-safe.
class InsetMap
{
public:
    // Creates a map. Errors, kInput, one line: no georeference; a projection that is invalid or unknown, or needs GDAL
    // in a program without it; columns parallel to rows, or more of them than go around the Earth; a corner or the
    // centre that is not on the Earth. The messages advise how to open an elevation model instead, unless it is a
    // `picture`.
    static Result<InsetMap> of(const Raster& raster, const SourceOverrides& overrides = {}, bool picture = false);
    Result<InsetMap> another() const;  // a copy for another thread

    // Convert positions; NaN outside the map or the Earth. Take 0.3 microseconds each, with GDAL a few.
    glm::dvec2 sampleOf(LatLong place) const;
    LatLong placeOf(glm::dvec2 sample) const;
    void samplesOf(std::span<const LatLong> places, std::span<glm::dvec2> out) const;

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    bool simple() const { return own_ && own_->isGeographic(); }  // no projection to compute
    // Returns the number of columns that go once around the Earth, if the raster has as many and its columns follow
    // meridians.
    std::optional<double> period() const;
    bool byGdal() const { return gdal_ != nullptr; }
    double metresOfColumn() const { return metres_.x; }  // between samples at the raster's centre
    double metresOfRow() const { return metres_.y; }

    // Returns the extent of the outer edges of the raster's pixels.
    EarthExtent extent() const;

private:
    InsetMap() = default;
    Status place(const Raster& raster);
    Status choose(const Raster& raster, const SourceOverrides& overrides, bool picture);
    Status checkCorners() const;
    void measure();
    bool covers(LatLong place) const;
    glm::dvec2 fromMap(MapPoint point) const;

    std::string name_;
    int columns_ = 0, rows_ = 0;
    std::optional<MapProjection> own_;  // built-in projection; empty: gdal_ has it
    std::unique_ptr<GdalMap> gdal_;     // null if own_ is set
    std::string crs_;                   // for gdal_
    MapPoint first_;                    // map coordinates of sample (0, 0)
    MapPoint column_, row_;             // step between samples
    double around_ = 0;                 // circumference of the Earth in map units; 0: the map does not wrap
    glm::dvec2 metres_{1.0};
};

struct InsetRequest
{
    std::string name;  // name for openTerrain()
    SourceOverrides overrides;
    HeightDatum heights = HeightDatum::kGeoid;  // for data that do not state it
    bool operator==(const InsetRequest&) const = default;
};

// Description of an inset for users.
struct Inset
{
    std::string name;
    EarthExtent extent;
    double spacing = 0;   // metres between samples at the centre: square root of the area that one covers
    std::string note;     // coordinate system: "EPSG:32611", "EPSG:3034 by GDAL"
    std::string heights;  // surface that they count from, and their conversion
    std::vector<std::string> warnings;
};

// Returns whether a warning only concerns drawing on a plane; on the Earth each sample is at its true place.
bool isAboutPlanes(const std::string& warning);

// Rectangle of a face, in lattice units; it may extend beyond the face's edges.
struct FaceBox
{
    int face = 0;
    glm::dvec2 low{0.0}, high{0.0};

    bool meets(const FaceBox& other) const
    {
        return face == other.face && low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
               other.low.y <= high.y;
    }
    FaceBox widened(double units) const { return {face, low - units, high + units}; }
};

// Heights of the geoid above the ellipsoid under a raster: bilinear in a grid over its samples.
class GeoidUnder
{
public:
    // Returns empty if the geoid is not available, see geoidHeights(). Takes a microsecond for each square with sides
    // of a quarter of a degree.
    static std::optional<GeoidUnder> of(const InsetMap& map);

    float at(glm::dvec2 sample) const;  // metres; takes any column if the raster goes all around the Earth
    float lowest() const { return *std::ranges::min_element(heights_); }
    float highest() const { return *std::ranges::max_element(heights_); }

private:
    GeoidUnder() = default;

    int columns_ = 0, rows_ = 0;
    glm::dvec2 step_{1.0};  // in samples
    double period_ = 0;     // columns of a revolution; 0: not all around the Earth
    std::vector<float> heights_;
};

// Boxes on the faces of the cube around a raster.
class InsetArea
{
public:
    explicit InsetArea(const InsetMap& map);
    // Return whether a box of a face, or another raster, may lie within `metres` of the raster.
    bool meets(const FaceBox& box, double metres) const;
    bool meets(const InsetArea& other, double metres) const;

private:
    void extend(int face, const glm::dvec3& direction, double units);

    std::vector<FaceBox> boxes_;  // one for each face that the raster touches or comes near
};

// A georeferenced elevation model on the Earth. Immutable; shared by threads.
class EarthInset
{
public:
    // Opens an inset as an image or in tiles, as openTerrain() does. Errors: those of openTerrain() and InsetMap::of();
    // kInput for a synthetic terrain (synthetic:SIZE), which has no position.
    static Result<std::shared_ptr<const EarthInset>>
    open(const InsetRequest& request, const LoadProgress& progress = {}, TerrainTiles tiles = TerrainTiles::kAuto);

    const Inset& about() const { return about_; }
    double spacing() const { return about_.spacing; }
    // Returns the description, including heights if the inset is an image.
    const Raster& raster() const { return terrain_.raster; }
    const TileSource* tiles() const { return terrain_.tiles.get(); }  // null for an image
    // Returns the metres to subtract from the inset's heights so that they count from the geoid; 0 if they already do,
    // or if the geoid is not available.
    float aboveGeoid(glm::dvec2 sample) const { return geoid_ ? geoid_->at(sample) : 0.0f; }
    const InsetMap& map() const { return map_; }  // other threads must use another()

    // Returns the lattice units between samples of the cube that are as dense as the inset's at its centre.
    double latticeSpacing() const { return latticeSpacing_; }

    // Returns whether a box of a face may lie within `metres` of the inset.
    bool meets(const FaceBox& box, double metres) const { return area_.meets(box, metres); }
    bool meets(const EarthInset& other, double metres) const { return area_.meets(other.area_, metres); }

private:
    EarthInset(OpenedTerrain terrain, InsetMap map) : terrain_(std::move(terrain)), map_(std::move(map)), area_(map_) {}
    void describe(const SourceOverrides& overrides);
    void placeHeights(HeightDatum unstated);

    OpenedTerrain terrain_;
    InsetMap map_;
    InsetArea area_;
    std::optional<GeoidUnder> geoid_;  // set if heights count from the ellipsoid and the geoid is available
    Inset about_;
    double latticeSpacing_ = 1;
};

// Access to an inset's samples, a part of which is in memory. Not thread-safe; each thread has its own.
class InsetReader
{
public:
    static Result<std::unique_ptr<InsetReader>> open(std::shared_ptr<const EarthInset> inset);

    const EarthInset& inset() const { return *inset_; }
    const InsetMap& map() const { return map_; }

    static constexpr int kMargin = 12;  // samples of the loaded level
    // Loads the samples around a rectangle (samples of level 0), with a margin of kMargin. Clamps the rectangle to the
    // raster, but columns of a raster all around the Earth may be of any revolution. Uses the coarsest level whose
    // samples are at most `metres` apart. Uses level 0 if there is no such level, or for an image. Errors: those of
    // reading.
    Status load(glm::dvec2 low, glm::dvec2 high, double metres);

    // Returns whether a position lies in the rectangle of the raster's samples. A raster all around the Earth covers
    // any column, and half a sample more beyond its first and last row.
    bool covers(glm::dvec2 sample) const;
    glm::dvec2 nearest(glm::dvec2 sample) const;  // in the raster's rectangle
    bool around() const { return period_ > 0; }
    double period() const { return period_; }  // columns of a revolution; 0: not all around the Earth

    double step() const { return step_; }  // samples of level 0 between the loaded ones

    // Returns a bilinear height above the geoid; NaN where a contributing sample is a void. Clamps to the loaded
    // samples.
    float heightAt(glm::dvec2 sample) const;

    static constexpr int kSearch = 8;  // columns or rows of the loaded level
    // Returns the known sample nearest to a void; empty if there is none within kSearch columns or rows of the loaded
    // level, whichever are shorter.
    std::optional<glm::dvec2> nearestKnown(glm::dvec2 sample) const;
    // Returns the distance (metres) within which nearestKnown() finds every known sample.
    double searchMetres() const { return (kSearch - 1) * step_ * std::min(map_.metresOfColumn(), map_.metresOfRow()); }

    double metresBetween(glm::dvec2 a, glm::dvec2 b) const;
    std::uint64_t bytesRead() const { return tiles_ ? tiles_->bytesRead() : 0; }

private:
    InsetReader(std::shared_ptr<const EarthInset> inset, InsetMap map)
        : inset_(std::move(inset)), map_(std::move(map)), period_(map_.period().value_or(0.0))
    {
    }
    float at(int column, int row) const;
    // Return the number of the loaded level's columns in a revolution, and a position in these columns: whole and
    // fraction.
    int columnsAround() const { return int(std::ceil(period_ / step_)); }
    std::pair<int, double> columnOf(double sample) const;
    double sampleAt(int column) const;
    Status loadAround(int level);

    std::shared_ptr<const EarthInset> inset_;
    InsetMap map_;
    double period_ = 0;
    std::unique_ptr<TileReader> tiles_;  // opened at the first load
    // Loaded samples of a level: their spacing in samples of level 0, and their position among the level's.
    double step_ = 1;
    int column_ = 0, row_ = 0, width_ = 0, height_ = 0;
    const float* heights_ = nullptr;
    std::vector<float> buffer_;
};

}  // namespace orogen
