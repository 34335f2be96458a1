// Options of a viewer session, as the command line gives them.  openScene() takes missing options from a scene file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/model/picture_state.h"
#include "core/planet/ellipsoid.h"
#include "core/scene/scene.h"
#include "core/settings.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/imagery/image_source.h"
#include "core/terrain/io/source_overrides.h"
#include "core/view/camera_path.h"

namespace orogen::app {

struct SessionOptions
{
    std::string dem;                  // file, folder, "synthetic:SIZE[:SEED]" or kEarthName; empty: the shipped terrain
    std::string terrainAt;            // path of a scene's terrain; empty: as in the scene
    std::vector<std::string> insets;  // elevation models placed on the Earth
    std::string relief;               // elevation model in place of the Earth's shipped relief; empty: none
    std::string goToName;             // place of the first view, by name; empty: `goTo`
    std::optional<Geodetic> goTo;     // place of the first view; needs a georeference
    SourceOverrides overrides;        // override the file's metadata
    int width = 1280, height = 720;
    bool sizeGiven = false;  // the size was given; otherwise that of the last window or the scene applies
    bool fullscreen = false;
    bool vsync = true;
    std::optional<float> uiScale;          // 0.5 to 4; empty: from the desktop
    int gpu = -1;                          // index of the GPU for headless rendering; -1: the first that works
    std::vector<std::string> imagery;      // pictures over the ground and over a scene's pictures; later ones on top
    std::vector<std::string> overlays;     // GPX and GeoJSON files
    std::string ramp;                      // file of colours by height; empty: that of the settings
    std::string cameraPath;                // name or file; empty: none
    std::vector<std::string> assignments;  // "key=value", in order, applied after settingsFile
    std::string preset;                    // a name; empty: none; applied before settingsFile
    std::string settingsFile;
    std::string script;
    bool headless = false;
    bool needsWindow = false;  // fail without a window instead of rendering headless
    bool capture = false;      // command capture, sweep or record: stored settings are ignored
    // Number of frames after which the session ends at the latest, at least 1.  Empty: it ends when its script is done;
    // without a script, when the window is closed; headless without a script, when the picture has converged or took
    // too long to, and along a camera path after 120 frames.
    std::optional<std::uint64_t> frames;
    std::string screenshot;  // PNG of the last frame; empty: none

    std::vector<std::string> compare;  // sides of a split picture: settings files, presets, scenes or terrains
    SplitView split;

    // Set by openScene().
    std::shared_ptr<const SessionOptions> other;  // left side of a split picture; null: none
    SplitNames sides;
    std::string sceneFile;      // empty: no scene
    std::string sceneSettings;  // JSON object; applied before the preset
    std::optional<CameraPath> scenePath;
    std::vector<PictureLayer> sceneImagery;

    World world() const { return dem == kEarthName ? World::kEarth : World::kPlane; }
};

// ---- scenes ----

// Returns the scene that a session with these options would start with; `out` is the file to which the scene will be
// written.  Reads the whole terrain.  Errors: those of settings, path, terrain and pictures; kInput for the Earth.
Result<Scene> packScene(const SessionOptions& options, const std::filesystem::path& out);

// First makes the two sides of a split picture, if options.compare names them: `options` become the right side, and
// options.other the left one.  Errors: kUsage (an unknown name, or one that clashes with another option; only one side
// shows the Earth).
//
// Then, if options.dem is a scene, takes from it terrain, settings, path, imagery, and the size unless that is given.
// Options --preset, --settings and --set override the scene's settings.  Reads the whole terrain to check it.  Errors:
// those of readScene(); kInput (a named file is missing, a picture is on a network, or the terrain is not found or
// differs: the message has both hashes); kUsage (options.terrainAt without a scene).
Status openScene(SessionOptions& options);

}  // namespace orogen::app
