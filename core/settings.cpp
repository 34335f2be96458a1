#include "core/settings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/planet/sky.h"

namespace orogen {

namespace {

constexpr auto kCriteria = std::to_array<std::string_view>({"edge", "error"});
constexpr auto kShadings =
    std::to_array<std::string_view>({"lit", "normals", "slope", "hypsometric", "lod", "error", "relief", "drainage"});
constexpr auto kReliefs = std::to_array<std::string_view>({"direct", "multidirectional", "slope", "none"});
constexpr auto kTintRanges = std::to_array<std::string_view>({"own", "view", "fixed"});
constexpr auto kBudgets = std::to_array<std::string_view>({"off", "frame_ms", "triangles"});
constexpr auto kBorders = std::to_array<std::string_view>({"open", "walls", "ground"});
constexpr auto kAirs = std::to_array<std::string_view>({"full", "haze", "off"});
constexpr std::string_view kOldAirKey = "render.haze";         // flag of older versions, for render.air
constexpr std::string_view kOldImageryKey = "render.texture";  // flag of older versions, for imagery.opacity
constexpr auto kTileChoices = std::to_array<std::string_view>({"auto", "always"});
constexpr auto kDatums = std::to_array<std::string_view>({"geoid", "ellipsoid"});
constexpr auto kModelBackends = std::to_array<std::string_view>({"cpu", "opengl", "cuda", "host-kernel"});
constexpr auto kModes = std::to_array<std::string_view>({"fly", "map"});
constexpr auto kSamples = std::to_array<std::string_view>({"1", "2", "4", "8"});
constexpr std::size_t kLongestText = 4096;  // bytes of a text
constexpr double kFarthest = 1e8;           // metres: larger than any terrain, and exact to 15 nm in a double

constexpr int kLeastEarthBudget = 64;  // MiB
constexpr std::string_view kEarthLeaves =
    "Leaves that the tree has room for, on the Earth 2,097,152 at most: each is drawn as 4^patch.level triangles. "
    "Splits beyond it are refused and counted; twice as many take twice the memory.";
constexpr std::string_view kEarthPosition =
    "The camera, in metres from the Earth's centre: towards 0 and 90 degrees east on the equator, and the north pole.";

float mergeFor(float splitPixels) { return float(splitPixels * 3.0 / 7.0); }

// Accessor of a row's value; its type selects reading, writing and clamping.
using Field = std::variant<bool& (*)(Settings&), int& (*)(Settings&), std::uint32_t& (*)(Settings&),
                           float& (*)(Settings&), double& (*)(Settings&), std::optional<float>& (*)(Settings&),
                           std::optional<std::int64_t>& (*)(Settings&), LodCriterion& (*)(Settings&),
                           BudgetMode& (*)(Settings&), Shading& (*)(Settings&), Border& (*)(Settings&),
                           ViewMode& (*)(Settings&), Air& (*)(Settings&), TerrainTiles& (*)(Settings&),
                           HeightDatum& (*)(Settings&), Relief& (*)(Settings&), TintRange& (*)(Settings&),
                           ModelBackend& (*)(Settings&), std::string& (*)(Settings&), glm::dvec3& (*)(Settings&)>;

struct Row
{
    SettingInfo info;
    Field field;
};

using S = Settings;
constexpr auto kFlag = SettingType::kBool;
constexpr auto kInt = SettingType::kInteger;
constexpr auto kReal = SettingType::kReal;
constexpr auto kChoice = SettingType::kChoice;

// clang-format off
constexpr Row kRows[] = {
    {{"cbt.depth", "Tree depth", kInt, 6, 30, {}, "",
      "Maximum depth of the tree: one more makes the finest triangles half as large and doubles the tree's memory."},
     [](S& s) -> int& { return s.cbt.depth; }},
    {{"earth.depth", "Earth's tree depth", kInt, 6, 58, {}, "",
      "Maximum depth of the Earth's tree: two more halve the sides of the finest triangles, which are 9 mm at 54 with patch level 2; memory follows the leaves alone."},
     [](S& s) -> int& { return s.earth.depth; }},
    {{"earth.detail_edge", "Detail down to", kReal, 0, 64, {}, "px",
      "Shows procedural detail on the Earth also without terrain.detail, and splits no triangle by criterion 'error' for detail alone whose longest edge is shorter; 0: as terrain.detail and the error ask."},
     [](S& s) -> float& { return s.earth.detailEdge; }},
    {{"earth.heights", "Heights above", kChoice, 0, 0, kDatums, "",
      "What heights of data on the Earth count from, if a file does not state it: the geoid (the sea) or the ellipsoid. The Earth is drawn above the geoid; other heights are converted by EGM96."},
     [](S& s) -> HeightDatum& { return s.earth.heights; }},
    {{"cbt.leaf_capacity", "Most leaves", kInt, 1'024, 67'108'864, {}, "leaves",
      "Leaves that the tree has room for: each is drawn as 4^patch.level triangles. Splits beyond it are refused and counted; twice as many take twice the memory."},
     [](S& s) -> std::uint32_t& { return s.cbt.leafCapacity; }},
    {{"lod.criterion", "Split by", kChoice, 0, 0, kCriteria, "",
      "Measure that decides about a split: the projected length of a triangle's longest edge, or its projected vertical error."},
     [](S& s) -> LodCriterion& { return s.lod.criterion; }},
    {{"lod.split_pixels", "Split above", kReal, 0.5, 64, {}, "px",
      "Longest edge of a drawn triangle above which it splits: higher is coarser and faster; merge_pixels follows at 3/7 of it."},
     [](S& s) -> float& { return s.lod.splitPixels; }},
    {{"lod.merge_pixels", "Merge below", kReal, 0.1, 64, {}, "px",
      "Longest edge below which the parent comes back, always below split_pixels: higher keeps fewer triangles."},
     [](S& s) -> float& { return s.lod.mergePixels; }},
    {{"lod.error_pixels", "Error allowed", kReal, 0.1, 32, {}, "px",
      "Vertical error that criterion 'error' allows on screen: higher is coarser and faster."},
     [](S& s) -> float& { return s.lod.errorPixels; }},
    {{"lod.frozen", "Freeze triangles", kFlag, 0, 1, {}, "",
      "Keeps the triangles as they are while the camera moves on, to look at them from elsewhere."},
     [](S& s) -> bool& { return s.lod.frozen; }},
    {{"lod.rounds", "Rounds a frame", kInt, 1, 16, {}, "",
      "How often a frame splits and merges leaves. A round changes the tree by one level at most: with 4 rounds it follows a fast camera in a quarter of the frames, and each frame takes longer."},
     [](S& s) -> int& { return s.lod.rounds; }},
    {{"lod.geomorph", "Smooth transitions", kFlag, 0, 1, {}, "",
      "Lets new vertices glide from the edge that they split to their own height, so that nothing jumps while the camera moves."},
     [](S& s) -> bool& { return s.lod.geomorph; }},
    {{"budget.mode", "Budget for", kChoice, 0, 0, kBudgets, "",
      "Target that the thresholds follow, in both directions: none, a frame time in milliseconds, or a number of drawn triangles."},
     [](S& s) -> BudgetMode& { return s.budget.mode; }},
    {{"budget.value", "Budget", kReal, 0, 1e9, {}, "",
      "The budget, in milliseconds or triangles as budget.mode says; 0 is none."},
     [](S& s) -> double& { return s.budget.value; }},
    {{"budget.finer", "Use time left", kFlag, 0, 1, {}, "",
      "Draws up to 4 times finer than the thresholds say where a frame time is not used up; off, a frame may take less."},
     [](S& s) -> bool& { return s.budget.finer; }},
    {{"patch.level", "Patch level", kInt, 0, 6, {}, "",
      "Every leaf is drawn as a patch of 4^level triangles: 1 at level 0, 16 at 2, 256 at 4. One more draws the same triangles from a quarter of the leaves: less work for the tree, coarser steps of detail."},
     [](S& s) -> int& { return s.patch.level; }},
    {{"terrain.height_scale", "Height scale", kReal, 0, 10, {}, "x",
      "Factor on every height: 1 is true to scale, more exaggerates relief and needs more triangles."},
     [](S& s) -> float& { return s.terrain.heightScale; }},
    {{"terrain.water_level", "Water level", SettingType::kRealOrNone, -11'000, 9'000, {}, "m",
      "Height of the sea's surface above the model's zero: what lies lower is under water; 'none' shows no sea."},
     [](S& s) -> std::optional<float>& { return s.terrain.waterLevel; }},
    {{"terrain.detail", "Detail below data", kFlag, 0, 1, {}, "",
      "Continues the ground's roughness below the spacing of the samples, in shading lit: procedural, not measured; finer trees show more of it."},
     [](S& s) -> bool& { return s.terrain.detail; }},
    {{"terrain.tiles", "Read in tiles", kChoice, 0, 0, kTileChoices, "",
      "Whether heights are read in tiles as the camera needs them: where they are too large for one image, or always; taken up when a terrain is opened."},
     [](S& s) -> TerrainTiles& { return s.terrain.tiles; }},
    {{"terrain.tile_budget", "Memory for tiles", kInt, 32, 65'536, {}, "MiB",
      "Memory of the tiles of a terrain that is read in tiles: more keeps finer ground farther away."},
     [](S& s) -> int& { return s.terrain.tileBudget; }},
    {{"render.shading", "Colours show", kChoice, 0, 0, kShadings, "",
      "Meaning of a pixel's colour: sunlit ground, normals, slope, height by colour, the level of detail, the error in pixels, relief in grey, or the area that drains through it."},
     [](S& s) -> Shading& { return s.render.shading; }},
    {{"render.wireframe", "Wireframe", kFlag, 0, 1, {}, "", "Draws the edges of the triangles over the shading; costs a little fill."},
     [](S& s) -> bool& { return s.render.wireframe; }},
    {{"render.msaa", "Anti-aliasing", kInt, 1, 8, kSamples, "samples",
      "Samples a pixel: more smooths edges and takes memory in proportion; only edges are shaded more often."},
     [](S& s) -> int& { return s.render.msaa; }},
    {{"render.sun_azimuth", "Sun direction", kReal, 0, 360, {}, "deg", "Where the sun stands, in degrees from north, clockwise."},
     [](S& s) -> float& { return s.render.sunAzimuth; }},
    {{"render.sun_elevation", "Sun height", kReal, -90, 90, {}, "deg", "How high the sun stands above the horizon, in degrees; below 0 it is night."},
     [](S& s) -> float& { return s.render.sunElevation; }},
    {{"render.time", "Date and time", SettingType::kTime, 0, 0, {}, "",
      "Date and time (UTC, as 2026-06-21T12:00Z) that place sun, moon and stars; empty: the sun stands as its two angles say."},
     [](S& s) -> std::optional<std::int64_t>& { return s.render.time; }},
    {{"render.shadows", "Shadows", kFlag, 0, 1, {}, "", "Lets mountains cast shadows, in shading lit."},
     [](S& s) -> bool& { return s.render.shadows; }},
    {{"render.scale", "Render scale", kReal, 25, 100, {}, "%",
      "Size of the rendered picture, in percent of the window: lower is faster and blurs; thresholds count rendered pixels."},
     [](S& s) -> float& { return s.render.scale; }},
    {{"render.border", "Beyond the border", kChoice, 0, 0, kBorders, "",
      "Surroundings of the terrain: nothing, walls down from its border, or land to the horizon, which is decoration."},
     [](S& s) -> Border& { return s.render.border; }},
    {{"render.air", "Air", kChoice, 0, 0, kAirs, "",
      "What lies between the eye and the ground, in shading lit: air and haze, the haze near the ground alone, or nothing. The sky stays."},
     [](S& s) -> Air& { return s.render.air; }},
    {{"render.visibility", "Visibility", kReal, 1, 1000, {}, "km",
      "How far one sees through the haze near the lowest ground: where a fiftieth of a contrast is left."},
     [](S& s) -> float& { return s.render.visibility; }},
    {{"render.near_detail", "Near detail", kFlag, 0, 1, {}, "",
      "Decorates near ground below the spacing of the samples, in shading lit; costs fill."},
     [](S& s) -> bool& { return s.render.nearDetail; }},
    {{"render.lakes", "Lakes", kFlag, 0, 1, {}, "",
      "Shows connected cells of exactly one height as water, in shading lit."},
     [](S& s) -> bool& { return s.render.lakes; }},
    {{"render.contours", "Contour lines", kFlag, 0, 1, {}, "", "Draws lines of equal height with their heights; costs fill."},
     [](S& s) -> bool& { return s.render.contours; }},
    {{"render.contour_interval", "Contour interval", kReal, 0, 5000, {}, "m",
      "Height from one contour line to the next; 0 chooses it by the relief."},
     [](S& s) -> float& { return s.render.contourInterval; }},
    {{"render.relief", "Relief", kChoice, 0, 0, kReliefs, "",
      "Shading under colours of data: one light in the north-west, four lights from the south-west to the north, darker where steeper, or none."},
     [](S& s) -> Relief& { return s.render.relief; }},
    {{"render.ramp", "Colour ramp", SettingType::kText, 0, 0, {}, "",
      "File of colours by height, for shading hypsometric: .cpt of GMT or .qml of QGIS; empty: the program's own colours."},
     [](S& s) -> std::string& { return s.render.ramp; }},
    {{"render.tint_range", "Colours follow", kChoice, 0, 0, kTintRanges, "",
      "Heights over which colours by height are laid: those of the ramp or the terrain, those in view, or fixed ones."},
     [](S& s) -> TintRange& { return s.render.tintRange; }},
    {{"render.tint_low", "Lowest colour", kReal, -11'000, 9'000, {}, "m",
      "Height of the ramp's first colour, with render.tint_range fixed; above render.tint_high the colours turn round."},
     [](S& s) -> float& { return s.render.tintLow; }},
    {{"render.tint_high", "Highest colour", kReal, -11'000, 9'000, {}, "m",
      "Height of the ramp's last colour, with render.tint_range fixed."},
     [](S& s) -> float& { return s.render.tintHigh; }},
    {{"imagery.opacity", "Imagery", kReal, 0, 1, {}, "",
      "Weight of the pictures over the ground's own colours, in shading lit: 0 shows none of them."},
     [](S& s) -> float& { return s.imagery.opacity; }},
    {{"imagery.tile_budget", "Memory of imagery", kInt, 32, 65'536, {}, "MiB",
      "Memory of the tiles of pictures on the GPU: more keeps finer pictures farther away."},
     [](S& s) -> int& { return s.imagery.tileBudget; }},
    {{"model.play", "Let it age", kFlag, 0, 1, {}, "",
      "Lets the terrain age while it is shown, one step of the terrain model after the other; not kept between sessions."},
     [](S& s) -> bool& { return s.model.play; }},
    {{"model.creep", "Creep", kReal, 0, 1e6, {}, "m2/a",
      "Diffusion of the ground by the terrain model: 0.01 rounds ridges in 100,000 years; larger values take more iterations a step."},
     [](S& s) -> double& { return s.model.creep; }},
    {{"model.incision", "Incision", kReal, 0, 1, {}, "1/a",
      "Erodibility of the rivers of the terrain model, which cut K sqrt(area) slope a year: 2e-5 carves mountains in 100,000 years."},
     [](S& s) -> double& { return s.model.incision; }},
    {{"model.uplift", "Uplift", kReal, -1'000, 1'000, {}, "mm/a",
      "Rise of the ground in the terrain model; while rivers cut, the border keeps its height."},
     [](S& s) -> double& { return s.model.uplift; }},
    {{"model.repose", "Angle of repose", kReal, 1, 90, {}, "deg",
      "Steepest slope that stands in the terrain model: steeper ground gives material downhill; 90 lets every slope stand."},
     [](S& s) -> double& { return s.model.repose; }},
    {{"model.step_years", "Years a step", kReal, 0.01, 1e7, {}, "a",
      "Length of a step of the terrain model: longer steps age the terrain faster and follow rivers less closely."},
     [](S& s) -> double& { return s.model.stepYears; }},
    {{"model.backend", "Computed by", kChoice, 0, 0, kModelBackends, "",
      "Where the terrain model computes its steps: threads of the CPU, compute shaders of OpenGL, CUDA, or CUDA's kernels on the CPU, which checks them and is slow."},
     [](S& s) -> ModelBackend& { return s.model.backend; }},
    {{"model.level", "Level in tiles", kInt, -1, 17, {}, "",
      "Level of the samples that the terrain model changes in a terrain in tiles, each half as fine as the one before: 0 is the finest, -1 the finest whose window covers the view."},
     [](S& s) -> int& { return s.model.level; }},
    {{"marks.names", "Names", kFlag, 0, 1, {}, "",
      "Shows the names of countries, seas, cities and peaks on the Earth and on georeferenced terrain."},
     [](S& s) -> bool& { return s.marks.names; }},
    {{"marks.graticule", "Graticule", kFlag, 0, 1, {}, "",
      "Draws parallels and meridians on the ground; kilometres where the terrain has no georeference."},
     [](S& s) -> bool& { return s.marks.graticule; }},
    {{"marks.compass", "Compass and scale", kFlag, 0, 1, {}, "", "Shows the direction of north and a scale bar over the picture."},
     [](S& s) -> bool& { return s.marks.compass; }},
    {{"input.invert_drag", "Invert drag", kFlag, 0, 1, {}, "",
      "Turns round the way in which dragging with the left button looks around: off, the ground follows the cursor in both worlds."},
     [](S& s) -> bool& { return s.input.invertDrag; }},
    {{"view.mode", "Camera", kChoice, 0, 0, kModes, "", "Fly freely, or look straight down on a map with north up."},
     [](S& s) -> ViewMode& { return s.view.mode; }},
    {{"view.position", "Position", SettingType::kPosition, -kFarthest, kFarthest, {}, "m",
      "The camera: metres east and north of the terrain's centre, and up from the sea."},
     [](S& s) -> glm::dvec3& { return s.view.position; }},
    {{"view.yaw", "Heading", kReal, -360, 360, {}, "deg", "Where the camera looks, in degrees from north, clockwise."},
     [](S& s) -> double& { return s.view.yaw; }},
    {{"view.pitch", "Pitch", kReal, -90, 90, {}, "deg", "How far the camera looks up; -90 is straight down."},
     [](S& s) -> double& { return s.view.pitch; }},
    {{"view.fov", "Field of view", kReal, 1, 170, {}, "deg", "Vertical field of view: wider shows more and, pixel for pixel, less closely."},
     [](S& s) -> double& { return s.view.fov; }},
};
// clang-format on

constexpr auto kInfos = [] {
    std::array<SettingInfo, std::size(kRows)> infos{};
    for (std::size_t i = 0; i < infos.size(); ++i)
    {
        infos[i] = kRows[i].info;
    }
    return infos;
}();

const Row* findRow(std::string_view key)
{
    const auto row = std::ranges::find(kRows, key, [](const Row& r) { return r.info.key; });
    return row == std::end(kRows) ? nullptr : row;
}

// Returns visitor(value), with a reference to the value of `row` in `settings`.
template <class Visitor>
decltype(auto) withValue(const Row& row, Settings& settings, Visitor&& visitor)
{
    return std::visit([&](auto field) -> decltype(auto) { return visitor(field(settings)); }, row.field);
}
template <class Visitor>
decltype(auto) withValue(const Row& row, const Settings& settings, Visitor&& visitor)
{
    return withValue(row, const_cast<Settings&>(settings),
                     [&](const auto& value) -> decltype(auto) { return visitor(value); });
}

// ---- value to text --------------------------------------------------------------------------------------------------

// Returns the shortest text that reads back as the same number.
template <class Number>
std::string shortest(Number value)
{
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

template <class T>
std::string textOf(const SettingInfo& info, const T& value)
{
    if constexpr (std::is_same_v<T, bool>)
    {
        return value ? "true" : "false";
    }
    else if constexpr (std::is_same_v<T, std::optional<float>>)
    {
        return value ? shortest(*value) : std::string(kSettingNone);
    }
    else if constexpr (std::is_same_v<T, std::optional<std::int64_t>>)
    {
        return value ? utcText(*value) : std::string();
    }
    else if constexpr (std::is_same_v<T, std::string>)
    {
        return value;
    }
    else if constexpr (std::is_same_v<T, glm::dvec3>)
    {
        return fmt::format("[{}, {}, {}]", shortest(value.x), shortest(value.y), shortest(value.z));
    }
    else if constexpr (std::is_enum_v<T>)
    {
        const auto index = std::size_t(value);
        return index < info.choices.size() ? std::string(info.choices[index]) : shortest(index);
    }
    else
    {
        return shortest(value);
    }
}

// ---- what is expected -----------------------------------------------------------------------------------------------

std::string expected(const SettingInfo& info)
{
    const std::string unit = info.unit.empty() ? "" : fmt::format(" {}", info.unit);
    const auto range = [&] { return fmt::format("{:.10g} to {:.10g}{}", info.minimum, info.maximum, unit); };
    switch (info.type)
    {
    case SettingType::kBool:
        return "true or false";
    case SettingType::kInteger:
        return info.choices.empty() ? "a whole number from " + range()
                                    : fmt::format("one of {}{}", fmt::join(info.choices, ", "), unit);
    case SettingType::kReal:
        return "a number from " + range();
    case SettingType::kRealOrNone:
        return fmt::format("a number from {}, or {}", range(), kSettingNone);
    case SettingType::kChoice:
        return fmt::format("one of {}", fmt::join(info.choices, ", "));
    case SettingType::kTime:
        return fmt::format("a time from {} to {}, or nothing", utcText(kFirstTime), utcText(kLastTime));
    case SettingType::kText:
        return fmt::format("at most {} bytes without control characters", kLongestText);
    case SettingType::kPosition:
        return "[east, north, up], each from " + range();
    }
    return {};
}

Error badValue(const SettingInfo& info, std::string_view found)
{
    return {ExitCode::kUsage,
            fmt::format("{}: found '{}', expected {}", info.key, printableStart(found), expected(info))};
}

// Names the nearest key; or the keys that contain the text, such as "lod"; or all keys.
Error unknownKey(std::string_view key)
{
    const std::string shown = printableStart(key);
    const auto contains = [&](const SettingInfo& info) { return info.key.find(shown) != info.key.npos; };
    const bool some = std::ranges::any_of(kInfos, contains);
    const auto distance = [&](const SettingInfo& info) { return editDistance(shown, info.key); };
    const SettingInfo& nearest = *std::ranges::min_element(kInfos, {}, distance);
    return {ExitCode::kUsage, distance(nearest) <= kCloseWord
                                  ? fmt::format("unknown setting '{}': expected perhaps {}", shown, nearest.key)
                                  : fmt::format("unknown setting '{}': expected one of {}", shown, [&] {
                                        std::string keys;
                                        for (const SettingInfo& info : kInfos)
                                        {
                                            if (some && !contains(info)) continue;
                                            keys += (keys.empty() ? "" : ", ") + std::string(info.key);
                                        }
                                        return keys;
                                    }())};
}

// ---- text to value --------------------------------------------------------------------------------------------------

bool inRange(const SettingInfo& info, double value) { return value >= info.minimum && value <= info.maximum; }

bool allowed(const SettingInfo& info, std::int64_t value)
{
    return inRange(info, double(value)) &&
           (info.choices.empty() || std::ranges::find(info.choices, shortest(value)) != info.choices.end());
}

template <class T>
bool readInto(T& value, const SettingInfo& info, std::string_view text)
{
    if constexpr (std::is_enum_v<T>)
    {
        const auto choice = std::ranges::find(info.choices, text);
        value = choice == info.choices.end() ? value : T(choice - info.choices.begin());
        return choice != info.choices.end();
    }
    else if constexpr (std::is_floating_point_v<T>)
    {
        const auto number = numberIn<double>(text);
        value = number && inRange(info, *number) ? T(*number) : value;
        return number && inRange(info, *number);
    }
    else
    {
        const auto number = numberIn<std::int64_t>(text);
        value = number && allowed(info, *number) ? T(*number) : value;
        return number && allowed(info, *number);
    }
}

bool readInto(bool& value, const SettingInfo&, std::string_view text)
{
    value = text == "true" || text == "on" || text == "1";
    return value || text == "false" || text == "off" || text == "0";
}

bool readInto(std::optional<float>& value, const SettingInfo& info, std::string_view text)
{
    float number = 0;
    const bool none = text == kSettingNone;
    const bool read = none || readInto(number, info, text);
    if (read) value = none ? std::nullopt : std::optional(number);
    return read;
}

bool readInto(std::optional<std::int64_t>& value, const SettingInfo&, std::string_view text)
{
    value = utcIn(text);
    return value || text.empty() || text == kSettingNone;
}

bool readInto(std::string& value, const SettingInfo&, std::string_view text)
{
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (text.size() > kLongestText || std::ranges::any_of(text, control)) return false;
    value = text;
    return true;
}

bool readInto(glm::dvec3& value, const SettingInfo& info, std::string_view text)
{
    if (text.starts_with('[') && text.ends_with(']'))
    {
        text = text.substr(1, text.size() - 2);
    }
    for (int i = 0; i < 3; ++i)
    {
        const auto comma = text.find(',');
        if ((comma == std::string_view::npos) != (i == 2) || !readInto(value[i], info, trimmed(text.substr(0, comma))))
        {
            return false;
        }
        text = i < 2 ? text.substr(comma + 1) : text;
    }
    return true;
}

Status setRow(Settings& settings, const Row& row, std::string_view value)
{
    Settings changed = settings;
    const std::string_view text = trimmed(value);
    const SettingInfo info = infoIn(row.info, settings.world);
    if (!withValue(row, changed, [&](auto& place) { return readInto(place, info, text); }))
    {
        return badValue(info, value);
    }
    settings = changed;
    return Status::ok();
}

// ---- clamping -------------------------------------------------------------------------------------------------------

template <class Number>
Number clampedTo(const SettingInfo& info, Number value, Number fallback)
{
    return std::isnan(double(value)) ? fallback : Number(std::clamp(double(value), info.minimum, info.maximum));
}

template <class T>
void clampInto(T& value, const SettingInfo& info, const T& fallback)
{
    if constexpr (std::is_same_v<T, glm::dvec3>)
    {
        for (int i = 0; i < 3; ++i)
        {
            value[i] = clampedTo(info, value[i], fallback[i]);
        }
    }
    else if constexpr (std::is_same_v<T, std::optional<float>>)
    {
        if (value && std::isnan(*value)) value = fallback;
        if (value) value = clampedTo(info, *value, 0.0f);
    }
    else if constexpr (std::is_same_v<T, std::optional<std::int64_t>>)
    {
        if (value) value = std::clamp(*value, kFirstTime, kLastTime);
    }
    else if constexpr (std::is_enum_v<T>)
    {
        value = std::size_t(value) < info.choices.size() ? value : fallback;
    }
    else if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, std::string>)
    {
        value = clampedTo(info, value, fallback);
    }
}

}  // namespace

std::span<const SettingInfo> settingTable() { return kInfos; }

const SettingInfo* findSetting(std::string_view key)
{
    const Row* row = findRow(key);
    return row ? &row->info : nullptr;
}

SettingInfo infoIn(const SettingInfo& info, World world)
{
    SettingInfo there = info;
    if (world == World::kPlane) return there;
    if (info.key == "terrain.tile_budget") there.minimum = kLeastEarthBudget;
    if (info.key == "cbt.leaf_capacity") there.text = kEarthLeaves;
    if (info.key == "view.position") there.text = kEarthPosition;
    return there;
}

Settings defaultSettings(World world)
{
    Settings settings;
    settings.world = world;
    if (world == World::kEarth) settings.terrain.waterLevel = 0.0f;
    return settings;
}

Settings defaultsFor(const Settings& settings)
{
    Settings defaults = defaultSettings(settings.world);
    defaults.samplesDepth = defaults.cbt.depth = settings.samplesDepth;
    return defaults;
}

std::string_view depthKey(World world) { return world == World::kEarth ? "earth.depth" : "cbt.depth"; }

int depthForSamples(double side, double spacing, int largest)
{
    // Legs halve every two tree levels and every patch level; the square's two halves have depth 1.
    const double halvings = std::log2(side / spacing);
    const int needed = int(std::ceil(2 * (halvings - Settings().patch.level))) + 1;
    return std::min(std::max(needed, Settings::kLeastSamplesDepth), largest);
}

Settings takenTo(World world, const Settings& settings)
{
    if (settings.world == world) return settings;
    const Settings before = defaultsFor(settings);
    Settings there = defaultSettings(world);
    there.samplesDepth = there.cbt.depth = settings.samplesDepth;
    for (const Row& row : kRows)
    {
        const std::string value = settingText(settings, row.info.key);
        if (row.info.key.starts_with("view.") && row.info.key != "view.fov") continue;
        if (value != settingText(before, row.info.key)) (void)setRow(there, row, value);
    }
    return sanitized(there);
}

Settings withChange(Settings settings, Settings from, Settings to)
{
    const auto change = [&](auto field) {
        if (field(from) != field(to)) field(settings) = field(to);
    };
    for (const Row& row : kRows)
        std::visit(change, row.field);
    return sanitized(std::move(settings));
}

double settingNumber(const Settings& settings, std::string_view key)
{
    const Row* row = findRow(key);
    assert(row);
    return withValue(*row, settings, []([[maybe_unused]] const auto& value) -> double {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
            return double(value);
        else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::optional<float>> ||
                           std::is_same_v<std::remove_cvref_t<decltype(value)>, std::optional<std::int64_t>>)
            return value ? double(*value) : std::nan("");
        else
            return assert(!"a setting that is a number"), 0.0;
    });
}

std::string settingText(const Settings& settings, std::string_view key)
{
    const Row* row = findRow(key);
    assert(row);
    return withValue(*row, settings, [&](const auto& value) { return textOf(row->info, value); });
}

Status setSetting(Settings& settings, std::string_view key, std::string_view value)
{
    if (key == kOldAirKey || key == kOldImageryKey)
    {
        bool on = false;
        const SettingInfo info{key, "", SettingType::kBool, 0, 1, {}, "", ""};
        if (!readInto(on, info, trimmed(value))) return badValue(info, value);
        if (key == kOldAirKey) return setSetting(settings, "render.air", on ? "full" : "off");
        return on ? Status::ok() : setSetting(settings, "imagery.opacity", "0");
    }
    const Row* row = findRow(key);
    if (!row)
    {
        return unknownKey(key);
    }
    const Status status = setRow(settings, *row, value);
    if (status && key == "lod.split_pixels")
    {
        settings.lod.mergePixels = mergeFor(settings.lod.splitPixels);
    }
    return status;
}

Status setSettings(Settings& settings, std::span<const SettingChange> changes, std::vector<std::string>* notices)
{
    Settings changed = settings;
    const auto gives = [&](std::string_view key) {
        return std::ranges::find(changes, key, &SettingChange::key) != changes.end();
    };
    const bool oldKey = settings.world == World::kEarth && gives("cbt.depth") && !gives("earth.depth");
    const bool air = gives("render.air"), imagery = gives("imagery.opacity");
    for (const bool merge : {false, true})  // merge last: a given value overrides the one derived from split
    {
        for (const SettingChange& change : changes)
        {
            if ((change.key == "lod.merge_pixels") != merge || (air && change.key == kOldAirKey) ||
                (imagery && change.key == kOldImageryKey))
            {
                continue;
            }
            const std::string_view key =
                oldKey && change.key == "cbt.depth" ? "earth.depth" : std::string_view(change.key);
            if (const Status status = setSetting(changed, key, change.value); !status)
            {
                return status;
            }
        }
    }
    if (const Status status = checkSettings(changed); !status)
    {
        return status;
    }
    settings = changed;
    if (oldKey && notices)
        notices->push_back("cbt.depth is the depth of a plane's tree: on the Earth it was read as earth.depth");
    return Status::ok();
}

Status checkSettings(const Settings& settings)
{
    for (const Row& row : kRows)
    {
        Settings copy = settings;
        if (const Status status = setRow(copy, row, settingText(settings, row.info.key)); !status)
        {
            return status;
        }
    }
    if (settings.world == World::kEarth && settings.cbt.leafCapacity > kMostEarthLeaves)
    {
        return Error{ExitCode::kLimit,
                     fmt::format("cbt.leaf_capacity: found {}, expected at most {} leaves on the Earth",
                                 settings.cbt.leafCapacity, kMostEarthLeaves)};
    }
    if (settings.lod.mergePixels >= settings.lod.splitPixels)
    {
        return Error{ExitCode::kUsage,
                     fmt::format("lod.merge_pixels: found {}, expected less than lod.split_pixels, "
                                 "which is {}",
                                 shortest(settings.lod.mergePixels), shortest(settings.lod.splitPixels))};
    }
    return Status::ok();
}

Settings sanitized(Settings wanted)
{
    Settings defaults = defaultsFor(wanted);
    for (const Row& row : kRows)
    {
        const SettingInfo info = infoIn(row.info, wanted.world);
        std::visit([&](auto field) { clampInto(field(wanted), info, field(defaults)); }, row.field);
    }
    if (wanted.world == World::kEarth) wanted.cbt.leafCapacity = std::min(wanted.cbt.leafCapacity, kMostEarthLeaves);
    wanted.render.msaa = int(std::bit_floor(unsigned(wanted.render.msaa)));
    if (wanted.lod.mergePixels >= wanted.lod.splitPixels)
    {
        wanted.lod.mergePixels = mergeFor(wanted.lod.splitPixels);
    }
    return wanted;
}

}  // namespace orogen
