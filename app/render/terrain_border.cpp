#include "app/render/terrain_border.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace orogen::app {
namespace {

constexpr int kMostSeamColumns = 4096;         // most columns per side of the rings at the border
constexpr int kFree = 0, kSeam = 1, kFin = 2;  // values of Ring::border
constexpr std::uint64_t kRimColumnBytes = 8;   // size of RimColumn in border_point.glsl

struct LandPoint  // as in border_point.glsl
{
    glm::vec4 inner{0.0f}, outer{0.0f};
};

}  // namespace

Result<TerrainBorder> TerrainBorder::create(const HeightField& field, const Surroundings* surroundings)
{
    TerrainBorder border;
    const LandShape shape = landShape(field, surroundings != nullptr);
    const int texels = 4 * shape.columns;
    Result<Texture> texture =
        makeTexture("heights around the border", {.format = GL_R32F,
                                                  .width = texels,
                                                  .height = 1,
                                                  .levels = std::max(int(std::bit_width(unsigned(texels))) - 3, 1)});
    if (!texture) return texture.error();
    border.heights_ = std::move(*texture);
    border.around_ = makeSampler("around the border");
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_WRAP_S, GL_REPEAT);
    glSamplerParameteri(border.around_.id(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    border.noAttributes_ = makeVertexArray("border");
    if (Status s = border.makeSurroundings(surroundings); !s) return s.error();

    border.spacing_ = float(shape.spacing);
    // The rings at the border have at least one column per sample interval, up to kMostSeamColumns.  Their columns are
    // a multiple of the next ring's columns, so that their outer vertices lie on the straight edges of that ring.
    const int longest = std::max({field.width - 1, field.height - 1, 1});
    const int seam = std::clamp(int(std::bit_ceil(unsigned(longest))), shape.columns, kMostSeamColumns);
    Result<Buffer> rim = makeBuffer("rim of the drawn ground", std::uint64_t(seam) * 4 * kRimColumnBytes, 0);
    if (!rim) return rim.error();
    border.rim_ = std::move(*rim);
    std::vector<LandPoint> land;
    const auto addRow = [&land](int perSide, double distance) {
        for (int column = 0; column < 4 * perSide; ++column)
            land.push_back({{0, 0, 0, float(column) / float(perSide)}, {0, 0, 0, float(distance)}});
        return int(land.size()) - 4 * perSide;
    };
    int row = addRow(shape.columns, shape.spacing);
    for (const int kind : {kFin, kSeam})
        border.rings_.push_back({{seam, shape.columns, 0, shape.spacing}, row, row, kind});
    for (const LandRing& ring : shape.rings)
    {
        const int inner = std::exchange(row, addRow(ring.columnsNext, ring.outer));
        border.rings_.push_back({ring, inner, row, kFree});
    }
    Result<Buffer> points = makeBuffer("land around the terrain", land.size() * sizeof(LandPoint), 0, land.data());
    if (!points) return points.error();
    border.land_ = std::move(*points);
    return border;
}

Status TerrainBorder::makeSurroundings(const Surroundings* known)
{
    const Surroundings::Ground noGround;
    const std::uint8_t noColour[4] = {};
    const int width = known ? int(gpu::kSurroundingColumns) : 1, height = known ? int(gpu::kSurroundingRows) : 1;
    Result<Texture> ground =
        makeTexture("ground around the terrain", {.format = GL_RGB32F, .width = width, .height = height});
    if (!ground) return ground.error();
    Result<Texture> colours =
        makeTexture("colours around the terrain", {.format = GL_SRGB8_ALPHA8, .width = width, .height = height});
    if (!colours) return colours.error();
    ground_ = std::move(*ground);
    colours_ = std::move(*colours);
    glTextureSubImage2D(ground_.id(), 0, 0, 0, width, height, GL_RGB, GL_FLOAT,
                        known ? known->ground.data() : &noGround);
    glTextureSubImage2D(colours_.id(), 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                        known ? known->colours.data() : noColour);
    if (!known) return Status::ok();
    const auto [low, high] = std::ranges::minmax_element(known->ground, {}, &Surroundings::Ground::height);
    lowest_ = std::max(low->height, gpu::kLowestLand);
    highest_ = high->height;
    return Status::ok();
}

void TerrainBorder::bindTextures() const
{
    glBindTextureUnit(gpu::kBorderTexture, heights_.id());
    glBindSampler(gpu::kBorderTexture, around_.id());
    glBindTextureUnit(gpu::kSurroundingGroundTexture, ground_.id());
    glBindSampler(gpu::kSurroundingGroundTexture, around_.id());
    glBindTextureUnit(gpu::kSurroundingColourTexture, colours_.id());
    glBindSampler(gpu::kSurroundingColourTexture, around_.id());
}

void TerrainBorder::use(const Ring& ring, float foot, int stride) const
{
    glUniform4i(0, ring.columns, ring.columnsNext, ring.border, stride);
    glUniform1f(1, foot);
    glUniform2i(2, ring.points, ring.pointsNext);
}

namespace {

constexpr int kPiecesOfSide = 16;      // ring pieces per side; each is culled by itself
constexpr double kOverlapShare = 1.1;  // upper bound of gpu::kRingOverlap, the factor by which rings are widened
// Fraction of the relief by which the bounds of heights are widened: for procedural detail, and bulge() of border.vert.
constexpr double kMoreRelief = 0.1;
constexpr double kRisePixels = 4;  // bound of the shifts by which border.vert hides gaps (pixels)
// Greatest distance between vertices at the border that lie closer together than the border's samples (pixels).
constexpr double kColumnPixels = 4;

// Returns the stride (TerrainBorder::Run) of a piece of the border with `columns` columns, at most `most`, a power of
// two.  `first`, `last`: as in mayShow().
int strideOf(const gpu::FrameUniforms& view, const gpu::TerrainUniforms& terrain, double first, double last,
             int columns, int most)
{
    const double unit = double(terrain.squareSize.y);
    const glm::dvec2 from(terrain.latticeBounds), to(terrain.latticeBounds.z, terrain.latticeBounds.w);
    const int side = int(first);
    const auto placeOf = [&](double around) {
        const glm::dvec2 place = glm::mix(from, to, borderPoint(side, around - side).place);
        return (place - glm::dvec2(view.cameraCell)) * unit - glm::dvec2(view.cameraFraction);
    };
    const glm::dvec2 begin = placeOf(first), along = placeOf(last) - begin;
    const double length = std::max(glm::length(along), 1e-9);
    const double nearest =
        glm::length(begin + along * std::clamp(-glm::dot(begin, along) / (length * length), 0.0, 1.0));
    const double fitting = kColumnPixels * nearest * columns / (double(view.pixelsPerRadian) * length);
    return int(std::bit_floor(unsigned(std::clamp(fitting, 1.0, double(most)))));
}

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
    const double drop = sunkAt(std::numbers::sqrt2 * reach).y;
    const double lowest = heights.x, relief = heights.y - lowest;
    const double low = lowest - kMoreRelief * relief - drop - double(view.cameraCell.z) - eye.z;
    const double high = lowest + (1 + kMoreRelief) * relief - double(view.cameraCell.z) - eye.z;
    std::array<glm::dvec2, 4> corners;
    const int side = int(first);
    for (int i = 0; i < 4; ++i)
    {
        const BorderPoint point = borderPoint(side, (i < 2 ? first : last) - side);
        const glm::dvec2 place = glm::mix(from, to, point.place) - glm::dvec2(view.cameraCell);
        const double across = glm::length(point.outwards), distance = i % 2 == 0 ? inner : reach;
        const double out = sunkAt(distance * across).x / across;
        corners[std::size_t(i)] = place * unit - glm::dvec2(eye) + point.outwards * out;
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

// Returns a distance from the border beyond which the horizon hides all land (metres).  `heights` as in mayShow().
double farthestSeen(const gpu::FrameUniforms& view, const gpu::TerrainUniforms& terrain, glm::dvec2 heights)
{
    const double unit = double(terrain.squareSize.y);
    const glm::dvec2 eye = (glm::dvec2(view.cameraCell) * unit) + glm::dvec2(view.cameraFraction);
    const glm::dvec2 low = glm::dvec2(terrain.latticeBounds) * unit - eye,
                     high = eye - glm::dvec2(terrain.latticeBounds.z, terrain.latticeBounds.w) * unit;
    const glm::dvec2 outside = glm::max(glm::max(low, high), 0.0);
    const glm::dvec2 curve = distanceAlong(glm::length(outside));
    // A sphere at the lowest land hides less than the land itself, so the result is not too small.
    const double lowest = heights.x - kMoreRelief * (heights.y - heights.x);
    const double highest = heights.y + kMoreRelief * (heights.y - heights.x);
    const double radius = double(gpu::kAirRadius) + lowest;
    const double above = double(view.cameraCell.z) + double(view.cameraFraction.z) + curve.y - lowest;
    const auto toHorizon = [&](double metres) { return std::acos(radius / (radius + std::max(metres, 0.0))); };
    const double angle =
        2 * std::atan(curve.x / (2 * double(gpu::kAirRadius))) + toHorizon(above) + toHorizon(highest - lowest);
    return 2 * double(gpu::kAirRadius) * std::tan(0.5 * std::min(angle, 3.0));
}

}  // namespace

void TerrainBorder::follow(const RimPrograms& programs, const gpu::FrameUniforms& view,
                           const gpu::TerrainUniforms& terrain, bool land) const
{
    const Ring& ring = rings_.front();
    const int texels = heights_.shape().width;
    const auto dispatch = [](int threads) {
        glDispatchCompute((GLuint(threads) + gpu::kLeafGroupSize - 1) / gpu::kLeafGroupSize, 1, 1);
    };
    const auto measure = [&](GLuint program, int first, int count, int stride) {
        glUseProgram(program);
        glUniform2i(0, ring.columns, texels / 4);
        glUniform3i(1, first, count, stride);
        dispatch(count);
    };
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kRimBinding, rim_.id());
    measure(programs.ground, 0, 4 * ring.columns, 1);
    afterDispatch(GL_SHADER_STORAGE_BARRIER_BIT);
    // Includes one more column at each end, because border.vert compares a column with its neighbours.  Runs that meet
    // write different columns, so that the result does not depend on their order.
    forShown(ring, view, terrain, land, [&](const Run& shown) {
        const int all = 4 * ring.columns, before = shown.begins ? 1 : 0, after = shown.ends ? 2 : 0;
        const int count = std::min(before + shown.count / shown.stride + after, all / shown.stride);
        measure(programs.drawn, (shown.first + all - before * shown.stride) % all, count, shown.stride);
    });
    afterDispatch(GL_SHADER_STORAGE_BARRIER_BIT);
    if (!land) return;
    bindTextures();
    glUseProgram(programs.texels);
    glUniform2i(0, ring.columns, texels / 4);
    // Not glGenerateTextureMipmap(): a software rasteriser draws each level, which takes longer.
    for (int level = 0; level < heights_.shape().levels; ++level)
    {
        glBindImageTexture(0, heights_.id(), level, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32F);
        glUniform1i(1, level);
        dispatch(texels >> level);
        afterDispatch(GL_TEXTURE_FETCH_BARRIER_BIT);
    }
    glUseProgram(programs.land);
    glUniform1f(0, spacing_);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kLandBinding, land_.id());
    dispatch(int(land_.bytes() / sizeof(LandPoint)));
    afterDispatch(GL_SHADER_STORAGE_BARRIER_BIT);
}

void TerrainBorder::bind() const
{
    glBindVertexArray(noAttributes_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kRimBinding, rim_.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kLandBinding, land_.id());
}

// Returns the lowest and the highest point of ground and land together (metres, times the height scale).
glm::dvec2 TerrainBorder::landHeights(const gpu::TerrainUniforms& terrain) const
{
    const double scale = double(terrain.pixelSize.z);
    const glm::dvec2 heights(terrain.heights.z, terrain.heights.w);
    if (ground_.shape().width <= 1) return heights;
    return {std::min(heights.x, scale * double(lowest_)), std::max(heights.y, scale * double(highest_))};
}

void TerrainBorder::drawLand(const gpu::FrameUniforms& view, const gpu::TerrainUniforms& terrain) const
{
    bind();
    bindTextures();
    for (const Ring& ring : rings_)
    {
        forShown(ring, view, terrain, ring.border != kFree, [&](const Run& run) {
            use(ring, 0, run.stride);
            glDrawArrays(GL_TRIANGLE_STRIP, 2 * run.first / run.stride, 2 * (run.count / run.stride + 1));
        });
    }
}

void TerrainBorder::forShown(const Ring& ring, const gpu::FrameUniforms& view, const gpu::TerrainUniforms& terrain,
                             bool sparse, const std::function<void(const Run& run)>& use) const
{
    const glm::dvec2 heights = landHeights(terrain);
    if (ring.inner > farthestSeen(view, terrain, heights)) return;
    const int each = std::max(ring.columns / kPiecesOfSide, 1), pieces = 4 * ring.columns / each;
    // The outer row of a seam follows the edges of the next ring, whose vertices it must not skip.  The two vertices
    // beyond a run (follow()) must lie in the next piece.
    const int most = sparse ? std::clamp(ring.columns / ring.columnsNext, 1, std::max(each / 2, 1)) : 1;
    std::vector<int> strides(std::size_t(pieces), 0);  // 0: not shown
    for (int piece = 0; piece < pieces; ++piece)
    {
        const double first = double(piece * each) / ring.columns, last = double((piece + 1) * each) / ring.columns;
        if (!mayShow(view, terrain, heights, first, last, ring.inner, ring.outer)) continue;
        strides[std::size_t(piece)] = most > 1 ? strideOf(view, terrain, first, last, each, most) : 1;
    }
    const auto strideAt = [&](int piece) { return strides[std::size_t((piece + pieces) % pieces)]; };
    for (int first = 0, next = 0; first < pieces; first = next)
    {
        for (next = first + 1; next < pieces && strideAt(next) == strideAt(first);)
            ++next;
        if (strideAt(first) == 0) continue;
        use({first * each, (next - first) * each, strideAt(first), strideAt(first - 1) == 0, strideAt(next) == 0});
    }
}

void TerrainBorder::drawWalls(float foot) const
{
    bind();
    const Ring& ring = rings_.front();
    use(ring, foot);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * (4 * ring.columns + 1));
}

}  // namespace orogen::app
