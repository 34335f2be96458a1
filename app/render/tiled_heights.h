// Tiled terrain on the GPU: texture arrays of the resident tiles, the staging ring that fills them, the page table, and
// the uniforms of a frame.  TileCache decides what is resident; shaders/heights/heights_tiles.glsl reads the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <glm/vec2.hpp>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/render/tile_table.h"
#include "core/frames/sample/frame_stats.h"
#include "core/gpu_layout.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen::app {

// Layout of a staged tile: offsets in bytes.
struct StagedTile
{
    static constexpr int kCellLevels = 5;  // mip levels of cell bounds: 16, 8, 4, 2, 1 cells per side
    static constexpr std::size_t kSamples = std::size_t(kTileSide) * kTileSide;
    static constexpr std::size_t kHeights = 0, kSlopes = kHeights + 4 * kSamples, kRoughness = kSlopes + 4 * kSamples;
    static constexpr std::size_t kCells = (kRoughness + kSamples + 15) / 16 * 16;  // finest level first
    static constexpr std::size_t kErrors = kCells + 8 * (256 + 64 + 16 + 4 + 1);   // writeErrorImage()
    static constexpr std::size_t kBytes = (kErrors + kErrorImageBytes + 255) / 256 * 256;
    static constexpr int cellSide(int level) { return kRangeSide >> level; }
    static constexpr std::size_t cellOffset(int level)
    {
        std::size_t at = kCells;
        for (int l = 0; l < level; ++l)
            at += 8 * std::size_t(cellSide(l)) * std::size_t(cellSide(l));
        return at;
    }
    static constexpr std::size_t errorOffset(int level)
    {
        std::size_t at = kErrors;
        for (int l = 0; l < level; ++l)
            at += 4 * std::size_t(kErrorSide >> l) * std::size_t(kErrorSide >> l);
        return at;
    }
};

// Writes height ranges of a tile's cells with their mip levels, for tile_error.glsl: the largest range of two by two
// intervals, the lowest and the highest sample.  The latter are relative to `base`; bounds are rounded outwards. `out`:
// address of StagedTile::kCells.
void writeCells(const Tile& tile, float base, std::byte* out);

// Ring of persistently mapped staging buffers for tile uploads, one tile each.  A buffer is reused only after the GPU
// has passed the fence behind its copies.
class TileStaging
{
public:
    static constexpr int kTiles = 24;

    // Error kLimit: out of memory.
    static Result<TileStaging> create();

    // Returns how many tiles can be staged without waiting for the GPU.
    int free() const;
    // Writes a tile into the next buffer, waiting for the GPU if necessary.  Binds the buffer as the source of texture
    // uploads and returns the tile's offset in it.  Call sent() after the copies.
    std::size_t stage(const TileUpload& upload, float base);
    void sent();
    std::uint64_t bytes() const { return mapped_.buffer.bytes(); }

private:
    MappedBuffer mapped_;
    std::vector<Sync> fences_ = std::vector<Sync>(kTiles);
    int next_ = 0;
};

class TiledHeights
{
public:
    // `raster`: description of the whole terrain.  Error kLimit: out of memory; more tiles than the driver's arrays
    // hold; or a raster with pixels so narrow that its square would have too many samples.
    static Result<TiledHeights> create(const Limits& limits, const Raster& raster, std::shared_ptr<TileCache> cache);
    // Creates the whole Earth; the cache's grid has six faces.  Errors as create().
    static Result<TiledHeights> createOnEarth(const Limits& limits, std::shared_ptr<TileCache> cache);

    // Requests from the cache the tiles of this frame and uploads those it returns, as many as the staging ring has
    // room for.  Never waits for the GPU.  `fade`: see TileCache::update().
    void update(const TileView& view, float fade);
    // Waits until no tile is missing, at most `seconds`.  Returns false if some still are.
    bool settle(const TileView& view, double seconds);

    // Changes the budget.  Error kLimit: too many tiles for the arrays; nothing changes then.
    Status setBudget(std::uint64_t bytes);

    void bind() const;                                               // textures and uniforms
    const gpu::TileUniforms& uniforms() const { return uniforms_; }  // last update() or settle()

    // Changes with the active tiles and their height bounds: input of level of detail and culling.
    std::uint64_t residency() const { return residency_; }
    // As residency(), and also changes with the tiles' weights.
    std::uint64_t shown() const { return shown_; }
    // True if another frame of this view would draw the same.
    bool rests() const { return rests_; }
    // True if the last update() changed fade weights.
    bool fading() const { return fading_; }
    const TileStats& stats() const { return stats_; }  // last update() or settle()
    TileCache& cache() const { return *cache_; }
    std::vector<BufferUse> memory() const;
    std::uint64_t uploadedBytes() const { return uploaded_; }  // since creation

private:
    struct Arrays
    {
        Texture heights, slopes, roughness, cells, errors;
        int sideBits = 0;  // log2 of tiles per side of a layer
    };
    TiledHeights(const Limits& limits, std::shared_ptr<TileCache> cache);
    void layOnPlane(const Raster& raster);
    void layOnCube();
    Status makeBuffers();
    static Result<Arrays> makeArrays(const Limits& limits, int slots);
    Status makeTable(int slots);
    void take();  // uploads the results of the cache's last update
    void upload(const TileUpload& upload);
    void describe(const TileView& view);
    double heightOf(const TileView& view) const;  // camera height above the sea or the ellipsoid (metres)

    Limits limits_;
    std::shared_ptr<TileCache> cache_;
    TileGrid grid_;
    glm::dvec2 extent_{1.0}, pixel_{1.0};  // metres, planar terrain only
    int unitBits_ = 0;                     // TileLattice::unitBits
    std::uint64_t budget_ = 0;
    Arrays arrays_;
    TileStaging staging_;
    std::unique_ptr<TileTable> table_;
    Texture tableTexture_;
    Sampler exact_, smooth_;
    Buffer uniformBuffer_;
    gpu::TileUniforms uniforms_{};
    std::vector<float> bases_;  // by slot: see TileTable::set()
    std::uint64_t residency_ = 0, shown_ = 0, uploaded_ = 0;
    bool rests_ = false, fading_ = false;
    TileStats stats_;
};

}  // namespace orogen::app
