#include "core/terrain/tiles/streaming_cache.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/terrain/tiles/cube_tiles.h"

namespace orogen {
namespace {

constexpr std::uint64_t kMostResidentTiles = 85;  // always-resident tiles of a plane: four levels of a square terrain
constexpr int kResidentCubeLevels = 3;            // always-resident levels of the Earth: 126 tiles
constexpr int kLeastSlots = 8;
constexpr int kSpareSlots = 8;               // most slots that are reserved for tiles out of view
constexpr std::uint64_t kMostAtOnce = 4096;  // a terrain with more tiles is loaded by view, even if the budget holds it
constexpr std::size_t kMostKnown = 65'536;   // tiles for which the source's answers are cached
constexpr double kWithoutEnd = 1e12;         // TileCache::reach() if every tile is wanted (metres)
constexpr int kTriesBeforeGivingUp = 3;      // settle() gives up after this many failures of each missing tile

std::uint64_t tilesOf(const TileGrid& grid)
{
    std::uint64_t tiles = 0;
    for (int level = 0; level < grid.levels(); ++level)
        tiles += grid.tiles(level);
    return tiles;
}

// Returns the least number of slots, whatever the budget. On the Earth it includes the always-resident levels.
std::uint64_t leastSlotsOf(const TileGrid& grid)
{
    std::uint64_t tiles = kLeastSlots;
    for (int level = grid.levels() - 1; grid.faces() > 1 && level >= std::max(grid.levels() - kResidentCubeLevels, 0);
         --level)
        tiles += grid.tiles(level);
    return tiles;
}

int slotsOf(const TileSource& source, std::uint64_t bytes)
{
    const TileGrid grid = source.grid();
    const std::uint64_t slots = std::max(bytes / source.tileBytes(), leastSlotsOf(grid));
    return int(std::min({slots, tilesOf(grid), std::uint64_t(1) << 30}));
}

// Returns the finest always-resident level; all coarser levels are resident, too.
int residentLevelOf(const TileGrid& grid, int slots)
{
    if (grid.faces() > 1) return std::max(grid.levels() - kResidentCubeLevels, 0);
    int level = grid.levels() - 1;
    std::uint64_t tiles = grid.tiles(level);
    while (level > 0)
    {
        tiles += grid.tiles(level - 1);
        if (tiles > kMostResidentTiles || (tiles > std::uint64_t(slots) / 4 && tilesOf(grid) > std::uint64_t(slots)))
            break;
        --level;
    }
    return level;
}

bool sameView(const TileView& a, const TileView& b)
{
    return a.position == b.position && a.velocity == b.velocity && a.planes == b.planes &&
           a.pixelsPerRadian == b.pixelsPerRadian && a.heightScale == b.heightScale;
}

}  // namespace

StreamingCache::StreamingCache(std::shared_ptr<const TileSource> source, std::uint64_t budget,
                               std::function<double()> clock)
    : source_(std::move(source)), grid_(source_->grid()), clock_(std::move(clock)), budget_(budget),
      ground_(groundOf()), resident_(grid_.levels(), slotsOf(*source_, budget)), loader_(source_)
{
    ground_.residentLevel = residentLevelOf(grid_, resident_.slots());
    reach_ = kWithoutEnd;
}

TileGround StreamingCache::groundOf()
{
    const Raster& raster = source_->raster();
    TileGround ground{grid_, raster.pixelWidth, raster.pixelHeight, {raster.minHeight, raster.maxHeight, 0}};
    if (grid_.faces() > 1) ground.pixelWidth = ground.pixelHeight = cubeSampleMetres(grid_, 0);
    ground.resident = &resident_;  // resident tiles' bounds are at least as exact as the source's
    ground.boundsOf = [this](const TileKey& key) { return sourceBounds(key); };
    ground.refines = [this](const TileKey& key) { return refines(key); };
    return ground;
}

StreamingCache::Known& StreamingCache::knownOf(const TileKey& key) const
{
    if (known_.size() >= kMostKnown) known_.clear();
    return known_[key];
}

std::optional<TileBounds> StreamingCache::sourceBounds(const TileKey& key) const
{
    Known& known = knownOf(key);
    if (!known.bounds) known.bounds = source_->bounds(key);
    return *known.bounds;
}

bool StreamingCache::refines(const TileKey& key) const
{
    Known& known = knownOf(key);
    if (!known.refines) known.refines = source_->refines(key);
    return *known.refines;
}

// ---- the coarse levels ----

Status StreamingCache::start(int threads)
{
    if (Status started = loader_.start(threads); !started) return started;
    return loadResident();
}

bool StreamingCache::exists(const TileKey& key) const
{
    return key.level == grid_.levels() - 1 || (resident_.has(key.parent()) && refines(key.parent()));
}

std::vector<TileRequest> StreamingCache::requestsOf(int level) const
{
    std::vector<TileRequest> requests;
    for (int face = 0; face < grid_.faces(); ++face)
        for (int y = 0; y < grid_.rows(level); ++y)
            for (int x = 0; x < grid_.columns(level); ++x)
                if (const TileKey key{level, x, y, face}; exists(key))
                    requests.push_back({key, tileOf(key.parent()), false, source_});
    return requests;
}

Status StreamingCache::loadResident()
{
    for (int level = grid_.levels() - 1; level >= ground_.residentLevel; --level)
    {
        const std::vector<TileRequest> requests = requestsOf(level);
        while (!loader_.ask(requests))
            std::this_thread::yield();
        for (std::size_t loaded = 0; loaded < requests.size(); loaded += std::exchange(news_, {}).size())
        {
            loader_.waitForNews(1);
            loader_.take(news_);
            for (LoadedTile& tile : news_)
            {
                if (!tile.tile) return tile.tile.error();
                resident_.add(std::move(*tile.tile), frame_);
                ++stats_.loaded;
            }
        }
    }
    return Status::ok();
}

// ---- a frame ----

void StreamingCache::update(const TileView& view, int mostUploads, float fade)
{
    ++frame_;
    takeNews();
    applyChange();
    plan(view);
    resident_.use(wanted_, frame_);
    handOut(mostUploads);
    handOutErrors();
    resident_.activate(wanted_, frame_, fade, ground_.residentLevel, active_);
    dropUnwanted();
    ask();
}

void StreamingCache::takeNews()
{
    if (!loader_.take(news_)) return;
    const auto wanted = [this](const TileKey& key) { return wants(key); };
    for (LoadedTile& news : news_)
    {
        const bool replaces = change_ && change_->tiles.contains(news.key);
        if (news.source != source_ && (replaces || dependsOn(news.key, everChanged_))) continue;
        if (news.tile)
        {
            ++stats_.loaded;
            failures_.loaded(news.key, clock_(), wanted);
            (replaces ? change_->tiles : made_)[news.key] = std::move(*news.tile);
        }
        else
            failures_.failed(news.key, news.tile.error().message, clock_());
    }
    news_.clear();
}

void StreamingCache::plan(const TileView& view)
{
    if (planned_ && sameView(view, view_)) return;
    view_ = view;
    planned_ = true;
    const std::size_t slots = std::size_t(resident_.slots());
    const bool all = tilesOf(grid_) <= std::min<std::uint64_t>(slots, kMostAtOnce) && source_->loadedWhole();
    const double asked = std::max(ground_.pixelWidth, ground_.pixelHeight) * view.pixelsPerRadian;
    const std::size_t most = slots - std::min(slots / 4, std::size_t(kSpareSlots));
    const auto look = [&] {
        reach_ = all ? kWithoutEnd : coarserReach(asked, coarserSteps_);
        wanted_ = wantedTiles(ground_, view, reach_);
    };
    look();
    const auto inView = [](const WantedTile& tile) { return tile.order <= TileOrder::kInView; };
    const bool fits = std::size_t(std::count_if(wanted_.begin(), wanted_.end(), inView)) <= most;
    if (!all && (coarserSteps_ > 0 || !fits))
    {
        const int before = std::exchange(coarserSteps_, coarserSteps(ground_, view, asked, most, coarserSteps_, fits));
        if (coarserSteps_ != before) look();
    }
    coarser_ = all ? 1.0 : asked / reach_;
    wanted_.resize(std::min(wanted_.size(), slots));
    countRequests();
}

void StreamingCache::countRequests()
{
    const std::vector<TileKey> before = std::exchange(wantedKeys_, {});
    wantedKeys_.reserve(wanted_.size());
    for (const WantedTile& tile : wanted_)
        wantedKeys_.push_back(tile.key);
    std::sort(wantedKeys_.begin(), wantedKeys_.end());
    auto known = before.begin();
    for (const TileKey& key : wantedKeys_)
    {
        known = std::find_if(known, before.end(), [&](const TileKey& other) { return !(other < key); });
        if (known != before.end() && *known == key) continue;
        ++stats_.requests;
        stats_.hits += resident_.has(key);
    }
}

bool StreamingCache::wants(const TileKey& key) const
{
    return std::binary_search(wantedKeys_.begin(), wantedKeys_.end(), key);
}

void StreamingCache::handOut(int most)
{
    uploads_.clear();
    if (std::exchange(uploadAll_, false))
        resident_.forEach([this](const ResidentTile& tile) {
            uploads_.push_back({tile.slot, tile.tile, &tile.errors});
        });
    else
        for (const ResidentTile* tile : replaced_)
            uploads_.push_back({tile->slot, tile->tile, &tile->errors});
    // An update with replaced tiles adds no new tile, which could take the slot of a replaced one before its upload.
    if (!std::exchange(replaced_, {}).empty()) return;
    for (WantedTile& wanted : wanted_)
    {
        if (int(uploads_.size()) >= most || made_.empty()) return;
        const auto made = wanted.resident ? made_.end() : made_.find(wanted.key);
        if (made == made_.end() || !resident_.has(wanted.key.parent())) continue;
        if (change_ && dependsOn(wanted.key, change_->samples)) continue;  // made from the new source, not shown yet
        const ResidentTile* added = wanted.resident = resident_.add(std::move(made->second), frame_);
        made_.erase(made);
        if (!added) return;
        uploads_.push_back({added->slot, added->tile, &added->errors});
        remember(*added->tile);
    }
}

// Uploads the triangle errors (ResidentTile::errors) of each tile in which a new descendant has increased them. The GPU
// has a copy of these errors.
void StreamingCache::handOutErrors()
{
    for (WantedTile& wanted : wanted_)
        if (wanted.resident && std::exchange(wanted.resident->errorsChanged, false))
            uploads_.push_back({wanted.resident->slot, wanted.resident->tile, &wanted.resident->errors, true});
}

// Remembers the bounds of a tile beyond its eviction, because they may hide or reveal other tiles. Otherwise a tile
// that is wanted only while its bounds are unknown would be loaded and evicted forever.
void StreamingCache::remember(const Tile& tile)
{
    planned_ = planned_ && tile.boundsKnown;
    Known& known = knownOf(tile.key);
    if (!known.bounds || !*known.bounds) known.bounds.emplace(tile.bounds);
}

// Drops the tiles that worker threads have made but that are no longer wanted.
void StreamingCache::dropUnwanted()
{
    std::erase_if(made_, [this](const auto& made) { return !wants(made.first); });
}

std::shared_ptr<const Tile> StreamingCache::tileOf(const TileKey& key) const
{
    if (change_)
        if (const auto replacing = change_->tiles.find(key); replacing != change_->tiles.end())
            return replacing->second;
    if (const ResidentTile* tile = resident_.find(key)) return tile->tile;
    const auto made = made_.find(key);
    return made == made_.end() ? nullptr : made->second;
}

void StreamingCache::ask()
{
    requests_.clear();
    std::unordered_set<TileKey> asked;
    const double now = failures_.empty() ? 0.0 : clock_();
    askForChange(asked, now);
    for (const WantedTile& wanted : wanted_)
    {
        if (made_.size() + requests_.size() >= kMostWaitingTiles) break;
        if (wanted.resident || made_.contains(wanted.key) || !failures_.mayTry(wanted.key, now)) continue;
        // Requests include tiles whose parent is requested, too: the loader makes such a tile right after its parent.
        const TileKey above = wanted.key.parent();
        std::shared_ptr<const Tile> parent = tileOf(above);
        if (parent || asked.contains(above))
        {
            const bool follows = !parent;
            requests_.push_back({wanted.key, std::move(parent), follows, source_});
            asked.insert(wanted.key);
        }
    }
    loader_.ask(requests_);
}

// ---- other queries ----

TileStats StreamingCache::stats() const
{
    TileStats stats = stats_;
    stats.resident = int(resident_.size());
    stats.capacity = resident_.slots();
    int finest = -1, coarsestMissing = -1;  // levels
    for (const WantedTile& wanted : wanted_)
    {
        if (wanted.order > TileOrder::kInView) break;
        ++stats.wanted;
        if (finest < 0 || wanted.key.level < finest) finest = wanted.key.level;
        if (!wanted.resident) coarsestMissing = std::max(coarsestMissing, wanted.key.level);
        stats.missing += !wanted.resident;
        stats.fading += wanted.resident && !shownInFull(*wanted.resident);
        stats.failed += !failures_.empty() && failures_.has(wanted.key);
    }
    if (change_)
    {
        const auto missing = [](const auto& entry) { return !entry.second; };
        const auto failed = [this](const auto& entry) { return !entry.second && failures_.has(entry.first); };
        stats.missing += std::max(int(std::ranges::count_if(change_->tiles, missing)), 1);
        stats.failed += int(std::ranges::count_if(change_->tiles, failed));
    }
    if (finest >= 0)
    {
        const double spacing = std::max(ground_.pixelWidth, ground_.pixelHeight);
        stats.samplesWanted = std::ldexp(spacing, finest);
        stats.samplesShown = std::ldexp(spacing, std::max(finest, coarsestMissing + 1));
    }
    stats.loading = loader_.loading();
    stats.evicted = resident_.evicted();
    stats.bytesRead = loader_.bytesRead();
    stats.budgetBytes = budget_;
    stats.residentBytes = resident_.size() * source_->tileBytes();
    stats.coarser = float(coarser_);
    return stats;
}

bool StreamingCache::shownInFull(const ResidentTile& tile) const { return tile.active == frame_ && tile.weight == 1; }

bool StreamingCache::complete() const
{
    return uploads_.empty() && !change_ &&
           std::all_of(wanted_.begin(), wanted_.end(),
                       [this](const WantedTile& wanted) { return wanted.resident && shownInFull(*wanted.resident); });
}

// Returns whether waiting is pointless. Each missing tile whose parent is there must have failed kTriesBeforeGivingUp
// times and wait for its next try. A change to another source needs all tiles of the change, so it is enough that one
// of these tiles has failed as often and waits.
bool StreamingCache::hopeless() const
{
    const double now = clock_();
    const auto waits = [&](const TileKey& key) {
        return failures_.tries(key) >= kTriesBeforeGivingUp && !failures_.mayTry(key, now);
    };
    if (change_ && std::ranges::none_of(change_->tiles, [&](const auto& entry) { return waits(entry.first); }))
        return false;
    return uploads_.empty() && made_.empty() &&
           std::all_of(wanted_.begin(), wanted_.end(), [&](const WantedTile& wanted) {
               return resident_.has(wanted.key) || !tileOf(wanted.key.parent()) || waits(wanted.key);
           });
}

bool StreamingCache::settle(const TileView& view, double seconds, const std::function<void()>& upload)
{
    constexpr int kUploads = 32;
    const Clock::time_point start = Clock::now();
    for (;;)
    {
        update(view, kUploads, 1.0f);
        upload();
        if (complete()) return true;
        if (hopeless() || millisecondsSince(start) > 1000 * seconds) return false;
        if (made_.empty()) loader_.waitForNews(0.02);
    }
}

bool StreamingCache::setBudget(std::uint64_t bytes)
{
    budget_ = bytes;
    const int slots = slotsOf(*source_, bytes);
    if (slots == resident_.slots()) return false;
    resident_.resize(slots);
    for (WantedTile& wanted : wanted_)
        wanted.resident = resident_.find(wanted.key);
    ground_.residentLevel = std::max(ground_.residentLevel, residentLevelOf(grid_, slots));
    planned_ = false;
    uploadAll_ = true;
    return true;
}

Result<std::unique_ptr<TileCache>> TileCache::create(std::shared_ptr<const TileSource> source,
                                                     std::uint64_t budgetBytes, int threads,
                                                     std::function<double()> clock)
{
    const int slots = slotsOf(*source, budgetBytes);
    const std::uint64_t bytes = std::uint64_t(slots) * source->tileBytes();
    if (Status enough = checkMemory(printable(source->raster().name) + ": tiles", bytes); !enough)
        return enough.error();
    if (!clock) clock = [start = Clock::now()] { return millisecondsSince(start) / 1000; };
    auto cache = std::make_unique<StreamingCache>(std::move(source), budgetBytes, std::move(clock));
    if (Status started = cache->start(threads); !started) return started.error();
    return std::unique_ptr<TileCache>(std::move(cache));
}

}  // namespace orogen
