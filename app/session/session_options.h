// What a session of the viewer is asked to begin with; the command line fills it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/planet/ellipsoid.h"
#include "core/settings.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/source_overrides.h"
#include "core/view/camera_path.h"

namespace orogen::app {

struct SessionOptions
{
    std::string dem;        // a file, a folder, "synthetic:SIZE[:SEED]" or kEarthName; empty: the shipped terrain
    std::string terrainAt;  // where the terrain of a scene lies; empty: where the scene says
    std::vector<std::string> insets;  // elevation models that lie in it, where it is the Earth
    std::optional<Geodetic> goTo;     // where the first view is; needs a georeference
    SourceOverrides overrides;        // what the command line says of it better than its file
    int width = 1280, height = 720;
    bool sizeGiven = false;  // asked for; else a window comes back as it was left, and a scene may say it
    bool fullscreen = false;
    bool vsync = true;
    std::optional<float> uiScale;          // 0.5 ... 4; empty: what the desktop asks for
    int gpu = -1;                          // -1: the first that works
    std::string image;                     // draped over the terrain; empty: none
    std::string cameraPath;                // a file; empty: none
    std::vector<std::string> assignments;  // "key=value", in order, applied after settingsFile
    std::string preset;                    // a name; empty: none; applied before settingsFile
    std::string settingsFile;
    std::string script;
    bool headless = false;
    bool needsWindow = false;             // an error where none can be opened, instead of headless
    bool capture = false;                 // the stored settings are neither read nor written
    std::optional<std::uint64_t> frames;  // at least 1; empty: 120 when headless, else until closed
    std::string screenshot;               // PNG of the last frame; empty: none

    // What openScene() found in a scene.
    std::string sceneFile;      // empty: there is none
    std::string sceneSettings;  // a JSON object; applied before the preset
    std::optional<CameraPath> scenePath;

    World world() const { return dem == kEarthName ? World::kEarth : World::kPlane; }
};

}  // namespace orogen::app
