// What a picture of the terrain is drawn with, part by part: the ground, what lies around it, the sky behind it and the
// frustum of a frozen camera over it.  What comes before (tree, light map) and after (measuring, resolving) is the
// renderer's matter.
//
// The ground's program has variants, by what settings ask for: a software rasteriser executes both sides of a branch
// and would pay for every part that is off.  A variant is made when it is first asked for and kept.  The library is its
// own: what is shown does not change the hash of the programs that the tree follows from.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>

#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/patch_mesh.h"
#include "app/render/terrain_border.h"
#include "app/render/terrain_gpu.h"
#include "core/settings.h"

namespace orogen::app {

// How vertices move while the camera does; the criterion of errors alone has to look errors up.
enum class Gliding
{
    kNone,
    kByEdges,
    kByErrors,
};

enum class GroundPart
{
    kTerrain,
    kBeyond,  // the land around it
    kWalls,   // below its border
};

// What is compiled into a program of the ground.
struct GroundVariant
{
    GroundPart part = GroundPart::kTerrain;
    Gliding gliding = Gliding::kByEdges;
    bool clipped = false;  // to a raster that is no square
    Shading shading = Shading::kLit;
    bool haze = false, nearDetail = false, voids = false, wireframe = false, frozen = false;
    bool contours = false;
    bool draped = false;  // with an image
    bool sea = false;     // on the Earth

    auto operator<=>(const GroundVariant&) const = default;
};

// What is compiled into the program of level water.
struct WaterVariant
{
    bool lakes = false;   // or the sea
    bool beyond = false;  // the raster, to the horizon
    bool map = false;     // a tint, for heights as colours

    auto operator<=>(const WaterVariant&) const = default;
};

// The eye and the corners of what a camera sees, relative to the camera that looks at it.
using FrustumCorners = std::array<glm::vec3, 5>;

class TerrainPicture
{
public:
    // A context must be current; the programs of sky and frustum start to compile.
    // One for the Earth draws no terrain of the plane, and the other way round; its ground has the sea in it.
    TerrainPicture(const std::filesystem::path& dataRoot, ShaderDialect dialect, World world = World::kPlane);

    // Makes what drawing with these settings takes, if it is not there.  Takes as long as compiling does; error
    // kShader.
    Status prepare(const Settings& settings, const TerrainGpu* terrain);

    // The parts of a picture.  For each of them prepare() must have gone well with the same settings and terrain, the
    // target must be bound and its depth cleared, uniforms and the terrain's textures be bound.  Each leaves depth test
    // and depth writes on and blending off; in between, anything else may be drawn.
    //
    // The ground, or a range of it: of the leaves that are bound (Triangulation::bindForDraw(), bindRange()), with the
    // arguments that lie at `arguments` bytes in the buffer bound with them.
    void drawGround(const Settings& settings, const TerrainGpu& terrain, const PatchMesh& patch,
                    std::uint64_t arguments) const;
    // Looks where the triangles of the frame end, for drawBorder().  The tree must be bound as for checks.
    bool hasBorder(const Settings& settings) const { return border_ && borderPart(settings); }
    void followRim(const Settings& settings) const;
    void drawBorder(const Settings& settings, const TerrainGpu& terrain) const;  // what render.border asks for
    void drawSky() const;                                                        // where nothing was drawn
    // Sea and lakes over all of that; leaves the depth as it was.
    bool hasWater(const Settings& settings, const TerrainGpu& terrain) const;
    void drawWater(const Settings& settings, const TerrainGpu& terrain) const;
    void drawFrustum(const FrustumCorners& corners) const;  // as lines; leaves the depth as it was

    // Of the terrain that is drawn from now on.  Error kLimit.
    Status setBorder(const HeightField& field);
    void clearBorder() { border_.reset(); }
    std::uint64_t bytes() const { return border_ ? border_->bytes() : 0; }

    void setContourInterval(double metres) { contourInterval_ = metres; }  // not scaled; > 0

    // As ShaderLibrary::choose(); prepare() finishes it.
    void choose(std::vector<ShaderDefine> choice) { library_.choose(std::move(choice)); }
    ReloadReport reloadShaders();
    // Of the text of the programs that a picture with these settings is drawn with.
    std::uint64_t sourceHash(const Settings& settings, const TerrainGpu* terrain) const;

private:
    void add(const GroundVariant& variant);
    GroundVariant variantOf(GroundPart part, const Settings& settings, const TerrainGpu* terrain) const;
    std::optional<GroundPart> borderPart(const Settings& settings) const;
    ProgramHandle addWater(const WaterVariant& variant);
    ProgramHandle addRim(Gliding gliding);
    void useCover(const Settings& settings, const TerrainGpu& terrain) const;
    void drawAtInfinity(GLuint program, GLenum primitives, int vertices) const;

    World world_;
    ShaderLibrary library_;
    std::map<GroundVariant, ProgramHandle> grounds_;
    std::map<WaterVariant, ProgramHandle> waters_;
    std::map<Gliding, ProgramHandle> rims_;
    ProgramHandle sky_, frustum_;
    VertexArray noAttributes_;
    Buffer cover_;  // CoverUniforms
    double contourInterval_ = 100;
    std::optional<TerrainBorder> border_;
};

}  // namespace orogen::app
