#include "core/planet/geodesic.h"

#include <geodesic.h>

namespace orogen {
namespace {

const geod_geodesic& wgs84()
{
    static const geod_geodesic figure = [] {
        geod_geodesic made;
        geod_init(&made, kEarthEquatorRadius, 1 / 298.257223563);
        return made;
    }();
    return figure;
}

double clockwise(double azimuth) { return azimuth < 0 ? azimuth + 360 : azimuth; }

}  // namespace

Geodesic::Geodesic(const Geodetic& from, const Geodetic& to)
{
    double end = 0;
    geod_inverse(&wgs84(), from.latitude, from.longitude, to.latitude, to.longitude, &length_, &azimuth_, &end);
    auto line = std::make_shared<geod_geodesicline>();
    geod_lineinit(line.get(), &wgs84(), from.latitude, from.longitude, azimuth_,
                  GEOD_LATITUDE | GEOD_LONGITUDE | GEOD_DISTANCE_IN);
    line_ = std::move(line);
    azimuth_ = clockwise(azimuth_);
    finalAzimuth_ = clockwise(end);
}

Geodetic Geodesic::at(double metres) const
{
    Geodetic place;
    geod_position(line_.get(), metres, &place.latitude, &place.longitude, nullptr);
    return place;
}

}  // namespace orogen
