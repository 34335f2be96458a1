// Maps that MapProjection does not know, by GDAL (PROJ): between latitude and longitude on WGS 84 and their
// coordinates.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/base/status.h"
#include "core/terrain/raster/projection.h"

namespace orogen {

// One a thread.
class GdalMap
{
public:
    // `crs`: "EPSG:3034" or WKT; `name`: of the file, for messages.
    // Errors, kInput: not a coordinate system on the Earth; the program was built without GDAL: a sentence that says
    // so.
    static Result<std::unique_ptr<GdalMap>> open(const std::string& name, const std::string& crs);
    GdalMap() = default;
    GdalMap(const GdalMap&) = delete;
    GdalMap& operator=(const GdalMap&) = delete;
    ~GdalMap();

    // In the map's own unit.  What has no counterpart becomes NaN.  About a microsecond each, in lots.
    void forward(std::span<const LatLong> places, std::span<MapPoint> out) const;
    void inverse(std::span<const MapPoint> points, std::span<LatLong> out) const;

private:
    void* forward_ = nullptr;  // of GDAL
    void* inverse_ = nullptr;
};

// What a file says of its coordinate system, as WKT; empty: nothing that GDAL reads, or there is no GDAL.
std::string wktOfFile(const std::string& name);

}  // namespace orogen
