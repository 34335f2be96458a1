// Heights of a tiled terrain on the GPU, with slopes, roughness, bounds of cells and codes of geometric errors.
// shaders/heights/heights_tiles.glsl reads them.  Also the tiles of imagery (TiledColours).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/render/height_store.h"
#include "app/render/tile_textures.h"

namespace orogen::app {

// Layout of a staged tile: offsets in bytes.
struct StagedTile
{
    static constexpr int kCellLevels = 5;  // mip levels of cell bounds: 16, 8, 4, 2, 1 cells per side
    static constexpr std::size_t kSamples = std::size_t(kTileSide) * kTileSide;
    static constexpr std::size_t kHeights = 0, kSlopes = kHeights + 4 * kSamples, kRoughness = kSlopes + 4 * kSamples;
    static constexpr std::size_t kCells = (kRoughness + 2 * kSamples + 15) / 16 * 16;  // finest level first
    static constexpr std::size_t kErrors = kCells + 8 * (256 + 64 + 16 + 4 + 1);       // writeErrorImage()
    static constexpr std::size_t kBytes = (kErrors + kErrorImageBytes + 255) / 256 * 256;
    static constexpr int cellSide(int level) { return kRangeSide >> level; }
    static constexpr std::size_t cellOffset(int level)
    {
        std::size_t at = kCells;
        for (int l = 0; l < level; ++l)
            at += 8 * std::size_t(cellSide(l)) * std::size_t(cellSide(l));
        return at;
    }
};

// Writes the height bounds of a tile's cells (kRangeCell^2 sample intervals) with their mip levels, for
// error_tiles.glsl.  A texel holds half floats, rounded outwards: the largest range within 2 x 2 intervals, the lowest
// and the highest sample.  Lowest and highest are relative to `base`.  `out`: address of StagedTile::kCells.
void writeCells(const Tile& tile, float base, std::byte* out);

class TiledHeights final : public HeightStore
{
public:
    // Creates the textures like TileTextures::create().
    static Result<std::unique_ptr<HeightStore>> create(const Limits& limits, const Raster& raster,
                                                       std::shared_ptr<TileCache> cache);

    HeightChoice choice() const override { return {"tiles", tiles_.cache().baseLevel() > 0}; }
    void bind() const override { tiles_.bind(); }
    FinestGround finestGround(const TerrainGpu& terrain, const Camera& camera, const Settings& settings,
                              const HeightField&) const override;
    void update(const TileView& view, float fade) override { tiles_.update(view, fade); }
    bool settle(const TileView& view, double seconds) override { return tiles_.settle(view, seconds); }
    Status setBudget(std::uint64_t bytes) override { return tiles_.setBudget(bytes); }
    std::uint64_t residency() const override { return tiles_.residency(); }
    std::uint64_t shown() const override { return tiles_.shown(); }
    bool rests() const override { return tiles_.rests(); }
    bool fading() const override { return tiles_.fading(); }
    std::optional<TileStats> stats() const override { return tiles_.stats(); }
    std::vector<BufferUse> memory() const override { return tiles_.memory(); }
    std::uint64_t uploadedBytes() const override { return tiles_.uploadedBytes(); }

private:
    explicit TiledHeights(TileTextures tiles) : tiles_(std::move(tiles)) {}

    TileTextures tiles_;
};

// Imagery of a terrain on the GPU: tiles of colours (core/terrain/imagery/colour_tiles.h), read by shaders/imagery/.

class TiledColours : public TileTextures
{
public:
    // Creates the textures like TileTextures::create().  `cache` must hold tiles of colours.
    static Result<TiledColours> create(const Limits& limits, std::shared_ptr<TileCache> cache);

private:
    explicit TiledColours(TileTextures textures) : TileTextures(std::move(textures)) {}
};

}  // namespace orogen::app
