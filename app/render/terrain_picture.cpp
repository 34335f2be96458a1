#include "app/render/terrain_picture.h"

#include <string>
#include <utility>
#include <vector>

namespace orogen::app {
namespace {

GroundVariant variantOf(const Settings& settings, const TerrainGpu* terrain)
{
    GroundVariant variant;
    variant.gliding = !settings.lod.geomorph                           ? Gliding::kNone
                      : settings.lod.criterion == LodCriterion::kError ? Gliding::kByErrors
                                                                       : Gliding::kByEdges;
    variant.clipped = terrain && !terrain->fillsSquare();
    variant.showsErrors = settings.render.shading == Shading::kError;
    if (variant.showsErrors) variant.gliding = Gliding::kByErrors;  // which asks the uniforms what holds
    return variant;
}

// With depth test and depth writes on, as all that is solid is drawn.  Depth is reversed: the nearer is the greater.
void drawSolid()
{
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);  // orientation alternates with the depth of a bisector
    glDisable(GL_BLEND);
}

void clipToRaster(bool on)
{
    for (GLenum plane = 0; plane < 4; ++plane)
        on ? glEnable(GL_CLIP_DISTANCE0 + plane) : glDisable(GL_CLIP_DISTANCE0 + plane);
}

}  // namespace

TerrainPicture::TerrainPicture(const std::filesystem::path& dataRoot, ShaderDialect dialect)
    : library_(dataRoot, dialect), sky_(library_.add("sky", {"shaders/sky.vert", "shaders/sky.frag"})),
      frustum_(library_.add("frozen frustum", {"shaders/frustum.vert", "shaders/frustum.frag"})),
      noAttributes_(makeVertexArray("no attributes"))
{
}

ProgramHandle TerrainPicture::addGround(const GroundVariant& variant)
{
    std::vector<ShaderDefine> defines;
    std::string name = "terrain";
    const auto with = [&](bool on, const char* words, const char* define) {
        if (!on) return;
        name += std::string(", ") + words;
        defines.push_back({define, "1"});
    };
    with(variant.gliding == Gliding::kNone, "not gliding", "OROGEN_NO_GEOMORPH");
    with(variant.gliding == Gliding::kByEdges, "gliding by edges", "OROGEN_EDGE_CRITERION");
    with(variant.clipped, "clipped", "OROGEN_CLIP_TO_RASTER");
    with(variant.showsErrors, "error", "OROGEN_SHADING_ERROR");
    return library_.add(std::move(name), {"shaders/terrain.vert", "shaders/terrain.frag"}, std::move(defines));
}

Status TerrainPicture::prepare(const Settings& settings, const TerrainGpu* terrain)
{
    const GroundVariant variant = variantOf(settings, terrain);
    const auto known = grounds_.find(variant);
    if (known == grounds_.end())
        grounds_.emplace(variant, addGround(variant));
    else if (library_.program(known->second) == 0)
        library_.restart(known->second);  // its text may have been mended
    return library_.finish();
}

void TerrainPicture::drawGround(const Settings& settings, const TerrainGpu& terrain, const LodTree& tree,
                                const PatchMesh& patch, std::uint64_t firstCommand, int commands) const
{
    const GroundVariant variant = variantOf(settings, &terrain);
    drawSolid();
    clipToRaster(variant.clipped);
    glUseProgram(library_.program(grounds_.at(variant)));
    tree.bindForDraw();
    patch.bind();
    glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, reinterpret_cast<const void*>(firstCommand), commands,
                                0);
    clipToRaster(false);
}

// Depth is tested and not written: it stays that of the ground.
void TerrainPicture::drawAtInfinity(GLuint program, GLenum primitives, int vertices) const
{
    drawSolid();
    glDepthMask(GL_FALSE);
    glUseProgram(program);
    glBindVertexArray(noAttributes_.id());
    glDrawArrays(primitives, 0, vertices);
    glDepthMask(GL_TRUE);
}

void TerrainPicture::drawSky() const { drawAtInfinity(library_.program(sky_), GL_TRIANGLES, 3); }

void TerrainPicture::drawFrustum(const FrustumCorners& corners) const
{
    glProgramUniform3fv(library_.program(frustum_), 0, GLsizei(corners.size()), &corners[0].x);
    drawAtInfinity(library_.program(frustum_), GL_LINES, 16);
}

ReloadReport TerrainPicture::reloadShaders() { return library_.reload(); }

std::uint64_t TerrainPicture::sourceHash(const Settings& settings, const TerrainGpu* terrain) const
{
    const auto ground = grounds_.find(variantOf(settings, terrain));
    const std::uint64_t hash = ground == grounds_.end() ? 0 : library_.sourceHash(ground->second);
    return (hash * 31 + library_.sourceHash(sky_)) * 31 + library_.sourceHash(frustum_);
}

}  // namespace orogen::app
