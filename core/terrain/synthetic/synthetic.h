// Synthetic terrain "synthetic:SIZE[:SEED]" and its cache.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/terrain/raster/raster.h"

namespace orogen {

inline constexpr int kMinSyntheticSize = 2, kMaxSyntheticSize = 262'144;
inline constexpr int kMaxLandscapeSize =
    16'384;  // larger ones are made by tile: core/terrain/sources/synthetic_tiles.h
inline constexpr std::uint32_t kDefaultSyntheticSeed = 1;

bool isSyntheticName(const std::string& dem);  // "synthetic:..." or "synthetic"

struct SyntheticName
{
    int size = 0;
    std::uint32_t seed = kDefaultSyntheticSeed;
};
// Parses a name. Error: kUsage, with the ranges.
Result<SyntheticName> parseSyntheticName(const std::string& dem);

// Returns SIZE x SIZE samples of a landscape 40.96 km wide; see landscape.h. Heights are about 250 to 3300 m, in steps
// of 1/16 m. A name gives the same bits on every machine. The result is cached in $XDG_CACHE_HOME/orogen or
// ~/.cache/orogen; a damaged cache file is replaced, and failures of the cache are ignored. Errors: kUsage, also above
// kMaxLandscapeSize; kLimit, kInterrupted.
Result<Raster> makeSynthetic(const std::string& dem, const LoadProgress& progress = {});

// Returns the path of the cache file; empty if neither XDG_CACHE_HOME nor HOME is set.
std::string syntheticCachePath(const SyntheticName& name);

}  // namespace orogen
