// A terrain in tiles on the GPU: the arrays that hold the resident tiles, the page table that says where, and the
// uniforms of a frame.  What is resident is TileCache's matter; see shaders/heights_tiles.glsl for what is made of it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <glm/vec2.hpp>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/render/tiles/tile_staging.h"
#include "app/render/tiles/tile_table.h"
#include "core/frames/sample/frame_stats.h"
#include "core/gpu_layout.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen::app {

class TiledHeights
{
public:
    // `raster`: the description of all of it.  Errors kLimit: out of memory; more than the driver's arrays hold; a
    // raster whose pixels are so narrow that its square would have too many samples.
    static Result<TiledHeights> create(const Limits& limits, const Raster& raster, std::shared_ptr<TileCache> cache);
    // Of the whole Earth: the cache's grid has six faces.  Errors kLimit as above.
    static Result<TiledHeights> createOnEarth(const Limits& limits, std::shared_ptr<TileCache> cache);

    // Asks the cache what is to be shown, as of this frame, and copies what it hands out.  Never waits for the GPU:
    // of tiles on their way, no more are taken than there is room for.  `fade`: see TileCache::update().
    void update(const TileView& view, float fade);
    // Waits until nothing is missing, at most so long; false: something still is.
    bool settle(const TileView& view, double seconds);

    // Another budget.  Error kLimit: the arrays do not hold it; budget and arrays are as they were.
    Status setBudget(std::uint64_t bytes);

    void bind() const;                                               // textures and uniforms
    const gpu::TileUniforms& uniforms() const { return uniforms_; }  // of the last update() or settle()

    // Changes with the tiles that are active and with what is known of them: of heights that level of detail and
    // culling go by.
    std::uint64_t residency() const { return residency_; }
    // Changes with their weights, too.
    std::uint64_t shown() const { return shown_; }
    // Nothing that is drawn would be another in the next frame of the same view.
    bool rests() const { return rests_; }
    // The last update() let tiles fade in or out.
    bool fading() const { return fading_; }
    const TileStats& stats() const { return stats_; }  // of the last update() or settle()
    TileCache& cache() const { return *cache_; }
    std::vector<BufferUse> memory() const;
    std::uint64_t uploadedBytes() const { return uploaded_; }  // since it was made

private:
    struct Arrays
    {
        Texture heights, slopes, roughness, cells;
        int sideBits = 0;  // of the tiles along a layer's side
    };
    TiledHeights(const Limits& limits, std::shared_ptr<TileCache> cache);
    void layOnPlane(const Raster& raster);
    void layOnCube();
    Status makeBuffers();
    static Result<Arrays> makeArrays(const Limits& limits, int slots);
    Status makeTable(int slots);
    void take();  // what the cache's last update says
    void upload(const TileUpload& upload);
    void describe(const TileView& view);
    double heightOf(const TileView& view) const;  // of the camera: metres above the sea or the ellipsoid

    Limits limits_;
    std::shared_ptr<TileCache> cache_;
    TileGrid grid_;
    glm::dvec2 extent_{1.0}, pixel_{1.0};  // metres, of a plane
    std::uint64_t budget_ = 0;
    Arrays arrays_;
    TileStaging staging_;
    std::unique_ptr<TileTable> table_;
    Texture tableTexture_;
    Sampler exact_, smooth_;
    Buffer uniformBuffer_;
    gpu::TileUniforms uniforms_{};
    std::vector<float> bases_;  // by slot: what its cells' heights count from
    std::uint64_t residency_ = 0, shown_ = 0, uploaded_ = 0;
    bool rests_ = false, fading_ = false;
    TileStats stats_;
};

}  // namespace orogen::app
