// Colour ramps by height, from files of GMT (.cpt) and QGIS (.qml).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "core/base/status.h"
#include "core/settings.h"

namespace orogen {

// Positions from `low` to `high`: heights in metres; in a relative ramp numbers without unit, from 0 or -1 to 1.
// The colour changes linearly from `from` to `to` (sRGB, 0 ... 1).
struct RampPiece
{
    double low = 0, high = 1;
    glm::dvec3 from{0.0}, to{0.0};

    bool operator==(const RampPiece&) const = default;
};

struct ColourRamp
{
    static constexpr std::size_t kMostPieces = 4096;
    static constexpr std::uint64_t kLargestFile = 16u << 20;  // bytes

    std::vector<RampPiece> pieces;                   // ascending and without gaps; at least one
    std::optional<glm::dvec3> below, above;          // colours outside the pieces; empty: those of the ends
    std::optional<glm::dvec3> none;                  // colour of ground without data
    std::optional<std::pair<double, double>> range;  // heights (metres) over which the file lays the ramp
    std::optional<double> hinge;  // position that splits the ramp; both sides are stretched separately
    bool relative = false;        // the ramp has no heights of its own: it is laid over the terrain's heights
    bool cyclic = false;          // the pieces repeat below and above

    double low() const { return pieces.front().low; }
    double high() const { return pieces.back().high; }

    bool operator==(const ColourRamp&) const = default;
};

// Map from a height (metres) to a position in a ramp: hinge + (height - at) * (below or above).  The factor is
// `below` for heights under `at`, and `above` for others.
struct RampStretch
{
    double at = 0, hinge = 0, below = 1, above = 1;

    double position(double height) const { return hinge + (height - at) * (height < at ? below : above); }
    double height(double position) const;  // inverse of position()
};

struct HeightRange
{
    double low = 0, high = 0;  // metres, without vertical exaggeration

    bool operator==(const HeightRange&) const = default;
};

// Returns the map that lays a ramp over heights from `low` to `high` (metres); low > high reverses the ramp.  A hinge
// between `low` and `high` stays at its height.
RampStretch stretched(const ColourRamp& ramp, double low, double high);
// Returns the map that lays a ramp over its own range.  Without a range, a relative ramp is laid over the given
// heights; any other ramp keeps its own heights.
RampStretch laid(const ColourRamp& ramp, double low, double high);

// Returns a ramp with the range of positions of the program's own colours: 0 to 1 on a plane.  On the Earth, -1 to 0 is
// the sea's floor and 0 to 1 is land.  The colours themselves are in shaders/shading/tints.glsl; those of this ramp are
// greys.
ColourRamp ownRamp(World world);
inline constexpr HeightRange kEarthTints{-8000, 6000};  // heights of positions -1 and 1 on the Earth

// Returns how the settings lay `ramp` over heights; null: the program's own ramp.  `terrain`: the terrain's heights on
// a plane, kEarthTints on the Earth; `view`: heights of the ground in view, empty if unknown.
RampStretch stretchOf(const ColourRamp* ramp, const Settings& settings, const HeightRange& terrain,
                      const std::optional<HeightRange>& view);

// Returns the colour at a position (sRGB, 0 ... 1); shaders/shading/ramp.glsl computes the same.
glm::dvec3 colourAt(const ColourRamp& ramp, double position);

// Returns two rows of texels, one texel (colour, position) per piece: the first row for the low ends, the second for
// the high ends.
std::vector<glm::vec4> rampTexels(const ColourRamp& ramp);

// Reads a file, as QGIS XML if it begins with '<', else as a table of GMT.  GMT's modifiers may follow the name of a
// table: +U and +u with a unit (e, f, k, M, n, u), +h with a height.  Error kInput: the file is unreadable, or a line
// (named) is wrong.  Error kLimit: no memory.  parseCpt() and parseQml() read the text of the file `source`.
Result<ColourRamp> readRamp(const std::string& name);
Result<ColourRamp> parseCpt(std::string_view text, const std::string& source);
Result<ColourRamp> parseQml(std::string_view text, const std::string& source);

// Returns whether a name ends as those of ramps do: .cpt or .qml.
bool isRampName(std::string_view file);

// Returns the sRGB components (0 ... 255) of one of GMT's colour names; nothing for another name.  Ignores case.
std::optional<glm::dvec3> namedColour(std::string_view name);

}  // namespace orogen
