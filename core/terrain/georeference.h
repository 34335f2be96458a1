// From the geographic tags of a TIFF to metres: pixel size, position, units, coordinate system.
// Source: OGC 19-008r4, GeoTIFF 1.1; keys and codes are quoted by their numbers there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/status.h"
#include "core/terrain/raster.h"

namespace orogen {

// The tags as they stand in the file; empty where it has none.
struct GeoTags
{
    std::vector<double> pixelScale;        // 33550: x, y, z
    std::vector<double> tiePoints;         // 33922: column, row, 0, x, y, z of each
    std::vector<double> transformation;    // 34264: 4x4, row-major
    std::vector<std::uint16_t> directory;  // 34735
    std::vector<double> doubles;           // 34736
    std::string ascii;                     // 34737
};

struct Georeference
{
    std::optional<Placement> placement;
    double pixelWidth = kUnknownPixel, pixelHeight = kUnknownPixel;  // metres
    double heightUnit = 1.0;                                         // metres
    bool southUp = false, eastLeft = false;  // the file's rows or columns run the other way round than a Raster's
    std::string crs;
    std::vector<std::string> warnings;
};

// Total: any tags, also ones that contradict each other, give a georeference or an error that names the file.
Result<Georeference> georeference(const std::string& name, const GeoTags& tags, int width, int height);

// Length of a degree on the WGS 84 ellipsoid.
struct MetresPerDegree
{
    double east, north;
};
MetresPerDegree metresPerDegree(double latitude);

// Pixel size in metres of a placement whose steps are degrees, at the raster's centre, or whose steps are `unit`
// metres. Error: a size outside 1 mm to 1000 km, or a centre beyond a pole.
struct PixelMetres
{
    double width, height;
    std::vector<std::string> warnings;  // where one size for the whole raster is an approximation worth a word
};
Result<PixelMetres> pixelMetres(const std::string& name, const Placement& placement, int height, double unit = 1.0);

}  // namespace orogen
