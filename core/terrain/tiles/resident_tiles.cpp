#include "core/terrain/tiles/resident_tiles.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "core/terrain/tiles/tile.h"

namespace orogen {
namespace {

constexpr std::uint64_t kEver = ~std::uint64_t{0};  // later than all frames, so any tile may be evicted

std::size_t childNumber(const TileKey& key) { return std::size_t((key.x & 1) + 2 * (key.y & 1)); }

}  // namespace

float ResidentTile::deviation() const
{
    const float most = *std::max_element(seen.begin(), seen.end());
    const bool all = *std::min_element(seen.begin(), seen.end()) >= 0;
    // The deviation measured from all children replaces an estimate, but not a bound from the source.
    return all && !tile->boundsKnown ? most : std::max(tile->bounds.deviation, most);
}

const ResidentTile* ResidentTiles::find(const TileKey& key) const
{
    const auto found = tiles_.find(key);
    return found == tiles_.end() ? nullptr : &found->second;
}

ResidentTile* ResidentTiles::find(const TileKey& key)
{
    return const_cast<ResidentTile*>(std::as_const(*this).find(key));
}

ResidentTile* ResidentTiles::add(std::shared_ptr<const Tile> tile, std::uint64_t frame)
{
    assert(!has(tile->key));
    if (free_.empty() && !evictOne(frame)) return nullptr;
    const TileKey key = tile->key;
    ResidentTile& resident = tiles_[key];
    resident.bounds = tile->bounds;
    resident.refined = tile->refined;
    resident.errors = tile->errors;
    resident.tile = std::move(tile);
    resident.slot = free_.back();
    resident.used = frame;
    resident.place = order_.insert(order_.end(), key);
    free_.pop_back();
    resident.parent = find(key.parent());
    if (resident.parent)
    {
        resident.parent->child[childNumber(key)] = &resident;
        for (const ResidentTile* child = &resident; child->parent && notice(*child);)
            child = child->parent;
        for (const ResidentTile* child = &resident; child->parent && addErrors(*child);)
            child = child->parent;
    }
    return &resident;
}

// Updates the parent's bounds from a new child. This is needed if the source does not give the distance between its
// levels, or if a finer level fills voids differently. Returns whether the parent's parent may need an update, too.
bool ResidentTiles::notice(const ResidentTile& child)
{
    ResidentTile* parent = child.parent;
    if (parent->tile->boundsKnown && child.tile->boundsKnown && child.tile->voids == 0) return false;
    float& seen = parent->seen[childNumber(child.tile->key)];
    seen = std::max(seen, *std::ranges::max_element(child.tile->errors.fromParent) + child.bounds.deviation);
    parent->bounds.deviation = parent->deviation();
    parent->bounds.lowest = std::min(parent->bounds.lowest, child.bounds.lowest);
    parent->bounds.highest = std::max(parent->bounds.highest, child.bounds.highest);
    return true;
}

// Raises the parent's error codes to include those of a child (addFiner()). Returns whether any code changed.
bool ResidentTiles::addErrors(const ResidentTile& child)
{
    ResidentTile* parent = child.parent;
    if (!addFiner(parent->errors, child.errors, int(childNumber(child.tile->key)))) return false;
    return parent->errorsChanged = true;
}

void ResidentTiles::replace(std::span<const std::shared_ptr<const Tile>> tiles)
{
    for (const std::shared_ptr<const Tile>& tile : tiles)
    {
        ResidentTile& resident = *find(tile->key);
        resident.bounds = tile->bounds;
        resident.refined = tile->refined;
        resident.errors = tile->errors;
        resident.seen.fill(-1);
        resident.tile = tile;
    }
    // Children before their parents, so that each child counts with its own descendants.
    for (auto tile = tiles.rbegin(); tile != tiles.rend(); ++tile)
    {
        ResidentTile& resident = *find((*tile)->key);
        for (const ResidentTile* child : resident.child)
            if (child)
            {
                notice(*child);
                addErrors(*child);
            }
        resident.errorsChanged = false;
    }
}

void ResidentTiles::use(std::vector<WantedTile>& wanted, std::uint64_t frame)
{
    // The list is walked backwards, so that the most wanted tiles end up last in order_, and parents after children.
    for (auto tile = wanted.rbegin(); tile != wanted.rend(); ++tile)
    {
        if (!tile->resident) tile->resident = find(tile->key);
        if (!tile->resident) continue;
        tile->resident->used = frame;
        order_.splice(order_.end(), order_, tile->resident->place);
    }
}

bool ResidentTiles::evictOne(std::uint64_t frame)
{
    for (const TileKey& key : order_)
    {
        const ResidentTile& tile = *find(key);
        if (tile.used >= frame) return false;
        if (tile.child != std::array<ResidentTile*, 4>{}) continue;
        remove(TileKey(key));
        return true;
    }
    return false;
}

void ResidentTiles::remove(const TileKey& key)
{
    const auto found = tiles_.find(key);
    if (ResidentTile* parent = found->second.parent) parent->child[childNumber(key)] = nullptr;
    free_.push_back(found->second.slot);
    order_.erase(found->second.place);
    tiles_.erase(found);
    ++evicted_;
}

void ResidentTiles::resize(int slots)
{
    slots_ = std::size_t(slots);
    while (tiles_.size() > slots_ && evictOne(kEver))
        continue;
    std::vector<bool> taken(slots_, false);
    std::vector<ResidentTile*> moving;
    for (auto& [key, tile] : tiles_)
        if (std::size_t(tile.slot) < slots_)
            taken[std::size_t(tile.slot)] = true;
        else
            moving.push_back(&tile);
    free_.clear();
    for (int slot = slots - 1; slot >= 0; --slot)
        if (!taken[std::size_t(slot)]) free_.push_back(slot);
    for (ResidentTile* tile : moving)
    {
        tile->slot = free_.back();
        free_.pop_back();
    }
}

void ResidentTiles::activate(const std::vector<WantedTile>& wanted, std::uint64_t frame, float share, int residentLevel,
                             std::vector<ActiveTile>& active)
{
    active.clear();
    byLevel_.resize(std::size_t(levels_));
    for (const WantedTile& tile : wanted)
        if (tile.resident) byLevel_[std::size_t(tile.key.level)].push_back(tile.resident);
    for (int level = levels_ - 1; level >= 0; --level)
    {
        for (ResidentTile* tile : byLevel_[std::size_t(level)])
        {
            const ResidentTile* parent = level >= residentLevel ? nullptr : tile->parent;
            if (parent && (parent->active != frame || parent->weight < 1)) continue;
            tile->active = frame;
            // A tile with a wanted child in memory is shown at once, so that only the finest level fades in.
            const bool leadsOn = std::ranges::any_of(
                tile->child, [frame](const ResidentTile* child) { return child && child->used == frame; });
            tile->weight = parent && !leadsOn ? std::min(1.0f, tile->weight + share) : 1.0f;
            active.push_back({tile->tile->key, tile->slot, tile->weight, tile->bounds});
        }
        byLevel_[std::size_t(level)].clear();
    }
}

}  // namespace orogen
