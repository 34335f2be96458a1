// A scene in one file: settings, camera path and picture size as they are, and a reference to the terrain with its
// SHA-256.  JSON, so that it can be read; what is in it is sealed by hashes, so that it is what was packed.
//
//   {"format": "orogen.scene/1", "program": "0.1.0", "created": "2026-05-01T12:34:56Z",
//    "settings": {"cbt.depth": 24, ...}, "settings_sha256": "...",
//    "path": "orogen camera path 1\n...", "path_sha256": "...",       null without one
//    "size": [1280, 720],                                             null without one
//    "terrain": {"kind": "file", "name": "/data/alps.tif", "relative": "../alps.tif", "bytes": 12345, "sha256": "..."}}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/status.h"
#include "core/view/camera_path.h"

namespace orogen {

inline constexpr std::string_view kSceneFormat = "orogen.scene/1";

enum class TerrainKind
{
    kFile,
    kFolder,     // of tiles
    kSynthetic,  // made from its name
    kShipped,    // comes with the program
};
std::string_view textOf(TerrainKind kind);

struct SceneTerrain
{
    TerrainKind kind = TerrainKind::kFile;
    std::string name;         // the whole path; "synthetic:SIZE[:SEED]"; below the program's data
    std::string relative;     // the path from the scene's folder; empty where there is none
    std::uint64_t bytes = 0;  // of its files
    std::string sha256;
    bool operator==(const SceneTerrain&) const = default;
};

struct Scene
{
    std::string program, created;  // version, UTC
    std::string settings = "{}";   // a flat JSON object, as settingsToJson writes it; without a view: the home view
    std::optional<CameraPath> path;
    std::optional<std::pair<int, int>> size;  // of the picture in pixels, 16 ... 16384
    SceneTerrain terrain;
};

std::string sceneToJson(const Scene& scene);

// Errors (kInput): the file, the place, what was found and what was expected; among them parts that are not those that
// were packed.  Whether the settings are settings is not looked at.
Result<Scene> sceneFromJson(std::string_view text, const std::string& file);

// Of a file.  Whether a file is a scene is told by its content: an object that begins with the key "format", whose
// value begins with "orogen.scene/".  What cannot be read is none.
bool isScene(const std::string& file);
Result<Scene> readScene(const std::string& file);

}  // namespace orogen
