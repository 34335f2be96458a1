// Table of all settings: key, range, default and text.  --set, the settings file, panels and scripts use these keys.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/base/status.h"

namespace orogen {

enum class LodCriterion
{
    kEdge,   // projected length of the base edge
    kError,  // projected vertical error, by bounds stored with the terrain (core/terrain/bounds/)
};
enum class Shading
{
    kLit,
    kNormals,
    kSlope,
    kHypsometric,
    kLod,
    kError,     // colours show the distance (pixels) from the drawn surface to the finest one
    kRelief,    // shaded relief in grey, see Relief
    kDrainage,  // area that drains through each sample; only for a plane's terrain stored as one image
};
// Shading under the colours of data.
enum class Relief
{
    kDirect,            // one light in the north-west
    kMultidirectional,  // four lights from the south-west to the north
    kSlope,             // darker where steeper
    kNone,
};
// Heights over which colours by height are laid.
enum class TintRange
{
    kOwn,    // heights of the ramp if it has any, otherwise of the terrain
    kView,   // heights of the ground in view
    kFixed,  // from tintLow to tintHigh
};
// Where the terrain model computes its steps.
enum class ModelBackend
{
    kCpu,
    kOpenGl,
    kCuda,
    kHostKernel,  // CUDA's kernels on the CPU
};
enum class BudgetMode
{
    kOff,
    kFrameMs,    // target frame time
    kTriangles,  // target number of drawn triangles
};
enum class Border
{
    kOpen,
    kWalls,   // walls down from the border
    kGround,  // land to the horizon, without data
};
// Parts of the air that lie in front of the ground.  The sky is always there.
enum class Air
{
    kFull,  // molecules and haze
    kHaze,  // haze alone, which is dense only near the ground
    kOff,
};
// Storage of heights.
enum class TerrainTiles
{
    kAuto,    // tiled if the terrain is too large for one image
    kAlways,  // always tiled
};
// Surface that heights count from.
enum class HeightDatum
{
    kGeoid,      // the sea, continued under land
    kEllipsoid,  // WGS 84, from which satellite positioning counts heights
};
enum class ViewMode
{
    kFly,
    kMap,
};

// Kind of scene.  Some ranges and defaults differ between the two.
enum class World
{
    kPlane,  // one terrain
    kEarth,
};

inline constexpr int kBookmarks = 3;  // bookmarks of a user, numbered from 1

// Values of all settings.  Panels, scripts and the command line edit a copy, which the renderer applies at one point of
// each frame.
struct Settings
{
    struct Cbt
    {
        int depth = 24;
        std::uint32_t leafCapacity = 2'097'152;
        bool operator==(const Cbt&) const = default;
    } cbt;
    struct Earth
    {
        int depth = 50;
        HeightDatum heights = HeightDatum::kGeoid;  // for data that do not state it
        float detailEdge = 0;  // > 0: detail is shown, but splits no triangle whose longest edge is shorter (pixels)
        bool operator==(const Earth&) const = default;
    } earth;
    struct Lod
    {
        LodCriterion criterion = LodCriterion::kEdge;
        float splitPixels = 7.0f;
        float mergePixels = 3.0f;
        float errorPixels = 1.0f;
        bool frozen = false;
        int rounds = 1;
        bool geomorph = true;
        bool operator==(const Lod&) const = default;
    } lod;
    struct Budget
    {
        BudgetMode mode = BudgetMode::kOff;
        double value = 0;   // target in milliseconds or triangles, by `mode`; 0: no budget
        bool finer = true;  // draws finer than the thresholds if frames take less than a target frame time
        bool operator==(const Budget&) const = default;
    } budget;
    struct Patch
    {
        int level = 2;
        bool operator==(const Patch&) const = default;
    } patch;
    struct Terrain
    {
        float heightScale = 1.0f;
        std::optional<float> waterLevel;           // metres, unscaled; none: no sea
        bool detail = true;                        // procedural detail below the sample spacing, if shading is kLit
        TerrainTiles tiles = TerrainTiles::kAuto;  // takes effect when a terrain is opened
        int tileBudget = 128;                      // MiB of tiles on the GPU
        bool operator==(const Terrain&) const = default;
    } terrain;
    struct Render
    {
        Shading shading = Shading::kLit;
        bool wireframe = false;
        int msaa = 1;
        float sunAzimuth = 135.0f;   // degrees from north, clockwise
        float sunElevation = 40.0f;  // degrees above the horizon
        float scale = 100.0f;        // percent of the window's width and height
        Border border = Border::kGround;
        Air air = Air::kFull;
        float visibility = 80.0f;  // kilometres at which contrast falls to 1/50
        bool nearDetail = true;    // decoration of the ground finer than the samples
        bool lakes = true;         // show flat connected cells as water
        bool contours = false;
        float contourInterval = 0.0f;      // metres; 0: chosen by the relief
        std::optional<std::int64_t> time;  // seconds since 1970 (UTC) for sun, moon, stars; empty: the sun's angles
        bool shadows = true;               // mountains cast shadows
        Relief relief = Relief::kDirect;
        std::string ramp{};  // file of colours by height (core/colour/colour_ramp.h); empty: the program's own
        TintRange tintRange = TintRange::kOwn;
        float tintLow = 0.0f, tintHigh = 3000.0f;  // metres, unscaled; low > high reverses the colours
        bool operator==(const Render&) const = default;
    } render;
    struct Imagery
    {
        float opacity = 1.0f;  // opacity of all pictures over the ground's own colours, 0 ... 1
        int tileBudget = 128;  // MiB of imagery on the GPU
        bool operator==(const Imagery&) const = default;
    } imagery;
    // Terrain model (compute/terrain_model/), for a terrain on a plane.
    struct Model
    {
        bool play = false;    // computes one step after the other; not stored between sessions
        double creep = 0;     // m^2 per year
        double incision = 0;  // erodibility by rivers, 1 / year
        double uplift = 0;    // millimetres per year
        double repose = 90;   // degrees; 90: any slope stands
        double stepYears = 1000;
        ModelBackend backend = ModelBackend::kCpu;
        int level = -1;  // tiled terrain: level of the samples that the model changes; -1: chosen by the view
        bool operator==(const Model&) const = default;
    } model;
    struct Marks
    {
        bool names = true;  // names of places in the picture
        bool graticule = false;
        bool compass = true;  // with the scale bar
        bool operator==(const Marks&) const = default;
    } marks;
    struct Input
    {
        bool invertDrag = false;  // dragging with the left button moves the other way
        bool operator==(const Input&) const = default;
    } input;
    struct View
    {
        ViewMode mode = ViewMode::kFly;
        // Metres.  On a plane: east and north of the terrain's centre, and up from the sea.  On the Earth: earth-fixed
        // (planet/ellipsoid.h).
        glm::dvec3 position{0.0, 0.0, 0.0};
        double yaw = 0.0;       // degrees from north, clockwise
        double pitch = 0.0;     // degrees, up is positive
        double fov = 60.0;      // degrees, vertical
        glm::dvec2 shift{0.0};  // Camera::shift; derived from the panels, not a setting
        bool operator==(const View&) const = default;
    } view;
    // Derived from the open terrain; not settings.
    World world = World::kPlane;
    int samplesDepth = kLeastSamplesDepth;  // the default of cbt.depth: see depthForSamples()

    bool operator==(const Settings&) const = default;

    static constexpr int kLeastSamplesDepth = 24;
    // Depth of the tree of the present world.
    int treeDepth() const { return world == World::kEarth ? earth.depth : cbt.depth; }

    bool imageryShown() const { return imagery.opacity > 0 && render.shading == Shading::kLit; }
    bool detailShown() const
    {
        const bool wanted = terrain.detail || (world == World::kEarth && earth.detailEdge > 0);
        return wanted && render.shading == Shading::kLit;
    }
};

enum class SettingType
{
    kBool,
    kInteger,
    kReal,
    kRealOrNone,  // a real, or the word kSettingNone
    kChoice,
    kPosition,  // three reals
    kTime,      // ISO 8601, or empty
    kText,      // a file's name, or empty
};
inline constexpr std::string_view kSettingNone = "none";

// One row of the table of settings.
struct SettingInfo
{
    std::string_view key;    // "lod.split_pixels"
    std::string_view label;  // for users: "Split above"
    SettingType type;
    double minimum, maximum;                    // inclusive range of a number, or of each component of a position
    std::span<const std::string_view> choices;  // kChoice: in the order of the enumeration; kInteger: the only values,
                                                // ascending, if not empty
    std::string_view unit;                      // "px", "deg", "m" or empty
    std::string_view text;                      // effect, and cost of turning it up
};

std::span<const SettingInfo> settingTable();
const SettingInfo* findSetting(std::string_view key);      // null if unknown; range and text are those of a plane
SettingInfo infoIn(const SettingInfo& info, World world);  // with the range and text of that world

inline constexpr std::uint32_t kMostEarthLeaves = 2'097'152;

Settings defaultSettings(World world);
Settings defaultsFor(const Settings& settings);  // for its world and sample spacing

std::string_view depthKey(World world);  // key of the setting that treeDepth() returns

// Returns the depth of a plane's tree whose finest triangles, at the default patch level, have legs no longer than the
// sample spacing.  The depth is at least 24 and at most `largest`.  `side`: side of the tree's square; both in metres.
int depthForSamples(double side, double spacing, int largest);

// Converts the settings to another world.  Defaults and values that are impossible there become that world's defaults;
// other values stay.  The camera's view is reset, except for its field of view.
Settings takenTo(World world, const Settings& settings);

// Returns `settings` with the value of `to` for each key whose values in `from` and `to` differ, sanitized().
Settings withChange(Settings settings, Settings from, Settings to);

// Returns the value of `key` as text that setSetting() reads back without loss.  `key` must exist.
std::string settingText(const Settings& settings, std::string_view key);

// Sets one key within the range for settings.world.  Error kUsage, without change: an unknown key, or a value that is
// unreadable or out of range.  Setting lod.split_pixels also sets lod.merge_pixels to 3/7 of it.  Flags read
// true/false, on/off, 1/0; positions read "[e, n, u]" and "e,n,u".
Status setSetting(Settings& settings, std::string_view key, std::string_view value);

struct SettingChange
{
    std::string key, value;
};

// Sets a group of keys (every --set of a command line), then calls checkSettings().  In any order, a given
// lod.merge_pixels wins over the value derived from lod.split_pixels.  On the Earth, a cbt.depth in a group without
// earth.depth sets earth.depth and adds a line to `notices`.  Changes nothing on an error.  Two keys of older versions
// are still read.  In a group without render.air, the flag render.haze is read as render.air full or off.  In a group
// without imagery.opacity, a render.texture of false is read as an imagery.opacity of 0.
Status setSettings(Settings& settings, std::span<const SettingChange> changes,
                   std::vector<std::string>* notices = nullptr);

// Checks all ranges and that merge is below split (kUsage).  More leaves than kMostEarthLeaves on the Earth: kLimit.
Status checkSettings(const Settings& settings);

// Returns valid settings: clamps numbers to their ranges, rounds msaa down, and replaces what cannot be clamped.  For
// computed values rather than user input.  Accepts NaN and infinity.
Settings sanitized(Settings wanted);

// Returns a number, a time (seconds since 1970), or a flag as 0 or 1; NaN for none.  `key` must name one of these.
double settingNumber(const Settings& settings, std::string_view key);

}  // namespace orogen
