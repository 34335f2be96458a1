// Conversion of the geographic tags of a TIFF: pixel size (metres), position, units, coordinate system.
// Source: OGC 19-008r4, GeoTIFF 1.1; keys and codes have the numbers given there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/geo_keys.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Affine map of a file: x = a column + b row + c, y = d column + e row + f; (0, 0) is the corner of the first pixel.
struct AffineMap
{
    double a, b, c, d, e, f;
};

struct Georeference
{
    std::optional<Placement> placement;      // empty: no pixel size
    std::optional<HeightUnit> heightUnit;    // empty: not in the tags
    bool southUp = false, eastLeft = false;  // the file's rows or columns run opposite to a Raster's
    std::string crs;
    std::optional<MapProjection> projection;  // if given by its parameters
    std::vector<std::string> warnings;
};

// Returns the georeference of any tags, even contradictory ones, or an error that names the file.
Result<Georeference> georeference(const std::string& name, const GeoTags& tags, int width, int height);

// Sets placement (except its unit and kind), southUp and eastLeft from a map, removing rotation and mirrored axes.
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
// Without a placement it is kUnknownPixel. Assumptions and approximations become warnings. Sets the projection from
// raster.crs if there is none yet. Errors: a size outside 1 mm to 1000 km, or a centre beyond a pole.
Status setPixelSize(Raster& raster);
Status checkPixelSize(const Raster& raster);  // reports the size error only

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
