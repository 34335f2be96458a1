// Changed heights of a terrain in one image: all of them, or those of a box.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "app/render/terrain_gpu.h"

namespace orogen::app {
namespace {

// The light around a changed box is computed at once, up to a distance of this many times the size of the box.  Farther
// shadows follow with the next pass over the light map.
constexpr double kLitAround = 0.5;
constexpr int kSmallShare = 16;  // a box with fewer than 1/kSmallShare of all samples is lit at once

}  // namespace

Status TerrainGpu::replaceHeights(const Raster& raster, const HeightField& field, const ChangingBounds& bounds,
                                  PatchErrors patch)
{
    const HeightPyramid& pyramid = bounds.heights();
    relief_ = bounds.relief();
    detail_ = detailUniforms(side_, std::sqrt(raster.pixelWidth * raster.pixelHeight), relief_->exponent());
    if (std::exchange(detailBuffer_, Buffer()))
        if (Status s = prepareDetail(); !s) return s;
    if (lakes_ > 0)
        if (Status s = uploadLakes({}); !s) return s;
    ++heightChanges_;
    describeHeights(raster, field);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(heights_.id(), 0, 0, 0, field.width, field.height, GL_RED, GL_UNSIGNED_SHORT,
                        field.codes.data());
    std::vector<IndexBox> boxes;
    for (const PyramidLevel& level : pyramid.levels)
        boxes.push_back({0, 0, level.width, level.height});
    writePyramid(field, pyramid, boxes);
    diamondErrors_ = bounds.errors();
    writeErrors(0, diamondErrors_->codes);
    describeErrors();
    uploadUniforms();
    const int level = std::exchange(patchLevel_, -1);
    if (patch.level == level)
    {
        patchLevel_ = level;
        patchCodes_ = std::move(patch.codes);
        writeErrors(uniforms_.errorPatchOffset + diamondErrors_->patchOffset(), patchCodes_);
    }
    slopesLeft_ = field.height;
    lightLeft_ = light_.shape().height;
    skyStale_ = true;
    return Status::ok();
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
    writePyramid(field, bounds.heights(), change.heights);

    const DiamondErrors& errors = *diamondErrors_;
    for (std::size_t level = 0; level < errors.levels.size(); ++level)
        writeErrors(errors.levels[level], DiamondGrid::kBlocks, change.errors[level], errors.codes, 0, 0);
    writeErrors(errors.fine, 1, change.errors[0], errors.codes, 0, 0);
    if (patchLevel_ > 0)
    {
        const std::vector<IndexBox> patches = updatePatchErrors(errors, patchLevel_, change.errors, patchCodes_);
        for (std::size_t level = 1; level < errors.levels.size(); ++level)
            writeErrors(errors.levels[level], DiamondGrid::kBlocks, patches[level], patchCodes_, errors.patchOffset(),
                        uniforms_.errorPatchOffset + errors.patchOffset());
    }

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

Status TerrainGpu::showDrainage(std::span<const std::uint32_t> cells)
{
    int width = heights_.shape().width, height = heights_.shape().height;
    if (!drainage_)
    {
        const int levels = int(std::bit_width(unsigned(std::max(width, height))));
        Result<Texture> made =
            makeTexture("drained area", {.format = GL_R8, .width = width, .height = height, .levels = levels});
        if (!made) return made.error();
        drainage_ = std::move(*made);
    }
    const double scale = 255 / std::log(double(cells.size()));
    std::vector<std::uint8_t> codes(cells.size()), coarser;
    for (std::size_t i = 0; i < cells.size(); ++i)
        codes[i] = std::uint8_t(std::lround(scale * std::log(double(std::max(cells[i], 1u)))));
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int level = 0; level < drainage_.shape().levels; ++level)
    {
        glTextureSubImage2D(drainage_.id(), level, 0, 0, width, height, GL_RED, GL_UNSIGNED_BYTE, codes.data());
        const int half = std::max(width / 2, 1), lower = std::max(height / 2, 1);
        coarser.assign(std::size_t(half) * std::size_t(lower), 0);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
            {
                const auto to = std::size_t(std::min(y / 2, lower - 1)) * std::size_t(half) +
                                std::size_t(std::min(x / 2, half - 1));
                const std::uint8_t code = codes[std::size_t(y) * std::size_t(width) + std::size_t(x)];
                coarser[to] = std::max(coarser[to], code);
            }
        codes.swap(coarser);
        width = half;
        height = lower;
    }
    return Status::ok();
}

// Writes cells of the uploaded levels: all but the finest, see uploadedLevels() in terrain_gpu.cpp.
void TerrainGpu::writePyramid(const HeightField& field, const HeightPyramid& pyramid,
                              const std::vector<IndexBox>& boxes)
{
    const auto code = [&](double height, double rounded) {
        return std::uint16_t(std::clamp(rounded + (height - field.offset) / field.scale, 0.0, 65535.0));
    };
    const std::size_t finest = std::min<std::size_t>(1, pyramid.levels.size() - 1);
    std::vector<std::uint16_t> pairs;
    for (std::size_t l = 0; l < uniforms_.pyramidLevelCount; ++l)
    {
        const PyramidLevel& level = pyramid.levels[l + finest];
        const IndexBox& box = boxes[l + finest];
        if (box.empty()) continue;
        pairs.clear();
        for (int y = box.y0; y < box.y1; ++y)
            for (int x = box.x0; x < box.x1; ++x)
            {
                const std::size_t i = std::size_t(y) * std::size_t(level.width) + std::size_t(x);
                pairs.push_back(code(level.minimum[i], 0.001));
                pairs.push_back(code(level.maximum[i], 0.999));
            }
        const glm::ivec4 place = uniforms_.pyramidLevels[l];
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTextureSubImage2D(range_.id(), 0, place.x + box.x0, place.y + box.y0, box.x1 - box.x0, box.y1 - box.y0, GL_RG,
                            GL_UNSIGNED_SHORT, pairs.data());
    }
}

// Writes the codes of a box of entries, in whole rows of the texture.  codes[0] has index `offset` in
// DiamondErrors::codes, and index `first` in the texture, at the start of a row.
void TerrainGpu::writeErrors(const DiamondGrid& grid, int blocks, const IndexBox& box,
                             std::span<const std::uint8_t> codes, std::size_t offset, std::size_t first)
{
    const IndexBox inside = {std::max(box.x0, grid.originX), std::max(box.y0, grid.originY),
                             std::min(box.x1, grid.originX + grid.width), std::min(box.y1, grid.originY + grid.height)};
    if (inside.empty()) return;
    for (int block = 0; block < blocks; ++block)
    {
        const std::size_t from = (grid.index(block, inside.x0, inside.y0) - offset) / kErrorPage * kErrorPage;
        const std::size_t last = grid.index(block, inside.x1 - 1, inside.y1 - 1) - offset;
        const std::size_t end = std::min((last / kErrorPage + 1) * kErrorPage, codes.size());
        writeErrors(first + from, codes.subspan(from, end - from));
    }
}

// Computes the slopes of a box of samples, and the texels of their mipmap.
void TerrainGpu::deriveGradients(const IndexBox& samples)
{
    bind();
    glUseProgram(library_->program(gradientProgram_));
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

}  // namespace orogen::app
