// Division of an elevation model of any size into tiles.
//
// Level 0 has the source's own samples. Level l has every 2^l-th of them in either direction from the north-western
// one. So a sample of a coarse level is a sample of all finer levels. A tile is kTileCells grid intervals of its level
// wide and high. It includes the samples on its border, which it shares with its neighbours. Columns grow eastwards,
// rows southwards. A last sample beyond the raster has the height of the nearest sample in the raster. The coarsest
// level is the first that is a single tile.
//
// A grid over the Earth has one such square for each face of the cube (core/planet/cube_lattice.h). Columns follow the
// face's x and rows its y; samples beyond a face's edges continue on the neighbouring faces.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace orogen {

inline constexpr int kTileCells = 128;            // grid intervals along a side
inline constexpr int kTileSide = kTileCells + 1;  // samples along a side
inline constexpr int kTileApron = 8;              // samples read beyond a tile, for slopes and roughness
inline constexpr int kTileReadSide = kTileSide + 2 * kTileApron;
inline constexpr int kMostTileLevels = 18;     // levels of a grid with 2^24 samples along a side
inline constexpr int kMaxTiledSide = 1 << 24;  // samples; a file that claims more is malformed
inline constexpr int kMostCubeLevels = 18;     // samples of level 0 are then about 60 cm apart

struct TileKey
{
    int level = 0;
    int x = 0, y = 0;  // column and row, in tiles of the level; on a plane from the west and the north
    int face = 0;      // face of the cube; 0 on a plane

    TileKey parent() const { return {level + 1, x >> 1, y >> 1, face}; }
    auto operator<=>(const TileKey&) const = default;
};

// Tile pyramid of a raster, or of the faces of a cube. Sides are in samples, at least 2 x 2.
class TileGrid
{
public:
    TileGrid() = default;
    TileGrid(int width, int height) : width_(width), height_(height)
    {
        while (columns(levels_ - 1) > 1 || rows(levels_ - 1) > 1)
            ++levels_;
    }

    // Returns a grid over the Earth; a face has 2^(levels - 1) tiles of level 0 per side. `levels`: 1
    // to kMostCubeLevels.
    static TileGrid onCube(int levels)
    {
        TileGrid grid((kTileCells << (levels - 1)) + 1, (kTileCells << (levels - 1)) + 1);
        grid.faces_ = 6;
        return grid;
    }

    int faces() const { return faces_; }  // 1: a plane
    int width() const { return width_; }  // samples; of a face on the Earth
    int height() const { return height_; }
    int levels() const { return levels_; }  // level levels() - 1 has one tile a face
    int columns(int level) const { return tilesOf(width_, level); }
    int rows(int level) const { return tilesOf(height_, level); }
    std::uint64_t tiles(int level) const
    {
        return std::uint64_t(columns(level)) * std::uint64_t(rows(level)) * std::uint64_t(faces_);
    }
    bool has(const TileKey& key) const
    {
        return key.level >= 0 && key.level < levels_ && key.x >= 0 && key.y >= 0 && key.x < columns(key.level) &&
               key.y < rows(key.level) && key.face >= 0 && key.face < faces_;
    }
    // Returns the number of a level's samples along a side of `side` samples of level 0. The last one may lie beyond
    // the raster.
    static int samplesOf(int side, int level) { return int(((std::int64_t(side) - 2) >> level) + 2); }

private:
    static int tilesOf(int side, int level) { return (samplesOf(side, level) - 2) / kTileCells + 1; }

    int width_ = 2, height_ = 2, levels_ = 1, faces_ = 1;
};

}  // namespace orogen

template <>
struct std::hash<orogen::TileKey>
{
    std::size_t operator()(const orogen::TileKey& key) const noexcept
    {
        const std::uint64_t packed = std::uint64_t(key.face) << 61 | std::uint64_t(key.level) << 56 |
                                     std::uint64_t(std::uint32_t(key.x)) << 28 | std::uint64_t(std::uint32_t(key.y));
        return std::size_t((packed * 0x9e3779b97f4a7c15u) >> 16);
    }
};
