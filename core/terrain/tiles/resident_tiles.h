// Resident tiles, those in memory: their slots in the GPU's arrays, their eviction and their fade-in.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/terrain/tiles/wanted_tiles.h"

namespace orogen {

struct ResidentTile
{
    // The members that the traversal for a view reads are adjacent in memory.
    TileBounds bounds;
    bool refined = false;                     // Tile::refined
    float weight = 0;                         // fade-in, in [0, 1]
    std::array<ResidentTile*, 4> child = {};  // resident children; null: not resident
    ResidentTile* parent = nullptr;           // null at the coarsest level

    std::shared_ptr<const Tile> tile;
    TileErrors errors;           // the tile's own errors, raised by those of all descendants that have been resident
    bool errorsChanged = false;  // errors have changed since they were last handed out
    int slot = 0;                // place in the GPU's arrays, from 0
    std::uint64_t used = 0;      // last frame that wanted the tile
    std::uint64_t active = 0;    // last frame in which the tile was active (drawn)
    // For each child: its deviation plus its distance from this tile (metres); negative: it has not been resident yet.
    std::array<float, 4> seen = {-1, -1, -1, -1};
    std::list<TileKey>::iterator place;  // in ResidentTiles::order_

    // Returns TileBounds::deviation (metres), updated by the children that have been resident so far.
    float deviation() const;
};

// Set of resident tiles. The ancestors of a resident tile are resident.
class ResidentTiles
{
public:
    ResidentTiles(int levels, int slots) : levels_(levels) { resize(slots); }

    int slots() const { return int(slots_); }
    std::size_t size() const { return tiles_.size(); }
    bool has(const TileKey& key) const { return tiles_.contains(key); }
    const ResidentTile* find(const TileKey& key) const;  // null if the tile is not resident
    ResidentTile* find(const TileKey& key);

    // Marks these tiles as wanted in `frame` and sets WantedTile::resident. The first tiles of the list will be evicted
    // last.
    void use(std::vector<WantedTile>& wanted, std::uint64_t frame);

    // Adds a tile in a free slot, or in that of the least recently used tile that is not wanted in `frame`. The parent
    // of the new tile must be resident, if it has one. Returns null if no slot can be used.
    ResidentTile* add(std::shared_ptr<const Tile> tile, std::uint64_t frame);

    // Replaces resident tiles by others with the same keys. The list must be ordered from coarse to fine, and contain
    // all ancestors of each of its tiles. Bounds and errors of the new tiles are updated from their resident children.
    void replace(std::span<const std::shared_ptr<const Tile>> tiles);

    // Changes the number of slots. The least recently used tiles are evicted; the remaining ones get slots below the
    // new number.
    void resize(int slots);

    // Adds `share` to the weights, and lists the tiles that are wanted and active, ancestors first. A tile is active
    // when its parent is active and has faded in; all tiles of `residentLevel` and coarser are active. A tile with a
    // wanted child has weight 1 at once.
    void activate(const std::vector<WantedTile>& wanted, std::uint64_t frame, float share, int residentLevel,
                  std::vector<ActiveTile>& active);

    std::uint64_t evicted() const { return evicted_; }  // number of tiles evicted so far

    template <class Visit>
    void forEach(const Visit& visit) const
    {
        for (const auto& [key, tile] : tiles_)
            visit(tile);
    }

private:
    bool evictOne(std::uint64_t frame);
    void remove(const TileKey& key);
    static bool notice(const ResidentTile& child);
    static bool addErrors(const ResidentTile& child);

    int levels_;
    std::size_t slots_ = 0;
    std::vector<int> free_;  // the next one to use is last
    std::unordered_map<TileKey, ResidentTile> tiles_;
    std::list<TileKey> order_;                         // least recently used first, children before their parents
    std::vector<std::vector<ResidentTile*>> byLevel_;  // scratch memory of activate()
    std::uint64_t evicted_ = 0;
};

}  // namespace orogen
