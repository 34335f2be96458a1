#include "core/colour/colour_ramp.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <glm/common.hpp>

namespace orogen {
namespace {

constexpr double kLeastSpan = 1e-6;  // metres; a ramp laid over a smaller range becomes a step

// Returns a span that is not 0, with the sign of `span`.
double notZero(double span) { return std::abs(span) > kLeastSpan ? span : std::copysign(kLeastSpan, span); }

bool hingesWithin(const ColourRamp& ramp)
{
    return ramp.hinge && ramp.low() < *ramp.hinge && *ramp.hinge < ramp.high();
}

}  // namespace

double RampStretch::height(double position) const
{
    if (above == 0 || below == 0) return at + (position - hinge) / (above + below);
    const bool low = (position < hinge) == (below > 0);
    return at + (position - hinge) / (low ? below : above);
}

RampStretch stretched(const ColourRamp& ramp, double low, double high)
{
    // The hinge keeps its own height: the sea level of a colour table stays at 0 m.
    if (hingesWithin(ramp) && low < high)
    {
        const double at = *ramp.hinge;
        const double under = (at - ramp.low()) / notZero(at - low), over = (ramp.high() - at) / notZero(high - at);
        if (low < at && at < high) return {at, at, under, over};
        // Heights on one side of the hinge take the colours of that side.
        if (low >= at) return {low, at, 0, (ramp.high() - at) / notZero(high - low)};
        const double just = at - 1e-6 * (at - ramp.low());
        return {high, just, (just - ramp.low()) / notZero(high - low), 0};
    }
    const double factor = (ramp.high() - ramp.low()) / notZero(high - low);
    return {low, ramp.low(), factor, factor};
}

RampStretch laid(const ColourRamp& ramp, double low, double high)
{
    if (ramp.range) return stretched(ramp, ramp.range->first, ramp.range->second);
    return ramp.relative ? stretched(ramp, low, high) : RampStretch{};
}

ColourRamp ownRamp(World world)
{
    ColourRamp ramp;
    ramp.relative = true;
    ramp.pieces = {{0, 1, glm::dvec3(0.0), glm::dvec3(1.0)}};
    if (world == World::kPlane) return ramp;
    ramp.pieces.insert(ramp.pieces.begin(), {-1, 0, glm::dvec3(0.0), glm::dvec3(1.0)});
    ramp.hinge = 0;
    return ramp;
}

RampStretch stretchOf(const ColourRamp* ramp, const Settings& settings, const HeightRange& terrain,
                      const std::optional<HeightRange>& view)
{
    const ColourRamp own = ramp ? ColourRamp() : ownRamp(settings.world);
    const ColourRamp& shown = ramp ? *ramp : own;
    const Settings::Render& render = settings.render;
    if (render.tintRange == TintRange::kFixed) return stretched(shown, double(render.tintLow), double(render.tintHigh));
    if (render.tintRange == TintRange::kView && view) return stretched(shown, view->low, view->high);
    return laid(shown, terrain.low, terrain.high);
}

glm::dvec3 colourAt(const ColourRamp& ramp, double position)
{
    if (ramp.cyclic)
    {
        const double span = ramp.high() - ramp.low(), turns = (position - ramp.low()) / span;
        position = ramp.low() + span * (turns - std::floor(turns));
    }
    if (position < ramp.low()) return ramp.below.value_or(ramp.pieces.front().from);
    if (position > ramp.high()) return ramp.above.value_or(ramp.pieces.back().to);
    const auto next = std::upper_bound(ramp.pieces.begin(), ramp.pieces.end(), position,
                                       [](double value, const RampPiece& piece) { return value < piece.low; });
    const RampPiece& piece = next == ramp.pieces.begin() ? *next : *(next - 1);
    const double t = (position - piece.low) / (piece.high - piece.low);
    return glm::mix(piece.from, piece.to, std::clamp(t, 0.0, 1.0));
}

std::vector<glm::vec4> rampTexels(const ColourRamp& ramp)
{
    std::vector<glm::vec4> texels;
    texels.reserve(2 * ramp.pieces.size());
    for (const RampPiece& piece : ramp.pieces)
        texels.emplace_back(glm::vec3(piece.from), float(piece.low));
    for (const RampPiece& piece : ramp.pieces)
        texels.emplace_back(glm::vec3(piece.to), float(piece.high));
    return texels;
}

bool isRampName(std::string_view file)
{
    const auto ends = [&](std::string_view end) {
        const auto alike = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
        return file.size() >= end.size() && std::ranges::equal(file.substr(file.size() - end.size()), end, alike);
    };
    return ends(".cpt") || ends(".qml");
}

}  // namespace orogen
