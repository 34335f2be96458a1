#include "app/render/terrain_border.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/gpu_layout.h"

namespace orogen::app {
namespace {

constexpr int kLeastColumns = 16,
              kMostColumns = 1024;             // a side, of the border texture and of the innermost ring of land
constexpr int kMostSeamColumns = 4096;         // a side, where the land meets the ground that is drawn
constexpr int kFree = 0, kSeam = 1, kFin = 2;  // Ring::border
constexpr double kFarthestLand = 1.2e6;        // metres: the horizon of a camera 100 km up

// Heights once around the border, counter-clockwise from its south-western corner, `columns` a side.
std::vector<float> heightsAround(const HeightField& field, int columns)
{
    const double east = field.width - 1, south = field.height - 1;
    std::vector<float> heights;
    heights.reserve(std::size_t(columns) * 4);
    for (int side = 0; side < 4; ++side)
        for (int column = 0; column < columns; ++column)
        {
            const double t = double(column) / columns;
            const double x = side == 0 ? t : side == 1 ? 1 : side == 2 ? 1 - t : 0;
            const double y = side == 0 ? 1 : side == 1 ? 1 - t : side == 2 ? 0 : t;
            heights.push_back(field.at(int(std::lround(x * east)), int(std::lround(y * south))));
        }
    return heights;
}

}  // namespace

Result<TerrainBorder> TerrainBorder::create(const HeightField& field)
{
    TerrainBorder border;
    const int longest = std::max({field.width - 1, field.height - 1, 1});
    const int columns = std::clamp(int(std::bit_ceil(unsigned(longest))), kLeastColumns, kMostColumns);
    const std::vector<float> heights = heightsAround(field, columns);
    Result<Texture> texture =
        makeTexture("heights around the border", {.format = GL_R32F,
                                                  .width = int(heights.size()),
                                                  .height = 1,
                                                  .levels = int(std::bit_width(unsigned(heights.size())))});
    if (!texture) return texture.error();
    border.heights_ = std::move(*texture);
    glTextureSubImage2D(border.heights_.id(), 0, 0, 0, GLsizei(heights.size()), 1, GL_RED, GL_FLOAT, heights.data());
    glGenerateTextureMipmap(border.heights_.id());
    border.around_ = makeSampler("around the border");
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_WRAP_S, GL_REPEAT);
    border.noAttributes_ = makeVertexArray("border");

    const double perimeter =
        2 * ((field.width - 1) * double(field.pixelWidth) + (field.height - 1) * double(field.pixelHeight));
    border.spacing_ = float(std::max(perimeter / double(heights.size()), 1e-6));
    const auto seam = [](int samples) { return std::clamp(samples - 1, 1, kMostSeamColumns); };
    for (const int kind : {kFin, kSeam})
        border.rings_.push_back({seam(field.width), seam(field.height), columns, 0, border.spacing_, kind});
    int now = columns;
    for (double distance = border.spacing_; distance < kFarthestLand; distance *= 2)
    {
        const int next = std::max(now / 2, kLeastColumns);
        border.rings_.push_back({now, now, next, float(distance), float(2 * distance), kFree});
        now = next;
    }
    return border;
}

void TerrainBorder::draw(const Ring& ring, float foot) const
{
    glUniform4i(0, ring.columnsSouth, ring.columnsWest, ring.columnsNext, ring.border);
    glUniform4f(1, ring.inner, ring.outer, spacing_, foot);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * (2 * (ring.columnsSouth + ring.columnsWest) + 1));
}

void TerrainBorder::drawLand() const
{
    glBindVertexArray(noAttributes_.id());
    glBindTextureUnit(gpu::kBorderTexture, heights_.id());
    glBindSampler(gpu::kBorderTexture, around_.id());
    for (const Ring& ring : rings_)
        draw(ring, 0);
}

void TerrainBorder::drawWalls(float foot) const
{
    glBindVertexArray(noAttributes_.id());
    draw(rings_.front(), foot);
}

}  // namespace orogen::app
