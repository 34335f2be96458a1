// Terrain that the program makes itself, "synthetic:SIZE[:SEED]", and the folder that keeps it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/terrain/raster/raster.h"

namespace orogen {

inline constexpr int kMinSyntheticSize = 2, kMaxSyntheticSize = 262'144;
inline constexpr int kMaxLandscapeSize =
    16'384;  // what is larger is made by tile: core/terrain/sources/synthetic_tiles.h
inline constexpr std::uint32_t kDefaultSyntheticSeed = 1;

bool isSyntheticName(const std::string& dem);  // starts with "synthetic:" or is "synthetic"

struct SyntheticName
{
    int size = 0;
    std::uint32_t seed = kDefaultSyntheticSeed;
};
// Error: kUsage, with the ranges.
Result<SyntheticName> parseSyntheticName(const std::string& dem);

// SIZE x SIZE samples of a landscape 40.96 km wide (so that 1024 samples are 40 m apart), heights about 250 to 3300
// m in steps of 1/16 m, see landscape.h.  The same bits for the same name on every machine.  It is kept in
// $XDG_CACHE_HOME/orogen, or ~/.cache/orogen; a damaged file there is made anew, and a folder that cannot be used is
// no error.  Errors: kUsage, also above kMaxLandscapeSize; kLimit, kInterrupted.
Result<Raster> makeSynthetic(const std::string& dem, const LoadProgress& progress = {});

// Where `name` is kept; empty if there is no folder to keep it in (neither XDG_CACHE_HOME nor HOME).
std::string syntheticCachePath(const SyntheticName& name);

}  // namespace orogen
