// An elevation model in memory: heights in metres on a regular grid, and what its file said about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/height_unit.h"
#include "core/terrain/raster/projection.h"

namespace orogen {

inline constexpr int kMaxRasterSide = 65'536;  // samples; what claims more is malformed

// Where the samples lie, in the units of the source's coordinate system (degrees, metres, feet).
struct Placement
{
    bool geographic = false;                 // degrees: x is longitude, y latitude
    bool positioned = true;                  // false: only the steps are known, x and y are 0
    double x = 0, y = 0;                     // of sample (0, 0): of the point itself, not of the corner of its pixel
    double stepEast = 1.0, stepSouth = 1.0;  // from one sample to the next, both positive
    double unit = 1.0;                       // metres, where they are no degrees
    // Directions of a row and of a column, of length 1: others than these where the raster is rotated in its map.
    MapPoint eastward = {1.0, 0.0}, southward = {0.0, -1.0};
    bool guessed = false;  // `geographic` is what the numbers look like: the source does not say

    // From one sample to the next in a row, and in a column.
    MapPoint column() const { return {stepEast * eastward.x, stepEast * eastward.y}; }
    MapPoint row() const { return {stepSouth * southward.x, stepSouth * southward.y}; }
    bool upright() const { return eastward.y == 0 && southward.x == 0; }
};

// How a source's samples became heights in metres.
struct SampleCode
{
    double scale = 1.0, offset = 0.0;  // what the source says: scale * sample + offset, in its unit of height
    double unit = 1.0;                 // metres of that unit

    // As the readers compute it, bit for bit, so that a sample is found again among the heights.
    float heightOf(double sample) const
    {
        const bool plain = scale == 1.0 && offset == 0.0;
        const float height = plain ? float(sample) : float(sample * scale + offset);
        return unit == 1.0 ? height : float(double(height) * unit);
    }
};

// Row 0 is the northern edge, column 0 the western.  Samples lie on grid points: the terrain is (width - 1) pixels
// wide.
struct Raster
{
    int width = 0, height = 0;
    std::vector<float> heights;  // metres, row-major; NaN where the source has no data (a void)
    double pixelWidth = 1.0;     // metres; for geographic rasters at the raster's centre
    double pixelHeight = 1.0;
    float minHeight = 0, maxHeight = 0;  // of the known samples; 0 if there is none
    std::uint64_t voids = 0;

    std::string name;    // what the user asked for: a path or "synthetic:4096:7"
    std::string format;  // "GeoTIFF", "TIFF", "PNG", "HGT", "raw", "synthetic", "HGT tiles", GDAL's short name, ...
    std::string crs;     // "EPSG:32611", "geographic", a citation from the file; empty if unknown
    int bits = 16;       // of a sample in the source
    bool fractional = false;  // its samples are floating ones
    bool synthetic = false;
    SampleCode code;
    std::optional<double> nodata;             // the sample that means "no data", as the source or the caller says
    std::optional<HeightUnit> heightUnit;     // of the source; empty: nobody says, read as metres
    std::optional<Placement> placement;       // empty: the source does not say, not even a pixel size
    std::optional<MapProjection> projection;  // of `crs`, or as the source spells it out; empty: not known
    std::vector<std::string> warnings;        // one line each

    float at(int x, int y) const { return heights[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    double east() const { return (width - 1) * pixelWidth; }     // extent in metres
    double north() const { return (height - 1) * pixelHeight; }  // extent in metres
};

// Called now and then while a raster is loaded or made, with the fraction done in [0, 1] and what is being done;
// returning false stops (the result is then an Error with ExitCode::kInterrupted).
using LoadProgress = std::function<bool(double fraction, const std::string& what)>;

// One arc second, the spacing of the elevation models that are most used.
inline constexpr double kUnknownPixel = 30.0;

// Height in metres at a point of the world: x east, y north in metres from the raster's centre.  Bilinear; a point
// outside gets the height of the nearest edge; NaN where a sample that counts is a void.
float heightAt(const Raster& raster, double east, double north);

}  // namespace orogen
