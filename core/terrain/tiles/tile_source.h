// Where tiles come from: an elevation model of any size, read in pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

// Samples of one level, counted from the north-western one.
struct TileWindow
{
    int level = 0;
    int column = 0, row = 0, width = 0, height = 0;
    int face = 0;  // of the cube; 0 on a plane
};

// One thread's access to a source.
class TileReader
{
public:
    virtual ~TileReader() = default;

    // Heights in metres, row by row; NaN where the source has no data.  A position outside the raster has the height of
    // the raster's nearest sample.  `out` has width * height elements.  A sample of level l is the one of level 0 at
    // 2^l times its column and row, or where the source has means instead, their value interpolated at that place.
    // Errors: kInput, with the file and what was wrong; the reader can be used on, and what failed may be read again.
    virtual Status read(const TileWindow& window, std::span<float> out) = 0;

    // Where a source knows better than differences between a coarse level's samples, its slopes: means of the finest
    // level's around each sample of the window.  Pairs, metres a metre towards east and north.  False: it does not.
    virtual bool slopes(const TileWindow& window, std::span<float> out)
    {
        (void)window, (void)out;
        return false;
    }

    // Bytes that were fetched from files or from the network since the reader was made.
    virtual std::uint64_t bytesRead() const = 0;
};

// What is known of a tile beforehand.
struct TileBounds
{
    float lowest = 0, highest = 0;  // metres, of the finest surface in the tile
    // Metres: largest distance of this level's surface from the finest one in the tile.  Voids count as makeTile()
    // fills them, or are left out where the source cannot tell.
    float deviation = 0;
};

// Immutable once it is open; called from any thread.
class TileSource
{
public:
    virtual ~TileSource() = default;

    // The source's description without heights: sides, pixel size, name, format, coordinate system, warnings.
    // minHeight and maxHeight bound the finest surface, or where that is not known what was seen of it.
    virtual const Raster& raster() const = 0;
    virtual TileGrid grid() const { return {raster().width, raster().height}; }

    // Whether the next finer level says more of a tile's ground: then all four tiles below it exist, else none does.
    // Level 0 has none below it.
    virtual bool refines(const TileKey& key) const { return key.level > 0; }

    virtual Result<std::unique_ptr<TileReader>> openReader() const = 0;

    // Empty: the source does not say; then errors are estimated from what has been read.
    virtual std::optional<TileBounds> bounds(const TileKey& key) const = 0;

    // Coarse levels are samples of the finest (false: means, whose deviation adds to every error).
    virtual bool decimated() const = 0;

    // Levels that are stored as such, the finest first; the others are picked out of the next finer one.
    virtual std::vector<int> storedLevels() const { return {0}; }

    // A text that is another one once the heights have changed, as far as that can be told; empty: they follow from the
    // source's name.  May read all files of the source.  Errors: kInput.
    virtual Result<std::string> version() const { return std::string(); }

    // Each read may take a network's time: overviews are read in few, large pieces.
    virtual bool remote() const { return false; }
};

}  // namespace orogen
