#include "app/render/terrain_border.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

constexpr int kLeastColumns = 16,
              kMostColumns = 1024;             // per side: border texture and innermost ring of land
constexpr int kMostSeamColumns = 4096;         // per side, where the land meets the drawn ground
constexpr int kFree = 0, kSeam = 1, kFin = 2;  // Ring::border
constexpr std::uint64_t kRimColumnBytes = 8;   // RimColumn in border_point.glsl
constexpr double kFarthestLand = 1.2e6;        // metres: the horizon of a camera 100 km up

}  // namespace

Result<TerrainBorder> TerrainBorder::create(const HeightField& field)
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

    const double perimeter =
        2 * ((field.width - 1) * double(field.pixelWidth) + (field.height - 1) * double(field.pixelHeight));
    border.spacing_ = float(std::max(perimeter / double(texels), 1e-6));
    // At least one column per sample, and one for each column of the next ring, on whose straight edges they all end.
    const int seam = std::clamp(int(std::bit_ceil(unsigned(longest))), columns, kMostSeamColumns);
    Result<Buffer> rim = makeBuffer("rim of the drawn ground", std::uint64_t(seam) * 4 * kRimColumnBytes, 0);
    if (!rim) return rim.error();
    border.rim_ = std::move(*rim);
    for (const int kind : {kFin, kSeam})
        border.rings_.push_back({seam, columns, 0, border.spacing_, kind});
    int now = columns;
    for (double distance = border.spacing_; distance < kFarthestLand; distance *= 2)
    {
        const int next = std::max(now / 2, kLeastColumns);
        border.rings_.push_back({now, next, float(distance), float(2 * distance), kFree});
        now = next;
    }
    return border;
}

void TerrainBorder::draw(const Ring& ring, float foot) const
{
    glUniform3i(0, ring.columns, ring.columnsNext, ring.border);
    glUniform4f(1, ring.inner, ring.outer, spacing_, foot);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * (4 * ring.columns + 1));
}

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

void TerrainBorder::drawLand() const
{
    bind();
    for (const Ring& ring : rings_)
        draw(ring, 0);
}

void TerrainBorder::drawWalls(float foot) const
{
    bind();
    draw(rings_.front(), foot);
}

}  // namespace orogen::app
