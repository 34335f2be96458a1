// Synthetic terrain "synthetic:SIZE[:SEED]": its generator and its cache.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Limits of SIZE, the number of samples along a side.
inline constexpr int kMinSyntheticSize = 2, kMaxSyntheticSize = 262'144;
// Largest SIZE of a landscape in one image. core/terrain/sources/synthetic_tiles.h makes larger ones tile by tile.
inline constexpr int kMaxLandscapeSize = 16'384;
inline constexpr std::uint32_t kDefaultSyntheticSeed = 1;

bool isSyntheticName(const std::string& dem);  // true for "synthetic" and for all names that begin "synthetic:"

struct SyntheticName
{
    int size = 0;
    std::uint32_t seed = kDefaultSyntheticSeed;
};
// Parses a name. Error: kUsage, with the ranges.
Result<SyntheticName> parseSyntheticName(const std::string& dem);

// Returns SIZE x SIZE samples of a landscape 40.96 km wide; see makeLandscape(). Heights are about 250 to 3300 m, in
// steps of 1/16 m. A name gives the same bits on every machine. The result is cached in $XDG_CACHE_HOME/orogen or
// ~/.cache/orogen; a damaged cache file is replaced, and failures of the cache are ignored. Errors: kUsage for a wrong
// name or a SIZE above kMaxLandscapeSize, kLimit (memory), kInterrupted.
Result<Raster> makeSynthetic(const std::string& dem, const LoadProgress& progress = {});

// Returns the path of the cache file; empty if neither XDG_CACHE_HOME nor HOME is an absolute path.
std::string syntheticCachePath(const SyntheticName& name);

// ---- landscape ----
//
// Generator of mountains cut by rivers: uplift against stream-power incision, coarse to fine.
//
// Source of the model: Braun and Willett, "A very efficient O(n), implicit and parallel method to solve the stream
// power equation governing fluvial incision and landscape evolution", Geomorphology 180 (2013), with n = 1 and m = 1/2,
// so that only square roots are needed. Water crosses depressions by a flood from the border (Barnes, Lehman and Mulla,
// "Priority-flood", Computers & Geosciences 62, 2014). A coarse mesh defines the large rivers. Each refinement halves
// its cells, roughens them slightly and lets smaller streams incise.

inline constexpr double kLandscapeSide = 40'960.0;  // width of every landscape (metres), at any resolution

// Returns heights (metres, about 250 to 3300) of `side` x `side` samples in the centres of square cells, row 0 north. A
// seed gives the same mountains at every size, at different resolutions. The result is the same bit for bit with any
// number of threads, and on every machine with IEEE 754 floats.
// `progress` gets the fraction done, on the calling thread; returning false stops, with an empty result.
std::vector<float> makeLandscape(int side, std::uint32_t seed, int threads,
                                 const std::function<bool(double)>& progress = {});

}  // namespace orogen
