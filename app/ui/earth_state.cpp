#include "app/ui/earth_state.h"

#include <algorithm>
#include <cmath>

#include "core/planet/place_text.h"

namespace orogen::app {

ScaleBar scaleBarFor(double metresPerPixel, double widest)
{
    const double most = metresPerPixel * widest;
    if (!(most > 0)) return {};
    const double power = std::pow(10.0, std::floor(std::log10(most)));
    const double part = most / power;
    const double metres = power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
    return {metres, metres / metresPerPixel};
}

std::string placeWords(const Geodetic& place, double height)
{
    const int digits = std::clamp(6 - int(std::log10(std::max(height, 1.0))), 1, 6);
    return placeText(place.latitude, place.longitude, digits);
}

}  // namespace orogen::app
