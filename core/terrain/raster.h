// An elevation model in memory: heights in metres on a regular grid, and what its file said about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/status.h"

namespace orogen {

// Row 0 is the northern edge, column 0 the western.  Samples lie on grid points: the terrain is (width - 1) pixels wide.
struct Raster
{
    int width = 0, height = 0;
    std::vector<float> heights;  // metres, row-major; NaN where the source has no data (a void)
    double pixelWidth = 1.0;     // metres; for geographic rasters at the raster's centre
    double pixelHeight = 1.0;
    float minHeight = 0, maxHeight = 0;  // of the known samples; 0 if there is none
    std::uint64_t voids = 0;

    std::string name;    // what the user asked for: a path or "synthetic:4096:7"
    std::string format;  // "GeoTIFF", "PNG", "HGT", "raw", "synthetic", ...
    std::string crs;     // "EPSG:32611", "geographic", empty if unknown
    int bits = 16;       // of a sample in the source
    bool synthetic = false;
    std::vector<std::string> warnings;

    float at(int x, int y) const { return heights[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    double east() const { return (width - 1) * pixelWidth; }     // extent in metres
    double north() const { return (height - 1) * pixelHeight; }  // extent in metres
};

// Called now and then while loading, with the fraction done in [0, 1] and what is being done; returning false stops
// (the result is then an Error with ExitCode::kInterrupted).
using LoadProgress = std::function<bool(double fraction, const std::string& what)>;

// Opens what the command line calls a DEM: a file (PNG, GeoTIFF, .hgt, raw named NAME_WIDTHxHEIGHT.raw, what GDAL reads
// where it was built in), a folder of tiles that form one raster, or "synthetic:SIZE[:SEED]".
// Errors: kInput (one line: file, place, found, expected), kLimit (does not fit in memory).
Result<Raster> loadRaster(const std::string& dem, const LoadProgress& progress = {});

}  // namespace orogen
