// The files behind a terrain's name.
#pragma once

#include <string>
#include <vector>

namespace orogen {

// What loadRaster(dem) may read, as far as it is there: the file, or the folder of tiles, and its world files; nothing
// for a synthetic terrain.
std::vector<std::string> sourceFiles(const std::string& dem);

}  // namespace orogen
