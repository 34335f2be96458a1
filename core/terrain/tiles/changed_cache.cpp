#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/terrain/tiles/streaming_cache.h"

namespace orogen {

// Returns whether a tile is made from one of these samples of level 0, its apron included (windowAround()).
bool dependsOn(const TileKey& key, const IndexBox& samples)
{
    const TileWindow window = windowAround(key);
    const auto meets = [&](int first, int count, int begin, int end) {
        const std::int64_t step = std::int64_t(1) << key.level;
        return first * step < end && (first + count - 1) * step >= begin;
    };
    return !samples.empty() && meets(window.column, window.width, samples.x0, samples.x1) &&
           meets(window.row, window.height, samples.y0, samples.y1);
}

// Lists the resident tiles that must be made again from the new source. A tile whose voids are filled from a listed
// parent is listed, too.
void StreamingCache::change(std::shared_ptr<const TileSource> source, const IndexBox& samples)
{
    source_ = std::move(source);
    everChanged_ = joined(everChanged_, samples);
    if (!change_) change_.emplace();
    change_->samples = joined(change_->samples, samples);
    for (auto& [key, tile] : change_->tiles)
        if (dependsOn(key, samples)) tile.reset();
    std::vector<const Tile*> tiles;
    resident_.forEach([&](const ResidentTile& tile) { tiles.push_back(tile.tile.get()); });
    std::ranges::sort(tiles, std::greater<>(), [](const Tile* tile) { return tile->key.level; });
    for (const Tile* tile : tiles)
        if (dependsOn(tile->key, samples) || (tile->voids > 0 && change_->tiles.contains(tile->key.parent())))
            change_->tiles.try_emplace(tile->key);
    const auto changed = [&](const auto& entry) { return dependsOn(entry.first, samples); };
    std::erase_if(made_, changed);
    std::erase_if(known_, changed);
}

// Replaces the listed tiles together, once all of them have been made again.
void StreamingCache::applyChange()
{
    if (!change_) return;
    std::erase_if(change_->tiles, [this](const auto& entry) { return !resident_.has(entry.first); });
    std::vector<std::shared_ptr<const Tile>> tiles;
    for (const auto& [key, tile] : change_->tiles)
        if (tile)
            tiles.push_back(tile);
        else
            return;
    std::ranges::sort(tiles, std::greater<>(), [](const auto& tile) { return tile->key.level; });
    resident_.replace(tiles);
    for (const std::shared_ptr<const Tile>& tile : tiles)
    {
        replaced_.push_back(resident_.find(tile->key));
        remember(*tile);
    }
    ground_.whole = {source_->raster().minHeight, source_->raster().maxHeight, 0};
    planned_ = false;
    change_.reset();
}

// Requests the listed tiles that have not been made again yet, coarsest first.
void StreamingCache::askForChange(std::unordered_set<TileKey>& asked, double now)
{
    if (!change_) return;
    std::vector<TileKey> keys;
    for (const auto& [key, tile] : change_->tiles)
        if (!tile && failures_.mayTry(key, now)) keys.push_back(key);
    std::ranges::sort(keys, std::greater<>());
    for (const TileKey& key : keys)
    {
        if (requests_.size() >= kMostWaitingTiles) return;
        std::shared_ptr<const Tile> parent = tileOf(key.parent());
        const bool follows = !parent && key.level < grid_.levels() - 1;
        if (follows && !asked.contains(key.parent())) continue;
        requests_.push_back({key, std::move(parent), follows, source_});
        asked.insert(key);
    }
}

}  // namespace orogen
