// Selection of the tiles that a view wants, and their order.
//
// A tile of level l can be wanted if its distance from the camera, now or in kAheadSeconds, is below reach 2^l metres.
// TileOrder has the further conditions. The distance is sqrt(horizontal^2 + above^2). `horizontal` is the horizontal
// distance to the tile's nearest point, and `above` the camera's height above the terrain's highest point. On the Earth
// `horizontal` is measured through the ellipsoid from the point below the camera, and tiles behind the horizon are not
// in view. The quadtrees are traversed from the coarsest level, so a wanted tile has wanted ancestors, whose order is
// no later than its own.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/terrain/tiles/tile_cache.h"

namespace orogen {

// Reason why a tile is wanted; the first reasons are the most urgent.
enum class TileOrder : std::uint8_t
{
    kResident,  // a tile of the coarse levels, which are always resident
    kInView,    // in the frustum with a margin, or next to the camera
    kAhead,     // in view in kAheadSeconds if the camera keeps its velocity
    kAround,    // nearer than kAroundShare of its level's reach
    kNone,      // not wanted
};

inline constexpr double kAheadSeconds = 1.0;
inline constexpr double kAroundShare = 0.5;

struct ResidentTile;

struct WantedTile
{
    TileKey key;
    TileOrder order = TileOrder::kNone;
    float distance = 0;                // metres
    ResidentTile* resident = nullptr;  // null if not resident; valid while the tile is wanted

    // Sorts by order, then coarser levels first, then nearer tiles first.
    bool operator<(const WantedTile& other) const;
};

// Resident tiles, those in memory: their slots in the GPU's arrays, their eviction and their fade-in.

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
    // For each child: its deviation plus its distance from this tile (metres); negative: never resident, or not needed.
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
    // wanted child in memory has weight 1 at once.
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

// A tiled terrain and the known bounds of its tiles.
struct TileGround
{
    TileGrid grid;
    double pixelWidth = 1, pixelHeight = 1;  // metres; on the Earth cubeSampleMetres()
    TileBounds whole;                        // bounds of the whole terrain
    int residentLevel = 0;                   // always wanted, as are all coarser levels
    ResidentTiles* resident = nullptr;       // resident tiles: their bounds, and whether finer ones exist; null: none
    // Bounds of tiles that are not resident. If empty or without a value, the parent's bounds apply.
    std::function<std::optional<TileBounds>(const TileKey&)> boundsOf = {};
    std::function<bool(const TileKey&)> refines = {};  // as TileSource::refines(); empty: all but level 0
};

// Returns the margin (metres) by which a tile may lie outside the frustum and still count as in view: triangles cut by
// the frustum's border have corners outside it.
inline double viewMargin(const TileGround& ground, const TileKey& key, double distance)
{
    constexpr double kOfDistance = 0.05, kOfTile = 0.25;
    const double tile = std::max(ground.pixelWidth, ground.pixelHeight) * kTileCells;
    return kOfDistance * distance + kOfTile * std::ldexp(tile, key.level);
}

// Returns a tile's distance from the camera (metres), as defined at the top of this file.
double distanceOf(const TileGround& ground, const TileKey& key, const TileView& view);

// Returns the wanted tiles in order. `reach`: distance to which level 0 is wanted (metres).
std::vector<WantedTile> wantedTiles(const TileGround& ground, const TileView& view, double reach);

// Counts the tiles that are always resident or in view; stops once the count exceeds `most`.
std::size_t countInView(const TileGround& ground, const TileView& view, double reach, std::size_t most);

// Returns how often the reach must shrink by the factor kCoarserStep so that at most `most` tiles are always resident
// or in view. The search starts at `guess`; any value gives the same result. `enough`: whether `guess` suffices; empty:
// not known. coarserReach() returns the reach after that many steps.
int coarserSteps(const TileGround& ground, const TileView& view, double reach, std::size_t most, int guess,
                 std::optional<bool> enough = {});
double coarserReach(double reach, int steps);

inline constexpr double kCoarserStep = 1.02;

}  // namespace orogen
