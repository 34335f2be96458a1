// Every tunable of the renderer: its key, range, default and text.  The same keys serve --set, the settings file,
// the panels and scripts.
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
    kError,  // projected vertical error, exact but for rounding
};
enum class Shading
{
    kLit,
    kNormals,
    kSlope,
    kHypsometric,
    kLod,
    kError,  // how far what is drawn lies from the surface, in pixels
};
enum class BudgetMode
{
    kOff,
    kFrameMs,    // of a frame's time
    kTriangles,  // drawn
};
enum class Border
{
    kOpen,
    kWalls,   // cut faces down from the border
    kGround,  // land to the horizon, without data
};
// How heights are kept.
enum class TerrainTiles
{
    kAuto,    // in tiles where the terrain is too large for one image
    kAlways,  // in tiles
};
enum class ViewMode
{
    kFly,
    kMap,
};

// What a session shows.  Some ranges and defaults differ between the two.
enum class World
{
    kPlane,  // one terrain
    kEarth,
};

inline constexpr int kBookmarks = 3;  // places that a user keeps to come back to, numbered from 1

// A value type: panels, scripts and the command line edit a copy, the frame applies it at one point.
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
        double value = 0;  // milliseconds or triangles; 0: no budget
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
        bool detail = true;                        // made relief below the samples' spacing, in shading lit
        TerrainTiles tiles = TerrainTiles::kAuto;  // taken up when a terrain is opened
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
        bool haze = true;
        float visibility = 80.0f;  // kilometres, where a fiftieth of a contrast is left
        bool nearDetail = true;    // decoration below the samples' spacing
        bool lakes = true;         // flat connected cells are shown as water
        bool contours = false;
        float contourInterval = 0.0f;  // metres; 0: chosen by the relief
        bool texture = true;           // the draped image is shown, where there is one
        bool operator==(const Render&) const = default;
    } render;
    struct View
    {
        ViewMode mode = ViewMode::kFly;
        // Metres: east, north from the terrain's centre, up from the sea; on the Earth earth-fixed
        // (planet/ellipsoid.h).
        glm::dvec3 position{0.0, 0.0, 0.0};
        double yaw = 0.0;    // degrees from north, clockwise
        double pitch = 0.0;  // degrees, up is positive
        double fov = 60.0;   // degrees, vertical
        glm::dvec2 shift{0.0};  // Camera::shift; no setting: the panels decide it
        bool operator==(const View&) const = default;
    } view;
    // No settings: what is shown decides them.
    World world = World::kPlane;
    int samplesDepth = kLeastSamplesDepth;  // the default of cbt.depth: see depthForSamples()

    bool operator==(const Settings&) const = default;

    static constexpr int kLeastSamplesDepth = 24;
    int treeDepth() const { return world == World::kEarth ? earth.depth : cbt.depth; }  // of the tree that is shown

    bool detailShown() const { return terrain.detail && render.shading == Shading::kLit; }
};

enum class SettingType
{
    kBool,
    kInteger,
    kReal,
    kRealOrNone,  // a real, or the word kSettingNone
    kChoice,
    kPosition,  // three reals
};
inline constexpr std::string_view kSettingNone = "none";

// One row of the table behind --set, the settings file, panels and scripts.
struct SettingInfo
{
    std::string_view key;    // "lod.split_pixels"
    std::string_view label;  // for a person: "Split above"
    SettingType type;
    double minimum, maximum;                    // of numbers, and of each number of a position; inclusive
    std::span<const std::string_view> choices;  // of kChoice, in the order of the enumeration; of kInteger: the only
                                                // values there are, ascending, if not empty
    std::string_view unit;                      // "px", "deg", "m" or empty
    std::string_view text;                      // what it does and what turning it up costs, one sentence
};

std::span<const SettingInfo> settingTable();
const SettingInfo* findSetting(std::string_view key);  // null if there is none; ranges and text of a plane
SettingInfo infoIn(const SettingInfo& info, World world);

inline constexpr std::uint32_t kMostEarthLeaves = 2'097'152;

Settings defaultSettings(World world);
Settings defaultsFor(const Settings& settings);  // of its world and samples

std::string_view depthKey(World world);  // of the setting that treeDepth() returns

// The depth of a plane's tree whose finest triangles, at the default patch level, have legs no longer than the spacing
// of the samples: at least 24, at most `largest`. `side`: of the tree's square; both in metres.
int depthForSamples(double side, double spacing, int largest);

// The settings for another world: what is a default becomes that one's, and so does what cannot be there; the rest
// stays.  The view keeps its field of view alone.
Settings takenTo(World world, const Settings& settings);

// The value of `key` as text, as setSetting reads it back without loss.  `key` must exist.
std::string settingText(const Settings& settings, std::string_view key);

// Sets one key, whose range is that of settings.world.  Unknown key, unreadable value or value out of range: an error
// (kUsage) that names the key, the value and the range, and `settings` unchanged.  Setting lod.split_pixels also sets
// lod.merge_pixels to 3/7 of it. Flags read true/false, on/off, 1/0; positions read "[e, n, u]" and "e,n,u".
Status setSetting(Settings& settings, std::string_view key, std::string_view value);

struct SettingChange
{
    std::string key, value;
};

// Sets a group that is meant as one (every --set of a command line), then checkSettings().  lod.merge_pixels, if it is
// in the group, wins over what lod.split_pixels would make it, whatever their order.  On the Earth, a cbt.depth in a
// group without earth.depth sets earth.depth, which adds a line to `notices`.  On an error nothing is changed.
Status setSettings(Settings& settings, std::span<const SettingChange> changes,
                   std::vector<std::string>* notices = nullptr);

// Whether every value is in its range and what must hold between keys holds (merge below split): kUsage if not.  More
// leaves than kMostEarthLeaves on the Earth: kLimit.
Status checkSettings(const Settings& settings);

// The nearest valid settings: total, accepts NaN and infinity.  For values that come from arithmetic, not from users.
Settings sanitized(Settings wanted);

// One flat JSON object {"cbt.depth": 24, ...}.  Reading changes only the keys that stand in the text; text that is no
// such object (kInput), an unknown key or a bad value (kUsage) is an error that names `file`, and nothing is changed.
// Keys are taken as one group, as in setSettings.
std::string settingsToJson(const Settings& settings);
// Lines that are added to `notices` name `file`, too.
Status settingsFromJson(Settings& settings, std::string_view json, const std::string& file,
                        std::vector<std::string>* notices = nullptr);

// The same for a file that an older or newer version wrote: what can be used is used, the rest is returned as errors.
[[nodiscard]] std::vector<Error> settingsFromJsonLeniently(Settings& settings, std::string_view json,
                                                           const std::string& file);

}  // namespace orogen
