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

// Heights from `low` to `high`; their colours change linearly from `from` to `to` (sRGB, 0 ... 1).
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
    std::optional<glm::dvec3> below, above;          // colours outside; none: those of the ends
    std::optional<glm::dvec3> none;                  // colour of ground without data
    std::optional<std::pair<double, double>> range;  // heights over which the file lays the ramp
    std::optional<double> hinge;                     // height that splits the ramp; both sides are stretched separately
    bool relative = false;  // the ramp has no heights of its own: it is laid over the terrain's heights
    bool cyclic = false;

    double low() const { return pieces.front().low; }
    double high() const { return pieces.back().high; }

    bool operator==(const ColourRamp&) const = default;
};

// Maps a height to a position in a ramp: hinge + (height - at) * (below or above), with `below` for heights under `at`
// and `above` for others.
struct RampStretch
{
    double at = 0, hinge = 0, below = 1, above = 1;

    double position(double height) const { return hinge + (height - at) * (height < at ? below : above); }
    double height(double position) const;
};

struct HeightRange
{
    double low = 0, high = 0;  // metres, unscaled

    bool operator==(const HeightRange&) const = default;
};

// Lays a ramp over heights from `low` to `high`; low > high reverses it.  The ramp's hinge stays at its height.
RampStretch stretched(const ColourRamp& ramp, double low, double high);
// Lays a ramp over its own range.  Without a range, a relative ramp is laid over the given heights; any other ramp
// keeps its own heights.
RampStretch laid(const ColourRamp& ramp, double low, double high);

// Returns a ramp of positions in the program's own colours (shaders/shading/tints.glsl): 0 to 1 on a plane.  On the
// Earth, -1 to 0 is the sea's floor and 0 to 1 is land.
ColourRamp ownRamp(World world);
inline constexpr HeightRange kEarthTints{-8000, 6000};

// Returns how the settings lay `ramp` over heights; null: the program's own ramp.  `terrain`: the terrain's heights on
// a plane, kEarthTints on the Earth; `view`: heights of the ground in view, empty if unknown.
RampStretch stretchOf(const ColourRamp* ramp, const Settings& settings, const HeightRange& terrain,
                      const std::optional<HeightRange>& view);

// Returns the colour at a position; shaders/shading/ramp.glsl computes the same.
glm::dvec3 colourAt(const ColourRamp& ramp, double position);

// Returns two rows of texels, one texel per piece: first colour and position of its low end, then those of its high
// end.
std::vector<glm::vec4> rampTexels(const ColourRamp& ramp);

// Reads a file, as QGIS XML if it begins with '<', else as a table of GMT.  GMT's modifiers may follow the name of a
// table: +U and +u with a unit (e, f, k, M, n, u), +h with a height.  Errors kInput name file, line, what was found and
// what was expected.
Result<ColourRamp> readRamp(const std::string& name);
Result<ColourRamp> parseCpt(std::string_view text, const std::string& source);
Result<ColourRamp> parseQml(std::string_view text, const std::string& source);

// Returns whether a name ends as those of ramps do: .cpt or .qml.
bool isRampName(std::string_view file);

// Returns the sRGB components (0 ... 255) of a colour name of X11, as GMT uses them; case is ignored.
std::optional<glm::dvec3> namedColour(std::string_view name);

}  // namespace orogen
