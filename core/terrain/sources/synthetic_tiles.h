// Synthetic terrain of any size in tiles, generated on demand: "synthetic:SIZE[:SEED]".
//
// The terrain is a sum of octaves of gradient noise on lattices with cells of 4, 8 ... 2^15 samples. The coarse octaves
// separate land and sea and scale the fine ones, which gives plains and mountains. Ground below the sea is level at 0.
// A height depends only on the sample's position and the seed, with the same bits on every machine. A coarse level's
// samples are samples of the finest. Fine octaves are zero at the points of their own lattice, so that coarse levels
// are smooth.
#pragma once

#include <memory>
#include <string>

#include "core/base/status.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr double kSyntheticTilePixel = 2;  // metres between samples: 131,072 samples span 262 km

// Opens a synthetic terrain with heights of 0 to about 1,000 m. Bounds of tiles are guaranteed, from the octaves'
// amplitudes and derivatives, and several times too wide. A tile's window of 145 x 145 samples takes about 1 ms. Error:
// kUsage, with the ranges of SIZE and SEED.
Result<std::shared_ptr<const TileSource>> openSyntheticTiles(const std::string& dem);

}  // namespace orogen
