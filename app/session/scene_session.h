// Scenes: packs the state that a command line requests, and opens a scene in place of a terrain.
#pragma once

#include <filesystem>
#include <string>

#include "app/session/session_options.h"
#include "core/scene/scene.h"

namespace orogen::app {

// Returns the scene that a session with these options would start with; `out` is its future file.  Reads the whole
// terrain.  Errors: those of settings, path and terrain, as for `view` with the same options.
Result<Scene> packScene(const SessionOptions& options, const std::filesystem::path& out);

// If options.dem is a scene, replaces the options by its contents: terrain, settings (below --preset, --settings and
// --set), path and size, unless given explicitly.  Reads the whole terrain to check it.  Errors: kInput (a named file
// is missing, or the terrain is not found or differs; with place and both hashes), kUsage (options.terrainAt without a
// scene).
Status openScene(SessionOptions& options);

}  // namespace orogen::app
