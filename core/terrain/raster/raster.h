// An elevation model in memory: heights (metres) on a regular grid, and its metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/projection.h"

namespace orogen {

// Unit of height in an elevation model.
enum class HeightUnit
{
    kMetre,
    kFoot,    // international: 0.3048 m
    kUsFoot,  // US survey foot: 1200 / 3937 m
};

double metresOf(HeightUnit unit);
std::string_view nameOf(HeightUnit unit);                          // "metre", "foot", "us-foot", as in --unit
std::optional<HeightUnit> heightUnitNamed(std::string_view name);  // for exactly these names

// Returns the unit for a file's text in any case: "m", "meters", "ft", "US survey foot", "ftUS", ...; empty if unknown.
std::optional<HeightUnit> heightUnitOfWords(std::string_view words);
// Returns the unit for an EPSG unit code: 9001, 9002, 9003.
std::optional<HeightUnit> heightUnitOfEpsg(int unit);
// Returns the unit of a vertical system in the EPSG registry (6360: US survey feet); empty if unknown.
std::optional<HeightUnit> heightUnitOfVerticalCrs(int crs);
// Returns whether heights count from the ellipsoid (true) or from the geoid (false); empty if not stated. Takes the
// EPSG codes of a file's vertical and of its geographic system.
std::optional<bool> aboveEllipsoid(int verticalCrs, int geographicCrs);
// Returns whether a vertical system of the EPSG registry has depths, positive downwards, instead of heights.
bool countsDownwards(int crs);

inline constexpr int kMaxRasterSide = 65'536;  // samples; larger claims are malformed

// Position of the samples, in units of the source's coordinate system (degrees, metres, feet).
struct Placement
{
    bool geographic = false;                 // degrees: x is longitude, y latitude
    bool positioned = true;                  // false: only the steps are known, x and y are 0
    double x = 0, y = 0;                     // position of sample (0, 0), not of the corner of its pixel
    double stepEast = 1.0, stepSouth = 1.0;  // distance between samples, > 0
    double unit = 1.0;                       // metres per unit, if not geographic
    // Unit vectors along a row and a column; they differ from the defaults if the raster is rotated in its map.
    MapPoint eastward = {1.0, 0.0}, southward = {0.0, -1.0};
    bool guessed = false;  // `geographic` was derived from the numbers; the source does not state it

    // Return the step between samples in a row, and in a column.
    MapPoint column() const { return {stepEast * eastward.x, stepEast * eastward.y}; }
    MapPoint row() const { return {stepSouth * southward.x, stepSouth * southward.y}; }
    bool upright() const { return eastward.y == 0 && southward.x == 0; }
};

// Conversion of a source's samples to heights in metres.
struct SampleCode
{
    double scale = 1.0, offset = 0.0;  // from the source: scale * sample + offset, in its unit of height
    double unit = 1.0;                 // metres per unit

    // Computes the height bit for bit as the readers do, so that a sample can be found among the heights.
    float heightOf(double sample) const
    {
        const bool plain = scale == 1.0 && offset == 0.0;
        const float height = plain ? float(sample) : float(sample * scale + offset);
        return unit == 1.0 ? height : float(double(height) * unit);
    }
};

// A grid of heights. Row 0 is the northern edge, column 0 the western. Samples lie on grid points: the terrain is
// (width - 1) pixels wide.
struct Raster
{
    int width = 0, height = 0;
    std::vector<float> heights;  // metres, row-major; NaN where the source has no data (a void)
    double pixelWidth = 1.0;     // metres; geographic rasters: at the centre
    double pixelHeight = 1.0;
    float minHeight = 0, maxHeight = 0;  // range of the known samples; 0 without any
    std::uint64_t voids = 0;

    std::string name;         // as requested by the user: a path or "synthetic:4096:7"
    std::string format;       // for users: "GeoTIFF", "HGT tiles", "synthetic", GDAL's short name, ...
    std::string crs;          // "EPSG:32611", "geographic", a citation from the file; empty if unknown
    int bits = 16;            // per sample in the source
    bool fractional = false;  // floating-point samples
    bool synthetic = false;
    SampleCode code;
    std::optional<double> nodata;             // sample value for "no data", from the source or the caller
    std::optional<HeightUnit> heightUnit;     // the source's unit; empty: unknown, read as metres
    std::optional<bool> aboveEllipsoid;       // heights count from the ellipsoid, or the geoid; empty: not stated
    std::optional<Placement> placement;       // empty: unknown, including the pixel size
    std::optional<MapProjection> projection;  // from `crs` or the source's parameters; empty: unknown
    std::vector<std::string> warnings;        // one line each

    float at(int x, int y) const { return heights[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    double east() const { return (width - 1) * pixelWidth; }     // extent in metres
    double north() const { return (height - 1) * pixelHeight; }  // extent in metres
};

// Callback during loading, with the fraction done in [0, 1] and a description of the step. Returning false stops the
// load; the result is then an Error with ExitCode::kInterrupted.
using LoadProgress = std::function<bool(double fraction, const std::string& what)>;

// Pixel size (metres) of a source that gives none: an arc second, as in the most common models.
inline constexpr double kUnknownPixel = 30.0;

// Returns the height (metres) at a point, bilinearly; x east, y north in metres from the raster's centre. A point
// outside gets the height of the nearest edge; NaN where a contributing sample is a void.
float heightAt(const Raster& raster, double east, double north);

}  // namespace orogen
