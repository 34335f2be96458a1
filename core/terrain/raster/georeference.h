// Geographic tags of a TIFF with their GeoKeys, and their conversion: pixel size (metres), position, units, coordinate
// system. Source: OGC 19-008r4, GeoTIFF 1.1; keys and codes have the numbers given there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/projection.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// ---- tags and keys ----

// Tags as stored in the file; absent ones are empty.
struct GeoTags
{
    std::vector<double> pixelScale;        // 33550: x, y, z
    std::vector<double> tiePoints;         // 33922: column, row, 0, x, y, z for each
    std::vector<double> transformation;    // 34264: 4x4, row-major
    std::vector<std::uint16_t> directory;  // 34735
    std::vector<double> doubles;           // 34736
    std::string ascii;                     // 34737
};

enum GeoKey : std::uint16_t
{
    kModelType = 1024,   // 1 projected, 2 geographic
    kRasterType = 1025,  // 1 pixel is area, 2 pixel is point
    kCitation = 1026,
    kGeographicCrs = 2048,
    kGeographicCitation = 2049,
    kAngularUnits = 2054,
    kAngularUnitSize = 2055,  // radians
    kEllipsoidKey = 2056,
    kMajorAxis = 2057,
    kMinorAxis = 2058,
    kInverseFlattening = 2059,
    kProjectedCrs = 3072,
    kProjectedCitation = 3073,
    kProjectionCode = 3074,  // 160zz and 161zz: UTM
    kMethod = 3075,          // 1 transverse Mercator
    kLinearUnits = 3076,
    kLinearUnitSize = 3077,
    kOriginLongitude = 3080,
    kOriginLatitude = 3081,
    kFalseEasting = 3082,
    kFalseNorthing = 3083,
    kScaleAtOrigin = 3092,
    kVerticalCrs = 4096,
    kVerticalUnits = 4099,
};

// Returns the code of the UTM zone that a citation names: "EPSG:32611" for "WGS 84 / UTM zone 11N", "EPSG:26911" for
// "NAD_1983_UTM_Zone_11N". Empty for another text, datum or zone.
std::string epsgOfCitation(const std::string& citation);

// ---- georeference ----

// Affine map of a file: x = a column + b row + c, y = d column + e row + f; (0, 0) is the corner of the first pixel.
struct AffineMap
{
    double a, b, c, d, e, f;
};

struct Georeference
{
    std::optional<Placement> placement;      // empty: no pixel size
    std::optional<HeightUnit> heightUnit;    // empty: not in the tags
    std::optional<bool> aboveEllipsoid;      // as in Raster
    bool southUp = false, eastLeft = false;  // the file's rows or columns run opposite to a Raster's
    std::string crs;
    std::optional<MapProjection> projection;  // if given by its parameters
    std::vector<std::string> warnings;
};

// Returns the georeference of any tags, even contradictory ones. Error, kInput: a position that is not finite.
Result<Georeference> georeference(const std::string& name, const GeoTags& tags, int width, int height);

// Warning about a raster that is rotated or sheared in its map; it concerns only what lays the raster out as a plane.
inline constexpr std::string_view kRowsTakenAsEast =
    "the raster is rotated or sheared against its coordinate system: its rows are taken as east, its columns as south";

// Sets placement, southUp and eastLeft from a map; not the placement's unit, nor whether it is in degrees. Removes
// mirrored axes. A rotation stays in the placement, with the warning kRowsTakenAsEast.
void placeByMap(const AffineMap& map, int width, int height, Georeference& result);

// Reverses the rows or columns of a loaded raster if the file's run from south to north or from east to west.
void unmirror(Raster& raster, const Georeference& from);

// Lengths of a degree on the WGS 84 ellipsoid.
struct MetresPerDegree
{
    double east, north;
};
MetresPerDegree metresPerDegree(double latitude);

// Sets the pixel size (metres) from the raster's placement; degrees and Web Mercator are converted at its centre.
// Without a placement it is kUnknownPixel. Assumptions and approximations become warnings. Sets a missing projection
// from raster.crs. The warning of guessed units advises --crs, unless it is a `picture`, which takes none. Errors,
// kInput: a size outside 1 mm to 1000 km; a centre within 0.1 degrees of a pole.
Status setPixelSize(Raster& raster, bool picture = false);

// Outer edges of a raster's pixels in the units of its coordinate system; the bounding box of a rotated raster.
// mapExtent() returns none for a raster without a position.
struct MapExtent
{
    double west, south, east, north;
};
std::optional<MapExtent> mapExtent(const Raster& raster);

// Guesses whether a placement is in degrees: its values are small and lie on the globe.
bool looksGeographic(const Placement& placement);

}  // namespace orogen
