// Interface of tile sources: elevation models of any size, read in pieces.
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

struct Tile;
class TileMaker;

// A window of samples of one level, counted from the north-western one; on the Earth from the corner of the face where
// x and y are 0.
struct TileWindow
{
    int level = 0;
    int column = 0, row = 0, width = 0, height = 0;
    int face = 0;  // face of the cube; 0 on a plane
};

// A thread's access to a source. Not thread-safe.
class TileReader
{
public:
    virtual ~TileReader() = default;

    // Reads heights (metres) row by row; NaN where the source has no data. A position outside the raster has the height
    // of the raster's nearest sample. `out` has width * height elements. A sample of level l has the position and the
    // height of the sample of level 0 with 2^l times its column and row. In a source whose coarse levels are means, the
    // means are interpolated at that position. Errors: kInput, with the file and the cause. The reader stays usable,
    // and the read may be retried.
    virtual Status read(const TileWindow& window, std::span<float> out) = 0;

    // Writes the source's own slopes to `out`: means of the finest level's slopes around each sample, which are better
    // than differences of coarse samples. Pairs, metres per metre towards east and north. Returns false if the source
    // has none.
    virtual bool slopes(const TileWindow& window, std::span<float> out)
    {
        (void)window, (void)out;
        return false;
    }

    // Returns a tile; heights go through read() and TileMaker::make(). A reader of colours makes its tiles itself.
    virtual Result<std::shared_ptr<const Tile>> make(TileMaker& maker, const TileKey& key, const Tile* parent);

    // Writes to `out` the distance (metres) from each sample of the window that was read last to the nearest data finer
    // than the source's base (TileSource::baseLevel()). It is 0 in such data; larger distances are less exact. Returns
    // false if there are no such data.
    virtual bool distances(std::span<float> out) const
    {
        (void)out;
        return false;
    }

    // Writes to `out` the base's heights of the window that was read last, without data finer than the base. Returns
    // false if there are no finer data in the window, so that read() has returned the base's heights.
    virtual bool baseHeights(std::span<float> out) const
    {
        (void)out;
        return false;
    }

    // Returns the bytes fetched from files or the network since the reader was made.
    virtual std::uint64_t bytesRead() const = 0;
};

// Bounds of a tile known before it is read.
struct TileBounds
{
    float lowest = 0, highest = 0;  // metres, of the finest surface in the tile
    // Largest distance of this level's surface from the finest one in the tile (metres). Voids count as TileMaker fills
    // them, or are left out where the source does not know them.
    float deviation = 0;
};

// An elevation model, or imagery, in tiles. Immutable after opening; called from any thread.
class TileSource
{
public:
    virtual ~TileSource() = default;

    // Returns the description without heights: sides, pixel size, name, format, coordinate system, warnings. minHeight
    // and maxHeight bound the finest surface or, if that is unknown, the part of it that was read.
    virtual const Raster& raster() const = 0;
    virtual TileGrid grid() const { return {raster().width, raster().height}; }

    // Returns whether the next finer level adds information to a tile. If so, all its children in grid() exist,
    // otherwise none. Level 0 has no children.
    virtual bool refines(const TileKey& key) const { return key.level > 0; }

    // Returns the level of the base: the data that cover the whole terrain. Finer levels exist only around finer data.
    // Where these end, samples of the finer levels are interpolated in the base.
    virtual int baseLevel() const { return 0; }

    virtual Result<std::unique_ptr<TileReader>> openReader() const = 0;

    // Returns a tile's bounds; empty if the source has none. TileMaker then estimates them from the samples read.
    virtual std::optional<TileBounds> bounds(const TileKey& key) const = 0;

    // Returns whether coarse levels are samples of the finest one. False: they are means of finer samples, and the
    // deviation of the means adds to every error.
    virtual bool decimated() const = 0;

    // Returns the levels stored in the source, finest first; the others are subsampled from the next finer one.
    virtual std::vector<int> storedLevels() const { return {0}; }

    // Returns a text that changes with the heights, as far as the source can detect changes; empty if its name
    // determines them. May read all files of the source. Errors: kInput.
    virtual Result<std::string> version() const { return std::string(); }

    // Returns whether reads may be slow because of a network. Overviews are then read in few, large pieces.
    virtual bool remote() const { return false; }

    // Returns whether a source that fits into the budget is loaded as a whole. False: tiles are expensive to make.
    virtual bool loadedWhole() const { return !remote(); }

    // Returns the bytes of a tile in memory and on the GPU, which count against the budget.
    virtual std::size_t tileBytes() const;
};

}  // namespace orogen
