// Page table of a tiled terrain: a hash table from a tile's key to its slot in the texture arrays.  Each entry has two
// texels (uvec4), described in shaders/heights/tile_lookup.glsl, which reads them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "core/terrain/tiles/tile_cache.h"

namespace orogen::app {

class TileTable
{
public:
    static constexpr int kMostRowBits = 12;  // log2 of texels per row

    // Creates a table for at most `slots` tiles of that grid.
    TileTable(int slots, const TileGrid& grid);

    // Sets the active tiles.  `bases`: by slot, the height to which the tile's cell heights are relative (metres).
    // Returns true if tiles or their bounds changed, false if at most weights did.
    bool set(std::span<const ActiveTile> active, std::span<const float> bases);

    const std::vector<glm::uvec4>& texels() const { return texels_; }  // for upload, row by row
    std::uint32_t mask() const { return mask_; }                       // entries - 1
    int rowBits() const { return rowBits_; }
    int width() const { return 1 << rowBits_; }
    int height() const { return int(texels_.size() >> rowBits_); }
    // Rows changed by the last set(): first, and one past the last.
    int firstChanged() const { return firstChanged_; }
    int endOfChanged() const { return endOfChanged_; }

    int finest() const { return finest_; }  // level of the finest tiles of the last set()

    // Returns the index of the tile's entry; -1 if the tile is not active.
    int find(const TileKey& key) const;

private:
    struct Known
    {
        TileKey key;
        int slot;
        TileBounds bounds;
    };
    bool same(std::span<const ActiveTile> active) const;
    void fill(std::span<const ActiveTile> active, std::span<const float> bases);
    void spreadDeviations(std::span<const ActiveTile> active);
    float deviationAt(TileKey key) const;
    void write(std::size_t texel, const glm::uvec4& value);

    TileGrid grid_;
    std::uint32_t mask_;
    int rowBits_;
    std::vector<glm::uvec4> texels_;
    std::vector<Known> known_;           // tiles of the last set(), in its order
    std::vector<std::uint32_t> places_;  // entry indices of known_
    std::vector<float> deviations_;      // by entry: TileBounds::deviation of the tile itself
    int firstChanged_ = 0, endOfChanged_ = 0, finest_ = 0;
};

}  // namespace orogen::app
