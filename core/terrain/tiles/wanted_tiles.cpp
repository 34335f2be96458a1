#include "core/terrain/tiles/wanted_tiles.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/resident_tiles.h"

namespace orogen {
namespace {

// Positions of a plane's tiles and their visibility to a camera. The counterpart for the Earth is CubeTiles.
class PlaneTiles
{
public:
    // Metres from the terrain's centre, east and north.
    struct Where
    {
        double west, east, south, north;
    };

    struct Camera
    {
        Camera(const TileGround& ground, const TileView& seen)
            : view(seen), above(std::max(0.0, view.position.z - double(ground.whole.highest) * view.heightScale))
        {
        }
        TileView view;
        double above;  // metres above the highest ground
    };

    explicit PlaneTiles(const TileGround& ground) : ground_(ground) {}

    Where where(const TileKey& key) const
    {
        const double lastColumn = ground_.grid.width() - 1, lastRow = ground_.grid.height() - 1;
        const double cells = std::ldexp(double(kTileCells), key.level);
        const auto column = [&](int x) {
            return (std::min(x * cells, lastColumn) - lastColumn / 2) * ground_.pixelWidth;
        };
        const auto row = [&](int y) { return (lastRow / 2 - std::min(y * cells, lastRow)) * ground_.pixelHeight; };
        return {column(key.x), column(key.x + 1), row(key.y + 1), row(key.y)};
    }

    double distance(const Where& where, const Camera& camera) const
    {
        const double x = camera.view.position.x, y = camera.view.position.y;
        const double beside = std::hypot(std::max({where.west - x, x - where.east, 0.0}),
                                         std::max({where.south - y, y - where.north, 0.0}));
        return std::hypot(beside, camera.above);
    }

    bool sees(const TileKey& key, const Where& where, const TileBounds& bounds, const Camera& camera,
              double distance) const
    {
        const TileView& view = camera.view;
        const double margin = viewMargin(ground_, key, distance);
        const double low = double(bounds.lowest) * view.heightScale, high = double(bounds.highest) * view.heightScale;
        return std::all_of(view.planes.begin(), view.planes.end(), [&](const glm::vec4& plane) {
            const double x = (plane.x > 0 ? where.east : where.west) - view.position.x;
            const double y = (plane.y > 0 ? where.north : where.south) - view.position.y;
            const double z = (plane.z > 0 ? high : low) - view.position.z;
            return double(plane.x) * x + double(plane.y) * y + double(plane.z) * z + double(plane.w) >= -margin;
        });
    }

private:
    const TileGround& ground_;
};

// Share of a level's reach within which tiles are wanted in all directions, because the camera may turn.
constexpr double kNextToCamera = 0.1;

// Traversal from the coarsest tiles. `Tiles`: PlaneTiles or CubeTiles.
template <class Tiles>
class Walk
{
public:
    Walk(const TileGround& ground, const TileView& view, double reach)
        : ground_(ground), tiles_(ground), now_(ground, view), ahead_(ground, laterView(view)), reach_(reach),
          moves_(glm::length(view.velocity) * kAheadSeconds > 1e-3 * reach)
    {
    }

    // Calls visit(WantedTile) for all tiles of orders up to `last`; stops when it returns false.
    template <class Visit>
    void run(TileOrder last, const Visit& visit) const
    {
        for (int face = 0; face < ground_.grid.faces(); ++face)
        {
            const TileKey root{ground_.grid.levels() - 1, 0, 0, face};
            ResidentTile* resident = ground_.resident ? ground_.resident->find(root) : nullptr;
            if (!descend(root, resident, ground_.whole, TileOrder::kResident, last, visit)) return;
        }
    }

private:
    using Where = typename Tiles::Where;
    using Camera = typename Tiles::Camera;

    static TileView laterView(TileView view)
    {
        view.position += view.velocity * kAheadSeconds;
        return view;
    }

    template <class Visit>
    bool descend(const TileKey& key, ResidentTile* resident, const TileBounds& parent, TileOrder least, TileOrder last,
                 const Visit& visit) const
    {
        TileBounds bounds = parent;
        const Where where = tiles_.where(key);
        const double distance = tiles_.distance(where, now_);
        const TileOrder order = std::max(orderOf(key, resident, where, bounds, distance), least);
        if (order > last) return true;
        if (!visit(WantedTile{key, order, float(distance), resident})) return false;
        if (!refines(key, resident)) return true;
        for (int child = 0; child < 4; ++child)
        {
            const TileKey finer{key.level - 1, 2 * key.x + child % 2, 2 * key.y + child / 2, key.face};
            ResidentTile* there = resident ? resident->child[std::size_t(child)] : nullptr;
            if (ground_.grid.has(finer) && !descend(finer, there, bounds, order, last, visit)) return false;
        }
        return true;
    }

    bool refines(const TileKey& key, const ResidentTile* resident) const
    {
        if (resident) return resident->refined;
        return key.level > 0 && (!ground_.refines || ground_.refines(key));
    }

    // Returns a tile's order. `bounds`: the parent's bounds on entry. The tile's own replace them if the order depends
    // on them.
    TileOrder orderOf(const TileKey& key, const ResidentTile* resident, const Where& where, TileBounds& bounds,
                      double distance) const
    {
        if (key.level >= ground_.residentLevel) return TileOrder::kResident;
        const double reach = std::ldexp(reach_, key.level);
        if (distance < kNextToCamera * reach) return TileOrder::kInView;
        const double later = moves_ ? tiles_.distance(where, ahead_) : distance;
        if (distance >= reach && later >= reach) return TileOrder::kNone;
        const TileOrder unseen = distance < kAroundShare * reach ? TileOrder::kAround : TileOrder::kNone;
        const auto now = [&] { return distance < reach && tiles_.sees(key, where, bounds, now_, distance); };
        const auto soon = [&] { return moves_ && later < reach && tiles_.sees(key, where, bounds, ahead_, later); };
        if (!now() && !soon()) return unseen;
        if (resident)
            bounds = resident->bounds;
        else if (ground_.boundsOf)
            bounds = ground_.boundsOf(key).value_or(bounds);
        return now() ? TileOrder::kInView : soon() ? TileOrder::kAhead : unseen;
    }

    const TileGround& ground_;
    Tiles tiles_;
    Camera now_, ahead_;
    double reach_;
    bool moves_;
};

template <class Tiles>
double distanceTo(const TileGround& ground, const TileKey& key, const TileView& view)
{
    const Tiles tiles(ground);
    return tiles.distance(tiles.where(key), typename Tiles::Camera(ground, view));
}

template <class Visit>
void walk(const TileGround& ground, const TileView& view, double reach, TileOrder last, const Visit& visit)
{
    if (ground.grid.faces() > 1)
        Walk<CubeTiles>(ground, view, reach).run(last, visit);
    else
        Walk<PlaneTiles>(ground, view, reach).run(last, visit);
}

}  // namespace

bool WantedTile::operator<(const WantedTile& other) const
{
    if (order != other.order) return order < other.order;
    if (key.level != other.key.level) return key.level > other.key.level;
    return distance != other.distance ? distance < other.distance : key < other.key;
}

double distanceOf(const TileGround& ground, const TileKey& key, const TileView& view)
{
    return ground.grid.faces() > 1 ? distanceTo<CubeTiles>(ground, key, view)
                                   : distanceTo<PlaneTiles>(ground, key, view);
}

std::vector<WantedTile> wantedTiles(const TileGround& ground, const TileView& view, double reach)
{
    std::vector<WantedTile> wanted;
    walk(ground, view, reach, TileOrder::kAround, [&](const WantedTile& tile) {
        wanted.push_back(tile);
        return true;
    });
    std::sort(wanted.begin(), wanted.end());
    return wanted;
}

std::size_t countInView(const TileGround& ground, const TileView& view, double reach, std::size_t most)
{
    std::size_t count = 0;
    walk(ground, view, reach, TileOrder::kInView, [&](const WantedTile&) { return ++count <= most; });
    return count;
}

int coarserSteps(const TileGround& ground, const TileView& view, double reach, std::size_t most, int guess,
                 std::optional<bool> enough)
{
    constexpr int kMostSteps = 1400;  // shrink the reach by 10^12: only the resident levels are wanted
    const auto fits = [&](int steps) {
        if (steps == guess && enough) return *enough;
        return steps >= kMostSteps || countInView(ground, view, coarserReach(reach, steps), most) <= most;
    };
    // Bisection: `low` does not fit, or is -1; `high` fits. Steps from the guess grow by doubling.
    int low = -1, high = std::clamp(guess, 0, kMostSteps);
    for (int step = 1; !fits(high); step *= 2)
        low = std::exchange(high, high + step);
    for (int step = 1; low < 0 && high > 0; step *= 2)
        if (const int finer = std::max(high - step, 0); fits(finer))
            high = finer;
        else
            low = finer;
    while (low >= 0 && high - low > 1)
    {
        const int middle = (low + high) / 2;
        (fits(middle) ? high : low) = middle;
    }
    return high;
}

double coarserReach(double reach, int steps) { return reach * std::pow(kCoarserStep, -steps); }

}  // namespace orogen
