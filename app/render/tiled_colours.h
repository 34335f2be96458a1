// Imagery of a terrain on the GPU: tiles of colours (core/terrain/imagery/colour_tiles.h), read by shaders/imagery/.
#pragma once

#include <memory>
#include <utility>

#include "app/render/tile_textures.h"

namespace orogen::app {

class TiledColours : public TileTextures
{
public:
    // Creates the textures like TileTextures::create(), or createOnEarth() if the grid of `cache` has six faces.
    // `cache` must hold tiles of colours.
    static Result<TiledColours> create(const Limits& limits, std::shared_ptr<TileCache> cache);

private:
    explicit TiledColours(TileTextures textures) : TileTextures(std::move(textures)) {}
};

}  // namespace orogen::app
