#include "app/render/tiles/tile_staging.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <glm/gtc/packing.hpp>

namespace orogen::app {
namespace {

constexpr std::uint64_t kPatience = 1'000'000'000;  // nanoseconds

struct CellBounds
{
    float kink = 0, lowest = 0, highest = 0;
};

// Returns the largest half float <= `value`, possibly minus infinity; minus infinity for NaN.
std::uint16_t halfAtMost(float value)
{
    constexpr std::uint16_t kMinusInfinity = 0xfc00, kSign = 0x8000, kLeastBelowZero = 0x8001;
    if (std::isnan(value)) return kMinusInfinity;
    const std::uint16_t half = glm::packHalf1x16(value);
    if (glm::unpackHalf1x16(half) <= value) return half;
    // The nearest half is above `value`, so the next lower one is the result.  Codes ascend with magnitude for either
    // sign.
    if ((half & ~kSign) == 0) return kLeastBelowZero;
    return std::uint16_t(half & kSign ? half + 1 : half - 1);
}
std::uint16_t halfAtLeast(float value) { return std::uint16_t(halfAtMost(-value) ^ 0x8000u); }

CellBounds cellOf(const Tile& tile, int x, int y, float base)
{
    CellBounds cell;
    cell.kink = glm::unpackHalf1x16(tile.kinks[std::size_t(y * kKinkSide + x)]);
    cell.lowest = 3e38f;
    cell.highest = -3e38f;
    for (int row = 0; row <= kKinkCell; ++row)
    {
        const float* heights = tile.heights.data() + (y * kKinkCell + row) * kTileSide + x * kKinkCell;
        for (int i = 0; i <= kKinkCell; ++i)
        {
            cell.lowest = std::min(cell.lowest, heights[i]);
            cell.highest = std::max(cell.highest, heights[i]);
        }
    }
    cell.lowest -= base;
    cell.highest -= base;
    return cell;
}

CellBounds both(const CellBounds& a, const CellBounds& b)
{
    return {std::max(a.kink, b.kink), std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
}

}  // namespace

void writeCells(const Tile& tile, float base, std::byte* out)
{
    std::array<CellBounds, std::size_t(kKinkSide) * kKinkSide> cells;
    for (int y = 0; y < kKinkSide; ++y)
        for (int x = 0; x < kKinkSide; ++x)
            cells[std::size_t(y * kKinkSide + x)] = cellOf(tile, x, y, base);
    for (int level = 0; level < StagedTile::kCellLevels; ++level)
    {
        const int side = StagedTile::cellSide(level);
        for (int i = 0; i < side * side; ++i, out += 8)
        {
            const CellBounds& cell = cells[std::size_t(i)];
            const std::uint16_t texel[4] = {halfAtLeast(cell.kink), halfAtMost(cell.lowest), halfAtLeast(cell.highest),
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

Result<TileStaging> TileStaging::create()
{
    TileStaging made;
    Result<MappedBuffer> mapped = makeMappedBuffer("tiles on their way", kTiles * StagedTile::kBytes, GL_MAP_WRITE_BIT);
    if (!mapped) return mapped.error();
    made.mapped_ = std::move(*mapped);
    return made;
}

int TileStaging::free() const
{
    int count = 0;
    while (count < kTiles)
    {
        const Sync& fence = fences_[std::size_t((next_ + count) % kTiles)];
        if (fence && !fence.passed()) break;
        ++count;
    }
    return count;
}

std::size_t TileStaging::stage(const Tile& tile, float base)
{
    Sync& fence = fences_[std::size_t(next_)];
    if (fence) (void)fence.passed(kPatience);
    fence.reset();
    const std::size_t offset = std::size_t(next_) * StagedTile::kBytes;
    std::byte* out = mapped_.data + offset;
    std::memcpy(out + StagedTile::kHeights, tile.heights.data(), 4 * StagedTile::kSamples);
    std::memcpy(out + StagedTile::kSlopes, tile.slopes.data(), 4 * StagedTile::kSamples);
    std::memcpy(out + StagedTile::kRoughness, tile.roughness.data(),
                std::min(StagedTile::kSamples, tile.roughness.size()));
    writeCells(tile, base, out + StagedTile::kCells);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, mapped_.buffer.id());
    return offset;
}

void TileStaging::sent()
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    fences_[std::size_t(next_)] = Sync::fence();
    next_ = (next_ + 1) % kTiles;
}

}  // namespace orogen::app
