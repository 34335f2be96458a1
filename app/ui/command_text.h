// What is on screen as a command to type into a shell.
#pragma once

#include <string>
#include <string_view>

#include "core/settings.h"

namespace orogen::app {

// `text` as one word of a POSIX shell: as it is where no character of it means something to one, else in single quotes.
std::string shellWord(std::string_view text);

// A file's or a folder's path from the root, so that it holds in any folder; what makes a terrain instead of reading
// one ("synthetic:...") stays.
std::string absoluteDem(const std::string& dem);

// "--set key=value" for each setting that is not at its default, the camera's place among them, separated by blanks.
std::string changedAsOptions(const Settings& settings);

// The camera alone, whether it is at its default or not.
std::string viewAsOptions(const Settings& settings);

// "orogen view DEM --set ...": shows this terrain, or the shipped one if `dem` is empty, with these settings.
std::string viewCommand(const std::string& dem, const Settings& settings);

}  // namespace orogen::app
