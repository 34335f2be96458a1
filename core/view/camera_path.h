// Camera paths: cameras at given times (keys) in an editable text file, and the recording of such paths.
//
//   orogen camera path 1          first line: format and version
//   name once around              optional; the rest of the line
//   units terrain                 units of positions: terrain, metres or earth, explained below
//   loop 60                       optional: the last key leads back to the first; the loop takes 60 s
//   smooth 4                      optional, default 2: seconds before and after over which the ground is averaged
//   mark approach                 optional: a section of reports begins at the next key; at most kMostMarks
//   # time  east  north  up  yaw  pitch  fov
//   0       0     -0.5   0.2 0    -20    60
//   ...                           one key per line, at least one; times in seconds, the first 0, rising
//   end                           last line; detects truncation
//
// Blank lines, and the rest of a line from a '#' on, are skipped.  Yaw, pitch and field of view are in degrees, as in
// Camera; yaw goes the shorter way from key to key.
//
// units terrain: for any terrain.  East and north are fractions of its extent, from its centre: the corners are at
// (±0.5, ±0.5).  Up is a height above the smoothed ground in units of sqrt(east extent · north extent).  If the terrain
// is not square, yaw is stretched like east and north, so that a key that heads for the centre still does.
// units earth: for the Earth.  Instead of east, north and up: earth-fixed x, y, z in metres (core/planet/ellipsoid.h);
// yaw and pitch relative to east, north and up at the position.  Interpolation: EarthSpline.
// units metres: for one terrain.  East and north in metres from its centre, up in metres above the sea, as in Camera.
//
// camera_flight.h follows a path and smoothly lifts the camera where it would come too close to the ground.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/base/status.h"
#include "core/settings.h"
#include "core/view/camera.h"
#include "core/view/key_spline.h"

namespace orogen {

enum class PathUnits
{
    kTerrain,
    kMetres,
    kEarth,
};

// Beginning of a section of the path, for reports.
struct PathMark
{
    double time = 0;   // seconds; the time of a key
    std::string name;  // 1 to kLongestMark bytes, without control characters and '#'
    bool operator==(const PathMark&) const = default;
};

struct CameraPath
{
    static constexpr double kDefaultSmooth = 2;

    std::string name;  // without control characters, '#' and surrounding blanks; may be empty
    PathUnits units = PathUnits::kMetres;
    double loopSeconds = 0;  // 0: no loop
    double smoothSeconds = kDefaultSmooth;
    std::vector<PathKey> keys;         // at least one
    std::vector<PathMark> marks = {};  // times rising

    double duration() const;  // seconds
    // Returns the name of the section at a time, which starts over after the end; empty before the first mark.
    std::string sectionAt(double seconds) const;
    bool operator==(const CameraPath&) const = default;
};

inline constexpr const char* kEarthPath = "around";  // name of the Earth's shipped path
inline constexpr double kLeastKeySeconds = 0.001;    // between two keys
inline constexpr double kMostPathSeconds = 86'400;
inline constexpr std::size_t kMostKeys = 1 << 18;
inline constexpr std::size_t kMostMarks = 100, kLongestMark = 64;

// Returns the path of a camera that stands still.
CameraPath standingPath(const Camera& camera, World world);

// Checks that a path can be followed in a world.  Error kInput: one line that names the path's units.
Status checkPathWorld(const CameraPath& path, World world);

// Parse a path.  Errors: kInput, with file, line, found and expected, or with the file and why it cannot be read.
Result<CameraPath> parseCameraPath(std::string_view text, const std::string& file);
Result<CameraPath> readCameraPath(const std::string& file);

// Returns text that parses to an equal path; numbers are exact.
std::string formatCameraPath(const CameraPath& path);

// Writes atomically.  Error: kOutput.
Status saveCameraPath(const CameraPath& path, const std::string& file, const FileCalls& calls = systemFileCalls());

// Returns the SHA-256, in hexadecimal, of all that determines the cameras; excludes the name, marks and comments.
std::string hashOf(const CameraPath& path);

// Returns the sorted names of the paths in a folder (NAME.path); none if it cannot be read.
std::vector<std::string> pathNames(const std::filesystem::path& folder);

// Reads a path: a name without '/' and '.' is looked up in `folder` first, anything else is a file.  Error kInput: as
// readCameraPath(), or an unknown name, with a list of the known ones.
Result<CameraPath> findCameraPath(const std::string& nameOrFile, const std::filesystem::path& folder);

// ---- paths from flying: reduces the cameras of all frames to few keys that reproduce them ----

// Largest deviation of the curve from the recording.
struct PathTolerance
{
    double relative = 0.002;  // position: share of the height above ground; some two pixels
    double metres = 0.05;     // position: lower limit, near the ground
    double degrees = 0.1;     // yaw, pitch and field of view
};

class PathRecorder
{
public:
    static constexpr std::size_t kMostSamples = kMostKeys;  // over an hour at 60 Hz; 17 MB

    explicit PathRecorder(const PathTolerance& tolerance = {}, World world = World::kPlane)
        : tolerance_(tolerance), world_(world)
    {
    }

    // Adds the camera of a frame.  `seconds`: time with any origin; `heightAboveGround`: metres.  Skips a frame if the
    // last sample is less than 4 ms old.  Keeps two samples a second while the camera stands still.  Returns false when
    // full or after kMostPathSeconds.
    bool add(double seconds, const Camera& camera, double heightAboveGround);

    bool empty() const { return samples_.empty(); }
    double duration() const { return empty() ? 0.0 : samples_.back().key.time; }  // seconds

    // Returns the path; requires at least one sample.  Positions are in metres, on the Earth earth-fixed; the path is
    // no loop.  Values are rounded to 0.1 ms, 1 cm and 0.001 degrees.  The curve is within the tolerance of every
    // sample.  O(samples · log keys), some 50 ms per minute of flying.
    CameraPath path(std::string name) const;

private:
    struct Sample
    {
        PathKey key;
        double metres;  // position tolerance
    };
    using Curve = std::function<PathKey(double)>;
    Curve curveThrough(const std::vector<PathKey>& keys) const;
    double missedBy(const Sample& sample, const Curve& curve) const;  // deviation, as a multiple of the tolerance
    // Returns the sample between two others that the curve misses most; nothing if all are within the tolerance.
    std::optional<std::size_t> worst(std::size_t from, std::size_t to, const Curve& curve) const;

    PathTolerance tolerance_;
    World world_;
    std::vector<Sample> samples_;
    double started_ = 0;
};

}  // namespace orogen
