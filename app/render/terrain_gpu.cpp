#include "app/render/terrain_gpu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "core/base/text.h"
#include "core/gpu_layout.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/raster/projection.h"
#include "core/terrain/tiles/cube_tiles.h"

namespace orogen::app {
namespace {

constexpr double kLatticeSide = double(1u << (gpu::kLeafLatticeBits + gpu::kPatchBits));
constexpr int kLightMapSide = 1024;  // enough for soft light; a finer map takes seconds on a software rasteriser
constexpr int kGradientRows = 512;   // rows per dispatch

std::uint64_t bytesOf(const Texture& texture, int texelBytes)
{
    const TextureShape& s = texture.shape();
    const std::uint64_t base =
        std::uint64_t(s.width) * std::uint64_t(s.height) * std::uint64_t(s.depth) * std::uint64_t(texelBytes);
    return s.levels > 1 ? base * 4 / 3 : base;
}

int levelsFor(int width, int height) { return 1 + int(std::floor(std::log2(double(std::max(width, height))))); }

// Layout of the mip levels in one texture: the finest at the left, the others stacked beside it.
struct Atlas
{
    std::vector<glm::ivec4> places;  // x, y, width, height
    int width = 1, height = 1;
};

Atlas layOut(const std::vector<const PyramidLevel*>& levels)
{
    Atlas atlas;
    int y = 0;
    for (std::size_t i = 0; i < levels.size(); ++i)
    {
        const glm::ivec2 size(levels[i]->width, levels[i]->height);
        const glm::ivec2 origin = i == 0 ? glm::ivec2(0) : glm::ivec2(levels[0]->width, y);
        if (i > 0) y += size.y;
        atlas.places.emplace_back(origin, size);
        atlas.width = std::max(atlas.width, origin.x + size.x);
        atlas.height = std::max(atlas.height, origin.y + size.y);
    }
    return atlas;
}

struct Codes
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> values;
};

// Returns the next mip level: the maximum of 2 x 2 texels each.  The last row and column include an odd remainder.
Codes coarser(const Codes& fine)
{
    Codes coarse{std::max(fine.width / 2, 1), std::max(fine.height / 2, 1), {}};
    coarse.values.assign(std::size_t(coarse.width) * std::size_t(coarse.height), 0);
    for (int y = 0; y < fine.height; ++y)
        for (int x = 0; x < fine.width; ++x)
        {
            const std::size_t row = std::size_t(std::min(y / 2, coarse.height - 1)) * std::size_t(coarse.width);
            std::uint8_t& most = coarse.values[row + std::size_t(std::min(x / 2, coarse.width - 1))];
            most = std::max(most, fine.values[std::size_t(y) * std::size_t(fine.width) + std::size_t(x)]);
        }
    return coarse;
}

// Returns the levels with cells of 2, 4, ... grid intervals, or the only level of a raster of one interval.
std::vector<const PyramidLevel*> uploadedLevels(const HeightPyramid& pyramid)
{
    std::vector<const PyramidLevel*> levels;
    for (std::size_t i = std::min<std::size_t>(1, pyramid.levels.size() - 1); i < pyramid.levels.size(); ++i)
        levels.push_back(&pyramid.levels[i]);
    return levels;
}

}  // namespace

namespace {

// Returns the directions of a terrain's axes at its centre, earth-fixed; empty if its place is unknown.
std::optional<LocalAxes> axesOnGlobe(const Raster& raster)
{
    constexpr double kStep = 1000;  // metres
    const std::optional<TerrainGeography> geography = TerrainGeography::of(raster);
    const auto place = [&](double north) -> std::optional<Geodetic> {
        const std::optional<LatLong> found = geography ? geography->place(0, north) : std::nullopt;
        return found ? std::optional(Geodetic{found->latitude, found->longitude, 0}) : std::nullopt;
    };
    const std::optional<Geodetic> centre = place(0), ahead = place(kStep);
    if (!centre || !ahead) return std::nullopt;
    LocalAxes axes = axesAt(earthFixed(*centre));
    const glm::dvec3 way = earthFixed(*ahead) - earthFixed(*centre);
    axes.north = glm::normalize(way - axes.up * glm::dot(way, axes.up));
    axes.east = glm::cross(axes.north, axes.up);
    return axes;
}

}  // namespace

TerrainPrograms::TerrainPrograms(ShaderLibrary& library)
    : gradient(library.add("gradient", {"shaders/heights/gradient.comp"})),
      light(library.add("light", {"shaders/shading/light.comp"}))
{
}

Result<TerrainGpu> TerrainGpu::create(const ShaderLibrary& library, const TerrainPrograms& programs,
                                      const Limits& limits, const Raster& raster, const HeightField& field,
                                      TerrainBounds bounds)
{
    // The pyramid's atlas is three quarters as wide as the raster, so only the raster's size is checked.
    if (std::max(field.width, field.height) > limits.textureSize)
        return Error{ExitCode::kLimit, fmt::format("{}: {} x {} samples, but this driver's textures hold {} a side",
                                                   raster.name, field.width, field.height, limits.textureSize)};
    TerrainGpu terrain;
    terrain.library_ = &library;
    terrain.gradientProgram_ = programs.gradient;
    terrain.lightProgram_ = programs.light;
    terrain.diamondErrors_ = std::make_shared<const DiamondErrors>(std::move(bounds.errors));
    terrain.relief_ = bounds.relief ? std::move(bounds.relief) : std::make_shared<const MadeRelief>(field);
    terrain.detail_ = detailUniforms(std::max({raster.east(), raster.north(), 1e-6}),
                                     std::sqrt(raster.pixelWidth * raster.pixelHeight), terrain.relief_->exponent());
    terrain.describe(raster, field);
    if (const std::optional<LocalAxes> axes = axesOnGlobe(raster)) terrain.onGlobe_ = *axes;
    Result<Buffer> buffer = makeBuffer("terrain uniforms", sizeof(gpu::TerrainUniforms), GL_DYNAMIC_STORAGE_BIT);
    if (!buffer) return buffer.error();
    terrain.uniformBuffer_ = std::move(*buffer);
    if (Status s = terrain.uploadHeights(field); !s) return s.error();
    if (Status s = terrain.uploadVoids(field); !s) return s.error();
    if (Status s = terrain.uploadLakes(field.water); !s) return s.error();
    if (Status s = terrain.uploadPyramid(field, bounds.heights); !s) return s.error();
    if (Status s = terrain.uploadErrors(); !s) return s.error();
    if (Status s = terrain.makeLightMap(); !s) return s.error();
    terrain.uploadUniforms();
    if (Status s = terrain.makeGradients(); !s) return s.error();
    terrain.deriveGradients();
    return terrain;
}

Result<TerrainGpu> TerrainGpu::createOnEarth(std::unique_ptr<TiledHeights> tiles)
{
    TerrainGpu terrain;
    terrain.onEarth_ = true;
    terrain.tiles_ = std::move(tiles);
    const TileCache& cache = terrain.tiles_->cache();
    terrain.detail_ = detailUniformsOnCube(cubeSampleMetres(cache.grid(), 0), kEarthExponent, cache.baseLevel());
    const double unit = metresOfCubeUnit();
    terrain.side_ = unit * double(kCubeSide);
    terrain.extent_ = glm::dvec2(terrain.side_);
    terrain.lowest_ = kLowestGround;
    terrain.highest_ = kHighestGround;
    gpu::TerrainUniforms& u = terrain.uniforms_;
    u.squareSize = glm::vec4(float(terrain.side_), float(unit), 0, 0);
    u.pixelSize = glm::vec4(0.0f, 0.0f, 1.0f, 0.0f);
    u.heights = glm::vec4(0.0f, 0.0f, float(terrain.lowest_), float(terrain.highest_));
    Result<Buffer> buffer = makeBuffer("terrain uniforms", sizeof u, GL_DYNAMIC_STORAGE_BIT);
    if (!buffer) return buffer.error();
    terrain.uniformBuffer_ = std::move(*buffer);
    terrain.uploadUniforms();
    return terrain;
}

void TerrainGpu::describe(const Raster& raster, const HeightField& field)
{
    extent_ = {raster.east(), raster.north()};
    side_ = std::max({extent_.x, extent_.y, 1e-6});
    fillsSquare_ = extent_.x == extent_.y;
    const double unit = side_ / kLatticeSide;
    pixel_ = {raster.pixelWidth, raster.pixelHeight};
    if (field.width != raster.width || field.height != raster.height)
        pixel_ = extent_ / glm::dvec2(field.width - 1, field.height - 1);
    const glm::dvec2 pixel = pixel_;
    gpu::TerrainUniforms& u = uniforms_;
    u.squareSize = glm::vec4(float(side_), float(unit), 0, 0);
    u.texelFromLattice = glm::vec4(float(unit / pixel.x), float(-unit / pixel.y),
                                   float((extent_.x - side_) / 2 / pixel.x), float((extent_.y + side_) / 2 / pixel.y));
    u.rasterSize =
        glm::vec4(float(field.width), float(field.height), 1.0f / float(field.width), 1.0f / float(field.height));
    const glm::dvec2 share = extent_ / side_;  // share of the square that is terrain: 1 along its longer side
    u.latticeBounds = glm::vec4((1.0 - share) / 2.0 * kLatticeSide, (1.0 + share) / 2.0 * kLatticeSide);
    u.pixelSize = glm::vec4(float(pixel.x), float(pixel.y), 1.0f, field.voidMask.empty() ? 0.0f : 1.0f);
    describeHeights(raster, field);
}

void TerrainGpu::describeHeights(const Raster& raster, const HeightField& field)
{
    lowest_ = raster.minHeight;
    highest_ = raster.maxHeight;
    const double scale = uniforms_.pixelSize.z;
    uniforms_.heights =
        glm::vec4(field.offset, field.scale * 65535.0f, float(lowest_ * scale), float(highest_ * scale));
    slopeOfCode_ = slopeOfCode(field);
}

Status TerrainGpu::uploadHeights(const HeightField& field)
{
    Result<Texture> heights = makeTexture("heights", {.format = GL_R16, .width = field.width, .height = field.height});
    if (!heights) return heights.error();
    heights_ = std::move(*heights);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(heights_.id(), 0, 0, 0, field.width, field.height, GL_RED, GL_UNSIGNED_SHORT,
                        field.codes.data());

    smooth_ = makeSampler("smooth");
    glSamplerParameteri(smooth_.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glSamplerParameteri(smooth_.id(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    exact_ = makeSampler("exact");
    glSamplerParameteri(exact_.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glSamplerParameteri(exact_.id(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    nearest_ = makeSampler("nearest");
    glSamplerParameteri(nearest_.id(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(nearest_.id(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (GLuint sampler : {smooth_.id(), exact_.id(), nearest_.id()})
    {
        glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    return Status::ok();
}

Status TerrainGpu::uploadVoids(const HeightField& field)
{
    const bool any = !field.voidMask.empty();
    Result<Texture> voids =
        makeTexture("voids", {.format = GL_R8, .width = any ? field.width : 1, .height = any ? field.height : 1});
    if (!voids) return voids.error();
    voids_ = std::move(*voids);
    const std::uint8_t none = 0;
    glTextureSubImage2D(voids_.id(), 0, 0, 0, voids_.shape().width, voids_.shape().height, GL_RED, GL_UNSIGNED_BYTE,
                        any ? field.voidMask.data() : &none);
    return Status::ok();
}

Status TerrainGpu::uploadLakes(const StillWater& water)
{
    lakes_ = int(water.bodies.size());
    const bool any = lakes_ > 0;
    const int width = any ? heights_.shape().width - 1 : 1, height = any ? heights_.shape().height - 1 : 1;
    Result<Texture> mask =
        makeTexture("lakes", {.format = GL_R8, .width = width, .height = height, .levels = levelsFor(width, height)});
    if (!mask) return mask.error();
    lakeMask_ = std::move(*mask);
    const std::uint8_t none = 0;
    glTextureSubImage2D(lakeMask_.id(), 0, 0, 0, width, height, GL_RED, GL_UNSIGNED_BYTE,
                        any ? water.mask.data() : &none);
    glGenerateTextureMipmap(lakeMask_.id());
    if (!any) return Status::ok();

    static_assert(sizeof(WaterBody) == 20 && offsetof(WaterBody, west) == 4);
    Result<Buffer> buffer =
        makeBuffer("lake rectangles", water.bodies.size() * sizeof(WaterBody), 0, water.bodies.data());
    if (!buffer) return buffer.error();
    lakeBuffer_ = std::move(*buffer);
    lakeRectangles_ = makeVertexArray("lake rectangles");
    const GLuint array = lakeRectangles_.id();
    glVertexArrayVertexBuffer(array, 0, lakeBuffer_.id(), 0, sizeof(WaterBody));
    glVertexArrayBindingDivisor(array, 0, 1);
    glVertexArrayAttribIFormat(array, 0, 4, GL_INT, offsetof(WaterBody, west));
    glVertexArrayAttribFormat(array, 1, 1, GL_FLOAT, GL_FALSE, offsetof(WaterBody, level));
    for (const GLuint attribute : {0u, 1u})
    {
        glEnableVertexArrayAttrib(array, attribute);
        glVertexArrayAttribBinding(array, attribute, 0);
    }
    return Status::ok();
}

Status TerrainGpu::makeGradients()
{
    const int width = heights_.shape().width, height = heights_.shape().height;
    Result<Texture> gradients = makeTexture(
        "slopes", {.format = GL_RG16F, .width = width, .height = height, .levels = levelsFor(width, height)});
    if (!gradients) return gradients.error();
    gradients_ = std::move(*gradients);
    return Status::ok();
}

void TerrainGpu::deriveGradients()
{
    const int width = gradients_.shape().width, height = gradients_.shape().height;
    bind();
    glUseProgram(library_->program(gradientProgram_));
    glBindImageTexture(0, gradients_.id(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RG16F);
    glUniform1i(2, 0);
    for (int row = 0; row < height; row += kGradientRows)
    {
        const int rows = std::min(kGradientRows, height - row);
        glUniform4i(0, 0, row, width, row + rows);
        glUniform2f(1, slopeOfCode_.x, slopeOfCode_.y);
        glDispatchCompute(GLuint(width + 7) / 8, GLuint(rows + 7) / 8, 1);
    }
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGenerateTextureMipmap(gradients_.id());
    slopesLeft_ = 0;
}

Status TerrainGpu::uploadPyramid(const HeightField& field, const HeightPyramid& pyramid)
{
    const std::vector<const PyramidLevel*> levels = uploadedLevels(pyramid);
    const Atlas atlas = layOut(levels);
    Result<Texture> range =
        makeTexture("height ranges", {.format = GL_RG16, .width = atlas.width, .height = atlas.height});
    if (!range) return range.error();
    range_ = std::move(*range);

    uniforms_.pyramidLevelCount = gpu::uint(std::min<std::size_t>(levels.size(), gpu::kMaxPyramidLevels));
    std::vector<IndexBox> boxes;
    for (const PyramidLevel& level : pyramid.levels)
        boxes.push_back({0, 0, level.width, level.height});
    for (std::size_t l = 0; l < uniforms_.pyramidLevelCount; ++l)
        uniforms_.pyramidLevels[l] = atlas.places[l];
    writePyramid(field, pyramid, boxes);
    return Status::ok();
}

Status TerrainGpu::uploadErrors()
{
    const DiamondErrors& errors = *diamondErrors_;
    const std::size_t rows = (errors.codes.size() + kErrorPage - 1) / kErrorPage;
    const std::size_t all = rows + (errors.patchBytes() + kErrorPage - 1) / kErrorPage;
    Result<Texture> texture = makeTexture("errors", {.target = GL_TEXTURE_2D_ARRAY,
                                                     .format = GL_R8UI,
                                                     .width = int(kErrorPage),
                                                     .height = int(std::min(all, kErrorPage)),
                                                     .depth = int((all + kErrorPage - 1) / kErrorPage)});
    if (!texture) return texture.error();
    errors_ = std::move(*texture);
    writeErrors(0, errors.codes);
    describeErrors();
    return Status::ok();
}

void TerrainGpu::describeErrors()
{
    const DiamondErrors& errors = *diamondErrors_;
    const auto gridOf = [](const DiamondGrid& grid) {
        return glm::uvec4(grid.offset, grid.originX | grid.originY << 16, grid.width | grid.height << 16, 0);
    };
    for (std::size_t i = 0; i < errors.levels.size(); ++i)
        uniforms_.errorGrids[i] = gridOf(errors.levels[i]);
    uniforms_.errorGrids[gpu::kMaxErrorLevels] = gridOf(errors.fine);
    uniforms_.errorFinestBits = gpu::uint(errors.finestBits);
    const std::size_t rows = (errors.codes.size() + kErrorPage - 1) / kErrorPage;
    uniforms_.errorPatchOffset = gpu::uint(rows * kErrorPage - errors.patchOffset());
    uniforms_.errorFineScale = errors.fineScale;
    for (std::size_t code = 0; code < errors.metres.size(); ++code)
        uniforms_.errorMetres[code / 4][int(code % 4)] = errors.metres[code];
}

// Writes codes to the error texture from index `first` on, which must begin a row.
void TerrainGpu::writeErrors(std::size_t first, std::span<const std::uint8_t> codes)
{
    for (std::size_t done = 0; done < codes.size();)
    {
        const std::size_t row = (first + done) / kErrorPage, left = codes.size() - done;
        const std::size_t width = std::min(left, kErrorPage);
        const std::size_t rows = std::max<std::size_t>(1, std::min(left / kErrorPage, kErrorPage - row % kErrorPage));
        glTextureSubImage3D(errors_.id(), 0, 0, GLint(row % kErrorPage), GLint(row / kErrorPage), GLsizei(width),
                            GLsizei(rows), 1, GL_RED_INTEGER, GL_UNSIGNED_BYTE, codes.data() + done);
        done += width * rows;
    }
}

Status TerrainGpu::showImagery(const Limits& limits, std::shared_ptr<TileCache> imagery)
{
    if (!imagery) return setImagery(nullptr), Status::ok();
    Result<TiledColours> colours = TiledColours::create(limits, std::move(imagery));
    if (!colours) return colours.error();
    setImagery(std::make_shared<TiledColours>(std::move(*colours)));
    return Status::ok();
}

void TerrainGpu::setPatchLevel(int level)
{
    if (level == patchLevel_ || onEarth_) return;
    patchLevel_ = level;
    std::vector<std::uint8_t> codes = patchErrors(*diamondErrors_, level);
    writeErrors(uniforms_.errorPatchOffset + diamondErrors_->patchOffset(), codes);
    if (heightChanges_ > 0) patchCodes_ = std::move(codes);
}

Status TerrainGpu::prepareDetail()
{
    if (detailBuffer_) return Status::ok();
    Result<Buffer> buffer = makeBuffer("detail uniforms", sizeof detail_, 0, &detail_);
    if (!buffer) return buffer.error();
    if (!onEarth_)
        if (Status s = uploadRoughness(); !s) return s;
    detailBuffer_ = std::move(*buffer);
    return Status::ok();
}

Status TerrainGpu::uploadRoughness()
{
    const int width = heights_.shape().width, height = heights_.shape().height;
    Result<Texture> roughness = makeTexture(
        "roughness", {.format = GL_R8, .width = width, .height = height, .levels = levelsFor(width, height)});
    if (!roughness) return roughness.error();
    Codes codes{width, height, {relief_->codes().begin(), relief_->codes().end()}};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int level = 0; level < roughness->shape().levels; ++level)
    {
        if (level > 0) codes = coarser(codes);
        glTextureSubImage2D(roughness->id(), level, 0, 0, codes.width, codes.height, GL_RED, GL_UNSIGNED_BYTE,
                            codes.values.data());
    }
    roughness_ = std::move(*roughness);
    return Status::ok();
}

Status TerrainGpu::makeLightMap()
{
    const double shrink =
        std::min(1.0, double(kLightMapSide) / std::max(heights_.shape().width, heights_.shape().height));
    Result<Texture> light = makeTexture("light map", {.format = GL_RG8,
                                                      .width = std::max(1, int(heights_.shape().width * shrink)),
                                                      .height = std::max(1, int(heights_.shape().height * shrink))});
    if (!light) return light.error();
    light_ = std::move(*light);
    const std::uint8_t open[2] = {255, 255};  // unshaded until the light map is computed
    glClearTexImage(light_.id(), 0, GL_RG, GL_UNSIGNED_BYTE, open);
    restartLight();
    return Status::ok();
}

HeightRange TerrainGpu::tintRange(float heightScale) const
{
    if (onEarth_) return kEarthTints;
    const double scale = shaderScale(heightScale);
    return {double(uniforms_.heights.z) / scale, double(uniforms_.heights.w) / scale};
}

void TerrainGpu::setHeightScale(float scale)
{
    if (scale == uniforms_.pixelSize.z) return;
    uniforms_.pixelSize.z = scale;
    uniforms_.heights.z = float(lowest_ * scale);
    uniforms_.heights.w = float(highest_ * scale);
    uploadUniforms();
    restartLight();
    skyStale_ = true;
}

void TerrainGpu::restartLight()
{
    lightRow_ = 0;
    lightLeft_ = light_.shape().height;
}

void TerrainGpu::setLight(glm::vec3 towards, bool shadows)
{
    if (towards == sun_ && shadows == shadows_) return;
    sun_ = towards;
    shadows_ = shadows;
    restartLight();
}

void TerrainGpu::setAnisotropy(int taps)
{
    if (!GLAD_GL_VERSION_4_6 && !GLAD_GL_ARB_texture_filter_anisotropic && !GLAD_GL_EXT_texture_filter_anisotropic)
        return;
    if (onEarth_) return;
    glSamplerParameterf(smooth_.id(), GL_TEXTURE_MAX_ANISOTROPY, float(taps));
}

void TerrainGpu::deriveAgain()
{
    if (region_) region_->restart();
    if (onEarth_) return;
    deriveGradients();
    restartLight();
    skyStale_ = true;
}

bool TerrainGpu::updateLight(int rows)
{
    if (region_) region_->update(rows);
    if (onEarth_ || lightRowsLeft() == 0) return lightRowsLeft() == 0;
    const int width = light_.shape().width, height = light_.shape().height;
    if (slopesLeft_ > 0)
    {
        const int samples = gradients_.shape().height, first = samples - slopesLeft_;
        const int now = rows < height ? std::min(kGradientRows, slopesLeft_) : slopesLeft_;
        deriveGradients({0, first, gradients_.shape().width, first + now});
        slopesLeft_ -= now;
        if (rows < height) return false;
    }
    while (rows > 0 && lightLeft_ > 0)
    {
        const int now = std::min({rows, lightLeft_, height - lightRow_});
        computeLight({0, lightRow_, width, lightRow_ + now});
        const int done = (now + 7) / 8 * 8;
        rows -= done;
        lightLeft_ = std::max(lightLeft_ - done, 0);
        lightRow_ = lightRow_ + done >= height ? 0 : lightRow_ + done;
    }
    if (lightLeft_ == 0) skyStale_ = false;
    return lightLeft_ == 0;
}

// Computes `texels` of the light map, and the other texels of their work groups.
void TerrainGpu::computeLight(const IndexBox& texels)
{
    bind();
    glUseProgram(library_->program(lightProgram_));
    glBindImageTexture(0, light_.id(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RG8);
    glUniform2i(0, texels.x0, texels.y0);
    glUniform1i(1, skyStale_);
    glUniform3f(2, sun_.x, sun_.y, sun_.z);
    glUniform1i(3, shadows_);
    glDispatchCompute(GLuint(texels.x1 - texels.x0 + 7) / 8, GLuint(texels.y1 - texels.y0 + 7) / 8, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

void TerrainGpu::uploadUniforms()
{
    glNamedBufferSubData(uniformBuffer_.id(), 0, sizeof uniforms_, &uniforms_);
    uploaded_ += sizeof uniforms_;
}

void TerrainGpu::bind() const
{
    if (!onEarth_) bindImage();
    if (tiles_) tiles_->bind();
    if (imagery_) imagery_->bind();
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kTerrainBinding, uniformBuffer_.id());
    if (detailBuffer_) glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kDetailBinding, detailBuffer_.id());
}

void TerrainGpu::bindImage() const
{
    const struct
    {
        gpu::uint unit;
        const Texture& texture;
        const Sampler& sampler;
    } table[] = {{gpu::kHeightTexture, heights_, exact_}, {gpu::kGradientTexture, gradients_, smooth_},
                 {gpu::kRangeTexture, range_, exact_},    {gpu::kErrorTexture, errors_, nearest_},
                 {gpu::kVoidTexture, voids_, exact_},     {gpu::kLightTexture, light_, exact_},
                 {gpu::kLakeTexture, lakeMask_, smooth_}};
    for (const auto& row : table)
    {
        glBindTextureUnit(row.unit, row.texture.id());
        glBindSampler(row.unit, row.sampler.id());
    }
    glBindTextureUnit(gpu::kDrainageTexture, drainage_.id());
    glBindSampler(gpu::kDrainageTexture, smooth_.id());
    if (!detailBuffer_) return;
    glBindTextureUnit(gpu::kRoughnessTexture, roughness_.id());
    glBindSampler(gpu::kRoughnessTexture, nearest_.id());
}

LatticePoint TerrainGpu::place(const glm::dvec3& position) const
{
    const double unit = side_ / kLatticeSide;
    LatticePoint point;
    for (int axis = 0; axis < 2; ++axis)
    {
        point.cell[axis] = float(std::floor((position[axis] + side_ / 2) / unit));
        point.fraction[axis] = float(position[axis] - (double(point.cell[axis]) * unit - side_ / 2));
    }
    point.cell.z = float(position.z);
    point.fraction.z = float(position.z - double(point.cell.z));
    return point;
}

glm::dvec2 TerrainGpu::texelAt(const glm::dvec3& position) const
{
    return {(position.x + extent_.x / 2) / pixel_.x, (extent_.y / 2 - position.y) / pixel_.y};
}

TerrainExtent TerrainGpu::extent() const
{
    const double scale = uniforms_.pixelSize.z;
    return {extent_, lowest_ * scale, highest_ * scale};
}

std::vector<BufferUse> TerrainGpu::memory() const
{
    std::vector<BufferUse> uses;
    if (!onEarth_)
        uses = {{"heights", bytesOf(heights_, 2)},
                {"slopes", bytesOf(gradients_, 4)},
                {"height ranges, errors", bytesOf(range_, 4) + bytesOf(errors_, 1)},
                {"light map, voids, lakes", bytesOf(light_, 2) + bytesOf(voids_, 1) + bytesOf(lakeMask_, 1)}};
    if (drainage_) uses.push_back({"drained area", bytesOf(drainage_, 1)});
    if (region_) uses.push_back({"shadows", region_->bytes()});
    if (detailBuffer_ && !onEarth_) uses.push_back({"roughness", bytesOf(roughness_, 1)});
    const auto add = [&uses](const std::vector<BufferUse>& more) { uses.insert(uses.end(), more.begin(), more.end()); };
    if (tiles_) add(tiles_->memory());
    if (imagery_) add(imagery_->memory());
    return uses;
}

}  // namespace orogen::app
