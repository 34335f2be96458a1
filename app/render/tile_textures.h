// Tiles on the GPU: texture arrays of the resident tiles, the staging ring that fills them, the page table, and the
// uniforms of a frame.  TileCache decides what is resident.  TileKind says what a tile consists of: heights
// or colours (tiled_heights.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "core/frames/sample/frame_record.h"
#include "core/gpu_layout.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen::app {

// Page table of a tiled terrain: a hash table from a tile's key to its slot in the texture arrays.  Each entry has two
// texels (uvec4), described in shaders/heights/tile_lookup.glsl, which reads them.

class TileTable
{
public:
    static constexpr int kMostRowBits = 12;  // log2 of texels per row

    // Creates a table for at most `slots` tiles of that grid.
    TileTable(int slots, const TileGrid& grid);

    // Sets the active tiles.  `bases`: by slot, the height to which the tile's cell heights are relative (metres).
    // Returns true if tiles or their bounds changed, false if at most weights did.
    bool set(std::span<const ActiveTile> active, std::span<const float> bases);

    const std::vector<glm::uvec4>& texels() const { return texels_; }  // for upload, row by row
    std::uint32_t mask() const { return mask_; }                       // entries - 1
    int rowBits() const { return rowBits_; }
    int width() const { return 1 << rowBits_; }
    int height() const { return int(texels_.size() >> rowBits_); }
    // Rows changed by the last set(): first, and one past the last.
    int firstChanged() const { return firstChanged_; }
    int endOfChanged() const { return endOfChanged_; }

    int finest() const { return finest_; }  // level of the finest tiles of the last set()

    // Returns the index of the tile's entry; -1 if the tile is not active.
    int find(const TileKey& key) const;

private:
    struct Known
    {
        TileKey key;
        int slot;
        TileBounds bounds;
    };
    bool same(std::span<const ActiveTile> active) const;
    void fill(std::span<const ActiveTile> active, std::span<const float> bases);
    void spreadDeviations(std::span<const ActiveTile> active);
    float deviationAt(TileKey key) const;
    void write(std::size_t texel, const glm::uvec4& value);

    TileGrid grid_;
    std::uint32_t mask_;
    int rowBits_;
    std::vector<glm::uvec4> texels_;
    std::vector<Known> known_;           // tiles of the last set(), in its order
    std::vector<std::uint32_t> places_;  // entry indices of known_
    std::vector<float> deviations_;      // by entry: TileBounds::deviation of the tile itself
    int firstChanged_ = 0, endOfChanged_ = 0, finest_ = 0;
};

// Writes a tile's texels to `out`.  `base`: height to which a tile's relative heights refer (metres).
using WriteTile = void(const TileUpload& upload, float base, std::byte* out);

// Texture array with a square of texels for each tile.
struct TileArray
{
    const char* label;
    GLenum format;        // internal format of the texture
    GLenum pixels, type;  // format and type of the staged texels
    std::size_t texelBytes;
    int side, levels;                 // texels along a side of a tile; number of mip levels
    std::size_t offset;               // offset of the finest level in a staged tile (bytes); coarser levels follow
    gpu::uint unit;                   // texture unit
    bool smooth;                      // sampled with interpolation
    WriteTile* writeAlone = nullptr;  // if set: writes only this array, for TileUpload::errorsAlone
};

// Kind of tiles: the arrays that a tile fills, and how.
struct TileKind
{
    const char* name;       // name of these tiles in memory(): "tiles" or "imagery"
    const char* budgetKey;  // key of the budget setting, for messages
    std::span<const TileArray> arrays;
    std::size_t stagedBytes;  // bytes of a staged tile, all arrays
    WriteTile* write;
    gpu::uint tableUnit, uniformBinding;
};

// Ring of persistently mapped staging memory for tile uploads, with one section per tile.  A section is reused once the
// GPU has reached the fence behind its copies, or after one second of waiting.
class TileStaging
{
public:
    static constexpr int kTiles = 24;

    // `tileBytes`: TileKind::stagedBytes.  Error kLimit: out of memory.
    static Result<TileStaging> create(std::size_t tileBytes);

    // Returns how many tiles can be staged without waiting for the GPU.
    int free() const;
    // Lets `write` fill the next section; waits for the GPU if that is still in use.  Binds the buffer as the source of
    // texture uploads and returns the tile's offset in it.  Call sent() after the copies.
    std::size_t stage(const TileUpload& upload, float base, WriteTile* write);
    void sent();
    std::uint64_t bytes() const { return mapped_.buffer.bytes(); }

private:
    MappedBuffer mapped_;
    std::vector<Sync> fences_ = std::vector<Sync>(kTiles);
    std::size_t tileBytes_ = 0;
    int next_ = 0;
};

class TileTextures
{
public:
    // Creates the textures for a planar terrain, which `raster` describes, or for the Earth if the grid of `cache` has
    // six faces.  Error kLimit: out of memory; more tiles than the driver's arrays hold; or narrow pixels that would
    // give the terrain's square more than kMostSamplesOfSquare samples per side.
    static Result<TileTextures> create(const TileKind& kind, const Limits& limits, const Raster& raster,
                                       std::shared_ptr<TileCache> cache);

    // Requests the tiles of this frame from the cache and uploads the tiles that the cache hands out.  Asks for no more
    // than the staging ring can take without a wait.  Waits for the GPU only where TileCache::update() hands out more.
    // `fade`: see TileCache::update().
    void update(const TileView& view, float fade);
    // Waits until no tile is missing, at most `seconds`.  Returns false if some tiles are still missing.
    bool settle(const TileView& view, double seconds);

    // Changes the memory budget (bytes).  Error kLimit: too many tiles, or no memory; nothing changes then.
    Status setBudget(std::uint64_t bytes);

    void bind() const;                                               // textures and uniforms
    const gpu::TileUniforms& uniforms() const { return uniforms_; }  // as the last update() or settle() set them

    // Returns a number that changes with the active tiles and their height bounds, for level of detail and culling.
    std::uint64_t residency() const { return residency_; }
    // Returns a number that changes with the active tiles, their height bounds and their fade weights.
    std::uint64_t shown() const { return shown_; }
    // Returns whether the next frame with this view would show the same tiles with the same weights.
    bool rests() const { return rests_ && !cache_->changing(); }
    // Returns whether the last update() changed active tiles, their height bounds or their fade weights.
    bool fading() const { return fading_; }
    const TileStats& stats() const { return stats_; }  // last update() or settle()
    TileCache& cache() const { return *cache_; }
    std::vector<BufferUse> memory() const;
    std::uint64_t uploadedBytes() const { return uploaded_; }  // since creation

private:
    struct Arrays
    {
        std::vector<Texture> textures;  // as in TileKind::arrays
        int sideBits = 0;               // log2 of tiles per side of a layer
    };
    TileTextures(const TileKind& kind, const Limits& limits, std::shared_ptr<TileCache> cache);
    Status layOnPlane(const Raster& raster);
    void layOnCube();
    Status makeBuffers();
    Result<Arrays> makeArrays(int slots) const;
    Status makeTable(int slots);
    void take();  // uploads the tiles that the cache's last update handed out, and the page table
    void upload(const TileUpload& upload);
    void copy(std::size_t array, int slot, const std::byte* staged);
    void describe(const TileView& view);
    double heightOf(const TileView& view) const;  // camera height above the sea or the ellipsoid (metres)

    const TileKind* kind_;
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
