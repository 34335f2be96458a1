// Heights of a terrain as programs read them on the GPU: one image (image_heights.h) or tiles (tiled_heights.h).
// TerrainGpu chooses the store.  All other code uses this interface.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "core/base/status.h"
#include "core/frames/sample/frame_record.h"
#include "core/gpu_layout.h"
#include "core/settings.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/tiles/tile_cache.h"
#include "core/view/camera.h"

namespace orogen::app {

class TerrainGpu;

// Variant of the programs that read a store.
struct HeightChoice
{
    const char* shaders = "image";  // value of @heights, in the names of the store's shader files: image or tiles
    bool models = false;            // elevation models finer than the base level are part of the data (Earth)
};

// Codes of geometric errors for one patch level, from patchErrors() (core/terrain/bounds/diamond_errors.h).
struct PatchErrors
{
    int level = -1;
    std::vector<std::uint8_t> codes;
};

// Error at a point of the drawn ground.
struct GroundMiss
{
    // Vertical distance to the finest surface (heights scaled).  Where the finest active tile is coarser than the data,
    // the tile's deviation from the data is added.
    double metres = 0;
    glm::dvec3 up{0.0};  // vertical at the point, unit
};
using FinestGround = std::function<GroundMiss(const glm::dvec3& relative)>;

class HeightStore
{
public:
    virtual ~HeightStore() = default;

    virtual HeightChoice choice() const = 0;
    virtual void bind() const = 0;  // textures and uniforms
    // Uploads the roughness of the data, for procedural detail.  Error kLimit.
    virtual Status prepareDetail() { return Status::ok(); }
    virtual void setPatchLevel(int) {}  // updates the leaf errors for the criterion `error`
    // hasErrors() returns whether the errors of triangles are available.  measureErrors() measures them, see
    // TerrainGpu::prepareErrors().  Its arguments are a function that returns an image's heights, whether to wait, and
    // the uniforms that describe the errors.
    virtual bool hasErrors() const { return true; }
    virtual Result<bool> measureErrors(const std::function<HeightField()>&, bool, gpu::TerrainUniforms&)
    {
        return true;
    }

    // Returns a function that measures a point (metres east, north and up from the camera) against the finest surface.
    // That surface interpolates the samples of the image, or of the finest active tile, bilinearly.  It has all octaves
    // of procedural detail if the settings show it.  In tiles, distance and fade-in reduce the detail; on a plane only
    // tiles of level 0 have it.  On the Earth the surface is never below the sea, if there is one.  `field`: heights of
    // a terrain in one image.  All arguments must outlive the result.
    virtual FinestGround finestGround(const TerrainGpu& terrain, const Camera& camera, const Settings& settings,
                                      const HeightField& field) const = 0;

    // ---- data that arrive while frames are drawn; an image is complete from the start -------------------------------
    // Requests and uploads what a frame needs.  The number is a new tile's fade-in per frame, in (0, 1].
    virtual void update(const TileView&, float) {}
    // Waits at most the given seconds for all data of a view.  Returns false if some are still missing.
    virtual bool settle(const TileView&, double) { return true; }
    // Changes the memory budget (bytes).  On error kLimit nothing changes.
    virtual Status setBudget(std::uint64_t) { return Status::ok(); }
    // residency() returns a number that changes with the resident data and their bounds.  shown() returns one that also
    // changes with the weights of tiles that fade in.
    virtual std::uint64_t residency() const { return 0; }
    virtual std::uint64_t shown() const { return 0; }
    virtual bool rests() const { return true; }    // whether the next frame of this view shows the same data
    virtual bool fading() const { return false; }  // whether the last update() changed what is shown
    virtual std::optional<TileStats> stats() const { return {}; }  // last update() or settle(); empty: no tiles

    // ---- heights that change in place; tiles change in their cache instead ------------------------------------------
    // replace() takes new bounds of all heights and describes them in the uniforms.  change() takes the bounds of
    // changed heights.  See TerrainGpu.  Error kLimit.
    virtual Status replace(const ChangingBounds&, PatchErrors, gpu::TerrainUniforms&) { return Status::ok(); }
    virtual void change(const ChangingBounds&, const BoundsChange&) {}
    // Uploads the drainage of a terrain in one image; see TerrainGpu::showDrainage().  Error kLimit.
    virtual Status showDrainage(std::span<const std::uint32_t>) { return Status::ok(); }

    virtual std::vector<BufferUse> memory() const = 0;
    virtual std::uint64_t uploadedBytes() const { return 0; }  // since creation
};

}  // namespace orogen::app
