// Camera paths: keys that a person can edit, in a file of lines.
//
//   orogen camera path 1          the first line: format and version
//   name once around              optional; the rest of the line
//   units terrain                 what positions are, below
//   loop 60                       optional: the last key goes on to the first, a round takes 60 s
//   smooth 4                      optional (2): seconds before and after over which the ground is smoothed
//   # time  east  north  up  yaw  pitch  fov
//   0       0     -0.5   0.2 0    -20    60
//   ...                           the keys, one a line, at least one; times in seconds, the first 0, rising
//   end                           the last line: what was cut off is noticed
//
// Blank lines, and from a '#' on the rest of a line, are skipped.  Yaw, pitch and field of view are degrees, as in
// Camera; from key to key yaw goes the shorter way.
//
// units terrain: for any terrain.  East and north are fractions of its extent, from its centre: the corners are at
// (±0.5, ±0.5).  Up is a height above the smoothed ground in fractions of the extent's side, sqrt(east · north extent).
// Where the terrain is not square, directions are stretched as positions are: a key that looks at the centre does.
// units earth: of the Earth.  Instead of east, north and up: earth-fixed x, y, z in metres (core/planet/ellipsoid.h);
// yaw and pitch against east, north and up there.  How such keys are followed is in earth_spline.h.
// units metres: for one terrain.  East and north in metres from its centre, up in metres above the sea, as Camera.
//
// Where a path leads is in camera_flight.h: the ground lifts a camera, smoothly, wherever it would come too close.
#pragma once

#include <filesystem>
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

struct CameraPath
{
    static constexpr double kDefaultSmooth = 2;

    std::string name;  // without control characters, '#' and blanks around it; may be empty
    PathUnits units = PathUnits::kMetres;
    double loopSeconds = 0;  // 0: no loop
    double smoothSeconds = kDefaultSmooth;
    std::vector<PathKey> keys;  // at least one

    double duration() const;  // seconds
    bool operator==(const CameraPath&) const = default;
};

inline constexpr const char* kEarthPath = "around";  // the shipped path of the Earth
inline constexpr double kLeastKeySeconds = 0.001;    // between two keys
inline constexpr double kMostPathSeconds = 86'400;
inline constexpr std::size_t kMostKeys = 1 << 18;

// The path of a camera that stands still.
CameraPath standingPath(const Camera& camera, World world);

// Whether a path can be followed in a world.  Error kInput: one line that says of which it is.
Status checkPathWorld(const CameraPath& path, World world);

// Errors: kInput, one line with file, line, found and expected.
Result<CameraPath> parseCameraPath(std::string_view text, const std::string& file);
Result<CameraPath> readCameraPath(const std::string& file);

// The text that parses to an equal path, every number to the last bit.
std::string formatCameraPath(const CameraPath& path);

// Atomically.  Error: kOutput.
Status saveCameraPath(const CameraPath& path, const std::string& file, const FileCalls& calls = systemFileCalls());

// SHA-256, in hexadecimal, of everything that decides where the cameras are: the name and comments do not count.
std::string hashOf(const CameraPath& path);

// The names of the paths in a folder (NAME.path), sorted; a folder that cannot be read has none.
std::vector<std::string> pathNames(const std::filesystem::path& folder);

// `nameOrFile`: a name without '/' and '.' is looked up in `folder`; anything else is a file.
// Error kInput: as readCameraPath, or an unknown name, with those that there are.
Result<CameraPath> findCameraPath(const std::string& nameOrFile, const std::filesystem::path& folder);

}  // namespace orogen
