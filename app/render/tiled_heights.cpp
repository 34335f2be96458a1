#include "app/render/tiled_heights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/gtc/packing.hpp>

#include "app/render/terrain_gpu.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/tiles/tile_place.h"

namespace orogen::app {
namespace {

// Bounds of the heights in a cell (metres): largest range within 2 x 2 sample intervals; lowest and highest relative to
// the tile's base.
struct CellBounds
{
    float rise = 0, lowest = 0, highest = 0;
};

// Returns the largest half float <= `value`, possibly minus infinity; minus infinity for NaN.
std::uint16_t halfAtMost(float value)
{
    constexpr std::uint16_t kMinusInfinity = 0xfc00, kSign = 0x8000, kLeastBelowZero = 0x8001;
    if (std::isnan(value)) return kMinusInfinity;
    const std::uint16_t half = glm::packHalf1x16(value);
    if (glm::unpackHalf1x16(half) <= value) return half;
    // The nearest half is above `value`, so take the next lower one.  The bits of a half, as an integer, grow with its
    // magnitude for either sign.
    if ((half & ~kSign) == 0) return kLeastBelowZero;
    return std::uint16_t(half & kSign ? half + 1 : half - 1);
}
std::uint16_t halfAtLeast(float value) { return std::uint16_t(halfAtMost(-value) ^ 0x8000u); }

CellBounds both(const CellBounds& a, const CellBounds& b)
{
    return {std::max(a.rise, b.rise), std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
}

// Returns the bounds of the heights in a square of 2 x 2 sample intervals.
CellBounds squareOf(const Tile& tile, int column, int row, float base)
{
    CellBounds square{0, 3e38f, -3e38f};
    for (int y = row; y <= row + 2; ++y)
        for (int x = column; x <= column + 2; ++x)
        {
            const float height = tile.heights[std::size_t(y) * kTileSide + std::size_t(x)];
            square.lowest = std::min(square.lowest, height);
            square.highest = std::max(square.highest, height);
        }
    return {square.highest - square.lowest, square.lowest - base, square.highest - base};
}

CellBounds cellOf(const Tile& tile, int x, int y, float base)
{
    CellBounds cell = squareOf(tile, x * kRangeCell, y * kRangeCell, base);
    for (int row = y * kRangeCell; row < (y + 1) * kRangeCell; row += 2)
        for (int column = x * kRangeCell; column < (x + 1) * kRangeCell; column += 2)
            cell = both(cell, squareOf(tile, column, row, base));
    return cell;
}

}  // namespace

void writeCells(const Tile& tile, float base, std::byte* out)
{
    std::array<CellBounds, std::size_t(kRangeSide) * kRangeSide> cells;
    for (int y = 0; y < kRangeSide; ++y)
        for (int x = 0; x < kRangeSide; ++x)
            cells[std::size_t(y * kRangeSide + x)] = cellOf(tile, x, y, base);
    for (int level = 0; level < StagedTile::kCellLevels; ++level)
    {
        const int side = StagedTile::cellSide(level);
        for (int i = 0; i < side * side; ++i, out += 8)
        {
            const CellBounds& cell = cells[std::size_t(i)];
            const std::uint16_t texel[4] = {halfAtLeast(cell.rise), halfAtMost(cell.lowest), halfAtLeast(cell.highest),
                                            0};
            std::memcpy(out, texel, sizeof texel);
        }
        for (int y = 0; y < side / 2; ++y)
            for (int x = 0; x < side / 2; ++x)
            {
                const CellBounds* at = cells.data() + 2 * y * side + 2 * x;
                cells[std::size_t(y * (side / 2) + x)] = both(both(at[0], at[1]), both(at[side], at[side + 1]));
            }
    }
}

namespace {

void writeErrors(const TileUpload& upload, float, std::byte* out)
{
    writeErrorImage((upload.errors ? *upload.errors : upload.tile->errors).own, out);
}

void writeHeights(const TileUpload& upload, float base, std::byte* out)
{
    const Tile& tile = *upload.tile;
    std::memcpy(out + StagedTile::kHeights, tile.heights.data(), 4 * StagedTile::kSamples);
    std::memcpy(out + StagedTile::kSlopes, tile.slopes.data(), 4 * StagedTile::kSamples);
    for (std::size_t i = 0; i < std::min(StagedTile::kSamples, tile.roughness.size()); ++i)
    {
        out[StagedTile::kRoughness + 2 * i] = std::byte(tile.roughness[i]);
        out[StagedTile::kRoughness + 2 * i + 1] = std::byte(tile.fractions.empty() ? 0 : tile.fractions[i]);
    }
    writeCells(tile, base, out + StagedTile::kCells);
    writeErrors(upload, base, out + StagedTile::kErrors);
}

constexpr TileArray kHeightArrays[] = {{"tiles, heights", GL_R32F, GL_RED, GL_FLOAT, 4, kTileSide, 1,
                                        StagedTile::kHeights, gpu::kTileHeightTexture, false},
                                       {"tiles, slopes", GL_RG16F, GL_RG, GL_HALF_FLOAT, 4, kTileSide, 1,
                                        StagedTile::kSlopes, gpu::kTileSlopeTexture, true},
                                       {"tiles, roughness", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2, kTileSide, 1,
                                        StagedTile::kRoughness, gpu::kTileRoughnessTexture, false},
                                       {"tiles, cells", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8, kRangeSide,
                                        StagedTile::kCellLevels, StagedTile::kCells, gpu::kTileRangeTexture, false},
                                       {"tiles, errors", GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, kErrorSide,
                                        kErrorImageLevels, StagedTile::kErrors, gpu::kTileErrorTexture, false,
                                        writeErrors}};

constexpr TileKind kHeightTiles = {"tiles",      "terrain.tile_budget",  kHeightArrays,    StagedTile::kBytes,
                                   writeHeights, gpu::kTileTableTexture, gpu::kTileBinding};

}  // namespace

Result<std::unique_ptr<HeightStore>> TiledHeights::create(const Limits& limits, const Raster& raster,
                                                          std::shared_ptr<TileCache> cache)
{
    Result<TileTextures> made = TileTextures::create(kHeightTiles, limits, raster, std::move(cache));
    if (!made) return made.error();
    return std::unique_ptr<HeightStore>(new TiledHeights(std::move(*made)));
}

// ---- the finest surface ----

namespace {

// Lookup of the active tiles by key.
class ActiveTiles
{
public:
    explicit ActiveTiles(const TileCache& cache) : grid_(cache.grid())
    {
        for (const ActiveTile& tile : cache.active())
            tiles_.emplace(tile.key, &tile);
    }
    // Returns the finest active tile of level `from` or coarser that contains the place (samples of level 0; borders
    // included), or null.
    const ActiveTile* finest(int face, const glm::dvec2& sample, int from = 0) const
    {
        const SamplePlace column = samplePlace(sample.x, grid_.width() - 1);
        const SamplePlace row = samplePlace(sample.y, grid_.height() - 1);
        for (int level = from; level < grid_.levels(); ++level)
        {
            const int x = firstCell(column, level, grid_.width() - 1).tile;
            const int y = firstCell(row, level, grid_.height() - 1).tile;
            if (const auto found = tiles_.find({level, x, y, face}); found != tiles_.end()) return found->second;
        }
        return nullptr;
    }

private:
    TileGrid grid_;
    std::map<TileKey, const ActiveTile*> tiles_;
};

double deviationOf(const ActiveTile* tile)
{
    return tile && tile->key.level > 0 ? double(tile->bounds.deviation) : 0.0;
}

// Returns the squared distance of a place, divided by the square of TileCache::reach().  This ratio selects the tile
// level.
// `squared`: squared distance from the point below the camera (m^2).
float ratioOf(const TileTextures& tiles, double squared)
{
    return float((squared + double(tiles.uniforms().cameraPart.z)) * double(tiles.uniforms().cameraPart.w));
}

FinestGround finestOnPlane(const TileTextures& tiles, const TerrainGpu& terrain, const Camera& camera,
                           const Settings& settings)
{
    const bool detail = settings.detailShown();
    const TileCache& cache = tiles.cache();
    const double scale = double(terrain.uniforms().pixelSize.z);
    return [=, &tiles, &terrain, &cache, active = ActiveTiles(cache)](const glm::dvec3& relative) {
        const glm::dvec3 at = camera.position + relative;
        const ActiveTile* tile = active.finest(0, terrain.texelAt(at));
        double ground = double(cache.heightAt(at.x, at.y));
        if (detail && tile && tile->key.level == 0)
        {
            const float ratio = ratioOf(tiles, relative.x * relative.x + relative.y * relative.y);
            const double shown = double(distanceWeight(ratio, 0, tiles.uniforms().reach.y));
            ground += madeHeight(terrain.detail(), terrain.squareSide(), cache.reliefAt(at.x, at.y), at.x, at.y) *
                      std::min(shown, double(tile->weight));
        }
        return GroundMiss{std::abs(at.z - ground * scale) + deviationOf(tile) * scale, {0, 0, 1}};
    };
}

// Returns the height of procedural detail on the Earth (metres) where the data lie `above` metres above the sea.
// Follows detailGroundAt(), which uses the finest active tile of the levels that are shown at that distance.  `sample`
// as in ActiveTiles, `squared` as in ratioOf().
double madeOnEarth(const TileTextures& tiles, const TerrainGpu& terrain, const ActiveTiles& active,
                   const FacePlace& place, const glm::dvec2& sample, double squared, double above)
{
    const TileCache& cache = tiles.cache();
    const float ratio = ratioOf(tiles, squared);
    const int last = cache.grid().levels() - 1, from = std::min(shownLevel(ratio), last);
    const ActiveTile* tile = active.finest(place.face, sample, from);
    if (!tile) return 0;
    const int level = tile->key.level;
    const float far = level < last ? distanceWeight(ratio, level, tiles.uniforms().reach.y) : 1.0f;
    const DataRelief data = cache.reliefAt(place, from, std::min(far, tile->weight));
    return madeHeightOnCube(terrain.detail(), place, level, data, above);
}

FinestGround finestOnEarth(const TileTextures& tiles, const TerrainGpu& terrain, const Camera& camera,
                           const Settings& settings)
{
    const bool detail = settings.detailShown();
    const std::optional<float> waterLevel = settings.terrain.waterLevel;
    const TileCache& cache = tiles.cache();
    const double scale = double(terrain.uniforms().pixelSize.z);
    const double sea = waterLevel ? double(*waterLevel) : -std::numeric_limits<double>::infinity();
    const Geodetic over = geodeticOf(camera.position);
    const double samples = double(cache.grid().width() - 1) / double(kCubeSide);
    return [=, &tiles, &terrain, &cache, axes = axesAt(camera.position), active = ActiveTiles(cache),
            foot = earthFixed({over.latitude, over.longitude, 0})](const glm::dvec3& relative) {
        const glm::dvec3 at = camera.position + axes.toEarthFixed(relative), under = scaledDirectionUnder(at);
        const FacePlace place = facePlaceOf(under);
        const glm::dvec2 sample = place.at * samples;
        const ActiveTile* tile = active.finest(place.face, sample);
        double ground = double(cache.heightAt(place));
        const glm::dvec3 way = onEllipsoid(under) - foot;
        if (detail) ground += madeOnEarth(tiles, terrain, active, place, sample, glm::dot(way, way), ground - sea);
        const double height = glm::dot(at - onEllipsoid(under), normalAt(under));
        return GroundMiss{std::abs(height - std::max(ground, sea) * scale) + deviationOf(tile) * scale,
                          axes.toLocal(normalAt(under))};
    };
}

}  // namespace

FinestGround TiledHeights::finestGround(const TerrainGpu& terrain, const Camera& camera, const Settings& settings,
                                        const HeightField&) const
{
    return (tiles_.cache().grid().faces() > 1 ? finestOnEarth : finestOnPlane)(tiles_, terrain, camera, settings);
}

// ---- imagery ----

namespace {

constexpr std::size_t kColourBytes = 4 * std::size_t(gpu::kImageryTileSide) * gpu::kImageryTileSide;

void writeColours(const TileUpload& upload, float, std::byte* out)
{
    const Tile& tile = *upload.tile;
    std::memcpy(out, tile.colours.data(), std::min(kColourBytes, tile.colours.size()));
}

constexpr TileArray kColourArrays[] = {{"imagery, colours", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4,
                                        int(gpu::kImageryTileSide), 1, 0, gpu::kImageryTexture, true}};

constexpr TileKind kColourTiles = {"imagery",    "imagery.tile_budget",     kColourArrays,       kColourBytes,
                                   writeColours, gpu::kImageryTableTexture, gpu::kImageryBinding};

}  // namespace

Result<TiledColours> TiledColours::create(const Limits& limits, std::shared_ptr<TileCache> cache)
{
    const Raster& raster = cache->raster();
    Result<TileTextures> made = TileTextures::create(kColourTiles, limits, raster, std::move(cache));
    if (!made) return made.error();
    return TiledColours(std::move(*made));
}

}  // namespace orogen::app
