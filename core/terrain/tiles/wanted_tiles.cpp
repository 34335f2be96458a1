#include "core/terrain/tiles/wanted_tiles.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace orogen {
namespace {

// A triangle that the frustum's border cuts has corners beyond it.
constexpr double kMarginOfDistance = 0.05, kMarginOfTile = 0.25;
// Nearer than this share of a level's reach all of it is wanted: the camera stands on it, and may turn.
constexpr double kNextToCamera = 0.1;

// Metres from the terrain's centre, east and north.
struct Rectangle
{
    double west, east, south, north;

    double distance(double x, double y) const
    {
        return std::hypot(std::max({west - x, x - east, 0.0}), std::max({south - y, y - north, 0.0}));
    }
};

Rectangle rectangleOf(const TileGround& ground, const TileKey& key)
{
    const double lastColumn = ground.grid.width() - 1, lastRow = ground.grid.height() - 1;
    const double cells = std::ldexp(double(kTileCells), key.level);
    const auto column = [&](int x) { return (std::min(x * cells, lastColumn) - lastColumn / 2) * ground.pixelWidth; };
    const auto row = [&](int y) { return (lastRow / 2 - std::min(y * cells, lastRow)) * ground.pixelHeight; };
    return {column(key.x), column(key.x + 1), row(key.y + 1), row(key.y)};
}

// A walk from the coarsest tile.
class Walk
{
public:
    Walk(const TileGround& ground, const TileView& view, double reach)
        : ground_(ground), view_(view), ahead_(view), reach_(reach),
          above_(std::max(0.0, view.position.z - double(ground.whole.highest) * view.heightScale)),
          tile_(std::max(ground.pixelWidth, ground.pixelHeight) * kTileCells)
    {
        ahead_.position += view.velocity * kAheadSeconds;
        moves_ = glm::length(view.velocity) * kAheadSeconds > 1e-3 * reach;
    }

    // Calls visit(key, order, distance) for everything up to `last`; false stops.
    template <class Visit>
    bool run(TileOrder last, const Visit& visit) const
    {
        return descend({ground_.grid.levels() - 1, 0, 0}, ground_.whole, TileOrder::kResident, last, visit);
    }

private:
    template <class Visit>
    bool descend(const TileKey& key, const TileBounds& parent, TileOrder least, TileOrder last,
                 const Visit& visit) const
    {
        TileBounds bounds = parent;
        const Rectangle where = rectangleOf(ground_, key);
        const double distance = std::hypot(where.distance(view_.position.x, view_.position.y), above_);
        const TileOrder order = std::max(orderOf(key, where, bounds, distance), least);
        if (order > last) return true;
        if (!visit(key, order, distance)) return false;
        for (int child = 0; child < 4 && key.level > 0; ++child)
        {
            const TileKey finer{key.level - 1, 2 * key.x + child % 2, 2 * key.y + child / 2};
            if (ground_.grid.has(finer) && !descend(finer, bounds, order, last, visit)) return false;
        }
        return true;
    }

    // `bounds`: of the parent; become the tile's own where these are looked at.
    TileOrder orderOf(const TileKey& key, const Rectangle& where, TileBounds& bounds, double distance) const
    {
        if (key.level >= ground_.residentLevel) return TileOrder::kResident;
        const double reach = std::ldexp(reach_, key.level);
        if (distance < kNextToCamera * reach) return TileOrder::kInView;
        const double later =
            moves_ ? std::hypot(where.distance(ahead_.position.x, ahead_.position.y), above_) : distance;
        if (distance >= reach && later >= reach) return TileOrder::kNone;
        if (ground_.boundsOf) bounds = ground_.boundsOf(key).value_or(bounds);
        if (distance < reach && seen(key, where, bounds, view_, distance)) return TileOrder::kInView;
        if (moves_ && later < reach && seen(key, where, bounds, ahead_, later)) return TileOrder::kAhead;
        return distance < kAroundShare * reach ? TileOrder::kAround : TileOrder::kNone;
    }

    bool seen(const TileKey& key, const Rectangle& where, const TileBounds& bounds, const TileView& view,
              double distance) const
    {
        const double margin = kMarginOfDistance * distance + kMarginOfTile * std::ldexp(tile_, key.level);
        const double low = double(bounds.lowest) * view.heightScale, high = double(bounds.highest) * view.heightScale;
        return std::all_of(view.planes.begin(), view.planes.end(), [&](const glm::vec4& plane) {
            const double x = (plane.x > 0 ? where.east : where.west) - view.position.x;
            const double y = (plane.y > 0 ? where.north : where.south) - view.position.y;
            const double z = (plane.z > 0 ? high : low) - view.position.z;
            return double(plane.x) * x + double(plane.y) * y + double(plane.z) * z + double(plane.w) >= -margin;
        });
    }

    const TileGround& ground_;
    const TileView& view_;
    TileView ahead_;
    double reach_, above_;
    double tile_;  // metres along the longer side of a tile of level 0
    bool moves_ = false;
};

}  // namespace

bool WantedTile::operator<(const WantedTile& other) const
{
    if (order != other.order) return order < other.order;
    if (key.level != other.key.level) return key.level > other.key.level;
    return distance != other.distance ? distance < other.distance : key < other.key;
}

double distanceOf(const TileGround& ground, const TileKey& key, const TileView& view)
{
    const double above = std::max(0.0, view.position.z - double(ground.whole.highest) * view.heightScale);
    return std::hypot(rectangleOf(ground, key).distance(view.position.x, view.position.y), above);
}

std::vector<WantedTile> wantedTiles(const TileGround& ground, const TileView& view, double reach)
{
    std::vector<WantedTile> wanted;
    Walk(ground, view, reach).run(TileOrder::kAround, [&](const TileKey& key, TileOrder order, double distance) {
        wanted.push_back({key, order, float(distance)});
        return true;
    });
    std::sort(wanted.begin(), wanted.end());
    return wanted;
}

std::size_t countInView(const TileGround& ground, const TileView& view, double reach, std::size_t most)
{
    std::size_t count = 0;
    Walk(ground, view, reach).run(TileOrder::kInView, [&](const TileKey&, TileOrder, double) {
        return ++count <= most;
    });
    return count;
}

int coarserSteps(const TileGround& ground, const TileView& view, double reach, std::size_t most, int guess)
{
    constexpr int kMostSteps = 1400;  // a factor of 10^12: nothing but what is resident
    const auto fits = [&](int steps) {
        return steps >= kMostSteps || countInView(ground, view, coarserReach(reach, steps), most) <= most;
    };
    // `low` does not fit, or is -1; `high` does.  From the guess on in longer and longer steps.
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
