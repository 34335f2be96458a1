// GPU resources of one terrain: the store of its heights (height_store.h), imagery and uniforms.  A terrain on a plane
// also has an image of all heights (tiles: of an overview), with slopes, voids, lakes and light map.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>

#include "app/gl/context.h"
#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/height_store.h"
#include "app/render/shadow_region.h"
#include "app/render/tiled_heights.h"
#include "core/colour/colour_ramp.h"
#include "core/frames/sample/frame_record.h"
#include "core/gpu_layout.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"
#include "core/view/camera.h"

namespace orogen::app {

struct TerrainPrograms
{
    explicit TerrainPrograms(ShaderLibrary& programs);
    const ShaderLibrary& library;
    ProgramHandle gradient, light;
};

// Position of the camera: x, y as whole units of the lattice of all possible vertices, and the rest in metres; z in
// metres, as the sum of two floats (FrameUniforms::cameraCell, cameraFraction).
struct LatticePoint
{
    glm::vec4 cell{0.0f}, fraction{0.0f};
};

class TerrainGpu
{
public:
    // Uploads and derives all resources.  `raster` describes the terrain; its own samples are not read.  `tiles`: tiles
    // that hold the heights; `field` is then an overview of the same extent with fewer samples, and only the relief of
    // `bounds` is used.  Null: `field` holds all heights, and `bounds` belongs to it.  Error kLimit: above the driver's
    // largest texture (the message has both sizes), or out of memory.  `programs` must outlive the result.
    static Result<TerrainGpu> create(const Context& context, const TerrainPrograms& programs, const Raster& raster,
                                     const HeightField& field, TerrainBounds bounds,
                                     std::shared_ptr<TileCache> tiles = nullptr);

    // Creates the Earth.  All its ground is in tiles: the image, lakes, voids and the light map stay empty.  Error
    // kLimit.
    static Result<TerrainGpu> createOnEarth(const Limits& limits, std::shared_ptr<TileCache> tiles);

    HeightStore& heights() const { return *store_; }

    // ---- changed heights of a terrain on a plane -------------------------------------------------------------------
    // Changes keep the raster's size, place and voids.  `raster` has the new range of heights.  Only changeOverview()
    // and heightChanges() are for a terrain in tiles, too.

    // Uploads the drainage for shading kDrainage.  `cells` has, for each sample, the number of samples that drain
    // through it.  Error kLimit.
    Status showDrainage(std::span<const std::uint32_t> cells) { return store_->showDrainage(cells); }
    // Takes new heights for all samples.  Slopes and light follow in updateLight().  Keeps a reference to the errors in
    // `bounds`, which changeHeights() reads again.  `patch`: codes of errors; used if of the current patch level.
    // Error kLimit.
    Status replaceHeights(const Raster& raster, const HeightField& field, const ChangingBounds& bounds,
                          PatchErrors patch);
    // Takes the new heights of a box of samples, after replaceHeights().  Computes the slopes in the box and the light
    // around it at once.
    void changeHeights(const Raster& raster, const HeightField& field, const ChangingBounds& bounds,
                       const BoundsChange& change);
    // Takes a new overview of a terrain in tiles, which differs from the old one in `box`.  Light follows in
    // updateLight(); around a small box it is also computed at once.  Error kLimit.
    Status changeOverview(const Raster& raster, const HeightField& field, const IndexBox& box);
    std::uint64_t heightChanges() const { return heightChanges_; }  // number of changes so far

    // Uploads the triangles' geometric errors, which the criterion `error` and queries of leaves read.  A terrain that
    // was created without them measures them now, in the background, from the heights on the GPU.  Returns whether they
    // are there; `wait` waits for them.  Always true for tiles, which have errors of their own.  Error kLimit.
    Result<bool> prepareErrors(bool wait);

    // Set the height scale, and direction and shadows of the light.  No-ops if nothing changes.
    void setHeightScale(float scale);
    void setLight(glm::vec3 towards, bool shadows);
    // Uploads the uniforms and textures of procedural detail (OROGEN_DETAIL), once.  Error kLimit.
    Status prepareDetail();
    const gpu::DetailUniforms& detail() const { return detail_; }

    // Updates about `rows` rows (in steps of 8) of the light map, or on the Earth of region(), since a long pass could
    // make the driver reset the GPU.  Outdated slopes are computed first.  Returns true when nothing is left.
    // Terrain uniforms must be bound.
    bool updateLight(int rows);
    int lightRowsLeft() const  // rows of light map, slopes and region() that updateLight() has to compute
    {
        if (onEarth_) return region_ ? region_->rowsLeft() : 0;
        return lightLeft_ + slopesLeft_;
    }
    // Shadows on the Earth; null on a plane, whose light map has them.
    ShadowRegion* region() { return region_ ? &*region_ : nullptr; }
    const ShadowRegion* region() const { return region_ ? &*region_ : nullptr; }
    void setRegion(ShadowRegion region) { region_ = std::move(region); }

    // Recomputes the gradients now, and the light map or region() in later updateLight() calls.  Call after their
    // programs changed.
    void deriveAgain();

    void bind() const;  // textures and uniforms

    // Replace the imagery; null: none.  showImagery() also creates its textures; on error (kLimit) the old imagery
    // stays.
    Status showImagery(const Limits& limits, std::shared_ptr<TileCache> imagery);
    void setImagery(std::shared_ptr<TiledColours> imagery) { imagery_ = std::move(imagery); }
    TiledColours* imagery() const { return imagery_.get(); }
    const std::shared_ptr<TiledColours>& sharedImagery() const { return imagery_; }

    // Lakes: one rectangle each, as shaders/shading/water.vert reads them.
    int lakes() const { return lakes_; }
    GLuint lakeRectangles() const { return lakeRectangles_.id(); }  // vertex array

    bool fillsSquare() const { return fillsSquare_; }  // whether the terrain is square
    double squareSide() const { return side_; }        // metres; on the Earth, side of a cube face
    // From place() to onGlobe(): planar terrain only.
    LatticePoint place(const glm::dvec3& position) const;
    static constexpr int kDrawLatticeSide = 1 << (gpu::kLeafLatticeBits + gpu::kPatchBits);
    glm::dvec2 onDrawLattice(const glm::dvec2& place) const { return (place / side_ + 0.5) * double(kDrawLatticeSide); }
    glm::dvec2 texelAt(const glm::dvec3& position) const;  // sample coordinates; (0, 0): the north-western sample
    // Directions of the terrain's axes on the globe, earth-fixed.  A terrain of unknown place lies at 45 degrees north.
    const LocalAxes& onGlobe() const { return onGlobe_; }
    TerrainExtent extent() const;  // extent as drawn, with the height scale
    // Returns the factor of heights in shaders: the height scale on a plane; 1 on the Earth, whose shaders take
    // unscaled heights.
    double shaderScale(float heightScale) const { return onEarth_ ? 1.0 : std::max(double(heightScale), 1e-3); }
    // Returns the heights that the colours by height cover (metres, unscaled): those of a terrain on a plane;
    // kEarthTints on the Earth.
    HeightRange tintRange(float heightScale) const;
    const gpu::TerrainUniforms& uniforms() const { return uniforms_; }
    std::vector<BufferUse> memory() const;
    // Bytes of uniforms and tiles sent to the GPU since creation.
    std::uint64_t uploadedBytes() const
    {
        return uploaded_ + store_->uploadedBytes() + (imagery_ ? imagery_->uploadedBytes() : 0);
    }

private:
    TerrainGpu() = default;
    Status uploadHeights(const HeightField& field);
    Status uploadVoids(const HeightField& field);
    Status uploadLakes(const StillWater& water);
    Status makeGradients();
    void deriveGradients();
    void deriveGradients(const IndexBox& samples);
    void computeLight(const IndexBox& texels);
    HeightField readHeights() const;
    void uploadBox(const HeightField& field, const IndexBox& box);
    void lightAround(const HeightField& field, const IndexBox& box);
    void restartLight();
    void describeHeights(const Raster& raster, const HeightField& field);
    Status makeLightMap();
    void describe(const Raster& raster, const HeightField& field);
    void uploadUniforms();
    void bindImage() const;

    const TerrainPrograms* programs_ = nullptr;
    std::unique_ptr<HeightStore> store_;
    gpu::DetailUniforms detail_{};
    Buffer detailBuffer_;  // empty until prepareDetail()
    Texture heights_, gradients_, voids_, light_, lakeMask_;
    Sampler smooth_, exact_;
    Buffer uniformBuffer_, lakeBuffer_;
    VertexArray lakeRectangles_;
    std::shared_ptr<TiledColours> imagery_;
    std::optional<ShadowRegion> region_;
    int lakes_ = 0;
    std::uint64_t uploaded_ = 0;
    gpu::TerrainUniforms uniforms_{};
    glm::dvec2 extent_{1.0}, pixel_{1.0};
    glm::vec2 slopeOfCode_{0.0f};
    float codeScale_ = 1, codeOffset_ = 0;  // HeightField::scale, offset
    double lowest_ = 0, highest_ = 0;       // metres, unscaled
    double side_ = 1.0;                     // metres, enclosing square
    LocalAxes onGlobe_ = axesAt(earthFixed({45, 0, 0}));
    bool fillsSquare_ = true, onEarth_ = false;
    glm::vec3 sun_{0.0f, 0.0f, 1.0f};
    bool shadows_ = true;
    int lightRow_ = 0;    // next row of the light map to compute
    int lightLeft_ = 0;   // rows of the light map to compute
    int slopesLeft_ = 0;  // rows of slopes to compute: the last ones
    std::uint64_t heightChanges_ = 0;
    bool skyStale_ = true;  // the light map's sky visibility must be recomputed, too
};

}  // namespace orogen::app
