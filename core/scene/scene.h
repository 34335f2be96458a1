// Scene file: settings, camera path and picture size as values, and a reference to the terrain with its SHA-256.  The
// hashes detect later changes.
//
//   {"format": "orogen.scene/1", "program": "0.1.0", "created": "2026-05-01T12:34:56Z",
//    "settings": {"cbt.depth": 24, ...}, "settings_sha256": "...",
//    "path": "orogen camera path 1\n...", "path_sha256": "...",       null without a path
//    "size": [1280, 720],                                             null without a size
//    "terrain": {"kind": "file", "name": "/data/alps.tif", "relative": "../alps.tif", "bytes": 12345, "sha256": "..."},
//    "imagery": [{"name": "/data/photo.tif", "relative": "../photo.tif", "opacity": 0.5, "visible": true}]}
//    "imagery" is missing if there are no pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/view/camera_path.h"

namespace orogen {

inline constexpr std::string_view kSceneFormat = "orogen.scene/1";

enum class TerrainKind
{
    kFile,
    kFolder,     // folder of tiles
    kSynthetic,  // generated from its name
    kShipped,    // comes with the program
};
std::string_view textOf(TerrainKind kind);

struct SceneTerrain
{
    TerrainKind kind = TerrainKind::kFile;
    std::string name;         // by kind: absolute path; "synthetic:SIZE[:SEED]"; path within the program's data
    std::string relative;     // path from the scene's folder; empty if there is none
    std::uint64_t bytes = 0;  // total size of the terrain's files
    std::string sha256;
    bool operator==(const SceneTerrain&) const = default;
};

// A picture over the terrain.
struct ScenePicture
{
    std::string name, relative;  // absolute path; path from the scene's folder
    float opacity = 1;           // 0 ... 1
    bool visible = true;
    bool operator==(const ScenePicture&) const = default;
};

struct Scene
{
    std::string program, created;  // version, time in UTC
    std::string settings = "{}";   // flat JSON object (settingsToJson()); if it lacks view.*, the home view is shown
    std::optional<CameraPath> path;
    std::optional<std::pair<int, int>> size;  // picture size in pixels, 16 ... 16384
    SceneTerrain terrain;
    std::vector<ScenePicture> imagery;  // the lowest layer first
};

std::string sceneToJson(const Scene& scene);

// Parses a scene.  Errors (kInput, also for a hash that does not match) name the file, the place, what was found and
// what was expected.  Does not check the settings themselves.
Result<Scene> sceneFromJson(std::string_view text, const std::string& file);

// Returns whether a file's content is a scene: an object that begins with the key "format", whose value begins with
// "orogen.scene/".  False if unreadable.
bool isScene(const std::string& file);
Result<Scene> readScene(const std::string& file);

}  // namespace orogen
