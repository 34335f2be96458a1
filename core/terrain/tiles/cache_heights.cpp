#include "core/planet/cube_lattice.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/streaming_cache.h"

namespace orogen {

StreamingCache::Point StreamingCache::pointAt(double east, double north) const
{
    const int lastColumn = grid_.width() - 1, lastRow = grid_.height() - 1;
    return {samplePlace(east / ground_.pixelWidth + lastColumn / 2.0, lastColumn),
            samplePlace(lastRow / 2.0 - north / ground_.pixelHeight, lastRow)};
}

StreamingCache::Point StreamingCache::pointAt(const FacePlace& place) const
{
    const int bits = cubeSampleBits(grid_, 0);
    return {samplePlace(std::ldexp(place.at.x, -bits), grid_.width() - 1),
            samplePlace(std::ldexp(place.at.y, -bits), grid_.height() - 1), place.face};
}

float StreamingCache::heightAt(double east, double north) const { return heightAt(pointAt(east, north)); }
float StreamingCache::heightAt(const FacePlace& place) const { return heightAt(pointAt(place)); }

StreamingCache::Found StreamingCache::finestAt(const Point& point, int from) const
{
    for (int level = from; level < grid_.levels(); ++level)
    {
        const TileCell x = firstCell(point.column, level, grid_.width() - 1);
        const TileCell y = firstCell(point.row, level, grid_.height() - 1);
        const ResidentTile* tile = resident_.find({level, x.tile, y.tile, point.face});
        if (tile && (tile->active == frame_ || level >= ground_.residentLevel)) return {tile, x, y};
    }
    return {};  // not reached: the coarsest level is always resident
}

float StreamingCache::heightAt(const Point& point) const
{
    const Found found = finestAt(point);
    return found.tile ? heightInCell(found.tile->tile->heights.data(), found.x, found.y) : 0.0f;
}

int StreamingCache::levelAt(const FacePlace& place) const
{
    const Found found = finestAt(pointAt(place));
    return found.tile ? found.tile->tile->key.level : 0;
}

DataRelief StreamingCache::reliefAt(double east, double north) const
{
    const Point point = pointAt(east, north);
    const TileCell x = firstCell(point.column, 0, grid_.width() - 1), y = firstCell(point.row, 0, grid_.height() - 1);
    const ResidentTile* tile = resident_.find({0, x.tile, y.tile});
    if (!tile || (tile->active != frame_ && ground_.residentLevel > 0)) return {};
    return reliefIn(*tile->tile, x, y);
}

// Takes roughness and slope from the finest tile at the place. In levels finer than the base (TileSource::baseLevel()),
// ground outside the finer data takes its slope from the base, and `wide` is the base's roughness.
DataRelief StreamingCache::reliefAt(const FacePlace& place, int from, float shown) const
{
    const Point point = pointAt(place);
    const Found found = finestAt(point, from);
    if (!found.tile || shown <= 0) return {};
    const auto inLevel = [&](int level) -> std::optional<DataRelief> {
        const TileCell x = firstCell(point.column, level, grid_.width() - 1);
        const TileCell y = firstCell(point.row, level, grid_.height() - 1);
        const ResidentTile* tile = resident_.find({level, x.tile, y.tile, point.face});
        return tile ? std::optional(reliefIn(*tile->tile, x, y)) : std::nullopt;
    };
    DataRelief data = reliefIn(*found.tile->tile, found.x, found.y);
    data.roughness *= shown;
    const int base = source_->baseLevel(), level = found.tile->tile->key.level;
    if (level >= base) return data;
    if (shown < 1)
    {
        DataRelief coarser = {.distance = kFarthestDistance, .outside = 1};  // the base has no finer data
        if (level + 1 < base) coarser = inLevel(level + 1).value_or(coarser);
        data.distance = between(coarser.distance, data.distance, shown);
        data.outside = between(coarser.outside, data.outside, shown);
    }
    if (data.distance <= 0) return data;
    if (const std::optional<DataRelief> wide = inLevel(base))
    {
        const DataRelief& below = *wide;
        data.wide = below.roughness;
        data.slope += (below.slope - data.slope) * data.outside;
        data.betweenSamples += (below.betweenSamples - data.betweenSamples) * data.outside;
    }
    return data;
}

// Returns the data of a tile at a position in one of its cells. Roughness is 0 on the border of a raster, so that the
// ground joins the land around the terrain.
DataRelief StreamingCache::reliefIn(const Tile& tile, const TileCell& x, const TileCell& y) const
{
    const bool ends = grid_.faces() == 1;
    const auto at = [&](int i, int j) {
        const int column = x.tile * kTileCells + x.cell + i, row = y.tile * kTileCells + y.cell + j;
        if (ends && (column <= 0 || row <= 0 || column >= grid_.width() - 1 || row >= grid_.height() - 1))
            return glm::vec3(0.0f);
        const std::size_t sample = std::size_t((y.cell + j) * kTileSide + x.cell + i);
        const std::uint8_t code = tile.roughness[sample];
        return code < kFirstDistance ? glm::vec3(roughnessMetres()[code], 0, 0)
                                     : glm::vec3(0, metresOfDistance({code, tile.fractions[sample]}), 1);
    };
    const auto across = [&](const auto& of) {
        return between(between(of(0, 0), of(1, 0), x.part), between(of(0, 1), of(1, 1), x.part), y.part);
    };
    const auto slope = [&](std::size_t axis) {
        return across([&](int i, int j) {
            return floatOfHalf(tile.slopes[2 * std::size_t((y.cell + j) * kTileSide + x.cell + i) + axis]);
        });
    };
    const auto part = [&](int axis) { return across([&](int i, int j) { return at(i, j)[axis]; }); };
    return {.roughness = part(0),
            .slope = {slope(0), slope(1)},
            .betweenSamples = betweenSamples({x.part, y.part}),
            .distance = part(1),
            .outside = part(2)};
}

// Returns whether a tile is made from one of these samples of level 0. A tile is made from its own samples and an apron
// of samples around them (windowAround()).
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
