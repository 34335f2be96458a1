#include "core/planet/place_text.h"

#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/base/text.h"

namespace orogen {
namespace {

// Formats an angle; one that rounds to zero gets the positive letter.
std::string hemisphereText(double degrees, int digits, char positive, char negative, std::string_view unit = "")
{
    const std::string text = fixedText(degrees, digits);
    const bool below = text.front() == '-';
    return fmt::format("{}{} {}", std::string_view(text).substr(below ? 1 : 0), unit, below ? negative : positive);
}

double wrapped(double longitude) { return std::fabs(longitude) > 180 ? std::remainder(longitude, 360.0) : longitude; }

}  // namespace

Status checkPlace(const Geodetic& place)
{
    struct Bound
    {
        std::string_view what, unit;
        double value, least, most;
    };
    const std::array<Bound, 3> bounds = {{{"latitude", "degrees", place.latitude, -90, 90},
                                          {"longitude", "degrees", place.longitude, -180, 180},
                                          {"height", "m", place.height, kLowestGround, kMostEarthHeight}}};
    for (const Bound& bound : bounds)
        if (!(bound.value >= bound.least && bound.value <= bound.most))
            return Error{ExitCode::kUsage, fmt::format("{}: found {:g}, expected {:.10g} to {:.10g} {}", bound.what,
                                                       bound.value, bound.least, bound.most, bound.unit)};
    return Status::ok();
}

Result<Geodetic> placeIn(std::string_view text)
{
    std::array<std::optional<double>, 3> numbers;
    std::string_view rest = text;
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        const auto comma = i < 2 ? rest.find(',') : rest.npos;
        numbers[i] = numberIn<double>(trimmed(rest.substr(0, comma)));
        rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
        if (!numbers[i])
            return Error{ExitCode::kUsage, fmt::format("found '{}', expected LAT,LON,HEIGHT in degrees and metres, as "
                                                       "46.55,7.98,4000",
                                                       printableStart(text))};
    }
    const Geodetic place{*numbers[0], *numbers[1], *numbers[2]};
    if (const Status status = checkPlace(place); !status) return status.error();
    return place;
}

std::string latitudeText(double degrees, int digits) { return hemisphereText(degrees, digits, 'N', 'S'); }

std::string longitudeText(double degrees, int digits) { return hemisphereText(wrapped(degrees), digits, 'E', 'W'); }

std::string placeText(double latitude, double longitude, int digits)
{
    constexpr std::string_view kDegrees = "\u00b0";
    return hemisphereText(latitude, digits, 'N', 'S', kDegrees) + ", " +
           hemisphereText(wrapped(longitude), digits, 'E', 'W', kDegrees);
}

std::string degreesText(double west, double south, double east, double north, int digits)
{
    return fmt::format("{} to {}, {} to {}", latitudeText(south, digits), latitudeText(north, digits),
                       longitudeText(west, digits), longitudeText(east, digits));
}

}  // namespace orogen
