// The page table of a terrain in tiles as shaders/tile_table.glsl reads it: a hash with open addressing.
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
    static constexpr int kMostRowBits = 12;  // of a row's texels

    // For at most so many tiles, of a terrain divided so.
    TileTable(int slots, const TileGrid& grid);

    // What is active now.  `bases`: by slot, the height that its cells' bounds count from.  True: the tiles or what is
    // known of them are others than before; else at most their weights.
    bool set(std::span<const ActiveTile> active, std::span<const float> bases);

    const std::vector<glm::uvec4>& texels() const { return texels_; }  // two an entry, row by row
    std::uint32_t mask() const { return mask_; }                       // entries - 1
    int rowBits() const { return rowBits_; }
    int width() const { return 1 << rowBits_; }
    int height() const { return int(texels_.size() >> rowBits_); }
    // The rows that the last set() changed: first, and one beyond the last.
    int firstChanged() const { return firstChanged_; }
    int endOfChanged() const { return endOfChanged_; }

    int finest() const { return finest_; }  // level of the finest tiles of the last set()

    // The entry's place; -1: there is none.
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
    std::vector<Known> known_;           // of the last set(), in its order
    std::vector<std::uint32_t> places_;  // of their entries
    std::vector<float> deviations_;      // by place, of the tile alone
    int firstChanged_ = 0, endOfChanged_ = 0, finest_ = 0;
};

}  // namespace orogen::app
