#include "app/render/tiled_colours.h"

#include <algorithm>
#include <cstring>

namespace orogen::app {
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
