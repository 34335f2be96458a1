// Draws the parts of a terrain picture: the ground, its surroundings, the sky, water, and the frustum of a frozen
// camera.  The renderer runs the earlier passes (tree, light map) and the measurements.
//
// The ground is drawn as depth (with marks if needed) and shaded afterwards, once per pixel: small triangles would
// shade the same pixels many times.  In a multisampled picture, pixels with several surfaces are shaded per sample.
//
// The ground programs have one variant per combination of settings.  A software rasteriser executes both sides of a
// branch, and would pay for every disabled part.  Variants are compiled on first use and kept.  They have a separate
// ShaderLibrary, so display settings do not change the hash of the programs that determine the tree.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/air_table.h"
#include "app/render/drawn_mesh.h"
#include "app/render/frame_steps.h"
#include "app/render/ground_cover.h"
#include "app/render/render_target.h"
#include "app/render/terrain_border.h"
#include "app/render/terrain_gpu.h"
#include "core/base/status.h"
#include "core/gpu_layout.h"
#include "core/settings.h"
#include "core/terrain/raster/height_field.h"

namespace orogen::app {

// Way in which vertices glide to new positions (geomorphing) while the camera moves.  The criterion of the level of
// detail, `edge` or `error`, controls the motion.  With `error`, corners of leaves glide only at patch level 0, where
// leaves have no other vertices.
enum class Gliding
{
    kNone,
    kByEdges,
    kByErrors,
    kCornersByErrors,
};

// Part of the ground that a program draws or shades.
enum class GroundPart
{
    kGeometry,  // depth and marks (marks.frag) of the triangles
    kShading,   // colours of the pixels that show the triangles
    kEdges,     // colours of the samples of pixels with several surfaces (multisampling)
    kWalls,     // walls below the border, with their colours
};

// Options compiled into a ground program.
struct GroundVariant
{
    GroundPart part = GroundPart::kGeometry;
    bool land = false;      // land around the terrain instead of its ground
    bool computed = false;  // shades by a compute shader
    bool clipped = false;   // the ground is clipped to a raster that is not square
    Air air = Air::kOff;    // air between the camera and the ground
    bool marks = false;
    bool multisampled = false;
    Shading shading = Shading::kLit;
    bool nearDetail = false, voids = false, wireframe = false, frozen = false;
    bool contours = false;
    bool ramp = false;  // colours by height from a file
    Relief relief = Relief::kDirect;
    bool beside = false;                  // shading by compute only: some pixels show land around the terrain
    bool sea = false, shadows = false;    // Earth only
    bool imagery = false, mixed = false;  // shows imagery; the imagery is translucent
    bool finer = false;                   // Earth only: some imagery is finer than its base level

    auto operator<=>(const GroundVariant&) const = default;
};

// Options compiled into a program of level water.
struct WaterVariant
{
    bool lakes = false;   // lakes instead of the sea
    bool beyond = false;  // the sea outside the raster, to the horizon
    bool map = false;     // flat tint for the hypsometric map

    auto operator<=>(const WaterVariant&) const = default;
};

// Eye and four far corners of a camera's frustum, relative to the viewing camera (metres).
using FrustumCorners = std::array<glm::vec3, 5>;

class TerrainPicture
{
public:
    // Requires a current context.  Each instance draws either planar terrain or the Earth; the Earth's ground program
    // includes the sea.  `byCompute`: the ground is shaded by a compute shader, unless the picture is multisampled.
    TerrainPicture(const std::filesystem::path& dataRoot, ShaderDialect dialect, World world = World::kPlane,
                   bool byCompute = false);

    // Starts to compile the programs that most terrains need with these settings, and returns.
    void compileAhead(const Settings& settings) { (void)programsFor(settings, nullptr); }
    // Compiles and creates the resources for these settings, if missing.  Waits for the compiler.  Errors: those
    // of ShaderLibrary::finish(), kLimit (out of memory), kInput (unreadable colour ramp or list of stars).
    Status prepare(const Settings& settings, const TerrainGpu& terrain);

    // Returns whether the ground is drawn with marks (RenderTarget::beginGround()).
    static bool marksGround(const Settings& settings);

    // ---- parts of a picture ----------------------------------------------------------------------------------------
    // Each part requires a successful prepare() with the same settings and terrain, a bound target with cleared depth,
    // and bound uniforms and terrain textures.  Each draw leaves depth test and depth writes on and blending off, so
    // other draws may come in between.
    //
    // drawGround() draws the geometry of one of the ranges last given to Triangulation::listRanges().  listHeights()
    // must come before, for the same range.  listHeights() needs the tree bound by bindForChecks(), and changes storage
    // bindings.
    void listHeights(const Settings& settings, const Triangulation& tree, const PatchMesh& patch,
                     const DrawRanges& ranges, std::uint32_t range) const;
    void drawGround(const Settings& settings, const TerrainGpu& terrain, const Triangulation& tree,
                    const PatchMesh& patch, std::uint32_t range) const;
    // Lists the pixels with several surfaces, for shadeGround().  Does nothing without multisampling.
    void findEdges(const RenderTarget& target) const;
    // Return whether the picture has land around the terrain, walls below its border, or either of them.
    bool hasLand(const Settings& settings) const { return border_ && wantsBorder(settings, Border::kGround); }
    bool hasWalls(const Settings& settings) const { return border_ && wantsBorder(settings, Border::kWalls); }
    bool hasBorder(const Settings& settings) const { return hasLand(settings) || hasWalls(settings); }
    // Copies the heights of the frame's triangles at the border, for drawLand() and drawWalls().  The tree must be
    // bound by bindForChecks().
    void followRim(const Settings& settings, const TerrainGpu& terrain, const gpu::FrameUniforms& view) const;
    // Draws the geometry of the land, after all ranges of the ground.
    void drawLand(const Settings& settings, const TerrainGpu& terrain, const gpu::FrameUniforms& view,
                  const RenderTarget& target) const;
    // Shades the pixels with ground and land, after both were drawn and after findEdges().
    void shadeGround(const Settings& settings, const TerrainGpu& terrain, const RenderTarget& target, Rows rows) const;
    void drawWalls(const Settings& settings, const TerrainGpu& terrain) const;  // with their colours
    // lookThrough() sets the air between the camera and all parts, and returns the exposure.  bindAir() binds the air's
    // textures and uniforms, which the parts and fillAir() read.  fillAir() computes the air's texture (air_table.h).
    float lookThrough(const AirView& view) { return air_->look(view); }
    void bindAir() const { air_->bind(); }
    void fillAir();
    // Finishes the picture; sharpens it if it is scaled up.  See RenderTarget::resolve().
    void scaleUp(const RenderTarget& target) const { target.resolve(library_.program(*sharpen_)); }
    void setSky(const SkyView& sky) { skyView_ = sky; }
    void drawSky() const;  // fills pixels that are still empty; then draws stars and moon
    bool hasWater(const Settings& settings, const TerrainGpu& terrain) const;
    // Draws sea and lakes over the ground; does not write depth.
    void drawWater(const Settings& settings, const TerrainGpu& terrain) const;
    void drawFrustum(const FrustumCorners& corners) const;  // as lines; does not write depth

    // Creates the border for the terrain drawn from now on.  `surroundings` as in TerrainBorder::create().  Error
    // kLimit: out of memory.
    Status setBorder(const HeightField& field, const Surroundings* surroundings = nullptr);
    void clearBorder() { border_.reset(); }
    std::uint64_t bytes() const
    {
        return (border_ ? border_->bytes() : 0) + (air_ ? air_->bytes() : 0) + (stars_ ? stars_->bytes() : 0);
    }

    GroundCover& cover() { return cover_; }
    const GroundCover& cover() const { return cover_; }

    // Selects the variants of programs, see ShaderLibrary::choose().  prepare() compiles them.
    void choose(std::vector<ShaderDefine> choice) { library_.choose(std::move(choice)); }
    ReloadReport reloadShaders();
    // Returns a hash of the source text of all programs used with these settings.
    std::uint64_t sourceHash(const Settings& settings, const TerrainGpu* terrain);

private:
    std::vector<ProgramHandle> programsFor(const Settings& settings, const TerrainGpu* terrain);
    ProgramHandle add(const GroundVariant& variant);
    bool wantsBorder(const Settings& settings, Border kind) const
    {
        return world_ == World::kPlane && settings.render.border == kind;
    }
    GroundVariant variantOf(GroundPart part, bool land, const Settings& settings, const TerrainGpu* terrain) const;
    void shade(const GroundVariant& variant, const Settings& settings, const TerrainGpu& terrain,
               const RenderTarget& target, Rows rows) const;
    ProgramHandle addWater(const WaterVariant& variant);
    ProgramHandle addGliding(Gliding gliding, const char* name, const char* file, const char* part = nullptr);
    void drawAtInfinity(GLuint program, GLenum primitives, int vertices, int instances = 1) const;
    std::vector<GroundVariant> variantsOf(const Settings& settings, const TerrainGpu* terrain) const;

    World world_;
    bool byCompute_;
    ShaderLibrary library_;
    // Programs, added on first use by programsFor().
    std::map<GroundVariant, std::optional<ProgramHandle>> grounds_;
    std::map<WaterVariant, std::optional<ProgramHandle>> waters_;
    std::map<Gliding, std::optional<ProgramHandle>> rims_, heights_;
    std::optional<ProgramHandle> airProgram_, sky_, starProgram_, frustum_, sharpen_;
    std::optional<ProgramHandle> edges_, rimGround_, rimTexels_, land_;
    std::optional<AirTable> air_;  // from prepare() on
    std::filesystem::path dataRoot_;
    std::optional<NightSky> stars_;  // from prepare() on
    SkyView skyView_;
    VertexArray noAttributes_;
    GroundCover cover_;
    std::optional<TerrainBorder> border_;
};

}  // namespace orogen::app
