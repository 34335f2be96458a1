// The files behind a terrain's name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orogen {

// What loadRaster(dem) may read, as far as it is there: the file, or the folder of tiles, and its world files; nothing
// for a synthetic terrain.
std::vector<std::string> sourceFiles(const std::string& dem);

// Of a file, or of all files in a folder; empty: it is neither, or cannot be told.
std::optional<std::uint64_t> sourceBytes(const std::string& dem);

}  // namespace orogen
