#include "core/terrain/tiles/wanted_tiles.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <glm/geometric.hpp>

#include "core/terrain/tiles/cube_tiles.h"
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

// Raises the parent's errors of triangles (TileErrors) by those of a child. Returns whether any has changed.
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

// Share of a level's reach, the distance within which its tiles are wanted. Tiles nearer than this share count as in
// view in all directions, because the camera may turn.
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

    // Calls visit(WantedTile) for all tiles of orders up to `last`; stops when visit() returns false.
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
