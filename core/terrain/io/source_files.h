// The files behind a terrain's name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"

namespace orogen {

// What loadRaster(dem) may read, as far as it is there: the file, or the folder of tiles, and its world files; nothing
// for a synthetic terrain.
std::vector<std::string> sourceFiles(const std::string& dem);

// Of a file, or of all files in a folder; empty: it is neither, or cannot be told.
std::optional<std::uint64_t> sourceBytes(const std::string& dem);

// Error kInput where `dem` can only name a file or a folder and nothing is there: before anything is made ready for it.
Status checkThere(const std::string& dem);

struct FileState
{
    std::uint64_t bytes = 0;
    std::string changed;  // when, as its file system or server says it
};

// Files of so many bytes together are told apart by their content, larger ones by size and time of the last change.
inline constexpr std::uint64_t kComparedBytes = 1 << 30;

// A text that is another one after a change of these files, or of their order.  Paths of GDAL's (/vsi...) go by size,
// time and, where a server names one, version.  Where contents are compared, about 0.5 s a GB.  Errors: kInput.
Result<std::string> filesVersion(const std::vector<std::string>& files);
std::string heightsVersion(std::span<const float> heights);  // the same of heights in memory; 0.3 s a GB

}  // namespace orogen
