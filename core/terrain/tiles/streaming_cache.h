// A tile cache that loads, replaces and evicts tiles as the view asks for. Callers use it through the interface
// TileCache (core/terrain/tiles/tile_cache.h).
//
// streaming_cache.cpp has the steps of a frame, cache_heights.cpp the change to another source and
// the heights at a place.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/terrain/tiles/tile_cache.h"
#include "core/terrain/tiles/tile_loader.h"
#include "core/terrain/tiles/tile_place.h"
#include "core/terrain/tiles/wanted_tiles.h"

namespace orogen {

// Limit for the sum of requested tiles and of tiles that are made, but not in a slot yet.
inline constexpr std::size_t kMostWaitingTiles = 96;

// Returns whether any of `samples` (of level 0) lies in a tile or in its apron (kTileApron).
bool dependsOn(const TileKey& key, const IndexBox& samples);

class StreamingCache final : public TileCache
{
public:
    StreamingCache(std::shared_ptr<const TileSource> source, std::uint64_t budget, std::function<double()> clock);
    Status start(int threads);  // starts the loader threads, loads the coarse levels; errors: see TileCache::create()

    void update(const TileView& view, int mostUploads, float fade) override;
    std::span<const TileUpload> uploads() const override { return uploads_; }
    std::span<const ActiveTile> active() const override { return active_; }
    const TileGrid& grid() const override { return grid_; }
    const Raster& raster() const override { return source_->raster(); }
    float highest() const override { return ground_.whole.highest; }
    double reach() const override { return reach_; }
    int slots() const override { return resident_.slots(); }
    TileStats stats() const override;
    bool settle(const TileView& view, double seconds, const std::function<void()>& upload) override;
    void change(std::shared_ptr<const TileSource> source, const IndexBox& samples) override;
    bool changing() const override { return change_.has_value(); }
    bool setBudget(std::uint64_t bytes) override;
    void uploadAgain() override { uploadAll_ = true; }
    std::vector<std::string> takeMessages() override { return failures_.takeMessages(); }
    float heightAt(double east, double north) const override;
    DataRelief reliefAt(double east, double north) const override;
    float heightAt(const FacePlace& place) const override;
    DataRelief reliefAt(const FacePlace& place, int from, float shown) const override;
    int baseLevel() const override { return source_->baseLevel(); }
    int levelAt(const FacePlace& place) const override;

private:
    // A position on the raster, or on a face of the cube, in samples of level 0.
    struct Point
    {
        SamplePlace column, row;
        int face = 0;
    };
    // The source's answers about a tile, cached because every frame needs them and they may be expensive. If the source
    // has no bounds of the tile, `bounds` receives those of the tile itself, once it has been made.
    struct Known
    {
        std::optional<bool> refines;
        std::optional<std::optional<TileBounds>> bounds;  // inner optional empty: the source has none
    };
    // Resident tiles that are made again from another source, to be replaced together.
    struct Change
    {
        IndexBox samples;                                                // changed samples of level 0
        std::unordered_map<TileKey, std::shared_ptr<const Tile>> tiles;  // by key; null: not made again yet
    };
    // The finest active or always-resident tile at a point, and the point's cell in it.
    struct Found
    {
        const ResidentTile* tile = nullptr;
        TileCell x, y;
    };
    Found finestAt(const Point& point, int from = 0) const;
    Point pointAt(double east, double north) const;
    Point pointAt(const FacePlace& place) const;
    float heightAt(const Point& point) const;
    DataRelief reliefIn(const Tile& tile, const TileCell& x, const TileCell& y) const;
    Known& knownOf(const TileKey& key) const;
    bool refines(const TileKey& key) const;
    bool exists(const TileKey& key) const;  // whether the source has the tile; correct only if its parent is resident
    std::vector<TileRequest> requestsOf(int level) const;
    Status loadResident();
    void takeNews();
    void applyChange();
    void askForChange(std::unordered_set<TileKey>& asked, double now);
    void plan(const TileView& view);
    void countRequests();
    bool wants(const TileKey& key) const;
    void handOut(int most);
    void handOutErrors();
    void remember(const Tile& tile);
    void dropUnwanted();
    void ask();
    bool shownInFull(const ResidentTile& tile) const;  // in the last update
    bool complete() const;
    bool hopeless() const;
    std::shared_ptr<const Tile> tileOf(const TileKey& key) const;
    TileGround groundOf();
    std::optional<TileBounds> sourceBounds(const TileKey& key) const;

    std::shared_ptr<const TileSource> source_;
    const TileGrid grid_;
    const std::function<double()> clock_;
    std::uint64_t budget_;
    TileGround ground_;
    ResidentTiles resident_;
    mutable std::unordered_map<TileKey, Known> known_;  // cached for tiles visited by the traversal
    ReadFailures failures_;
    std::unordered_map<TileKey, std::shared_ptr<const Tile>> made_;  // made by the loader, not in uploads_ yet
    std::optional<Change> change_;
    IndexBox everChanged_;                       // samples of level 0 that differ between sources seen so far
    std::vector<const ResidentTile*> replaced_;  // tiles replaced in this update

    std::uint64_t frame_ = 1;
    TileView view_;
    bool planned_ = false;  // wanted_ is valid for view_
    double reach_ = 0, coarser_ = 1;
    int coarserSteps_ = 0;
    std::vector<WantedTile> wanted_;   // at most one per slot
    std::vector<TileKey> wantedKeys_;  // sorted
    std::vector<ActiveTile> active_;
    std::vector<TileUpload> uploads_;
    bool uploadAll_ = true;
    std::vector<LoadedTile> news_;
    std::vector<TileRequest> requests_;
    TileStats stats_;
    TileLoader loader_;  // last member, so that its threads end first
};

}  // namespace orogen
