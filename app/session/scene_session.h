// Scenes between their file and a session: packed from what a command line asks for, and opened in place of a terrain.
#pragma once

#include <filesystem>
#include <string>

#include "app/session/session_options.h"
#include "core/scene/scene.h"

namespace orogen::app {

// The scene that a session with these options would begin with; `out`: the file that it is for.  Reads the terrain
// whole.  Errors: of the settings, the path and the terrain, as `view` with the same options has them.
Result<Scene> packScene(const SessionOptions& options, const std::filesystem::path& out);

// Where options.dem is a scene, the options become what it holds: the terrain where it lies, its settings below
// --preset,
// --settings and --set, its path and its size, as far as the options say nothing of their own.  Reads the whole terrain
// to check it.  Errors: kInput where it is nowhere or is not the one that was packed, with the place and both hashes;
// kUsage for options.terrainAt without a scene.  Error kInput, too: a file that is named is not there.
Status openScene(SessionOptions& options);

}  // namespace orogen::app
