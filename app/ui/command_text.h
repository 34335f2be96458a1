// Formats what is on screen as a shell command.
#pragma once

#include <string>
#include <string_view>

#include "core/settings.h"

namespace orogen::app {

// Returns `text` as one POSIX shell word: unchanged if no character is special to a shell, else in single quotes.
std::string shellWord(std::string_view text);

// Returns the absolute path of a file or folder; names that are not files ("synthetic:...") stay unchanged.
std::string absoluteDem(const std::string& dem);

// Returns "--set key=value", separated by blanks, for each setting that differs from its default (camera included).
std::string changedAsOptions(const Settings& settings);

// Returns the camera settings as options, including those at their defaults.
std::string viewAsOptions(const Settings& settings);

// Returns "orogen view DEM --set ...": opens this terrain (the shipped one if `dem` is empty) with these settings.
std::string viewCommand(const std::string& dem, const Settings& settings);

}  // namespace orogen::app
