// Map projections that MapProjection lacks, computed by GDAL (PROJ): conversion between map coordinates and latitude
// and longitude on WGS 84, or between two coordinate systems.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/projection.h"

namespace orogen {

// A projection in both directions. Not thread-safe; each thread opens its own.
class GdalMap
{
public:
    // Opens a projection. `crs`: "EPSG:3034" or WKT; `name`: the file, for messages. Errors, kInput: not a coordinate
    // system on the Earth, a projection that GDAL cannot compute, or a program built without GDAL.
    static Result<std::unique_ptr<GdalMap>> open(const std::string& name, const std::string& crs);
    // Opens the conversion from one system to another, with the shift between their datums. Errors as open().
    static Result<std::unique_ptr<GdalMap>> between(const std::string& name, const std::string& from,
                                                    const std::string& to);
    GdalMap() = default;
    GdalMap(const GdalMap&) = delete;
    GdalMap& operator=(const GdalMap&) = delete;
    ~GdalMap();

    // Convert between places and coordinates in the map's own unit; NaN where undefined. Take about a microsecond per
    // point in large batches.
    void forward(std::span<const LatLong> places, std::span<MapPoint> out) const;
    void inverse(std::span<const MapPoint> points, std::span<LatLong> out) const;
    // Converts points in place from the first system to the second; with `back`, from the second to the first.
    void convert(std::span<MapPoint> points, bool back) const;

private:
    void* forward_ = nullptr;  // GDAL handles
    void* inverse_ = nullptr;
};

// Returns the heights of the geoid EGM96 above the ellipsoid WGS 84 (metres), bilinear in PROJ's grid with steps of 15
// minutes of arc. Takes a microsecond per place. Empty without GDAL, if PROJ finds no grid (Debian: package proj-data),
// or if it cannot convert a place.
std::optional<std::vector<double>> geoidHeights(std::span<const LatLong> places);

// Returns a file's coordinate system as WKT; empty if GDAL finds none or was not built in.
std::string wktOfFile(const std::string& name);

}  // namespace orogen
