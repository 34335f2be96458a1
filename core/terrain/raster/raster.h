// An elevation model in memory: heights (metres) on a regular grid, and its metadata.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/projection.h"

namespace orogen {

// A box of samples, cells or entries of a grid: columns and rows, half-open.
struct IndexBox
{
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    bool empty() const { return x0 >= x1 || y0 >= y1; }
    bool operator==(const IndexBox&) const = default;
};

// Returns the smallest box around two boxes. An empty box does not count.
inline IndexBox joined(const IndexBox& a, const IndexBox& b)
{
    if (a.empty()) return b;
    if (b.empty()) return a;
    return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

// Returns the part of a box inside width x height.
inline IndexBox clipped(const IndexBox& box, int width, int height)
{
    return {std::max(box.x0, 0), std::max(box.y0, 0), std::min(box.x1, width), std::min(box.y1, height)};
}

// Returns the box with `by` more on each side.
inline IndexBox widened(const IndexBox& box, int by) { return {box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by}; }

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
// Returns the unit for an EPSG unit code: 9001, 9002, 9003; empty for others.
std::optional<HeightUnit> heightUnitOfEpsg(int unit);
// Returns the unit of a vertical system in the EPSG registry (6360: US survey feet); empty if unknown.
std::optional<HeightUnit> heightUnitOfVerticalCrs(int crs);
// Returns whether heights count from the ellipsoid (true) or from the geoid (false); empty if not stated. Takes the
// EPSG codes of a file's vertical and of its geographic system.
std::optional<bool> aboveEllipsoid(int verticalCrs, int geographicCrs);
// Returns whether a vertical system of the EPSG registry has depths, positive downwards, instead of heights.
bool countsDownwards(int crs);

inline constexpr int kMaxRasterSide = 65'536;  // limit for rasters that are read as a whole (samples)

// Position of the samples, in units of the source's coordinate system (degrees, metres, feet).
struct Placement
{
    bool geographic = false;                 // degrees: x is longitude, y latitude
    bool positioned = true;                  // false: only the steps are known, not x and y
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
    std::string crs;          // "EPSG:32611", "geographic", "projected", a citation or "unnamed (...)"; empty: unknown
    int bits = 16;            // per sample in the source
    bool fractional = false;  // floating-point samples
    bool synthetic = false;
    SampleCode code;
    std::optional<double> nodata;             // sample value for "no data", from the source or the caller
    std::optional<HeightUnit> heightUnit;     // the source's unit; empty: unknown, read as metres
    std::optional<bool> aboveEllipsoid;       // heights count from the ellipsoid; false: the geoid; empty: not stated
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

// Pixel size (metres) of a source that gives none: about an arc second, as in the most common models.
inline constexpr double kUnknownPixel = 30.0;

// Returns the height (metres) at a point, bilinearly. `east`, `north`: metres from the raster's centre. A point outside
// gets the height of the nearest edge; NaN where a contributing sample is a void.
float heightAt(const Raster& raster, double east, double north);

// Helpers of all raster readers: one-line errors, memory checks before allocation, progress.

inline constexpr float kVoid = std::numeric_limits<float>::quiet_NaN();  // height of a sample without data
// Limit of valid heights (metres). Larger values are markers such as -3.4e38, and would overflow computations.
inline constexpr float kLargestHeight = 1e7f;

// Returns "NAME: WHAT" with ExitCode::kInput, printable.
Error inputError(std::string_view name, std::string_view what);

// Returns kInput unless 2 <= width, height <= largest.
Status checkSides(const std::string& name, std::uint64_t width, std::uint64_t height,
                  std::uint64_t largest = kMaxRasterSide);

// Sets width and height, and reserves the memory of the heights. A reader appends them as it decodes, so that a false
// size in a file fills no memory. `extraBytes`: further memory of the reader. Errors: kLimit; those of checkSides().
Status reserveHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes = 0);

// Like reserveHeights(), and fills the heights with voids.
Status allocateHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes = 0);

// Reporter of a reader's progress to LoadProgress, at most about a hundred times.
class Progress
{
public:
    Progress(const LoadProgress& callback, std::string what) : callback_(callback), what_(std::move(what)) {}
    // Returns false if the reader must stop and return interrupted().
    bool at(std::uint64_t done, std::uint64_t total);
    Error interrupted() const;

private:
    const LoadProgress& callback_;
    std::string what_;
    int lastPercent_ = -1;
};

// Completes a raster: sets its name, extremes and number of voids, turns invalid heights into voids, and warns about
// improbable heights.
void finishRaster(Raster& raster, std::string name);

// Adds a warning if the raster's extremes do not occur on Earth; called by finishRaster().
void warnOfImprobableHeights(Raster& raster);

}  // namespace orogen
