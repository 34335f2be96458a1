#include "app/model/picture_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "app/model/format.h"
#include "core/base/text.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {

namespace {

const char* compassPoint(double degrees)
{
    constexpr std::array<const char*, 8> kNames = {"N", "NE", "E", "SE", "S", "SW", "W", "NW"};
    return kNames[std::size_t(std::lround(degrees / 45)) % kNames.size()];
}

bool coarse(const PickState& pick) { return pick.samplesApart && coarseSamples(*pick.samplesApart); }

std::string heightWords(const PickState& pick)
{
    return coarse(pick) ? heightText(pick.ground.height, *pick.samplesApart) + samplesNote(*pick.samplesApart)
                        : grouped(pick.ground.height, 1) + " m";
}

// Returns a note with the sample spacing at the point; empty if unknown or already part of the height's text.
std::string samplesWords(const PickState& pick)
{
    return pick.samplesApart && !coarse(pick) ? fmt::format("   samples {} apart", metresText(*pick.samplesApart))
                                              : std::string();
}

// Returns a note with the size below which terrain detail is procedural; empty without procedural detail.
std::string syntheticWords(const PickState& pick)
{
    return pick.syntheticBelow ? fmt::format("   synthetic below {}", metresText(*pick.syntheticBelow)) : std::string();
}

}  // namespace

ScaleBar scaleBarFor(double metresPerPixel, double widest)
{
    const double most = metresPerPixel * widest;
    if (!(most > 0)) return {};
    const double power = std::pow(10.0, std::floor(std::log10(most)));
    const double part = most / power;
    const double metres = power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
    return {metres, metres / metresPerPixel};
}

int degreeDigits(double metres)
{
    constexpr double kDegree = 111'320;  // metres
    return std::clamp(int(std::lround(std::log10(kDegree / std::max(metres, 1e-3)))), 0, 6);
}

std::string placeWords(const Geodetic& place, double height)
{
    const int digits = std::clamp(6 - int(std::log10(std::max(height, 1.0))), 1, 6);
    return placeText(place.latitude, place.longitude, digits);
}

std::vector<std::string> pickLines(const PickState& pick)
{
    const GroundPoint& ground = pick.ground;
    const double percent = 100 * std::tan(ground.slope * (std::numbers::pi / 180.0));
    std::vector<std::string> lines;
    lines.push_back(ground.isVoid ? std::string("no data") : "height " + heightWords(pick));
    if (pick.waterAbove)
        lines.back() += fmt::format("   {} of water above", metresText(*pick.waterAbove));
    else if (!ground.isVoid)
        lines.back() += fmt::format(
            "   slope {:.1f}°{}{}", ground.slope,
            coarse(pick) ? std::string() : fmt::format(" ({:.0f} %)", percent),  // coarse samples: omitted for space
            ground.slope < 0.5 ? std::string() : fmt::format(" to {}", compassPoint(ground.aspect)));
    lines.push_back(pick.coordinates + samplesWords(pick));
    lines.push_back("distance " + metresText(pick.distance) + syntheticWords(pick));
    if (pick.leaf)
        lines.push_back(fmt::format("leaf {:#x}   depth {}   error {} px   edge {} px", pick.leaf->id, pick.leaf->depth,
                                    grouped(pick.leaf->errorPixels, pick.leaf->errorPixels < 10 ? 2 : 0),
                                    grouped(pick.leaf->edgePixels, 1)));
    else
        lines.push_back("leaf …");
    return lines;
}

}  // namespace orogen::app
