#include "app/render/tiled_heights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <glm/gtc/packing.hpp>

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

Result<TiledHeights> TiledHeights::create(const Limits& limits, const Raster& raster, std::shared_ptr<TileCache> cache)
{
    Result<TileTextures> made = TileTextures::create(kHeightTiles, limits, raster, std::move(cache));
    if (!made) return made.error();
    return TiledHeights(std::move(*made));
}

Result<TiledHeights> TiledHeights::createOnEarth(const Limits& limits, std::shared_ptr<TileCache> cache)
{
    Result<TileTextures> made = TileTextures::createOnEarth(kHeightTiles, limits, std::move(cache));
    if (!made) return made.error();
    return TiledHeights(std::move(*made));
}

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
    const Raster& about = cache->raster();
    Result<TileTextures> made = cache->grid().faces() > 1 ? TileTextures::createOnEarth(kColourTiles, limits, cache)
                                                          : TileTextures::create(kColourTiles, limits, about, cache);
    if (!made) return made.error();
    return TiledColours(std::move(*made));
}

}  // namespace orogen::app
