#include "app/session/session_options.h"

#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/session/captures/running_capture.h"
#include "app/session/messages.h"
#include "app/session/session_settings.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/config_file.h"
#include "core/frames/report/report.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/sources/open_source.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen::app {

namespace {

namespace fs = std::filesystem;

// Returns the settings as JSON.  Omits the camera's position and direction where they were not requested, so that the
// terrain's home view applies.
std::string settingsOf(const SessionSettings& settings)
{
    auto json = Json::parse(settingsToJson(settings.wanted()));
    for (const char* key : {"view.position", "view.yaw", "view.pitch"})
        if (!settings.viewGiven(key)) json.erase(key);
    return json.dump();
}

// Returns an error if opening a picture of this name might use a network.
Status checkNoNetwork(const std::string& name)
{
    if (name.find("://") == std::string::npos && !isGdalPath(name)) return Status::ok();
    return Error{ExitCode::kInput,
                 fmt::format("{}: found a picture of a network, expected a file: opening a scene must "
                             "not reach a network",
                             printable(name))};
}

// Returns the path of a file relative to the folder of the scene file `out`.
std::string relativeTo(const fs::path& out, const std::string& file)
{
    std::error_code ignored;
    const fs::path folder = fs::weakly_canonical(fs::absolute(out, ignored).parent_path(), ignored);
    return fs::path(file).lexically_relative(folder).string();
}

Result<SceneTerrain> terrainOf(const std::string& dem, const fs::path& dataRoot, const fs::path& out)
{
    SceneTerrain terrain;
    const bool shipped = dem.empty(), synthetic = isSyntheticName(dem);
    const std::string source = shipped ? (dataRoot / kShippedTerrain).string() : dem;
    if (isGdalPath(source))
        return Error{ExitCode::kInput, fmt::format("{}: found a name of GDAL's file systems, expected a file, a folder "
                                                   "or synthetic:SIZE, whose SHA-256 a scene keeps",
                                                   source)};
    if (const Result<OpenedTerrain> opened = openTerrain(source, {}, TerrainTiles::kAuto); !opened)
        return opened.error();
    Result<std::string> hash = heightmapHash(source, synthetic);
    if (!hash) return hash.error();
    terrain.sha256 = std::move(*hash);
    std::error_code ignored;
    terrain.kind = shipped                             ? TerrainKind::kShipped
                   : synthetic                         ? TerrainKind::kSynthetic
                   : fs::is_directory(source, ignored) ? TerrainKind::kFolder
                                                       : TerrainKind::kFile;
    terrain.name = shipped ? kShippedTerrain : synthetic ? dem : fs::weakly_canonical(source, ignored).string();
    if (!synthetic) terrain.bytes = sourceBytes(source).value_or(0);
    if (shipped || synthetic) return terrain;
    terrain.relative = relativeTo(out, terrain.name);
    return terrain;
}

// Returns the places where the terrain may lie, in the order in which they are tried.
std::vector<std::string> placesOf(const SceneTerrain& terrain, const SessionOptions& options, const fs::path& dataRoot)
{
    if (!options.terrainAt.empty()) return {options.terrainAt};
    if (terrain.kind == TerrainKind::kSynthetic) return {terrain.name};
    if (terrain.kind == TerrainKind::kShipped) return {(dataRoot / terrain.name).string()};
    std::vector<std::string> places;
    std::error_code ignored;
    if (!terrain.relative.empty())
        places.push_back(
            (fs::absolute(options.dem, ignored).parent_path() / terrain.relative).lexically_normal().string());
    if (places.empty() || places.front() != terrain.name) places.push_back(terrain.name);
    return places;
}

Result<std::string> findTerrain(const SceneTerrain& terrain, const SessionOptions& options, const fs::path& dataRoot)
{
    const std::vector<std::string> places = placesOf(terrain, options, dataRoot);
    std::string found;
    for (const std::string& place : places)
    {
        std::error_code ignored;
        const bool synthetic = isSyntheticName(place);
        if (!synthetic && !fs::exists(place, ignored)) continue;
        const Result<std::string> hash = heightmapHash(place, synthetic);
        if (!hash) return hash.error();
        if (*hash == terrain.sha256) return place;
        if (found.empty()) found = fmt::format("SHA-256 {} at {}", *hash, place);
    }
    if (found.empty()) found = fmt::format("nothing at {}", fmt::join(places, " or "));
    return Error{ExitCode::kInput,
                 fmt::format("{}: terrain: found {}, expected SHA-256 {}{}", options.dem, found, terrain.sha256,
                             options.terrainAt.empty() ? " (--terrain says where it lies)" : "")};
}

// Appends to the error's message the path of the shipped terrain that has the name `dem`, if there is one.
Error withShippedTerrain(Error error, const std::string& dem)
{
    const Result<fs::path> root = dataDirectory();
    if (!root || fs::path(dem).filename() != dem) return error;
    const fs::path shipped = (*root / kShippedTerrain).parent_path() / (dem + ".tif");
    std::error_code ignored;
    if (fs::exists(shipped, ignored)) error.message += fmt::format("; shipped is {}", printable(shipped.string()));
    return error;
}

}  // namespace

namespace {
Status openSides(SessionOptions& options);
}

Result<Scene> packScene(const SessionOptions& options, const fs::path& out)
{
    if (options.world() == World::kEarth)
        return Error{ExitCode::kInput, "earth: a scene is of a plane terrain, expected an elevation model"};
    const Result<fs::path> root = dataDirectory();
    if (!root) return root.error();
    Messages messages;
    SessionSettings settings;
    if (Status s = settings.read(options, false, *root, messages); !s) return s.error();
    Scene scene;
    scene.settings = settingsOf(settings);
    scene.path = options.scenePath;
    if (!options.cameraPath.empty())
    {
        Result<CameraPath> path = findCameraPath(options.cameraPath, *root / kCameraPaths);
        if (!path) return path.error();
        // A path without a name gets the name of its file, up to any '#': there a comment of a path file would begin.
        if (const std::string file = fs::path(options.cameraPath).filename().string(); path->name.empty())
            path->name = trimmed(printable(file.substr(0, file.find('#'))));
        scene.path = std::move(*path);
    }
    if (options.sizeGiven) scene.size = {options.width, options.height};
    Result<SceneTerrain> terrain = terrainOf(options.dem, *root, out);
    if (!terrain) return terrain.error();
    scene.terrain = std::move(*terrain);
    std::vector<PictureLayer> layers = options.sceneImagery;
    for (const std::string& name : options.imagery)
        layers.push_back({.name = name});
    for (const PictureLayer& layer : layers)
    {
        if (Status s = checkNoNetwork(layer.name); !s) return s.error();
        if (const auto image = openImage(layer.name); !image) return image.error();
        std::error_code ignored;
        const std::string name = fs::weakly_canonical(layer.name, ignored).string();
        scene.imagery.push_back({name, relativeTo(out, name), layer.opacity, layer.visible});
    }
    scene.program = versionNumber();
    scene.created = nowUtc();
    return scene;
}

Status openScene(SessionOptions& options)
{
    if (options.compare.size() == 2) return openSides(options);
    if (!options.dem.empty() && options.world() != World::kEarth)
        if (Status s = checkThere(options.dem); !s) return withShippedTerrain(s.error(), options.dem);
    for (const std::string& inset : options.insets)
        if (Status s = checkThere(inset); !s) return s;
    if (!options.relief.empty())
        if (Status s = checkThere(options.relief); !s) return s;
    if (!isScene(options.dem))
    {
        if (options.terrainAt.empty()) return Status::ok();
        return Error{ExitCode::kUsage, fmt::format("--terrain {}: found no scene, expected one as the DEM, whose "
                                                   "terrain lies there",
                                                   options.terrainAt)};
    }
    const Result<fs::path> root = dataDirectory();
    if (!root) return root.error();
    Result<Scene> scene = readScene(options.dem);
    if (!scene) return scene.error();
    Result<std::string> terrain = findTerrain(scene->terrain, options, *root);
    if (!terrain) return terrain.error();
    options.sceneFile = options.dem;
    options.sceneSettings = std::move(scene->settings);
    options.scenePath = std::move(scene->path);
    for (const ScenePicture& picture : scene->imagery)
    {
        if (Status s = checkNoNetwork(picture.name); !s) return s;
        std::error_code ignored;
        const fs::path beside = fs::absolute(options.sceneFile, ignored).parent_path() / picture.relative;
        const std::string name = fs::exists(beside, ignored) ? beside.lexically_normal().string() : picture.name;
        options.sceneImagery.push_back({name, picture.opacity, picture.visible});
    }
    // Leaves the shipped terrain unnamed, so that a scene of it can be packed again.
    options.dem = scene->terrain.kind == TerrainKind::kShipped && options.terrainAt.empty() ? "" : std::move(*terrain);
    if (scene->size && !options.sizeGiven) std::tie(options.width, options.height) = *scene->size;
    options.sizeGiven = options.sizeGiven || scene->size.has_value();
    return Status::ok();
}

namespace {

// Adds to the options the settings file, preset or terrain that --compare names for a side.
Status takeSide(SessionOptions& options, const std::string& name, const fs::path& dataRoot)
{
    std::error_code ignored;
    const auto clash = [&](const std::string& what) {
        return Error{ExitCode::kUsage, fmt::format("--compare {}: found {}, too", printable(name), what)};
    };
    if (fs::path(name).extension() == ".json")
    {
        if (!options.settingsFile.empty()) return clash("--settings");
        options.settingsFile = name;
        return Status::ok();
    }
    if (const Result<Preset> preset = findPreset(dataRoot, name))
    {
        if (!options.preset.empty()) return clash("--preset");
        options.preset = name;
        return Status::ok();
    }
    if (!fs::exists(name, ignored) && !isSyntheticName(name) && name != kEarthName)
        return Error{ExitCode::kUsage,
                     fmt::format("--compare: found '{}', expected a settings file (.json), a preset, a "
                                 "scene or a terrain",
                                 printable(name))};
    if (!options.dem.empty()) return clash("a terrain");
    options.dem = name;
    return Status::ok();
}

Status openSides(SessionOptions& options)
{
    const Result<fs::path> root = dataDirectory();
    if (!root) return root.error();
    const std::string left = options.compare[0], right = options.compare[1];
    options.compare.clear();
    SessionOptions other = options;
    if (Status s = takeSide(other, left, *root); !s) return s;
    if (Status s = takeSide(options, right, *root); !s) return s;
    if (Status s = openScene(other); !s) return s;
    if (Status s = openScene(options); !s) return s;
    if (other.world() != options.world())
        return Error{ExitCode::kUsage,
                     fmt::format("--compare {} {}: found the Earth and a plane terrain, expected two sides of one kind",
                                 printable(left), printable(right))};
    if (options.world() == World::kEarth && options.insets.empty() && options.relief.empty() && options.overrides.any())
        return Error{ExitCode::kUsage,
                     fmt::format("--compare {} {}: the Earth alone takes no{}, only elevation models do",
                                 printable(left), printable(right), optionsOf(options.overrides))};
    options.sides = {left, right};
    options.other = std::make_shared<const SessionOptions>(std::move(other));
    return Status::ok();
}

}  // namespace

}  // namespace orogen::app
