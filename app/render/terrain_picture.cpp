#include "app/render/terrain_picture.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/render/triangulation.h"
#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

constexpr int kSkyColumns = 32, kSkyRows = 18;  // screen tiles in which the Earth's sky is drawn (earth_sky.vert)

// Walls reach below the lowest ground by this share of the relief, plus a hundredth of the side.
constexpr double kWallShare = 0.08;

Gliding glidingOf(const Settings& settings)
{
    if (!settings.lod.geomorph) return Gliding::kNone;
    if (settings.lod.criterion == LodCriterion::kEdge) return Gliding::kByEdges;
    return settings.patch.level == 0 ? Gliding::kCornersByErrors : Gliding::kByErrors;
}

// Returns the variant that draws the triangles (depth and marks), for planar terrain and for the Earth.
GroundVariant geometryVariant(const Settings& settings, bool clipped)
{
    GroundVariant variant;
    variant.clipped = clipped;
    variant.wireframe = settings.render.wireframe;
    variant.marks = TerrainPicture::marksGround(settings);
    return variant;
}

void shadeData(GroundVariant& variant, const Settings::Render& render)
{
    const bool plain =
        render.shading == Shading::kLit || render.shading == Shading::kNormals || render.shading == Shading::kSlope;
    if (!plain) variant.relief = render.relief;
    variant.ramp = render.shading == Shading::kHypsometric && !render.ramp.empty();
}

// Returns the variant for every part of planar terrain except kGeometry.  Options that the settings do not use stay at
// their defaults, so that more settings share a program.
GroundVariant planeVariant(GroundPart part, bool land, const Settings& settings, const TerrainGpu* terrain)
{
    const Settings::Render& render = settings.render;
    GroundVariant variant;
    variant.part = part;
    variant.land = land;
    const bool lit = render.shading == Shading::kLit || land || part == GroundPart::kWalls;
    variant.air = lit ? render.air : Air::kOff;
    if (part == GroundPart::kWalls) return variant;
    variant.frozen = settings.lod.frozen;
    variant.multisampled = render.msaa > 1;
    variant.shading = render.shading;
    variant.nearDetail = render.nearDetail && render.shading == Shading::kLit;
    if (land) return variant;
    variant.voids = terrain && terrain->uniforms().pixelSize.w > 0.5f;
    variant.wireframe = render.wireframe;
    variant.contours = render.contours;
    shadeData(variant, render);
    variant.imagery = terrain && terrain->imagery() && settings.imageryShown();
    return variant;
}

GroundVariant earthVariant(GroundPart part, const Settings& settings, const TerrainGpu* terrain)
{
    const Settings::Render& render = settings.render;
    GroundVariant variant;
    variant.part = part;
    variant.multisampled = render.msaa > 1;
    variant.shading = render.shading;
    variant.air = render.shading == Shading::kLit ? render.air : Air::kOff;
    variant.nearDetail = render.nearDetail && render.shading == Shading::kLit;
    variant.wireframe = render.wireframe;
    variant.frozen = settings.lod.frozen;
    variant.contours = render.contours;
    shadeData(variant, render);
    const bool showsSea = render.shading == Shading::kLit || render.shading == Shading::kHypsometric;
    variant.shadows = render.shadows && render.shading == Shading::kLit;
    variant.sea = settings.terrain.waterLevel && showsSea;
    variant.imagery = terrain && terrain->imagery() && settings.imageryShown();
    variant.mixed = variant.imagery && settings.imagery.opacity < 1;
    variant.finer = variant.imagery && terrain->imagery()->cache().baseLevel() > 0;
    return variant;
}

// Returns the variants of level water in a picture.  Water is shown with lit and hypsometric shading only; the other
// shadings visualise the ground.
std::vector<WaterVariant> watersOf(World world, const Settings& settings, const TerrainGpu& terrain)
{
    if (world == World::kEarth) return {};  // there the sea is part of the ground
    const bool map = settings.render.shading == Shading::kHypsometric;
    if (!map && settings.render.shading != Shading::kLit) return {};
    std::vector<WaterVariant> waters;
    if (settings.terrain.waterLevel) waters.push_back({.map = map});
    if (settings.terrain.waterLevel && settings.render.border == Border::kGround)
        waters.push_back({.beyond = true, .map = map});
    if (settings.render.lakes && terrain.lakes() > 0) waters.push_back({.lakes = true, .map = map});
    return waters;
}

constexpr GLint kLandStencil = 1;  // stencil of pixels that show land around the terrain; 0: ground, or nothing

// Enables depth test and depth writes for opaque geometry.  Depth is reversed: nearer is greater.
void drawSolid()
{
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GEQUAL);
    glDepthMask(GL_TRUE);
    glDisable(GL_CULL_FACE);  // the winding of a triangle alternates with its depth in the tree
    glDisable(GL_BLEND);
}

void clipToRaster(bool on)
{
    for (GLenum plane = 0; plane < 4; ++plane)
        on ? glEnable(GL_CLIP_DISTANCE0 + plane) : glDisable(GL_CLIP_DISTANCE0 + plane);
}

}  // namespace

TerrainPicture::TerrainPicture(const std::filesystem::path& dataRoot, ShaderDialect dialect, World world,
                               bool byCompute)
    : world_(world), byCompute_(byCompute), library_(dataRoot, dialect), dataRoot_(dataRoot),
      noAttributes_(makeVertexArray("no attributes"))
{
}

// `land`: the part belongs to the land around the terrain, not to its ground.
GroundVariant TerrainPicture::variantOf(GroundPart part, bool land, const Settings& settings,
                                        const TerrainGpu* terrain) const
{
    if (part == GroundPart::kGeometry && land) return {.land = true};
    if (part == GroundPart::kGeometry)
        return geometryVariant(settings, world_ == World::kPlane && terrain && !terrain->fillsSquare());
    GroundVariant variant =
        world_ == World::kEarth ? earthVariant(part, settings, terrain) : planeVariant(part, land, settings, terrain);
    variant.computed = part == GroundPart::kShading && byCompute_ && !variant.multisampled;
    variant.beside = variant.computed && !land && wantsBorder(settings, Border::kGround);
    return variant;
}

std::vector<GroundVariant> TerrainPicture::variantsOf(const Settings& settings, const TerrainGpu* terrain) const
{
    std::vector<GroundVariant> variants;
    for (const bool land : {false, true})
    {
        if (land && !wantsBorder(settings, Border::kGround)) continue;
        variants.push_back(variantOf(GroundPart::kGeometry, land, settings, terrain));
        variants.push_back(variantOf(GroundPart::kShading, land, settings, terrain));
        if (settings.render.msaa > 1) variants.push_back(variantOf(GroundPart::kEdges, land, settings, terrain));
    }
    if (wantsBorder(settings, Border::kWalls))
        variants.push_back(variantOf(GroundPart::kWalls, false, settings, terrain));
    return variants;
}

bool TerrainPicture::marksGround(const Settings& settings)
{
    return settings.render.wireframe || settings.render.shading == Shading::kLod;
}

ProgramHandle TerrainPicture::add(const GroundVariant& variant)
{
    std::vector<ShaderDefine> defines;
    const GroundPart part = variant.part;
    const bool geometry = part == GroundPart::kGeometry, walls = part == GroundPart::kWalls;
    const bool shades = part == GroundPart::kShading || part == GroundPart::kEdges;
    std::string name = shades ? "terrain, shaded" : "terrain";
    const auto with = [&](bool on, const char* words, const char* define) {
        if (!on) return;
        name += std::string(", ") + words;
        defines.push_back({define, "1"});
    };
    with(variant.land, "land around it", "OROGEN_BEYOND");
    with(walls, "walls", "OROGEN_WALLS");
    with(variant.marks, "marks", "OROGEN_MARKS");
    with(shades, "pixels", "OROGEN_GROUND");
    if (variant.computed) name += ", by compute";
    with(variant.beside, "land around it elsewhere", "OROGEN_LAND");
    with(part == GroundPart::kEdges, "each sample", "OROGEN_PER_SAMPLE");
    with(shades && variant.multisampled, "samples", "OROGEN_SAMPLES");
    with(variant.clipped, "clipped", "OROGEN_CLIP_TO_RASTER");
    with(variant.air != Air::kOff, "air", "OROGEN_AIR");
    with(variant.air == Air::kHaze, "haze alone", "OROGEN_HAZE_ALONE");
    with(variant.nearDetail, "near detail", "OROGEN_NEAR_DETAIL");
    with(variant.voids, "voids", "OROGEN_VOIDS");
    with(variant.wireframe, "wireframe", "OROGEN_WIREFRAME");
    with(variant.frozen, "frozen", "OROGEN_FROZEN");
    with(variant.contours, "contours", "OROGEN_CONTOURS");
    with(variant.ramp, "colour ramp", "OROGEN_RAMP");
    with(variant.sea, "sea", "OROGEN_SEA");
    with(variant.shadows, "shadows", "OROGEN_SHADOWS");
    with(variant.imagery, "imagery", "OROGEN_IMAGERY");
    with(variant.mixed, "translucent", "OROGEN_IMAGERY_MIXED");
    with(variant.finer, "finer pictures", "OROGEN_IMAGERY_FINER");
    std::vector<std::string> files;
    if (geometry || walls)
        files.push_back(variant.land || walls ? "shaders/shading/border.vert" : "shaders/surface/terrain.vert");
    else if (!variant.computed)
        files.push_back(part == GroundPart::kEdges ? "shaders/shading/edges.vert" : "shaders/shading/screen.vert");
    if (geometry)
    {
        if (variant.land || variant.marks) files.push_back("shaders/surface/marks.frag");
        return library_.add(std::move(name), std::move(files), std::move(defines));
    }
    name += ", shading " + std::to_string(int(variant.shading));
    if (variant.relief != Relief::kDirect) name += ", relief " + std::to_string(int(variant.relief));
    defines.push_back({"OROGEN_RELIEF", std::to_string(int(variant.relief))});
    defines.push_back({"OROGEN_SHADING", std::to_string(int(variant.shading))});
    const std::string file = world_ == World::kEarth ? "shaders/earth/earth"
                             : walls                 ? "shaders/shading/walls"
                                                     : "shaders/shading/terrain";
    files.push_back(file + (variant.computed ? ".comp" : ".frag"));
    return library_.add(std::move(name), std::move(files), std::move(defines));
}

ProgramHandle TerrainPicture::addWater(const WaterVariant& variant)
{
    std::vector<ShaderDefine> defines;
    if (variant.lakes) defines.push_back({"OROGEN_LAKES", "1"});
    if (variant.beyond) defines.push_back({"OROGEN_SEA_BEYOND", "1"});
    if (variant.map) defines.push_back({"OROGEN_WATER_MAP", "1"});
    const std::string name = std::string(variant.lakes    ? "lakes"
                                         : variant.beyond ? "sea to the horizon"
                                                          : "sea") +
                             (variant.map ? ", map" : "");
    return library_.add(name, {"shaders/shading/water.vert", "shaders/shading/water.frag"}, std::move(defines));
}

// Adds a compute program that computes heights as drawn, with geomorphing of kind `gliding`.  `part`: a define; null:
// none.
ProgramHandle TerrainPicture::addGliding(Gliding gliding, const char* name, const char* file, const char* part)
{
    constexpr struct
    {
        const char *name, *define;
    } kinds[] = {{"not gliding", "OROGEN_NO_GEOMORPH"},
                 {"gliding by edges", "OROGEN_EDGE_CRITERION"},
                 {"gliding by errors", "OROGEN_ERROR_CRITERION"},
                 {"corners gliding by errors", "OROGEN_ERROR_CRITERION"}};
    const auto& kind = kinds[std::size_t(gliding)];
    std::vector<ShaderDefine> defines{{kind.define, "1"}};
    if (gliding == Gliding::kByEdges || gliding == Gliding::kCornersByErrors)
        defines.push_back({"OROGEN_CORNERS_GLIDE", "1"});
    if (part) defines.push_back({part, "1"});
    return library_.add(fmt::format("{}, {}", name, kind.name), {file}, std::move(defines));
}

// Returns the programs that the settings need.  Adds those that are missing, and starts to compile them.  `terrain`:
// null if it is not known yet.  sourceHash() covers exactly these programs, so a picture must draw with no others.
std::vector<ProgramHandle> TerrainPicture::programsFor(const Settings& settings, const TerrainGpu* terrain)
{
    std::vector<ProgramHandle> programs;
    const auto need = [&](std::optional<ProgramHandle>& program, const auto& make) {
        if (!program)
            program = make();
        else if (library_.program(*program) == 0)
            library_.restart(*program);  // its source may have been fixed
        programs.push_back(*program);
    };
    const auto one = [&](std::optional<ProgramHandle>& program, const char* name, std::vector<std::string> files,
                         std::vector<ShaderDefine> defines = {}) {
        need(program, [&] { return library_.add(name, std::move(files), std::move(defines)); });
    };
    const std::string screen = "shaders/shading/screen.vert";
    one(airProgram_, "air", {"shaders/air/air.comp"});
    one(sky_, "sky", {world_ == World::kEarth ? "shaders/earth/earth_sky.vert" : screen, "shaders/air/sky.frag"});
    one(starProgram_, "stars", {"shaders/air/stars.vert", "shaders/air/stars.frag"});
    one(frustum_, "frozen frustum", {"shaders/shading/frustum.vert", "shaders/shading/frustum.frag"});
    one(sharpen_, "sharpen", {screen, "shaders/shading/sharpen.frag"});
    for (const GroundVariant& variant : variantsOf(settings, terrain))
        need(grounds_[variant], [&] { return add(variant); });
    if (settings.render.msaa > 1) one(edges_, "edge pixels", {"shaders/shading/edges.comp"});
    const Gliding gliding = glidingOf(settings);
    need(heights_[gliding],
         [&] { return addGliding(gliding, "heights of vertices", "shaders/surface/leaf_heights.comp"); });
    if (world_ == World::kPlane && settings.render.border != Border::kOpen)
    {
        const char* const file = "shaders/shading/rim.comp";
        need(rims_[gliding], [&] { return addGliding(gliding, "rim", file, "OROGEN_RIM_DRAWN"); });
        one(rimGround_, "rim, ground", {file}, {{"OROGEN_RIM_GROUND", "1"}});
        one(rimTexels_, "rim, texels", {file}, {{"OROGEN_RIM_TEXELS", "1"}});
        one(land_, "land", {"shaders/shading/land.comp"}, {{"OROGEN_LAND_HEIGHTS", "1"}});
    }
    if (terrain)
        for (const WaterVariant& water : watersOf(world_, settings, *terrain))
            need(waters_[water], [&] { return addWater(water); });
    library_.begin();
    return programs;
}

Status TerrainPicture::prepare(const Settings& settings, const TerrainGpu& terrain)
{
    (void)programsFor(settings, &terrain);
    if (!air_)
    {
        Result<AirTable> made = AirTable::create();
        if (!made) return made.error();
        air_ = std::move(*made);
    }
    air_->setVisibility(double(settings.render.visibility));
    if (!stars_)
    {
        Result<NightSky> made = NightSky::create(dataRoot_);
        if (!made) return made.error();
        stars_ = std::move(*made);
    }
    if (Status s = cover_.prepare(settings); !s) return s;
    return library_.finish();
}

Status TerrainPicture::setBorder(const HeightField& field, const Surroundings* surroundings)
{
    Result<TerrainBorder> border = TerrainBorder::create(field, surroundings);
    if (!border) return border.error();
    border_.emplace(std::move(*border));
    return Status::ok();
}

// Writes the heights of one range into the buffer of `patch`, which holds one range at a time.  The first barrier also
// orders these writes after the draws of the previous range.
void TerrainPicture::listHeights(const Settings& settings, const Triangulation& tree, const PatchMesh& patch,
                                 const DrawRanges& ranges, std::uint32_t range) const
{
    tree.bindForDraw();
    patch.bindHeights();
    glUseProgram(library_.program(*heights_.at(glidingOf(settings))));
    glUniform1ui(0, GLuint(ranges.first(range)));
    glUniform1ui(1, ranges.size(range));
    afterDispatch(GL_SHADER_STORAGE_BARRIER_BIT);
    tree.dispatchRange(range);
    afterDispatch(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
}

void TerrainPicture::drawGround(const Settings& settings, const TerrainGpu& terrain, const Triangulation& tree,
                                const PatchMesh& patch, std::uint32_t range) const
{
    const GroundVariant variant = variantOf(GroundPart::kGeometry, false, settings, &terrain);
    drawSolid();
    clipToRaster(variant.clipped);
    glUseProgram(library_.program(*grounds_.at(variant)));
    tree.bindRange(range);
    patch.bind();
    const std::uint64_t arguments = Triangulation::rangeArguments(range);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, reinterpret_cast<const void*>(arguments));
    clipToRaster(false);
}

void TerrainPicture::findEdges(const RenderTarget& target) const
{
    if (target.samples() <= 1) return;
    const GLuint none[4] = {0, 1, 0, 0};
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glClearNamedBufferSubData(target.edges(), GL_R32UI, 0, sizeof none, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    glClearNamedBufferSubData(target.edges(), GL_R32UI, 4, 4, GL_RED_INTEGER, GL_UNSIGNED_INT, &none[1]);
    glTextureBarrier();
    glBindTextureUnit(gpu::kDepthTexture, target.depth());
    glBindSampler(gpu::kDepthTexture, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kEdgesBinding, target.edges());
    glUseProgram(library_.program(*edges_));
    glUniform1i(0, GLint(target.samplePlaces().size()));
    const auto groups = [](int pixels) { return GLuint(pixels + 7) / 8; };
    glDispatchCompute(groups(target.drawnWidth()), groups(target.drawnHeight()), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    glBindTextureUnit(gpu::kDepthTexture, 0);
}

// Turns depth writes off, because the shaders read the same depth texture that the depth test uses.
void TerrainPicture::shadeGround(const Settings& settings, const TerrainGpu& terrain, const RenderTarget& target,
                                 Rows rows) const
{
    cover_.use(settings, terrain);
    drawSolid();
    glDepthMask(GL_FALSE);
    glTextureBarrier();
    glBindTextureUnit(gpu::kDepthTexture, target.depth());
    glBindSampler(gpu::kDepthTexture, 0);
    glBindTextureUnit(gpu::kMarksTexture, target.marks());
    glBindSampler(gpu::kMarksTexture, 0);
    glBindVertexArray(noAttributes_.id());
    if (world_ == World::kEarth)
    {
        const float black[4] = {0, 0, 0, 1};  // colour of space, where drawSky() draws nothing
        glClearBufferfv(GL_COLOR, 0, black);
    }
    for (const GroundPart part : {GroundPart::kShading, GroundPart::kEdges})
        for (const bool land : {false, true})
            if ((part == GroundPart::kShading || target.samples() > 1) && (!land || hasLand(settings)))
                shade(variantOf(part, land, settings, &terrain), settings, terrain, target, rows);
    glDepthMask(GL_TRUE);
    glBindTextureUnit(gpu::kDepthTexture, 0);
    glBindTextureUnit(gpu::kMarksTexture, 0);
}

// Shades the pixels of one surface, the ground or the land around it, with the program of `variant`.
void TerrainPicture::shade(const GroundVariant& variant, const Settings& settings, const TerrainGpu& terrain,
                           const RenderTarget& target, Rows rows) const
{
    const GLuint program = library_.program(*grounds_.at(variant));
    if (variant.land) border_->bindTextures();
    if (variant.shadows && terrain.region()) terrain.region()->use(program);
    if (target.samples() > 1)
    {
        const auto samples = GLsizei(target.samplePlaces().size());
        glProgramUniform2fv(program, 0, samples, &target.samplePlaces().front().x);
        glProgramUniform1i(program, GLint(gpu::kMostSamples), samples);
    }
    glUseProgram(program);
    const int width = target.drawnWidth(), height = rows.end - rows.first;
    if (variant.computed)
    {
        const auto groups = [](int pixels) {
            return GLuint(pixels + gpu::kShadingGroupSide - 1) / gpu::kShadingGroupSide;
        };
        glBindImageTexture(0, target.colour(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
        glUniform2ui(0, GLuint(rows.first), GLuint(rows.end));
        glDispatchCompute(groups(width), groups(height), 1);
        glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
        return;
    }
    if (variant.part == GroundPart::kEdges)
    {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kEdgesBinding, target.edges());
        glBindBuffer(GL_DRAW_INDIRECT_BUFFER, target.edges());
        glDrawArraysIndirect(GL_TRIANGLES, nullptr);
        return;
    }
    glDepthFunc(GL_LESS);
    // Where the picture shows ground and land, each has a program.  The stencil skips the other surface's pixels before
    // they are shaded.  A multisampled pixel may show both; there the land's program discards ground.
    const bool both = hasLand(settings) && target.samples() <= 1;
    if (both)
    {
        glEnable(GL_STENCIL_TEST);
        glStencilFunc(GL_EQUAL, variant.land ? kLandStencil : 0, kLandStencil);
        glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
    if (both) glDisable(GL_STENCIL_TEST);
}

void TerrainPicture::followRim(const Settings& settings, const TerrainGpu& terrain,
                               const gpu::FrameUniforms& view) const
{
    if (!hasBorder(settings)) return;
    const RimPrograms programs{library_.program(*rimGround_), library_.program(*rims_.at(glidingOf(settings))),
                               library_.program(*rimTexels_), library_.program(*land_)};
    border_->follow(programs, view, terrain.uniforms(), hasLand(settings));
}

void TerrainPicture::drawLand(const Settings& settings, const TerrainGpu& terrain, const gpu::FrameUniforms& view,
                              const RenderTarget& target) const
{
    drawSolid();
    const float nothing[4] = {};
    const bool marks = byCompute_ || target.samples() > 1;  // otherwise the stencil tells land from ground
    target.bindGround(marks);
    if (marks && !marksGround(settings)) glClearBufferfv(GL_COLOR, 0, nothing);
    glUseProgram(library_.program(*grounds_.at(variantOf(GroundPart::kGeometry, true, settings, &terrain))));
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, kLandStencil, kLandStencil);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    border_->drawLand(view, terrain.uniforms());
    glDisable(GL_STENCIL_TEST);
    target.bind();
}

void TerrainPicture::drawWalls(const Settings& settings, const TerrainGpu& terrain) const
{
    const gpu::TerrainUniforms& u = terrain.uniforms();
    const double lowest = double(u.heights.z), relief = double(u.heights.w) - lowest;
    drawSolid();
    glUseProgram(library_.program(*grounds_.at(variantOf(GroundPart::kWalls, false, settings, &terrain))));
    border_->drawWalls(float(lowest - kWallShare * relief - 0.01 * terrain.squareSide()));
}

// Tests depth without writing it: other draws still need the ground's depth.
void TerrainPicture::drawAtInfinity(GLuint program, GLenum primitives, int vertices, int instances) const
{
    drawSolid();
    glDepthMask(GL_FALSE);
    glUseProgram(program);
    glBindVertexArray(noAttributes_.id());
    glDrawArraysInstanced(primitives, 0, vertices, instances);
    glDepthMask(GL_TRUE);
}

bool TerrainPicture::hasWater(const Settings& settings, const TerrainGpu& terrain) const
{
    return !watersOf(world_, settings, terrain).empty();
}

// Blends by the shader's second output, a weight for each colour channel of the background.
void TerrainPicture::drawWater(const Settings& settings, const TerrainGpu& terrain) const
{
    cover_.use(settings, terrain);
    drawSolid();
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_SRC1_COLOR);
    for (const WaterVariant& water : watersOf(world_, settings, terrain))
    {
        glUseProgram(library_.program(*waters_.at(water)));
        glBindVertexArray(water.lakes ? terrain.lakeRectangles() : noAttributes_.id());
        if (water.lakes)
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, terrain.lakes());
        else if (water.beyond)
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * (4 * int(gpu::kSeaColumns) + 1), int(gpu::kSeaRings));
        else
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

void TerrainPicture::fillAir() { air_->fill(library_.program(*airProgram_)); }

void TerrainPicture::drawSky() const
{
    const GLuint program = library_.program(*sky_);
    if (world_ == World::kEarth) glProgramUniform2i(program, 0, kSkyColumns, kSkyRows);
    world_ == World::kPlane ? drawAtInfinity(program, GL_TRIANGLES, 3)
                            : drawAtInfinity(program, GL_TRIANGLE_STRIP, 4, kSkyColumns * kSkyRows);
    glDepthMask(GL_FALSE);
    stars_->draw(library_.program(*starProgram_), skyView_);
    glDepthMask(GL_TRUE);
}

void TerrainPicture::drawFrustum(const FrustumCorners& corners) const
{
    glProgramUniform3fv(library_.program(*frustum_), 0, GLsizei(corners.size()), &corners[0].x);
    drawAtInfinity(library_.program(*frustum_), GL_LINES, 16);
}

ReloadReport TerrainPicture::reloadShaders() { return library_.reload(); }

std::uint64_t TerrainPicture::sourceHash(const Settings& settings, const TerrainGpu* terrain)
{
    std::uint64_t hash = 0;
    for (const ProgramHandle program : programsFor(settings, terrain))
        hash = hash * 31 + library_.sourceHash(program);
    return hash;
}

}  // namespace orogen::app
