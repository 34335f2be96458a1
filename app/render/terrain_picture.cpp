#include "app/render/terrain_picture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/render/triangulation.h"
#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

constexpr int kLeastColumns = 16,
              kMostColumns = 1024;      // columns per side of the border texture and of rings away from the border
constexpr int kMostSeamColumns = 4096;  // columns per side of the rings at the border
constexpr int kFree = 0, kSeam = 1, kFin = 2;   // values of Ring::border
constexpr std::uint64_t kRimColumnBytes = 8;    // size of RimColumn in border_point.glsl
constexpr double kEarthDiameter = 12742000.0;   // metres, as in border.vert
constexpr int kSkyColumns = 32, kSkyRows = 18;  // screen tiles in which the Earth's sky is drawn (earth_sky.vert)
constexpr double kFarthestLand = 1.2e6;         // metres; a little beyond the horizon of a camera 100 km up
constexpr double kFineStep =
    1.4142;  // ratio of a ring's outer to its inner distance, where the Earth's relief is drawn

}  // namespace

Result<TerrainBorder> TerrainBorder::create(const HeightField& field, const Surroundings* surroundings)
{
    TerrainBorder border;
    const int longest = std::max({field.width - 1, field.height - 1, 1});
    const int columns = std::clamp(int(std::bit_ceil(unsigned(longest))), kLeastColumns, kMostColumns);
    const int texels = 4 * columns;
    Result<Texture> texture =
        makeTexture("heights around the border",
                    {.format = GL_R32F, .width = texels, .height = 1, .levels = int(std::bit_width(unsigned(texels)))});
    if (!texture) return texture.error();
    border.heights_ = std::move(*texture);
    border.around_ = makeSampler("around the border");
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_WRAP_S, GL_REPEAT);
    border.noAttributes_ = makeVertexArray("border");
    if (Status s = border.makeSurroundings(surroundings); !s) return s.error();

    const double perimeter =
        2 * ((field.width - 1) * double(field.pixelWidth) + (field.height - 1) * double(field.pixelHeight));
    border.spacing_ = float(std::max(perimeter / double(texels), 1e-6));
    // The rings at the border have at least one column per sample interval, up to kMostSeamColumns.  Their columns are
    // a multiple of the next ring's columns, so that their outer vertices lie on the straight edges of that ring.
    const int seam = std::clamp(int(std::bit_ceil(unsigned(longest))), columns, kMostSeamColumns);
    Result<Buffer> rim = makeBuffer("rim of the drawn ground", std::uint64_t(seam) * 4 * kRimColumnBytes, 0);
    if (!rim) return rim.error();
    border.rim_ = std::move(*rim);
    for (const int kind : {kFin, kSeam})
        border.rings_.push_back({seam, columns, 0, border.spacing_, kind});
    int now = columns;
    const int least = surroundings ? std::min(now, int(gpu::kSurroundingColumns) / 4) : kLeastColumns;
    for (double distance = border.spacing_; distance < kFarthestLand;)
    {
        const int next = std::max(now / 2, least);
        const double outer = distance * (surroundings && now == least ? kFineStep : 2.0);
        border.rings_.push_back({now, next, float(distance), float(outer), kFree});
        distance = outer;
        now = next;
    }
    return border;
}

Status TerrainBorder::makeSurroundings(const Surroundings* known)
{
    const Surroundings::Ground noGround{.known = 0};
    const std::uint8_t noColour[4] = {};
    const int width = known ? int(gpu::kSurroundingColumns) : 1, height = known ? int(gpu::kSurroundingRows) : 1;
    Result<Texture> ground =
        makeTexture("ground around the terrain", {.format = GL_RGBA32F, .width = width, .height = height});
    if (!ground) return ground.error();
    Result<Texture> colours =
        makeTexture("colours around the terrain", {.format = GL_SRGB8_ALPHA8, .width = width, .height = height});
    if (!colours) return colours.error();
    ground_ = std::move(*ground);
    colours_ = std::move(*colours);
    glTextureSubImage2D(ground_.id(), 0, 0, 0, width, height, GL_RGBA, GL_FLOAT,
                        known ? known->ground.data() : &noGround);
    glTextureSubImage2D(colours_.id(), 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                        known ? known->colours.data() : noColour);
    if (known) lowest_ = known->lowest, highest_ = known->highest;
    surrounding_ = makeSampler("surroundings");
    glSamplerParameteri(surrounding_.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glSamplerParameteri(surrounding_.id(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glSamplerParameteri(surrounding_.id(), GL_TEXTURE_WRAP_S, GL_REPEAT);
    return Status::ok();
}

void TerrainBorder::bindSurroundings() const
{
    glBindTextureUnit(gpu::kSurroundingGroundTexture, ground_.id());
    glBindSampler(gpu::kSurroundingGroundTexture, surrounding_.id());
    glBindTextureUnit(gpu::kSurroundingColourTexture, colours_.id());
    glBindSampler(gpu::kSurroundingColourTexture, surrounding_.id());
}

void TerrainBorder::use(const Ring& ring, float foot) const
{
    glUniform3i(0, ring.columns, ring.columnsNext, ring.border);
    glUniform4f(1, ring.inner, ring.outer, spacing_, foot);
}

namespace {

constexpr int kPiecesOfSide = 16;      // ring pieces per side; each is culled by itself
constexpr double kOverlapShare = 1.1;  // factor; bound of a ring's overlap with the next one (kOverlap in border.vert)
constexpr double kMoreRelief = 0.1;    // share of the relief added for procedural detail and bulges
constexpr double kRisePixels = 4;      // bound of the shifts by which border.vert hides gaps (pixels)

// Returns whether a view may show the piece of a ring between two columns.  `first`, `last`: positions along the border
// from its south-western corner, in units of a side, as in borderPoint() of border_point.glsl.  Both lie on the same
// side.  `heights`: lowest and highest land (metres, times the height scale).  `inner`, `outer`: distances of the
// ring's rows from the border (metres).
bool mayShow(const gpu::FrameUniforms& view, const gpu::TerrainUniforms& terrain, glm::dvec2 heights, double first,
             double last, double inner, double outer)
{
    const double unit = double(terrain.squareSize.y), reach = outer * kOverlapShare;
    const glm::dvec2 from(terrain.latticeBounds), to(terrain.latticeBounds.z, terrain.latticeBounds.w);
    const glm::dvec3 eye(view.cameraFraction);
    const double drop = reach * reach / kEarthDiameter;
    const double lowest = heights.x, relief = heights.y - lowest;
    const double low = lowest - kMoreRelief * relief - drop - double(view.cameraCell.z) - eye.z;
    const double high = lowest + (1 + kMoreRelief) * relief - double(view.cameraCell.z) - eye.z;
    std::array<glm::dvec2, 4> corners;
    const int side = int(first);
    for (int i = 0; i < 4; ++i)
    {
        const double t = (i < 2 ? first : last) - side;
        const glm::dvec4 south(t, 0, 2 * t - 1, -1);
        const glm::dvec4 point = side == 0   ? south
                                 : side == 1 ? glm::dvec4(1 - south.y, south.x, -south.w, south.z)
                                 : side == 2 ? glm::dvec4(1 - south.x, 1 - south.y, -south.z, -south.w)
                                             : glm::dvec4(south.y, 1 - south.x, south.w, -south.z);
        const glm::dvec2 place = glm::mix(from, to, glm::dvec2(point)) - glm::dvec2(view.cameraCell);
        const double out = i % 2 == 0 ? inner : reach;
        corners[std::size_t(i)] = place * unit - glm::dvec2(eye) + glm::dvec2(point.z, point.w) * out;
    }
    for (int i = 0; i < 5; ++i)
    {
        const glm::dvec4 plane(view.frustum[i]);
        const auto inside = [&](const glm::dvec2& corner) {
            const double rise = std::max(plane.z * low, plane.z * high);
            const double margin = kRisePixels * glm::length(corner) / double(view.pixelsPerRadian);
            return plane.x * corner.x + plane.y * corner.y + rise + plane.w > -margin - 1.0;
        };
        if (std::none_of(corners.begin(), corners.end(), inside)) return false;
    }
    return true;
}

}  // namespace

void TerrainBorder::follow(GLuint program) const
{
    const Ring& ring = rings_.front();
    const int texels = heights_.shape().width;
    const auto groups = [](int threads) { return (GLuint(threads) + gpu::kLeafGroupSize - 1) / gpu::kLeafGroupSize; };
    glUseProgram(program);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kRimBinding, rim_.id());
    glBindImageTexture(0, heights_.id(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
    glUniform2i(0, ring.columns, texels / 4);
    glUniform1ui(1, 0);
    glDispatchCompute(groups(4 * ring.columns), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUniform1ui(1, 1);
    glDispatchCompute(groups(texels), 1, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
    glGenerateTextureMipmap(heights_.id());
}

void TerrainBorder::bind() const
{
    glBindVertexArray(noAttributes_.id());
    glBindTextureUnit(gpu::kBorderTexture, heights_.id());
    glBindSampler(gpu::kBorderTexture, around_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kRimBinding, rim_.id());
}

void TerrainBorder::drawLand(const gpu::FrameUniforms& view, const gpu::TerrainUniforms& terrain) const
{
    bind();
    bindSurroundings();
    const double scale = double(terrain.pixelSize.z);
    glm::dvec2 heights(terrain.heights.z, terrain.heights.w);
    if (ground_.shape().width > 1)
        heights = {std::min(heights.x, scale * double(lowest_)), std::max(heights.y, scale * double(highest_))};
    for (const Ring& ring : rings_)
    {
        use(ring, 0);
        const int each = std::max(ring.columns / kPiecesOfSide, 1), pieces = 4 * ring.columns / each;
        const auto shown = [&](int piece) {
            const double first = double(piece * each) / ring.columns, last = double((piece + 1) * each) / ring.columns;
            return mayShow(view, terrain, heights, first, last, double(ring.inner), double(ring.outer));
        };
        for (int first = 0, next = 0; first < pieces; first = next + 1)
        {
            for (next = first; next < pieces && shown(next);)
                ++next;
            if (next > first) glDrawArrays(GL_TRIANGLE_STRIP, 2 * first * each, 2 * ((next - first) * each + 1));
        }
    }
}

void TerrainBorder::drawWalls(float foot) const
{
    bind();
    const Ring& ring = rings_.front();
    use(ring, foot);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * (4 * ring.columns + 1));
}

namespace {

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

// Returns the variant for every other part of planar terrain.  Options that the settings do not use stay at their
// defaults, so that more settings share a program.
GroundVariant planeVariant(GroundPart part, const Settings& settings, const TerrainGpu* terrain)
{
    const Settings::Render& render = settings.render;
    GroundVariant variant;
    variant.part = part;
    if (part == GroundPart::kLand) return variant;
    const bool beyond = part == GroundPart::kBeyond || part == GroundPart::kLandComputed;
    const bool lit = render.shading == Shading::kLit || beyond || part == GroundPart::kWalls;
    variant.air = lit ? render.air : Air::kOff;
    variant.frozen = settings.lod.frozen && part != GroundPart::kWalls;
    if (part == GroundPart::kWalls) return variant;
    variant.shading = render.shading;
    variant.nearDetail = render.nearDetail && render.shading == Shading::kLit;
    if (beyond) return variant;
    variant.multisampled = render.msaa > 1;
    variant.land = part == GroundPart::kComputed && render.border == Border::kGround;
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

// Water is shown with lit and hypsometric shading only; the other shadings visualise the ground.
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
      airProgram_(library_.add("air", {"shaders/air/air.comp"})),
      sky_(library_.add("sky", {world == World::kEarth ? "shaders/earth/earth_sky.vert" : "shaders/shading/screen.vert",
                                "shaders/air/sky.frag"})),
      starProgram_(library_.add("stars", {"shaders/air/stars.vert", "shaders/air/stars.frag"})),
      frustum_(library_.add("frozen frustum", {"shaders/shading/frustum.vert", "shaders/shading/frustum.frag"})),
      sharpen_(library_.add("sharpen", {"shaders/shading/screen.vert", "shaders/shading/sharpen.frag"})),
      noAttributes_(makeVertexArray("no attributes"))
{
}

GroundVariant TerrainPicture::variantOf(GroundPart part, const Settings& settings, const TerrainGpu* terrain) const
{
    if (part == GroundPart::kGeometry)
        return geometryVariant(settings, world_ == World::kPlane && terrain && !terrain->fillsSquare());
    return world_ == World::kEarth ? earthVariant(part, settings, terrain) : planeVariant(part, settings, terrain);
}

std::vector<GroundVariant> TerrainPicture::variantsOf(const Settings& settings, const TerrainGpu* terrain) const
{
    std::vector<GroundPart> parts = {GroundPart::kGeometry, shadingPart(settings)};
    if (settings.render.msaa > 1) parts.push_back(GroundPart::kEdges);
    if (const std::optional<GroundPart> border = borderPart(settings)) parts.push_back(*border);
    if (shadesLand(settings)) parts.push_back(GroundPart::kLandComputed);
    std::vector<GroundVariant> variants;
    for (const GroundPart part : parts)
        variants.push_back(variantOf(part, settings, terrain));
    return variants;
}

bool TerrainPicture::marksGround(const Settings& settings)
{
    return settings.render.wireframe || settings.render.shading == Shading::kLod;
}

GroundPart TerrainPicture::shadingPart(const Settings& settings) const
{
    return byCompute_ && settings.render.msaa <= 1 ? GroundPart::kComputed : GroundPart::kShading;
}

std::optional<GroundPart> TerrainPicture::borderPart(const Settings& settings) const
{
    if (world_ == World::kEarth || settings.render.border == Border::kOpen) return std::nullopt;
    if (settings.render.border == Border::kWalls) return GroundPart::kWalls;
    return shadesLand(settings) ? GroundPart::kLand : GroundPart::kBeyond;
}

bool TerrainPicture::shadesLand(const Settings& settings) const
{
    return world_ == World::kPlane && settings.render.border == Border::kGround &&
           shadingPart(settings) == GroundPart::kComputed;
}

ProgramHandle TerrainPicture::add(const GroundVariant& variant)
{
    std::vector<ShaderDefine> defines;
    const GroundPart part = variant.part;
    const bool geometry = part == GroundPart::kGeometry, walls = part == GroundPart::kWalls;
    const bool computed = part == GroundPart::kComputed || part == GroundPart::kLandComputed;
    const bool beyond = part == GroundPart::kBeyond || part == GroundPart::kLand || part == GroundPart::kLandComputed;
    const bool drawn = (beyond && !computed) || walls, shades = !geometry && !drawn;
    std::string name = geometry ? "terrain" : "terrain, shaded";
    const auto with = [&](bool on, const char* words, const char* define) {
        if (!on) return;
        name += std::string(", ") + words;
        defines.push_back({define, "1"});
    };
    with(beyond, "land around it", "OROGEN_BEYOND");
    with(walls, "walls", "OROGEN_WALLS");
    with(variant.marks, "marks", "OROGEN_MARKS");
    with(shades, "pixels", "OROGEN_GROUND");
    if (computed) name += ", by compute";
    with(variant.land, "land around it elsewhere", "OROGEN_LAND");
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
    if (!computed)
        files = {geometry                     ? "shaders/surface/terrain.vert"
                 : drawn                      ? "shaders/shading/border.vert"
                 : part == GroundPart::kEdges ? "shaders/shading/edges.vert"
                                              : "shaders/shading/screen.vert"};
    if (part == GroundPart::kLand)
        files.push_back("shaders/surface/marks.frag");
    else if (!geometry)
    {
        name += ", shading " + std::to_string(int(variant.shading));
        if (variant.relief != Relief::kDirect) name += ", relief " + std::to_string(int(variant.relief));
        defines.push_back({"OROGEN_RELIEF", std::to_string(int(variant.relief))});
        defines.push_back({"OROGEN_SHADING", std::to_string(int(variant.shading))});
        const std::string file = world_ == World::kEarth ? "shaders/earth/earth"
                                 : walls                 ? "shaders/shading/walls"
                                                         : "shaders/shading/terrain";
        files.push_back(file + (computed ? ".comp" : ".frag"));
    }
    else if (variant.marks)
        files.push_back("shaders/surface/marks.frag");
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

// Adds a compute program that computes heights as drawn, with geomorphing of kind `gliding`.
ProgramHandle TerrainPicture::addGliding(Gliding gliding, const char* name, const char* file)
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
    return library_.add(fmt::format("{}, {}", name, kind.name), {file}, std::move(defines));
}

// Adds the programs that the settings need and that are missing, and starts to compile them.  `terrain`: null if it is
// not known yet.
void TerrainPicture::addMissing(const Settings& settings, const TerrainGpu* terrain)
{
    const auto again = [this](ProgramHandle failed) {
        if (library_.program(failed) == 0) library_.restart(failed);  // its source may have been fixed
    };
    const auto need = [&](auto& programs, const auto& key, const auto& make) {
        const auto known = programs.find(key);
        if (known == programs.end())
            programs.emplace(key, make());
        else
            again(known->second);
    };
    for (const GroundVariant& variant : variantsOf(settings, terrain))
        need(grounds_, variant, [&] { return add(variant); });
    if (edges_)
        again(*edges_);
    else if (settings.render.msaa > 1)
        edges_ = library_.add("edge pixels", {"shaders/shading/edges.comp"});
    const Gliding gliding = glidingOf(settings);
    need(heights_, gliding,
         [&] { return addGliding(gliding, "heights of vertices", "shaders/surface/leaf_heights.comp"); });
    if (borderPart(settings))
        need(rims_, gliding, [&] { return addGliding(gliding, "rim", "shaders/shading/rim.comp"); });
    if (terrain)
        for (const WaterVariant& water : watersOf(world_, settings, *terrain))
            need(waters_, water, [&] { return addWater(water); });
    library_.begin();
}

Status TerrainPicture::prepare(const Settings& settings, const TerrainGpu& terrain)
{
    addMissing(settings, &terrain);
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
    glUseProgram(library_.program(heights_.at(glidingOf(settings))));
    glUniform1ui(0, GLuint(ranges.first(range)));
    glUniform1ui(1, ranges.size(range));
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    tree.dispatchRange(range);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
}

void TerrainPicture::drawGround(const Settings& settings, const TerrainGpu& terrain, const Triangulation& tree,
                                const PatchMesh& patch, std::uint32_t range) const
{
    const GroundVariant variant = variantOf(GroundPart::kGeometry, settings, &terrain);
    drawSolid();
    clipToRaster(variant.clipped);
    glUseProgram(library_.program(grounds_.at(variant)));
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
    const auto use = [&](GroundPart part) {
        const GroundVariant variant = variantOf(part, settings, &terrain);
        const GLuint program = library_.program(grounds_.at(variant));
        if (variant.shadows && terrain.region()) terrain.region()->use(program);
        if (target.samples() > 1)
        {
            const auto samples = GLsizei(target.samplePlaces().size());
            glProgramUniform2fv(program, 0, samples, &target.samplePlaces().front().x);
            glProgramUniform1i(program, GLint(gpu::kMostSamples), samples);
        }
        glUseProgram(program);
    };
    if (world_ == World::kEarth)
    {
        const float black[4] = {0, 0, 0, 1};  // colour of space, where drawSky() draws nothing
        glClearBufferfv(GL_COLOR, 0, black);
    }
    const GroundPart part = shadingPart(settings);
    use(part);
    if (part == GroundPart::kComputed)
    {
        const auto groups = [](int pixels) {
            return GLuint(pixels + gpu::kShadingGroupSide - 1) / gpu::kShadingGroupSide;
        };
        glBindImageTexture(0, target.colour(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
        const auto shade = [&] {
            glUniform2ui(0, GLuint(rows.first), GLuint(rows.end));
            glDispatchCompute(groups(target.drawnWidth()), groups(rows.end - rows.first), 1);
        };
        shade();
        if (shadesLand(settings))
        {
            use(GroundPart::kLandComputed);
            if (border_) border_->bindSurroundings();
            shade();
        }
        glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
    }
    else
    {
        glDepthFunc(GL_LESS);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    if (target.samples() > 1)
    {
        use(GroundPart::kEdges);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kEdgesBinding, target.edges());
        glBindBuffer(GL_DRAW_INDIRECT_BUFFER, target.edges());
        glDrawArraysIndirect(GL_TRIANGLES, nullptr);
    }
    glDepthMask(GL_TRUE);
    glBindTextureUnit(gpu::kDepthTexture, 0);
    glBindTextureUnit(gpu::kMarksTexture, 0);
}

void TerrainPicture::followRim(const Settings& settings) const
{
    if (hasBorder(settings)) border_->follow(library_.program(rims_.at(glidingOf(settings))));
}

void TerrainPicture::drawBorder(const Settings& settings, const TerrainGpu& terrain, const gpu::FrameUniforms& view,
                                const RenderTarget& target) const
{
    const std::optional<GroundPart> part = borderPart(settings);
    if (!part) return;
    drawSolid();
    if (*part == GroundPart::kLand)
    {
        const float nothing[4] = {};
        target.bindGround(true);
        if (!marksGround(settings)) glClearBufferfv(GL_COLOR, 0, nothing);
    }
    if (border_)
    {
        glUseProgram(library_.program(grounds_.at(variantOf(*part, settings, &terrain))));
        *part == GroundPart::kWalls ? drawWalls(terrain) : border_->drawLand(view, terrain.uniforms());
    }
    if (*part == GroundPart::kLand) target.bind();
}

void TerrainPicture::drawWalls(const TerrainGpu& terrain) const
{
    const gpu::TerrainUniforms& u = terrain.uniforms();
    const double lowest = double(u.heights.z), relief = double(u.heights.w) - lowest;
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
        glUseProgram(library_.program(waters_.at(water)));
        glBindVertexArray(water.lakes ? terrain.lakeRectangles() : noAttributes_.id());
        if (water.lakes)
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, terrain.lakes());
        else if (water.beyond)
            glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 10, framesToHorizon(terrain));
        else
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

void TerrainPicture::fillAir() { air_->fill(library_.program(airProgram_)); }

void TerrainPicture::drawSky() const
{
    const GLuint program = library_.program(sky_);
    if (world_ == World::kEarth) glProgramUniform2i(program, 0, kSkyColumns, kSkyRows);
    world_ == World::kPlane ? drawAtInfinity(program, GL_TRIANGLES, 3)
                            : drawAtInfinity(program, GL_TRIANGLE_STRIP, 4, kSkyColumns * kSkyRows);
    glDepthMask(GL_FALSE);
    stars_->draw(library_.program(starProgram_), skyView_);
    glDepthMask(GL_TRUE);
}

void TerrainPicture::drawFrustum(const FrustumCorners& corners) const
{
    glProgramUniform3fv(library_.program(frustum_), 0, GLsizei(corners.size()), &corners[0].x);
    drawAtInfinity(library_.program(frustum_), GL_LINES, 16);
}

ReloadReport TerrainPicture::reloadShaders() { return library_.reload(); }

std::uint64_t TerrainPicture::sourceHash(const Settings& settings, const TerrainGpu* terrain) const
{
    std::uint64_t hash =
        (library_.sourceHash(sky_) * 31 + library_.sourceHash(starProgram_)) * 31 + library_.sourceHash(frustum_);
    for (const GroundVariant& variant : variantsOf(settings, terrain))
    {
        const auto ground = grounds_.find(variant);
        hash = hash * 31 + (ground == grounds_.end() ? 0 : library_.sourceHash(ground->second));
    }
    hash = hash * 31 + library_.sourceHash(airProgram_);
    if (settings.render.msaa > 1 && edges_) hash = hash * 31 + library_.sourceHash(*edges_);
    if (const auto made = heights_.find(glidingOf(settings)); made != heights_.end())
        hash = hash * 31 + library_.sourceHash(made->second);
    if (borderPart(settings))
        if (const auto rim = rims_.find(glidingOf(settings)); rim != rims_.end())
            hash = hash * 31 + library_.sourceHash(rim->second);
    if (terrain)
        for (const WaterVariant& water : watersOf(world_, settings, *terrain))
            if (const auto made = waters_.find(water); made != waters_.end())
                hash = hash * 31 + library_.sourceHash(made->second);
    return hash;
}

}  // namespace orogen::app
