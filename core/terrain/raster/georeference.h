// From the geographic tags of a TIFF to metres: pixel size, position, units, coordinate system.
// Source: OGC 19-008r4, GeoTIFF 1.1; keys and codes are quoted by their numbers there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/geo_keys.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// The affine map of a file: x = a column + b row + c, y = d column + e row + f, (0, 0) the corner of the first pixel.
struct AffineMap
{
    double a, b, c, d, e, f;
};

struct Georeference
{
    std::optional<Placement> placement;      // empty: no pixel size
    std::optional<HeightUnit> heightUnit;    // empty: the tags do not say
    bool southUp = false, eastLeft = false;  // the file's rows or columns run the other way round than a Raster's
    std::string crs;
    std::optional<MapProjection> projection;  // where the keys spell one out
    std::vector<std::string> warnings;
};

// Any tags, also ones that contradict each other, give a georeference or an error that names the file.
Result<Georeference> georeference(const std::string& name, const GeoTags& tags, int width, int height);

// Takes rotation and mirrored axes out of the map: sets placement (all but its unit and kind), southUp and eastLeft.
void placeByMap(const AffineMap& map, int width, int height, Georeference& result);

// Turns the rows and columns of a loaded raster round, where the file's run south to north or east to west.
void unmirror(Raster& raster, const Georeference& from);

// Length of a degree on the WGS 84 ellipsoid.
struct MetresPerDegree
{
    double east, north;
};
MetresPerDegree metresPerDegree(double latitude);

// Pixel size in metres from the raster's placement, degrees and Web Mercator at its centre; kUnknownPixel where there
// is none.  What is assumed or approximated becomes a warning.  The projection is that of raster.crs where it is not
// there yet.  Error: a size outside 1 mm to 1000 km, or a centre beyond a pole.
Status setPixelSize(Raster& raster);
Status checkPixelSize(const Raster& raster);  // the latter error

// Where the outer edges of a raster's pixels lie in its coordinate system, in that system's units; of a rotated raster
// the box around it.  Empty: it has no position.
struct MapExtent
{
    double west, south, east, north;
};
std::optional<MapExtent> mapExtent(const Raster& raster);

// Whether a placement whose source does not say is in degrees: they are small and lie on the globe.
bool looksGeographic(const Placement& placement);

}  // namespace orogen
