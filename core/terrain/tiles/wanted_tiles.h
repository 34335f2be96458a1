// Selection of the tiles that a view wants, and their order.
//
// A tile of level l is wanted if its distance from the camera is below reach 2^l metres. The distance is
// sqrt(horizontal^2 + above^2). `horizontal` is the horizontal distance to the tile's nearest point, and `above` the
// camera's height above the terrain's highest point. On the Earth `horizontal` is measured through the ellipsoid from
// the point below the camera, and tiles behind the horizon are not in view. The quadtrees are traversed from the
// coarsest level, so a wanted tile has wanted ancestors, whose order is no later than its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
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

class ResidentTiles;
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

// A tiled terrain and the known bounds of its tiles.
struct TileGround
{
    TileGrid grid;
    double pixelWidth = 1, pixelHeight = 1;  // metres; the mean on the Earth
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
// or in view. The result depends on the view alone. The search starts at `guess` (any value). `enough`: whether `guess`
// suffices; empty: not known. coarserReach() returns the reach after that many steps.
int coarserSteps(const TileGround& ground, const TileView& view, double reach, std::size_t most, int guess,
                 std::optional<bool> enough = {});
double coarserReach(double reach, int steps);

inline constexpr double kCoarserStep = 1.02;

}  // namespace orogen
