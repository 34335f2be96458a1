// Which tiles a view wants, and in which order.
//
// Level l is wanted to reach 2^l metres; the distance of a tile is that of its nearest point, measured horizontally,
// with the camera's height above the terrain's highest point for the third direction.  On the Earth the horizontal
// distance is that through the ellipsoid from the point of it below the camera, and what lies behind the horizon is not
// in view.  The quadtrees are walked from the coarsest level, so whatever is wanted has wanted ancestors, of an order
// no later than its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "core/terrain/tiles/tile_cache.h"

namespace orogen {

enum class TileOrder : std::uint8_t
{
    kResident,  // the coarse levels
    kInView,    // in the frustum with a margin, or next to the camera
    kAhead,     // will be in view where the camera is in kAheadSeconds if it goes on like this
    kAround,    // nearer than kAroundShare of the reach
    kNone,
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
    ResidentTile* resident = nullptr;  // if it is; of the ground's, and as long as it is wanted

    // Of equal order the coarser, of equal level the nearer.
    bool operator<(const WantedTile& other) const;
};

// Of a terrain, and of what is known of it.
struct TileGround
{
    TileGrid grid;
    double pixelWidth = 1, pixelHeight = 1;  // metres; on the Earth in the mean
    TileBounds whole;                        // of all of it
    int residentLevel = 0;                   // this level and the coarser are wanted always
    ResidentTiles* resident = nullptr;       // which know their bounds and whether they are refined; null: none are
    // Of tiles that are not resident.  Empty, or none: the parent's bounds stand.
    std::function<std::optional<TileBounds>(const TileKey&)> boundsOf = {};
    std::function<bool(const TileKey&)> refines = {};  // as TileSource has it; empty: all but level 0
};

// Metres by which a tile may lie beside the frustum and still be in view: a triangle that the frustum's border cuts has
// corners beyond it.
inline double viewMargin(const TileGround& ground, const TileKey& key, double distance)
{
    constexpr double kOfDistance = 0.05, kOfTile = 0.25;
    const double tile = std::max(ground.pixelWidth, ground.pixelHeight) * kTileCells;
    return kOfDistance * distance + kOfTile * std::ldexp(tile, key.level);
}

// Metres between the camera and a tile's nearest point, as described above.
double distanceOf(const TileGround& ground, const TileKey& key, const TileView& view);

// In order.  `reach`: metres to which level 0 is wanted.
std::vector<WantedTile> wantedTiles(const TileGround& ground, const TileView& view, double reach);

// How many are resident or in view; stops to count beyond `most`.
std::size_t countInView(const TileGround& ground, const TileView& view, double reach, std::size_t most);

// In how many steps the reach has to shrink, each by kCoarserStep, for `most` tiles to be enough for what is resident
// or in view.  A function of the view alone; `guess`, which may be anything, is where the search begins, and `enough`
// whether it is known to do or not to do.
int coarserSteps(const TileGround& ground, const TileView& view, double reach, std::size_t most, int guess,
                 std::optional<bool> enough = {});
double coarserReach(double reach, int steps);

inline constexpr double kCoarserStep = 1.02;

}  // namespace orogen
