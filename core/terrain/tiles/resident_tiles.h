// The tiles that are resident: which slot holds them, who may go, and how far they have faded in.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/terrain/tiles/wanted_tiles.h"

namespace orogen {

struct ResidentTile
{
    // What the walk for a view looks at, together in memory.
    TileBounds bounds;
    bool refined = false;  // as the tile says
    float weight = 0;
    std::array<ResidentTile*, 4> child = {};  // those that are resident
    ResidentTile* parent = nullptr;           // null: the coarsest

    std::shared_ptr<const Tile> tile;
    int slot = 0;
    std::uint64_t used = 0;    // the last frame that wanted it
    std::uint64_t active = 0;  // the last frame that it was active in
    // Metres, of each child that has been seen, from its deviation and its distance from this one; negative: not seen.
    std::array<float, 4> seen = {-1, -1, -1, -1};
    std::list<TileKey>::iterator place;  // in the order of use

    // From what the tile says and what was seen.
    float deviation() const;
};

// Whatever is resident has resident ancestors.
class ResidentTiles
{
public:
    ResidentTiles(int levels, int slots) : levels_(levels) { resize(slots); }

    int slots() const { return int(slots_); }
    std::size_t size() const { return tiles_.size(); }
    bool has(const TileKey& key) const { return tiles_.contains(key); }
    const ResidentTile* find(const TileKey& key) const;
    ResidentTile* find(const TileKey& key);

    // These are wanted in `frame`, coarser ones first in each order; all else may go.  Says which of them are resident.
    void use(std::vector<WantedTile>& wanted, std::uint64_t frame);

    // Into a free slot, or into that of the least recently used tile that is not wanted in `frame`; its parent is
    // resident.  Null: there is none of either.
    ResidentTile* add(std::shared_ptr<const Tile> tile, std::uint64_t frame);

    // Those that stay have a slot below the new number, the others are gone: least recently used first.
    void resize(int slots);

    // Fades in by `share`, and lists what is wanted and active, ancestors first.  A tile is active when its parent is,
    // and has faded in; from `residentLevel` on all are.
    void activate(const std::vector<WantedTile>& wanted, std::uint64_t frame, float share, int residentLevel,
                  std::vector<ActiveTile>& active);

    std::uint64_t evicted() const { return evicted_; }

    template <class Visit>
    void forEach(const Visit& visit) const
    {
        for (const auto& [key, tile] : tiles_)
            visit(tile);
    }

private:
    bool evictOne(std::uint64_t frame);
    void remove(const TileKey& key);
    static void noticeChild(const ResidentTile& child);

    int levels_;
    std::size_t slots_ = 0;
    std::vector<int> free_;  // the next one last
    std::unordered_map<TileKey, ResidentTile> tiles_;
    std::list<TileKey> order_;                         // the least recently used first, children before their parents
    std::vector<std::vector<ResidentTile*>> byLevel_;  // of activate()
    std::uint64_t evicted_ = 0;
};

}  // namespace orogen
