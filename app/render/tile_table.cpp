#include "app/render/tile_table.h"

#include <algorithm>
#include <bit>

namespace orogen::app {
namespace {

// Bits of a tile's name, the key of an entry, as in shaders/heights/tile_lookup.glsl.
constexpr std::uint32_t kUsed = 1u << 31;
constexpr int kLevelShift = 20, kFaceShift = 25;

glm::uvec2 nameOf(const TileKey& key)
{
    return {std::uint32_t(key.x) | std::uint32_t(key.level) << kLevelShift | std::uint32_t(key.face) << kFaceShift,
            std::uint32_t(key.y) | kUsed};
}

std::uint32_t hashOf(const glm::uvec2& name)
{
    std::uint32_t h = name.x * 0x9e3779b1u ^ name.y * 0x85ebca77u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 13);
}

// Returns the number of entries, at least three per tile, so that most lookups need one probe.
std::uint32_t entriesFor(int slots) { return std::bit_ceil(std::uint32_t(std::max(slots, 16)) * 3u); }

}  // namespace

TileTable::TileTable(int slots, const TileGrid& grid)
    : grid_(grid), mask_(entriesFor(slots) - 1),
      rowBits_(std::min(int(std::bit_width(2 * entriesFor(slots))) - 1, int(kMostRowBits))),
      texels_(2 * std::size_t(mask_ + 1), glm::uvec4(0)), deviations_(mask_ + 1, 0.0f), endOfChanged_(height())
{
}

int TileTable::find(const TileKey& key) const
{
    const glm::uvec2 name = nameOf(key);
    for (std::uint32_t i = hashOf(name) & mask_;; i = (i + 1) & mask_)
    {
        const glm::uvec4& entry = texels_[2 * std::size_t(i)];
        if (entry.y == 0) return -1;
        if (entry.x == name.x && entry.y == name.y) return int(i);
    }
}

bool TileTable::same(std::span<const ActiveTile> active) const
{
    return std::ranges::equal(active, known_, [](const ActiveTile& now, const Known& before) {
        return now.key == before.key && now.slot == before.slot && now.bounds.lowest == before.bounds.lowest &&
               now.bounds.highest == before.bounds.highest && now.bounds.deviation == before.bounds.deviation;
    });
}

void TileTable::write(std::size_t texel, const glm::uvec4& value)
{
    if (texels_[texel] == value) return;
    texels_[texel] = value;
    const int row = int(texel >> rowBits_);
    firstChanged_ = std::min(firstChanged_, row);
    endOfChanged_ = std::max(endOfChanged_, row + 1);
}

bool TileTable::set(std::span<const ActiveTile> active, std::span<const float> bases)
{
    firstChanged_ = height();
    endOfChanged_ = 0;
    const bool other = !same(active);
    if (other)
    {
        fill(active, bases);
        spreadDeviations(active);
        firstChanged_ = 0;
        endOfChanged_ = height();
    }
    for (std::size_t i = 0; i < active.size(); ++i)
    {
        const std::size_t facts = 2 * std::size_t(places_[i]) + 1;
        glm::uvec4 value = texels_[facts];
        value.x = std::bit_cast<std::uint32_t>(active[i].weight);
        write(facts, value);
    }
    return other;
}

void TileTable::fill(std::span<const ActiveTile> active, std::span<const float> bases)
{
    std::ranges::fill(texels_, glm::uvec4(0));
    known_.clear();
    places_.clear();
    finest_ = grid_.levels() - 1;
    for (const ActiveTile& tile : active)
    {
        const glm::uvec2 name = nameOf(tile.key);
        std::uint32_t i = hashOf(name) & mask_;
        while (texels_[2 * std::size_t(i)].y != 0)
            i = (i + 1) & mask_;
        const int parent = find(tile.key.parent());  // found: parents precede their children in the list
        const std::uint32_t above = parent < 0 ? std::uint32_t(tile.slot) : texels_[2 * std::size_t(parent)].z;
        texels_[2 * std::size_t(i)] = {name.x, name.y, std::uint32_t(tile.slot), above};
        texels_[2 * std::size_t(i) + 1] = {0u, 0u, std::bit_cast<std::uint32_t>(bases[std::size_t(tile.slot)]), 0u};
        deviations_[i] = tile.bounds.deviation;
        known_.push_back({tile.key, tile.slot, tile.bounds});
        places_.push_back(i);
        finest_ = std::min(finest_, tile.key.level);
    }
}

// Returns the deviation of the tile, or of the ancestor that is drawn in its place.
float TileTable::deviationAt(TileKey key) const
{
    for (; grid_.has(key); key = key.parent())
        if (const int place = find(key); place >= 0) return deviations_[std::size_t(place)];
    return 0.0f;
}

// Stores two doubled deviations per tile: its own, and the largest of the tile and its neighbours.  Triangles at the
// tile's border reach into its neighbours.
void TileTable::spreadDeviations(std::span<const ActiveTile> active)
{
    for (std::size_t i = 0; i < active.size(); ++i)
    {
        float largest = 0.0f;
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
            {
                const TileKey& own = active[i].key;  // no triangle spans two faces
                largest = std::max(largest, deviationAt({own.level, own.x + x, own.y + y, own.face}));
            }
        glm::uvec4& facts = texels_[2 * std::size_t(places_[i]) + 1];
        facts.y = std::bit_cast<std::uint32_t>(2.0f * active[i].bounds.deviation);
        facts.w = std::bit_cast<std::uint32_t>(2.0f * largest);
    }
}

}  // namespace orogen::app
