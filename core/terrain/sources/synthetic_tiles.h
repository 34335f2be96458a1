// Terrain that the program makes itself, by tile on demand: "synthetic:SIZE[:SEED]" of any size.
//
// Octaves of gradient noise on lattices of 4, 8 ... 2^15 samples: the coarse ones make land and sea, and say how strong
// the others are, so that there are plains and mountains; what would lie below the sea is level at 0.  A height is a
// function of the sample's position and the seed alone, the same bits on every machine, and a coarse level's samples
// are the finest one's.  Fine octaves are zero at the points of their own lattice, so that coarse levels are smooth and
// quick to make.
#pragma once

#include <memory>
#include <string>

#include "core/base/status.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr double kSyntheticTilePixel = 2;  // metres between samples: 131,072 are 262 km wide

// Heights of 0 to about 1,600 m.  Bounds of tiles hold for certain, from the octaves' amplitudes and derivatives: they
// are several times what is there.  A tile's window of 145 x 145 samples takes about 1 ms.  Error: kUsage, with the
// ranges of SIZE and SEED.
Result<std::shared_ptr<const TileSource>> openSyntheticTiles(const std::string& dem);

}  // namespace orogen
