#include "app/render/terrain_gpu.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/render/image_heights.h"
#include "app/render/tiled_heights.h"
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
constexpr int kLightMapSide = 1024;  // texels of the longer side; a finer map takes seconds on a software rasteriser
constexpr int kGradientRows = 512;   // rows per dispatch
constexpr float kAnisotropy = 8;     // maximum anisotropy; 1 on a software rasteriser, where every tap costs time

// The light around a changed box is computed at once, up to a distance of this many times the size of the box.  Shadows
// farther away change only with the next pass over the whole light map.
constexpr double kLitAround = 0.5;
constexpr int kSmallShare = 16;  // a box with fewer than 1/kSmallShare of an overview's samples is lit at once

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

TerrainPrograms::TerrainPrograms(ShaderLibrary& programs)
    : library(programs), gradient(programs.add("gradient", {"shaders/heights/gradient.comp"})),
      light(programs.add("light", {"shaders/shading/light.comp"}))
{
}

Result<TerrainGpu> TerrainGpu::create(const Context& context, const TerrainPrograms& programs, const Raster& raster,
                                      const HeightField& field, TerrainBounds bounds, std::shared_ptr<TileCache> tiles)
{
    const Limits& limits = context.limits();
    // Checks only the field.  Other textures of a terrain in one image are no larger, or fit every driver (pages of
    // error codes).
    if (std::max(field.width, field.height) > limits.textureSize)
        return Error{ExitCode::kLimit, fmt::format("{}: {} x {} samples, but this driver's textures hold {} a side",
                                                   raster.name, field.width, field.height, limits.textureSize)};
    TerrainGpu terrain;
    terrain.programs_ = &programs;
    std::shared_ptr<const MadeRelief> relief = bounds.relief;
    if (!relief) relief = std::make_shared<const MadeRelief>(field);
    terrain.detail_ = detailUniforms(std::max({raster.east(), raster.north(), 1e-6}),
                                     std::sqrt(raster.pixelWidth * raster.pixelHeight), relief->exponent());
    terrain.describe(raster, field);
    if (const std::optional<LocalAxes> axes = axesOnGlobe(raster)) terrain.onGlobe_ = *axes;
    Result<Buffer> buffer = makeBuffer("terrain uniforms", sizeof(gpu::TerrainUniforms), GL_DYNAMIC_STORAGE_BIT);
    if (!buffer) return buffer.error();
    terrain.uniformBuffer_ = std::move(*buffer);
    if (Status s = terrain.uploadHeights(field); !s) return s.error();
    const float taps = context.info().software ? 1 : kAnisotropy;
    setAnisotropy(terrain.smooth_, taps);
    if (Status s = terrain.uploadVoids(field); !s) return s.error();
    if (Status s = terrain.uploadLakes(field.water); !s) return s.error();
    Result<std::unique_ptr<HeightStore>> store =
        tiles ? TiledHeights::create(limits, raster, std::move(tiles))
              : ImageHeights::create(field, std::move(bounds), std::move(relief), taps, terrain.uniforms_);
    if (!store) return store.error();
    terrain.store_ = std::move(*store);
    if (Status s = terrain.makeLightMap(); !s) return s.error();
    terrain.uploadUniforms();
    if (Status s = terrain.makeGradients(); !s) return s.error();
    terrain.deriveGradients();
    return terrain;
}

Result<TerrainGpu> TerrainGpu::createOnEarth(const Limits& limits, std::shared_ptr<TileCache> tiles)
{
    TerrainGpu terrain;
    terrain.onEarth_ = true;
    const TileCache& cache = *tiles;
    Result<std::unique_ptr<HeightStore>> store = TiledHeights::create(limits, cache.raster(), std::move(tiles));
    if (!store) return store.error();
    terrain.store_ = std::move(*store);
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
    codeScale_ = field.scale;
    codeOffset_ = field.offset;
}

Status TerrainGpu::uploadHeights(const HeightField& field)
{
    Result<Texture> heights = makeTexture("heights", {.format = GL_R16, .width = field.width, .height = field.height});
    if (!heights) return heights.error();
    heights_ = std::move(*heights);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    uploadBox(field, {0, 0, field.width, field.height});

    smooth_ = makeSampler("smooth", GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    exact_ = makeSampler("exact", GL_LINEAR, GL_LINEAR);
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
        makeTexture("lakes", {.format = GL_R8, .width = width, .height = height, .levels = mipLevels(width, height)});
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
        "slopes", {.format = GL_RG16F, .width = width, .height = height, .levels = mipLevels(width, height)});
    if (!gradients) return gradients.error();
    gradients_ = std::move(*gradients);
    return Status::ok();
}

void TerrainGpu::deriveGradients()
{
    const int width = gradients_.shape().width, height = gradients_.shape().height;
    bind();
    glUseProgram(programs_->library.program(programs_->gradient));
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

Status TerrainGpu::showImagery(const Limits& limits, std::shared_ptr<TileCache> imagery)
{
    if (!imagery) return setImagery(nullptr), Status::ok();
    Result<TiledColours> colours = TiledColours::create(limits, std::move(imagery));
    if (!colours) return colours.error();
    setImagery(std::make_shared<TiledColours>(std::move(*colours)));
    return Status::ok();
}

Status TerrainGpu::prepareDetail()
{
    if (detailBuffer_) return Status::ok();
    Result<Buffer> buffer = makeBuffer("detail uniforms", sizeof detail_, 0, &detail_);
    if (!buffer) return buffer.error();
    if (Status s = store_->prepareDetail(); !s) return s;
    detailBuffer_ = std::move(*buffer);
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
    glUseProgram(programs_->library.program(programs_->light));
    glBindImageTexture(0, light_.id(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RG8);
    glUniform2i(0, texels.x0, texels.y0);
    glUniform1i(1, skyStale_);
    glUniform3f(2, sun_.x, sun_.y, sun_.z);
    glUniform1i(3, shadows_);
    glDispatchCompute(GLuint(texels.x1 - texels.x0 + 7) / 8, GLuint(texels.y1 - texels.y0 + 7) / 8, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

// Reads the heights back from the GPU, and waits.
HeightField TerrainGpu::readHeights() const
{
    HeightField field;
    field.width = heights_.shape().width;
    field.height = heights_.shape().height;
    field.pixelWidth = pixel_.x;
    field.pixelHeight = pixel_.y;
    field.scale = codeScale_;
    field.offset = codeOffset_;
    field.codes.resize(std::size_t(field.width) * std::size_t(field.height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glGetTextureImage(heights_.id(), 0, GL_RED, GL_UNSIGNED_SHORT, GLsizei(field.codes.size() * sizeof field.codes[0]),
                      field.codes.data());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    return field;
}

Result<bool> TerrainGpu::prepareErrors(bool wait)
{
    if (store_->hasErrors()) return true;
    Result<bool> there = store_->measureErrors([this] { return readHeights(); }, wait, uniforms_);
    if (there && *there) uploadUniforms();
    return there;
}

// ---- changed heights ----

Status TerrainGpu::replaceHeights(const Raster& raster, const HeightField& field, const ChangingBounds& bounds,
                                  PatchErrors patch)
{
    ++heightChanges_;
    describeHeights(raster, field);
    uploadBox(field, {0, 0, field.width, field.height});
    if (Status s = store_->replace(bounds, std::move(patch), uniforms_); !s) return s;
    uploadUniforms();
    slopesLeft_ = field.height;
    lightLeft_ = light_.shape().height;
    skyStale_ = true;
    detail_ = detailUniforms(side_, std::sqrt(raster.pixelWidth * raster.pixelHeight), bounds.relief()->exponent());
    if (std::exchange(detailBuffer_, Buffer()))
        if (Status s = prepareDetail(); !s) return s;
    return lakes_ > 0 ? uploadLakes({}) : Status::ok();
}

void TerrainGpu::changeHeights(const Raster& raster, const HeightField& field, const ChangingBounds& bounds,
                               const BoundsChange& change)
{
    const IndexBox& box = change.samples;
    if (box.empty()) return;
    ++heightChanges_;
    describeHeights(raster, field);
    uploadUniforms();
    uploadBox(field, box);
    store_->change(bounds, change);
    lightAround(field, box);
}

Status TerrainGpu::changeOverview(const Raster& raster, const HeightField& field, const IndexBox& box)
{
    if (int(field.water.bodies.size()) != lakes_)
        if (Status s = uploadLakes(field.water); !s) return s;
    const IndexBox whole{0, 0, field.width, field.height};
    const bool recoded =
        uniforms_.heights.x != field.offset || uniforms_.heights.y != field.scale * 65535.0f;  // codes are rescaled
    ++heightChanges_;
    describeHeights(raster, field);
    uploadUniforms();
    uploadBox(field, recoded ? whole : box);
    const std::int64_t samples = std::int64_t(box.x1 - box.x0) * (box.y1 - box.y0);
    if (samples * kSmallShare < std::int64_t(field.width) * field.height)
        lightAround(field, box);
    else
        slopesLeft_ = field.height;
    lightLeft_ = light_.shape().height;
    skyStale_ = true;
    return Status::ok();
}

void TerrainGpu::uploadBox(const HeightField& field, const IndexBox& box)
{
    if (box.empty()) return;
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, field.width);
    glTextureSubImage2D(heights_.id(), 0, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0, GL_RED, GL_UNSIGNED_SHORT,
                        field.codes.data() + std::size_t(box.y0) * std::size_t(field.width) + std::size_t(box.x0));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

// Computes the slopes of a box of samples, and the light around it.
void TerrainGpu::lightAround(const HeightField& field, const IndexBox& box)
{
    if (box.empty()) return;
    deriveGradients(clipped(widened(box, 1), field.width, field.height));
    const int width = light_.shape().width, height = light_.shape().height;
    const double across = double(width) / field.width, down = double(height) / field.height;
    const int around = int(kLitAround * std::max(across * (box.x1 - box.x0), down * (box.y1 - box.y0))) + 2;
    const IndexBox lit = clipped(
        widened({int(across * box.x0), int(down * box.y0), int(across * box.x1) + 1, int(down * box.y1) + 1}, around),
        width, height);
    const bool sky = std::exchange(skyStale_, true);
    computeLight(lit);
    skyStale_ = sky;
}

// Computes the slopes of a box of samples, and the texels of their mipmap.
void TerrainGpu::deriveGradients(const IndexBox& samples)
{
    bind();
    glUseProgram(programs_->library.program(programs_->gradient));
    glUniform2f(1, slopeOfCode_.x, slopeOfCode_.y);
    IndexBox box = samples;
    for (int level = 0; level < gradients_.shape().levels; ++level)
    {
        if (level > 0)
        {
            const int width = std::max(gradients_.shape().width >> level, 1);
            const int height = std::max(gradients_.shape().height >> level, 1);
            box = clipped({box.x0 / 2, box.y0 / 2, (box.x1 + 1) / 2, (box.y1 + 1) / 2}, width, height);
        }
        if (box.empty()) break;  // an odd last row or column has no coarser texel
        glBindImageTexture(0, gradients_.id(), level, GL_FALSE, 0, GL_WRITE_ONLY, GL_RG16F);
        glUniform1i(2, level);
        glUniform4i(0, box.x0, box.y0, box.x1, box.y1);
        glDispatchCompute(GLuint(box.x1 - box.x0 + 7) / 8, GLuint(box.y1 - box.y0 + 7) / 8, 1);
        glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    }
}

void TerrainGpu::uploadUniforms()
{
    glNamedBufferSubData(uniformBuffer_.id(), 0, sizeof uniforms_, &uniforms_);
    uploaded_ += sizeof uniforms_;
}

void TerrainGpu::bind() const
{
    if (!onEarth_) bindImage();
    store_->bind();
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
    } table[] = {{gpu::kHeightTexture, heights_, exact_},
                 {gpu::kGradientTexture, gradients_, smooth_},
                 {gpu::kVoidTexture, voids_, exact_},
                 {gpu::kLightTexture, light_, exact_},
                 {gpu::kLakeTexture, lakeMask_, smooth_}};
    for (const auto& row : table)
    {
        glBindTextureUnit(row.unit, row.texture.id());
        glBindSampler(row.unit, row.sampler.id());
    }
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
        uses = {{"heights", heights_.bytes()},
                {"slopes", gradients_.bytes()},
                {"light map, voids, lakes", light_.bytes() + voids_.bytes() + lakeMask_.bytes()}};
    if (region_) uses.push_back({"shadows", region_->bytes()});
    const auto add = [&uses](const std::vector<BufferUse>& more) { uses.insert(uses.end(), more.begin(), more.end()); };
    add(store_->memory());
    if (imagery_) add(imagery_->memory());
    return uses;
}

}  // namespace orogen::app
