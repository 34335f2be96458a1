// A terrain in tiles whose heights differ from those of another source inside a window.
//
// The window is a box of samples of one level. Each sample has a difference (metres), which is added to the heights of
// the source below. Between these samples, in finer levels, the differences are interpolated bilinearly. Outside the
// window the difference is 0, and all heights have the same bits as those of the source below.
//
// A source never changes. Other differences make another source, so that readers of the earlier one finish undisturbed.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr int kMostWindowSide = 2048;  // samples along a side of a window
inline constexpr int kLeastWindowSide = 3;    // samples along a side of a window

// A box of samples of a level of TileGrid on a plane, kLeastWindowSide to kMostWindowSide per side.
struct ChangeWindow
{
    int level = 0;
    IndexBox box;

    int width() const { return box.x1 - box.x0; }
    int height() const { return box.y1 - box.y0; }
    std::size_t samples() const { return std::size_t(width()) * std::size_t(height()); }
    bool operator==(const ChangeWindow&) const = default;
};

// Returns the window of at most `side` samples per side whose middle is nearest to a position, in samples of the level.
// The window lies inside the level. It covers a level that is smaller than `side`.
ChangeWindow windowOf(const TileGrid& grid, int level, double column, double row, int side);

// Returns the samples of level 0 whose heights depend on the differences in `box` (samples of the window, from its
// north-western one). May extend beyond the raster.
IndexBox reachOf(const ChangeWindow& window, const IndexBox& box);

// Weight of a change in the window: 1 in the middle, falling smoothly to 0 over the outer eighth of its shorter side.
// At sides on the terrain's border, beyond which nothing adjoins, it does not fall.
class WindowFade
{
public:
    WindowFade(const TileGrid& grid, const ChangeWindow& window);
    // Returns the weight of a sample, counted from the window's north-western one.
    float at(int column, int row) const { return columns_[std::size_t(column)] * rows_[std::size_t(row)]; }

private:
    std::vector<float> columns_, rows_;
};

class ChangedTiles final : public TileSource
{
public:
    // Returns a source whose differences are all 0. `below`: a terrain on a plane. Memory: 4 bytes per sample.
    static std::shared_ptr<const ChangedTiles> over(std::shared_ptr<const TileSource> below,
                                                    const ChangeWindow& window);

    // Returns the source with other differences in `box`, in samples of the window. `differences`: row by row, all of
    // the window (finite; 0 at the window's border where it lies inside the terrain). Those outside `box` must be equal
    // to the present ones. `heights`: those of the source below at the window's samples (NaN: void), for a narrow range
    // of the whole terrain; may be empty. O(samples) to copy, and about 3 ns per sample of the box for bounds.
    std::shared_ptr<const ChangedTiles> with(std::vector<float> differences, const IndexBox& box,
                                             std::span<const float> heights = {}) const;

    const ChangeWindow& window() const { return window_; }
    std::span<const float> differences() const { return differences_; }
    const std::shared_ptr<const TileSource>& below() const { return below_; }

    // Returns the description of the source below, changed: samples are floats in metres, and there is no "no data"
    // value. The height range bounds the changed heights.
    const Raster& raster() const override { return raster_; }
    TileGrid grid() const override { return grid_; }
    bool refines(const TileKey& key) const override { return below_->refines(key); }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    // Returns the bounds of the source below, widened by the differences in the tile. The deviation grows by a bound of
    // the distance between the differences as interpolated in this level and in the window's. For levels up to the
    // window's this bound is only that of rounding, except at the raster's eastern and southern border.
    std::optional<TileBounds> bounds(const TileKey& key) const override;
    bool decimated() const override { return below_->decimated(); }
    std::vector<int> storedLevels() const override { return below_->storedLevels(); }
    Result<std::string> version() const override;
    bool remote() const override { return below_->remote(); }
    bool loadedWhole() const override { return below_->loadedWhole(); }
    std::size_t tileBytes() const override { return below_->tileBytes(); }

    // Returns the difference (metres) at a sample of any level; samples outside the raster have that of the nearest.
    float differenceAt(int level, int column, int row) const;
    // Returns whether a sample in a window of a level may have a difference other than 0.
    bool touches(const TileWindow& window) const;

private:
    class Reader;
    struct Readers;  // unused readers of the source below

    // Range of the differences in a tile and 0 (metres). `deviation`: bound of the distance between the differences as
    // interpolated in the tile's level and in the window's.
    struct Range
    {
        float low = 0, high = 0, deviation = 0;
        // Lowest and highest changed height at the window's samples in the tile; NaN: unknown, or a void. Set only in
        // the window's level.
        float lowest = NAN, highest = NAN;
    };
    // Ranges of the tiles of a level that touch the window.
    struct LevelRanges
    {
        IndexBox tiles;
        std::vector<Range> ranges;
        bool has(int x, int y) const { return x >= tiles.x0 && x < tiles.x1 && y >= tiles.y0 && y < tiles.y1; }
        Range& at(int x, int y)
        {
            return ranges[std::size_t(y - tiles.y0) * std::size_t(tiles.x1 - tiles.x0) + std::size_t(x - tiles.x0)];
        }
        const Range& at(int x, int y) const { return const_cast<LevelRanges*>(this)->at(x, y); }
    };

    ChangedTiles(std::shared_ptr<const TileSource> below, std::shared_ptr<Readers> readers, const ChangeWindow& window);
    float sample(std::int64_t column, std::int64_t row) const;  // a sample of the window's level
    void rangeTiles(const IndexBox& box, std::span<const float> heights);
    Range rangeOf(int level, int x, int y) const;
    float stepOf(int level, int x, int y) const;
    Range rangeIn(const IndexBox& samples) const;
    void findHeights(Range& range, const IndexBox& samples, std::span<const float> heights) const;
    Range rangeAt(const TileKey& key) const;
    float borderDeviation(const TileKey& key) const;
    void describeRange();

    std::shared_ptr<const TileSource> below_;
    std::shared_ptr<Readers> readers_;  // shared by all sources of this window
    TileGrid grid_;
    ChangeWindow window_;
    std::vector<float> differences_;
    std::vector<LevelRanges> ranges_;  // from the window's level on
    Raster raster_;
};

// The overview (core/terrain/tiles/overview.h) of a terrain in tiles whose heights change in a window.

// Returns the samples of an overview that depend on a box of samples of level 0.
IndexBox overviewBox(const HeightField& overview, const TileGrid& grid, const IndexBox& samples);

// Returns the overview of `source`. `below`: the overview of the source that `source` changes. `shown`: the present
// overview. `box`: samples of the overview outside which heights are those of `shown`. Keeps the scale and offset of
// `shown` if it is not exact and all heights fit in its codes. Leaves out bodies of still water that meet `box`, but
// keeps the mask if other bodies remain. O(samples) to copy, and about 50 ns per sample of the box.
HeightField changedOverview(const HeightField& below, const ChangedTiles& source, const HeightField& shown,
                            const IndexBox& box);

}  // namespace orogen
